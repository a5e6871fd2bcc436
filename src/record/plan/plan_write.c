// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "record/file/database.h"
#include "record/file/format.h"
#include "record/file/table_row.h"
#include "record/plan/plan_tables.h"

static const char schema[] =
    "CREATE TABLE plan (number INTEGER PRIMARY KEY, role TEXT NOT NULL, outcome TEXT NOT NULL, reason TEXT NOT NULL,"
    " strict INTEGER NOT NULL, kept INTEGER NOT NULL, intervals INTEGER NOT NULL, controls INTEGER NOT NULL,"
    " numbers INTEGER NOT NULL, wrenches INTEGER NOT NULL, hash INTEGER NOT NULL, saved BLOB NOT NULL,"
    " digest INTEGER NOT NULL);"
    "CREATE TABLE plan_certificate (number INTEGER PRIMARY KEY, name TEXT NOT NULL, unit TEXT NOT NULL, value REAL,"
    " bound REAL, kept INTEGER NOT NULL, meaning TEXT NOT NULL, digest INTEGER NOT NULL);"
    "CREATE TABLE plan_solves (number INTEGER PRIMARY KEY, start INTEGER NOT NULL, level INTEGER NOT NULL,"
    " intervals INTEGER NOT NULL, outcome TEXT NOT NULL, iterations INTEGER NOT NULL, effort REAL, violation REAL,"
    " optimality REAL, seconds REAL, digest INTEGER NOT NULL);"
    "CREATE TABLE plan_controls (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, body INTEGER NOT NULL,"
    " joint INTEGER NOT NULL, body_axes INTEGER NOT NULL, first INTEGER NOT NULL, size INTEGER NOT NULL,"
    " forces INTEGER NOT NULL, force_limit REAL, torque_limit REAL, digest INTEGER NOT NULL);"
    "CREATE TABLE plan_nodes (number INTEGER PRIMARY KEY, time REAL, bodies BLOB NOT NULL, guess BLOB NOT NULL,"
    " consistency REAL, gap REAL, a INTEGER NOT NULL, b INTEGER NOT NULL, digest INTEGER NOT NULL);"
    "CREATE TABLE plan_intervals (number INTEGER PRIMARY KEY, numbers BLOB NOT NULL, guess BLOB NOT NULL,"
    " wrenches BLOB NOT NULL, gap REAL, a INTEGER NOT NULL, b INTEGER NOT NULL, digest INTEGER NOT NULL);"
    "CREATE TABLE plan_planes (number INTEGER PRIMARY KEY, interval INTEGER NOT NULL, a INTEGER NOT NULL,"
    " part_a INTEGER NOT NULL, b INTEGER NOT NULL, part_b INTEGER NOT NULL, nx REAL, ny REAL, nz REAL, offset REAL,"
    " digest INTEGER NOT NULL);"
    "CREATE TABLE plan_impulses (number INTEGER PRIMARY KEY, node INTEGER NOT NULL, contact INTEGER NOT NULL,"
    " a INTEGER NOT NULL, b INTEGER NOT NULL, x REAL, y REAL, z REAL, jx REAL, jy REAL, jz REAL, cx REAL, cy REAL,"
    " cz REAL, digest INTEGER NOT NULL);";

// What the rows of all tables are made from; `bytes` is for what one of them packs.
typedef struct writer {
    sqlite3 *database;
    const char *path;
    const crm_plan_kept *plan;
    unsigned char *bytes;
    carom_error *error;
} writer;

typedef void put_row_function(const writer *w, int64_t number, crm_row *row);

// Fills a table with `count` rows, each of so many columns, the number first and the digest last.
static carom_status fill(const writer *w, const char *table, int columns, int64_t count, put_row_function *put) {
    char sql[192];
    size_t used = (size_t)snprintf(sql, sizeof sql, "INSERT INTO %s VALUES (?", table);
    for (int i = 1; i < columns; i++) used += (size_t)snprintf(sql + used, sizeof sql - used, ", ?");
    snprintf(sql + used, sizeof sql - used, ")");
    sqlite3_stmt *statement;
    carom_status status = crm_database_prepare(w->database, w->path, sql, &statement, w->error);
    if (status != CAROM_OK) return status;
    int code = SQLITE_OK;
    for (int64_t i = 0; i < count && code == SQLITE_OK; i++) {
        crm_row row = crm_row_write(statement);
        crm_row_put_int(&row, i);
        put(w, i, &row);
        code = crm_row_insert(&row);
    }
    if (code != SQLITE_OK) status = crm_database_fail(w->database, code, w->path, w->error);
    sqlite3_finalize(statement);
    return status;
}

static void put_vec3(crm_row *row, carom_vec3 v) {
    crm_row_put_real(row, v.x);
    crm_row_put_real(row, v.y);
    crm_row_put_real(row, v.z);
}

// Packs into the bytes of the writer from `at` on, and gives where that ended.
static unsigned char *put_numbers(crm_row *row, unsigned char *at, const double *x, int64_t count) {
    unsigned char *end = at;
    for (int64_t i = 0; i < count; i++) end = crm_put_double(end, x[i]);
    crm_row_put_bytes(row, at, (size_t)(end - at));
    return end;
}

// ---- a row of each

static void put_plan(const writer *w, int64_t number, crm_row *row) {
    const carom_plan_data *data = w->plan->data;
    (void)number;
    crm_row_put_text(row, w->plan->replayed ? "replay" : "plan");
    crm_row_put_text(row, carom_plan_outcome_name(data->outcome));
    crm_row_put_text(row, data->reason);
    crm_row_put_int(row, data->certificate.strict);
    crm_row_put_int(row, data->certificate.kept);
    crm_row_put_int(row, data->interval_count);
    crm_row_put_int(row, data->control_count);
    crm_row_put_int(row, data->number_count);
    crm_row_put_int(row, data->wrench_count);
    crm_row_put_int(row, (int64_t)carom_plan_hash(data));
    crm_row_put_bytes(row, w->plan->saved_size > 0 ? w->plan->saved : "", w->plan->saved_size);
}

static void put_line(const writer *w, int64_t number, crm_row *row) {
    int count;
    const carom_plan_line *line = &carom_plan_lines(&count)[number];
    const carom_plan_certificate *certificate = &w->plan->data->certificate;
    crm_row_put_text(row, line->name);
    crm_row_put_text(row, line->unit);
    crm_row_put_real(row, carom_plan_line_value(line, certificate));
    crm_row_put_real(row, carom_plan_line_bound(line, certificate));
    crm_row_put_int(row, carom_plan_line_keeps(line, certificate));
    crm_row_put_text(row, line->text);
}

static void put_solve(const writer *w, int64_t number, crm_row *row) {
    const carom_plan_solve *solve = &w->plan->data->solve[number];
    crm_row_put_int(row, solve->start);
    crm_row_put_int(row, solve->level);
    crm_row_put_int(row, solve->intervals);
    crm_row_put_text(row, carom_plan_outcome_name(solve->outcome));
    crm_row_put_int(row, solve->iterations);
    crm_row_put_real(row, solve->effort);
    crm_row_put_real(row, solve->violation);
    crm_row_put_real(row, solve->optimality);
    crm_row_put_real(row, solve->seconds);
}

static void put_control(const writer *w, int64_t number, crm_row *row) {
    const carom_plan_control *control = &w->plan->data->control[number];
    crm_row_put_text(row, carom_control_kind_name(control->kind));
    crm_row_put_int(row, control->body.index);
    crm_row_put_int(row, control->joint);
    crm_row_put_int(row, control->in_body_axes);
    crm_row_put_int(row, control->first);
    crm_row_put_int(row, control->size);
    crm_row_put_int(row, control->force_count);
    crm_row_put_real(row, control->force_limit);
    crm_row_put_real(row, control->torque_limit);
}

static unsigned char *pack_pose(unsigned char *to, const carom_pose *pose) {
    to = crm_put_vec3(to, pose->position);
    to = crm_put_double(to, pose->attitude.w);
    return crm_put_vec3(to, (carom_vec3){pose->attitude.x, pose->attitude.y, pose->attitude.z});
}

static void put_nearest(crm_row *row, const carom_plan_nearest *nearest) {
    crm_row_put_real(row, nearest->gap);
    crm_row_put_int(row, nearest->a.index);
    crm_row_put_int(row, nearest->b.index);
}

static void put_node(const writer *w, int64_t number, crm_row *row) {
    const carom_plan_data *data = w->plan->data;
    unsigned char *end = w->bytes, *guess;
    for (int b = 0; b < data->body_count; b++, end += CRM_FRAME_BODY_BYTES)
        crm_pack_body(&data->motion[number * data->body_count + b], end);
    guess = end;
    for (int b = 0; b < data->body_count; b++) end = pack_pose(end, &data->guess[number * data->body_count + b]);
    crm_row_put_real(row, data->time[number]);
    crm_row_put_bytes(row, w->bytes, (size_t)(guess - w->bytes));
    crm_row_put_bytes(row, guess, (size_t)(end - guess));
    crm_row_put_real(row, data->consistency[number]);
    put_nearest(row, &data->at_node[number]);
}

static unsigned char *pack_wrench(unsigned char *to, const carom_body_wrench *wrench) {
    crm_put_u32(to, (uint32_t)wrench->body.index);
    crm_put_u32(to + 4, wrench->in_body_axes);
    to = crm_put_vec3(to + 8, wrench->point);
    to = crm_put_vec3(to, wrench->force);
    return crm_put_vec3(to, wrench->torque);
}

static void put_interval(const writer *w, int64_t number, crm_row *row) {
    const carom_plan_data *data = w->plan->data;
    int64_t first = number * data->number_count;
    unsigned char *at = put_numbers(row, w->bytes, data->value + first, data->number_count), *end;
    end = at = put_numbers(row, at, data->guess_value + first, data->number_count);
    for (int i = 0; i < data->wrench_count; i++) end = pack_wrench(end, &data->wrench[number * data->wrench_count + i]);
    crm_row_put_bytes(row, at, (size_t)(end - at));
    put_nearest(row, &data->between[number]);
}

static void put_plane(const writer *w, int64_t number, crm_row *row) {
    const carom_plan_plane *plane = &w->plan->data->plane[number];
    crm_row_put_int(row, plane->interval);
    crm_row_put_int(row, plane->a.index);
    crm_row_put_int(row, plane->part_a);
    crm_row_put_int(row, plane->b.index);
    crm_row_put_int(row, plane->part_b);
    put_vec3(row, plane->normal);
    crm_row_put_real(row, plane->offset);
}

static void put_impulse(const writer *w, int64_t number, crm_row *row) {
    const carom_plan_impulse *impulse = &w->plan->data->impulse[number];
    crm_row_put_int(row, impulse->node);
    crm_row_put_int(row, impulse->contact);
    crm_row_put_int(row, impulse->a.index);
    crm_row_put_int(row, impulse->b.index);
    put_vec3(row, impulse->point);
    put_vec3(row, impulse->impulse);
    put_vec3(row, impulse->couple);
}

// ---- all of them

// The most that a row packs.
static size_t packed_bytes(const carom_plan_data *data) {
    size_t node = (size_t)data->body_count * (CRM_FRAME_BODY_BYTES + CRM_PLAN_POSE_BYTES);
    size_t interval = 16 * (size_t)data->number_count + CRM_PLAN_WRENCH_BYTES * (size_t)data->wrench_count;
    return node > interval ? node : interval;
}

static carom_status fill_all(const writer *w) {
    const carom_plan_data *data = w->plan->data;
    int lines, nodes = data->interval_count > 0 ? data->interval_count + 1 : 0;
    carom_plan_lines(&lines);
    const struct {
        const char *table;
        int columns;
        int64_t count;
        put_row_function *put;
    } tables[] = {{"plan", 13, 1, put_plan},
                  {"plan_certificate", 8, lines, put_line},
                  {"plan_solves", 11, data->solve_count, put_solve},
                  {"plan_controls", 11, data->control_count, put_control},
                  {"plan_nodes", 9, nodes, put_node},
                  {"plan_intervals", 8, data->interval_count, put_interval},
                  {"plan_planes", 11, data->plane_count, put_plane},
                  {"plan_impulses", 15, data->impulse_count, put_impulse}};
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0] && status == CAROM_OK; i++)
        status = fill(w, tables[i].table, tables[i].columns, tables[i].count, tables[i].put);
    return status;
}

carom_status crm_plan_write(sqlite3 *database, const char *path, const crm_plan_kept *plan, carom_error *error) {
    if (plan->data == NULL) return CAROM_OK;
    size_t size = packed_bytes(plan->data);
    writer w = {database, path, plan, malloc(size), error};
    if (w.bytes == NULL) return crm_fail_memory(error, "the plan of a recording", size);
    carom_status status = crm_database_run(database, path, schema, error);
    if (status == CAROM_OK) status = fill_all(&w);
    free(w.bytes);
    return status;
}
