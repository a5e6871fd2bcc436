// SPDX-License-Identifier: MIT
#include "record/report/json_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/text/utf8.h"

void crm_tree_set(crm_tree *tree, json_t *object, const char *key, json_t *value) {
    if (json_object_set_new(object, key, value) != 0) tree->incomplete = true;
}

void crm_tree_append(crm_tree *tree, json_t *array, json_t *value) {
    if (json_array_append_new(array, value) != 0) tree->incomplete = true;
}

carom_status crm_tree_check(const crm_tree *tree, carom_error *error) {
    if (tree->header != NULL && !tree->incomplete) return CAROM_OK;
    return crm_fail_memory(error, "the header of a report", 0);
}

json_t *crm_tree_text(const char *text) {
    size_t size = strlen(text);
    if (crm_utf8_is_valid(text, size)) return json_stringn_nocheck(text, size);
    char *copy = strdup(text);
    if (copy == NULL) return NULL;
    for (char *c = copy; *c != '\0'; c++)
        if ((unsigned char)*c >= 0x80) *c = '?';
    json_t *value = json_stringn_nocheck(copy, size);
    free(copy);
    return value;
}

json_t *crm_tree_number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *crm_tree_numbers(crm_tree *tree, const double *values, int count) {
    json_t *list = json_array();
    for (int i = 0; i < count; i++) crm_tree_append(tree, list, crm_tree_number(values[i]));
    return list;
}

json_t *crm_tree_vec3(crm_tree *tree, carom_vec3 v) {
    return crm_tree_numbers(tree, (const double[]){v.x, v.y, v.z}, 3);
}

json_t *crm_tree_quat(crm_tree *tree, carom_quat q) {
    return crm_tree_numbers(tree, (const double[]){q.w, q.x, q.y, q.z}, 4);
}
