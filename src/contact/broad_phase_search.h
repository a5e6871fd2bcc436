// SPDX-License-Identifier: MIT
// Finding the pairs of items, in no particular order.
#ifndef CRM_CONTACT_BROAD_PHASE_SEARCH_H
#define CRM_CONTACT_BROAD_PHASE_SEARCH_H

#include "contact/broad_phase_meet.h"
#include "contact/broad_phase_tree.h"
#include "contact/item_layout.h"

typedef CRM_ARRAY(crm_item_pair) crm_pair_list;

// What one chunk of a search has found.
typedef struct crm_search_result {
    crm_pair_list pairs;
    int64_t effort; // pairs of blocks of items that were held against each other
    bool failed;    // for want of memory
} crm_search_result;

typedef struct crm_pair_rules {
    const crm_item_layout *layout;
    carom_pair_filter *filter; // may be NULL
    void *filter_user;
} crm_pair_rules;

// Whether two items, near each other and not both of fixed proxies, may be a pair.
static inline bool crm_may_meet(const crm_pair_rules *rules, const crm_slot *a, const crm_slot *b) {
    if (a->rank == b->rank || (a->groups & b->meets) == 0 || (b->groups & a->meets) == 0) return false;
    if (rules->filter == NULL) return true;
    int32_t id_a = crm_layout_proxy(rules->layout, a->item)->id, id_b = crm_layout_proxy(rules->layout, b->item)->id;
    return rules->filter(rules->filter_user, id_a < id_b ? id_a : id_b, id_a < id_b ? id_b : id_a);
}

static inline crm_item_pair crm_ordered_pair(int32_t a, int32_t b) {
    return a < b ? (crm_item_pair){a, b} : (crm_item_pair){b, a};
}

// Appends the pairs of the items in the blocks begin ... end - 1 of `from` with those of `to`; when that is the same
// tree, with those that come later in it. False: no memory. Once per instruction set; all find the same.
typedef bool crm_block_search(const crm_box_tree *from, int begin, int end, const crm_box_tree *to,
                              const crm_pair_rules *rules, const carom_allocator *allocator, crm_search_result *out);
crm_block_search crm_search_blocks;

// All variants that this processor can run, the fastest last; NULL past it.
crm_block_search *crm_block_search_variant(int index);

// Appends the pairs of a half-space or container with the items of a tree. False: no memory.
bool crm_search_surroundings(const crm_outside *outside, const crm_slot *slot, const crm_box_tree *to,
                             const crm_pair_rules *rules, const carom_allocator *allocator, crm_search_result *out);

#endif
