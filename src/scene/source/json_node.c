// SPDX-License-Identifier: MIT
#include "scene/source/json_node.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "scene/write/scene_text.h"

enum { KEY_SHOWN = 64 };

crm_json_node crm_scene_root(struct crm_scene_context *context, json_t *value) {
    return (crm_json_node){.context = context, .index = -1, .value = value};
}

crm_json_node crm_scene_member(const crm_json_node *object, const char *key) {
    return (crm_json_node){.context = object->context,
                           .parent = object,
                           .key = key,
                           .key_size = strlen(key),
                           .index = -1,
                           .value = json_object_get(object->value, key)};
}

crm_json_node crm_scene_item(const crm_json_node *array, int index) {
    return (crm_json_node){.context = array->context,
                           .parent = array,
                           .index = index,
                           .value = json_array_get(array->value, (size_t)index)};
}

static bool is_plain(const char *key, size_t size) {
    if (size == 0) return false;
    for (size_t i = 0; i < size; i++) {
        char c = key[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && c != '_' && c != '-') return false;
    }
    return true;
}

// Appends one step of the path; what no longer fits is left off whole.
static void append(char out[CRM_SCENE_PATH_SIZE], size_t *used, const crm_json_node *node) {
    char step[KEY_SHOWN + 8];
    if (node->key == NULL) {
        snprintf(step, sizeof step, "[%d]", node->index);
    } else {
        char key[KEY_SHOWN];
        crm_scene_show(node->key, node->key_size, key, sizeof key);
        if (is_plain(node->key, node->key_size))
            snprintf(step, sizeof step, "%s%s", *used > 0 ? "." : "", key);
        else
            snprintf(step, sizeof step, "[\"%s\"]", key);
    }
    size_t size = strlen(step);
    if (*used + size >= CRM_SCENE_PATH_SIZE) return;
    memcpy(out + *used, step, size + 1);
    *used += size;
}

void crm_scene_path(const crm_json_node *node, char out[CRM_SCENE_PATH_SIZE]) {
    // Walk from the root: count the steps, then take the n-th ancestor each time. Paths are short.
    int depth = 0;
    for (const crm_json_node *at = node; at->parent != NULL; at = at->parent) depth++;
    size_t used = 0;
    out[0] = '\0';
    for (int level = depth; level > 0; level--) {
        const crm_json_node *at = node;
        for (int i = 1; i < level; i++) at = at->parent;
        append(out, &used, at);
    }
}
