// SPDX-License-Identifier: MIT
// Finds the verb and runs it.
#include <stdio.h>
#include <string.h>

#include "verb.h"

extern const verb verb_bench, verb_help, verb_version;

const verb *const verbs[] = {&verb_bench, &verb_help, &verb_version, NULL};

const verb *find_verb(const char *name) {
    // What people type out of habit.
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) name = "help";
    if (strcmp(name, "--version") == 0) name = "version";
    for (int i = 0; verbs[i] != NULL; i++)
        if (strcmp(verbs[i]->name, name) == 0) return verbs[i];
    return NULL;
}

int main(int argc, char **argv) {
    if (argc < 2) return verb_help.run(0, NULL);
    const verb *chosen = find_verb(argv[1]);
    if (chosen == NULL) {
        const char *names[sizeof verbs / sizeof verbs[0]] = {NULL};
        for (int i = 0; verbs[i] != NULL; i++) names[i] = verbs[i]->name;
        return refuse_unknown("verb", argv[1], names);
    }
    int code = chosen->run(argc - 2, argv + 2);
    // A full disk or a closed pipe must not pass for success.
    if (fflush(stdout) != 0 && code == EXIT_GOOD) {
        perror("carom: standard output");
        return EXIT_INTERNAL;
    }
    return code;
}
