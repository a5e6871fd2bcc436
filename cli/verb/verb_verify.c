// SPDX-License-Identifier: MIT
// Carom against files of reference data.
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "verb/verb.h"
#include "verify/verify.h"

typedef struct verify_options {
    bool json;
} verify_options;

static const option verify_table[] = {
    {.name = "--json", .offset = offsetof(verify_options, json), .help = "one object a file"},
    {.name = NULL},
};

// A set that fails everywhere is told by its first cases.
enum { MOST_FAILURES_SHOWN = 20 };

typedef struct failures {
    const char *file;
    int count;
} failures;

static void print_failure(void *user, const char *id, const char *text) {
    failures *seen = user;
    if (seen->count++ >= MOST_FAILURES_SHOWN) return;
    print_clean(stderr, seen->file);
    fputs(": ", stderr);
    print_clean(stderr, id);
    fputs(": ", stderr);
    print_clean(stderr, text);
    fputc('\n', stderr);
}

static void print_report_object(const char *file, const carom_verify_report *report) {
    jsonl_writer json = jsonl_begin(stdout);
    jsonl_text(&json, "file", file);
    jsonl_int(&json, "cases", report->cases);
    jsonl_int(&json, "passed", report->passed);
    jsonl_int(&json, "failed", report->failed);
    jsonl_int(&json, "unsupported", report->unsupported);
    jsonl_text(&json, "unsupported_kinds", report->unsupported_kinds);
    jsonl_text(&json, "not_compared", report->not_compared);
    if (report->worst_id[0] == '\0') {
        jsonl_null(&json, "worst");
    } else {
        jsonl_open(&json, "worst");
        jsonl_text(&json, "id", report->worst_id);
        jsonl_text(&json, "quantity", report->worst_quantity);
        jsonl_number(&json, "error", report->worst_error);
        jsonl_number(&json, "tolerance", report->worst_tolerance);
        jsonl_close(&json);
    }
    jsonl_end(&json);
}

// The last name of a path, as a table has no room for the rest.
static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

static void print_row(const char *file, const carom_verify_report *report) {
    char name[32];
    snprintf(name, sizeof name, "%s", file_name(file));
    for (char *at = name; *at != '\0'; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7f) *at = '?';
    printf("%-31s %7d %7d %7d %7d", name, report->cases, report->passed, report->failed, report->unsupported);
    if (report->worst_id[0] != '\0') {
        printf("  %.1e of %.1e: ", report->worst_error, report->worst_tolerance);
        print_clean(stdout, report->worst_quantity);
        fputs(" in ", stdout);
        print_clean(stdout, report->worst_id);
    }
    fputc('\n', stdout);
    if (report->not_compared[0] != '\0') {
        fputs("  not compared: ", stdout);
        print_clean(stdout, report->not_compared);
        fputc('\n', stdout);
    }
}

static void tell_unsupported(const char *file, const carom_verify_report *report) {
    print_clean(stderr, file);
    fprintf(stderr, ": %d of %d cases are of kinds that carom does not check: ", report->unsupported, report->cases);
    print_clean(stderr, report->unsupported_kinds[0] != '\0' ? report->unsupported_kinds : "kinds without a name");
    fputc('\n', stderr);
}

static int verify_one(const char *file, bool json) {
    carom_verify_report report;
    carom_error error;
    failures seen = {.file = file};
    if (carom_verify_file(file, NULL, print_failure, &seen, &report, &error) != CAROM_OK) return refuse_error(&error);
    if (seen.count > MOST_FAILURES_SHOWN) note("%s: and %d more", file, seen.count - MOST_FAILURES_SHOWN);
    if (json)
        print_report_object(file, &report);
    else
        print_row(file, &report);
    if (report.unsupported > 0) tell_unsupported(file, &report);
    return report.failed + report.unsupported > 0 ? EXIT_NOT_TRUSTWORTHY : EXIT_GOOD;
}

static int run_verify(int argument_count, char **arguments) {
    verify_options options = {0};
    int words = read_options("verify", verify_table, argument_count, arguments, &options);
    if (words < 0) return EXIT_BAD_INPUT;
    if (words == 0) return refuse("'verify' needs files of reference data: carom verify FILE...");
    if (!options.json) printf("%-31s %7s %7s %7s %7s  %s\n", "file", "cases", "passed", "failed", "not yet", "worst");
    int code = EXIT_GOOD;
    for (int i = 0; i < words; i++) {
        int outcome = verify_one(arguments[i], options.json);
        if (outcome > code) code = outcome;
    }
    return code;
}

const verb verb_verify = {
    .name = "verify",
    .group = GROUP_STUDY,
    .arguments = "FILE... [--json]",
    .summary = "carom against files of reference data",
    .help = "'worst' is the case that came closest to its tolerance or exceeded it most. Exit code 1 when a case "
            "fails,\nor is of a kind that carom does not check, which is named. Expected fields that no check has read "
            "are\nnamed as not compared.",
    .options = verify_table,
    .run = run_verify,
};
