// SPDX-License-Identifier: MIT
// A tree of boxes over bounded items, whose shape depends on their number alone: items stand in a row, eight of them
// are a block, eight blocks a block of the next level, and so on. The row is arranged so that what is near in it is
// near in space and of like size. Any arrangement gives the right pairs; a good one gives them soon.
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

// What tells whether two items that are near may be a pair.
typedef struct crm_slot {
    int32_t item, rank;
    uint32_t groups, meets;
} crm_slot;

typedef struct crm_box_tree {
    // Stays from call to call. Items that move a little need no new arrangement: it is made when the search has found
    // it worse than when it was new.
    CRM_ARRAY(int32_t) row; // items
    bool stale;             // to be arranged in the next call
    double effort;          // of the search when it was new; 0: not known yet

    // On the arena of the call.
    crm_slot *slot; // (row.count)
    int level_count;
    int block_count[CRM_TREE_LEVELS];
    crm_box_block
        *block[CRM_TREE_LEVELS]; // of level 0: boxes of items; of the next: boxes about blocks of level 0, ...
} crm_box_tree;

// Makes the row one of the `count` items with `chosen[item] == choice`; the former one is kept where it still holds
// them. Room for them has been reserved.
void crm_tree_fill(crm_box_tree *tree, int count, int item_count, const uint8_t *chosen, uint8_t choice);
// Makes blocks from the row and these boxes (of all items, by their numbers), having arranged it if need be. False: no
// memory.
bool crm_tree_build(crm_box_tree *tree, const crm_box *boxes, crm_arena *arena, crm_pool *pool);
// Tells what the search took in comparison with what it had to find.
void crm_tree_judge(crm_box_tree *tree, double effort);

static inline void crm_block_box(const crm_box_block *block, int lane, crm_box *out) {
    for (int k = 0; k < 3; k++) {
        out->low[k] = block->low[k][lane];
        out->high[k] = block->high[k][lane];
    }
}

#endif
