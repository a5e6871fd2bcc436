// SPDX-License-Identifier: MIT
// What recording adds to a step: when nothing is due, and over a whole run with its writing to the disk.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "carom/record.h"
#include "support/report.h"
#include "support/timing.h"

enum { ROUNDS = 7, QUIET_STEPS = 100000, RUN_STEPS = 1000000 };

static void stop(const char *text) {
    fprintf(stderr, "bench record: %s\n", text);
    exit(3);
}

// One free body that tumbles, by the cheapest method: the run that recording slows most.
static carom_state *make_state(const carom_model *model) {
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_EULER;
    method.step = 1e-4;
    carom_state *state;
    carom_error error;
    if (carom_state_create(model, &method, &state, &error) != CAROM_OK) stop(error.text);
    return state;
}

static carom_recorder *make_recorder(const char *path, const carom_state *state) {
    carom_recorder_def def = carom_recorder_def_default();
    def.path = path;
    def.overwrite = true;
    carom_recorder *recorder;
    carom_error error;
    if (carom_recorder_create(&def, NULL, state, &recorder, &error) != CAROM_OK) stop(error.text);
    return recorder;
}

// Nanoseconds of a call that only keeps the certificate. The same report again and again, its time below the next
// frame.
static double quiet_step(const carom_model *model, const char *path) {
    carom_state *state = make_state(model);
    carom_recorder *recorder = make_recorder(path, state);
    carom_step_report report;
    carom_error error;
    if (carom_step(model, state, NULL, &report, &error) != CAROM_OK) stop(error.text);
    double begin = crm_clock_thread_seconds();
    for (int i = 1; i <= QUIET_STEPS; i++) {
        report.step = i;
        if (carom_recorder_step(recorder, state, &report, &error) != CAROM_OK) stop(error.text);
    }
    double seconds = crm_clock_thread_seconds() - begin;
    carom_recorder_destroy(recorder);
    carom_state_destroy(state);
    return 1e9 * seconds / QUIET_STEPS;
}

typedef struct run_time {
    double wall, processor; // ns a step
} run_time;

// A whole run; `path` NULL records nothing.
static run_time whole_run(const carom_model *model, const char *path) {
    carom_state *state = make_state(model);
    carom_error error;
    double wall = crm_clock_seconds(), processor = crm_clock_thread_seconds();
    carom_recorder *recorder = path != NULL ? make_recorder(path, state) : NULL;
    for (int i = 0; i < RUN_STEPS; i++) {
        carom_step_report report;
        if (carom_step(model, state, NULL, &report, &error) != CAROM_OK) stop(error.text);
        if (recorder != NULL && carom_recorder_step(recorder, state, &report, &error) != CAROM_OK) stop(error.text);
    }
    if (recorder != NULL && carom_recorder_finish(recorder, state, NULL, &error) != CAROM_OK) stop(error.text);
    carom_recorder_destroy(recorder);
    run_time time = {1e9 / RUN_STEPS * (crm_clock_seconds() - wall),
                     1e9 / RUN_STEPS * (crm_clock_thread_seconds() - processor)};
    carom_state_destroy(state);
    return time;
}

static void print_row(bool json, const char *name, double *values, double target) {
    bench_row row = bench_row_of("record", name, "ns");
    row.carom = bench_median(values, ROUNDS);
    if (isfinite(target)) {
        row.target_kind = BENCH_VALUE_AT_MOST;
        row.target = target;
    }
    bench_print_row(json, &row);
}

int main(int argc, char **argv) {
    bool json = bench_wants_json(argc, argv);
    const char *folder = getenv("TMPDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/carom-bench-%ld.carom", folder != NULL ? folder : "/tmp", (long)getpid());
    carom_model *model;
    carom_model_def def = carom_model_def_default();
    carom_body_def body = carom_body_def_default();
    body.spin = (carom_vec3){1, 2, 3};
    carom_error error;
    if (carom_model_create(&def, &model, &error) != CAROM_OK ||
        carom_model_add_body(model, &body, &(carom_body){0}, &error) != CAROM_OK ||
        carom_model_freeze(model, &error) != CAROM_OK)
        stop(error.text);

    bench_print_heading(json, "record: what recording adds to each step of one body");
    double quiet[ROUNDS], wall[ROUNDS], processor[ROUNDS], bare_wall[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        quiet[i] = quiet_step(model, path);
        run_time bare = whole_run(model, NULL), recorded = whole_run(model, path);
        wall[i] = recorded.wall - bare.wall;
        processor[i] = recorded.processor - bare.processor;
        bare_wall[i] = bare.wall;
    }
    unlink(path);
    carom_model_destroy(model);
    print_row(json, "nothing is due, processor time", quiet, 100.0);
    print_row(json, "10^6 steps with writing 216 MB, processor time", processor, NAN);
    print_row(json, "10^6 steps with writing 216 MB, wall time", wall, NAN);
    print_row(json, "for comparison: the step itself, wall time", bare_wall, NAN);
    return 0;
}
