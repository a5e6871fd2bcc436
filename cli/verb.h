// SPDX-License-Identifier: MIT
// The verbs of the program: one file each, one table in main.c.
#ifndef CLI_VERB_H
#define CLI_VERB_H

#include <stdbool.h>

// What the program answers to the shell.
enum exit_code {
    EXIT_GOOD = 0,
    EXIT_NOT_TRUSTWORTHY = 1, // it ran, but the answer misses its contract
    EXIT_BAD_INPUT = 2,
    EXIT_INTERNAL = 3,
};

typedef enum verb_group { GROUP_RUN, GROUP_LOOK, GROUP_STUDY, GROUP_DEVELOP, GROUP_COUNT } verb_group;

typedef struct verb {
    const char *name;
    verb_group group;
    const char *arguments;                            // as shown after the name in the help
    const char *summary;                              // one line
    const char *help;                                 // further lines for `carom help NAME`, or NULL
    int (*run)(int argument_count, char **arguments); // arguments after the verb; returns an exit_code
} verb;

extern const verb *const verbs[]; // ends with NULL
const verb *find_verb(const char *name);

// Prints "carom: " and the sentence to the standard error output; returns EXIT_BAD_INPUT.
int refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Prints why `word` cannot be used where one of `names` (ending with NULL) was wanted, with the nearest of them.
int refuse_unknown(const char *what, const char *word, const char *const *names);

// For verbs whose only option is --json: reads it, or refuses with a sentence and returns false.
bool read_json_option(const char *verb_name, int argument_count, char **arguments, bool *json);

#endif
