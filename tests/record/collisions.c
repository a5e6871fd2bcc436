// SPDX-License-Identifier: MIT
// The table of collisions in recordings: what is read is what the state said after each step, to the bit, also of a run
// that was left and resumed; CSV has the same numbers; methods without times of impacts are refused by name.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "support/harness/check.h"
#include "support/scene/recorded_run.h"

// Three balls between two walls, which collide in every few steps.
static const char scene_text[] =
    "{\"carom\": 1, \"method\": {\"name\": \"%s\", \"step\": 0.05}, \"until\": 20, \"gravity\": [0, 0, 0], "
    "\"materials\": {\"smooth\": {\"friction\": 0, \"restitution\": 1}},"
    "\"shapes\": {\"ball\": {\"kind\": \"sphere\", \"radius\": 0.1},"
    " \"left\": {\"kind\": \"half_space\", \"normal\": [1, 0, 0], \"offset\": -1},"
    " \"right\": {\"kind\": \"half_space\", \"normal\": [-1, 0, 0], \"offset\": -1}},"
    "\"bodies\": [{\"name\": \"left\", \"kind\": \"fixed\", \"shape\": \"left\", \"material\": \"smooth\"},"
    " {\"name\": \"=a, b\", \"shape\": \"ball\", \"material\": \"smooth\", \"mass\": 1, \"velocity\": [9, 0, 0]},"
    " {\"name\": \"ball\", \"shape\": \"ball\", \"material\": \"smooth\", \"mass\": 2, \"position\": [0.5, 0, 0]},"
    " {\"shape\": \"ball\", \"material\": \"smooth\", \"mass\": 3, \"position\": [-0.5, 0, 0]},"
    " {\"name\": \"right\", \"kind\": \"fixed\", \"shape\": \"right\", \"material\": \"smooth\"}]}";
enum { STEPS = 60, MOST = 400 };

static carom_scene *scene_by(const char *method) {
    char text[2048];
    snprintf(text, sizeof text, scene_text, method);
    return scene_of_text(text);
}

// Steps and records up to `end`; what the state says on the way is added to the list.
static void record(const carom_scene *scene, carom_state *state, carom_recorder *recorder, int64_t end,
                   carom_collision *list, int *count) {
    carom_error error = {0};
    while (carom_state_step_count(state) < end) {
        carom_step_report report;
        int some;
        CHECK_INT(carom_step(carom_scene_model(scene), state, NULL, &report, &error), CAROM_OK);
        CHECK_INT(report.outcome, CAROM_STEP_GOOD);
        const carom_collision *told = carom_state_collisions(state, &some);
        if (!CHECK(*count + some <= MOST)) return;
        for (int i = 0; i < some; i++) list[(*count)++] = told[i];
        CHECK_INT(carom_recorder_step(recorder, state, &report, &error), CAROM_OK);
    }
}

static int record_whole(const carom_scene *scene, const char *path, carom_collision *list) {
    carom_state *state = state_of_scene(scene);
    carom_recorder_def def = recorder_to(path);
    carom_recorder *recorder;
    carom_error error = {0};
    int count = 0;
    if (carom_recorder_create(&def, scene, state, &recorder, &error) != CAROM_OK) fail_msg("%s", error.text);
    record(scene, state, recorder, STEPS, list, &count);
    CHECK_INT(carom_recorder_finish(recorder, state, NULL, &error), CAROM_OK);
    carom_recorder_destroy(recorder);
    carom_state_destroy(state);
    return count;
}

static carom_recording *open_recording(const char *path) {
    carom_recording *recording = NULL;
    carom_error error = {0};
    if (carom_recording_open(path, &recording, &error) != CAROM_OK) fail_msg("%s", error.text);
    return recording;
}

// To the bit, but that SQLite may keep -0 as 0.
static bool same(const carom_collision *a, const carom_collision *b, int count) {
    bool all = true;
    for (int i = 0; i < count; i++) {
        const double of_a[] = {a[i].time,     a[i].point.x,    a[i].point.y,       a[i].point.z,    a[i].normal.x,
                               a[i].normal.y, a[i].normal.z,   a[i].impulse.x,     a[i].impulse.y,  a[i].impulse.z,
                               a[i].approach, a[i].separation, a[i].energy_before, a[i].energy_jump};
        const double of_b[] = {b[i].time,     b[i].point.x,    b[i].point.y,       b[i].point.z,    b[i].normal.x,
                               b[i].normal.y, b[i].normal.z,   b[i].impulse.x,     b[i].impulse.y,  b[i].impulse.z,
                               b[i].approach, b[i].separation, b[i].energy_before, b[i].energy_jump};
        all &= a[i].step == b[i].step && a[i].a.index == b[i].a.index && a[i].b.index == b[i].b.index;
        for (int k = 0; k < 14; k++) all &= of_a[k] == of_b[k];
    }
    return all;
}

static void check_table(const char *method) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom");
    static carom_collision wanted[MOST], got[MOST];
    carom_scene *scene = scene_by(method);
    int count = record_whole(scene, path, wanted), there;
    CHECK(count > 20);
    carom_recording *recording = open_recording(path);
    carom_recording_info info;
    CHECK_INT(carom_recording_get_info(recording, &info, NULL), CAROM_OK);
    CHECK(info.collisions);
    CHECK_INT(info.collision_count, count);
    CHECK_INT(carom_recording_get_collisions(recording, 0, MOST, got, &there, NULL), CAROM_OK);
    CHECK_INT(there, count);
    CHECK(same(got, wanted, count));
    CHECK_INT(carom_recording_get_collisions(recording, 5, 3, got, &there, NULL), CAROM_OK);
    CHECK_INT(there, 3);
    CHECK(same(got, wanted + 5, 3));
    CHECK_INT(carom_recording_get_collisions(recording, count, 3, got, &there, NULL), CAROM_OK);
    CHECK_INT(there, 0);
    CHECK_INT(carom_recording_get_collisions(recording, -1, 3, got, &there, NULL), CAROM_ERR_BAD_INPUT);
    CHECK_INT(carom_recording_get_collisions(recording, 0, 3, NULL, &there, NULL), CAROM_ERR_BAD_INPUT);
    carom_recording_close(recording);
    carom_scene_destroy(scene);
    scratch_folder_remove(&folder);
}

TEST(the_table_is_what_states_have_told) {
    check_table("exact");
    check_table("impulse");
}

// Left on its way, once between checkpoints: what follows the last one is dropped and made again, not doubled.
TEST(a_resumed_run_has_the_same_collisions) {
    scratch_folder folder = scratch_folder_make();
    const char *whole = in_folder(&folder, "whole.carom"), *halves = in_folder(&folder, "halves.carom");
    static carom_collision list[MOST];
    carom_scene *scene = scene_by("exact");
    record_whole(scene, whole, list);
    carom_state *state = state_of_scene(scene);
    carom_recorder_def def = recorder_to(halves);
    carom_recorder *recorder;
    carom_error error = {0};
    int count = 0;
    CHECK_INT(carom_recorder_create(&def, scene, state, &recorder, &error), CAROM_OK);
    record(scene, state, recorder, 23, list, &count);
    CHECK_INT(carom_recorder_checkpoint(recorder, state, &error), CAROM_OK);
    record(scene, state, recorder, 31, list, &count);
    CHECK_INT(carom_recorder_checkpoint(recorder, state, &error), CAROM_OK);
    record(scene, state, recorder, 50, list, &count);
    carom_recorder_destroy(recorder); // without a word
    carom_state_destroy(state);
    for (int64_t end = 40; end <= STEPS; end += 20) {
        bool finished;
        state = state_of_scene(scene);
        CHECK_INT(carom_recorder_resume(&def, state, &finished, &recorder, &error), CAROM_OK);
        CHECK_INT(carom_state_step_count(state), end == 40 ? 31 : 40);
        carom_state_collisions(state, &count);
        CHECK_INT(count, 0); // those of its last step are in the file already
        count = 0;
        record(scene, state, recorder, end, list, &count);
        CHECK_INT(end == STEPS ? carom_recorder_finish(recorder, state, NULL, &error)
                               : carom_recorder_checkpoint(recorder, state, &error),
                  CAROM_OK);
        carom_recorder_destroy(recorder);
        carom_state_destroy(state);
    }
    CHECK(same_recordings(whole, halves));
    carom_scene_destroy(scene);
    scratch_folder_remove(&folder);
}

static int64_t rows_of(const char *path) {
    sqlite3 *database;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(database, "SELECT count(*) FROM collisions", -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    int64_t rows = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return rows;
}

// The checkpoint before a damaged one serves, and what the file has beyond it goes.
TEST(rows_beyond_the_checkpoint_are_dropped) {
    scratch_folder folder = scratch_folder_make();
    static carom_collision list[MOST];
    carom_scene *scene = scene_by("exact");
    carom_state *state = state_of_scene(scene);
    carom_recorder_def def = recorder_to(in_folder(&folder, "x.carom"));
    carom_recorder *recorder;
    carom_error error = {0};
    bool finished;
    int before = 0, after = 0;
    CHECK_INT(carom_recorder_create(&def, scene, state, &recorder, &error), CAROM_OK);
    record(scene, state, recorder, 30, list, &before);
    CHECK_INT(carom_recorder_checkpoint(recorder, state, &error), CAROM_OK);
    record(scene, state, recorder, 50, list, &after);
    CHECK_INT(carom_recorder_checkpoint(recorder, state, &error), CAROM_OK);
    carom_recorder_destroy(recorder);
    carom_state_destroy(state);
    CHECK(before > 0 && after > 0);
    CHECK_INT(rows_of(def.path), before + after);
    sqlite3 *database;
    assert_int_equal(sqlite3_open(def.path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, "UPDATE checkpoints SET time = 0.1 WHERE step = 50", NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(database);
    state = state_of_scene(scene);
    CHECK_INT(carom_recorder_resume(&def, state, &finished, &recorder, &error), CAROM_OK);
    CHECK_INT(carom_state_step_count(state), 30);
    carom_recorder_destroy(recorder);
    carom_state_destroy(state);
    CHECK_INT(rows_of(def.path), before);
    carom_scene_destroy(scene);
    scratch_folder_remove(&folder);
}

static double field_of(const char *line, int field) {
    for (; field > 0; field--) line = strchr(line, ',') + 1;
    return strtod(line, NULL);
}

TEST(csv_has_the_same_numbers) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom"), *csv = in_folder(&folder, "x.csv");
    static carom_collision list[MOST];
    carom_scene *scene = scene_by("exact");
    int count = record_whole(scene, path, list);
    carom_recording *recording = open_recording(path);
    CHECK_INT(carom_recording_export_csv(recording, "collisions", csv, false, NULL), CAROM_OK);
    CHECK_INT(carom_recording_export_csv(recording, "collisions", csv, true, NULL), CAROM_OK); // it is its own
    size_t size;
    char *text = (char *)read_bytes(csv, &size), *line = text;
    static const char heading[] = "time,step,collision,a,b,name_a,name_b,x,y,z,nx,ny,nz,jx,jy,jz,approach,separation,"
                                  "energy_before,energy_jump\n";
    CHECK(strncmp(text, heading, sizeof heading - 1) == 0);
    CHECK(strstr(text, ",1,2,\"'=a, b\",ball,") != NULL || strstr(text, ",1,3,\"'=a, b\",,") != NULL);
    for (int i = 0; i < count; i++) {
        const carom_collision *c = &list[i];
        line = strchr(line, '\n') + 1;
        CHECK(field_of(line, 0) == c->time && field_of(line, 1) == (double)c->step && field_of(line, 2) == i);
        CHECK(field_of(line, 3) == c->a.index && field_of(line, 4) == c->b.index);
        int shift = c->a.index == 1 || c->b.index == 1; // the comma of a name
        const double wanted[] = {c->point.x,    c->point.y,       c->point.z,    c->normal.x,  c->normal.y,
                                 c->normal.z,   c->impulse.x,     c->impulse.y,  c->impulse.z, c->approach,
                                 c->separation, c->energy_before, c->energy_jump};
        for (int k = 0; k < 13; k++) CHECK(field_of(line, 7 + shift + k) == wanted[k]);
    }
    CHECK(strchr(strchr(line, '\n') + 1, '\n') == NULL);
    free(text);
    carom_recording_close(recording);
    carom_scene_destroy(scene);
    scratch_folder_remove(&folder);
}

TEST(methods_without_times_of_impacts_have_no_table) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom"), *csv = in_folder(&folder, "x.csv");
    static carom_collision list[MOST];
    carom_scene *scene = scene_by("lcp");
    CHECK_INT(record_whole(scene, path, list), 0);
    carom_recording *recording = open_recording(path);
    carom_recording_info info;
    carom_error error = {0};
    CHECK_INT(carom_recording_get_info(recording, &info, NULL), CAROM_OK);
    CHECK(!info.collisions);
    CHECK_INT(carom_recording_export_csv(recording, "collisions", csv, false, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "its method, lcp as it was set, finds no times of impacts");
    CHECK_CONTAINS(error.text, "record the run with exact, or with impulse by events");
    carom_recording_close(recording);
    carom_scene_destroy(scene);
    scratch_folder_remove(&folder);
}

TEST_MAIN(CASE(the_table_is_what_states_have_told), CASE(a_resumed_run_has_the_same_collisions),
          CASE(rows_beyond_the_checkpoint_are_dropped), CASE(csv_has_the_same_numbers),
          CASE(methods_without_times_of_impacts_have_no_table))
