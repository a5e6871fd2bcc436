// SPDX-License-Identifier: MIT
// A table from names to indices, so that a model of 100,000 named bodies is built in linear time.
#ifndef CRM_MODEL_MODEL_NAMES_H
#define CRM_MODEL_MODEL_NAMES_H

#include <stdbool.h>

#include "carom/allocator.h"
#include "carom/status.h"

typedef struct crm_names {
    char **name; // by slot; NULL where empty
    int *index;  // by slot
    int slot_count, used;
} crm_names;

// Index of a name, -1 when it is not there.
int crm_names_find(const crm_names *names, const char *name);

enum { CRM_BODY_TEXT = 128 };

// An item in messages: "body 'cart'", or "body 3" without a name.
const char *crm_item_text(const char *kind, const char *name, int index, char text[CRM_BODY_TEXT]);

// Refuses a name, which may be NULL, that a new item cannot have; `text` becomes that of the item.
carom_status crm_names_check(const crm_names *names, const char *kind, const char *name, int index,
                             char text[CRM_BODY_TEXT], carom_error *error);

// Enters the checked name of a new item, if it has one, and replaces it by a copy that lives as long as the table.
carom_status crm_names_add(const carom_allocator *allocator, crm_names *names, const char **name, int index,
                           carom_error *error);

void crm_names_free(const carom_allocator *allocator, crm_names *names);

#endif
