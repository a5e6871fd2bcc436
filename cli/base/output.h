// SPDX-License-Identifier: MIT
// Where a verb prints to: the standard output, or a file that appears when it is whole.
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct output {
    FILE *to;
    const char *path;
    char *temporary; // what is written until it is whole; NULL: `to` is the standard output or no ordinary file
} output;

// `path` NULL or "-" is the standard output. An existing file is refused unless `force`. The exit code, after a
// sentence if it is not EXIT_GOOD; to be closed in any case.
int open_output(output *out, const char *path, bool force);
// Passes `code` on, unless what was printed cannot be written. A file that nothing was printed to does not appear.
int close_output(output *out, int code);

#endif
