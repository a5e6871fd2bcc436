// SPDX-License-Identifier: MIT
// Members of objects as tables, for those who read and those who write them. A member has the name of its field.
#ifndef CRM_SCENE_MEMBERS_H
#define CRM_SCENE_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum crm_scene_range {
    CRM_SCENE_ANY,
    CRM_SCENE_POSITIVE,
    CRM_SCENE_NOT_NEGATIVE,
    CRM_SCENE_FRACTION, // 0 to 1
} crm_scene_range;

typedef enum crm_member_type { CRM_MEMBER_NUMBER, CRM_MEMBER_VECTOR, CRM_MEMBER_TRUTH } crm_member_type;

typedef struct crm_member {
    const char *key; // NULL ends a table
    crm_member_type type;
    crm_scene_range range;
    const char *unit;
    size_t offset; // of the field in its definition
    bool required;
} crm_member;

#define CRM_NUMBER(def, field, range, unit) \
    { #field, CRM_MEMBER_NUMBER, range, unit, offsetof(def, field), false }
#define CRM_VECTOR(def, field, unit) \
    { #field, CRM_MEMBER_VECTOR, CRM_SCENE_ANY, unit, offsetof(def, field), false }
#define CRM_TRUTH(def, field) \
    { #field, CRM_MEMBER_TRUTH, CRM_SCENE_ANY, "", offsetof(def, field), false }
// What must be given: a number, or a length or three of them.
#define CRM_NEEDED(def, field, range, unit) \
    { #field, CRM_MEMBER_NUMBER, range, unit, offsetof(def, field), true }
#define CRM_LENGTH(def, field) CRM_NEEDED(def, field, CRM_SCENE_POSITIVE, "m")
#define CRM_LENGTHS(def, field) \
    { #field, CRM_MEMBER_VECTOR, CRM_SCENE_POSITIVE, "m", offsetof(def, field), true }

enum { CRM_MOST_MEMBERS = 8 };

#endif
