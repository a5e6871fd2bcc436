// SPDX-License-Identifier: MIT
#include "contact/broad_phase.h"

#include <string.h>

#include "base/fail.h"
#include "contact/broad_phase_sort.h"

// Each loop of a search has this many lists at most, whatever the number of threads.
enum { MOST_LISTS = 64, OUTSIDE_LISTS = 16, LISTS = 2 * MOST_LISTS + OUTSIDE_LISTS };

// Which tree an item is in.
enum { MOVES, IS_FIXED, IS_OUTSIDE, WHERE_COUNT };

struct crm_broad_phase {
    carom_allocator allocator;
    // What is there to be asked for. Changed only when nothing can fail any more.
    CRM_ARRAY(crm_item) items;
    crm_pair_list pairs;
    // What is found on the way.
    crm_arena arena; // of one call
    crm_box_tree moving, fixed;
    crm_search_result results[LISTS];
    crm_pair_list scratch;
};

carom_status crm_broad_phase_create(const carom_allocator *allocator, crm_broad_phase **out, carom_error *error) {
    *out = NULL;
    carom_allocator hook = allocator != NULL ? *allocator : carom_allocator_default();
    crm_broad_phase *broad = hook.allocate(hook.user, sizeof *broad);
    if (broad == NULL) return crm_fail_memory(error, "broad phase", sizeof *broad);
    memset(broad, 0, sizeof *broad);
    broad->allocator = hook;
    crm_arena_init(&broad->arena, &hook);
    *out = broad;
    return CAROM_OK;
}

void crm_broad_phase_destroy(crm_broad_phase *broad) {
    if (broad == NULL) return;
    carom_allocator allocator = broad->allocator;
    CRM_ARRAY_FREE(&allocator, &broad->items);
    CRM_ARRAY_FREE(&allocator, &broad->pairs);
    CRM_ARRAY_FREE(&allocator, &broad->moving.row);
    CRM_ARRAY_FREE(&allocator, &broad->fixed.row);
    CRM_ARRAY_FREE(&allocator, &broad->scratch);
    for (int i = 0; i < LISTS; i++) CRM_ARRAY_FREE(&allocator, &broad->results[i].pairs);
    crm_arena_free(&broad->arena);
    allocator.release(allocator.user, broad, sizeof *broad);
}

const crm_item *crm_broad_phase_items(const crm_broad_phase *broad, int *count) {
    *count = broad->items.count;
    return broad->items.items;
}

const crm_item_pair *crm_broad_phase_pairs(const crm_broad_phase *broad, int64_t *count) {
    *count = broad->pairs.count;
    return broad->pairs.items;
}

size_t crm_broad_phase_bytes(const crm_broad_phase *broad) {
    size_t pairs = (size_t)broad->pairs.capacity + (size_t)broad->scratch.capacity;
    for (int i = 0; i < LISTS; i++) pairs += (size_t)broad->results[i].pairs.capacity;
    size_t entries = (size_t)broad->moving.row.capacity + (size_t)broad->fixed.row.capacity;
    return sizeof *broad + (size_t)broad->items.capacity * sizeof(crm_item) + entries * sizeof(int32_t) +
           pairs * sizeof(crm_item_pair) + broad->arena.capacity;
}

// ---- one update

typedef struct update {
    crm_broad_phase *broad;
    crm_item_layout layout;
    crm_pair_rules rules;
    crm_box *boxes; // (items)
    uint8_t *where; // (items)
    int where_count[WHERE_COUNT];
    int32_t *outside;        // (where_count[IS_OUTSIDE]) items
    crm_box_tree *from, *to; // of the search that runs
    int grain;               // of the loop that runs, and its lists
    crm_search_result *results;
} update;

static crm_slot slot_of(const update *u, int item) {
    const carom_proxy *proxy = crm_layout_proxy(&u->layout, item);
    return (crm_slot){item, u->layout.rank[item], proxy->groups, proxy->meets};
}

static void find_boxes(void *context, int begin, int end, int worker) {
    (void)worker;
    update *u = context;
    for (int i = begin; i < end; i++) {
        crm_item item;
        crm_layout_item(&u->layout, i, &item);
        crm_item_box(&item, &u->boxes[i]);
        u->where[i] = crm_is_outside(&item.view) ? IS_OUTSIDE : item.proxy->fixed ? IS_FIXED : MOVES;
    }
}

static void fill_slots(void *context, int begin, int end, int worker) {
    (void)worker;
    update *u = context;
    for (int i = begin; i < end; i++) u->to->slot[i] = slot_of(u, u->to->row.items[i]);
}

static void fill_items(void *context, int begin, int end, int worker) {
    (void)worker;
    update *u = context;
    for (int i = begin; i < end; i++) crm_layout_item(&u->layout, i, &u->broad->items.items[i]);
}

enum { ITEM_GRAIN = 256 };

static bool plant(update *u, crm_box_tree *tree, int where, crm_pool *pool) {
    crm_broad_phase *broad = u->broad;
    int count = u->where_count[where];
    if (!CRM_ARRAY_RESERVE(&broad->allocator, &tree->row, count)) return false;
    crm_tree_fill(tree, count, u->layout.item_count, u->where, (uint8_t)where);
    if (!crm_tree_build(tree, u->boxes, &broad->arena, pool)) return false;
    u->to = tree;
    crm_pool_for(pool, count, ITEM_GRAIN, fill_slots, u);
    return true;
}

static void search_some(void *context, int begin, int end, int worker) {
    (void)worker;
    update *u = context;
    crm_search_result *out = &u->results[begin / u->grain];
    out->failed = !crm_search_blocks(u->from, begin, end, u->to, &u->rules, &u->broad->allocator, out);
}

static void search_outside(void *context, int begin, int end, int worker) {
    (void)worker;
    update *u = context;
    crm_broad_phase *broad = u->broad;
    crm_search_result *out = &u->results[begin / u->grain];
    bool found = true;
    for (int i = begin; i < end && found; i++) {
        crm_slot slot = slot_of(u, u->outside[i]);
        const carom_proxy *proxy = crm_layout_proxy(&u->layout, slot.item);
        crm_outside outside = crm_outside_of(&proxy->view, proxy->reach);
        found = crm_search_surroundings(&outside, &slot, &broad->moving, &u->rules, &broad->allocator, out);
        if (found && !proxy->fixed)
            found = crm_search_surroundings(&outside, &slot, &broad->fixed, &u->rules, &broad->allocator, out);
    }
    out->failed = !found;
}

// A loop over `count` things whose chunks have `most` lists from `first` on.
static void search(update *u, int count, int first, int most, crm_pool_work *work, crm_pool *pool) {
    u->grain = 1 + count / most;
    u->results = u->broad->results + first;
    crm_pool_for(pool, count, u->grain, work, u);
}

// What the results from `first` on took, per pair that was found and block that was searched for.
static double effort_of(const crm_broad_phase *broad, int first) {
    int64_t effort = 0, found = broad->moving.block_count[0];
    for (int i = first; i < first + MOST_LISTS; i++) {
        effort += broad->results[i].effort;
        found += broad->results[i].pairs.count;
    }
    return found > 0 ? (double)effort / (double)found : 0.0;
}

static bool find_pairs(update *u, crm_pool *pool) {
    crm_broad_phase *broad = u->broad;
    for (int i = 0; i < LISTS; i++) {
        crm_search_result *result = &broad->results[i];
        result->pairs.count = 0;
        result->effort = 0;
        result->failed = false;
    }
    u->from = u->to = &broad->moving;
    search(u, broad->moving.block_count[0], 0, MOST_LISTS, search_some, pool);
    u->to = &broad->fixed;
    search(u, broad->moving.block_count[0], MOST_LISTS, MOST_LISTS, search_some, pool);
    search(u, u->where_count[IS_OUTSIDE], 2 * MOST_LISTS, OUTSIDE_LISTS, search_outside, pool);
    for (int i = 0; i < LISTS; i++)
        if (broad->results[i].failed) return false;
    crm_tree_judge(&broad->moving, effort_of(broad, 0));
    crm_tree_judge(&broad->fixed, effort_of(broad, MOST_LISTS));
    return crm_sort_pairs(&u->layout, LISTS, broad->results, &broad->arena, &broad->allocator, pool, &broad->scratch,
                          &broad->pairs);
}

static bool find_all(update *u, int count, const carom_proxy *proxies, crm_pool *pool) {
    crm_broad_phase *broad = u->broad;
    if (!crm_item_layout_of(count, proxies, &broad->arena, &u->layout)) return false;
    int items = u->layout.item_count;
    u->boxes = CRM_ARENA_ARRAY(&broad->arena, crm_box, items);
    u->where = CRM_ARENA_ARRAY(&broad->arena, uint8_t, items);
    if (u->boxes == NULL || u->where == NULL || !CRM_ARRAY_RESERVE(&broad->allocator, &broad->items, items))
        return false;
    crm_pool_for(pool, items, ITEM_GRAIN, find_boxes, u);
    for (int i = 0; i < items; i++) u->where_count[u->where[i]]++;
    u->outside = CRM_ARENA_ARRAY(&broad->arena, int32_t, u->where_count[IS_OUTSIDE]);
    if (u->outside == NULL) return false;
    for (int i = 0, k = 0; i < items; i++)
        if (u->where[i] == IS_OUTSIDE) u->outside[k++] = i;
    return plant(u, &broad->moving, MOVES, pool) && plant(u, &broad->fixed, IS_FIXED, pool) && find_pairs(u, pool);
}

carom_status crm_broad_phase_update(crm_broad_phase *broad, int count, const carom_proxy *proxies,
                                    carom_pair_filter *filter, void *filter_user, crm_pool *pool, carom_error *error) {
    update u = {.broad = broad};
    u.rules = (crm_pair_rules){&u.layout, filter, filter_user};
    crm_arena_reset(&broad->arena);
    if (!find_all(&u, count, proxies, pool))
        return crm_fail_memory(error, "broad phase", (size_t)count * sizeof(crm_item));
    broad->items.count = u.layout.item_count;
    crm_pool_for(pool, u.layout.item_count, ITEM_GRAIN, fill_items, &u);
    return CAROM_OK;
}
