// SPDX-License-Identifier: MIT
// Text that grows, and the JSON forms of numbers and strings.
//
// Failure is sticky: a text that once had no memory ignores what follows and says so in `failed`.
#ifndef CRM_SCENE_SCENE_TEXT_H
#define CRM_SCENE_SCENE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/array.h"
#include "carom/api.h"

typedef struct crm_scene_text {
    carom_allocator allocator;
    CRM_ARRAY(char) bytes; // without a final zero until crm_scene_text_end
    bool failed;
} crm_scene_text;

enum { CRM_SCENE_NUMBER_SIZE = 32 };

// The fewest digits that read back to the same double, with a point whatever the locale. `x` must be finite.
void crm_scene_number_text(double x, char out[CRM_SCENE_NUMBER_SIZE]);

void crm_scene_text_start(crm_scene_text *text, const carom_allocator *allocator);
void crm_scene_text_free(crm_scene_text *text);

void crm_scene_text_add(crm_scene_text *text, const char *bytes, size_t size);
void crm_scene_text_word(crm_scene_text *text, const char *word);
void crm_scene_text_number(crm_scene_text *text, double x);

// In double quotes, escaped as JSON wants it; other bytes as they are.
void crm_scene_text_quoted(crm_scene_text *text, const char *string);

// Ends the text with a zero byte; false when it has failed.
bool crm_scene_text_end(crm_scene_text *text);

// A copy of at most `room` - 1 bytes for a message: control characters and bytes that are no UTF-8 become '?', and what
// is cut off ends in "...". `room` is at least 8.
void crm_scene_show(const char *bytes, size_t size, char *out, size_t room);

#endif
