// SPDX-License-Identifier: MIT
// Words that problem files use, and how they are written.
#ifndef CRM_SOLVE_PROBLEM_JSON_H
#define CRM_SOLVE_PROBLEM_JSON_H

#include <jansson.h>

#include "carom/solve.h"

enum { CRM_LAW_COUNT = CAROM_LAW_CONE + 1 };

static const char *const crm_law_names[CRM_LAW_COUNT] = {"equality", "unilateral", "box", "cone"};

// What can be written: a name (may be NULL) that is UTF-8, and impulses (may be NULL) that are finite.
carom_status crm_json_check(const char *name, const double *impulse, int count, carom_error *error);

// A list of finite numbers; NULL without memory, which jansson passes on to what it is put into.
json_t *crm_json_numbers(const double *values, int count);

// Writes the tree to a file that appears whole or not at all, and gives it back; a missing one is what there was no
// memory for.
carom_status crm_json_write(json_t *root, const char *path, carom_error *error);

#endif
