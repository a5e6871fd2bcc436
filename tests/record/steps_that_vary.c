// SPDX-License-Identifier: MIT
// Scenes whose steps vary: read, written, recorded with true times, and resumed to the same bits wherever they were
// left.
#include <stdio.h>
#include <string.h>

#include "support/harness/check.h"
#include "support/scene/recorded_run.h"

static const char scene_text[] =
    "{\"carom\": 1, \"until\": 0.4, \"method\": {\"name\": \"lcp\", \"steps\": [{\"until\": 0.1, \"step\": 0.01},"
    " {\"until\": 0.155, \"step\": 0.002}, {\"until\": 0.2, \"step\": 0.005}]},"
    " \"shapes\": {\"box\": {\"kind\": \"box\", \"size\": [1, 1, 1]},"
    " \"floor\": {\"kind\": \"half_space\", \"normal\": [0, 0, 1]}},"
    " \"bodies\": [{\"name\": \"floor\", \"kind\": \"fixed\", \"shape\": \"floor\"},"
    " {\"name\": \"low\", \"shape\": \"box\", \"density\": 1000, \"position\": [0, 0, 0.52]},"
    " {\"name\": \"high\", \"shape\": \"box\", \"density\": 1000, \"position\": [0.1, 0, 1.7], \"spin\": [0.1, 0.2, "
    "0]}]}";

// Steps of the whole run: 10, 28 equal ones of 0.055/28 s, 9, and of 0.005 s from there on.
enum { STEPS = 10 + 28 + 9 + 40 };

TEST(a_scene_is_read_and_written_with_its_steps) {
    carom_scene *scene = scene_of_text(scene_text), *again = scene_of_text(carom_scene_resolved(scene));
    const carom_method_def *def = carom_scene_method(scene);
    CHECK_INT(def->piece_count, 3);
    CHECK(def->piece[1].until == 0.155 && def->piece[1].step == 0.002);
    CHECK(def->step == 0.005); // that of the last piece, when nothing else is said
    CHECK_INT(carom_method_step_count(def, 0.4), STEPS);
    CHECK_NEAR(carom_method_step_time(def, 11), 0.1 + 0.055 / 28, 1e-16);
    CHECK_TEXT(carom_scene_resolved(again), carom_scene_resolved(scene));
    CHECK_CONTAINS(carom_scene_resolved(scene), "\"steps\": [{\"until\": 0.1, \"step\": 0.01}");
    carom_scene_destroy(scene);
    carom_scene_destroy(again);
}

static void record(carom_recorder *recorder, carom_state *state, int64_t end) {
    carom_error error;
    while (carom_state_step_count(state) < end) {
        carom_step_report report;
        CHECK_INT(carom_step(carom_state_model(state), state, NULL, &report, &error), CAROM_OK);
        if (!CHECK_INT(carom_recorder_step(recorder, state, &report, &error), CAROM_OK)) return;
    }
}

static carom_recorder *begin(const char *path, const carom_scene *scene, const carom_state *state) {
    carom_recorder_def def = recorder_to(path);
    def.checkpoint_seconds = 0.0;
    def.every = 3;
    carom_recorder *recorder = NULL;
    carom_error error = {.text = ""};
    if (!CHECK_INT(carom_recorder_create(&def, scene, state, &recorder, &error), CAROM_OK)) CHECK_TEXT(error.text, "");
    return recorder;
}

static void check_times(const char *path, const carom_method_def *def) {
    carom_recording *recording = NULL;
    carom_recording_info info;
    carom_error error;
    if (!CHECK_INT(carom_recording_open(path, &recording, &error), CAROM_OK)) return;
    CHECK_INT(carom_recording_get_info(recording, &info, &error), CAROM_OK);
    CHECK_INT(info.piece_count, 3);
    CHECK_INT(info.certificate_count, STEPS);
    CHECK_NEAR(info.time, 0.4, 1e-15);
    for (int64_t i = 0; i <= STEPS; i++) {
        double time = -1.0;
        CHECK_INT(carom_recording_step_time(recording, i, &time, &error), CAROM_OK);
        CHECK(time == carom_method_step_time(def, i));
    }
    for (int64_t i = 0; i < info.frame_count; i++) {
        double time;
        int64_t step;
        CHECK_INT(carom_recording_get_frame(recording, i, &time, &step, NULL, &error), CAROM_OK);
        CHECK(time == carom_method_step_time(def, step));
    }
    double none;
    CHECK_INT(carom_recording_step_time(recording, STEPS + 1, &none, &error), CAROM_ERR_BAD_INPUT);
    CHECK_INT(carom_recording_step_time(recording, -1, &none, &error), CAROM_ERR_BAD_INPUT);
    carom_recording_close(recording);
}

TEST(a_run_is_resumed_to_the_same_bits_within_every_piece) {
    scratch_folder folder = scratch_folder_make();
    carom_scene *scene = scene_of_text(scene_text);
    carom_error error = {.text = ""};
    const char *whole = in_folder(&folder, "whole.carom");
    carom_state *state = state_of_scene(scene);
    carom_recorder *recorder = begin(whole, scene, state);
    record(recorder, state, STEPS);
    CHECK_INT(carom_recorder_finish(recorder, state, NULL, &error), CAROM_OK);
    carom_recorder_destroy(recorder);
    carom_state_destroy(state);
    check_times(whole, carom_scene_method(scene));
    const int64_t left_at[] = {7, 10, 11, 25, 38, 44, 47, 60};
    for (int i = 0; i < 8; i++) {
        char name[32];
        snprintf(name, sizeof name, "part-%d.carom", i);
        const char *part = in_folder(&folder, name);
        state = state_of_scene(scene);
        recorder = begin(part, scene, state);
        record(recorder, state, left_at[i]);
        CHECK_INT(carom_recorder_checkpoint(recorder, state, &error), CAROM_OK);
        carom_recorder_destroy(recorder); // as if it were killed
        carom_state_destroy(state);
        state = state_of_scene(scene);
        carom_recorder_def def = recorder_to(part);
        def.every = 3;
        def.scene = scene;
        bool finished;
        recorder = NULL;
        if (!CHECK_INT(carom_recorder_resume(&def, state, &finished, &recorder, &error), CAROM_OK)) break;
        CHECK_INT(carom_state_step_count(state), left_at[i]);
        record(recorder, state, STEPS);
        CHECK_INT(carom_recorder_finish(recorder, state, NULL, &error), CAROM_OK);
        carom_recorder_destroy(recorder);
        carom_state_destroy(state);
        CHECK(same_recordings(part, whole));
    }
    carom_scene_destroy(scene);
    scratch_folder_remove(&folder);
}

TEST_MAIN(CASE(a_scene_is_read_and_written_with_its_steps), CASE(a_run_is_resumed_to_the_same_bits_within_every_piece))
