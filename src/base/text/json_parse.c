// SPDX-License-Identifier: MIT
#include "base/text/json_parse.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/decimal.h"
#include "base/text/json_escape.h"
#include "base/text/utf8.h"

typedef struct parser {
    const char *text;
    size_t size, at;
    unsigned options;
    int depth;
    crm_json_error *why;
    // Keys of the objects that are being read, one after the other, then the string or number at hand.
    char *room;
    size_t room_size, room_used;
} parser;

static json_t *parse_value(parser *p);

// ---- what is wrong

static json_t *refuse(parser *p, size_t at, const char *text) {
    crm_json_error *why = p->why;
    size_t end = at < p->size ? at + 1 : p->size;
    why->line = 1;
    why->column = 0;
    for (size_t i = 0; i < end; i++) {
        bool continues = ((unsigned char)p->text[i] & 0xc0) == 0x80;
        if (!continues) why->column++;
        if (p->text[i] != '\n' || i + 1 == end) continue;
        why->line++;
        why->column = 0;
    }
    snprintf(why->text, sizeof why->text, "%s", at < p->size ? text : "the text ends too early");
    return NULL;
}

static json_t *no_memory(parser *p) {
    p->why->no_memory = true;
    return NULL;
}

// ---- characters

static bool is_here(const parser *p, char c) {
    return p->at < p->size && p->text[p->at] == c;
}

static bool is_digit(const parser *p, size_t at) {
    return at < p->size && p->text[at] >= '0' && p->text[at] <= '9';
}

static void skip_space(parser *p) {
    while (is_here(p, ' ') || is_here(p, '\n') || is_here(p, '\t') || is_here(p, '\r')) p->at++;
}

// At least so many bytes after those in use.
static bool make_room(parser *p, size_t bytes) {
    if (bytes <= p->room_size - p->room_used) return true;
    if (bytes > SIZE_MAX / 4) return false;
    size_t size = 2 * (p->room_used + bytes);
    char *grown = realloc(p->room, size);
    if (grown == NULL) return false;
    p->room = grown;
    p->room_size = size;
    return true;
}

// ---- strings

// From the opening quote to behind the closing one; false when it is wrong.
static bool skip_string(parser *p) {
    size_t at = p->at + 1;
    while (at < p->size && p->text[at] != '"') {
        unsigned char c = (unsigned char)p->text[at];
        size_t step = c == '\\' ? crm_json_escape_size(p->text + at, p->size - at)
                                : (size_t)crm_utf8_size(p->text + at, p->size - at);
        if (step == 0 || c < 0x20) {
            refuse(p, at,
                   c == '\\'  ? "a backslash in a string starts no escape"
                   : c < 0x20 ? "a string may not contain control characters"
                              : "a string is not UTF-8");
            return false;
        }
        at += step;
    }
    if (at >= p->size) return refuse(p, p->size, "") != NULL;
    p->at = at + 1;
    return true;
}

// The string at hand decoded behind what is in use of the room, with a zero behind it. False when it is wrong or there
// is no memory.
static bool read_string(parser *p, size_t *size) {
    size_t open = p->at;
    if (!skip_string(p)) return false;
    const char *raw = p->text + open + 1;
    size_t raw_size = p->at - open - 2;
    // No escape is shorter than what it stands for; 4 bytes may be written at once.
    if (!make_room(p, raw_size + 5)) return no_memory(p) != NULL;
    char *to = p->room + p->room_used;
    *size = 0;
    if (memchr(raw, '\\', raw_size) == NULL) {
        memcpy(to, raw, raw_size);
        *size = raw_size;
    } else {
        for (size_t at = 0; at < raw_size;) *size += (size_t)crm_json_decode(raw, &at, to + *size);
    }
    to[*size] = '\0';
    return true;
}

static json_t *parse_string(parser *p) {
    size_t size;
    if (!read_string(p, &size)) return NULL;
    json_t *made = json_stringn_nocheck(p->room + p->room_used, size);
    return made != NULL ? made : no_memory(p);
}

// ---- numbers and words

// Behind the number that begins at p->at, or p->at when there is none; `*whole` without a fraction or an exponent.
static size_t end_of_number(const parser *p, bool *whole) {
    size_t at = p->at + is_here(p, '-');
    if (!is_digit(p, at)) return p->at;
    bool zero = p->text[at] == '0';
    while (is_digit(p, at)) at++;
    if (zero && is_digit(p, p->at + 1 + is_here(p, '-'))) return p->at;
    size_t end = at;
    if (at < p->size && p->text[at] == '.') {
        if (!is_digit(p, at + 1)) return p->at;
        for (at++; is_digit(p, at);) at++;
    }
    if (at < p->size && (p->text[at] == 'e' || p->text[at] == 'E')) {
        at++;
        if (at < p->size && (p->text[at] == '+' || p->text[at] == '-')) at++;
        if (!is_digit(p, at)) return p->at;
        while (is_digit(p, at)) at++;
    }
    *whole = at == end;
    return at;
}

static json_t *parse_number(parser *p) {
    bool whole = false;
    size_t end = end_of_number(p, &whole), start = p->at;
    if (end == start) return refuse(p, start, "this is no number");
    size_t size = end - start;
    if (!make_room(p, size + CRM_DECIMAL_MORE)) return no_memory(p);
    char *copy = p->room + p->room_used;
    p->at = end;
    json_t *made;
    if (whole && (p->options & CRM_JSON_REALS) == 0) {
        memcpy(copy, p->text + start, size);
        copy[size] = '\0';
        errno = 0;
        long long value = strtoll(copy, NULL, 10);
        if (errno == ERANGE) return refuse(p, start, "a whole number is too large");
        made = json_integer(value);
    } else {
        double value = crm_decimal_value(p->text + start, size, copy);
        if (isinf(value)) return refuse(p, start, "a number is too large");
        made = json_real(value);
    }
    return made != NULL ? made : no_memory(p);
}

static json_t *parse_word(parser *p) {
    static const char *const words[] = {"true", "false", "null"};
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(words[i]);
        if (p->size - p->at < length || memcmp(p->text + p->at, words[i], length) != 0) continue;
        p->at += length;
        return i == 0 ? json_true() : i == 1 ? json_false() : json_null(); // none of them takes memory
    }
    return refuse(p, p->at, "a value is expected here");
}

// ---- arrays and objects

// What follows a value inside brackets. False when it is wrong.
static bool go_on(parser *p, char close, bool *closed) {
    skip_space(p);
    *closed = is_here(p, close);
    if (!*closed && !is_here(p, ',')) {
        refuse(p, p->at, close == '}' ? "a comma or '}' is expected here" : "a comma or ']' is expected here");
        return false;
    }
    p->at++;
    skip_space(p);
    return true;
}

static bool fill_array(parser *p, json_t *array) {
    bool closed = is_here(p, ']');
    if (closed) p->at++;
    while (!closed) {
        json_t *item = parse_value(p);
        if (item == NULL) return false;
        if (json_array_append_new(array, item) != 0) return no_memory(p) != NULL;
        if (!go_on(p, ']', &closed)) return false;
    }
    return true;
}

// A key and its value. The key stays in the room until the value is there.
static bool add_member(parser *p, json_t *object) {
    size_t key_at = p->room_used, begin = p->at, size;
    if (!is_here(p, '"')) return refuse(p, p->at, "a key in double quotes is expected here") != NULL;
    if (!read_string(p, &size)) return false;
    if ((p->options & CRM_JSON_UNIQUE_KEYS) != 0 && json_object_get(object, p->room + key_at) != NULL)
        return refuse(p, begin, "the object has this key already") != NULL;
    skip_space(p);
    if (!is_here(p, ':')) return refuse(p, p->at, "a colon is expected here") != NULL;
    p->at++;
    skip_space(p);
    p->room_used += size + 1;
    json_t *value = parse_value(p);
    p->room_used = key_at;
    if (value == NULL) return false;
    return json_object_set_new_nocheck(object, p->room + key_at, value) == 0 || no_memory(p) != NULL;
}

static bool fill_object(parser *p, json_t *object) {
    bool closed = is_here(p, '}');
    if (closed) p->at++;
    while (!closed)
        if (!add_member(p, object) || !go_on(p, '}', &closed)) return false;
    return true;
}

static json_t *parse_nested(parser *p) {
    bool is_object = is_here(p, '{');
    if (p->depth == CRM_JSON_DEPTH) return refuse(p, p->at, "too many objects and arrays lie inside each other");
    json_t *made = is_object ? json_object() : json_array();
    if (made == NULL) return no_memory(p);
    p->depth++;
    p->at++;
    skip_space(p);
    bool good = is_object ? fill_object(p, made) : fill_array(p, made);
    p->depth--;
    if (good) return made;
    json_decref(made);
    return NULL;
}

static json_t *parse_value(parser *p) {
    if (is_here(p, '{') || is_here(p, '[')) return parse_nested(p);
    if (is_here(p, '"')) return parse_string(p);
    if (is_here(p, '-') || is_digit(p, p->at)) return parse_number(p);
    return parse_word(p);
}

// ---- all of it

json_t *crm_json_parse(const char *text, size_t size, unsigned options, crm_json_error *why) {
    parser p = {.text = text, .size = size, .options = options, .why = why};
    *why = (crm_json_error){.no_memory = false};
    skip_space(&p);
    json_t *root = NULL;
    if ((options & CRM_JSON_ANY_ROOT) == 0 && !is_here(&p, '{') && !is_here(&p, '['))
        refuse(&p, p.at, "an object or an array is expected here");
    else
        root = parse_value(&p);
    skip_space(&p);
    if (root != NULL && p.at < size) {
        refuse(&p, p.at, "something follows after the end");
        json_decref(root);
        root = NULL;
    }
    free(p.room);
    return root;
}

json_t *crm_json_parse_file(FILE *file, unsigned options, crm_json_error *why) {
    char *text = NULL;
    size_t room = 0, size = 0;
    *why = (crm_json_error){.no_memory = false};
    for (;;) {
        if (size == room) {
            room = room > 0 ? 2 * room : 65536;
            char *grown = room > size ? realloc(text, room) : NULL;
            if (grown == NULL) {
                free(text);
                why->no_memory = true;
                return NULL;
            }
            text = grown;
        }
        size_t got = fread(text + size, 1, room - size, file);
        if (got == 0) break;
        size += got;
    }
    json_t *root = crm_json_parse(text, size, options, why);
    free(text);
    return root;
}
