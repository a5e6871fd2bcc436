// SPDX-License-Identifier: MIT
#include "record/run/record_run.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/fail.h"
#include "carom/version.h"
#include "record/file/collision_row.h"
#include "record/file/database.h"
#include "record/file/format.h"
#include "record/file/row_digest.h"
#include "record/file/table_row.h"
#include "record/plan/plan_tables.h"
#include "record/run/record_events.h"
#include "record/run/record_summary.h"

// Without checkpoints, whose columns the summary knows.
static const char schema[] =
    "CREATE TABLE meta (key TEXT PRIMARY KEY NOT NULL, value, digest INTEGER NOT NULL);"
    "CREATE TABLE bodies (number INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, mass REAL,"
    " shape INTEGER NOT NULL, digest INTEGER NOT NULL);"
    "CREATE TABLE shapes (number INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL,"
    " definition TEXT NOT NULL, digest INTEGER NOT NULL);"
    "CREATE TABLE joints (number INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, a INTEGER NOT NULL,"
    " b INTEGER NOT NULL, linear INTEGER NOT NULL, angular INTEGER NOT NULL, digest INTEGER NOT NULL);"
    "CREATE TABLE frames (number INTEGER PRIMARY KEY, step INTEGER NOT NULL, time REAL, bodies BLOB NOT NULL,"
    " joints BLOB NOT NULL, contacts BLOB NOT NULL, digest INTEGER NOT NULL);"
    "CREATE TABLE quantities (number INTEGER PRIMARY KEY, name TEXT NOT NULL, unit TEXT NOT NULL,"
    " meaning TEXT NOT NULL, digest INTEGER NOT NULL);"
    "CREATE TABLE certificates (first_step INTEGER PRIMARY KEY, count INTEGER NOT NULL, packed BLOB NOT NULL,"
    " digest INTEGER NOT NULL);"
    "CREATE TABLE collisions (number INTEGER PRIMARY KEY, " CRM_COLLISION_COLUMNS ", digest INTEGER NOT NULL);";

// Of a plan its own end, s, or what it is asked for where it has none yet.
static double find_until(const carom_recorder_def *def, const carom_scene *scene) {
    const carom_plan_data *plan = def->plan;
    if (plan != NULL && !def->replayed && plan->interval_count > 0) return plan->time[plan->interval_count];
    if (scene == NULL) return 0.0;
    bool asked = plan != NULL && !def->replayed && carom_scene_plan(scene) != NULL;
    return asked ? carom_scene_plan(scene)->time : carom_scene_until(scene);
}

carom_status crm_run_describe(const carom_recorder_def *def, const carom_scene *scene, const carom_state *state,
                              crm_arena *arena, crm_run *run, carom_error *error) {
    const carom_model *model = carom_state_model(state);
    const carom_method_def *method = carom_state_method(state);
    *run = (crm_run){
        .format = CRM_RECORD_FORMAT,
        .step = method->step,
        .piece_count = method->piece_count,
        .until = find_until(def, scene),
        .frame_rate = def->frame_rate,
        .every = def->every,
        .first_step = carom_state_step_count(state),
        .contacts = def->contacts,
        .collisions = carom_state_tells_collisions(state),
        .writer = crm_run_new_writer(),
        .scene = scene != NULL ? carom_scene_resolved(scene) : "",
        .plan = {def->plan, def->replayed, def->plan_saved, def->plan_saved_size},
    };
    for (int j = 0; j < carom_model_joint_count(model); j++)
        run->joint_events |= carom_model_joint_switches(model, (carom_joint){j});
    snprintf(run->version, sizeof run->version, "%s", carom_version());
    snprintf(run->method, sizeof run->method, "%s", carom_method_name(method->method));
    carom_status status = crm_run_describe_bodies(model, arena, run, error);
    if (status == CAROM_OK) status = crm_run_describe_shapes(model, arena, run, error);
    if (status == CAROM_OK) status = crm_run_describe_joints(model, arena, run, error);
    if (status == CAROM_OK) status = crm_run_describe_flexible(model, arena, run, error);
    if (status == CAROM_OK) status = crm_run_describe_columns(arena, run, error);
    return status;
}

int64_t crm_run_new_writer(void) {
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t digest = crm_digest_word(CRM_DIGEST_START, (uint64_t)now.tv_sec);
    digest = crm_digest_word(digest, (uint64_t)now.tv_nsec);
    return (int64_t)crm_digest_word(digest, (uint64_t)getpid());
}

// ---- writing

typedef struct meta_writer {
    sqlite3_stmt *statement;
    int code;
} meta_writer;

static void write_text(meta_writer *writer, const char *key, const char *value) {
    if (writer->code != SQLITE_OK) return;
    crm_row row = crm_row_write(writer->statement);
    crm_row_put_text(&row, key);
    crm_row_put_text(&row, value);
    writer->code = crm_row_insert(&row);
}

static void write_real(meta_writer *writer, const char *key, double value) {
    if (writer->code != SQLITE_OK) return;
    crm_row row = crm_row_write(writer->statement);
    crm_row_put_text(&row, key);
    crm_row_put_real(&row, value);
    writer->code = crm_row_insert(&row);
}

static void write_int(meta_writer *writer, const char *key, int64_t value) {
    if (writer->code != SQLITE_OK) return;
    crm_row row = crm_row_write(writer->statement);
    crm_row_put_text(&row, key);
    crm_row_put_int(&row, value);
    writer->code = crm_row_insert(&row);
}

static const char replace_meta[] = "INSERT OR REPLACE INTO meta (key, value, digest) VALUES (?, ?, ?)";

static carom_status write_meta(sqlite3 *database, const char *path, const crm_run *run, carom_error *error) {
    meta_writer writer = {0};
    carom_status status = crm_database_prepare(database, path, replace_meta, &writer.statement, error);
    if (status != CAROM_OK) return status;
    char created[32] = "";
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) != NULL) strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", &utc);
    write_text(&writer, "version", run->version);
    write_text(&writer, "created", created);
    write_text(&writer, "method", run->method);
    write_real(&writer, "step", run->step);
    if (run->piece_count > 0) write_int(&writer, "step_pieces", run->piece_count);
    write_real(&writer, "until", run->until);
    write_real(&writer, "frame_rate", run->frame_rate);
    write_int(&writer, "every", run->every);
    write_int(&writer, "first_step", run->first_step);
    write_int(&writer, "body_count", run->body_count);
    write_int(&writer, "joint_count", run->joint_count);
    write_int(&writer, "shape_count", run->shape_count);
    write_int(&writer, "column_count", run->column_count);
    write_text(&writer, "checkpoint_columns", run->checkpoint_columns);
    write_int(&writer, "contacts", run->contacts);
    write_int(&writer, "collisions", run->collisions);
    write_int(&writer, "writer", run->writer);
    write_text(&writer, "scene", run->scene);
    if (writer.code != SQLITE_OK) status = crm_database_fail(database, writer.code, path, error);
    sqlite3_finalize(writer.statement);
    return status;
}

static carom_status make_checkpoints(sqlite3 *database, const char *path, carom_error *error) {
    char *statements = crm_summary_schema();
    if (statements == NULL) return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for the tables of a recording");
    carom_status status = crm_database_run(database, path, statements, error);
    free(statements);
    return status;
}

carom_status crm_run_write(sqlite3 *database, const char *path, const crm_run *run, carom_error *error) {
    char marks[96];
    snprintf(marks, sizeof marks, "PRAGMA application_id=%d; PRAGMA user_version=%d;", CRM_RECORD_APPLICATION,
             CRM_RECORD_FORMAT);
    carom_status status = crm_database_run(database, path, marks, error);
    if (status == CAROM_OK) status = crm_database_run(database, path, schema, error);
    if (status == CAROM_OK) status = make_checkpoints(database, path, error);
    if (status == CAROM_OK) status = write_meta(database, path, run, error);
    if (status == CAROM_OK) status = crm_run_write_bodies(database, path, run, error);
    if (status == CAROM_OK) status = crm_run_write_shapes(database, path, run, error);
    if (status == CAROM_OK) status = crm_run_write_joints(database, path, run, error);
    if (status == CAROM_OK) status = crm_run_write_flexible(database, path, run, error);
    if (status == CAROM_OK) status = crm_run_write_columns(database, path, run, error);
    if (status == CAROM_OK && run->joint_events) status = crm_events_create(database, path, error);
    if (status == CAROM_OK) status = crm_plan_write(database, path, &run->plan, error);
    return status;
}

carom_status crm_run_write_writer(sqlite3 *database, const char *path, int64_t writer, carom_error *error) {
    meta_writer meta = {0};
    carom_status status = crm_database_prepare(database, path, replace_meta, &meta.statement, error);
    if (status != CAROM_OK) return status;
    write_int(&meta, "writer", writer);
    if (meta.code != SQLITE_OK) status = crm_database_fail(database, meta.code, path, error);
    sqlite3_finalize(meta.statement);
    return status;
}

// ---- reading

typedef struct meta_reader {
    sqlite3 *database;
    const char *path;
    sqlite3_stmt *statement;
    carom_error *error;
    carom_status status;
} meta_reader;

// Stands on the row of a key; false when there is none, or with the sentence when it cannot be read.
static bool find_optional(meta_reader *reader, const char *key, crm_row *row) {
    if (reader->status != CAROM_OK) return false;
    sqlite3_reset(reader->statement);
    sqlite3_bind_text(reader->statement, 1, key, -1, SQLITE_STATIC);
    int code = sqlite3_step(reader->statement);
    *row = crm_row_read(reader->statement);
    if (code == SQLITE_ROW)
        crm_row_get_text(row);
    else if (code != SQLITE_DONE)
        reader->status = crm_database_fail(reader->database, code, reader->path, reader->error);
    return code == SQLITE_ROW;
}

// ... and with a sentence also when there is none.
static bool find(meta_reader *reader, const char *key, crm_row *row) {
    if (find_optional(reader, key, row)) return true;
    char what[64];
    snprintf(what, sizeof what, "it has no '%s'", key);
    if (reader->status == CAROM_OK) reader->status = crm_database_damaged(reader->path, what, reader->error);
    return false;
}

static void check_row(meta_reader *reader, const char *key, crm_row *row) {
    char what[64];
    snprintf(what, sizeof what, "its '%s' is not what was written", key);
    if (!crm_row_sound(row)) reader->status = crm_database_damaged(reader->path, what, reader->error);
}

static double read_real(meta_reader *reader, const char *key) {
    crm_row row;
    if (!find(reader, key, &row)) return 0.0;
    double value = crm_row_get_real(&row);
    check_row(reader, key, &row);
    return value;
}

static int64_t take_int(meta_reader *reader, const char *key, crm_row *row) {
    int64_t value = crm_row_get_int(row);
    check_row(reader, key, row);
    return value;
}

static int64_t read_int(meta_reader *reader, const char *key) {
    crm_row row;
    return find(reader, key, &row) ? take_int(reader, key, &row) : 0;
}

// 0 when there is none.
static int64_t read_optional_int(meta_reader *reader, const char *key) {
    crm_row row;
    return find_optional(reader, key, &row) ? take_int(reader, key, &row) : 0;
}

const char *crm_run_keep_text(crm_arena *arena, const char *text, const char *path, carom_status *status,
                              carom_error *error) {
    size_t size = strlen(text) + 1;
    char *copy = crm_arena_take(arena, size);
    if (copy != NULL) return memcpy(copy, text, size);
    *status = crm_fail_memory(error, crm_shown_path(path), size);
    return NULL;
}

static void read_short_text(meta_reader *reader, const char *key, char *to, size_t size) {
    crm_row row;
    if (!find(reader, key, &row)) return;
    snprintf(to, size, "%s", crm_row_get_text(&row));
    check_row(reader, key, &row);
}

static const char *read_text(meta_reader *reader, const char *key, crm_arena *arena) {
    crm_row row;
    if (!find(reader, key, &row)) return "";
    const char *copy = crm_run_keep_text(arena, crm_row_get_text(&row), reader->path, &reader->status, reader->error);
    if (copy != NULL) check_row(reader, key, &row);
    return copy;
}

static carom_status begin_meta(meta_reader *reader, sqlite3 *database, const char *path, carom_error *error) {
    *reader = (meta_reader){.database = database, .path = path, .error = error};
    return reader->status = crm_database_prepare(database, path, "SELECT key, value, digest FROM meta WHERE key = ?",
                                                 &reader->statement, error);
}

carom_status crm_run_read_writer(sqlite3 *database, const char *path, int64_t *writer, carom_error *error) {
    meta_reader reader;
    if (begin_meta(&reader, database, path, error) != CAROM_OK) return reader.status;
    *writer = read_int(&reader, "writer");
    sqlite3_finalize(reader.statement);
    return reader.status;
}

carom_status crm_run_check_rows(sqlite3 *database, const char *path, const char *table, int64_t least,
                                carom_error *error) {
    int64_t rows = 0;
    carom_status status = crm_database_rows(database, path, table, &rows, error);
    if (status != CAROM_OK || rows >= least) return status;
    char what[96];
    snprintf(what, sizeof what, "it says that it has %lld %s, and %lld are there", (long long)least, table,
             (long long)rows);
    return crm_database_damaged(path, what, error);
}

carom_status crm_run_read(sqlite3 *database, const char *path, crm_arena *arena, crm_run *run, carom_error *error) {
    carom_status status = crm_database_format(database, path, &run->format, error);
    if (status != CAROM_OK) return status;
    meta_reader reader;
    if (begin_meta(&reader, database, path, error) != CAROM_OK) return reader.status;
    read_short_text(&reader, "version", run->version, sizeof run->version);
    read_short_text(&reader, "method", run->method, sizeof run->method);
    run->step = read_real(&reader, "step");
    run->piece_count = read_optional_int(&reader, "step_pieces");
    run->until = read_real(&reader, "until");
    run->frame_rate = read_real(&reader, "frame_rate");
    run->every = read_int(&reader, "every");
    run->first_step = read_int(&reader, "first_step");
    run->body_count = read_int(&reader, "body_count");
    run->joint_count = read_int(&reader, "joint_count");
    run->shape_count = read_int(&reader, "shape_count");
    run->column_count = read_int(&reader, "column_count");
    run->checkpoint_columns = read_text(&reader, "checkpoint_columns", arena);
    run->contacts = read_int(&reader, "contacts") != 0;
    run->collisions = read_int(&reader, "collisions") != 0;
    run->writer = read_int(&reader, "writer");
    run->scene = read_text(&reader, "scene", arena);
    sqlite3_finalize(reader.statement);
    if (reader.status != CAROM_OK) return reader.status;
    if (run->body_count < 0 || run->body_count > INT_MAX || run->joint_count < 0 || run->joint_count > INT_MAX ||
        run->shape_count < 0 || run->shape_count > INT_MAX || run->column_count < 1 ||
        run->column_count > CRM_RECORD_MOST_COLUMNS || run->first_step < 0 || run->every < 0 || run->piece_count < 0 ||
        run->piece_count > INT_MAX)
        return crm_database_damaged(path, "a count in it is out of range", error);
    if (!(run->step > 0.0 && isfinite(run->step)) || !(run->until >= 0.0 && isfinite(run->until)) ||
        !(run->frame_rate >= 0.0 && isfinite(run->frame_rate)))
        return crm_database_damaged(path, "its step, end or frame rate is out of range", error);
    // Before memory is taken for what may not be there.
    status = crm_run_check_rows(database, path, "bodies", run->body_count, error);
    if (status == CAROM_OK) status = crm_run_check_rows(database, path, "shapes", run->shape_count, error);
    if (status == CAROM_OK) status = crm_run_check_rows(database, path, "joints", run->joint_count, error);
    if (status != CAROM_OK) return status;
    if (run->shape_count > 0) status = crm_run_read_shapes(database, path, arena, run, error);
    if (status == CAROM_OK) status = crm_run_read_bodies(database, path, arena, run, error);
    if (status == CAROM_OK && run->joint_count > 0) status = crm_run_read_joints(database, path, arena, run, error);
    if (status == CAROM_OK) status = crm_run_read_columns(database, path, arena, run, error);
    if (status == CAROM_OK) status = crm_events_are_there(database, path, &run->joint_events, error);
    return status;
}
