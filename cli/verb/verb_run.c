// SPDX-License-Identifier: MIT
// Runs a scene into a recording and says how far it can be trusted.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/interrupt.h"
#include "carom/record.h"
#include "report/report_file.h"
#include "report/report_page.h"
#include "run/job.h"
#include "run/run_summary.h"
#include "run/running.h"
#include "run/scene_input.h"
#include "verb/verb.h"

typedef struct run_options {
    job_def job;
    bool no_report, strict, quiet, json;
} run_options;

static const option run_table[] = {
    {.name = "--set",
     .kind = OPTION_LIST,
     .offset = offsetof(run_options, job.set),
     .value = "PATH=VALUE",
     .help = "changes a value of the scene, such as method.step=1e-4; may be repeated"},
    {.name = "--limit",
     .kind = OPTION_TEXT,
     .offset = offsetof(run_options, job.limit),
     .value = "NAME=VALUE,...",
     .help = LIMIT_HELP},
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
    {.name = "--plan",
     .kind = OPTION_TEXT,
     .offset = offsetof(run_options, job.plan),
     .value = "PLAN",
     .help = "with the controls of a plan, by its own steps of the method variational; with --set method.name=lcp or "
             "method.step=... by those"},
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
    {.name = "--no-report", .offset = offsetof(run_options, no_report), .help = "writes no page beside the recording"},
    {.name = "--dump-hard",
     .kind = OPTION_TEXT,
     .offset = offsetof(run_options, job.dump_hard),
     .value = "DIR",
     .help = "keeps contact problems of steps that break contract or tolerance, at most 100, for carom solve"},
    {.name = "--confirm",
     .offset = offsetof(run_options, job.confirm),
     .help = "runs the scene again at half the step: amber when the two differ by more than 2 %"},
    {.name = "--strict", .offset = offsetof(run_options, strict), .help = "exit code 1 when the verdict is amber, too"},
    {.name = "--quiet", .offset = offsetof(run_options, quiet), .help = "says nothing while all is well"},
    {.name = "--json", .offset = offsetof(run_options, json), .help = "the summary as one object, no progress"},
    {.name = NULL},
};

static void say_trouble(const run_summary *summary, const char *path) {
    if (summary->verdict.colour != CAROM_COLOUR_GREEN)
        note("%s: %s: %s", path, carom_colour_name(summary->verdict.colour), summary->verdict.sentence);
    if (summary->info.end_text[0] != '\0')
        note("%s: ended early at t = %g s: %s", path, summary->info.time, summary->info.end_text);
}

static void say_beginning(const job *job, const run_options *options) {
    if (options->quiet || options->json) return;
    const carom_scene_messages *warnings = job->warnings;
    for (int i = 0; warnings != NULL && i < warnings->count; i++)
        print_scene_message(stderr, &warnings->message[i], true);
    // Where bodies were moved to close joints, that is among the warnings; velocities alone are worth a note.
    const carom_assembly *closed = carom_state_assembly(job->state);
    if (closed->text[0] != '\0' && !job->resumed && closed->moved == 0.0 && closed->rotated == 0.0)
        note("%s: %s", options->job.scene_file, closed->text);
    if (!options->job.resume) return;
    if (job->complete)
        note("%s: the run is finished; there is nothing left to do", job->path);
    else if (job->resumed)
        note("%s: goes on after step %" PRId64 " (t = %g s)", job->path, job->first_step, carom_state_time(job->state));
    else
        note("%s: there is none to resume; begins anew", job->path);
}

// The report is a convenience: a run is as good without it. Only a lack of memory is an exit code of its own, as
// everything after it is doubtful, too.
static int add_report(const job *job, const run_options *options, run_summary *summary) {
    if (options->no_report || report_page[0] == '\0') return EXIT_GOOD;
    char *name = report_name(job->path);
    carom_error error;
    if (name == NULL) return EXIT_INTERNAL;
    if (try_report(job->path, name, job->def->force || job->resumed, &error)) {
        summary->report = name;
        return EXIT_GOOD;
    }
    note("there is no report of this run: %s", error.text);
    free(name);
    return error.status == CAROM_ERR_NO_MEMORY ? EXIT_INTERNAL : EXIT_GOOD;
}

static int run_job(job *job, const run_options *options) {
    say_beginning(job, options);
    run_outcome outcome;
    int code = run_to_end(job, !options->quiet && !options->json, &outcome);
    if (code != EXIT_GOOD) return code;
    run_summary *summary = &outcome.summary;
    if (!outcome.interrupted) code = add_report(job, options, summary);
    if (options->json)
        print_summary_object(stdout, summary);
    else if (!options->quiet)
        print_summary(stdout, summary);
    free(summary->report);
    if (options->json || options->quiet) say_trouble(summary, job->path);
    hard_steps_say(&job->hard);
    if (outcome.interrupted) {
        fflush(stdout);
        note("interrupted after step %" PRId64 ", which is kept; this goes on:", summary->info.step_count);
        print_resume_command(stderr, job);
        return EXIT_INTERRUPTED;
    }
    return code != EXIT_GOOD ? code : exit_code_of(summary->verdict.colour, options->strict);
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
    .arguments =
        "SCENE [--set PATH=VALUE]... [--limit NAME=VALUE,...] [-o OUT] [--force | --resume] [--plan PLAN] [--until T]\n"
        "                 [--every N] [--contacts] [--checkpoint S] [--threads N] [--dump-hard DIR]\n"
        "                 [--confirm] [--no-report] [--strict] [--quiet] [--json]",
    .summary = "runs a scene into a recording and sums up its certificates",
    .help =
        "Ctrl-C ends the run within a second, keeps it and says how to go on (exit code 130); a killed one can be "
        "resumed.\n"
        "The verdict on a run is green, amber or red, as docs/verdict.md tells. A run that breaks its contract goes\n"
        "on; one that cannot go on keeps its last good state. Exit code 1 when the verdict is red, and with\n"
        "--strict when it is amber. --confirm costs one to three runs more, and sees what no rule of one run does.",
    .options = run_table,
    .run = run_run,
};
