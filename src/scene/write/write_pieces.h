// SPDX-License-Identifier: MIT
// The pieces that objects are written with: members, with a comma before all but the first, and values.
#ifndef CRM_SCENE_WRITE_PIECES_H
#define CRM_SCENE_WRITE_PIECES_H

#include <math.h>

#include "carom/types.h"
#include "scene/members.h"
#include "scene/write/scene_text.h"

static inline void word(crm_scene_text *text, const char *bytes) {
    crm_scene_text_word(text, bytes);
}

// Whether nothing follows the last bracket yet.
static inline bool is_open(const crm_scene_text *text) {
    char last = text->bytes.count > 0 ? text->bytes.items[text->bytes.count - 1] : '\0';
    return last == '{' || last == '[';
}

static inline void key(crm_scene_text *text, const char *name) {
    word(text, is_open(text) ? "\"" : ", \"");
    word(text, name);
    word(text, "\": ");
}

static inline void number(crm_scene_text *text, const char *name, double x) {
    key(text, name);
    crm_scene_text_number(text, x);
}

static inline void string(crm_scene_text *text, const char *name, const char *value) {
    key(text, name);
    crm_scene_text_quoted(text, value);
}

static inline void truth(crm_scene_text *text, const char *name, bool value) {
    key(text, name);
    word(text, value ? "true" : "false");
}

static inline void numbers(crm_scene_text *text, const double *x, int count) {
    for (int i = 0; i < count; i++) {
        word(text, i == 0 ? "[" : ", ");
        crm_scene_text_number(text, x[i]);
    }
    word(text, "]");
}

static inline void triple(crm_scene_text *text, carom_vec3 v) {
    numbers(text, (double[]){v.x, v.y, v.z}, 3);
}

static inline void vector(crm_scene_text *text, const char *name, carom_vec3 v) {
    key(text, name);
    triple(text, v);
}

static inline void quaternion(crm_scene_text *text, const char *name, carom_quat q) {
    key(text, name);
    numbers(text, (double[]){q.w, q.x, q.y, q.z}, 4);
}

// The members of a table; numbers without limit are left out.
static inline void members(crm_scene_text *text, const crm_member *member, const void *def) {
    for (; member->key != NULL; member++) {
        const void *field = (const char *)def + member->offset;
        if (member->type == CRM_MEMBER_VECTOR)
            vector(text, member->key, *(const carom_vec3 *)field);
        else if (member->type == CRM_MEMBER_TRUTH)
            truth(text, member->key, *(const bool *)field);
        else if (isfinite(*(const double *)field))
            number(text, member->key, *(const double *)field);
    }
}

#endif
