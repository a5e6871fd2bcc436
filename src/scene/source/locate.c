// SPDX-License-Identifier: MIT
#include "scene/source/locate.h"

#include <string.h>

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

static unsigned hex4(const char *digits) {
    unsigned value = 0;
    for (int i = 0; i < 4; i++) {
        char c = digits[i];
        value = 16 * value + (unsigned)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return value;
}

static int encode(unsigned code, char out[4]) {
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    int size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned first[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (int i = size - 1; i > 0; i--, code >>= 6) out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(first[size] | code);
    return size;
}

int crm_scene_decode(const char *raw, size_t *at, char out[4]) {
    if (raw[*at] != '\\') {
        out[0] = raw[(*at)++];
        return 1;
    }
    char kind = raw[*at + 1];
    if (kind != 'u') {
        static const char from[] = "bfnrt\"\\/", to[] = "\b\f\n\r\t\"\\/";
        out[0] = to[strchr(from, kind) - from];
        *at += 2;
        return 1;
    }
    unsigned code = hex4(raw + *at + 2);
    *at += 6;
    if (code >= 0xd800 && code < 0xdc00) {
        code = 0x10000 + ((code - 0xd800) << 10) + (hex4(raw + *at + 2) - 0xdc00);
        *at += 6;
    }
    return encode(code, out);
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
        int count = crm_scene_decode(span.text, &at, decoded);
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
