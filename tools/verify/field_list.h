// SPDX-License-Identifier: MIT
// Which members of a case's expected values were looked at. Whatever a file expects is either compared or named as not
// compared: the reading marks each member that a set asks for, and what is left without a mark at the end is told.
#ifndef CRM_VERIFY_FIELD_LIST_H
#define CRM_VERIFY_FIELD_LIST_H

#include <jansson.h>
#include <stdbool.h>

#include "base/arena.h"

typedef struct crm_listed_field {
    const char *key; // the member's own, as the tree stores it: its address is the member's identity
    int parent;      // the member that it is in, -1 for those of the case's object
    bool read;
} crm_listed_field;

typedef struct crm_field_list {
    int count;
    crm_listed_field *field; // members of objects, those inside of lists too; a member comes before its own
} crm_field_list;

// Lists the members of `expected` that are not null; false when there is no memory. The list is the arena's.
bool crm_field_list_make(crm_field_list *list, const json_t *expected, crm_arena *arena);

void crm_field_list_mark(crm_field_list *list, const json_t *object, const char *key);

// Calls `tell` with the name of each member without a mark, "gradient.dg_dx1"; members of lists have no numbers, so
// that a name may come several times. Of a member without a mark its own members are not told.
void crm_field_list_unread(const crm_field_list *list, void (*tell)(void *user, const char *name), void *user);

#endif
