// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "carom/carom.h"
#include "verb.h"

static int run_version(int argument_count, char **arguments) {
    bool json;
    if (!read_json_option("version", argument_count, arguments, &json)) return EXIT_BAD_INPUT;
    if (json)
        printf("{\"version\":\"%s\",\"build\":\"%s\"}\n", carom_version(), carom_build_description());
    else
        printf("carom %s (%s)\n", carom_version(), carom_build_description());
    return EXIT_GOOD;
}

const verb verb_version = {
    .name = "version",
    .group = GROUP_DEVELOP,
    .arguments = "[--json]",
    .summary = "the version and how it was built",
    .run = run_version,
};
