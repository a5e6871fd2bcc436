// SPDX-License-Identifier: MIT
// Recordings of a stranger: numbers that are out of all bounds under digests that are right, tables that compute. A
// sentence, or a recording that can be read; never a crash, never memory for what is not there.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sqlite3.h>

#include "carom/carom.h"
#include "model/model_state.h"
#include "support/harness/check.h"
#include "support/scene/recorded_run.h"
#include "support/scene/repaired_rows.h"

static const char scene_text[] =
    "{\"carom\": 1, \"until\": 10, \"frame_rate\": 60, \"record_contacts\": true, \"shapes\": {"
    "\"ball\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"floor\": {\"kind\": \"half_space\", \"normal\": [0, 0, 1]}},"
    "\"bodies\": [{\"name\": \"floor\", \"kind\": \"fixed\", \"shape\": \"floor\"},"
    " {\"name\": \"ball\", \"shape\": \"ball\", \"density\": 600, \"position\": [0, 0, 0.1]},"
    " {\"name\": \"arm\", \"shape\": \"ball\", \"density\": 600, \"position\": [1, 0, 0.5]}],"
    "\"joints\": [{\"kind\": \"hinge\", \"a\": \"world\", \"b\": \"arm\", \"point\": [1, 0, 1], \"axis\": [0, 1, 0]}]}";

typedef struct hostile {
    scratch_folder folder;
    const char *path;
    carom_scene *scene;
    unsigned char *bytes;
    size_t size;
    int refused, read;
} hostile;

// The method is not asked for collisions: they are put into the state by hand, one for every fourth step.
static void record_with_collisions(const small_run *run, carom_recorder *recorder, int steps) {
    carom_collision made = {.a = {0}, .b = {1}, .normal = {0, 0, 1}, .impulse = {0, 0, 2}, .approach = -1};
    carom_error error;
    for (int i = 0; i < steps; i++) {
        carom_step_report report;
        CHECK_INT(carom_step(run->model, run->state, NULL, &report, &error), CAROM_OK);
        made.step = report.step;
        made.time = report.time;
        run->state->collisions.items = &made;
        run->state->collisions.count = i % 4 == 0;
        CHECK_INT(carom_recorder_step(recorder, run->state, &report, &error), CAROM_OK);
        run->state->collisions.items = NULL;
        run->state->collisions.count = 0;
    }
}

static hostile hostile_begin(void) {
    hostile h = {.folder = scratch_folder_make(), .scene = scene_of_text(scene_text)};
    h.path = in_folder(&h.folder, "x.carom");
    small_run run = {.model = (carom_model *)carom_scene_model(h.scene), .state = state_of_scene(h.scene)};
    carom_recorder_def def = recorder_to(h.path);
    def.contacts = true;
    def.frame_rate = 60;
    carom_recorder *recorder;
    carom_error error = {0};
    run.state->tells_collisions = true;
    assert_int_equal(carom_recorder_create(&def, h.scene, run.state, &recorder, &error), CAROM_OK);
    record_with_collisions(&run, recorder, 40);
    CHECK_INT(carom_recorder_checkpoint(recorder, run.state, &error), CAROM_OK);
    carom_recorder_destroy(recorder);
    carom_state_destroy(run.state);
    h.bytes = read_bytes(h.path, &h.size);
    return h;
}

static void hostile_end(hostile *h) {
    print_message("%d refused, %d read\n", h->refused, h->read);
    free(h->bytes);
    carom_scene_destroy(h->scene);
    scratch_folder_remove(&h->folder);
}

static void note(hostile *h, carom_status status, const carom_error *error) {
    if (status == CAROM_OK)
        h->read++;
    else
        h->refused++;
    CHECK(status == CAROM_OK || error->text[0] != '\0');
    CHECK(status != CAROM_ERR_NO_MEMORY);
}

// All that reads a recording.
static void read_by_all(hostile *h) {
    static const char *const tables[] = {"frames", "joints", "contacts", "collisions", "certificates"};
    carom_error error = {.text = ""};
    carom_recording *recording = NULL;
    uint64_t digest;
    note(h, read_whole(h->path, &digest, &error) ? CAROM_OK : error.status, &error);
    if (carom_recording_open(h->path, &recording, &error) == CAROM_OK) {
        carom_report_def page = carom_report_def_default();
        page.path = in_folder(&h->folder, "x.html");
        page.overwrite = true;
        page.page = "<title>@CAROM_TITLE@</title>@CAROM_HEADER@ @CAROM_PACKED@";
        note(h, carom_report_write(recording, &page, NULL, &error), &error);
        for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
            carom_status status =
                carom_recording_export_csv(recording, tables[i], in_folder(&h->folder, "x.csv"), true, &error);
            note(h, status, &error);
        }
        carom_recording_info info;
        if (carom_recording_get_info(recording, &info, &error) == CAROM_OK) carom_recording_verdict(&info, recording);
    }
    carom_recording_close(recording);
}

static void go_on(hostile *h) {
    carom_error error = {.text = ""};
    carom_state *state = state_of_scene(h->scene);
    carom_recorder_def def = recorder_to(h->path);
    def.scene = h->scene;
    carom_recorder *recorder = NULL;
    bool finished;
    carom_status status = carom_recorder_resume(&def, state, &finished, &recorder, &error);
    note(h, status, &error);
    if (recorder != NULL) {
        small_run run = {.model = (carom_model *)carom_scene_model(h->scene), .state = state};
        int64_t end = carom_state_step_count(state) + 3;
        small_run_record(&run, recorder, end, &error);
        carom_recorder_finish(recorder, state, NULL, &error);
    }
    carom_recorder_destroy(recorder);
    carom_state_destroy(state);
}

static void try_change(hostile *h, const char *sql, const char *table) {
    write_bytes(h->path, h->bytes, h->size);
    change_recording(h->path, sql, table);
    read_by_all(h);
    go_on(h);
}

// ---- every number of every table

static int columns_of(const char *path, const char *table, char (*names)[64], int most) {
    sqlite3 *database;
    sqlite3_stmt *statement;
    char sql[64];
    int count = 0;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    snprintf(sql, sizeof sql, "SELECT * FROM %s", table);
    assert_int_equal(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
    for (int c = 0; c < sqlite3_column_count(statement) && count < most; c++) {
        const char *name = sqlite3_column_name(statement, c);
        if (strcmp(name, "digest") != 0) snprintf(names[count++], sizeof names[0], "%s", name);
    }
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return count;
}

static const char *const values[] = {"9223372036854775807",
                                     "-9223372036854775807 - 1",
                                     "2147483647",
                                     "-1",
                                     "4611686018427387904",
                                     "9007199254740993",
                                     "1e999",
                                     "-1e999",
                                     "NULL",
                                     "0",
                                     "1e300",
                                     "''"};
enum { VALUES = sizeof values / sizeof values[0], MOST_COLUMNS = 400 };

// `few`: one value a column, each of them somewhere.
static void try_table(hostile *h, const char *table, const char *which, bool few, int *shift) {
    static char names[MOST_COLUMNS][64];
    write_bytes(h->path, h->bytes, h->size);
    int count = columns_of(h->path, table, names, MOST_COLUMNS);
    for (int c = 0; c < count; c++)
        for (int v = 0; v < VALUES; v++) {
            if (few && v != (*shift + c) % VALUES) continue;
            char sql[256];
            snprintf(sql, sizeof sql, "UPDATE OR IGNORE %s SET %s = %s %s", table, names[c], values[v], which);
            write_bytes(h->path, h->bytes, h->size);
            sqlite3 *database;
            assert_int_equal(sqlite3_open(h->path, &database), SQLITE_OK);
            bool possible = sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK;
            sqlite3_close(database);
            if (possible) try_change(h, sql, table);
        }
    (*shift)++;
}

static void try_tables(bool few) {
    hostile h = hostile_begin();
    int shift = 0;
    static const char *const keys[] = {"step",         "until",      "frame_rate",        "every",
                                       "first_step",   "body_count", "joint_count",       "shape_count",
                                       "column_count", "contacts",   "collisions",        "writer",
                                       "scene",        "method",     "checkpoint_columns"};
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
        for (int v = 0; v < VALUES; v++) {
            if (few && v % 3 != (int)k % 3) continue;
            char sql[256];
            snprintf(sql, sizeof sql, "UPDATE meta SET value = %s WHERE key = '%s'", values[v], keys[k]);
            try_change(&h, sql, "meta");
        }
    try_table(&h, "bodies", "WHERE number = 1", few, &shift);
    try_table(&h, "shapes", "WHERE number = 1", few, &shift);
    try_table(&h, "joints", "", few, &shift);
    try_table(&h, "frames", "WHERE number = 3", few, &shift);
    try_table(&h, "certificates", "", few, &shift);
    try_table(&h, "collisions", "WHERE number = 3", few, &shift);
    try_table(&h, "quantities", "WHERE number = 2", few, &shift);
    try_table(&h, "checkpoints", "", few, &shift);
    CHECK(h.refused > 100 && h.read > 100);
    hostile_end(&h);
}

TEST(numbers_of_tables_are_checked) {
    try_tables(true);
}

TEST(every_number_of_every_table_is_checked) {
    try_tables(false);
}

// ---- what was found once

static void check_damaged(hostile *h, const char *sql, const char *table, const char *part) {
    write_bytes(h->path, h->bytes, h->size);
    change_recording(h->path, sql, table);
    carom_error error = {.text = ""};
    carom_recording *recording = NULL;
    CHECK_INT(carom_recording_open(h->path, &recording, &error), CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, "damaged");
    CHECK_CONTAINS(error.text, part);
    carom_recording_close(recording);
    carom_state *state = state_of_scene(h->scene);
    carom_recorder_def def = recorder_to(h->path);
    carom_recorder *recorder = NULL;
    bool finished;
    CHECK(carom_recorder_resume(&def, state, &finished, &recorder, &error) != CAROM_OK);
    carom_recorder_destroy(recorder);
    carom_state_destroy(state);
}

TEST(counts_are_held_against_the_rows_that_are_there) {
    hostile h = hostile_begin();
    check_damaged(&h, "UPDATE checkpoints SET frame_count = 9223372036854775807", "checkpoints",
                  "its last checkpoint is not what was written");
    check_damaged(&h, "UPDATE checkpoints SET frame_count = 12", "checkpoints",
                  "it says that it has 12 frames, and 11 are there");
    check_damaged(&h, "DELETE FROM frames WHERE number = 4", NULL, "it says that it has 11 frames, and 10 are there");
    check_damaged(&h, "DELETE FROM collisions WHERE number = 2", NULL,
                  "it says that it has 10 collisions, and 9 are there");
    check_damaged(&h, "UPDATE checkpoints SET collision_count = -1", "checkpoints",
                  "its last checkpoint is not what was written");
    check_damaged(&h, "DELETE FROM certificates", NULL, "it says that it has 1 certificates, and 0 are there");
    check_damaged(&h, "UPDATE meta SET value = 2147483647 WHERE key = 'body_count'", "meta",
                  "it says that it has 2147483647 bodies, and 3 are there");
    check_damaged(&h, "UPDATE meta SET value = 2147483647 WHERE key = 'joint_count'", "meta",
                  "it says that it has 2147483647 joints, and 1 are there");
    check_damaged(&h, "UPDATE meta SET value = 2147483647 WHERE key = 'shape_count'", "meta",
                  "it says that it has 2147483647 shapes, and 2 are there");
    hostile_end(&h);
}

// Under digests that are right, a collision is of bodies and a step that there are, and its numbers are such.
TEST(collisions_that_cannot_be_are_refused) {
    static const struct {
        const char *change, *what;
    } cases[] = {{"a = -1", "collision 3 is not what was written"},
                 {"b = 3", "collision 3 is not what was written"},
                 {"b = 0", "collision 3 is not what was written"},
                 {"b = 4294967297", "collision 3 is not what was written"},
                 {"step = 0", "collision 3 is not what was written"},
                 {"step = 41", "collision 3 is not what was written"},
                 {"time = -1e-9", "collision 3 is not what was written"},
                 {"time = 1e9", "collision 3 is not what was written"},
                 {"time = NULL", "collision 3 is not what was written"},
                 {"time = 0", "collision 3 is before the one that it follows"},
                 {"step = 1", "collision 3 is before the one that it follows"},
                 {"nz = 1.001", "collision 3 is not what was written"},
                 {"jx = 1e999", "collision 3 is not what was written"},
                 {"x = NULL", "collision 3 is not what was written"},
                 {"approach = NULL", "collision 3 is not what was written"},
                 {"energy_jump = -1e999", "collision 3 is not what was written"},
                 {"number = 30", "collision 3 is missing"}};
    hostile h = hostile_begin();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char sql[128];
        snprintf(sql, sizeof sql, "UPDATE collisions SET %s WHERE number = 3", cases[i].change);
        write_bytes(h.path, h.bytes, h.size);
        change_recording(h.path, sql, "collisions");
        carom_recording *recording = NULL;
        carom_collision list[10];
        carom_error error = {.text = ""};
        int got = -1;
        if (!CHECK_INT(carom_recording_open(h.path, &recording, &error), CAROM_OK)) continue;
        if (!CHECK_INT(carom_recording_get_collisions(recording, 0, 10, list, &got, &error), CAROM_ERR_FILE))
            print_message("%s\n", sql);
        CHECK_INT(got, 0);
        CHECK_CONTAINS(error.text, cases[i].what);
        carom_recording_close(recording);
    }
    hostile_end(&h);
}

// Frames would be packed into less room than the model's joints need.
TEST(joints_that_are_not_the_models_are_refused) {
    hostile h = hostile_begin();
    write_bytes(h.path, h.bytes, h.size);
    change_recording(h.path, "UPDATE joints SET angular = 0", "joints");
    carom_error error = {.text = ""};
    carom_state *state = state_of_scene(h.scene);
    carom_recorder_def def = recorder_to(h.path);
    carom_recorder *recorder = NULL;
    bool finished;
    CHECK_INT(carom_recorder_resume(&def, state, &finished, &recorder, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "was recorded from another scene, with other joints; give that scene");
    carom_state_destroy(state);
    hostile_end(&h);
}

TEST(tables_that_compute_are_refused) {
    static const char *const changes[] = {
        "ALTER TABLE bodies ADD COLUMN more TEXT AS (printf('%.*c', 900000000, 'x'))",
        "CREATE TRIGGER more AFTER INSERT ON frames BEGIN SELECT printf('%.*c', 900000000, 'x'); END",
        "CREATE INDEX more ON frames (printf('%.*c', 1000, number))",
        "UPDATE sqlite_master SET sql = replace(sql, 'PRIMARY KEY', 'PRIMARY KEY CHECK (1)') WHERE name = "
        "'frames'",
        "CREATE VIRTUAL TABLE more USING fts5(text)",
    };
    hostile h = hostile_begin();
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++)
        check_damaged(&h, changes[i], NULL, "it has tables, columns or triggers that no run writes");
    check_damaged(&h, "ALTER TABLE bodies RENAME TO others; CREATE VIEW bodies AS SELECT * FROM others", NULL,
                  "access to view");
    hostile_end(&h);
}

TEST_MAIN(CASE(numbers_of_tables_are_checked), LONG_CASE(every_number_of_every_table_is_checked),
          CASE(counts_are_held_against_the_rows_that_are_there), CASE(collisions_that_cannot_be_are_refused),
          CASE(joints_that_are_not_the_models_are_refused), CASE(tables_that_compute_are_refused))
