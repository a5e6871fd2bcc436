// SPDX-License-Identifier: MIT
// Arranging is that of a k-d tree: a range is divided at the median of the coordinate in which it is widest, down to
// blocks. It has no scale, so that a dust of small items among large ones, or far from them, is divided as well as an
// even bed. The size of boxes counts as a fourth coordinate, in metres like the others: where items differ more in size
// than in place the large ones are put apart, and the blocks of the small ones stay small.
#include "contact/broad/broad_phase_tree.h"

#include <math.h>

// A search that takes this much more than with a new arrangement is worth one: arranging costs about as much as a
// search, so that it pays after some five calls.
static const double most_effort = 1.2;

// An item on its way to its place in the row.
typedef struct entry {
    double key[4]; // twice the centre; the largest edge of the box
    int32_t item;
} entry;

// ---- the row

void crm_tree_fill(crm_box_tree *tree, int count, int item_count, const crm_tree_item *items, uint32_t where) {
    bool same = tree->row.count == count;
    for (int i = 0; i < count && same; i++) {
        int item = tree->row.items[i];
        same = item < item_count && items[item].where == where;
    }
    if (same) return;
    tree->row.count = 0;
    for (int item = 0; item < item_count; item++)
        if (items[item].where == where) tree->row.items[tree->row.count++] = item;
    tree->stale = true;
}

void crm_tree_rate(crm_box_tree *tree, double effort) {
    if (tree->effort == 0.0) tree->effort = effort;
    tree->stale = effort > most_effort * tree->effort;
}

// ---- arranging

// Puts what is not larger in a coordinate before `middle`, what is not smaller from there on. Passes are limited, so
// that no input takes long; what is then not yet divided at its median is divided a little worse.
static void divide(entry *row, int count, int middle, int axis) {
    enum { MOST_PASSES = 24 };
    int begin = 0, end = count;
    for (int pass = 0; pass < MOST_PASSES && end - begin > 1; pass++) {
        double pivot = row[begin + (end - begin) / 2].key[axis];
        int i = begin, j = end - 1;
        while (i <= j) {
            while (row[i].key[axis] < pivot) i++;
            while (row[j].key[axis] > pivot) j--;
            if (i > j) break;
            entry swap = row[i];
            row[i++] = row[j];
            row[j--] = swap;
        }
        if (middle <= j)
            end = j + 1;
        else if (middle >= i)
            begin = i;
        else
            return;
    }
}

typedef struct spread {
    double low[4], high[4];
} spread;

static spread spread_of(const entry *row, int count) {
    spread s;
    for (int k = 0; k < 4; k++) s.low[k] = s.high[k] = row[0].key[k];
    for (int i = 1; i < count; i++) {
        for (int k = 0; k < 4; k++) {
            s.low[k] = row[i].key[k] < s.low[k] ? row[i].key[k] : s.low[k];
            s.high[k] = row[i].key[k] > s.high[k] ? row[i].key[k] : s.high[k];
        }
    }
    return s;
}

// Divides a range into pieces of `size` (the last may be shorter) by halving their number. The spread of a half is cut
// at the median, not looked for again.
static void divide_into_pieces(entry *row, int count, int size, spread s) {
    if (count <= size) return;
    int pieces = 1 + (count - 1) / size;
    int axis = 0, middle = (pieces + 1) / 2 * size;
    for (int k = 1; k < 4; k++)
        if (s.high[k] - s.low[k] > s.high[axis] - s.low[axis]) axis = k;
    divide(row, count, middle, axis);
    spread lower = s, upper = s;
    lower.high[axis] = upper.low[axis] = row[middle].key[axis];
    divide_into_pieces(row, middle, size, lower);
    divide_into_pieces(row + middle, count - middle, size, upper);
}

// Arranges a range that becomes one box of level `level`.
static void arrange(entry *row, int count, int level, int last_level) {
    int size = 1 << CRM_BLOCK_BITS * level;
    divide_into_pieces(row, count, size, spread_of(row, count));
    if (level == last_level) return;
    for (int begin = 0; begin < count; begin += size)
        arrange(row + begin, count - begin < size ? count - begin : size, level - 1, last_level);
}

typedef struct arrangement {
    entry *row;
    int count, level, last_level;
} arrangement;

static void arrange_some(void *context, int begin, int end, int worker) {
    (void)worker;
    const arrangement *a = context;
    int64_t size = (int64_t)CRM_BLOCK << CRM_BLOCK_BITS * a->level;
    for (int i = begin; i < end; i++) {
        int64_t from = i * size, left = a->count - from;
        arrange(a->row + from, (int)(left < size ? left : size), a->level, a->last_level);
    }
}

// From the top down: large ranges one level after the other, each range a chunk of work; those of up to 8^4 items,
// which fit into a near cache, each to its end.
static void arrange_row(entry *row, int count, crm_pool *pool) {
    enum { WHOLE_LEVEL = 3 };
    int level = 0;
    while ((int64_t)CRM_BLOCK << CRM_BLOCK_BITS * level < count) level++;
    for (; level > 0; level--) {
        int64_t size = (int64_t)CRM_BLOCK << CRM_BLOCK_BITS * level;
        bool whole = level <= WHOLE_LEVEL;
        arrangement a = {row, count, level, whole ? 1 : level};
        crm_pool_for(pool, (int)((count + size - 1) / size), 1, arrange_some, &a);
        if (whole) return;
    }
}

enum { GRAIN = 512 }; // items of a chunk, a multiple of CRM_BLOCK

typedef struct build {
    crm_box_tree *tree;
    const crm_tree_item *items;
    entry *row;
    int level;
} build;

static void take_keys(void *context, int begin, int end, int worker) {
    (void)worker;
    const build *b = context;
    for (int i = begin; i < end; i++) {
        b->row[i].item = b->tree->row.items[i];
        const crm_box *box = &b->items[b->row[i].item].box;
        double size = 0.0;
        for (int k = 0; k < 3; k++) {
            b->row[i].key[k] = box->low[k] + box->high[k];
            double edge = box->high[k] - box->low[k];
            size = edge > size ? edge : size;
        }
        b->row[i].key[3] = size;
    }
}

static bool arrange_tree(crm_box_tree *tree, const crm_tree_item *items, crm_arena *arena, crm_pool *pool) {
    int count = tree->row.count;
    crm_mark mark = crm_arena_mark(arena);
    build b = {.tree = tree, .items = items, .row = CRM_ARENA_ARRAY(arena, entry, count)};
    if (b.row == NULL) return false;
    crm_pool_for(pool, count, GRAIN, take_keys, &b);
    arrange_row(b.row, count, pool);
    for (int i = 0; i < count; i++) tree->row.items[i] = b.row[i].item;
    crm_arena_release(arena, mark);
    tree->stale = false;
    tree->effort = 0.0;
    return true;
}

// ---- blocks

static void empty_lane(crm_box_block *block, int lane) {
    for (int k = 0; k < 3; k++) {
        block->low[k][lane] = INFINITY;
        block->high[k][lane] = -INFINITY;
    }
}

static void take_items(void *context, int begin, int end, int worker) {
    (void)worker;
    const build *b = context;
    for (int i = begin; i < end; i++) {
        crm_box_block *block = &b->tree->block[0][i / CRM_BLOCK];
        crm_slot_block *slots = &b->tree->slots[i / CRM_BLOCK];
        int lane = i % CRM_BLOCK;
        if (i >= b->tree->row.count) {
            empty_lane(block, lane);
            slots->item[lane] = slots->rank[lane] = 0;
            slots->groups[lane] = slots->meets[lane] = 0;
            continue;
        }
        slots->item[lane] = b->tree->row.items[i];
        const crm_tree_item *item = &b->items[slots->item[lane]];
        for (int k = 0; k < 3; k++) {
            block->low[k][lane] = item->box.low[k];
            block->high[k][lane] = item->box.high[k];
        }
        slots->rank[lane] = item->rank;
        slots->groups[lane] = item->groups;
        slots->meets[lane] = item->meets;
    }
}

// The box about a block's boxes.
static void join_lanes(const crm_box_block *from, crm_box_block *to, int lane) {
    for (int k = 0; k < 3; k++) {
        double low = from->low[k][0], high = from->high[k][0];
        for (int i = 1; i < CRM_BLOCK; i++) {
            low = from->low[k][i] < low ? from->low[k][i] : low;
            high = from->high[k][i] > high ? from->high[k][i] : high;
        }
        to->low[k][lane] = low;
        to->high[k][lane] = high;
    }
}

static void join_blocks(void *context, int begin, int end, int worker) {
    (void)worker;
    const build *b = context;
    for (int i = begin; i < end; i++) {
        crm_box_block *to = &b->tree->block[b->level][i / CRM_BLOCK];
        if (i < b->tree->block_count[b->level - 1])
            join_lanes(&b->tree->block[b->level - 1][i], to, i % CRM_BLOCK);
        else
            empty_lane(to, i % CRM_BLOCK);
    }
}

// Two levels at least, so that every block of items has its box.
static int count_blocks(int count, int *blocks) {
    int levels = 0, below = count;
    do {
        below = blocks[levels++] = (below + CRM_BLOCK - 1) / CRM_BLOCK;
    } while (below > 1 || levels < 2);
    return levels;
}

bool crm_tree_build(crm_box_tree *tree, const crm_tree_item *items, crm_arena *arena, crm_pool *pool) {
    int count = tree->row.count;
    if (tree->stale && !arrange_tree(tree, items, arena, pool)) return false;
    tree->level_count = count_blocks(count, tree->block_count);
    tree->slots = CRM_ARENA_ARRAY(arena, crm_slot_block, tree->block_count[0]);
    if (tree->slots == NULL) return false;
    for (int i = 0; i < tree->level_count; i++) {
        tree->block[i] = CRM_ARENA_ARRAY(arena, crm_box_block, tree->block_count[i]);
        if (tree->block[i] == NULL) return false;
    }
    build b = {.tree = tree, .items = items};
    crm_pool_for(pool, tree->block_count[0] * CRM_BLOCK, GRAIN, take_items, &b);
    for (b.level = 1; b.level < tree->level_count; b.level++)
        crm_pool_for(pool, tree->block_count[b.level] * CRM_BLOCK, GRAIN, join_blocks, &b);
    return true;
}
