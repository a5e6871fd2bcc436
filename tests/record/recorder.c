// SPDX-License-Identifier: MIT
// What goes into a recording comes out of it, at the times that the rule gives.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/harness/check.h"
#include "support/scene/recorded_run.h"

static carom_recording *open_recording(const char *path, carom_recording_info *info) {
    carom_error error = {0};
    carom_recording *recording;
    if (carom_recording_open(path, &recording, &error) != CAROM_OK) fail_msg("%s", error.text);
    if (carom_recording_get_info(recording, info, &error) != CAROM_OK) fail_msg("%s", error.text);
    return recording;
}

// Steps beside the recording and compares every certificate and every frame, bit for bit. More than two rows of
// certificates, the last one not full.
TEST(frames_and_certificates_are_those_of_the_run) {
    enum { STEPS = 2500, BODIES = 4 };
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "run.carom");
    small_run run = small_run_make(BODIES, 1.0 / 500);
    carom_recorder_def def = recorder_to(path);
    def.every = 1;
    small_run_record_whole(&def, NULL, &run, STEPS);
    CHECK_INT(scratch_folder_count(&folder), 1);

    carom_recording_info info;
    carom_recording *recording = open_recording(path, &info);
    CHECK(info.finished);
    CHECK_INT(info.format, 6);
    CHECK_TEXT(info.method, "variational");
    CHECK_INT(info.step_count, STEPS);
    CHECK_INT(info.certificate_count, STEPS);
    CHECK_INT(info.frame_count, STEPS + 1);
    CHECK_INT(info.body_count, BODIES);
    CHECK_TEXT(info.end_text, "");
    CHECK(info.hash == carom_state_hash(run.state));
    CHECK_TEXT(carom_recording_scene(recording), "");
    CHECK_TEXT(carom_recording_body_name(recording, 1), "body 1");
    CHECK_TEXT(carom_recording_body_name(recording, 2), "");
    CHECK_TEXT(carom_recording_body_name(recording, 99), "");

    small_run again = small_run_make(BODIES, 1.0 / 500);
    carom_step_report *certificate = calloc(STEPS, sizeof *certificate);
    int got;
    CHECK_INT(carom_recording_get_certificates(recording, 0, STEPS, certificate, &got, NULL), CAROM_OK);
    CHECK_INT(got, STEPS);
    double largest_balance = 0.0, first_energy = info.summary.first_energy, largest_change = 0.0;
    int most_iterations = 0;
    for (int i = 0; i <= STEPS; i++) {
        carom_body_state body[BODIES];
        double time;
        int64_t step;
        CHECK_INT(carom_recording_get_frame(recording, i, &time, &step, body, NULL), CAROM_OK);
        CHECK(time == carom_state_time(again.state));
        CHECK_INT(step, i);
        for (int b = 0; b < BODIES; b++) {
            carom_body_state wanted;
            carom_state_get_body(again.state, (carom_body){b}, &wanted, NULL);
            if (!CHECK(memcmp(&body[b], &wanted, sizeof wanted) == 0)) break;
        }
        if (i == STEPS) break;
        carom_step_report report;
        carom_step(again.model, again.state, NULL, &report, NULL);
        const carom_step_report *c = &certificate[i];
        bool same = c->step == report.step && c->outcome == report.outcome;
        int count;
        const carom_quantity *quantities = carom_quantities(&count);
        for (int q = 0; q < count; q++)
            for (int k = 0; k < carom_quantity_column_count(&quantities[q]); k++)
                same &= carom_quantity_get(&quantities[q], c, k) == carom_quantity_get(&quantities[q], &report, k);
        if (!CHECK(same)) break;
        largest_balance = fmax(largest_balance, report.momentum_balance);
        most_iterations = report.iterations > most_iterations ? report.iterations : most_iterations;
        largest_change = fmax(largest_change, fabs(report.energy.kinetic + report.energy.potential - first_energy));
    }
    CHECK(info.summary.largest_momentum_balance == largest_balance);
    CHECK(info.summary.largest_energy_change == largest_change);
    CHECK_INT(info.summary.most_iterations, most_iterations);

    // Beyond the end: fewer, then none.
    CHECK_INT(carom_recording_get_certificates(recording, STEPS - 3, 10, certificate, &got, NULL), CAROM_OK);
    CHECK_INT(got, 3);
    CHECK_INT(carom_recording_get_certificates(recording, STEPS, 10, certificate, &got, NULL), CAROM_OK);
    CHECK_INT(got, 0);
    CHECK_INT(carom_recording_get_certificates(recording, 1020, 8, certificate, &got, NULL), CAROM_OK);
    CHECK_INT(certificate[7].step, 1028);
    carom_error error = {0};
    CHECK_INT(carom_recording_get_certificates(recording, -1, 10, certificate, &got, &error), CAROM_ERR_BAD_INPUT);
    CHECK_INT(carom_recording_get_frame(recording, STEPS + 1, NULL, NULL, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "there is no frame 2501; the frames are 0 to 2500");
    CHECK_INT(carom_recording_get_frame(recording, -1, NULL, NULL, NULL, &error), CAROM_ERR_BAD_INPUT);

    free(certificate);
    carom_recording_close(recording);
    small_run_free(&again);
    small_run_free(&run);
    scratch_folder_remove(&folder);
}

static int64_t *frame_steps(const char *path, int64_t *count) {
    carom_recording_info info;
    carom_recording *recording = open_recording(path, &info);
    int64_t *steps = calloc((size_t)info.frame_count, sizeof *steps);
    *count = info.frame_count;
    for (int64_t i = 0; i < info.frame_count; i++) carom_recording_get_frame(recording, i, NULL, &steps[i], NULL, NULL);
    carom_recording_close(recording);
    return steps;
}

// Steps of 1/240 s and 60 frames a second: every fourth step for ever, though neither number is exact in binary.
TEST(frames_by_rate_do_not_drift) {
    enum { STEPS = 24002 };
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "run.carom");
    small_run run = small_run_make(1, 1.0 / 240);
    carom_recorder_def def = recorder_to(path);
    small_run_record_whole(&def, NULL, &run, STEPS);
    int64_t count, *steps = frame_steps(path, &count);
    CHECK_INT(count, 6002);
    for (int i = 0; i < 6001; i++)
        if (!CHECK_INT(steps[i], 4 * i)) break;
    CHECK_INT(steps[6001], STEPS);
    free(steps);
    small_run_free(&run);
    scratch_folder_remove(&folder);
}

// The rule in integers: with steps of p/q s a frame is due at the first step n with n p rate >= k q.
TEST(frames_by_rate_follow_the_rule) {
    static const struct {
        int p, q, rate;
    } cases[] = {{1, 1000, 60}, {1, 1000, 30}, {1, 50, 60}, {1, 70, 60}, {3, 1000, 100}, {1, 10, 1000}, {1, 7, 3}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        enum { STEPS = 3000 };
        scratch_folder folder = scratch_folder_make();
        const char *path = in_folder(&folder, "run.carom");
        carom_method_def method = carom_method_def_default();
        method.method = CAROM_METHOD_EULER;
        method.step = (double)cases[c].p / cases[c].q;
        small_run run = small_run_make_by(1, &method);
        carom_recorder_def def = recorder_to(path);
        def.frame_rate = cases[c].rate;
        small_run_record_whole(&def, NULL, &run, STEPS);
        int64_t count, *steps = frame_steps(path, &count), k = 1, found = 1;
        for (int64_t n = 1; n <= STEPS; n++) {
            int64_t reached = n * cases[c].p * cases[c].rate / cases[c].q;
            if (reached < k && n < STEPS) continue;
            k = reached + 1;
            if (!CHECK(found < count) || !CHECK_INT(steps[found], n)) break;
            found++;
        }
        CHECK_INT(found, count);
        free(steps);
        small_run_free(&run);
        scratch_folder_remove(&folder);
    }
}

TEST(frames_by_count_are_every_so_many_steps_and_the_last) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "run.carom");
    small_run run = small_run_make(1, 0.01);
    carom_recorder_def def = recorder_to(path);
    def.every = 7;
    small_run_record_whole(&def, NULL, &run, 30);
    int64_t count, *steps = frame_steps(path, &count);
    const int64_t wanted[] = {0, 7, 14, 21, 28, 30};
    CHECK_INT(count, 6);
    for (int i = 0; i < 6; i++) CHECK_INT(steps[i], wanted[i]);
    free(steps);
    small_run_free(&run);
    scratch_folder_remove(&folder);
}

// A run of no steps has one frame, first and last; one that ends on a frame has no frame twice.
TEST(no_frame_comes_twice) {
    scratch_folder folder = scratch_folder_make();
    carom_recorder_def def = recorder_to(in_folder(&folder, "none.carom"));
    small_run run = small_run_make(2, 1.0 / 240);
    small_run_record_whole(&def, NULL, &run, 0);
    int64_t count;
    free(frame_steps(def.path, &count));
    CHECK_INT(count, 1);
    def.path = in_folder(&folder, "even.carom");
    small_run_record_whole(&def, NULL, &run, 8);
    free(frame_steps(def.path, &count));
    CHECK_INT(count, 3);
    small_run_free(&run);
    scratch_folder_remove(&folder);
}

// A recording may begin with a state that has already run.
TEST(recording_may_begin_late) {
    scratch_folder folder = scratch_folder_make();
    carom_recorder_def def = recorder_to(in_folder(&folder, "late.carom"));
    def.every = 2;
    small_run run = small_run_make(2, 0.01);
    for (int i = 0; i < 5; i++) carom_step(run.model, run.state, NULL, &(carom_step_report){0}, NULL);
    small_run_record_whole(&def, NULL, &run, 10);
    carom_recording_info info;
    carom_recording *recording = open_recording(def.path, &info);
    CHECK_INT(info.step_count, 10);
    CHECK_INT(info.certificate_count, 5);
    CHECK_INT(info.frame_count, 4);
    carom_step_report certificate;
    int got;
    carom_recording_get_certificates(recording, 0, 1, &certificate, &got, NULL);
    CHECK_INT(certificate.step, 6);
    carom_recording_close(recording);
    small_run_free(&run);
    scratch_folder_remove(&folder);
}

TEST(scene_text_is_kept) {
    scratch_folder folder = scratch_folder_make();
    static const char text[] = "{\"carom\": 1, \"until\": 0.25, \"bodies\": [{\"name\": \"b\", \"mass\": 2}]}";
    carom_scene *scene = scene_of_text(text);
    small_run run = {.state = state_of_scene(scene), .method = *carom_scene_method(scene)};
    run.model = (carom_model *)carom_scene_model(scene); // only read
    small_run other = small_run_make(2, 0.01);
    carom_recorder_def def = recorder_to(in_folder(&folder, "run.carom"));
    small_run_record_whole(&def, scene, &run, 25);
    carom_recording_info info;
    carom_recording *recording = open_recording(def.path, &info);
    CHECK_TEXT(carom_recording_scene(recording), carom_scene_resolved(scene));
    CHECK_NEAR(info.until, 0.25, 0.0);
    carom_recording_close(recording);

    carom_recorder *recorder;
    carom_error error = {0};
    def.path = in_folder(&folder, "other.carom");
    CHECK_INT(carom_recorder_create(&def, scene, other.state, &recorder, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "another model");

    // The text that is kept makes the same run again.
    recording = open_recording(in_folder(&folder, "run.carom"), &info);
    carom_scene *again = scene_of_text(carom_recording_scene(recording));
    carom_state *state = state_of_scene(again);
    for (int i = 0; i < 25; i++) carom_step(carom_scene_model(again), state, NULL, &(carom_step_report){0}, NULL);
    CHECK(carom_state_hash(state) == info.hash);
    carom_state_destroy(state);
    carom_scene_destroy(again);
    carom_recording_close(recording);
    carom_state_destroy(run.state);
    carom_scene_destroy(scene);
    small_run_free(&other);
    scratch_folder_remove(&folder);
}

// Steps that break their contract and those that cannot be made, by reports made up here.
TEST(broken_and_impossible_steps_are_noted) {
    scratch_folder folder = scratch_folder_make();
    small_run run = small_run_make(1, 0.01);
    carom_recorder_def def = recorder_to(in_folder(&folder, "run.carom"));
    carom_recorder *recorder;
    assert_int_equal(carom_recorder_create(&def, NULL, run.state, &recorder, NULL), CAROM_OK);
    carom_step_report report;
    for (int i = 1; i <= 6; i++) {
        carom_step(run.model, run.state, NULL, &report, NULL);
        if (i == 3 || i == 5) {
            report.outcome = CAROM_STEP_BROKEN;
            report.residual = i == 3 ? 0.5 : NAN;
            snprintf(report.text, sizeof report.text, "broken at %d", i);
        }
        CHECK_INT(carom_recorder_step(recorder, run.state, &report, NULL), CAROM_OK);
    }
    report.outcome = CAROM_STEP_IMPOSSIBLE;
    CHECK_INT(carom_recorder_step(recorder, run.state, &report, NULL), CAROM_OK);
    CHECK_INT(carom_recorder_finish(recorder, run.state, "body 0 ran away", NULL), CAROM_OK);
    carom_recording_info info;
    carom_recording *recording = open_recording(def.path, &info);
    CHECK(!info.finished);
    CHECK_TEXT(info.end_text, "body 0 ran away");
    CHECK_INT(info.step_count, 6);
    CHECK_INT(info.summary.broken_steps, 2);
    CHECK_INT(info.summary.first_broken_step, 3);
    CHECK_TEXT(info.summary.first_broken_text, "broken at 3");
    CHECK(info.summary.largest_residual == INFINITY);
    carom_step_report certificate[6];
    int got;
    carom_recording_get_certificates(recording, 0, 6, certificate, &got, NULL);
    for (int i = 0; i < 6; i++) CHECK_INT((certificate[i].outcome == CAROM_STEP_GOOD), i != 2 && i != 4);
    CHECK(isnan(certificate[4].residual));
    carom_recording_close(recording);
    carom_recorder_destroy(recorder);
    small_run_free(&run);
    scratch_folder_remove(&folder);
}

// A reader follows a run: what it sees is always whole and never hinders the recorder for long.
TEST(recording_can_be_read_while_it_is_made) {
    scratch_folder folder = scratch_folder_make();
    small_run run = small_run_make(3, 0.01);
    carom_recorder_def def = recorder_to(in_folder(&folder, "run.carom"));
    def.every = 3;
    carom_recorder *recorder;
    carom_error error = {0};
    assert_int_equal(carom_recorder_create(&def, NULL, run.state, &recorder, NULL), CAROM_OK);
    carom_recording_info info;
    carom_recording *recording = open_recording(def.path, &info);
    for (int i = 1; i <= 10; i++) {
        CHECK(small_run_record(&run, recorder, 300 * i, &error));
        carom_recording_get_info(recording, &info, NULL);
        CHECK_INT(info.step_count, 300 * (i - 1));
        CHECK_INT(carom_recorder_checkpoint(recorder, run.state, &error), CAROM_OK);
        CHECK_INT(carom_recording_get_info(recording, &info, &error), CAROM_OK);
        CHECK_INT(info.step_count, 300 * i);
        CHECK(!info.finished);
        CHECK(info.hash == carom_state_hash(run.state));
        uint64_t digest;
        CHECK(read_whole(def.path, &digest, &error));
        carom_step_report certificate;
        int got;
        CHECK_INT(carom_recording_get_certificates(recording, 300 * i - 1, 5, &certificate, &got, &error), CAROM_OK);
        CHECK_INT(got, 1);
        CHECK_INT(certificate.step, 300 * i);
    }
    CHECK_INT(carom_recorder_finish(recorder, run.state, NULL, &error), CAROM_OK);
    carom_recording_close(recording);
    carom_recorder_destroy(recorder);
    CHECK_INT(scratch_folder_count(&folder), 1);
    small_run_free(&run);
    scratch_folder_remove(&folder);
}

TEST(misuse_gets_a_sentence) {
    scratch_folder folder = scratch_folder_make();
    small_run run = small_run_make(1, 0.01);
    carom_recorder_def def = recorder_to(in_folder(&folder, "run.carom"));
    carom_recorder *recorder;
    carom_error error = {0};
    carom_step_report report;
    assert_int_equal(carom_recorder_create(&def, NULL, run.state, &recorder, NULL), CAROM_OK);
    CHECK_INT(carom_recorder_step(NULL, run.state, &report, &error), CAROM_ERR_BAD_INPUT);
    CHECK_INT(carom_recorder_step(recorder, NULL, &report, &error), CAROM_ERR_BAD_INPUT);
    CHECK_INT(carom_recorder_step(recorder, run.state, NULL, &error), CAROM_ERR_BAD_INPUT);
    carom_step(run.model, run.state, NULL, &report, NULL);
    carom_step(run.model, run.state, NULL, &report, NULL);
    CHECK_INT(carom_recorder_step(recorder, run.state, &report, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "the report is of step 2 and the recording at step 0");
    CHECK_INT(carom_recorder_checkpoint(recorder, run.state, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "the state is at step 2 and the recording at step 0");
    carom_recorder_destroy(recorder);

    def.path = in_folder(&folder, "second.carom");
    assert_int_equal(carom_recorder_create(&def, NULL, run.state, &recorder, NULL), CAROM_OK);
    CHECK_INT(carom_recorder_finish(recorder, run.state, NULL, &error), CAROM_OK);
    CHECK_INT(carom_recorder_finish(recorder, run.state, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "finished");
    CHECK_INT(carom_recorder_step(recorder, run.state, &report, &error), CAROM_ERR_BAD_INPUT);
    CHECK_INT(carom_recorder_checkpoint(recorder, run.state, &error), CAROM_ERR_BAD_INPUT);
    carom_recorder_destroy(recorder);
    carom_recorder_destroy(NULL);
    carom_recording_close(NULL);
    small_run_free(&run);
    scratch_folder_remove(&folder);
}

TEST(definitions_are_checked) {
    small_run run = small_run_make(1, 0.01);
    static const struct {
        carom_recorder_def def;
        const char *sentence;
    } cases[] = {
        {{.struct_size = sizeof(carom_recorder_def), .path = NULL, .frame_rate = 60}, "path is NULL"},
        {{.struct_size = sizeof(carom_recorder_def), .path = "", .frame_rate = 60}, "path is empty"},
        {{.struct_size = sizeof(carom_recorder_def), .path = "x", .frame_rate = 0}, "frame_rate is 0"},
        {{.struct_size = sizeof(carom_recorder_def), .path = "x", .frame_rate = -1}, "frame_rate is -1"},
        {{.struct_size = sizeof(carom_recorder_def), .path = "x", .frame_rate = INFINITY}, "frame_rate is inf"},
        {{.struct_size = sizeof(carom_recorder_def), .path = "x", .frame_rate = NAN}, "frame_rate is"},
        {{.struct_size = sizeof(carom_recorder_def), .path = "x", .every = -2}, "every is -2"},
        {{.struct_size = sizeof(carom_recorder_def), .path = "x", .every = 2, .checkpoint_seconds = -1},
         "checkpoint_seconds is -1"},
        {{.struct_size = sizeof(carom_recorder_def), .path = "x", .every = 2, .checkpoint_seconds = NAN},
         "checkpoint_seconds is"},
    };
    carom_recorder *recorder;
    carom_error error;
    bool finished;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_INT(carom_recorder_create(&cases[i].def, NULL, run.state, &recorder, &error), CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, cases[i].sentence);
        CHECK(recorder == NULL);
        CHECK_INT(carom_recorder_resume(&cases[i].def, run.state, &finished, &recorder, &error), CAROM_ERR_BAD_INPUT);
    }
    carom_recorder_def good = recorder_to("/nonexistent/x");
    CHECK_INT(carom_recorder_create(NULL, NULL, run.state, &recorder, &error), CAROM_ERR_BAD_INPUT);
    CHECK_INT(carom_recorder_create(&good, NULL, NULL, &recorder, &error), CAROM_ERR_BAD_INPUT);
    CHECK_INT(carom_recorder_create(&good, NULL, run.state, NULL, &error), CAROM_ERR_BAD_INPUT);
    carom_recording *recording;
    CHECK_INT(carom_recording_open(NULL, &recording, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "path is NULL");
    CHECK_INT(carom_recording_open("", &recording, &error), CAROM_ERR_BAD_INPUT);
    small_run_free(&run);
}

// Names that SQLite would take for something else are plain names.
TEST(odd_names_are_plain_names) {
    scratch_folder folder = scratch_folder_make();
    char back[512];
    assert_non_null(getcwd(back, sizeof back));
    assert_int_equal(chdir(folder.path), 0);
    static const char *const name[] = {":memory:", "file:x?mode=memory", "a b%20'c\".carom", "-x"};
    for (int i = 0; i < 4; i++) {
        small_run run = small_run_make(1, 0.01);
        carom_recorder_def def = recorder_to(name[i]);
        small_run_record_whole(&def, NULL, &run, 10);
        uint64_t digest;
        CHECK(access(name[i], F_OK) == 0);
        CHECK(read_whole(name[i], &digest, &(carom_error){0}));
        CHECK_INT(scratch_folder_count(&folder), i + 1);
        small_run_free(&run);
    }
    assert_int_equal(chdir(back), 0);
    scratch_folder_remove(&folder);
}

TEST_MAIN(CASE(frames_and_certificates_are_those_of_the_run), CASE(frames_by_rate_do_not_drift),
          CASE(frames_by_rate_follow_the_rule), CASE(frames_by_count_are_every_so_many_steps_and_the_last),
          CASE(no_frame_comes_twice), CASE(recording_may_begin_late), CASE(scene_text_is_kept),
          CASE(broken_and_impossible_steps_are_noted), CASE(recording_can_be_read_while_it_is_made),
          CASE(misuse_gets_a_sentence), CASE(definitions_are_checked), CASE(odd_names_are_plain_names))
