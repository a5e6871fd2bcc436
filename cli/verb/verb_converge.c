// SPDX-License-Identifier: MIT
// Runs a scene with every method at halved steps and says at which order it converges, and at what cost.
#include <stdlib.h>

#include "base/output.h"
#include "report/report_file.h"
#include "run/scene_input.h"
#include "study/converge_report.h"
#include "verb/verb.h"

typedef struct converge_options {
    converge_def study;
    const char *out, *report;
    bool force, quiet, json;
} converge_options;

static const option converge_table[] = {
    {.name = "--methods",
     .kind = OPTION_TEXT,
     .offset = offsetof(converge_options, study.methods),
     .value = "A,B,...",
     .help = "NAME[:FORM][:KEY=VALUE]..., such as euler:velocity. Default: every method that suits the scene"},
    {.name = "--halvings",
     .kind = OPTION_COUNT,
     .offset = offsetof(converge_options, study.halvings),
     .value = "N",
     .help = "the scene's step and its halves, N times. Default 3"},
    {.name = "--reference",
     .kind = OPTION_TEXT,
     .offset = offsetof(converge_options, study.reference),
     .value = "R",
     .help = "errors against METHOD[:STEP] or a recording, not among the runs"},
    {.name = "--set",
     .kind = OPTION_LIST,
     .offset = offsetof(converge_options, study.set),
     .value = "PATH=VALUE",
     .help = "changes a value of the scene, such as method.step=1e-2; may be repeated"},
    {.name = "--limit",
     .kind = OPTION_TEXT,
     .offset = offsetof(converge_options, study.limit),
     .value = "NAME=VALUE,...",
     .help = LIMIT_HELP},
    {.name = "--until",
     .kind = OPTION_SECONDS,
     .offset = offsetof(converge_options, study.until),
     .value = "T",
     .help = "ends at T seconds of simulated time, whatever the scene says"},
    {.name = "--at-end",
     .offset = offsetof(converge_options, study.at_end),
     .help = "compares at the end only, not at up to 1000 times on the way"},
    {.name = "--out",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .offset = offsetof(converge_options, out),
     .value = "FILE",
     .help = "writes there instead of to the standard output"},
    {.name = "--report",
     .kind = OPTION_TEXT,
     .offset = offsetof(converge_options, report),
     .value = "FILE",
     .help = "also writes a page with plots, for a browser"},
    {.name = "--force", .offset = offsetof(converge_options, force), .help = "replaces an existing file"},
    {.name = "--strict",
     .offset = offsetof(converge_options, study.strict),
     .help = "exit code 1 when the verdict on a method is amber, too"},
    {.name = "--quiet", .offset = offsetof(converge_options, quiet), .help = "no progress"},
    {.name = "--json",
     .offset = offsetof(converge_options, json),
     .help = "one object a run and one a method, no progress"},
    {.name = NULL},
};

// A step halved more often than this is below a millionth of the scene's, and takes a million times as long.
enum { MOST_HALVINGS = 20 };

static int converge(const converge_options *options) {
    const converge_def *def = &options->study;
    if (def->halvings > MOST_HALVINGS)
        return refuse("--halvings is %d, must be 1 to %d; a shorter step is set by --set method.step=...",
                      def->halvings, MOST_HALVINGS);
    if (options->report != NULL && check_report_place(options->report, options->force) != EXIT_GOOD)
        return EXIT_BAD_INPUT;
    output out;
    int code = open_output(&out, options->out, options->force);
    if (code == EXIT_GOOD) {
        converge_report report;
        code = make_converge_report(&report, def);
        if (code == EXIT_GOOD) {
            code = conclude_converge_report(&report);
            if (options->json)
                print_converge_json(out.to, &report);
            else
                print_converge_text(out.to, &report);
            if (options->report != NULL) {
                int outcome = write_converge_page(options->report, options->force, &report);
                if (outcome != EXIT_GOOD) code = outcome;
            }
        }
        free_converge_report(&report);
    }
    return close_output(&out, code);
}

static int run_converge(int argument_count, char **arguments) {
    converge_options options = {.study = {.until = -1.0, .halvings = 3}};
    int words = read_options("converge", converge_table, argument_count, arguments, &options), code = EXIT_BAD_INPUT;
    if (words >= 0 && check_one_word(&verb_converge, "a scene", words, arguments)) {
        options.study.scene_file = arguments[0];
        options.study.show_progress = !options.json && !options.quiet;
        code = converge(&options);
    }
    free(options.study.set.items);
    return code;
}

const verb verb_converge = {
    .name = "converge",
    .group = GROUP_STUDY,
    .arguments =
        "SCENE [--methods A,B,...] [--halvings N] [--reference R] [--at-end]\n"
        "                      [--set PATH=VALUE]... [--limit NAME=VALUE,...] [--until T] [-o FILE] [--report FILE]\n"
        "                      [--force] [--strict] [--quiet] [--json]",
    .summary = "the order at which methods converge as the step is halved, and what it costs",
    .help = "A table a method: differences to the run with half the step (or errors against a reference), the\n"
            "order from row to row, energy drift, processor time a step. Then all runs by cost, with errors\n"
            "estimated by Richardson's rule. Energy drift is the largest change beyond the work of forces, as a\n"
            "share of the largest kinetic energy. Differences within 1e-11 of a quantity's size are rounding and\n"
            "give no order. A method that refuses the scene, or a step that is too long, says so and the others\n"
            "go on. Exit code 1 when no method ran at two steps, or when the verdict on the run at the shortest\n"
            "step of one is red (with --strict: or amber).",
    .options = converge_table,
    .run = run_converge,
};
