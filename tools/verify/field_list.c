// SPDX-License-Identifier: MIT
#include "verify/field_list.h"

#include <stdio.h>

// jansson has no other way to walk through an object that is const.
static json_t *walkable(const json_t *object) {
    return (json_t *)object;
}

static int count_members(const json_t *value) {
    int count = 0;
    const char *key;
    json_t *member;
    json_object_foreach(walkable(value), key, member) {
        if (!json_is_null(member)) count += 1 + count_members(member);
    }
    for (size_t i = 0; i < json_array_size(value); i++) count += count_members(json_array_get(value, i));
    return count;
}

static void list_members(crm_field_list *list, const json_t *value, int parent) {
    const char *key;
    json_t *member;
    json_object_foreach(walkable(value), key, member) {
        if (json_is_null(member)) continue;
        int own = list->count++;
        list->field[own] = (crm_listed_field){.key = key, .parent = parent};
        list_members(list, member, own);
    }
    for (size_t i = 0; i < json_array_size(value); i++) list_members(list, json_array_get(value, i), parent);
}

bool crm_field_list_make(crm_field_list *list, const json_t *expected, crm_arena *arena) {
    list->count = 0;
    list->field = CRM_ARENA_ARRAY(arena, crm_listed_field, count_members(expected));
    if (list->field == NULL) return false;
    list_members(list, expected, -1);
    return true;
}

void crm_field_list_mark(crm_field_list *list, const json_t *object, const char *key) {
    const char *own = json_object_iter_key(json_object_iter_at(walkable(object), key));
    for (int i = 0; i < list->count && own != NULL; i++) {
        if (list->field[i].key != own) continue;
        list->field[i].read = true;
        return;
    }
}

void crm_field_list_unread(const crm_field_list *list, void (*tell)(void *user, const char *name), void *user) {
    for (int i = 0; i < list->count; i++) {
        const crm_listed_field *field = &list->field[i];
        if (field->read || (field->parent >= 0 && !list->field[field->parent].read)) continue;
        char name[64], longer[64];
        snprintf(name, sizeof name, "%.60s", field->key);
        for (int p = field->parent; p >= 0; p = list->field[p].parent) {
            snprintf(longer, sizeof longer, "%.20s.%.40s", list->field[p].key, name);
            snprintf(name, sizeof name, "%s", longer);
        }
        tell(user, name);
    }
}
