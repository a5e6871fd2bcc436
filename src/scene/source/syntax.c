// SPDX-License-Identifier: MIT
#include "scene/source/syntax.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/json_escape.h"
#include "base/text/utf8.h"
#include "scene/scene_names.h"
#include "scene/write/scene_text.h"

typedef struct checker {
    crm_scene_context *context;
    crm_scene_span span;
    size_t at;
    int depth;
} checker;

static bool check_value(checker *c, const crm_json_node *node);

// Reports at the current byte and ends the check.
static bool refuse(checker *c, const crm_json_node *node, const char *sentence) {
    char path[CRM_SCENE_PATH_SIZE];
    crm_scene_path(node, path);
    crm_scene_error_at(c->context, c->context->file, crm_scene_line_at(c->span, c->at), path, "%s", sentence);
    return false;
}

// What stands at the current byte, for a sentence. There is one.
static void show_here(const checker *c, char out[32]) {
    const char *here = c->span.text + c->at;
    int size = crm_utf8_size(here, c->span.size - c->at);
    if (size > 1 || (size == 1 && *here >= 0x20 && *here != 0x7f))
        snprintf(out, 32, "'%.*s'", size, here);
    else
        snprintf(out, 32, "the byte 0x%02x", (unsigned)(unsigned char)*here);
}

static const char ends_early[] = "the text ends too early; a bracket is not closed or the file was cut off";

static bool refuse_here(checker *c, const crm_json_node *node, const char *wanted) {
    if (c->at >= c->span.size) return refuse(c, node, ends_early);
    char here[32], sentence[160];
    show_here(c, here);
    snprintf(sentence, sizeof sentence, "JSON needs %s here, not %s", wanted, here);
    return refuse(c, node, sentence);
}

// ---- strings

static bool check_escape(checker *c, const crm_json_node *node) {
    const char *raw = c->span.text + c->at;
    size_t left = c->span.size - c->at, size = crm_json_escape_size(raw, left);
    c->at += size;
    if (size > 0) return true;
    int code = crm_json_escape_code(raw, left);
    if (code < 0)
        return refuse(c, node,
                      "a backslash in a string starts one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX; for a "
                      "backslash itself write \\\\");
    if (code == 0) return refuse(c, node, "a string may not contain \\u0000; remove it");
    return refuse(c, node, "\\ud800 to \\udfff must come in pairs, high half first; write the character itself");
}

static bool check_string(checker *c, const crm_json_node *node) {
    size_t open = c->at++;
    while (c->at < c->span.size) {
        char here = c->span.text[c->at];
        if (here == '"') {
            c->at++;
            return true;
        }
        if (here == '\n' || here == '\r') break;
        if (here == '\\') {
            if (!check_escape(c, node)) return false;
            continue;
        }
        int size = crm_utf8_size(c->span.text + c->at, c->span.size - c->at);
        if (size == 0) return refuse(c, node, "the text is not UTF-8; save the file as UTF-8");
        if ((unsigned char)here < 0x20)
            return refuse(c, node,
                          "a string may not contain control characters; write \\t for a tab, \\u001b for an escape");
        c->at += (size_t)size;
    }
    c->at = open;
    return refuse(c, node, "a string is not closed in its line; end it with a double quote (a new line in it is \\n)");
}

// ---- numbers and words

static size_t digits_from(const checker *c, size_t at) {
    while (at < c->span.size && c->span.text[at] >= '0' && c->span.text[at] <= '9') at++;
    return at;
}

static bool has(const checker *c, size_t at, const char *any) {
    return at < c->span.size && c->span.text[at] != '\0' && strchr(any, c->span.text[at]) != NULL;
}

static bool is_word(const checker *c, size_t at) {
    return has(c, at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
}

static bool check_number(checker *c, const crm_json_node *node) {
    size_t start = c->at, whole = start + (c->span.text[start] == '-');
    size_t at = digits_from(c, whole);
    if (at == whole) {
        if (has(c, at, "Ii")) return refuse(c, node, "infinity is not a number in JSON; give a finite number");
        return refuse(c, node, "a minus sign must be followed by a digit");
    }
    if (c->span.text[whole] == '0' && at > whole + 1)
        return refuse(c, node, "a number may not start with a superfluous 0; remove it");
    if (has(c, at, ".")) {
        size_t fraction = at + 1;
        at = digits_from(c, fraction);
        if (at == fraction) return refuse(c, node, "a decimal point must be followed by a digit");
    }
    if (has(c, at, "eE")) {
        size_t power = at + 1 + has(c, at + 1, "+-");
        at = digits_from(c, power);
        if (at == power) return refuse(c, node, "the exponent of a number must have a digit");
    }
    if (is_word(c, at) || has(c, at, ".")) {
        char shown[32];
        size_t end = at;
        while (is_word(c, end) || has(c, end, ".")) end++;
        crm_scene_show(c->span.text + start, end - start, shown, sizeof shown);
        char sentence[128];
        snprintf(sentence, sizeof sentence, "%s is not a number; write it without units, such as 12.5 or 1e-3", shown);
        return refuse(c, node, sentence);
    }
    if (isinf(strtod(c->span.text + start, NULL))) {
        char shown[32], sentence[128];
        crm_scene_show(c->span.text + start, at - start, shown, sizeof shown);
        snprintf(sentence, sizeof sentence, "%s is beyond the largest number, 1.8e308; give a smaller one", shown);
        refuse(c, node, sentence);
    }
    c->at = at;
    return true;
}

static bool check_word(checker *c, const crm_json_node *node) {
    size_t end = c->at;
    while (is_word(c, end)) end++;
    char word[32], sentence[128];
    crm_scene_show(c->span.text + c->at, end - c->at, word, sizeof word);
    if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0 || strcmp(word, "null") == 0) {
        c->at = end;
        return true;
    }
    char lower[32];
    for (size_t i = 0; i < sizeof lower; i++)
        lower[i] = (char)(word[i] >= 'A' && word[i] <= 'Z' ? word[i] + 32 : word[i]);
    if (strcmp(lower, "nan") == 0 || strcmp(lower, "infinity") == 0 || strcmp(lower, "inf") == 0)
        snprintf(sentence, sizeof sentence, "%s is not a number in JSON; give a finite number", word);
    else if (strcmp(lower, "true") == 0 || strcmp(lower, "false") == 0 || strcmp(lower, "null") == 0)
        snprintf(sentence, sizeof sentence, "%s is written %s in JSON", word, lower);
    else if (c->depth == 0)
        snprintf(sentence, sizeof sentence, "this is no JSON: a scene begins with '{', not with %s", word);
    else
        snprintf(sentence, sizeof sentence, "%s needs double quotes if it is a string", word);
    return refuse(c, node, sentence);
}

// ---- arrays and objects

// What follows a value inside brackets: true to go on with the next, and `*closed` at the end.
static bool check_next(checker *c, const crm_json_node *node, char close, bool *closed) {
    c->at = crm_scene_skip_space(c->span, c->at);
    *closed = c->at < c->span.size && c->span.text[c->at] == close;
    if (*closed) {
        c->at++;
        return true;
    }
    if (!has(c, c->at, ",")) return refuse_here(c, node, close == '}' ? "a comma or '}'" : "a comma or ']'");
    c->at = crm_scene_skip_space(c->span, c->at + 1);
    if (has(c, c->at, "}]")) return refuse(c, node, "a comma comes before a closing bracket; remove the comma");
    return true;
}

static bool check_array(checker *c, const crm_json_node *node) {
    c->at = crm_scene_skip_space(c->span, c->at + 1);
    bool closed = has(c, c->at, "]");
    if (closed) c->at++;
    for (int index = 0; !closed; index++) {
        crm_json_node item = {.parent = node, .index = index};
        if (!check_value(c, &item) || !check_next(c, node, ']', &closed)) return false;
    }
    return true;
}

// Reads a key into `member`, decoded if it has escapes. False when it is wrong or there is no memory.
static bool check_key(checker *c, const crm_json_node *object, crm_json_node *member) {
    if (has(c, c->at, "'")) return refuse(c, object, "JSON strings are written in double quotes, not in single ones");
    if (has(c, c->at, "/#")) return refuse(c, object, "JSON has no comments; use \"description\"");
    if (!has(c, c->at, "\"")) return refuse_here(c, object, "a key in double quotes");
    size_t open = c->at;
    if (!check_string(c, object)) return false;
    const char *raw = c->span.text + open + 1;
    size_t size = c->at - open - 2;
    *member = (crm_json_node){.parent = object, .key = raw, .key_size = size, .index = -1};
    if (memchr(raw, '\\', size) == NULL) return true;
    char *decoded = crm_arena_take(&c->context->arena, size);
    if (decoded == NULL) {
        c->context->no_memory = true;
        return false;
    }
    member->key = decoded;
    member->key_size = 0;
    for (size_t at = 0; at < size;) {
        char bytes[4];
        int count = crm_json_decode(raw, &at, bytes);
        memcpy(decoded + member->key_size, bytes, (size_t)count);
        member->key_size += (size_t)count;
    }
    return true;
}

// Notes a key; one that is there already is reported with the line of the first.
static bool note_key(checker *c, crm_scene_names *keys, const crm_json_node *member, size_t at) {
    int first = crm_scene_names_find(keys, member->key, member->key_size);
    if (first >= 0) {
        char path[CRM_SCENE_PATH_SIZE];
        crm_scene_path(member, path);
        crm_scene_error_at(c->context, c->context->file, crm_scene_line_at(c->span, at), path,
                           "this key is given twice, first in line %d; remove one",
                           crm_scene_line_at(c->span, (size_t)first));
        return true;
    }
    if (crm_scene_names_add(keys, &c->context->arena, member->key, member->key_size, (int)at)) return true;
    c->context->no_memory = true;
    return false;
}

static bool check_members(checker *c, const crm_json_node *node) {
    c->at = crm_scene_skip_space(c->span, c->at + 1);
    bool closed = has(c, c->at, "}");
    if (closed) c->at++;
    crm_scene_names keys = {0};
    while (!closed) {
        crm_json_node member;
        size_t at = c->at;
        if (!check_key(c, node, &member) || !note_key(c, &keys, &member, at)) return false;
        c->at = crm_scene_skip_space(c->span, c->at);
        if (!has(c, c->at, ":")) return refuse_here(c, &member, "a colon");
        c->at = crm_scene_skip_space(c->span, c->at + 1);
        if (!check_value(c, &member) || !check_next(c, node, '}', &closed)) return false;
    }
    return true;
}

static bool check_nested(checker *c, const crm_json_node *node) {
    if (c->depth == CRM_SCENE_DEPTH) {
        char sentence[128];
        snprintf(sentence, sizeof sentence,
                 "more than %d objects and arrays lie inside each other; a scene needs fewer", CRM_SCENE_DEPTH);
        return refuse(c, node, sentence);
    }
    c->depth++;
    crm_mark mark = crm_arena_mark(&c->context->arena);
    bool good = c->span.text[c->at] == '{' ? check_members(c, node) : check_array(c, node);
    crm_arena_release(&c->context->arena, mark);
    c->depth--;
    return good;
}

static bool check_value(checker *c, const crm_json_node *node) {
    if (c->at >= c->span.size) return refuse(c, node, ends_early);
    char here = c->span.text[c->at];
    switch (here) {
    case '{':
    case '[':
        return check_nested(c, node);
    case '"':
        return check_string(c, node);
    case '\'':
        return refuse(c, node, "JSON strings are written in double quotes, not in single ones");
    case '/':
    case '#':
        return refuse(c, node, "JSON has no comments; use \"description\"");
    case '+':
    case '.':
        return refuse(c, node, "a number starts with a digit or a minus sign");
    default:
        break;
    }
    if (here == '-' || (here >= '0' && here <= '9')) return check_number(c, node);
    if (is_word(c, c->at)) return check_word(c, node);
    if (crm_utf8_size(c->span.text + c->at, c->span.size - c->at) == 0)
        return refuse(c, node, "the text is not UTF-8; save the file as UTF-8");
    return refuse_here(c, node, "a value");
}

bool crm_scene_check_syntax(crm_scene_context *context) {
    checker c = {.context = context, .span = context->span};
    crm_json_node root = crm_scene_root(context, NULL);
    c.at = crm_scene_skip_space(c.span, 0);
    if (c.at == c.span.size)
        return refuse(&c, &root, "the file is empty; a scene is an object such as {\"carom\": 1, \"bodies\": []}");
    if (!check_value(&c, &root)) return false;
    c.at = crm_scene_skip_space(c.span, c.at);
    if (c.at < c.span.size) return refuse(&c, &root, "something follows after the end of the scene; remove it");
    return true;
}
