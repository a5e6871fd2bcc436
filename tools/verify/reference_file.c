// SPDX-License-Identifier: MIT
#include "verify/reference_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/text/json_parse.h"
#include "math/quat.h"

void crm_reference_fail(crm_reference *reference, const char *format, ...) {
    if (reference->status != CAROM_OK) return;
    char text[CAROM_ERROR_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (reference->id != NULL)
        reference->status = crm_fail(reference->error, CAROM_ERR_FILE, "%.150s: case '%.60s': %s", reference->path,
                                     reference->id, text);
    else
        reference->status = crm_fail(reference->error, CAROM_ERR_FILE, "%.150s: %s", reference->path, text);
}

void crm_reference_refuse(crm_reference *reference, const carom_error *error) {
    if (reference->status != CAROM_OK) return;
    crm_reference_fail(reference, "%s", error->text);
    reference->status = error->status;
    if (reference->error != NULL) reference->error->status = error->status;
}

void crm_reference_refuse_memory(crm_reference *reference, const char *what, size_t bytes) {
    carom_error error;
    crm_fail_memory(&error, what, bytes);
    crm_reference_refuse(reference, &error);
}

json_t *crm_reference_load(crm_reference *reference) {
    errno = 0;
    FILE *file = fopen(reference->path, "rb");
    // A folder can be opened, but not read.
    int first = file != NULL ? fgetc(file) : EOF;
    if (file == NULL || ferror(file)) {
        crm_reference_fail(reference, "cannot be read: %s", strerror(errno));
        if (file != NULL) fclose(file);
        return NULL;
    }
    ungetc(first, file);
    crm_json_error problem;
    json_t *tree = crm_json_parse_file(file, CRM_JSON_UNIQUE_KEYS, &problem);
    fclose(file);
    if (tree == NULL && problem.no_memory)
        crm_reference_refuse_memory(reference, "the tree of a file", 0);
    else if (tree == NULL)
        crm_reference_fail(reference, "line %d, column %d: this is not JSON: %s", problem.line, problem.column,
                           problem.text);
    return tree;
}

static const json_t *field(crm_reference *reference, const json_t *object, const char *where, const char *key) {
    if (reference->status != CAROM_OK) return NULL;
    const json_t *value = json_object_get(object, key);
    if (!json_is_object(object))
        crm_reference_fail(reference, "%s must be an object", where);
    else if (value == NULL)
        crm_reference_fail(reference, "%s has no field '%s'", where, key);
    if (reference->fields != NULL) crm_field_list_mark(reference->fields, object, key);
    return value;
}

const json_t *crm_reference_optional(crm_reference *reference, const json_t *object, const char *key) {
    return crm_reference_has(object, key) ? field(reference, object, "the object", key) : NULL;
}

bool crm_reference_has(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return value != NULL && !json_is_null(value);
}

const json_t *crm_reference_object(crm_reference *reference, const json_t *object, const char *where, const char *key) {
    const json_t *value = field(reference, object, where, key);
    if (value == NULL || json_is_object(value)) return value;
    crm_reference_fail(reference, "%s.%s must be an object", where, key);
    return NULL;
}

const json_t *crm_reference_array(crm_reference *reference, const json_t *object, const char *where, const char *key) {
    const json_t *value = field(reference, object, where, key);
    if (value == NULL || json_array_size(value) > 0) return value;
    crm_reference_fail(reference, "%s.%s must be an array with at least one entry", where, key);
    return NULL;
}

const char *crm_reference_text(crm_reference *reference, const json_t *object, const char *where, const char *key) {
    const json_t *value = field(reference, object, where, key);
    if (value == NULL) return "";
    if (json_string_length(value) > 0) return json_string_value(value);
    crm_reference_fail(reference, "%s.%s must be a text that is not empty", where, key);
    return "";
}

bool crm_reference_bool(crm_reference *reference, const json_t *object, const char *where, const char *key) {
    const json_t *value = field(reference, object, where, key);
    if (value != NULL && !json_is_boolean(value))
        crm_reference_fail(reference, "%s.%s must be true or false", where, key);
    return json_is_true(value);
}

double crm_reference_number(crm_reference *reference, const json_t *object, const char *where, const char *key) {
    const json_t *value = field(reference, object, where, key);
    if (value != NULL && !json_is_number(value)) crm_reference_fail(reference, "%s.%s must be a number", where, key);
    return json_number_value(value);
}

double crm_reference_positive(crm_reference *reference, const json_t *object, const char *where, const char *key) {
    double value = crm_reference_number(reference, object, where, key);
    if (!(value > 0.0)) crm_reference_fail(reference, "%s.%s is %g, must be positive", where, key, value);
    return value;
}

static bool read_numbers(const json_t *array, size_t count, double *out) {
    if (!json_is_array(array) || json_array_size(array) != count) return false;
    for (size_t i = 0; i < count; i++) {
        const json_t *entry = json_array_get(array, i);
        if (!json_is_number(entry)) return false;
        out[i] = json_number_value(entry);
    }
    return true;
}

carom_vec3 crm_reference_vec3(crm_reference *reference, const json_t *object, const char *where, const char *key) {
    const json_t *value = field(reference, object, where, key);
    double v[3] = {0.0, 0.0, 0.0};
    if (value != NULL && !read_numbers(value, 3, v))
        crm_reference_fail(reference, "%s.%s must be an array of 3 numbers", where, key);
    return crm_vec3(v[0], v[1], v[2]);
}

carom_vec3 crm_reference_vec3_at(crm_reference *reference, const json_t *array, const char *where, size_t index) {
    double v[3] = {0.0, 0.0, 0.0};
    if (reference->status == CAROM_OK && !read_numbers(json_array_get(array, index), 3, v))
        crm_reference_fail(reference, "%s[%zu] must be an array of 3 numbers", where, index);
    return crm_vec3(v[0], v[1], v[2]);
}

carom_quat crm_reference_quat(crm_reference *reference, const json_t *object, const char *where, const char *key) {
    const json_t *value = field(reference, object, where, key);
    double v[4] = {1.0, 0.0, 0.0, 0.0};
    if (value != NULL && !read_numbers(value, 4, v))
        crm_reference_fail(reference, "%s.%s must be an array of 4 numbers", where, key);
    carom_quat unit;
    if (!crm_quat_normalise((carom_quat){v[0], v[1], v[2], v[3]}, &unit))
        crm_reference_fail(reference, "%s.%s has length zero", where, key);
    return unit;
}

carom_mat3 crm_reference_mat3(crm_reference *reference, const json_t *object, const char *where, const char *key) {
    const json_t *value = field(reference, object, where, key);
    double r[3][3] = {{0.0}};
    bool good = json_is_array(value) && json_array_size(value) == 3;
    for (size_t i = 0; good && i < 3; i++) good = read_numbers(json_array_get(value, i), 3, r[i]);
    if (value != NULL && !good) crm_reference_fail(reference, "%s.%s must be 3 rows of 3 numbers", where, key);
    return crm_mat3_columns(crm_vec3(r[0][0], r[1][0], r[2][0]), crm_vec3(r[0][1], r[1][1], r[2][1]),
                            crm_vec3(r[0][2], r[1][2], r[2][2]));
}

// ---- lists

const double *crm_reference_numbers(crm_reference *reference, const json_t *object, const char *where, const char *key,
                                    crm_arena *arena, int *count) {
    *count = 0;
    const json_t *value = field(reference, object, where, key);
    if (value == NULL) return NULL;
    size_t size = json_array_size(value);
    double *list = CRM_ARENA_ARRAY(arena, double, (ptrdiff_t)size);
    if (list == NULL) {
        crm_reference_refuse_memory(reference, "numbers of a reference file", size * sizeof *list);
        return NULL;
    }
    if (!read_numbers(value, size, list)) {
        crm_reference_fail(reference, "%s.%s must be an array of numbers", where, key);
        return NULL;
    }
    *count = (int)size;
    return list;
}

const carom_vec3 *crm_reference_points(crm_reference *reference, const json_t *object, const char *where,
                                       const char *key, crm_arena *arena, int *count) {
    *count = 0;
    const json_t *value = crm_reference_array(reference, object, where, key);
    size_t size = json_array_size(value);
    carom_vec3 *list = CRM_ARENA_ARRAY(arena, carom_vec3, (ptrdiff_t)size);
    if (list == NULL) crm_reference_refuse_memory(reference, "points of a reference file", size * sizeof *list);
    char items_are[80];
    snprintf(items_are, sizeof items_are, "%.60s.%.16s", where, key);
    for (size_t i = 0; i < size && list != NULL; i++) list[i] = crm_reference_vec3_at(reference, value, items_are, i);
    if (reference->status != CAROM_OK) return NULL;
    *count = (int)size;
    return list;
}
