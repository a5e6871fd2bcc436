// SPDX-License-Identifier: MIT
// A scene under several methods, or two recordings: how far apart they are.
#include <stdlib.h>

#include "base/output.h"
#include "compare/compare_methods.h"
#include "compare/compare_page.h"
#include "compare/compare_runs.h"
#include "report/report_file.h"
#include "run/run_summary.h"
#include "run/scene_input.h"
#include "verb/verb.h"

typedef struct compare_options {
    compare_methods_def methods; // its tolerance and `strict` are also those of recordings
    const char *out, *report;
    bool force, quiet, json;
} compare_options;

static const option compare_table[] = {
    {.name = "--methods",
     .kind = OPTION_TEXT,
     .offset = offsetof(compare_options, methods.methods),
     .value = "A,B,...",
     .help = "NAME[:FORM][:KEY=VALUE][:STEP]...; all are compared with the first"},
    {.name = "--tolerance",
     .kind = OPTION_NUMBER,
     .offset = offsetof(compare_options, methods.tolerance),
     .value = "X",
     .help = "differences up to X, in SI units, are none. Default 0"},
    {.name = "--set",
     .kind = OPTION_LIST,
     .offset = offsetof(compare_options, methods.set),
     .value = "PATH=VALUE",
     .help = "changes a value of the scene, such as method.step=1e-2; may be repeated"},
    {.name = "--limit",
     .kind = OPTION_TEXT,
     .offset = offsetof(compare_options, methods.limit),
     .value = "NAME=VALUE,...",
     .help = LIMIT_HELP},
    {.name = "--until",
     .kind = OPTION_SECONDS,
     .offset = offsetof(compare_options, methods.until),
     .value = "T",
     .help = "ends at T seconds of simulated time, whatever the scene says"},
    {.name = "--out",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .offset = offsetof(compare_options, out),
     .value = "FILE",
     .help = "writes there instead of to the standard output"},
    {.name = "--report",
     .kind = OPTION_TEXT,
     .offset = offsetof(compare_options, report),
     .value = "FILE",
     .help = "also writes a page with plots, for a browser"},
    {.name = "--force", .offset = offsetof(compare_options, force), .help = "replaces an existing file"},
    {.name = "--strict",
     .offset = offsetof(compare_options, methods.strict),
     .help = "exit code 1 when the verdict on a run is amber, too"},
    {.name = "--quiet", .offset = offsetof(compare_options, quiet), .help = "no progress"},
    {.name = "--json",
     .offset = offsetof(compare_options, json),
     .help = "one object a method, or one about both recordings; no progress"},
    {.name = NULL},
};

static int report_methods(const compare_options *options, FILE *to) {
    methods_comparison c;
    int code = compare_methods(&c, &options->methods);
    if (code == EXIT_GOOD) {
        code = conclude_methods(&c);
        if (options->json)
            print_methods_json(to, &c);
        else
            print_methods_text(to, &c);
        int outcome = options->report != NULL ? write_methods_page(options->report, options->force, &c) : EXIT_GOOD;
        if (outcome != EXIT_GOOD) code = outcome;
    }
    free_methods_comparison(&c);
    return code;
}

// They agree, and no verdict on one is red (or amber and `strict`).
static int conclude_runs(const runs_comparison *c, bool strict) {
    int code = c->agree ? EXIT_GOOD : EXIT_NOT_TRUSTWORTHY;
    for (int i = 0; i < 2 && code == EXIT_GOOD; i++)
        code = exit_code_of(carom_recording_verdict(&c->side[i].info, NULL).colour, strict);
    return code;
}

static int report_runs(const compare_options *options, char **runs, FILE *to) {
    runs_comparison c;
    int code = compare_runs(&c, runs[0], runs[1], options->methods.tolerance);
    if (code == EXIT_GOOD) {
        code = conclude_runs(&c, options->methods.strict);
        if (options->json)
            print_runs_json(to, &c);
        else
            print_runs_text(to, &c);
        int outcome = options->report != NULL ? write_runs_page(options->report, options->force, &c) : EXIT_GOOD;
        if (outcome != EXIT_GOOD) code = outcome;
    }
    free_runs_comparison(&c);
    return code;
}

static int compare(compare_options *options, int words, char **arguments) {
    bool of_scene = options->methods.methods != NULL;
    if (of_scene && !check_one_word(&verb_compare, "one scene with --methods", words, arguments)) return EXIT_BAD_INPUT;
    if (!of_scene && words != 2)
        return refuse("'compare' needs two recordings, or a scene and --methods; 'carom help compare' tells more");
    if (!of_scene && (options->methods.set.count > 0 || options->methods.until >= 0.0))
        return refuse("--set and --until are for a scene with --methods; recordings are compared as they are");
    if (options->report != NULL && check_report_place(options->report, options->force) != EXIT_GOOD)
        return EXIT_BAD_INPUT;
    output out;
    int code = open_output(&out, options->out, options->force);
    options->methods.scene_file = arguments[0];
    options->methods.show_progress = !options->json && !options->quiet;
    options->methods.keep_paths = options->report != NULL;
    if (code == EXIT_GOOD) code = of_scene ? report_methods(options, out.to) : report_runs(options, arguments, out.to);
    return close_output(&out, code);
}

static int run_compare(int argument_count, char **arguments) {
    compare_options options = {.methods = {.until = -1.0}};
    int words = read_options("compare", compare_table, argument_count, arguments, &options);
    int code = words >= 0 ? compare(&options, words, arguments) : EXIT_BAD_INPUT;
    free(options.methods.set.items);
    return code;
}

const verb verb_compare = {
    .name = "compare",
    .group = GROUP_STUDY,
    .arguments = "SCENE --methods A,B,... [--tolerance X] [--set PATH=VALUE]... [--limit NAME=VALUE,...] [--until T]\n"
                 "                     [-o FILE] [--report FILE] [--force] [--strict] [--quiet] [--json]\n"
                 "       carom compare RUN RUN [--tolerance X] [-o FILE] [--report FILE] [--force] [--strict]\n"
                 "                     [--json]",
    .summary = "a scene under several methods, or two recordings: how far apart they are",
    .help = "A scene: what each method certifies and costs, and the largest differences in each tenth of the\n"
            "time. Recordings: the first step, frame, body and quantity that differ, and the largest differences\n"
            "of frames at the same times. The tolerance is for positions (m), attitudes (rad), velocities (m/s),\n"
            "spins (rad/s), and of recordings also energies (J) and momenta. Exit code 0 when nothing differs by\n"
            "more, 1 when something does, one run ends earlier, or the verdict on one is red (with --strict: or\n"
            "amber), 2 for bad input.",
    .options = compare_table,
    .run = run_compare,
};
