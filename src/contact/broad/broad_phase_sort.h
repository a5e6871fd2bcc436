// SPDX-License-Identifier: MIT
// Putting pairs in order: by rank of A, rank of B, part of A, part of B.
#ifndef CRM_CONTACT_BROAD_PHASE_SORT_H
#define CRM_CONTACT_BROAD_PHASE_SORT_H

#include "base/pool.h"
#include "contact/broad/broad_phase_pages.h"
#include "contact/item_layout.h"

// Puts the pairs of the pages, which differ, into `out`, in order; the pages are used on the way. False: no memory;
// `out` is then as it was.
bool crm_sort_pairs(const crm_item_layout *layout, crm_pair_pages *pages, crm_arena *arena,
                    const carom_allocator *allocator, crm_pool *pool, crm_pair_list *out);

#endif
