// SPDX-License-Identifier: MIT
// The broad phase: which items can touch within the step.
//
// Two items are a pair when
//   their proxies are different, not both fixed, and meet by groups and filter;
//   both are bounded and their boxes (crm_box) meet, touching included;
//   or one is a half-space or a container and the other one's box comes within the joint margin of its surface or
//   beyond (crm_meets_static_geometry).
// This definition is exact: whatever structure finds them, the pairs are those that a test of all with all would find.
// They are ordered by id of A, id of B, part of A, part of B.
//
// The room broad/: checked proxies enter, ordered pairs of items leave. Called by contact_update.c, once an update.
#ifndef CRM_CONTACT_BROAD_PHASE_H
#define CRM_CONTACT_BROAD_PHASE_H

#include "base/pool.h"
#include "contact/item.h"

typedef struct crm_broad_phase crm_broad_phase; // holds what makes the next search faster; never changes its answer

carom_status crm_broad_phase_create(const carom_allocator *allocator, crm_broad_phase **out, carom_error *error);
void crm_broad_phase_destroy(crm_broad_phase *broad); // may be NULL

// Lays out the items of proxies that have been checked and finds their pairs. The lists are valid until the next call;
// items point into `proxies`. Fails for want of memory and beyond its limit, and is then as before.
carom_status crm_broad_phase_update(crm_broad_phase *broad, int count, const carom_proxy *proxies,
                                    carom_pair_filter *filter, void *filter_user, crm_pool *pool, carom_error *error);
// More pairs than this, or one page of them more, are refused (CAROM_ERR_TOO_LARGE) before there is memory for them. As
// many as memory allows unless it is called.
void crm_broad_phase_limit(crm_broad_phase *broad, double most_pairs);
const crm_item *crm_broad_phase_items(const crm_broad_phase *broad, int *count);
const crm_item_pair *crm_broad_phase_pairs(const crm_broad_phase *broad, int64_t *count);
size_t crm_broad_phase_bytes(const crm_broad_phase *broad);

// The box of an item that has been made ready.
void crm_item_box(const crm_item *item, crm_box *out);

#endif
