// SPDX-License-Identifier: MIT
#include "record/report/json_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *crm_tree_text(const char *text) {
    json_t *value = json_string(text);
    if (value != NULL) return value;
    char *copy = strdup(text);
    if (copy == NULL) return NULL;
    for (char *c = copy; *c != '\0'; c++)
        if ((unsigned char)*c >= 0x80) *c = '?';
    value = json_string(copy);
    free(copy);
    return value;
}

json_t *crm_tree_number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *crm_tree_numbers(const double *values, int count) {
    json_t *list = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(list, crm_tree_number(values[i]));
    return list;
}

json_t *crm_tree_vec3(carom_vec3 v) {
    return crm_tree_numbers((const double[]){v.x, v.y, v.z}, 3);
}

json_t *crm_tree_quat(carom_quat q) {
    return crm_tree_numbers((const double[]){q.w, q.x, q.y, q.z}, 4);
}
