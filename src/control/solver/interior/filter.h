// SPDX-License-Identifier: MIT
// The filter: pairs of violation and barrier function that no later iterate may be worse than in both.
#ifndef CRM_CONTROL_FILTER_H
#define CRM_CONTROL_FILTER_H

#include <stdbool.h>

#include "base/arena.h"

// Entries that others dominate leave; should it fill up, its oldest does.
enum { CRM_FILTER_SIZE = 512 };

typedef struct crm_filter {
    int count;
    double (*entry)[2]; // violation, barrier function (CRM_FILTER_SIZE)
} crm_filter;

bool crm_filter_accepts(const crm_filter *filter, double violation, double value);
void crm_filter_add(crm_filter *filter, double violation, double value);

#endif
