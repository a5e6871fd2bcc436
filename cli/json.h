// SPDX-License-Identifier: MIT
// Writes JSON, one object a line. Whatever a text or number holds, the line is valid.
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json_writer {
    FILE *to;
    bool separate; // a comma is due before the next member
} json_writer;

json_writer json_begin(FILE *to); // opens the object
void json_end(json_writer *json); // closes it and ends the line

void json_text(json_writer *json, const char *key, const char *value); // bytes that are no UTF-8 become U+FFFD
void json_number(json_writer *json, const char *key, double value);    // null when not finite
void json_int(json_writer *json, const char *key, int64_t value);
void json_bool(json_writer *json, const char *key, bool value);
void json_null(json_writer *json, const char *key);
void json_hash(json_writer *json, const char *key, uint64_t value); // sixteen hexadecimal digits, as text

void json_open(json_writer *json, const char *key);      // an object inside
void json_close(json_writer *json);                      // closes it
void json_open_list(json_writer *json, const char *key); // a list; its items have the key NULL
void json_close_list(json_writer *json);

#endif
