// SPDX-License-Identifier: MIT
// The search that runs everywhere, the choice at run time, and the search for static geometry.
#include "contact/broad/broad_phase_search.h"

#include "contact/broad/broad_phase_search_body.h"

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
                       const crm_pair_rules *rules, crm_pair_writer *out) {
    crm_block_search *fast = crm_block_search_variant(1);
    return (fast != NULL ? fast : search_blocks)(from, begin, end, to, rules, out);
}

crm_item_pair *crm_filter_pairs(const crm_pair_rules *rules, crm_item_pair *begin, crm_item_pair *end) {
    crm_item_pair *kept = begin;
    for (const crm_item_pair *pair = begin; pair < end; pair++) {
        int32_t id_a = crm_layout_proxy(rules->layout, pair->a)->id,
                id_b = crm_layout_proxy(rules->layout, pair->b)->id;
        if (rules->filter(rules->filter_user, id_a, id_b)) *kept++ = *pair;
    }
    return kept;
}

// ---- static geometry

typedef struct bound_search {
    const crm_static_bound *bound;
    const crm_slot *slot;
    const crm_box_tree *to;
    const crm_pair_rules *rules;
    crm_pair_writer *out;
} bound_search;

static void search_items(const bound_search *s, int index) {
    crm_item_pair *start = s->out->at;
    for (int lane = 0; lane < CRM_BLOCK && index * CRM_BLOCK + lane < s->to->row.count; lane++) {
        crm_slot own = *s->slot, other = crm_slot_at(&s->to->slots[index], lane);
        crm_box box;
        crm_block_box(&s->to->block[0][index], lane, &box);
        if ((own.groups & other.meets) == 0 || (own.meets & other.groups) == 0) continue;
        if (!crm_meets_static_geometry(s->bound, &box)) continue;
        *s->out->at++ =
            own.item < other.item ? (crm_item_pair){own.item, other.item} : (crm_item_pair){other.item, own.item};
    }
    if (s->rules->filter != NULL) s->out->at = crm_filter_pairs(s->rules, start, s->out->at);
}

static bool search_below(const bound_search *s, int level, int index) {
    if (!crm_pair_writer_room(s->out)) return false;
    if (level == 0) {
        search_items(s, index);
        return true;
    }
    for (int lane = 0; lane < CRM_BLOCK && index * CRM_BLOCK + lane < s->to->block_count[level - 1]; lane++) {
        crm_box box;
        crm_block_box(&s->to->block[level][index], lane, &box);
        if (crm_meets_static_geometry(s->bound, &box) && !search_below(s, level - 1, index * CRM_BLOCK + lane))
            return false;
    }
    return true;
}

bool crm_search_static_geometry(const crm_static_bound *bound, const crm_slot *slot, const crm_box_tree *to,
                                const crm_pair_rules *rules, crm_pair_writer *out) {
    bound_search search = {bound, slot, to, rules, out};
    return to->row.count == 0 || search_below(&search, to->level_count - 1, 0);
}
