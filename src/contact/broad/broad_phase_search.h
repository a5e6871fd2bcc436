// SPDX-License-Identifier: MIT
// Finding the pairs of items, in no particular order.
#ifndef CRM_CONTACT_BROAD_PHASE_SEARCH_H
#define CRM_CONTACT_BROAD_PHASE_SEARCH_H

#include "contact/broad/broad_phase_pages.h"
#include "contact/broad/broad_phase_rules.h"
#include "contact/broad/broad_phase_tree.h"
#include "contact/item_layout.h"

typedef struct crm_pair_rules {
    const crm_item_layout *layout;
    carom_pair_filter *filter; // may be NULL
    void *filter_user;
} crm_pair_rules;

// One item, likewise.
typedef struct crm_slot {
    int32_t item, rank;
    uint32_t groups, meets;
} crm_slot;

static inline crm_slot crm_slot_at(const crm_slot_block *slots, int lane) {
    return (crm_slot){slots->item[lane], slots->rank[lane], slots->groups[lane], slots->meets[lane]};
}

// Drops pairs that the filter does not want from a list; gives its new end.
crm_item_pair *crm_filter_pairs(const crm_pair_rules *rules, crm_item_pair *begin, crm_item_pair *end);

// Appends the pairs of the items in the blocks begin ... end - 1 of `from` with those of `to`; when that is the same
// tree, with those that come later in it. False: the pages are full. Once per instruction set; all find the same.
typedef bool crm_block_search(const crm_box_tree *from, int begin, int end, const crm_box_tree *to,
                              const crm_pair_rules *rules, crm_pair_writer *out);
crm_block_search crm_search_blocks;

// All variants that this processor can run, the fastest last; NULL past it.
crm_block_search *crm_block_search_variant(int index);

// Appends the pairs of a half-space or container with the items of a tree. False: the pages are full.
bool crm_search_static_geometry(const crm_static_bound *bound, const crm_slot *slot, const crm_box_tree *to,
                                const crm_pair_rules *rules, crm_pair_writer *out);

#endif
