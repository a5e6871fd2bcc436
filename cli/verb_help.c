// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "carom/carom.h"
#include "verb.h"

static const char *const group_titles[GROUP_COUNT] = {
    [GROUP_RUN] = "run", [GROUP_LOOK] = "look", [GROUP_STUDY] = "study", [GROUP_DEVELOP] = "develop"};

static void print_overview(void) {
    printf("carom %s: bodies in contact, with a certificate on every step\n\nusage: carom VERB [arguments]\n",
           carom_version());
    for (int group = 0; group < GROUP_COUNT; group++) {
        bool titled = false;
        for (int i = 0; verbs[i] != NULL; i++) {
            if (verbs[i]->group != (verb_group)group) continue;
            if (!titled) printf("\n%s\n", group_titles[group]);
            titled = true;
            printf("  %-10s %-20s %s\n", verbs[i]->name, verbs[i]->arguments, verbs[i]->summary);
        }
    }
    printf("\n'carom help VERB' tells more. Exit codes: 0 good, 1 not trustworthy, 2 bad input, 3 internal.\n");
}

static void print_json_overview(void) {
    for (int i = 0; verbs[i] != NULL; i++)
        printf("{\"verb\":\"%s\",\"group\":\"%s\",\"arguments\":\"%s\",\"summary\":\"%s\"}\n", verbs[i]->name,
               group_titles[verbs[i]->group], verbs[i]->arguments, verbs[i]->summary);
}

static int run_help(int argument_count, char **arguments) {
    if (argument_count == 0) {
        print_overview();
        return EXIT_GOOD;
    }
    if (argument_count > 1) return refuse("'help' takes one verb or --json, not %d words", argument_count);
    if (strcmp(arguments[0], "--json") == 0) {
        print_json_overview();
        return EXIT_GOOD;
    }
    const verb *about = find_verb(arguments[0]);
    if (about == NULL) return refuse("there is no verb '%s' to help with; 'carom help' lists them", arguments[0]);
    printf("usage: carom %s %s\n%s\n", about->name, about->arguments, about->summary);
    if (about->help != NULL) printf("\n%s\n", about->help);
    return EXIT_GOOD;
}

const verb verb_help = {
    .name = "help",
    .group = GROUP_DEVELOP,
    .arguments = "[VERB | --json]",
    .summary = "this list, or more about one verb",
    .run = run_help,
};
