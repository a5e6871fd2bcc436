// SPDX-License-Identifier: MIT
#include "scene/source/locate.h"

#include <string.h>

#include "base/text/json_escape.h"

int crm_scene_line_at(crm_scene_span span, size_t at) {
    int line = 1;
    const char *from = span.text, *end = span.text + (at < span.size ? at : span.size);
    while ((from = memchr(from, '\n', (size_t)(end - from))) != NULL) {
        line++;
        from++;
    }
    return line;
}

size_t crm_scene_skip_space(crm_scene_span span, size_t at) {
    while (at < span.size && span.text[at] != '\0' && strchr(" \t\r\n", span.text[at]) != NULL) at++;
    return at;
}

// `at` is on the opening quote; returns what follows the closing one.
static size_t skip_string(crm_scene_span span, size_t at) {
    for (at++; at < span.size && span.text[at] != '"'; at++)
        if (span.text[at] == '\\') at++;
    return at + 1;
}

static size_t skip_value(crm_scene_span span, size_t at) {
    int depth = 0;
    while (at < span.size) {
        char c = span.text[at];
        if (c == '"') {
            at = skip_string(span, at);
            if (depth == 0) return at;
            continue;
        }
        if (depth == 0 && strchr(",]}", c) != NULL) return at; // after a number or a word
        if (c == '{' || c == '[') depth++;
        if ((c == '}' || c == ']') && --depth == 0) return at + 1;
        at++;
    }
    return at;
}

static bool key_is(crm_scene_span span, size_t quote, const char *key, size_t size) {
    size_t at = quote + 1, matched = 0;
    while (at < span.size && span.text[at] != '"') {
        char decoded[4];
        int count = crm_json_decode(span.text, &at, decoded);
        if (matched + (size_t)count > size || memcmp(key + matched, decoded, (size_t)count) != 0) return false;
        matched += (size_t)count;
    }
    return matched == size;
}

// Moves `*value` from the container to the child's value and `*entry` to where the child begins.
static bool find_child(crm_scene_span span, const crm_json_node *node, size_t *entry, size_t *value) {
    char open = node->key != NULL ? '{' : '[';
    size_t at = *value;
    if (at >= span.size || span.text[at] != open) return false;
    at = crm_scene_skip_space(span, at + 1);
    for (int index = 0; at < span.size && span.text[at] != '}' && span.text[at] != ']'; index++) {
        size_t begin = at;
        bool found = node->key == NULL ? index == node->index : key_is(span, at, node->key, node->key_size);
        if (node->key != NULL) {
            at = crm_scene_skip_space(span, skip_string(span, at));
            at = crm_scene_skip_space(span, at + 1); // the colon
        }
        if (found) {
            *entry = begin;
            *value = at;
            return true;
        }
        at = crm_scene_skip_space(span, skip_value(span, at));
        if (at < span.size && span.text[at] == ',') at = crm_scene_skip_space(span, at + 1);
    }
    return false;
}

static bool find(crm_scene_span span, const crm_json_node *node, size_t *entry, size_t *value) {
    if (node->parent == NULL) {
        *entry = *value = crm_scene_skip_space(span, 0);
        return true;
    }
    return find(span, node->parent, entry, value) && find_child(span, node, entry, value);
}

int crm_scene_locate(crm_scene_span span, const crm_json_node *node) {
    size_t entry = 0, value = 0;
    find(span, node, &entry, &value);
    return crm_scene_line_at(span, entry);
}
