// SPDX-License-Identifier: MIT
// What projections and impacts have added, in recordings: certificates to the bit, sums and largest values of the run,
// also after it was left and resumed. No method is asked: the reports are filled in by hand.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/scene/recorded_run.h"

enum { BODIES = 2, STEPS = 1100 }; // more than a row of certificates

// What a method that projects would have reported: it depends on the step alone.
static void fill_report(carom_step_report *report) {
    sampler s = {.seed = 79, .stream = (uint32_t)report->step};
    report->contacts = 1;
    report->friction_work = sample_between(&s, -1.0, 0.0);
    report->projection_energy = sample_between(&s, -1.0, 1.0);
    report->projection_momentum = sample_vec3(&s, 1.0);
    report->impact_energy = sample_between(&s, -1.0, 1e-12);
}

static void record_until(carom_recorder *recorder, small_run *run, int64_t end) {
    carom_error error = {0};
    while (carom_state_step_count(run->state) < end) {
        carom_step_report report;
        if (carom_step(run->model, run->state, NULL, &report, &error) != CAROM_OK) fail_msg("%s", error.text);
        fill_report(&report);
        if (carom_recorder_step(recorder, run->state, &report, &error) != CAROM_OK) fail_msg("%s", error.text);
    }
    carom_status status = end == STEPS ? carom_recorder_finish(recorder, run->state, NULL, &error)
                                       : carom_recorder_checkpoint(recorder, run->state, &error);
    if (status != CAROM_OK) fail_msg("%s", error.text);
    carom_recorder_destroy(recorder);
}

static void record(const char *path, int64_t end) {
    small_run run = small_run_make(BODIES, 0.01);
    carom_recorder_def def = recorder_to(path);
    carom_recorder *recorder;
    carom_error error = {0};
    if (carom_recorder_create(&def, NULL, run.state, &recorder, &error) != CAROM_OK) fail_msg("%s", error.text);
    record_until(recorder, &run, end);
    small_run_free(&run);
}

static carom_recording *open_recording(const char *path, carom_recording_info *info, carom_step_report *certificate) {
    carom_recording *recording;
    carom_error error = {0};
    int got = 0;
    if (carom_recording_open(path, &recording, &error) != CAROM_OK ||
        carom_recording_get_info(recording, info, &error) != CAROM_OK ||
        carom_recording_get_certificates(recording, 0, STEPS, certificate, &got, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    assert_int_equal(got, STEPS);
    return recording;
}

static bool same_vec3(carom_vec3 a, carom_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

TEST(certificates_and_summary_are_those_of_the_steps) {
    scratch_folder folder = scratch_folder_make();
    record(in_folder(&folder, "x.carom"), STEPS);
    static carom_step_report c[STEPS];
    carom_recording_info info;
    carom_recording_close(open_recording(in_folder(&folder, "x.carom"), &info, c));
    double projected = 0.0, hit = 0.0, most_projected = 0.0, most_rotated = 0.0, most_hit = 0.0;
    carom_vec3 rotated = {0};
    for (int i = 0; i < STEPS; i++) {
        carom_step_report report = {.step = i + 1};
        fill_report(&report);
        carom_vec3 moment = report.projection_momentum;
        CHECK(c[i].friction_work == report.friction_work);
        CHECK(c[i].projection_energy == report.projection_energy && c[i].impact_energy == report.impact_energy);
        CHECK(same_vec3(c[i].projection_momentum, moment));
        projected += report.projection_energy;
        hit += report.impact_energy;
        rotated = (carom_vec3){rotated.x + moment.x, rotated.y + moment.y, rotated.z + moment.z};
        most_projected = fmax(most_projected, fabs(report.projection_energy));
        most_rotated = fmax(most_rotated, sqrt(moment.x * moment.x + moment.y * moment.y + moment.z * moment.z));
        most_hit = fmax(most_hit, report.impact_energy);
    }
    CHECK_INT(info.format, 6);
    CHECK(info.summary.projection_energy_sum == projected && info.summary.impact_energy_sum == hit);
    CHECK(same_vec3(info.summary.projection_momentum_sum, rotated));
    CHECK(info.summary.largest_projection_energy == most_projected && info.summary.largest_impact_energy == most_hit);
    CHECK_NEAR(info.summary.largest_projection_momentum, most_rotated, 1e-15);
    scratch_folder_remove(&folder);
}

TEST(a_resumed_run_has_the_same_sums) {
    scratch_folder folder = scratch_folder_make();
    const char *whole = in_folder(&folder, "whole.carom"), *halves = in_folder(&folder, "halves.carom");
    record(whole, STEPS);
    record(halves, 333);
    small_run run = small_run_make(BODIES, 0.01);
    carom_recorder_def def = recorder_to(halves);
    carom_recorder *recorder;
    carom_error error = {0};
    bool finished;
    if (carom_recorder_resume(&def, run.state, &finished, &recorder, &error) != CAROM_OK) fail_msg("%s", error.text);
    record_until(recorder, &run, STEPS);
    small_run_free(&run);
    CHECK(same_recordings(whole, halves));
    scratch_folder_remove(&folder);
}

TEST(csv_has_them) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom"), *csv = in_folder(&folder, "x.csv");
    record(path, STEPS);
    static carom_step_report c[STEPS];
    carom_recording_info info;
    carom_recording *recording = open_recording(path, &info, c);
    CHECK_INT(carom_recording_export_csv(recording, "certificates", csv, false, NULL), CAROM_OK);
    carom_recording_close(recording);
    size_t size;
    char *text = (char *)read_bytes(csv, &size);
    text[size] = '\0';
    char *line = strtok(text, "\n");
    CHECK_CONTAINS(line, ",friction_work,fallbacks,solver,"
                         "projection_energy,projection_lx,projection_ly,projection_lz,impact_energy");
    int count = 0;
    for (line = strtok(NULL, "\n"); line != NULL && count < STEPS; line = strtok(NULL, "\n"), count++) {
        const char *at = line;
        for (int skipped = 0; skipped < 23 && at != NULL; skipped++) at = strchr(at, ',') + 1;
        double energy, impacts;
        carom_vec3 moment;
        int used = 0;
        CHECK_INT(sscanf(at, "%lf,%lf,%lf,%lf,%lf%n", &energy, &moment.x, &moment.y, &moment.z, &impacts, &used), 5);
        CHECK(at[used] == '\0' || at[used] == ',');
        CHECK(energy == c[count].projection_energy && impacts == c[count].impact_energy);
        CHECK(same_vec3(moment, c[count].projection_momentum));
    }
    CHECK_INT(count, STEPS);
    free(text);
    scratch_folder_remove(&folder);
}

TEST_MAIN(CASE(certificates_and_summary_are_those_of_the_steps), CASE(a_resumed_run_has_the_same_sums),
          CASE(csv_has_them))
