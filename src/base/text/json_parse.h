// SPDX-License-Identifier: MIT
// Text to a tree of jansson's values. jansson's own parser aborts, or drops a character of a name or a number, when its
// buffer cannot grow; its constructors tell. So the text is read here, and the tree is whole or not there.
#ifndef CRM_BASE_JSON_PARSE_H
#define CRM_BASE_JSON_PARSE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

enum {
    CRM_JSON_ANY_ROOT = 1,    // else an object or an array
    CRM_JSON_REALS = 2,       // whole numbers become reals
    CRM_JSON_UNIQUE_KEYS = 4, // else the last of equal keys counts
};

// Objects and arrays inside each other, at most.
enum { CRM_JSON_DEPTH = 2048 };

typedef struct crm_json_error {
    bool no_memory;   // or what is wrong with the text:
    int line, column; // of the first byte that does not fit, from 1; at the end of the text, of its last byte
    char text[128];
} crm_json_error;

// For json_decref; NULL with `*why` when the text is wrong or memory is short.
json_t *crm_json_parse(const char *text, size_t size, unsigned options, crm_json_error *why);

// The same of what is left of a file.
json_t *crm_json_parse_file(FILE *file, unsigned options, crm_json_error *why);

#endif
