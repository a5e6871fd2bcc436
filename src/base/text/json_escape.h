// SPDX-License-Identifier: MIT
// Escapes in the strings of JSON.
#ifndef CRM_BASE_JSON_ESCAPE_H
#define CRM_BASE_JSON_ESCAPE_H

#include <stddef.h>

// How many bytes the escape at `raw`, a backslash, has; 0 when it is none: also \u0000, which no C string can hold, and
// half a pair of \ud800 to \udfff.
size_t crm_json_escape_size(const char *raw, size_t size);

// The code of \uXXXX at `raw`, or -1.
int crm_json_escape_code(const char *raw, size_t size);

// Decodes the character at `*at` into at most 4 bytes, steps over it and returns their number. The string has been
// checked.
int crm_json_decode(const char *raw, size_t *at, char out[4]);

#endif
