// SPDX-License-Identifier: MIT
// Contacts in the inside of a compound: those that only the seams between its parts make.
#ifndef CRM_CONTACT_INTERNAL_EDGES_H
#define CRM_CONTACT_INTERNAL_EDGES_H

#include "base/arena.h"
#include "contact/item.h"

// Leaves out of the `count` contacts of two proxies, which are those of `pairs` in their order, what is inside of one
// of them, when that is a compound (the rule: seams.c). The order stays. `by_ray`: they are points of centre rays.
// Returns how many are left, or -1 without memory; `scratch` is left as it was.
int crm_remove_internal_edges(const crm_item *items, int pair_count, const crm_item_pair *pairs, bool by_ray, int count,
                              carom_contact *contacts, crm_arena *scratch);

#endif
