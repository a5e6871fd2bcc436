// SPDX-License-Identifier: MIT
// Writes JSON, one object a line ("JSON lines"). Whatever a text or number holds, the line is valid. The prefix is not
// that of jansson, which the library links: its functions must not be replaced by ours.
//
// cli/base: what every verb needs. Words of the command line enter and become options; text, JSON lines and sentences
// for bad input leave, to a terminal or a file. All other rooms of cli/ call it, and it calls none of them.
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "carom/types.h"

typedef struct jsonl_writer {
    FILE *to;
    bool separate; // a comma is due before the next member
} jsonl_writer;

jsonl_writer jsonl_begin(FILE *to); // opens the object
void jsonl_end(jsonl_writer *json); // closes it and ends the line

void jsonl_text(jsonl_writer *json, const char *key, const char *value); // bytes that are no UTF-8 become U+FFFD
void jsonl_number(jsonl_writer *json, const char *key, double value);    // null when not finite
void jsonl_int(jsonl_writer *json, const char *key, int64_t value);
void jsonl_bool(jsonl_writer *json, const char *key, bool value);
void jsonl_null(jsonl_writer *json, const char *key);
void jsonl_hash(jsonl_writer *json, const char *key, uint64_t value); // sixteen hexadecimal digits, as text

void jsonl_open(jsonl_writer *json, const char *key);      // an object inside
void jsonl_close(jsonl_writer *json);                      // closes it
void jsonl_open_list(jsonl_writer *json, const char *key); // a list; its items have the key NULL
void jsonl_close_list(jsonl_writer *json);
void jsonl_vector(jsonl_writer *json, const char *key, carom_vec3 value); // a list of three numbers

#endif
