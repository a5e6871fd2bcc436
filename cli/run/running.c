// SPDX-License-Identifier: MIT
#include "run/running.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/interrupt.h"
#include "base/progress.h"
#include "run/confirm.h"
#include "verb/verb.h"

// A state as it was before a step that takes long: what a signal leaves behind when it ends the step. Steps that are
// quick are waited for.
typedef struct step_copy {
    void *bytes; // carom_state_save
    size_t size, room;
    bool is_there; // of the step that is being made
} step_copy;

static const double long_step = 0.1; // s
// A state that is larger is not written down at a signal, which would take a busy machine or a slow disk the second
// that a signal may take: the last checkpoint stands, which is some seconds older.
static const size_t most_saved_at_signal = (size_t)96 << 20; // bytes

static void copy_before_step(const job *job, double last_step, step_copy *copy) {
    copy->is_there = false;
    if (last_step < long_step) return;
    copy->size = carom_state_size(job->state);
    if (copy->size > most_saved_at_signal) return;
    if (copy->size > copy->room) {
        free(copy->bytes);
        copy->bytes = malloc(copy->size);
        copy->room = copy->bytes != NULL ? copy->size : 0;
    }
    if (copy->bytes == NULL) return;
    carom_state_save(job->state, copy->bytes);
    copy->is_there = true;
}

// A step that was interrupted has left the state somewhere on its way: back to where it began. False: it cannot, and
// what is recorded is what the last checkpoint has.
static bool go_back(job *job, const step_copy *copy) {
    carom_error error;
    return copy->is_there && carom_state_load(job->state, copy->bytes, copy->size, &error) == CAROM_OK;
}

// Steps until the end, an impossible step (in `report`) or a signal. The exit code, after a sentence if not EXIT_GOOD.
static int make_steps(job *job, bool show_progress, carom_step_report *report) {
    const carom_model *model = carom_scene_model(job->scene);
    carom_status status = CAROM_OK;
    carom_error error;
    progress progress;
    int code = EXIT_GOOD;
    *report = (carom_step_report){.outcome = CAROM_STEP_GOOD};
    progress_begin(&progress, show_progress, job->first_step, job->end_step, carom_state_method(job->state), 1);
    step_copy copy = {.bytes = NULL};
    double last_step = INFINITY; // of the first nothing is known
    for (int64_t made = job->first_step; made < job->end_step && !was_interrupted(); made++) {
        copy_before_step(job, last_step, &copy);
        double started = clock_seconds();
        carom_input input = {.wrench_count = 0};
        if (job->replay.plan != NULL) status = plan_replay_input(&job->replay, job->state, &input, &error);
        if (status == CAROM_OK) status = carom_step(model, job->state, &input, report, &error);
        last_step = clock_seconds() - started;
        if (status == CAROM_ERR_INTERRUPTED) {
            job->abandoned = !go_back(job, &copy);
            report->outcome = CAROM_STEP_GOOD;
            status = CAROM_OK;
            break;
        }
        if (status != CAROM_OK || report->outcome == CAROM_STEP_IMPOSSIBLE) break;
        status = carom_recorder_step(job->recorder, job->state, report, &error);
        if (status != CAROM_OK) break;
        code = hard_steps_look(&job->hard, job->state, report);
        if (code != EXIT_GOOD) break;
        progress_at(&progress, made + 1);
    }
    progress_end(&progress);
    free(copy.bytes);
    // No verdict on the scene: with more memory, the run goes on from its last checkpoint.
    if (report->no_memory) {
        refuse("%s", report->text);
        return EXIT_INTERNAL;
    }
    if (status == CAROM_OK) return code;
    refuse_error(&error);
    return EXIT_INTERNAL; // the input was good enough to begin with
}

// Of a run that has reached its end: what comes of it at half the step, if that is wanted.
static int confirm(job *job, const carom_step_report *report, bool show_progress, bool *interrupted) {
    bool ended = report->outcome != CAROM_STEP_IMPOSSIBLE && carom_state_step_count(job->state) == job->end_step;
    if (!job->def->confirm || !ended) return EXIT_GOOD;
    carom_finding finding;
    int code = confirm_run(job, show_progress, &finding);
    *interrupted = code == EXIT_INTERRUPTED;
    if (code != EXIT_GOOD) return *interrupted ? EXIT_GOOD : code;
    carom_error error;
    return carom_recorder_confirm(job->recorder, &finding, &error) == CAROM_OK ? EXIT_GOOD : refuse_error(&error);
}

// Closes the recording in the way the run ended.
static int keep_ending(job *job, const carom_step_report *report, bool *interrupted) {
    carom_error error;
    carom_status status;
    *interrupted |= report->outcome != CAROM_STEP_IMPOSSIBLE && carom_state_step_count(job->state) < job->end_step;
    if (report->outcome == CAROM_STEP_IMPOSSIBLE) {
        status = carom_recorder_finish(job->recorder, job->state, report->text, &error);
    } else if (job->abandoned || (*interrupted && carom_state_size(job->state) > most_saved_at_signal)) {
        status = CAROM_OK; // the last checkpoint stands
    } else if (*interrupted) {
        status = carom_recorder_checkpoint(job->recorder, job->state, &error);
    } else if (job->resumed && carom_state_time(job->state) < job->scene_until - carom_state_next_step(job->state)) {
        char text[96];
        snprintf(text, sizeof text, CAROM_END_ASKED "--until %.9g only; it can be resumed", job->def->until);
        status = carom_recorder_finish(job->recorder, job->state, text, &error);
    } else {
        status = carom_recorder_finish(job->recorder, job->state, NULL, &error);
    }
    if (status == CAROM_OK) return EXIT_GOOD;
    refuse_error(&error);
    return EXIT_INTERNAL;
}

int run_to_end(job *job, bool show_progress, run_outcome *out) {
    *out = (run_outcome){.interrupted = false};
    carom_step_report report = {.outcome = CAROM_STEP_GOOD};
    double started = clock_seconds(), step_seconds = 0.0;
    if (!job->complete) {
        int code = make_steps(job, show_progress, &report);
        step_seconds = clock_seconds() - started;
        if (code == EXIT_GOOD) code = confirm(job, &report, show_progress, &out->interrupted);
        if (code == EXIT_GOOD) code = keep_ending(job, &report, &out->interrupted);
        if (code != EXIT_GOOD) return code;
    }
    double seconds = clock_seconds() - started;
    int64_t made = carom_state_step_count(job->state) - job->first_step;
    carom_recorder_destroy(job->recorder);
    job->recorder = NULL;
    if (read_summary(job->path, &out->summary) != EXIT_GOOD) return EXIT_INTERNAL;
    out->summary.warnings = job->warnings;
    out->summary.start = job->resumed ? NULL : carom_state_start(job->state);
    double stable = carom_state_stable_step(job->state);
    out->summary.stable_step = isfinite(stable) ? stable : 0.0;
    out->summary.steps_made = made;
    out->summary.time_made = carom_state_time(job->state) - job->first_time;
    out->summary.step_seconds = step_seconds;
    out->summary.wall_seconds = seconds;
    if (out->interrupted) out->summary.ending = RUN_INTERRUPTED;
    return EXIT_GOOD;
}
