// SPDX-License-Identifier: MIT
// Values of JSON from whatever a recording holds: the tree is valid, whatever the names and numbers are. A lack of
// memory leaves members out, which the reader of the tree notices when it is written.
#ifndef CRM_RECORD_JSON_TREE_H
#define CRM_RECORD_JSON_TREE_H

#include <jansson.h>

#include "carom/types.h"

json_t *crm_tree_text(const char *text); // of text that is no UTF-8, other bytes than ASCII's become '?'
json_t *crm_tree_number(double value);   // null when it is not finite
json_t *crm_tree_numbers(const double *values, int count);
json_t *crm_tree_vec3(carom_vec3 v);
json_t *crm_tree_quat(carom_quat q);

#endif
