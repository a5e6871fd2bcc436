// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "base/json.h"
#include "carom/carom.h"
#include "verb/verb.h"

typedef struct version_options {
    bool json;
} version_options;

static const option version_table[] = {
    {.name = "--json", .offset = offsetof(version_options, json), .help = "one object"},
    {.name = NULL},
};

static int run_version(int argument_count, char **arguments) {
    version_options options = {0};
    int words = read_options("version", version_table, argument_count, arguments, &options);
    if (words < 0) return EXIT_BAD_INPUT;
    if (words > 0) return refuse("'version' takes only --json, not '%s'", arguments[0]);
    if (options.json) {
        jsonl_writer json = jsonl_begin(stdout);
        jsonl_text(&json, "version", carom_version());
        jsonl_text(&json, "build", carom_build_description());
        jsonl_end(&json);
    } else {
        printf("carom %s (%s)\n", carom_version(), carom_build_description());
    }
    return EXIT_GOOD;
}

const verb verb_version = {
    .name = "version",
    .group = GROUP_DEVELOP,
    .arguments = "[--json]",
    .summary = "the version and how it was built",
    .options = version_table,
    .run = run_version,
};
