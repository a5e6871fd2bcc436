// SPDX-License-Identifier: MIT
// A table from names to indices, so that a model of 100,000 named bodies is built in linear time.
#ifndef CRM_MODEL_MODEL_NAMES_H
#define CRM_MODEL_MODEL_NAMES_H

#include <stdbool.h>

#include "carom/allocator.h"

typedef struct crm_names {
    char **name; // by slot; NULL where empty
    int *index;  // by slot
    int slot_count, used;
} crm_names;

// Index of a name, -1 when it is not there.
int crm_names_find(const crm_names *names, const char *name);

// Keeps a copy of the name, which must not be there yet, and returns it; NULL when there is no memory.
const char *crm_names_add(const carom_allocator *allocator, crm_names *names, const char *name, int index);

void crm_names_free(const carom_allocator *allocator, crm_names *names);

#endif
