// SPDX-License-Identifier: MIT
// Words that problem files use; problem_load.c reads them, problem_dump.c writes them.
#ifndef CRM_SOLVE_PROBLEM_JSON_H
#define CRM_SOLVE_PROBLEM_JSON_H

#include "carom/solve.h"

enum { CRM_LAW_COUNT = CAROM_LAW_CONE + 1 };

static const char *const crm_law_names[CRM_LAW_COUNT] = {"equality", "unilateral", "box", "cone"};

#endif
