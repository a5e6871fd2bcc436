// SPDX-License-Identifier: MIT
// A file in memory to write text to. Unlike open_memstream(), which loses what it has no memory for and says nothing,
// it is whole or not there.
#ifndef CLI_MEMORY_FILE_H
#define CLI_MEMORY_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct memory_file {
    FILE *to;
    char *text; // what was written so far, and a zero
    size_t size, room;
    bool failed;
} memory_file;

// The file must not be moved in memory until it is closed. False: no memory.
bool memory_file_open(memory_file *file);

// The text, freed by the caller, and its size; NULL, when not everything is in it.
char *memory_file_close(memory_file *file);

#endif
