// SPDX-License-Identifier: MIT
// Solves the plan of a scene into a recording and says what it promises.
#include <stdio.h>
#include <stdlib.h>

#include "base/interrupt.h"
#include "plan/plan_job.h"
#include "plan/plan_summary.h"
#include "report/report_file.h"
#include "report/report_page.h"
#include "run/run_summary.h"
#include "run/scene_input.h"
#include "verb/verb.h"

typedef struct plan_options {
    plan_job_def job;
    bool no_report, strict, quiet, json;
} plan_options;

static const option plan_table[] = {
    {.name = "--set",
     .kind = OPTION_LIST,
     .offset = offsetof(plan_options, job.set),
     .value = "PATH=VALUE",
     .help = "changes a value of the scene, such as plan.intervals=20; may be repeated"},
    {.name = "--limit",
     .kind = OPTION_TEXT,
     .offset = offsetof(plan_options, job.limit),
     .value = "NAME=VALUE,...",
     .help = LIMIT_HELP},
    {.name = "--out",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .offset = offsetof(plan_options, job.out),
     .value = "FILE",
     .help = "the recording; by default the scene's name with -plan.carom, in the current folder"},
    {.name = "--force", .offset = offsetof(plan_options, job.force), .help = "replaces an existing recording"},
    {.name = "--resume",
     .offset = offsetof(plan_options, job.resume),
     .help = "goes on after the last level that was finished, to the same bits; begins anew if there is none"},
    {.name = "--threads",
     .kind = OPTION_COUNT,
     .offset = offsetof(plan_options, job.threads),
     .value = "N",
     .help = "lets N threads solve; no bit depends on it. Default 1"},
    {.name = "--no-report", .offset = offsetof(plan_options, no_report), .help = "writes no page beside the recording"},
    {.name = "--strict",
     .offset = offsetof(plan_options, strict),
     .help = "exit code 1 when the verdict is amber, too"},
    {.name = "--quiet", .offset = offsetof(plan_options, quiet), .help = "says nothing while all is well"},
    {.name = "--json", .offset = offsetof(plan_options, json), .help = "the summary as one object, no progress"},
    {.name = NULL},
};

static void say_beginning(const plan_job *job, const plan_options *options) {
    if (options->quiet || options->json) return;
    const carom_scene_messages *warnings = job->warnings;
    for (int i = 0; warnings != NULL && i < warnings->count; i++)
        print_scene_message(stderr, &warnings->message[i], true);
    if (!options->job.resume) return;
    if (job->complete)
        note("%s: the plan is finished; there is nothing left to do", job->path);
    else if (job->resumed)
        note("%s: goes on after %d solve%s", job->path, job->kept, job->kept == 1 ? "" : "s");
    else
        note("%s: there is none to resume; begins anew", job->path);
}

// As good a plan without it.
static int add_report(const plan_job *job, const plan_options *options, plan_summary *summary) {
    if (options->no_report || report_page[0] == '\0') return EXIT_GOOD;
    char *name = report_name(job->path);
    carom_error error;
    if (name == NULL) return EXIT_INTERNAL;
    if (try_report(job->path, name, job->def->force || job->resumed, &error)) {
        summary->report = name;
        return EXIT_GOOD;
    }
    note("there is no report of this plan: %s", error.text);
    free(name);
    return error.status == CAROM_ERR_NO_MEMORY ? EXIT_INTERNAL : EXIT_GOOD;
}

static int tell(const plan_job *job, const plan_options *options) {
    plan_summary summary;
    int code = read_plan_summary(job->path, &summary);
    if (code == EXIT_GOOD) code = add_report(job, options, &summary);
    if (code == EXIT_GOOD) {
        summary.warnings = job->warnings;
        if (options->json)
            print_plan_object(stdout, &summary);
        else if (!options->quiet)
            print_plan_summary(stdout, &summary);
        if ((options->json || options->quiet) && summary.verdict.colour != CAROM_COLOUR_GREEN)
            note("%s: %s: %s", job->path, carom_colour_name(summary.verdict.colour), summary.verdict.sentence);
        code = exit_code_of(summary.verdict.colour, options->strict);
    }
    free_plan_summary(&summary);
    return code;
}

static int plan_job_to_end(plan_job *job, const plan_options *options) {
    say_beginning(job, options);
    int code = solve_plan_job(job, !options->quiet && !options->json);
    if (code == EXIT_INTERRUPTED) {
        note("interrupted after %d solve%s, which %s kept; this goes on:", job->kept, job->kept == 1 ? "" : "s",
             job->kept == 1 ? "is" : "are");
        print_plan_resume_command(stderr, job);
    }
    return code == EXIT_GOOD ? tell(job, options) : code;
}

static int run_plan(int argument_count, char **arguments) {
    plan_options options = {.job = {.threads = 1}};
    int words = read_options("plan", plan_table, argument_count, arguments, &options);
    int code = EXIT_BAD_INPUT;
    if (words >= 0 && check_one_word(&verb_plan, "a scene", words, arguments)) {
        plan_job job;
        options.job.scene_file = arguments[0];
        code = begin_plan_job(&job, &options.job);
        if (code == EXIT_GOOD) {
            watch_for_interrupts();
            code = plan_job_to_end(&job, &options);
        }
        end_plan_job(&job);
    }
    free(options.job.set.items);
    return code;
}

const verb verb_plan = {
    .name = "plan",
    .group = GROUP_RUN,
    .arguments = "SCENE [--set PATH=VALUE]... [--limit NAME=VALUE,...] [-o OUT] [--force | --resume] [--threads N]\n"
                 "                  [--no-report] [--strict] [--quiet] [--json]",
    .summary = "solves the plan of a scene into a recording, with a certificate",
    .help = "The motion of least effort that keeps what the scene's \"plan\" asks for, and the controls that make it:\n"
            "docs/plan.md. It is a local optimum; other starts may find better ones. Ctrl-C ends it between two\n"
            "iterations, keeps the levels and starts that are finished and says how to go on (exit code 130).\n"
            "Exit code 1 when the plan is impossible or not to be trusted, and with --strict when it is not proven to\n"
            "be a local optimum. 'carom run SCENE --plan OUT' replays it in the simulator.",
    .options = plan_table,
    .run = run_plan,
};
