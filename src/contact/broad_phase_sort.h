// SPDX-License-Identifier: MIT
// Putting pairs in order: by rank of A, rank of B, part of A, part of B.
#ifndef CRM_CONTACT_BROAD_PHASE_SORT_H
#define CRM_CONTACT_BROAD_PHASE_SORT_H

#include "base/pool.h"
#include "contact/broad_phase_search.h"

// Merges lists of different pairs into `out`, in order. `scratch` is used on the way. False: no memory; `out` is then
// as it was.
bool crm_sort_pairs(const crm_item_layout *layout, int list_count, const crm_search_result *lists, crm_arena *arena,
                    const carom_allocator *allocator, crm_pool *pool, crm_pair_list *scratch, crm_pair_list *out);

#endif
