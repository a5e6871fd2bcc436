// SPDX-License-Identifier: MIT
// One collision of two bodies, under every law.
#include "pair/impact_report.h"
#include "verb/verb.h"

typedef struct impact_options {
    bool json;
} impact_options;

static const option impact_table[] = {
    {.name = "--json", .offset = offsetof(impact_options, json), .help = "one object"},
    {.name = NULL},
};

static int run_impact(int argument_count, char **arguments) {
    impact_options options = {0};
    int words = read_options("impact", impact_table, argument_count, arguments, &options);
    if (words < 0 || !check_one_word(&verb_impact, "a collision", words, arguments)) return EXIT_BAD_INPUT;
    impact_report report;
    int code = find_impacts(arguments[0], &report);
    if (code != EXIT_GOOD) return code;
    if (options.json)
        print_impacts_object(&report);
    else
        print_impacts(&report);
    return EXIT_GOOD;
}

const verb verb_impact = {
    .name = "impact",
    .group = GROUP_STUDY,
    .arguments = "COLLISION [--json]",
    .summary = "one collision of two bodies, under every law",
    .help = "COLLISION is a file with two bodies, a point, a normal and a material (docs/methods-classic.md).",
    .options = impact_table,
    .run = run_impact,
};
