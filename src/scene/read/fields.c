// SPDX-License-Identifier: MIT
#include "scene/read/fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/tools.h"
#include "scene/read/foreign_words.h"
#include "scene/scene_names.h"
#include "scene/write/scene_text.h"

enum { LONGEST_NAME = 100, LONGEST_LIST = 400 };

void crm_scene_describe(const json_t *value, char out[CRM_SCENE_SHOWN + 32]) {
    size_t room = CRM_SCENE_SHOWN + 32;
    char shown[CRM_SCENE_SHOWN];
    switch (json_typeof(value)) {
    case JSON_REAL:
    case JSON_INTEGER:
        crm_scene_number_text(json_number_value(value), shown);
        snprintf(out, room, "%s", shown);
        return;
    case JSON_STRING:
        crm_scene_show(json_string_value(value), json_string_length(value), shown, sizeof shown);
        snprintf(out, room, "the string \"%s\"", shown);
        return;
    case JSON_ARRAY:
        snprintf(out, room, "an array of %zu", json_array_size(value));
        return;
    case JSON_OBJECT:
        snprintf(out, room, "an object");
        return;
    case JSON_TRUE:
        snprintf(out, room, "true");
        return;
    case JSON_FALSE:
        snprintf(out, room, "false");
        return;
    default:
        snprintf(out, room, "null");
    }
}

bool crm_scene_needs(const crm_json_node *node, const char *wanted) {
    char got[CRM_SCENE_SHOWN + 32];
    crm_scene_describe(node->value, got);
    return crm_scene_error(node, "needs %s, not %s", wanted, got);
}

// ---- objects and arrays

static void refuse_key(const crm_json_node *member, const char *what, const char *const *keys, int key_count) {
    const char *answer = crm_foreign_word_answer(what, member->key);
    if (answer != NULL) {
        crm_scene_error(member, "is not a key of %s; %s", what, answer);
        return;
    }
    const char *nearest = crm_scene_nearest(member->key, keys, key_count);
    if (nearest != NULL) {
        crm_scene_error(member, "is not a key of %s; did you mean \"%s\"?", what, nearest);
        return;
    }
    char list[LONGEST_LIST] = "";
    size_t used = 0;
    for (int i = 0; i < key_count && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", keys[i]);
    crm_scene_error(member, "is not a key of %s; known are %s", what, list);
}

bool crm_scene_is_object(const crm_json_node *node, const char *what, const char *const *keys, int key_count) {
    if (!json_is_object(node->value)) {
        char wanted[64];
        snprintf(wanted, sizeof wanted, "an object for %s", what);
        return crm_scene_needs(node, wanted);
    }
    bool good = true;
    const char *key;
    json_t *value;
    json_object_foreach(node->value, key, value) {
        bool known = false;
        for (int i = 0; i < key_count && !known; i++) known = strcmp(key, keys[i]) == 0;
        if (known) continue;
        crm_json_node member = crm_scene_member(node, key);
        refuse_key(&member, what, keys, key_count);
        good = false;
    }
    return good;
}

bool crm_scene_is_array(const crm_json_node *node, const char *wanted) {
    if (json_is_array(node->value)) return true;
    return crm_scene_needs(node, wanted);
}

bool crm_scene_has(const crm_json_node *object, const char *key) {
    return json_object_get(object->value, key) != NULL;
}

bool crm_scene_require(const crm_json_node *object, const char *key, const char *wanted) {
    if (crm_scene_has(object, key)) return true;
    return crm_scene_error(object, "needs \"%s\": %s", key, wanted);
}

// ---- numbers

static bool in_range(crm_scene_range range, double x) {
    switch (range) {
    case CRM_SCENE_POSITIVE:
        return x > 0.0;
    case CRM_SCENE_NOT_NEGATIVE:
        return x >= 0.0;
    case CRM_SCENE_FRACTION:
        return x >= 0.0 && x <= 1.0;
    default:
        return true;
    }
}

static const char *range_text(crm_scene_range range, bool many) {
    switch (range) {
    case CRM_SCENE_POSITIVE:
        return many ? "positive numbers" : "a positive number";
    case CRM_SCENE_NOT_NEGATIVE:
        return many ? "numbers of at least 0" : "a number of at least 0";
    case CRM_SCENE_FRACTION:
        return many ? "numbers from 0 to 1" : "a number from 0 to 1";
    default:
        return many ? "numbers" : "a number";
    }
}

// "a positive number (m)", or "an array of 3 positive numbers (m)" for a count above 0.
static void number_text(crm_scene_range range, const char *unit, int count, char out[96]) {
    char array[32] = "";
    bool bare = unit[0] == '\0';
    if (count > 0) snprintf(array, sizeof array, "an array of %d ", count);
    snprintf(out, 96, "%s%s%s%s%s", array, range_text(range, count > 0), bare ? "" : " (", unit, bare ? "" : ")");
}

bool crm_scene_number_of(const crm_json_node *node, crm_scene_range range, const char *unit, double *out) {
    double x = json_number_value(node->value);
    if (json_is_number(node->value) && isfinite(x) && in_range(range, x)) {
        *out = x;
        return true;
    }
    char wanted[96];
    number_text(range, unit, 0, wanted);
    return crm_scene_needs(node, wanted);
}

bool crm_scene_read_number(const crm_json_node *object, const char *key, crm_scene_range range, const char *unit,
                           double *out) {
    crm_json_node node = crm_scene_member(object, key);
    return node.value == NULL || crm_scene_number_of(&node, range, unit, out);
}

bool crm_scene_read_whole(const crm_json_node *object, const char *key, int64_t low, int64_t high, int64_t *out) {
    crm_json_node node = crm_scene_member(object, key);
    if (node.value == NULL) return true;
    double x = json_number_value(node.value);
    if (json_is_number(node.value) && x == floor(x) && x >= (double)low && x <= (double)high) {
        *out = (int64_t)x;
        return true;
    }
    char wanted[96];
    snprintf(wanted, sizeof wanted, "a whole number from %lld to %lld", (long long)low, (long long)high);
    return crm_scene_needs(&node, wanted);
}

bool crm_scene_numbers_of(const crm_json_node *node, crm_scene_range range, const char *unit, int count, double *out) {
    if (!json_is_array(node->value) || json_array_size(node->value) != (size_t)count) {
        char wanted[96];
        number_text(range, unit, count, wanted);
        return crm_scene_needs(node, wanted);
    }
    bool good = true;
    double values[16];
    for (int i = 0; i < count; i++) {
        crm_json_node item = crm_scene_item(node, i);
        good &= crm_scene_number_of(&item, range, unit, &values[i]);
    }
    if (good) memcpy(out, values, (size_t)count * sizeof *out);
    return good;
}

bool crm_scene_read_numbers(const crm_json_node *object, const char *key, crm_scene_range range, const char *unit,
                            int count, double *out) {
    crm_json_node node = crm_scene_member(object, key);
    return node.value == NULL || crm_scene_numbers_of(&node, range, unit, count, out);
}

bool crm_scene_read_vec3(const crm_json_node *object, const char *key, crm_scene_range range, const char *unit,
                         carom_vec3 *out) {
    double v[3] = {out->x, out->y, out->z};
    if (!crm_scene_read_numbers(object, key, range, unit, 3, v)) return false;
    *out = (carom_vec3){v[0], v[1], v[2]};
    return true;
}

// ---- words

bool crm_scene_read_bool(const crm_json_node *object, const char *key, bool *out) {
    crm_json_node node = crm_scene_member(object, key);
    if (node.value == NULL) return true;
    if (!json_is_boolean(node.value)) return crm_scene_needs(&node, "true or false");
    *out = json_is_true(node.value);
    return true;
}

bool crm_scene_read_string(const crm_json_node *object, const char *key, const char **out) {
    crm_json_node node = crm_scene_member(object, key);
    if (node.value == NULL) return true;
    if (!json_is_string(node.value)) return crm_scene_needs(&node, "a string");
    *out = json_string_value(node.value);
    return true;
}

bool crm_scene_read_choice(const crm_json_node *object, const char *key, const char *const *words, int word_count,
                           int *out) {
    crm_json_node node = crm_scene_member(object, key);
    if (node.value == NULL) return true;
    const char *given = json_string_value(node.value);
    for (int i = 0; given != NULL && i < word_count; i++) {
        if (strcmp(given, words[i]) != 0) continue;
        *out = i;
        return true;
    }
    char wanted[LONGEST_LIST] = "";
    size_t used = 0;
    for (int i = 0; i < word_count && used < sizeof wanted; i++) {
        const char *between = i == 0 ? "" : i + 1 == word_count ? " or " : ", ";
        used += (size_t)snprintf(wanted + used, sizeof wanted - used, "%s\"%s\"", between, words[i]);
    }
    const char *nearest = given != NULL ? crm_foreign_choice(given, words, word_count) : NULL;
    if (given != NULL && nearest == NULL) nearest = crm_scene_nearest(given, words, word_count);
    if (nearest == NULL) return crm_scene_needs(&node, wanted);
    char got[CRM_SCENE_SHOWN + 32];
    crm_scene_describe(node.value, got);
    return crm_scene_error(&node, "needs %s, not %s; did you mean \"%s\"?", wanted, got, nearest);
}

// ---- tables

static bool read_member(const crm_json_node *object, const crm_member *member, void *field) {
    if (member->required) {
        char wanted[96];
        number_text(member->range, member->unit, member->type == CRM_MEMBER_VECTOR ? 3 : 0, wanted);
        if (!crm_scene_require(object, member->key, wanted)) return false;
    }
    switch (member->type) {
    case CRM_MEMBER_NUMBER:
        return crm_scene_read_number(object, member->key, member->range, member->unit, field);
    case CRM_MEMBER_VECTOR:
        return crm_scene_read_vec3(object, member->key, member->range, member->unit, field);
    default:
        return crm_scene_read_bool(object, member->key, field);
    }
}

bool crm_scene_read_members(const crm_json_node *object, const crm_member *members, void *def) {
    bool good = true;
    for (; members->key != NULL; members++) good &= read_member(object, members, (char *)def + members->offset);
    return good;
}

int crm_scene_list_members(const crm_member *members, const char **keys, int count) {
    for (; members->key != NULL; members++) keys[count++] = members->key;
    return count;
}

// ---- names

bool crm_scene_name_is_good(const crm_json_node *node, const char *name) {
    size_t size = strlen(name);
    bool plain = true;
    for (size_t i = 0; i < size; i++) plain &= carom_hidden_character(name + i) == 0 && name[i] != '*';
    if (size >= 1 && size <= LONGEST_NAME && plain && strcmp(name, "world") != 0) return true;
    char shown[CRM_SCENE_SHOWN];
    crm_scene_show(name, size, shown, sizeof shown);
    return crm_scene_error(
        node,
        "\"%s\" cannot be a name; use 1 to %d bytes without '*', control characters and marks of direction (shown as "
        "'?'), and not \"world\"",
        shown, LONGEST_NAME);
}
