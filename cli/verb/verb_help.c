// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "base/json.h"
#include "carom/carom.h"
#include "verb/verb.h"

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
            printf("  %-9s %s\n", verbs[i]->name, verbs[i]->summary);
        }
    }
    printf("\n'carom help VERB' tells more. Every verb takes --json.\n"
           "Exit codes: 0 good, 1 not trustworthy, 2 bad input, 3 internal, 130 interrupted.\n");
}

static void print_json_overview(void) {
    for (int i = 0; verbs[i] != NULL; i++) {
        jsonl_writer json = jsonl_begin(stdout);
        jsonl_text(&json, "verb", verbs[i]->name);
        jsonl_text(&json, "group", group_titles[verbs[i]->group]);
        jsonl_text(&json, "arguments", verbs[i]->arguments);
        jsonl_text(&json, "summary", verbs[i]->summary);
        jsonl_end(&json);
    }
}

void print_verb_help(const verb *about) {
    printf("usage: carom %s %s\n%s\n", about->name, about->arguments, about->summary);
    if (about->options != NULL) {
        printf("\n");
        print_options(about->options);
    }
    if (about->help != NULL) printf("\n%s\n", about->help);
}

typedef struct help_options {
    bool json;
} help_options;

static const option help_table[] = {
    {.name = "--json", .offset = offsetof(help_options, json), .help = "the list, one object a line"},
    {.name = NULL},
};

static int run_help(int argument_count, char **arguments) {
    help_options options = {0};
    int words = read_options("help", help_table, argument_count, arguments, &options);
    if (words < 0) return EXIT_BAD_INPUT;
    if (words > 1 || (words == 1 && options.json))
        return refuse("'help' takes one verb or --json, not %d words", argument_count);
    if (words == 0) {
        if (options.json)
            print_json_overview();
        else
            print_overview();
        return EXIT_GOOD;
    }
    const verb *about = find_verb(arguments[0]);
    if (about == NULL) return refuse("there is no verb '%s' to help with; 'carom help' lists them", arguments[0]);
    print_verb_help(about);
    return EXIT_GOOD;
}

const verb verb_help = {
    .name = "help",
    .group = GROUP_DEVELOP,
    .arguments = "[VERB | --json]",
    .summary = "this list, or more about one verb",
    .options = help_table,
    .run = run_help,
};
