// SPDX-License-Identifier: MIT
// Finds the verb and runs it.
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "verb/verb.h"

// In the order of the help, within their groups.
const verb *const verbs[] = {&verb_run,      &verb_plan,     &verb_check,   &verb_info,    &verb_hash,
                             &verb_export,   &verb_report,   &verb_render,  &verb_gallery, &verb_compare,
                             &verb_converge, &verb_distance, &verb_impact,  &verb_solve,   &verb_verify,
                             &verb_bench,    &verb_help,     &verb_version, NULL};

const verb *find_verb(const char *name) {
    // What people type out of habit.
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) name = "help";
    if (strcmp(name, "--version") == 0) name = "version";
    for (int i = 0; verbs[i] != NULL; i++)
        if (strcmp(verbs[i]->name, name) == 0) return verbs[i];
    return NULL;
}

// `carom VERB --help` is `carom help VERB`.
static bool asks_for_help(int argument_count, char **arguments) {
    for (int i = 0; i < argument_count && strcmp(arguments[i], "--") != 0; i++)
        if (strcmp(arguments[i], "--help") == 0 || strcmp(arguments[i], "-h") == 0) return true;
    return false;
}

int main(int argc, char **argv) {
    signal(SIGXFSZ, SIG_IGN); // a file that reaches a limit is an error like a full disk, with a sentence
    if (argc < 2) return verb_help.run(0, NULL);
    const verb *chosen = find_verb(argv[1]);
    if (chosen == NULL) {
        const char *names[sizeof verbs / sizeof verbs[0]] = {NULL};
        for (int i = 0; verbs[i] != NULL; i++) names[i] = verbs[i]->name;
        return refuse_unknown("verb", argv[1], names);
    }
    int code = EXIT_GOOD;
    if (asks_for_help(argc - 2, argv + 2))
        print_verb_help(chosen);
    else
        code = chosen->run(argc - 2, argv + 2);
    // A full disk or a closed pipe must not pass for success.
    if (fflush(stdout) != 0 && code == EXIT_GOOD) {
        perror("carom: standard output");
        return EXIT_INTERNAL;
    }
    return code;
}
