// SPDX-License-Identifier: MIT
// The search of blocks for blocks, text that is compiled once per instruction set. The box of a block goes down the
// tree; of each block of items that it meets, those items of its own that meet the other block's box are held against
// the others, eight at a time.
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "contact/broad/broad_phase_search.h"
#include "math/simd/quad.h"

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

// ---- pairs, four at a time and without branches

typedef int32_t four __attribute__((vector_size(16)));
typedef int32_t unaligned_four __attribute__((vector_size(16), aligned(4), may_alias));

QUAD_INLINE four four_load(const void *at) {
    return *(const unaligned_four *)at;
}

QUAD_INLINE void four_store(void *at, four value) {
    *(unaligned_four *)at = value;
}

QUAD_INLINE four four_fill(uint32_t value) {
    int32_t v = (int32_t)value;
    return (four){v, v, v, v};
}

// Bit i is set where lane i is -1.
QUAD_INLINE unsigned four_bits(four a) {
#if defined(__SSE2__)
    return (unsigned)_mm_movemask_ps((__m128)a);
#else
    return (unsigned)(a[0] & 1) | (unsigned)(a[1] & 2) | (unsigned)(a[2] & 4) | (unsigned)(a[3] & 8);
#endif
}

// Lane i is lane from[i] of a.
QUAD_INLINE four four_pick(four a, four from) {
#if defined(__AVX__)
    return (four)_mm_permutevar_ps((__m128)a, (__m128i)from);
#else
    return (four){a[from[0]], a[from[1]], a[from[2]], a[from[3]]};
#endif
}

// Brings the lanes that four bits tell to the front.
static const four to_front[16] = {{0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {2, 0, 0, 0}, {0, 2, 0, 0},
                                  {1, 2, 0, 0}, {0, 1, 2, 0}, {3, 0, 0, 0}, {0, 3, 0, 0}, {1, 3, 0, 0}, {0, 1, 3, 0},
                                  {2, 3, 0, 0}, {0, 2, 3, 0}, {1, 2, 3, 0}, {0, 1, 2, 3}};
static const uint8_t bit_count[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

// Writes the pairs of an item with those of four others that `bits` tells and that it may meet; always writes four, of
// which the next ones overwrite what is too much. Gives the end.
QUAD_INLINE crm_item_pair *append_four(crm_slot own, const crm_slot_block *slots, int lane, unsigned bits,
                                       crm_item_pair *at) {
    const four none = {0, 0, 0, 0};
    four may = four_load(&slots->rank[lane]) != four_fill((uint32_t)own.rank);
    may &= (four_load(&slots->groups[lane]) & four_fill(own.meets)) != none;
    may &= (four_load(&slots->meets[lane]) & four_fill(own.groups)) != none;
    bits = (bits >> lane & 15) & four_bits(may);
    four a = four_fill((uint32_t)own.item), b = four_pick(four_load(&slots->item[lane]), to_front[bits]);
    four less = a < b, low = (less & a) | (~less & b), high = (less & b) | (~less & a);
    four_store(at, __builtin_shufflevector(low, high, 0, 4, 1, 5));
    four_store(at + 2, __builtin_shufflevector(low, high, 2, 6, 3, 7));
    return at + bit_count[bits];
}

// ---- the search

// The items of block `own` that `bits` tells with those of block `other`.
QUAD_INLINE void search_pair(const crm_box_tree *from, int own, unsigned bits, const crm_box_tree *to, int other,
                             const crm_pair_rules *rules, crm_pair_writer *out) {
    const crm_slot_block *slots = &from->slots[own], *other_slots = &to->slots[other];
    const crm_box_block *boxes = &from->block[0][own], *other_boxes = &to->block[0][other];
    unsigned later = from == to && own == other ? ~1u : ~0u; // with itself, each pair once
    crm_item_pair *at = out->at;
    for (; bits != 0; bits &= bits - 1) {
        int i = __builtin_ctz(bits);
        wide_box box = widen(boxes, i);
        unsigned met = meeting(other_boxes, &box) & (later == ~0u ? later : later << i);
        crm_slot slot = crm_slot_at(slots, i);
        at = append_four(slot, other_slots, 0, met, at);
        at = append_four(slot, other_slots, 4, met, at);
    }
    out->at = rules->filter == NULL ? at : crm_filter_pairs(rules, out->at, at);
}

// The items of block `own` with those of the blocks of items below block `index` of level 1 that `bits` tells.
QUAD_INLINE bool search_leaves(const crm_box_tree *from, int own, const crm_box_tree *to, int index, unsigned bits,
                               const crm_pair_rules *rules, crm_pair_writer *out) {
    for (; bits != 0; bits &= bits - 1) {
        int lane = __builtin_ctz(bits);
        wide_box other = widen(&to->block[1][index], lane);
        unsigned met = meeting(&from->block[0][own], &other);
        if (!crm_pair_writer_room(out)) return false;
        out->effort++;
        search_pair(from, own, met, to, index * CRM_BLOCK + lane, rules, out);
    }
    return true;
}

QUAD_INLINE bool search_block(const crm_box_tree *from, int own, const crm_box_tree *to, const crm_pair_rules *rules,
                              crm_pair_writer *out) {
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
            if (!search_leaves(from, own, to, at.index, bits, rules, out)) return false;
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
                          const crm_pair_rules *rules, crm_pair_writer *out) {
    if (to->row.count == 0) return true;
    for (int own = begin; own < end; own++)
        if (!search_block(from, own, to, rules, out)) return false;
    return true;
}
