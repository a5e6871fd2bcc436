// SPDX-License-Identifier: MIT
// Contacts in the inside of a compound: those that only the internal edges between its parts make.
//
// The room compound/: all contacts of two proxies enter, one of which is a compound; those leave that the whole has,
// and not only one of its parts. Called by contact_update.c for pairs with a compound, before manifold reduction;
// scenes without compounds never come here. internal_cover.h tells what siblings cover, deep_penetration.h what becomes
// of a body that would have no contact left.
#ifndef CRM_CONTACT_INTERNAL_EDGES_H
#define CRM_CONTACT_INTERNAL_EDGES_H

#include "base/arena.h"
#include "contact/item.h"

// Leaves out of the `count` contacts of two proxies, which are those of `pairs` in their order, what is inside of one
// of them, when that is a compound (the rule: internal_edges.c). The order stays. `by_ray`: they are points of centre
// rays. Returns how many are left, or -1 without memory; `scratch` is left as it was.
int crm_remove_internal_edges(const crm_item *items, int pair_count, const crm_item_pair *pairs, bool by_ray, int count,
                              carom_contact *contacts, crm_arena *scratch);

#endif
