// SPDX-License-Identifier: MIT
// A run that is left and resumed ends as if it had never been left.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/harness/check.h"
#include "support/scene/recorded_run.h"

enum { BODIES = 3, STEPS = 2300 };
static const double step = 1.0 / 240;

static void record_reference(const char *path) {
    small_run run = small_run_make(BODIES, step);
    carom_recorder_def def = recorder_to(path);
    small_run_record_whole(&def, NULL, &run, STEPS);
    small_run_free(&run);
}

// Records `steps` steps with checkpoints at the given ones, then leaves without a word.
static void record_part(const carom_recorder_def *def, int64_t steps, const int64_t *checkpoint, int count) {
    small_run run = small_run_make(BODIES, step);
    carom_recorder *recorder;
    carom_error error = {0};
    if (carom_recorder_create(def, NULL, run.state, &recorder, &error) != CAROM_OK) fail_msg("%s", error.text);
    for (int i = 0; i < count; i++) {
        CHECK(small_run_record(&run, recorder, checkpoint[i], &error));
        CHECK_INT(carom_recorder_checkpoint(recorder, run.state, &error), CAROM_OK);
    }
    CHECK(small_run_record(&run, recorder, steps, &error));
    carom_recorder_destroy(recorder);
    small_run_free(&run);
}

static void run_sql(const char *path, const char *sql) {
    sqlite3 *database;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    char *why = NULL;
    if (sqlite3_exec(database, sql, NULL, NULL, &why) != SQLITE_OK) fail_msg("%s: %s", sql, why);
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
}

// Wherever the checkpoint falls: at the beginning, on and off frames, on and off the ends of rows of certificates.
TEST(resumed_run_equals_the_whole_one) {
    scratch_folder folder = scratch_folder_make();
    const char *whole = in_folder(&folder, "whole.carom");
    record_reference(whole);
    static const int64_t checkpoint[] = {1, 3, 4, 1023, 1024, 1025, 2047, 2048, 2299, 2300};
    for (size_t i = 0; i < sizeof checkpoint / sizeof checkpoint[0]; i++) {
        char name[32];
        snprintf(name, sizeof name, "resumed%zu.carom", i);
        carom_recorder_def def = recorder_to(in_folder(&folder, name));
        int64_t end = checkpoint[i] + 100 < STEPS ? checkpoint[i] + 100 : STEPS;
        record_part(&def, end, &checkpoint[i], 1);
        CHECK(!same_recordings(whole, def.path));
        CHECK(small_run_resume(&def, BODIES, step, STEPS));
        CHECK(same_recordings(whole, def.path));
    }
    // Without any checkpoint but the first, and resumed again and again.
    carom_recorder_def def = recorder_to(in_folder(&folder, "none.carom"));
    record_part(&def, 500, NULL, 0);
    for (int i = 0; i < 10; i++) {
        small_run run = small_run_make(BODIES, step);
        carom_recorder *recorder;
        bool finished = true;
        carom_error error = {0};
        CHECK_INT(carom_recorder_resume(&def, run.state, &finished, &recorder, &error), CAROM_OK);
        CHECK(!finished);
        CHECK_INT(carom_state_step_count(run.state), 177 * i);
        CHECK(small_run_record(&run, recorder, 177 * (i + 1), &error));
        CHECK_INT(carom_recorder_checkpoint(recorder, run.state, &error), CAROM_OK);
        CHECK(small_run_record(&run, recorder, 177 * (i + 1) + 50, &error));
        carom_recorder_destroy(recorder);
        small_run_free(&run);
    }
    CHECK(small_run_resume(&def, BODIES, step, STEPS));
    CHECK(same_recordings(whole, def.path));
    CHECK_INT(scratch_folder_count(&folder), 12);
    scratch_folder_remove(&folder);
}

TEST(finished_run_is_left_alone) {
    scratch_folder folder = scratch_folder_make();
    carom_recorder_def def = recorder_to(in_folder(&folder, "run.carom"));
    const char *copy = in_folder(&folder, "copy.carom");
    record_reference(def.path);
    size_t size;
    unsigned char *bytes = read_bytes(def.path, &size);
    write_bytes(copy, bytes, size);
    free(bytes);
    small_run run = small_run_make(BODIES, step), whole = small_run_make(BODIES, step);
    carom_recorder *recorder = (carom_recorder *)&run;
    bool finished = false;
    carom_error error = {0};
    CHECK_INT(carom_recorder_resume(&def, run.state, &finished, &recorder, &error), CAROM_OK);
    CHECK(finished);
    CHECK(recorder == NULL);
    CHECK_INT(carom_state_step_count(run.state), STEPS);
    for (int i = 0; i < STEPS; i++) carom_step(whole.model, whole.state, NULL, &(carom_step_report){0}, NULL);
    CHECK(carom_state_hash(run.state) == carom_state_hash(whole.state));
    CHECK(same_bytes(def.path, copy));
    small_run_free(&run);
    small_run_free(&whole);
    scratch_folder_remove(&folder);
}

// The frame that an early end has added goes again, and so does the reason.
TEST(run_that_ended_early_can_go_on) {
    scratch_folder folder = scratch_folder_make();
    const char *whole = in_folder(&folder, "whole.carom");
    record_reference(whole);
    for (int end = 1001; end <= 1004; end++) {
        carom_recorder_def def = recorder_to(in_folder(&folder, "resumed.carom"));
        def.overwrite = true;
        small_run run = small_run_make(BODIES, step);
        carom_recorder *recorder;
        carom_error error = {0};
        CHECK_INT(carom_recorder_create(&def, NULL, run.state, &recorder, &error), CAROM_OK);
        CHECK(small_run_record(&run, recorder, end, &error));
        CHECK_INT(carom_recorder_finish(recorder, run.state, "the lights went out", &error), CAROM_OK);
        carom_recorder_destroy(recorder);
        small_run_free(&run);
        uint64_t digest;
        CHECK(read_whole(def.path, &digest, &error));
        CHECK(small_run_resume(&def, BODIES, step, STEPS));
        CHECK(same_recordings(whole, def.path));
    }
    scratch_folder_remove(&folder);
}

// Resuming and leaving at once changes nothing that a reader sees, but takes the early end back.
TEST(resuming_keeps_the_file_whole_at_once) {
    scratch_folder folder = scratch_folder_make();
    carom_recorder_def def = recorder_to(in_folder(&folder, "resumed.carom"));
    small_run run = small_run_make(BODIES, step);
    carom_recorder *recorder;
    carom_error error = {0};
    CHECK_INT(carom_recorder_create(&def, NULL, run.state, &recorder, &error), CAROM_OK);
    CHECK(small_run_record(&run, recorder, 1001, &error));
    CHECK_INT(carom_recorder_finish(recorder, run.state, "why not", &error), CAROM_OK);
    carom_recorder_destroy(recorder);
    bool finished;
    CHECK_INT(carom_recorder_resume(&def, run.state, &finished, &recorder, &error), CAROM_OK);
    carom_recorder_destroy(recorder);
    uint64_t digest;
    CHECK(read_whole(def.path, &digest, &error));
    carom_recording *recording;
    carom_recording_info info;
    CHECK_INT(carom_recording_open(def.path, &recording, &error), CAROM_OK);
    CHECK_INT(carom_recording_get_info(recording, &info, &error), CAROM_OK);
    CHECK_TEXT(info.end_text, "");
    CHECK_INT(info.frame_count, 251);
    carom_recording_close(recording);
    small_run_free(&run);
    scratch_folder_remove(&folder);
}

// A damaged last checkpoint: the one before serves, and what follows it is dropped and made again.
TEST(damaged_checkpoint_gives_way_to_the_one_before) {
    scratch_folder folder = scratch_folder_make();
    const char *whole = in_folder(&folder, "whole.carom");
    record_reference(whole);
    static const int64_t checkpoint[][3] = {{100, 700, 1500}, {500, 1024, 2048}, {500, 1030, 1040}};
    static const char *const damage[] = {
        "UPDATE checkpoints SET state = zeroblob(length(state)) WHERE step = (SELECT max(step) FROM checkpoints)",
        "UPDATE checkpoints SET time = time + 1 WHERE step = (SELECT max(step) FROM checkpoints)",
        "DELETE FROM checkpoints WHERE step = (SELECT max(step) FROM checkpoints)",
    };
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            carom_recorder_def def = recorder_to(in_folder(&folder, "resumed.carom"));
            def.overwrite = true;
            record_part(&def, checkpoint[i][2] + 10, checkpoint[i], 3);
            run_sql(def.path, damage[j]);
            CHECK(small_run_resume(&def, BODIES, step, STEPS));
            CHECK(same_recordings(whole, def.path));
        }
    }
    // Both damaged: refused, and nothing is changed.
    carom_recorder_def def = recorder_to(in_folder(&folder, "resumed.carom"));
    def.overwrite = true;
    record_part(&def, 900, checkpoint[0], 2);
    run_sql(def.path, "UPDATE checkpoints SET hash = hash + 1");
    const char *copy = in_folder(&folder, "copy.carom");
    size_t size;
    unsigned char *bytes = read_bytes(def.path, &size);
    write_bytes(copy, bytes, size);
    free(bytes);
    small_run run = small_run_make(BODIES, step);
    carom_recorder *recorder;
    bool finished;
    carom_error error = {0};
    CHECK_INT(carom_recorder_resume(&def, run.state, &finished, &recorder, &error), CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, "damaged (its checkpoints are not what was written)");
    CHECK(same_bytes(def.path, copy));
    small_run_free(&run);
    scratch_folder_remove(&folder);
}

static void refuse(const carom_recorder_def *def, small_run *run, const char *sentence) {
    carom_recorder *recorder;
    bool finished;
    carom_error error = {0};
    CHECK_INT(carom_recorder_resume(def, run->state, &finished, &recorder, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, sentence);
    CHECK(recorder == NULL);
    small_run_free(run);
}

TEST(another_run_is_refused) {
    scratch_folder folder = scratch_folder_make();
    carom_recorder_def def = recorder_to(in_folder(&folder, "run.carom"));
    record_part(&def, 100, (const int64_t[]){50}, 1);
    const char *copy = in_folder(&folder, "copy.carom");
    size_t size;
    unsigned char *bytes = read_bytes(def.path, &size);
    write_bytes(copy, bytes, size);
    free(bytes);
    small_run other = small_run_make(BODIES + 1, step);
    refuse(&def, &other, "with 3 bodies instead of 4");
    other = small_run_make(BODIES, 2 * step);
    refuse(&def, &other, "steps of");
    carom_method_def euler = carom_method_def_default();
    euler.method = CAROM_METHOD_EULER;
    euler.step = step;
    other = small_run_make_by(BODIES, &euler);
    refuse(&def, &other, "recorded with the method 'variational', not 'euler'");
    CHECK(same_bytes(def.path, copy));
    scratch_folder_remove(&folder);
}

// The text tells what the state cannot: another end, another tolerance.
TEST(another_scene_is_refused) {
    static const char *const text[] = {
        "{\"carom\": 1, \"until\": 1, \"bodies\": [{\"name\": \"b\"}]}",
        "{\"carom\": 1, \"until\": 2, \"bodies\": [{\"name\": \"b\"}]}",
        "{\"carom\": 1, \"until\": 1, \"bodies\": [{\"name\": \"b\"}], \"method\": {\"tolerance\": 1e-12}}",
    };
    scratch_folder folder = scratch_folder_make();
    carom_recorder_def def = recorder_to(in_folder(&folder, "run.carom"));
    carom_scene *scene = scene_of_text(text[0]);
    carom_state *state = state_of_scene(scene);
    carom_recorder *recorder;
    carom_error error = {0};
    CHECK_INT(carom_recorder_create(&def, scene, state, &recorder, &error), CAROM_OK);
    carom_recorder_destroy(recorder);
    carom_state_destroy(state);
    carom_scene_destroy(scene);
    for (int i = 0; i < 3; i++) {
        scene = scene_of_text(text[i]);
        state = state_of_scene(scene);
        def.scene = scene;
        bool finished;
        carom_status status = carom_recorder_resume(&def, state, &finished, &recorder, &error);
        CHECK_INT(status, i == 0 ? CAROM_OK : CAROM_ERR_BAD_INPUT);
        if (i == 1) {
            CHECK_CONTAINS(error.text, "was recorded from another scene: line ");
            CHECK_CONTAINS(error.text, "\"until\": 1");
            CHECK_CONTAINS(error.text, "\"until\": 2");
        }
        if (i == 2) CHECK_CONTAINS(error.text, "tolerance");
        carom_recorder_destroy(recorder);
        carom_state_destroy(state);
        carom_scene_destroy(scene);
    }
    scratch_folder_remove(&folder);
}

// Same names and counts, another mass: the checkpoint itself tells.
TEST(another_model_is_refused_by_its_checkpoint) {
    scratch_folder folder = scratch_folder_make();
    carom_recorder_def def = recorder_to(in_folder(&folder, "run.carom"));
    record_part(&def, 100, (const int64_t[]){50}, 1);
    carom_model *model;
    carom_model_def model_def = carom_model_def_default();
    assert_int_equal(carom_model_create(&model_def, &model, NULL), CAROM_OK);
    static const char *const name[BODIES] = {"body 0", "body 1", NULL};
    for (int i = 0; i < BODIES; i++) {
        carom_body_def body = carom_body_def_default();
        body.name = name[i];
        carom_model_add_body(model, &body, &(carom_body){0}, NULL);
    }
    carom_model_freeze(model, NULL);
    small_run run = {.model = model, .method = carom_method_def_default()};
    run.method.method = CAROM_METHOD_VARIATIONAL;
    run.method.step = step;
    assert_int_equal(carom_state_create(model, &run.method, &run.state, NULL), CAROM_OK);
    refuse(&def, &run, "does not fit the given state");
    scratch_folder_remove(&folder);
}

// Two recorders on one file, in one process and in the same moment.
TEST(second_recorder_is_locked_out) {
    scratch_folder folder = scratch_folder_make();
    carom_recorder_def def = recorder_to(in_folder(&folder, "run.carom"));
    small_run run = small_run_make(BODIES, step), other = small_run_make(BODIES, step);
    carom_recorder *recorder, *second;
    bool finished;
    carom_error error = {0};
    CHECK_INT(carom_recorder_create(&def, NULL, run.state, &recorder, &error), CAROM_OK);
    CHECK_INT(carom_recorder_resume(&def, other.state, &finished, &second, &error), CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, "another process uses the file, most likely a run that is being recorded to it");
    def.overwrite = true;
    CHECK_INT(carom_recorder_create(&def, NULL, other.state, &second, &error), CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, "another process uses the file");
    CHECK(small_run_record(&run, recorder, 100, &error));
    CHECK_INT(carom_recorder_checkpoint(recorder, run.state, &error), CAROM_OK);
    CHECK_INT(carom_recorder_resume(&def, other.state, &finished, &second, &error), CAROM_ERR_FILE);
    CHECK(small_run_record(&run, recorder, STEPS, &error));
    CHECK_INT(carom_recorder_finish(recorder, run.state, NULL, &error), CAROM_OK);
    carom_recorder_destroy(recorder);
    const char *whole = in_folder(&folder, "whole.carom");
    record_reference(whole);
    CHECK(same_recordings(whole, def.path));
    CHECK_INT(scratch_folder_count(&folder), 2);
    small_run_free(&run);
    small_run_free(&other);
    scratch_folder_remove(&folder);
}

// Somebody else reads and does not let go: the run goes on in memory, and only asking for a checkpoint complains.
TEST(slow_reader_does_not_stop_the_run) {
    scratch_folder folder = scratch_folder_make();
    carom_recorder_def def = recorder_to(in_folder(&folder, "run.carom"));
    def.checkpoint_seconds = 0.0;
    small_run run = small_run_make(BODIES, step);
    carom_recorder *recorder;
    carom_error error = {0};
    CHECK_INT(carom_recorder_create(&def, NULL, run.state, &recorder, &error), CAROM_OK);
    sqlite3 *reader;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open(def.path, &reader), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(reader, "SELECT * FROM meta", -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    CHECK(small_run_record(&run, recorder, 10, &error));
    sqlite3_finalize(statement);
    sqlite3_close(reader);
    CHECK(small_run_record(&run, recorder, 20, &error));
    CHECK_INT(carom_recorder_finish(recorder, run.state, NULL, &error), CAROM_OK);
    carom_recorder_destroy(recorder);
    def.path = in_folder(&folder, "whole.carom");
    def.checkpoint_seconds = 5.0;
    small_run again = small_run_make(BODIES, step);
    small_run_record_whole(&def, NULL, &again, 20);
    CHECK(same_recordings(def.path, in_folder(&folder, "run.carom")));
    small_run_free(&run);
    small_run_free(&again);
    scratch_folder_remove(&folder);
}

TEST(file_that_is_taken_away_is_noticed) {
    scratch_folder folder = scratch_folder_make();
    carom_recorder_def def = recorder_to(in_folder(&folder, "run.carom"));
    small_run run = small_run_make(BODIES, step);
    carom_recorder *recorder;
    carom_error error = {0};
    CHECK_INT(carom_recorder_create(&def, NULL, run.state, &recorder, &error), CAROM_OK);
    CHECK(small_run_record(&run, recorder, 10, &error));
    const char *elsewhere = in_folder(&folder, "elsewhere.carom");
    assert_int_equal(rename(def.path, elsewhere), 0);
    CHECK_INT(carom_recorder_checkpoint(recorder, run.state, &error), CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, "moved or removed");
    assert_int_equal(rename(elsewhere, def.path), 0);
    CHECK_INT(carom_recorder_checkpoint(recorder, run.state, &error), CAROM_OK);
    CHECK_INT(carom_recorder_finish(recorder, run.state, NULL, &error), CAROM_OK);
    carom_recorder_destroy(recorder);
    uint64_t digest;
    CHECK(read_whole(def.path, &digest, &error));
    CHECK_INT(scratch_folder_count(&folder), 1);
    small_run_free(&run);
    scratch_folder_remove(&folder);
}

TEST_MAIN(CASE(resumed_run_equals_the_whole_one), CASE(finished_run_is_left_alone),
          CASE(run_that_ended_early_can_go_on), CASE(resuming_keeps_the_file_whole_at_once),
          CASE(damaged_checkpoint_gives_way_to_the_one_before), CASE(another_run_is_refused),
          CASE(another_scene_is_refused), CASE(another_model_is_refused_by_its_checkpoint),
          CASE(second_recorder_is_locked_out), CASE(slow_reader_does_not_stop_the_run),
          CASE(file_that_is_taken_away_is_noticed))
