// SPDX-License-Identifier: MIT
// The header of a report: a tree of JSON from whatever a recording holds. It is valid, whatever the names and numbers
// are.
//
// jansson makes NULL of what there is no memory for, and a NULL that is put into an object or an array is refused. So
// everything is put into its place by the two calls below, which note that: a tree is whole, or known not to be.
#ifndef CRM_RECORD_JSON_TREE_H
#define CRM_RECORD_JSON_TREE_H

#include <jansson.h>
#include <stdbool.h>

#include "carom/status.h"
#include "carom/types.h"

typedef struct crm_tree {
    json_t *header; // the root
    bool incomplete;
} crm_tree;

// Both take over `value`, which may be NULL for want of memory; so may be what it is put into.
void crm_tree_set(crm_tree *tree, json_t *object, const char *key, json_t *value);
void crm_tree_append(crm_tree *tree, json_t *array, json_t *value);

// CAROM_ERR_NO_MEMORY when something is missing.
carom_status crm_tree_check(const crm_tree *tree, carom_error *error);

json_t *crm_tree_text(const char *text); // of text that is no UTF-8, other bytes than ASCII's become '?'
json_t *crm_tree_number(double value);   // null when it is not finite
json_t *crm_tree_numbers(crm_tree *tree, const double *values, int count);
json_t *crm_tree_vec3(crm_tree *tree, carom_vec3 v);
json_t *crm_tree_quat(crm_tree *tree, carom_quat q);

#endif
