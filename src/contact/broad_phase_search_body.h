// SPDX-License-Identifier: MIT
// The search of blocks for blocks, text that is compiled once per instruction set. The box of a block goes down the
// tree; of each block of items that it meets, those items of its own that meet the other block's box are held against
// the others, eight at a time.
#include "contact/broad_phase_search.h"
#include "math/quad.h"

typedef struct wide_box {
    quad low[3], high[3];
} wide_box;

QUAD_INLINE wide_box widen(const crm_box_block *block, int lane) {
    wide_box box;
    for (int k = 0; k < 3; k++) {
        box.low[k] = quad_fill(block->low[k][lane]);
        box.high[k] = quad_fill(block->high[k][lane]);
    }
    return box;
}

// Bit i is set when box i of the block meets this one, touching included.
QUAD_INLINE unsigned meeting(const crm_box_block *block, const wide_box *box) {
    unsigned bits = 0;
    for (int i = 0; i < CRM_BLOCK; i += 4) {
        quad_mask held = quad_load(&block->low[0][i]) <= box->high[0];
        held &= quad_load(&block->high[0][i]) >= box->low[0];
        held &= quad_load(&block->low[1][i]) <= box->high[1];
        held &= quad_load(&block->high[1][i]) >= box->low[1];
        held &= quad_load(&block->low[2][i]) <= box->high[2];
        held &= quad_load(&block->high[2][i]) >= box->low[2];
        bits |= quad_signs((quad)held) << i;
    }
    return bits;
}

static inline void append_pairs(const crm_slot *own, const crm_slot *others, unsigned bits, const crm_pair_rules *rules,
                                crm_search_result *out) {
    for (; bits != 0; bits &= bits - 1) {
        const crm_slot *other = &others[__builtin_ctz(bits)];
        if (crm_may_meet(rules, own, other))
            out->pairs.items[out->pairs.count++] = crm_ordered_pair(own->item, other->item);
    }
}

// The items of block `own` that `bits` tells with those of block `other`.
QUAD_INLINE void search_pair(const crm_box_tree *from, int own, unsigned bits, const crm_box_tree *to, int other,
                             const crm_pair_rules *rules, crm_search_result *out) {
    const crm_box_block *block = &from->block[0][own], *others = &to->block[0][other];
    unsigned later = from == to && own == other ? ~1u : ~0u;
    for (; bits != 0; bits &= bits - 1) {
        int i = __builtin_ctz(bits);
        wide_box box = widen(block, i);
        unsigned met = meeting(others, &box) & (later == ~0u ? later : later << i);
        append_pairs(&from->slot[own * CRM_BLOCK + i], &to->slot[other * CRM_BLOCK], met, rules, out);
    }
}

// The items of block `own` with those of the blocks of items below block `index` of level 1 that `bits` tells.
QUAD_INLINE bool search_leaves(const crm_box_tree *from, int own, const crm_box_tree *to, int index, unsigned bits,
                               const crm_pair_rules *rules, const carom_allocator *allocator, crm_search_result *out) {
    for (; bits != 0; bits &= bits - 1) {
        int lane = __builtin_ctz(bits);
        wide_box other = widen(&to->block[1][index], lane);
        unsigned met = meeting(&from->block[0][own], &other);
        if (!CRM_ARRAY_RESERVE(allocator, &out->pairs, (ptrdiff_t)out->pairs.count + CRM_BLOCK * CRM_BLOCK))
            return false;
        out->effort++;
        search_pair(from, own, met, to, index * CRM_BLOCK + lane, rules, out);
    }
    return true;
}

QUAD_INLINE bool search_block(const crm_box_tree *from, int own, const crm_box_tree *to, const crm_pair_rules *rules,
                              const carom_allocator *allocator, crm_search_result *out) {
    struct {
        int level, index;
    } stack[CRM_BLOCK * CRM_TREE_LEVELS], at;
    wide_box box = widen(&from->block[1][own / CRM_BLOCK], own % CRM_BLOCK);
    int height = 0;
    stack[height].level = to->level_count - 1;
    stack[height++].index = 0;
    while (height > 0) {
        at = stack[--height];
        unsigned bits = meeting(&to->block[at.level][at.index], &box);
        if (from == to) { // what comes before the block has found it already
            int before = (own >> CRM_BLOCK_BITS * (at.level - 1)) - at.index * CRM_BLOCK;
            if (before > 0) bits &= before < CRM_BLOCK ? ~0u << before : 0;
        }
        if (at.level == 1) {
            if (!search_leaves(from, own, to, at.index, bits, rules, allocator, out)) return false;
            continue;
        }
        for (; bits != 0; bits &= bits - 1) {
            stack[height].level = at.level - 1;
            stack[height++].index = at.index * CRM_BLOCK + __builtin_ctz(bits);
        }
    }
    return true;
}

static bool search_blocks(const crm_box_tree *from, int begin, int end, const crm_box_tree *to,
                          const crm_pair_rules *rules, const carom_allocator *allocator, crm_search_result *out) {
    if (to->row.count == 0) return true;
    for (int own = begin; own < end; own++)
        if (!search_block(from, own, to, rules, allocator, out)) return false;
    return true;
}
