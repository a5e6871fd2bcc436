// SPDX-License-Identifier: MIT
// Options of verbs, from a table: `--name value`, `--name=value`, `-n value`; `--` ends the options.
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stddef.h>

typedef enum option_kind {
    OPTION_FLAG,    // to a bool
    OPTION_TEXT,    // to a const char *
    OPTION_LIST,    // to a text_list: may be given many times
    OPTION_SECONDS, // to a double, finite and not negative
    OPTION_NUMBER,  // to a double, finite and not negative
    OPTION_COUNT,   // to an int, at least 1
} option_kind;

typedef struct option {
    const char *name; // with its dashes
    char letter;      // short form, or 0
    option_kind kind;
    size_t offset;     // of the field in the verb's struct of options
    const char *value; // what stands for the value in the help; NULL for a flag
    const char *help;
} option;

typedef struct text_list {
    int count;
    const char **items; // freed by the verb
} text_list;

// Fills `into`, which holds the defaults, by the table (ending with a row of zeros), and moves the words that are no
// options to the front of `arguments`. Returns their number, or -1 after a sentence about what cannot be used.
int read_options(const char *verb_name, const option *table, int argument_count, char **arguments, void *into);

// One line an option, for the help.
void print_options(const option *table);

#endif
