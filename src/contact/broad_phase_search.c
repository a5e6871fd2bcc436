// SPDX-License-Identifier: MIT
// The search that runs everywhere, the choice at run time, and the search for surroundings.
#include "contact/broad_phase_search.h"

#include "contact/broad_phase_search_body.h"

#if defined(__x86_64__)
extern crm_block_search crm_search_blocks_avx2;
#endif

crm_block_search *crm_block_search_variant(int index) {
    if (index == 0) return search_blocks;
#if defined(__x86_64__)
    if (index == 1 && __builtin_cpu_supports("avx2")) return crm_search_blocks_avx2;
#endif
    return NULL;
}

bool crm_search_blocks(const crm_box_tree *from, int begin, int end, const crm_box_tree *to,
                       const crm_pair_rules *rules, const carom_allocator *allocator, crm_search_result *out) {
    crm_block_search *fast = crm_block_search_variant(1);
    return (fast != NULL ? fast : search_blocks)(from, begin, end, to, rules, allocator, out);
}

// ---- surroundings

typedef struct outside_search {
    const crm_outside *outside;
    const crm_slot *slot;
    const crm_box_tree *to;
    const crm_pair_rules *rules;
    const carom_allocator *allocator;
    crm_search_result *out;
} outside_search;

static bool search_below(const outside_search *s, int level, int index) {
    int below = level > 0 ? s->to->block_count[level - 1] : s->to->row.count;
    for (int lane = 0; lane < CRM_BLOCK && index * CRM_BLOCK + lane < below; lane++) {
        int child = index * CRM_BLOCK + lane;
        crm_box box;
        crm_block_box(&s->to->block[level][index], lane, &box);
        if (!crm_meets_surroundings(s->outside, &box)) continue;
        if (level > 0) {
            if (!search_below(s, level - 1, child)) return false;
            continue;
        }
        const crm_slot *other = &s->to->slot[child];
        if (crm_may_meet(s->rules, s->slot, other) &&
            !CRM_ARRAY_PUSH(s->allocator, &s->out->pairs, crm_ordered_pair(s->slot->item, other->item)))
            return false;
    }
    return true;
}

bool crm_search_surroundings(const crm_outside *outside, const crm_slot *slot, const crm_box_tree *to,
                             const crm_pair_rules *rules, const carom_allocator *allocator, crm_search_result *out) {
    outside_search search = {outside, slot, to, rules, allocator, out};
    return to->row.count == 0 || search_below(&search, to->level_count - 1, 0);
}
