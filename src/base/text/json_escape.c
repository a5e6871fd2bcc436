// SPDX-License-Identifier: MIT
#include "base/text/json_escape.h"

#include <string.h>

#include "base/text/utf8.h"

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

int crm_json_escape_code(const char *raw, size_t size) {
    if (size < 6 || raw[0] != '\\' || raw[1] != 'u') return -1;
    int code = 0;
    for (int i = 2; i < 6; i++) {
        int digit = hex_digit(raw[i]);
        if (digit < 0) return -1;
        code = 16 * code + digit;
    }
    return code;
}

static const char short_form[] = "bfnrt\"\\/";

size_t crm_json_escape_size(const char *raw, size_t size) {
    if (size >= 2 && raw[1] != '\0' && strchr(short_form, raw[1]) != NULL) return 2;
    int code = crm_json_escape_code(raw, size);
    if (code <= 0) return 0;
    if (code < 0xd800 || code > 0xdfff) return 6;
    int second = crm_json_escape_code(raw + 6, size - 6);
    return code < 0xdc00 && second >= 0xdc00 && second <= 0xdfff ? 12 : 0;
}

int crm_json_decode(const char *raw, size_t *at, char out[4]) {
    if (raw[*at] != '\\') {
        out[0] = raw[(*at)++];
        return 1;
    }
    char kind = raw[*at + 1];
    if (kind != 'u') {
        out[0] = "\b\f\n\r\t\"\\/"[strchr(short_form, kind) - short_form];
        *at += 2;
        return 1;
    }
    unsigned code = (unsigned)crm_json_escape_code(raw + *at, 6);
    *at += 6;
    if (code >= 0xd800 && code < 0xdc00) {
        code = 0x10000 + ((code - 0xd800) << 10) + ((unsigned)crm_json_escape_code(raw + *at, 6) - 0xdc00);
        *at += 6;
    }
    return crm_utf8_encode(code, out);
}
