// SPDX-License-Identifier: MIT
#include "base/json.h"

#include <inttypes.h>
#include <math.h>

// Length of the UTF-8 sequence at `at`, or 0 when it is none: overlong forms, surrogates and numbers above U+10FFFF are
// none. The text ends with a zero byte, which is no continuation, so that nothing behind it is read.
static int sequence_length(const unsigned char *at) {
    int length = at[0] < 0x80 ? 1 : at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : at[0] < 0xf5 ? 4 : 0;
    unsigned char lowest = at[0] == 0xe0 ? 0xa0 : at[0] == 0xf0 ? 0x90 : 0x80;
    unsigned char highest = at[0] == 0xed ? 0x9f : at[0] == 0xf4 ? 0x8f : 0xbf;
    for (int i = 1; i < length; i++) {
        if (at[i] < lowest || at[i] > highest) return 0;
        lowest = 0x80;
        highest = 0xbf;
    }
    return length;
}

static void put_string(FILE *to, const char *text) {
    fputc('"', to);
    const unsigned char *at = (const unsigned char *)text;
    while (*at != '\0') {
        int length = sequence_length(at);
        if (length == 0)
            fputs("\\ufffd", to);
        else if (*at == '"' || *at == '\\')
            fprintf(to, "\\%c", *at);
        else if (*at < 0x20 || *at == 0x7f)
            fprintf(to, "\\u%04x", *at);
        else
            fwrite(at, 1, (size_t)length, to);
        at += length > 0 ? length : 1;
    }
    fputc('"', to);
}

static void put_key(jsonl_writer *json, const char *key) {
    if (json->separate) fputc(',', json->to);
    json->separate = true;
    if (key == NULL) return;
    put_string(json->to, key);
    fputc(':', json->to);
}

jsonl_writer jsonl_begin(FILE *to) {
    fputc('{', to);
    return (jsonl_writer){.to = to};
}

void jsonl_end(jsonl_writer *json) {
    fputs("}\n", json->to);
}

void jsonl_text(jsonl_writer *json, const char *key, const char *value) {
    put_key(json, key);
    put_string(json->to, value);
}

void jsonl_number(jsonl_writer *json, const char *key, double value) {
    put_key(json, key);
    if (isfinite(value))
        fprintf(json->to, "%.17g", value);
    else
        fputs("null", json->to);
}

void jsonl_int(jsonl_writer *json, const char *key, int64_t value) {
    put_key(json, key);
    fprintf(json->to, "%" PRId64, value);
}

void jsonl_bool(jsonl_writer *json, const char *key, bool value) {
    put_key(json, key);
    fputs(value ? "true" : "false", json->to);
}

void jsonl_null(jsonl_writer *json, const char *key) {
    put_key(json, key);
    fputs("null", json->to);
}

void jsonl_hash(jsonl_writer *json, const char *key, uint64_t value) {
    put_key(json, key);
    fprintf(json->to, "\"%016" PRIx64 "\"", value);
}

static void open_with(jsonl_writer *json, const char *key, char bracket) {
    put_key(json, key);
    fputc(bracket, json->to);
    json->separate = false;
}

static void close_with(jsonl_writer *json, char bracket) {
    fputc(bracket, json->to);
    json->separate = true;
}

void jsonl_open(jsonl_writer *json, const char *key) {
    open_with(json, key, '{');
}

void jsonl_close(jsonl_writer *json) {
    close_with(json, '}');
}

void jsonl_open_list(jsonl_writer *json, const char *key) {
    open_with(json, key, '[');
}

void jsonl_close_list(jsonl_writer *json) {
    close_with(json, ']');
}

void jsonl_vector(jsonl_writer *json, const char *key, carom_vec3 value) {
    jsonl_open_list(json, key);
    jsonl_number(json, NULL, value.x);
    jsonl_number(json, NULL, value.y);
    jsonl_number(json, NULL, value.z);
    jsonl_close_list(json);
}
