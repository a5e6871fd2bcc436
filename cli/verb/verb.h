// SPDX-License-Identifier: MIT
// The verbs of the program: one file each, one table in main.c.
//
// cli/verb: the words after `carom` enter, an exit code leaves. main.c calls the verb that the first word names, and a
// verb calls the other rooms of cli/.
#ifndef CLI_VERB_H
#define CLI_VERB_H

#include <stdbool.h>

#include "base/options.h"
#include "carom/status.h"

// What the program answers to the shell.
enum exit_code {
    EXIT_GOOD = 0,
    EXIT_NOT_TRUSTWORTHY = 1, // it ran, but the answer misses its contract
    EXIT_BAD_INPUT = 2,
    EXIT_INTERNAL = 3,
    EXIT_INTERRUPTED = 130, // by a signal; what was done is kept
};

typedef enum verb_group { GROUP_RUN, GROUP_LOOK, GROUP_STUDY, GROUP_DEVELOP, GROUP_COUNT } verb_group;

typedef struct verb {
    const char *name;
    verb_group group;
    const char *arguments;                            // as shown after the name in the help
    const char *summary;                              // one line
    const char *help;                                 // further lines for `carom help NAME`, or NULL
    const option *options;                            // ends with a row of zeros; NULL if the verb reads its own
    int (*run)(int argument_count, char **arguments); // arguments after the verb; returns an exit_code
} verb;

extern const verb verb_bench, verb_check, verb_compare, verb_converge, verb_distance, verb_export, verb_gallery,
    verb_hash, verb_help, verb_impact, verb_info, verb_plan, verb_render, verb_report, verb_run, verb_solve,
    verb_verify, verb_version;
extern const verb *const verbs[]; // ends with NULL
const verb *find_verb(const char *name);
void print_verb_help(const verb *about);

// Prints "carom: " and the sentence to the standard error output; returns EXIT_BAD_INPUT.
int refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Prints "carom: " and something that is good to know to the standard error output.
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Like `refuse`, with the sentence of a call that failed; returns the exit code that fits its status.
int refuse_error(const carom_error *error);

// "no memory for WHAT"; returns EXIT_INTERNAL.
int refuse_memory(const char *what);

// Prints why `word` cannot be used where one of `names` (ending with NULL) was wanted, with the nearest of them.
int refuse_unknown(const char *what, const char *word, const char *const *names);

// For verbs that want exactly one word: false, with the sentence, when there is none or more than one.
bool check_one_word(const verb *about, const char *what, int word_count, char **words);

#endif
