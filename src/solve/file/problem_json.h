// SPDX-License-Identifier: MIT
// Words that problem files use, and how they are written.
#ifndef CRM_SOLVE_PROBLEM_JSON_H
#define CRM_SOLVE_PROBLEM_JSON_H

#include <jansson.h>

#include "carom/solve.h"

enum { CRM_LAW_COUNT = CAROM_LAW_CONE + 1 };

static const char *const crm_law_names[CRM_LAW_COUNT] = {"equality", "unilateral", "box", "cone"};

// A list of numbers; NULL when one is not finite or memory is short, which jansson passes on to what it is put into.
json_t *crm_json_numbers(const double *values, int count);

// Writes the tree, and gives it back; a missing one is what could not be made.
carom_status crm_json_write(json_t *root, const char *path, carom_error *error);

#endif
