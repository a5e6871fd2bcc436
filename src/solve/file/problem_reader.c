// SPDX-License-Identifier: MIT
#include "solve/file/problem_reader.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/text/json_parse.h"

void crm_read_fail(crm_reader *in, const char *format, ...) {
    if (in->status != CAROM_OK) return;
    char text[CAROM_ERROR_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    in->status = crm_fail(in->error, CAROM_ERR_FILE, "%.200s: %s", in->path, text);
}

void crm_read_no_memory(crm_reader *in) {
    in->status = CAROM_ERR_NO_MEMORY;
    if (in->error != NULL) in->error->status = in->status;
}

void *crm_read_room(crm_reader *in, size_t count, size_t size) {
    if (in->status != CAROM_OK) return NULL;
    void *array = count <= PTRDIFF_MAX ? crm_arena_take_zeroed(in->arena, (ptrdiff_t)count, size) : NULL;
    if (array == NULL) in->status = crm_fail_memory(in->error, "a problem", count * size);
    return array;
}

json_t *crm_read_tree(crm_reader *in) {
    errno = 0;
    FILE *file = fopen(in->path, "rb");
    int first = file != NULL ? fgetc(file) : EOF; // a folder can be opened, but not read
    if (file == NULL || ferror(file)) {
        int number = errno;
        crm_read_fail(in, "cannot be read: %s", strerror(number));
        if (number == ENOMEM) crm_read_no_memory(in);
        if (file != NULL) fclose(file);
        return NULL;
    }
    ungetc(first, file);
    crm_json_error problem;
    json_t *root = crm_json_parse_file(file, CRM_JSON_UNIQUE_KEYS, &problem);
    fclose(file);
    if (root == NULL && problem.no_memory)
        in->status = crm_fail_memory(in->error, "the tree of a problem", 0);
    else if (root == NULL)
        crm_read_fail(in, "line %d, column %d: this is not JSON: %s", problem.line, problem.column, problem.text);
    return root;
}

const json_t *crm_read_member(crm_reader *in, const json_t *object, const char *where, const char *key) {
    if (in->status != CAROM_OK) return NULL;
    const json_t *value = json_object_get(object, key);
    if (value == NULL) crm_read_fail(in, "%s has no '%s'", where, key);
    return value;
}

// There is nothing to number when `most` is negative.
static void refuse_index(crm_reader *in, const char *what, int most) {
    if (most < 0)
        crm_read_fail(in, "%s numbers something, but there is nothing of its kind", what);
    else
        crm_read_fail(in, "%s must be a whole number from 0 to %d", what, most);
}

int crm_read_index(crm_reader *in, const json_t *value, const char *what, int most) {
    if (in->status != CAROM_OK) return 0;
    json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < 0 || number > most) {
        refuse_index(in, what, most);
        return 0;
    }
    return (int)number;
}

double crm_read_number(crm_reader *in, const json_t *value, const char *what) {
    if (in->status == CAROM_OK && !json_is_number(value)) crm_read_fail(in, "%s must be a number", what);
    return json_number_value(value);
}

const double *crm_read_numbers(crm_reader *in, const json_t *list, const char *what, int count, int *found) {
    size_t size = json_array_size(list);
    if (in->status != CAROM_OK) return NULL;
    if (!json_is_array(list) || size > INT_MAX || (count >= 0 && size != (size_t)count)) {
        if (count >= 0)
            crm_read_fail(in, "%s must be a list of %d numbers", what, count);
        else
            crm_read_fail(in, "%s must be a list of numbers", what);
        return NULL;
    }
    double *values = crm_read_room(in, size, sizeof *values);
    for (size_t i = 0; i < size && in->status == CAROM_OK; i++) {
        const json_t *value = json_array_get(list, i);
        values[i] = json_number_value(value);
        if (!json_is_number(value)) crm_read_fail(in, "%s[%zu] must be a number", what, i);
    }
    if (found != NULL) *found = (int)size;
    return in->status == CAROM_OK ? values : NULL;
}

const int *crm_read_indices(crm_reader *in, const json_t *list, const char *what, int most, int *found) {
    size_t size = json_array_size(list);
    if (in->status != CAROM_OK) return NULL;
    if (!json_is_array(list) || size > INT_MAX) crm_read_fail(in, "%s must be a list of whole numbers", what);
    int *values = crm_read_room(in, size, sizeof *values);
    for (size_t i = 0; i < size && in->status == CAROM_OK; i++) {
        const json_t *value = json_array_get(list, i);
        json_int_t number = json_integer_value(value);
        values[i] = (int)number;
        if (json_is_integer(value) && number >= 0 && number <= most) continue;
        char item[64];
        snprintf(item, sizeof item, "%.40s[%zu]", what, i);
        refuse_index(in, item, most);
    }
    *found = (int)size;
    return in->status == CAROM_OK ? values : NULL;
}
