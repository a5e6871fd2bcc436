// SPDX-License-Identifier: MIT
// A tree of boxes over bounded items, whose shape depends on their number alone: items stand in a row, eight of them
// are a block, eight blocks a block of the next level, and so on. The row is arranged so that what is near in it is
// near in space and of like size. Any arrangement gives the right pairs; a good one gives them soon.
//
// What else was tried, on a bed of boxes with 11 pairs each and one in a thousand `big` times as large; ms, AVX2, one
// core of a shared machine, pairs not yet in order:
//
//   boxes                              10,000   100,000   10,000, big = 10   10,000, big = 100
//   sorted along an axis, pruned           26      1500                 26                  26
//   grid of cells of the largest box      1.7        19                 72                  68
//   tree: blocks and search         0.16+1.10    1.9+14          0.16+1.29           0.14+2.37
//   tree: arranging, now and then         1.5        22                1.5                 1.6
//
// Boxes are doubles and compared as such: floats would need another comparison afterwards, and could not tell small
// items apart that are far from the origin.
#ifndef CRM_CONTACT_BROAD_PHASE_TREE_H
#define CRM_CONTACT_BROAD_PHASE_TREE_H

#include "base/arena.h"
#include "base/array.h"
#include "base/pool.h"
#include "contact/item.h"

enum { CRM_BLOCK = 8, CRM_BLOCK_BITS = 3, CRM_TREE_LEVELS = 11 }; // 8^11 > INT_MAX

// Eight boxes by their coordinates. Those past the end are empty: they meet nothing.
typedef struct crm_box_block {
    double low[3][CRM_BLOCK], high[3][CRM_BLOCK];
} crm_box_block;

// What a tree must know of an item.
typedef struct crm_tree_item {
    crm_box box;
    int32_t rank;
    uint32_t groups, meets;
    uint32_t where; // which tree it is in
} crm_tree_item;

// The items of a block, and what tells whether two that are near may be a pair.
typedef struct crm_slot_block {
    int32_t item[CRM_BLOCK], rank[CRM_BLOCK];
    uint32_t groups[CRM_BLOCK], meets[CRM_BLOCK];
} crm_slot_block;

typedef struct crm_box_tree {
    // Stays from call to call. Items that move a little need no new arrangement: it is made when the search has found
    // it worse than when it was new.
    CRM_ARRAY(int32_t) row; // items
    bool stale;             // to be arranged in the next call
    double effort;          // of the search when it was new; 0: not known yet

    // On the arena of the call.
    int level_count;
    int block_count[CRM_TREE_LEVELS];
    crm_slot_block *slots;                 // (block_count[0])
    crm_box_block *block[CRM_TREE_LEVELS]; // level 0: boxes of items; the next: boxes about blocks of level 0, ...
} crm_box_tree;

// Makes the row one of the `count` items that are in tree `where`; the former one is kept where it still holds them.
// Room for them has been reserved.
void crm_tree_fill(crm_box_tree *tree, int count, int item_count, const crm_tree_item *items, uint32_t where);
// Makes blocks from the row, having arranged it if need be. False: no memory.
bool crm_tree_build(crm_box_tree *tree, const crm_tree_item *items, crm_arena *arena, crm_pool *pool);
// Tells what the search took in comparison with what it had to find.
void crm_tree_rate(crm_box_tree *tree, double effort);

static inline void crm_block_box(const crm_box_block *block, int lane, crm_box *out) {
    for (int k = 0; k < 3; k++) {
        out->low[k] = block->low[k][lane];
        out->high[k] = block->high[k][lane];
    }
}

#endif
