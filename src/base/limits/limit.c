// SPDX-License-Identifier: MIT
#include "base/limits/limit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

static const struct {
    const char *name;
    size_t offset;
    double usual;
    bool bytes;
} table[] = {
    {"memory", offsetof(carom_limits, memory), 0x1p31, true},
    {"bodies", offsetof(carom_limits, bodies), 100000, false},
    {"joints", offsetof(carom_limits, joints), 100000, false},
    {"forces", offsetof(carom_limits, forces), 200000, false},
    {"vertices", offsetof(carom_limits, vertices), 5000, false},
    {"parts", offsetof(carom_limits, parts), 5000, false},
    {"pairs", offsetof(carom_limits, pairs), 1000000, false},
    {"contacts", offsetof(carom_limits, contacts), 200000, false},
    {"steps", offsetof(carom_limits, steps), 1e9, false},
    {"seconds", offsetof(carom_limits, seconds), 2, false},
    {"text", offsetof(carom_limits, text), 0x1p26, true},
};
enum { LIMITS = sizeof table / sizeof table[0] };

static double *member(carom_limits *limits, int i) {
    return (double *)(void *)((char *)limits + table[i].offset);
}

carom_limits carom_limits_default(void) {
    carom_limits limits = {.struct_size = sizeof limits};
    for (int i = 0; i < LIMITS; i++) *member(&limits, i) = table[i].usual;
    return limits;
}

carom_limits carom_limits_none(void) {
    carom_limits limits = {.struct_size = sizeof limits};
    for (int i = 0; i < LIMITS; i++) *member(&limits, i) = INFINITY;
    return limits;
}

carom_status crm_limits_take(const carom_limits *given, carom_limits usual, carom_limits *out, carom_error *error) {
    bool zero = given->struct_size == 0;
    for (int i = 0; i < LIMITS; i++)
        zero &= *(const double *)(const void *)((const char *)given + table[i].offset) == 0.0;
    carom_status status = zero ? CAROM_OK : CRM_CHECK_STRUCT(given, carom_limits, error);
    if (status == CAROM_OK) *out = zero ? usual : *given;
    return status;
}

static int find(const char *name, size_t length) {
    for (int i = 0; i < LIMITS; i++)
        if (strlen(table[i].name) == length && memcmp(table[i].name, name, length) == 0) return i;
    return -1;
}

// "8G", "1e6", "none". Read by hand, as the locale must not matter: digits, a point, an exponent.
static bool read_value(const char *text, size_t length, double base, double *out) {
    static const char powers[] = "kMGT";
    char number[32];
    if (length == 4 && memcmp(text, "none", 4) == 0) return *out = INFINITY, true;
    if (length == 0 || length >= sizeof number || strspn(text, "0123456789.e+kMGT") < length) return false;
    memcpy(number, text, length);
    number[length] = '\0';
    const char *power = strchr(powers, number[length - 1]);
    if (power != NULL) number[length - 1] = '\0';
    char *end = number;
    double value = 0.0, place = 1.0;
    for (; *end >= '0' && *end <= '9'; end++) value = 10.0 * value + (*end - '0');
    if (*end == '.')
        for (end++; *end >= '0' && *end <= '9'; end++) value += (*end - '0') * (place /= 10.0);
    if (*end == 'e') value *= pow(10.0, (double)strtol(end + 1, &end, 10));
    if (power != NULL) value *= pow(base, (double)(power - powers + 1));
    *out = value;
    return *end == '\0' && end > number && value > 0.0 && isfinite(value);
}

carom_status carom_limits_set(carom_limits *limits, const char *text, carom_error *error) {
    CRM_NEED(limits, error);
    carom_status status = CRM_CHECK_STRUCT(limits, carom_limits, error);
    if (status != CAROM_OK) return status;
    if (text == NULL) return crm_refuse(error, "limits: the text is NULL; give one such as \"memory=8G\"");
    carom_limits next = *limits;
    while (*text != '\0') {
        size_t length = strcspn(text, ","), name = strcspn(text, "=,");
        int which = find(text, name);
        if (which < 0)
            return crm_refuse(
                error,
                "limits: there is none called \"%.*s\"; there are memory, bodies, joints, forces, vertices, "
                "parts, pairs, contacts, steps, seconds and text",
                (int)(name < 40 ? name : 40), text);
        if (name == length ||
            !read_value(text + name + 1, length - name - 1, table[which].bytes ? 1024.0 : 1000.0, member(&next, which)))
            return crm_refuse(error, "limits: \"%.*s\" needs a positive number, such as %s=%s, or none",
                              (int)(length < 60 ? length : 60), text, table[which].name,
                              table[which].bytes ? "8G" : "1e6");
        text += length + (text[length] == ',');
    }
    *limits = next;
    return CAROM_OK;
}

carom_status crm_fail_interrupted(carom_error *error) {
    return crm_fail(error, CAROM_ERR_INTERRUPTED, "interrupted before it was done");
}

const char *crm_limit_text(double number, char out[32]) {
    snprintf(out, 32, number == floor(number) && number < 1e15 ? "%.0f" : "%.3g", number);
    return out;
}
