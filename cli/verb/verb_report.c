// SPDX-License-Identifier: MIT
// A recording as a page to look at: one HTML file.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/text.h"
#include "report/report_file.h"
#include "run/run_summary.h"
#include "verb/verb.h"

typedef struct report_options {
    const char *out;
    bool force, strict, json;
} report_options;

static const option report_table[] = {
    {.name = "--out",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .offset = offsetof(report_options, out),
     .value = "FILE",
     .help = "the page; by default beside the recording, with .html"},
    {.name = "--force", .offset = offsetof(report_options, force), .help = "replaces an existing report"},
    {.name = "--strict",
     .offset = offsetof(report_options, strict),
     .help = "exit code 1 when the verdict is amber, too"},
    {.name = "--json", .offset = offsetof(report_options, json), .help = "says as an object what was written"},
    {.name = NULL},
};

static void say_size(const char *to, const carom_report_size *size, const run_summary *summary, bool as_object) {
    if (as_object) {
        jsonl_writer json = jsonl_begin(stdout);
        jsonl_text(&json, "recording", summary->path);
        jsonl_text(&json, "report", to);
        jsonl_int(&json, "bytes", size->bytes);
        jsonl_int(&json, "frames", size->frames);
        jsonl_int(&json, "frame_stride", size->frame_stride);
        jsonl_int(&json, "certificate_rows", size->rows);
        put_verdict(&json, &summary->verdict, &summary->info, summary->finding);
        jsonl_end(&json);
        return;
    }
    print_clean(stdout, to);
    printf(": %.1f MB, %" PRId64 " frame%s", 1e-6 * (double)size->bytes, size->frames, size->frames == 1 ? "" : "s");
    if (size->frame_stride > 1) printf(" (1 of %" PRId64 " recorded)", size->frame_stride);
    fputs("; ", stdout);
    print_coloured(stdout, wants_colour(stdout), summary->verdict.colour, carom_colour_name(summary->verdict.colour));
    fputs(": ", stdout);
    print_clean(stdout, summary->verdict.sentence);
    fputc('\n', stdout);
}

static int run_report(int argument_count, char **arguments) {
    report_options options = {0};
    int words = read_options("report", report_table, argument_count, arguments, &options);
    if (words < 0 || !check_one_word(&verb_report, "a recording", words, arguments)) return EXIT_BAD_INPUT;
    char *name = options.out == NULL ? report_name(arguments[0]) : NULL;
    if (options.out == NULL && name == NULL) return EXIT_INTERNAL;
    const char *to = name != NULL ? name : options.out;
    carom_report_size size;
    run_summary summary;
    int code = write_report(arguments[0], to, options.force, &size);
    if (code == EXIT_GOOD) code = read_summary(arguments[0], &summary);
    if (code == EXIT_GOOD) {
        say_size(to, &size, &summary, options.json);
        code = exit_code_of(summary.verdict.colour, options.strict);
    }
    free(name);
    return code;
}

const verb verb_report = {
    .name = "report",
    .group = GROUP_LOOK,
    .arguments = "RUN [-o FILE] [--force] [--strict] [--json]",
    .summary = "a recording as a page with motion, plots and certificates, for a browser",
    .help = "One file that needs no network; also of a run that was killed or is still going on. 'carom run' writes\n"
            "it at its end. Exit code 1 when the verdict on the run is red, and with --strict when it is amber; the\n"
            "page is written all the same.",
    .options = report_table,
    .run = run_report,
};
