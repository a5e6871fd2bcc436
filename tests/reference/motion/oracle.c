// SPDX-License-Identifier: MIT
#include "reference/motion/oracle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/harness/check.h"

json_t *oracle_open(const char *file) {
    const char *folder = getenv("CAROM_REFERENCE");
    char path[4096];
    json_error_t error;
    snprintf(path, sizeof path, "%s/%s", folder != NULL && folder[0] != '\0' ? folder : TEST_DATA, file);
    json_t *oracle = json_load_file(path, 0, &error);
    if (oracle == NULL) fail_msg("%s:%d: %s", path, error.line, error.text);
    return oracle;
}

int oracle_count(const json_t *oracle) {
    return (int)json_array_size(json_object_get(oracle, "cases"));
}

oracle_case oracle_at(const json_t *oracle, int index) {
    json_t *object = json_array_get(json_object_get(oracle, "cases"), (size_t)index);
    return (oracle_case){oracle_text(object, "id"), json_object_get(object, "input"),
                         json_object_get(object, "expected")};
}

double oracle_tolerance(const json_t *oracle, const char *name) {
    return oracle_number(json_object_get(oracle, "tolerance"), name);
}

bool oracle_has(const json_t *object, const char *name) {
    const json_t *value = json_object_get(object, name);
    return value != NULL && !json_is_null(value);
}

double oracle_number(const json_t *object, const char *name) {
    const json_t *value = json_object_get(object, name);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

bool oracle_bool(const json_t *object, const char *name) {
    return json_is_true(json_object_get(object, name));
}

const char *oracle_text(const json_t *object, const char *name) {
    const char *text = json_string_value(json_object_get(object, name));
    return text == NULL ? "" : text;
}

static int append(const json_t *value, double *values, int most, int count) {
    if (json_is_number(value)) {
        if (count < most) values[count] = json_number_value(value);
        return count + 1;
    }
    for (size_t i = 0; i < json_array_size(value); i++) count = append(json_array_get(value, i), values, most, count);
    return count;
}

int oracle_numbers(const json_t *object, const char *name, double *values, int most) {
    return append(json_object_get(object, name), values, most, 0);
}

double oracle_gap(const json_t *object, const char *name, const double *got, int count) {
    enum { MOST = 512 };
    double wanted[MOST], gap = 0.0;
    if (count > MOST || oracle_numbers(object, name, wanted, MOST) != count) return (double)NAN;
    for (int i = 0; i < count; i++) {
        double difference = fabs(got[i] - wanted[i]);
        if (!(difference <= gap)) gap = difference;
    }
    return gap;
}
