// SPDX-License-Identifier: MIT
#include "scene/write/scene_text.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/utf8.h"
#include "carom/tools.h"

void crm_scene_number_text(double x, char out[CRM_SCENE_NUMBER_SIZE]) {
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, CRM_SCENE_NUMBER_SIZE, "%.*g", digits, x);
        if (digits == 17 || strtod(out, NULL) == x) break;
    }
    // What is neither digit, sign nor exponent is the locale's point, perhaps of several bytes.
    char *to = out;
    bool pointed = false;
    for (const char *from = out; *from != '\0'; from++) {
        if (strchr("0123456789+-e", *from) != NULL) {
            *to++ = *from;
        } else if (!pointed) {
            *to++ = '.';
            pointed = true;
        }
    }
    *to = '\0';
}

void crm_scene_text_start(crm_scene_text *text, const carom_allocator *allocator) {
    *text = (crm_scene_text){.allocator = *allocator};
}

void crm_scene_text_free(crm_scene_text *text) {
    CRM_ARRAY_FREE(&text->allocator, &text->bytes);
}

void crm_scene_text_add(crm_scene_text *text, const char *bytes, size_t size) {
    if (text->failed || size == 0) return;
    if (size > PTRDIFF_MAX / 2 ||
        !CRM_ARRAY_RESERVE(&text->allocator, &text->bytes, (ptrdiff_t)text->bytes.count + (ptrdiff_t)size)) {
        text->failed = true;
        return;
    }
    memcpy(text->bytes.items + text->bytes.count, bytes, size);
    text->bytes.count += (int)size;
}

void crm_scene_text_word(crm_scene_text *text, const char *word) {
    crm_scene_text_add(text, word, strlen(word));
}

void crm_scene_text_number(crm_scene_text *text, double x) {
    char digits[CRM_SCENE_NUMBER_SIZE];
    crm_scene_number_text(x, digits);
    crm_scene_text_word(text, digits);
}

void crm_scene_text_quoted(crm_scene_text *text, const char *string) {
    crm_scene_text_add(text, "\"", 1);
    for (const char *at = string; *at != '\0'; at++) {
        size_t plain = strcspn(at, "\"\\\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f"
                                   "\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f");
        crm_scene_text_add(text, at, plain);
        at += plain;
        if (*at == '\0') break;
        char escape[8];
        if (*at == '"' || *at == '\\')
            snprintf(escape, sizeof escape, "\\%c", *at);
        else
            snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(unsigned char)*at);
        crm_scene_text_word(text, escape);
    }
    crm_scene_text_add(text, "\"", 1);
}

bool crm_scene_text_end(crm_scene_text *text) {
    crm_scene_text_add(text, "", 1);
    return !text->failed;
}

void crm_scene_show(const char *bytes, size_t size, char *out, size_t room) {
    size_t used = 0, at = 0;
    while (at < size) {
        int length = crm_utf8_size(bytes + at, size - at);
        bool plain = length > 0 && bytes[at] != '\0' && carom_hidden_character(bytes + at) == 0;
        size_t step = length > 0 ? (size_t)length : 1, shown = plain ? step : 1;
        // Room for this character, for "..." should more follow, and for the final zero.
        size_t rest = at + step < size ? 4 : 1;
        if (used + shown + rest > room) {
            memcpy(out + used, "...", 3);
            used += 3;
            break;
        }
        memcpy(out + used, plain ? bytes + at : "?", shown);
        used += shown;
        at += step;
    }
    out[used] = '\0';
}
