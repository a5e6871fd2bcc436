// SPDX-License-Identifier: MIT
// Characters of UTF-8, byte by byte.
//
// base/text: text from outside enters, characters and JSON trees leave. The rooms that read files call it.
#ifndef CRM_BASE_UTF8_H
#define CRM_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

// How many bytes the character at `bytes` has; 0 when there is no valid one.
int crm_utf8_size(const char *bytes, size_t size);

// Whether all of it is valid.
bool crm_utf8_is_valid(const char *bytes, size_t size);

// The bytes of a character, at most 4; returns their number.
int crm_utf8_encode(unsigned code, char out[4]);

#endif
