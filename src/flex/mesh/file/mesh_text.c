// SPDX-License-Identifier: MIT
#include "flex/mesh/file/mesh_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/text/decimal.h"

// No number needs more characters.
enum { MOST_DIGITS = 128 };

void crm_mesh_text_start(crm_mesh_text *text, const char *name, const char *begin, size_t size, bool by_line,
                         carom_error *error) {
    *text = (crm_mesh_text){name, begin, begin + size, 1, by_line, error, CAROM_OK};
}

bool crm_mesh_text_refuse(crm_mesh_text *text, const char *format, ...) {
    if (text->status != CAROM_OK) return false;
    char what[CAROM_ERROR_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    text->status = crm_refuse(text->error, "%.160s: line %d: %s", text->name, text->line, what);
    return false;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static bool ends_word(const crm_mesh_text *text, const char *at) {
    return is_blank(*at) || *at == '\n' || (text->by_line && (*at == '#' || *at == ','));
}

void crm_mesh_text_skip_line(crm_mesh_text *text) {
    const char *end = text->at < text->end ? memchr(text->at, '\n', (size_t)(text->end - text->at)) : NULL;
    if (end != NULL) text->line++;
    text->at = end != NULL ? end + 1 : text->end;
}

bool crm_mesh_text_next_line(crm_mesh_text *text) {
    for (;;) {
        while (text->at < text->end && is_blank(*text->at)) text->at++;
        if (text->at >= text->end) return false;
        if (*text->at != '\n' && *text->at != '#') return true;
        crm_mesh_text_skip_line(text);
    }
}

bool crm_mesh_text_word(crm_mesh_text *text, const char **word, size_t *size) {
    for (; text->at < text->end; text->at++) {
        if (*text->at == '\n' && !text->by_line)
            text->line++;
        else if (!is_blank(*text->at) && !(text->by_line && *text->at == ','))
            break;
    }
    const char *begin = text->at;
    while (text->at < text->end && !ends_word(text, text->at)) text->at++;
    *word = begin;
    *size = (size_t)(text->at - begin);
    return *size > 0;
}

bool crm_mesh_text_has(crm_mesh_text *text, const char *word) {
    crm_mesh_text before = *text;
    const char *found;
    size_t size;
    if (crm_mesh_text_word(text, &found, &size) && size == strlen(word) && memcmp(found, word, size) == 0) return true;
    *text = before;
    return false;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool to_whole(const char *word, size_t size, int64_t *out) {
    size_t at = size > 0 && (word[0] == '-' || word[0] == '+');
    if (at == size || size > 20) return false;
    int64_t value = 0;
    for (; at < size; at++) {
        if (!is_digit(word[at]) || value > (INT64_MAX - 9) / 10) return false;
        value = 10 * value + (word[at] - '0');
    }
    *out = word[0] == '-' ? -value : value;
    return true;
}

bool crm_mesh_text_whole(crm_mesh_text *text, const char *what, int64_t low, int64_t high, int64_t *out) {
    const char *word;
    size_t size;
    if (text->status != CAROM_OK) return false;
    if (!crm_mesh_text_word(text, &word, &size))
        return crm_mesh_text_refuse(text, "the %s ends where %s should be; is it whole?",
                                    text->by_line && text->at < text->end ? "line" : "file", what);
    if (!to_whole(word, size, out)) return crm_mesh_text_refuse(text, "%s must be a whole number", what);
    if (*out >= low && *out <= high) return true;
    return crm_mesh_text_refuse(text, "%s is %lld, must be between %lld and %lld", what, (long long)*out,
                                (long long)low, (long long)high);
}

// Digits with a sign, a point and an exponent: what strtod reads in the C locale, but for words and hexadecimal.
static bool is_real(const char *word, size_t size) {
    size_t at = size > 0 && (word[0] == '-' || word[0] == '+'), digits = 0;
    for (; at < size && is_digit(word[at]); at++) digits++;
    if (at < size && word[at] == '.')
        for (at++; at < size && is_digit(word[at]); at++) digits++;
    if (digits == 0) return false;
    if (at == size) return true;
    if (word[at] != 'e' && word[at] != 'E') return false;
    at++;
    if (at < size && (word[at] == '-' || word[at] == '+')) at++;
    if (at == size) return false;
    while (at < size && is_digit(word[at])) at++;
    return at == size;
}

bool crm_mesh_text_real(crm_mesh_text *text, const char *what, double *out) {
    const char *word;
    size_t size;
    char room[MOST_DIGITS + CRM_DECIMAL_MORE];
    if (text->status != CAROM_OK) return false;
    if (!crm_mesh_text_word(text, &word, &size))
        return crm_mesh_text_refuse(text, "the %s ends where %s should be; is it whole?",
                                    text->by_line && text->at < text->end ? "line" : "file", what);
    if (size > MOST_DIGITS || !is_real(word, size)) return crm_mesh_text_refuse(text, "%s must be a number", what);
    *out = crm_decimal_value(word, size, room);
    return isfinite(*out) || crm_mesh_text_refuse(text, "%s is too large a number", what);
}

bool crm_mesh_text_count(crm_mesh_text *text, const char *what, int64_t least, int64_t most, int least_bytes,
                         int *out) {
    int64_t count = 0;
    char number[120];
    snprintf(number, sizeof number, "the number of %s", what);
    if (!crm_mesh_text_whole(text, number, 0, INT64_MAX, &count)) return false;
    if (count < least)
        return crm_mesh_text_refuse(text, "%s is %lld, must be at least %lld", number, (long long)count,
                                    (long long)least);
    if (count > most && text->status == CAROM_OK) {
        text->status = crm_fail(text->error, CAROM_ERR_TOO_LARGE,
                                "%.160s: line %d: %s is %lld, at most %lld are possible; make the mesh coarser",
                                text->name, text->line, number, (long long)count, (long long)most);
        return false;
    }
    if (count * least_bytes > text->end - text->at + 1)
        return crm_mesh_text_refuse(text, "%s is %lld, more than what is left of the file has room for; is it whole?",
                                    number, (long long)count);
    *out = (int)count;
    return true;
}
