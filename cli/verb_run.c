// SPDX-License-Identifier: MIT
// Runs a scene into a recording and says how far it can be trusted.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "carom/record.h"
#include "interrupt.h"
#include "job.h"
#include "progress.h"
#include "summary.h"
#include "verb.h"

typedef struct run_options {
    job_def job;
    bool strict, quiet, json;
} run_options;

static const option run_table[] = {
    {.name = "--set",
     .kind = OPTION_LIST,
     .offset = offsetof(run_options, job.set),
     .value = "PATH=VALUE",
     .help = "changes a value of the scene, such as method.step=1e-4; may be repeated"},
    {.name = "--out",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .offset = offsetof(run_options, job.out),
     .value = "FILE",
     .help = "the recording; by default the scene's name with .carom, in the current folder"},
    {.name = "--force", .offset = offsetof(run_options, job.force), .help = "replaces an existing recording"},
    {.name = "--resume",
     .offset = offsetof(run_options, job.resume),
     .help = "goes on with an unfinished recording, to the same bits; begins one if there is none"},
    {.name = "--until",
     .kind = OPTION_SECONDS,
     .offset = offsetof(run_options, job.until),
     .value = "T",
     .help = "ends at T seconds of simulated time, whatever the scene says"},
    {.name = "--every",
     .kind = OPTION_COUNT,
     .offset = offsetof(run_options, job.every),
     .value = "N",
     .help = "a frame every N steps instead of the scene's frame rate"},
    {.name = "--contacts",
     .offset = offsetof(run_options, job.contacts),
     .help = "frames keep the contacts of their step, whatever the scene says"},
    {.name = "--checkpoint",
     .kind = OPTION_SECONDS,
     .offset = offsetof(run_options, job.checkpoint),
     .value = "S",
     .help = "keeps the run every S seconds of wall time, to be resumed from there. Default 5"},
    {.name = "--threads",
     .kind = OPTION_COUNT,
     .offset = offsetof(run_options, job.threads),
     .value = "N",
     .help = "lets a step of many bodies use N threads; no bit depends on it. Default 1"},
    {.name = "--dump-hard",
     .kind = OPTION_TEXT,
     .offset = offsetof(run_options, job.dump_hard),
     .value = "DIR",
     .help = "keeps the contact problems of steps that break the contract, at most 100, for carom solve"},
    {.name = "--strict", .offset = offsetof(run_options, strict), .help = "exit code 1 when the contract breaks"},
    {.name = "--quiet", .offset = offsetof(run_options, quiet), .help = "says nothing while all is well"},
    {.name = "--json", .offset = offsetof(run_options, json), .help = "the summary as one object, no progress"},
    {.name = NULL},
};

// Steps until the end, an impossible step (in `report`) or a signal. The exit code, after a sentence if not EXIT_GOOD.
static int make_steps(job *job, bool show_progress, carom_step_report *report) {
    const carom_model *model = carom_scene_model(job->scene);
    carom_status status = CAROM_OK;
    carom_error error;
    progress progress;
    int code = EXIT_GOOD;
    *report = (carom_step_report){.outcome = CAROM_STEP_GOOD};
    progress_begin(&progress, show_progress, job->first_step, job->end_step, carom_scene_method(job->scene)->step);
    for (int64_t made = job->first_step; made < job->end_step && !was_interrupted(); made++) {
        status = carom_step(model, job->state, NULL, report, &error);
        if (status != CAROM_OK || report->outcome == CAROM_STEP_IMPOSSIBLE) break;
        status = carom_recorder_step(job->recorder, job->state, report, &error);
        if (status != CAROM_OK) break;
        code = hard_steps_look(&job->hard, job->state, report);
        if (code != EXIT_GOOD) break;
        progress_at(&progress, made + 1);
    }
    progress_end(&progress);
    if (status == CAROM_OK) return code;
    refuse_error(&error);
    return EXIT_INTERNAL; // the input was good enough to begin with
}

// Closes the recording in the way the run ended.
static int keep_ending(job *job, const carom_step_report *report, bool *interrupted) {
    carom_error error;
    carom_status status;
    int64_t made = carom_state_step_count(job->state);
    if (report->outcome == CAROM_STEP_IMPOSSIBLE) {
        status = carom_recorder_finish(job->recorder, job->state, report->text, &error);
    } else if (made < job->end_step) {
        *interrupted = true;
        status = carom_recorder_checkpoint(job->recorder, job->state, &error);
    } else if (job->resumed && carom_state_time(job->state) < job->scene_until - carom_state_method(job->state)->step) {
        char text[96];
        snprintf(text, sizeof text, "--until asked for t = %.9g s only; it can be resumed", job->def->until);
        status = carom_recorder_finish(job->recorder, job->state, text, &error);
    } else {
        status = carom_recorder_finish(job->recorder, job->state, NULL, &error);
    }
    if (status == CAROM_OK) return EXIT_GOOD;
    refuse_error(&error);
    return EXIT_INTERNAL;
}

static void say_trouble(const carom_recording_info *info, const char *path) {
    if (info->broken_steps > 0)
        note("%s: the contract is broken in %" PRId64 " steps, first in step %" PRId64 ": %s", path, info->broken_steps,
             info->first_broken_step, info->first_broken_text);
    if (info->end_text[0] != '\0') note("%s: ended early at t = %g s: %s", path, info->time, info->end_text);
}

static void say_beginning(const job *job, const run_options *options) {
    if (options->quiet || options->json) return;
    // Joints that were closed before the first step: the run then does not begin quite as the scene says.
    const char *closed = carom_state_assembly(job->state)->text;
    if (closed[0] != '\0' && !job->resumed) note("%s: %s", options->job.scene_file, closed);
    if (!options->job.resume) return;
    if (job->complete)
        note("%s: the run is finished; there is nothing left to do", job->path);
    else if (job->resumed)
        note("%s: goes on after step %" PRId64 " (t = %g s)", job->path, job->first_step, carom_state_time(job->state));
    else
        note("%s: there is none to resume; begins anew", job->path);
}

static int run_job(job *job, const run_options *options) {
    say_beginning(job, options);
    carom_step_report report = {.outcome = CAROM_STEP_GOOD};
    bool interrupted = false;
    int code = EXIT_GOOD;
    double started = clock_seconds(), step_seconds = 0.0;
    if (!job->complete) {
        code = make_steps(job, !options->quiet && !options->json, &report);
        step_seconds = clock_seconds() - started;
        if (code == EXIT_GOOD) code = keep_ending(job, &report, &interrupted);
        if (code != EXIT_GOOD) return code;
    }
    double seconds = clock_seconds() - started;
    int64_t made = carom_state_step_count(job->state) - job->first_step;
    carom_recorder_destroy(job->recorder);
    job->recorder = NULL;

    run_summary summary;
    code = read_summary(job->path, &summary);
    if (code != EXIT_GOOD) return EXIT_INTERNAL;
    summary.steps_made = made;
    summary.step_seconds = step_seconds;
    summary.wall_seconds = seconds;
    if (interrupted) summary.ending = RUN_INTERRUPTED;
    if (options->json)
        print_summary_object(stdout, &summary);
    else if (!options->quiet)
        print_summary(stdout, &summary);
    if (options->json || options->quiet) say_trouble(&summary.info, job->path);
    hard_steps_say(&job->hard);
    if (interrupted) {
        fflush(stdout);
        note("interrupted after step %" PRId64 ", which is kept; this goes on:", summary.info.step_count);
        print_resume_command(stderr, job);
        return EXIT_INTERRUPTED;
    }
    if (report.outcome == CAROM_STEP_IMPOSSIBLE) return EXIT_NOT_TRUSTWORTHY;
    return options->strict && summary.info.broken_steps > 0 ? EXIT_NOT_TRUSTWORTHY : EXIT_GOOD;
}

static int run_run(int argument_count, char **arguments) {
    run_options options = {.job = {.until = -1.0, .checkpoint = -1.0, .threads = 1}};
    int words = read_options("run", run_table, argument_count, arguments, &options);
    int code = EXIT_BAD_INPUT;
    if (words >= 0 && check_one_word(&verb_run, "a scene", words, arguments)) {
        job job;
        options.job.scene_file = arguments[0];
        code = begin_job(&job, &options.job);
        if (code == EXIT_GOOD) {
            watch_for_interrupts(); // not earlier: reading a pipe, say, can only be ended by them
            code = run_job(&job, &options);
        }
        end_job(&job);
    }
    free(options.job.set.items);
    return code;
}

const verb verb_run = {
    .name = "run",
    .group = GROUP_RUN,
    .arguments = "SCENE [--set PATH=VALUE]... [-o OUT] [--force | --resume] [--until T] [--every N]\n"
                 "                 [--contacts] [--checkpoint S] [--threads N] [--dump-hard DIR] [--strict] [--quiet]\n"
                 "                 [--json]",
    .summary = "runs a scene into a recording and sums up its certificates",
    .help =
        "Ctrl-C finishes the step, keeps it and says how to go on (exit code 130); a killed run can be resumed, too.\n"
        "A run that breaks its contract goes on and says so in red; with --strict the exit code is then 1. A run\n"
        "that cannot go on keeps its last good state and ends with exit code 1.",
    .options = run_table,
    .run = run_run,
};
