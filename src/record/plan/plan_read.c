// SPDX-License-Identifier: MIT
// Every number is held against what it can be in a plan of this recording, and every count against the rows that are
// there, before memory is taken for it.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "record/file/database.h"
#include "record/file/format.h"
#include "record/file/table_row.h"
#include "record/plan/plan_tables.h"

static const char damaged[] = "its plan is not what was written";

enum { MOST_INTERVALS = 2000 };

// What of the plan has been read so far. Arrays are written to through these, and read through `data`.
typedef struct reader {
    sqlite3 *database;
    const char *path;
    crm_arena *arena;
    const crm_run *run;
    carom_plan_data *data;
    crm_plan_kept *kept;
    carom_plan_solve *solve;
    carom_plan_control *control;
    double *time, *value, *guess_value, *consistency;
    carom_body_state *motion;
    carom_pose *guess;
    carom_body_wrench *wrench;
    carom_plan_nearest *at_node, *between;
    carom_plan_plane *plane;
    carom_plan_impulse *impulse;
    carom_error *error;
} reader;

typedef bool take_row_function(reader *r, int64_t number, crm_row *row);

// Goes through a table whose rows are numbered from 0 and must be `count`.
static carom_status read_table(reader *r, const char *table, int64_t count, take_row_function *take) {
    char sql[96];
    snprintf(sql, sizeof sql, "SELECT * FROM %s ORDER BY number", table);
    sqlite3_stmt *statement;
    carom_status status = crm_database_prepare(r->database, r->path, sql, &statement, r->error);
    if (status != CAROM_OK) return status;
    int64_t number = 0;
    int code;
    bool sound = true;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW && sound && number < count) {
        crm_row row = crm_row_read(statement);
        sound = crm_row_get_int(&row) == number;
        sound = take(r, number, &row) && sound;
        sound = crm_row_sound(&row) && sound;
        number++;
    }
    if (code != SQLITE_DONE && code != SQLITE_ROW)
        status = crm_database_fail(r->database, code, r->path, r->error);
    else if (crm_arena_refused(r->arena))
        status = crm_fail_memory(r->error, crm_shown_path(r->path), (size_t)count);
    else if (!sound || code == SQLITE_ROW || number != count)
        status = crm_database_damaged(r->path, damaged, r->error);
    sqlite3_finalize(statement);
    return status;
}

// ---- what numbers can be

static bool is_finite(carom_vec3 v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static bool is_body(const reader *r, carom_body body) {
    return body.index >= 0 && body.index < r->run->body_count;
}

static bool is_count(int64_t value) {
    return value >= 0 && value <= INT_MAX;
}

static carom_body get_body(crm_row *row) {
    int64_t index = crm_row_get_int(row);
    return (carom_body){index >= -1 && index <= INT_MAX ? (int32_t)index : -2};
}

// A number that is not one that can be is -1, which none of these is.
static int get_small(crm_row *row) {
    int64_t value = crm_row_get_int(row);
    return is_count(value) ? (int)value : -1;
}

static carom_vec3 get_vec3(crm_row *row) {
    double x = crm_row_get_real(row), y = crm_row_get_real(row);
    return (carom_vec3){x, y, crm_row_get_real(row)};
}

static const char *keep_text(reader *r, crm_row *row) {
    const char *text = crm_row_get_text(row);
    size_t size = strlen(text) + 1;
    char *copy = crm_arena_take(r->arena, size);
    return copy != NULL ? memcpy(copy, text, size) : "";
}

static bool find_outcome(const char *name, carom_plan_outcome *out) {
    for (int i = 0; i < CAROM_PLAN_OUTCOME_COUNT; i++) {
        if (strcmp(name, carom_plan_outcome_name((carom_plan_outcome)i)) != 0) continue;
        *out = (carom_plan_outcome)i;
        return true;
    }
    return false;
}

// So many numbers of a column.
static bool get_numbers(crm_row *row, double *to, int64_t count) {
    size_t size;
    const unsigned char *from = crm_row_get_bytes(row, &size);
    if (to == NULL || size != 8 * (size_t)count) return false;
    bool good = true;
    for (int64_t i = 0; i < count; i++) {
        to[i] = crm_take_double(&from);
        good &= !isnan(to[i]);
    }
    return good;
}

// ---- a row of each

static bool take_plan(reader *r, int64_t number, crm_row *row) {
    carom_plan_data *data = r->data;
    (void)number;
    r->kept->replayed = strcmp(crm_row_get_text(row), "replay") == 0;
    bool known = find_outcome(crm_row_get_text(row), &data->outcome);
    data->reason = keep_text(r, row);
    data->certificate.strict = crm_row_get_int(row) != 0;
    data->certificate.kept = crm_row_get_int(row) != 0;
    data->interval_count = get_small(row);
    data->control_count = get_small(row);
    data->number_count = get_small(row);
    data->wrench_count = get_small(row);
    crm_row_get_int(row); // the hash, which follows from the rest
    size_t size;
    const void *saved = crm_row_get_bytes(row, &size);
    void *copy = crm_arena_take(r->arena, size);
    if (copy != NULL && size > 0) memcpy(copy, saved, size);
    r->kept->saved = copy;
    r->kept->saved_size = size;
    return known && data->interval_count >= 0 && data->interval_count <= MOST_INTERVALS && data->control_count >= 0 &&
           data->number_count >= 0 && data->number_count <= 6 * (int64_t)data->control_count &&
           data->wrench_count >= 0 && data->wrench_count <= 2 * (int64_t)data->control_count;
}

// Lines that this carom does not know are passed over, and those that are not there are 0.
static bool take_line(reader *r, int64_t number, crm_row *row) {
    const char *name = crm_row_get_text(row);
    int count;
    const carom_plan_line *lines = carom_plan_lines(&count), *line = NULL;
    (void)number;
    for (int i = 0; i < count; i++)
        if (strcmp(name, lines[i].name) == 0) line = &lines[i];
    crm_row_get_text(row);
    double value = crm_row_get_real(row);
    if (line != NULL) *(double *)((char *)&r->data->certificate + line->offset) = value;
    crm_row_get_real(row);
    crm_row_get_int(row);
    crm_row_get_text(row);
    return true;
}

static bool take_solve(reader *r, int64_t number, crm_row *row) {
    carom_plan_solve *solve = &r->solve[number];
    solve->start = get_small(row);
    solve->level = get_small(row);
    solve->intervals = get_small(row);
    bool known = find_outcome(crm_row_get_text(row), &solve->outcome);
    solve->iterations = get_small(row);
    solve->effort = crm_row_get_real(row);
    solve->violation = crm_row_get_real(row);
    solve->optimality = crm_row_get_real(row);
    solve->seconds = crm_row_get_real(row);
    return known && solve->start >= 0 && solve->level >= 0 && solve->intervals >= 0 &&
           solve->intervals <= MOST_INTERVALS && solve->iterations >= 0;
}

static bool find_kind(const char *name, carom_control_kind *out) {
    for (int i = 0; i < CAROM_CONTROL_KIND_COUNT; i++) {
        if (strcmp(name, carom_control_kind_name((carom_control_kind)i)) != 0) continue;
        *out = (carom_control_kind)i;
        return true;
    }
    return false;
}

static bool take_control(reader *r, int64_t number, crm_row *row) {
    carom_plan_control *control = &r->control[number];
    bool known = find_kind(crm_row_get_text(row), &control->kind);
    control->body = get_body(row);
    int64_t joint = crm_row_get_int(row);
    control->in_body_axes = crm_row_get_int(row) != 0;
    control->first = get_small(row);
    control->size = get_small(row);
    control->force_count = get_small(row);
    control->force_limit = crm_row_get_real(row);
    control->torque_limit = crm_row_get_real(row);
    bool motor = control->kind == CAROM_CONTROL_MOTOR;
    bool acts = motor ? joint >= 0 && joint < r->run->joint_count : is_body(r, control->body);
    control->joint = motor && acts ? (int)joint : -1;
    return known && acts && control->size >= 1 && control->size <= 6 && control->force_count >= 0 &&
           control->force_count <= control->size && control->first >= 0 &&
           control->first <= r->data->number_count - control->size;
}

static bool get_pose(const unsigned char **from, carom_pose *out) {
    out->position = crm_take_vec3(from);
    out->attitude.w = crm_take_double(from);
    carom_vec3 v = crm_take_vec3(from);
    out->attitude.x = v.x, out->attitude.y = v.y, out->attitude.z = v.z;
    return is_finite(out->position) && isfinite(out->attitude.w) && is_finite(v);
}

// Two bodies, or none that are infinitely far apart.
static bool get_nearest(const reader *r, crm_row *row, carom_plan_nearest *out) {
    out->gap = crm_row_get_real(row);
    out->a = get_body(row);
    out->b = get_body(row);
    if (isinf(out->gap) && out->gap > 0.0) return out->a.index == -1 && out->b.index == -1;
    return isfinite(out->gap) && is_body(r, out->a) && is_body(r, out->b);
}

static bool take_node(reader *r, int64_t number, crm_row *row) {
    size_t bodies = (size_t)r->data->body_count, motion_size, guess_size;
    r->time[number] = crm_row_get_real(row);
    const unsigned char *motion = crm_row_get_bytes(row, &motion_size), *guess = crm_row_get_bytes(row, &guess_size);
    if (motion_size != bodies * CRM_FRAME_BODY_BYTES || guess_size != bodies * CRM_PLAN_POSE_BYTES) return false;
    bool good = isfinite(r->time[number]) && (number == 0 || r->time[number] > r->time[number - 1]);
    for (size_t b = 0; b < bodies; b++) {
        carom_body_state *state = &r->motion[(size_t)number * bodies + b];
        crm_unpack_body(motion + b * CRM_FRAME_BODY_BYTES, state);
        good &= is_finite(state->position) && is_finite(state->velocity) && is_finite(state->spin) &&
                isfinite(state->attitude.w) && isfinite(state->attitude.x) && isfinite(state->attitude.y) &&
                isfinite(state->attitude.z);
        good &= get_pose(&guess, &r->guess[(size_t)number * bodies + b]);
    }
    r->consistency[number] = crm_row_get_real(row);
    return get_nearest(r, row, &r->at_node[number]) && good;
}

static bool get_wrenches(reader *r, int64_t interval, crm_row *row) {
    size_t size;
    const unsigned char *from = crm_row_get_bytes(row, &size);
    if (size != (size_t)r->data->wrench_count * CRM_PLAN_WRENCH_BYTES) return false;
    bool good = true;
    for (int i = 0; i < r->data->wrench_count; i++) {
        carom_body_wrench *wrench = &r->wrench[interval * r->data->wrench_count + i];
        wrench->body.index = (int32_t)crm_get_u32(from);
        wrench->in_body_axes = crm_get_u32(from + 4) != 0;
        from += 8;
        wrench->point = crm_take_vec3(&from);
        wrench->force = crm_take_vec3(&from);
        wrench->torque = crm_take_vec3(&from);
        good &= is_body(r, wrench->body) && is_finite(wrench->point) && is_finite(wrench->force) &&
                is_finite(wrench->torque);
    }
    return good;
}

static bool take_interval(reader *r, int64_t number, crm_row *row) {
    int64_t numbers = r->data->number_count;
    bool good = get_numbers(row, r->value + number * numbers, numbers);
    good = get_numbers(row, r->guess_value + number * numbers, numbers) && good;
    good = get_wrenches(r, number, row) && good;
    return get_nearest(r, row, &r->between[number]) && good;
}

static bool take_plane(reader *r, int64_t number, crm_row *row) {
    carom_plan_plane *plane = &r->plane[number];
    plane->interval = get_small(row);
    plane->a = get_body(row);
    plane->part_a = get_small(row);
    plane->b = get_body(row);
    plane->part_b = get_small(row);
    plane->normal = get_vec3(row);
    plane->offset = crm_row_get_real(row);
    return plane->interval >= 0 && plane->interval < r->data->interval_count && is_body(r, plane->a) &&
           is_body(r, plane->b) && plane->part_a >= 0 && plane->part_b >= 0 && is_finite(plane->normal) &&
           isfinite(plane->offset) && (number == 0 || plane->interval >= plane[-1].interval);
}

static bool take_impulse(reader *r, int64_t number, crm_row *row) {
    carom_plan_impulse *impulse = &r->impulse[number];
    impulse->node = get_small(row);
    impulse->contact = get_small(row);
    impulse->a = get_body(row);
    impulse->b = get_body(row);
    impulse->point = get_vec3(row);
    impulse->impulse = get_vec3(row);
    impulse->couple = get_vec3(row);
    return impulse->node >= 0 && impulse->node <= r->data->interval_count && impulse->contact >= 0 &&
           is_body(r, impulse->a) && is_body(r, impulse->b) && is_finite(impulse->point) &&
           is_finite(impulse->impulse) && is_finite(impulse->couple) &&
           (number == 0 || impulse->node >= impulse[-1].node);
}

// ---- all of them

// How many rows a table has, into `out`; no memory is taken for more than there are.
static carom_status count_rows(reader *r, const char *table, int *out) {
    int64_t rows = 0;
    carom_status status = crm_database_rows(r->database, r->path, table, &rows, r->error);
    if (status == CAROM_OK && !is_count(rows)) status = crm_database_damaged(r->path, damaged, r->error);
    *out = status == CAROM_OK ? (int)rows : 0;
    return status;
}

// The plan's row says how many rows these have.
static carom_status check_rows(reader *r, const char *table, int64_t wanted) {
    int rows;
    carom_status status = count_rows(r, table, &rows);
    if (status != CAROM_OK || rows == wanted) return status;
    return crm_database_damaged(r->path, damaged, r->error);
}

// The bytes that the rows of a column have must be those that follow from the counts: no memory is taken for others.
static carom_status check_bytes(reader *r, const char *table, const char *column, int64_t wanted) {
    char sql[96];
    snprintf(sql, sizeof sql, "SELECT total(length(%s)) FROM %s", column, table);
    sqlite3_stmt *statement;
    carom_status status = crm_database_prepare(r->database, r->path, sql, &statement, r->error);
    if (status != CAROM_OK) return status;
    int code = sqlite3_step(statement);
    double bytes = code == SQLITE_ROW ? sqlite3_column_double(statement, 0) : 0.0;
    if (code != SQLITE_ROW)
        status = crm_database_fail(r->database, code, r->path, r->error);
    else if (bytes != (double)wanted)
        status = crm_database_damaged(r->path, damaged, r->error);
    sqlite3_finalize(statement);
    return status;
}

static carom_status check_all_bytes(reader *r, int64_t intervals, int64_t nodes) {
    const carom_plan_data *d = r->data;
    int64_t numbers = 8 * intervals * d->number_count;
    carom_status status = check_bytes(r, "plan_nodes", "bodies", nodes * d->body_count * CRM_FRAME_BODY_BYTES);
    if (status == CAROM_OK) status = check_bytes(r, "plan_nodes", "guess", nodes * d->body_count * CRM_PLAN_POSE_BYTES);
    if (status == CAROM_OK) status = check_bytes(r, "plan_intervals", "numbers", numbers);
    if (status == CAROM_OK) status = check_bytes(r, "plan_intervals", "guess", numbers);
    if (status == CAROM_OK)
        status = check_bytes(r, "plan_intervals", "wrenches", intervals * d->wrench_count * CRM_PLAN_WRENCH_BYTES);
    return status;
}

static carom_status take_memory(reader *r) {
    carom_plan_data *d = r->data;
    int64_t intervals = d->interval_count, nodes = intervals > 0 ? intervals + 1 : 0, bodies = d->body_count;
    d->solve = r->solve = CRM_ARENA_ZEROED(r->arena, carom_plan_solve, d->solve_count);
    d->control = r->control = CRM_ARENA_ZEROED(r->arena, carom_plan_control, d->control_count);
    d->time = r->time = CRM_ARENA_ARRAY(r->arena, double, nodes);
    d->motion = r->motion = CRM_ARENA_ARRAY(r->arena, carom_body_state, nodes * bodies);
    d->guess = r->guess = CRM_ARENA_ARRAY(r->arena, carom_pose, nodes * bodies);
    d->value = r->value = CRM_ARENA_ARRAY(r->arena, double, intervals * d->number_count);
    d->guess_value = r->guess_value = CRM_ARENA_ARRAY(r->arena, double, intervals * d->number_count);
    d->wrench = r->wrench = CRM_ARENA_ZEROED(r->arena, carom_body_wrench, intervals * d->wrench_count);
    d->consistency = r->consistency = CRM_ARENA_ARRAY(r->arena, double, nodes);
    d->at_node = r->at_node = CRM_ARENA_ARRAY(r->arena, carom_plan_nearest, nodes);
    d->between = r->between = CRM_ARENA_ARRAY(r->arena, carom_plan_nearest, intervals);
    d->plane = r->plane = CRM_ARENA_ZEROED(r->arena, carom_plan_plane, d->plane_count);
    d->impulse = r->impulse = CRM_ARENA_ZEROED(r->arena, carom_plan_impulse, d->impulse_count);
    if (!crm_arena_refused(r->arena)) return CAROM_OK;
    return crm_fail_memory(r->error, crm_shown_path(r->path), sizeof *r->motion * (size_t)(nodes * bodies));
}

static carom_status read_all(reader *r) {
    carom_plan_data *d = r->data;
    int lines = 0;
    carom_status status = read_table(r, "plan", 1, take_plan);
    if (status != CAROM_OK) return status;
    const int64_t intervals = d->interval_count, nodes = intervals > 0 ? intervals + 1 : 0;
    if (status == CAROM_OK) status = check_rows(r, "plan_nodes", nodes);
    if (status == CAROM_OK) status = check_rows(r, "plan_intervals", intervals);
    if (status == CAROM_OK) status = check_rows(r, "plan_controls", d->control_count);
    if (status == CAROM_OK) status = count_rows(r, "plan_certificate", &lines);
    if (status == CAROM_OK) status = count_rows(r, "plan_solves", &d->solve_count);
    if (status == CAROM_OK) status = count_rows(r, "plan_planes", &d->plane_count);
    if (status == CAROM_OK) status = count_rows(r, "plan_impulses", &d->impulse_count);
    if (status == CAROM_OK) status = check_all_bytes(r, intervals, nodes);
    if (status == CAROM_OK) status = take_memory(r);
    if (status == CAROM_OK) status = read_table(r, "plan_certificate", lines, take_line);
    if (status == CAROM_OK) status = read_table(r, "plan_solves", d->solve_count, take_solve);
    if (status == CAROM_OK) status = read_table(r, "plan_controls", d->control_count, take_control);
    if (status == CAROM_OK) status = read_table(r, "plan_nodes", nodes, take_node);
    if (status == CAROM_OK) status = read_table(r, "plan_intervals", intervals, take_interval);
    if (status == CAROM_OK) status = read_table(r, "plan_planes", d->plane_count, take_plane);
    if (status == CAROM_OK) status = read_table(r, "plan_impulses", d->impulse_count, take_impulse);
    return status;
}

carom_status crm_plan_has_recording(sqlite3 *database, const char *path, bool *has, carom_error *error) {
    carom_status status = crm_database_has_table(database, path, "plan", has, error);
    if (status != CAROM_OK || !*has) return status;
    sqlite3_stmt *statement;
    status = crm_database_prepare(database, path, "SELECT role FROM plan WHERE number = 0", &statement, error);
    if (status != CAROM_OK) return status;
    const char *role = sqlite3_step(statement) == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    *has = role == NULL || strcmp(role, "replay") != 0;
    sqlite3_finalize(statement);
    return CAROM_OK;
}

carom_status crm_plan_read(sqlite3 *database, const char *path, crm_arena *arena, const crm_run *run,
                           crm_plan_kept *out, carom_error *error) {
    bool there = false;
    *out = (crm_plan_kept){.data = NULL};
    carom_status status = crm_database_has_table(database, path, "plan", &there, error);
    if (status != CAROM_OK || !there) return status;
    reader r = {.database = database, .path = path, .arena = arena, .run = run, .kept = out, .error = error};
    r.data = CRM_ARENA_ZEROED(arena, carom_plan_data, 1);
    if (r.data == NULL) return crm_fail_memory(error, crm_shown_path(path), sizeof *r.data);
    r.data->body_count = (int)run->body_count;
    status = read_all(&r);
    if (status == CAROM_OK) out->data = r.data;
    return status;
}
