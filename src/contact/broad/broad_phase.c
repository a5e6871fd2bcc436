// SPDX-License-Identifier: MIT
// An update lays out the items, finds their boxes, makes a tree of those that move and one of those that are fixed,
// searches both for the moving ones and for static geometry, and sorts what was found. Fixed items are never searched
// for, so that a floor of many tiles costs little more than its boxes.
#include "contact/broad/broad_phase.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "contact/broad/broad_phase_search.h"
#include "contact/broad/broad_phase_sort.h"

// Which tree an item is in.
enum { MOVES, IS_FIXED, IS_STATIC_GEOMETRY, WHERE_COUNT };

typedef CRM_ARRAY(crm_item) item_array;

struct crm_broad_phase {
    carom_allocator allocator;
    // What is there to be asked for. Changed only when nothing can fail any more.
    item_array items;
    crm_pair_list pairs;
    // What is found on the way.
    item_array next_items;
    crm_arena arena; // of one call
    crm_box_tree moving, fixed;
    crm_pair_pages pages;
    double most_pairs;
    bool too_many; // of the last search
};

carom_status crm_broad_phase_create(const carom_allocator *allocator, crm_broad_phase **out, carom_error *error) {
    *out = NULL;
    carom_allocator hook = allocator != NULL ? *allocator : carom_allocator_default();
    crm_broad_phase *broad = hook.allocate(hook.user, sizeof *broad);
    if (broad == NULL) return crm_fail_memory(error, "broad phase", sizeof *broad);
    memset(broad, 0, sizeof *broad);
    broad->allocator = hook;
    broad->most_pairs = INFINITY;
    crm_arena_init(&broad->arena, &hook);
    *out = broad;
    return CAROM_OK;
}

void crm_broad_phase_destroy(crm_broad_phase *broad) {
    if (broad == NULL) return;
    carom_allocator allocator = broad->allocator;
    CRM_ARRAY_FREE(&allocator, &broad->items);
    CRM_ARRAY_FREE(&allocator, &broad->next_items);
    CRM_ARRAY_FREE(&allocator, &broad->pairs);
    CRM_ARRAY_FREE(&allocator, &broad->moving.row);
    CRM_ARRAY_FREE(&allocator, &broad->fixed.row);
    crm_pages_free(&broad->pages, &allocator);
    crm_arena_free(&broad->arena);
    allocator.release(allocator.user, broad, sizeof *broad);
}

void crm_broad_phase_limit(crm_broad_phase *broad, double most_pairs) {
    broad->most_pairs = most_pairs;
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
    size_t pairs = (size_t)broad->pairs.capacity + (size_t)broad->pages.pairs.capacity;
    size_t numbers =
        (size_t)broad->moving.row.capacity + (size_t)broad->fixed.row.capacity + (size_t)broad->pages.fill.capacity;
    size_t items = (size_t)broad->items.capacity + (size_t)broad->next_items.capacity;
    return sizeof *broad + items * sizeof(crm_item) + numbers * sizeof(int32_t) + pairs * sizeof(crm_item_pair) +
           broad->arena.capacity;
}

// ---- one update

typedef struct update {
    crm_broad_phase *broad;
    crm_item_layout layout;
    crm_pair_rules rules;
    crm_tree_item *items; // (items)
    int where_count[WHERE_COUNT];
    int32_t *bound;           // (where_count[IS_STATIC_GEOMETRY]) items
    crm_box_tree *from, *to;  // of the search that runs
    crm_pair_writer *writers; // (threads)
} update;

// Items and their boxes.
static void find_boxes(void *context, int begin, int end, int worker) {
    (void)worker;
    update *u = context;
    for (int i = begin; i < end; i++) {
        crm_item *item = &u->broad->next_items.items[i];
        if (i + CRM_PROXIES_AHEAD < end)
            crm_fetch_shape(crm_layout_proxy(&u->layout, i + CRM_PROXIES_AHEAD)->view.shape);
        crm_layout_item(&u->layout, i, item);
        crm_tree_item *out = &u->items[i];
        crm_item_box(item, &out->box);
        out->rank = item->rank;
        out->groups = item->proxy->groups;
        out->meets = item->proxy->meets;
        out->where = crm_is_static_geometry(&item->view) ? IS_STATIC_GEOMETRY : item->proxy->fixed ? IS_FIXED : MOVES;
    }
}

enum { ITEM_GRAIN = 256 };

static bool plant(update *u, crm_box_tree *tree, uint32_t where, crm_pool *pool) {
    crm_broad_phase *broad = u->broad;
    int count = u->where_count[where];
    if (!CRM_ARRAY_RESERVE(&broad->allocator, &tree->row, count)) return false;
    crm_tree_fill(tree, count, u->layout.item_count, u->items, where);
    return crm_tree_build(tree, u->items, &broad->arena, pool);
}

static void search_some(void *context, int begin, int end, int worker) {
    update *u = context;
    crm_search_blocks(u->from, begin, end, u->to, &u->rules, &u->writers[worker]);
}

static void search_bounds(void *context, int begin, int end, int worker) {
    update *u = context;
    crm_broad_phase *broad = u->broad;
    for (int i = begin; i < end; i++) {
        int item = u->bound[i];
        const carom_proxy *proxy = crm_layout_proxy(&u->layout, item);
        crm_slot slot = {item, u->items[item].rank, proxy->groups, proxy->meets};
        crm_static_bound bound = crm_static_bound_of(&proxy->view, proxy->margin);
        crm_search_static_geometry(&bound, &slot, &broad->moving, &u->rules, &u->writers[worker]);
        if (!proxy->fixed) crm_search_static_geometry(&bound, &slot, &broad->fixed, &u->rules, &u->writers[worker]);
    }
}

// Searches a tree for the moving items. Gives what that took, per block that was searched for.
static double search_tree(update *u, crm_box_tree *to, crm_pool *pool) {
    enum { BLOCK_GRAIN = 16 };
    crm_broad_phase *broad = u->broad;
    int blocks = broad->moving.block_count[0];
    int64_t effort = 0;
    u->from = &broad->moving;
    u->to = to;
    for (int i = 0; i < crm_pool_threads(pool); i++) u->writers[i].effort = 0;
    crm_pool_for(pool, blocks, BLOCK_GRAIN, search_some, u);
    for (int i = 0; i < crm_pool_threads(pool); i++) effort += u->writers[i].effort;
    return blocks > 0 ? (double)effort / blocks : 0.0;
}

// Puts all pairs into the pages. False: these were too few.
static bool search(update *u, crm_pool *pool) {
    crm_broad_phase *broad = u->broad;
    int threads = crm_pool_threads(pool);
    for (int i = 0; i < threads; i++) u->writers[i] = crm_pair_writer_of(&broad->pages);
    double moving_effort = search_tree(u, &broad->moving, pool), fixed_effort = search_tree(u, &broad->fixed, pool);
    crm_pool_for(pool, u->where_count[IS_STATIC_GEOMETRY], 1, search_bounds, u);
    for (int i = 0; i < threads; i++) crm_pair_writer_close(&u->writers[i]);
    if (atomic_load(&broad->pages.taken) > broad->pages.page_count) return false;
    crm_tree_rate(&broad->moving, moving_effort);
    crm_tree_rate(&broad->fixed, fixed_effort);
    return true;
}

static bool find_pairs(update *u, crm_pool *pool) {
    crm_broad_phase *broad = u->broad;
    int threads = crm_pool_threads(pool);
    u->writers = CRM_ARENA_ARRAY(&broad->arena, crm_pair_writer, threads);
    if (u->writers == NULL) return false;
    int64_t pages = threads + u->layout.item_count / (CRM_PAGE_PAIRS / 4); // four pairs an item
    if (pages < broad->pages.page_count) pages = broad->pages.page_count;
    // A page that is not full counts as if it were: a page for every thread beyond.
    double most_pages = broad->most_pairs / CRM_PAGE_PAIRS + threads + 1.0;
    for (;;) {
        if (!crm_pages_reserve(&broad->pages, pages, &broad->allocator)) return false;
        if (search(u, pool)) break;
        broad->too_many = (double)pages > most_pages;
        if (broad->too_many) return false;
        pages *= 2;
    }
    return crm_sort_pairs(&u->layout, &broad->pages, &broad->arena, &broad->allocator, pool, &broad->pairs);
}

static bool find_all(update *u, int count, const carom_proxy *proxies, crm_pool *pool) {
    crm_broad_phase *broad = u->broad;
    if (!crm_item_layout_of(count, proxies, &broad->arena, &u->layout)) return false;
    int items = u->layout.item_count;
    u->items = CRM_ARENA_ARRAY(&broad->arena, crm_tree_item, items);
    if (u->items == NULL || !CRM_ARRAY_RESERVE(&broad->allocator, &broad->next_items, items)) return false;
    crm_pool_for(pool, items, ITEM_GRAIN, find_boxes, u);
    for (int i = 0; i < items; i++) u->where_count[u->items[i].where]++;
    u->bound = CRM_ARENA_ARRAY(&broad->arena, int32_t, u->where_count[IS_STATIC_GEOMETRY]);
    if (u->bound == NULL) return false;
    for (int i = 0, k = 0; i < items; i++)
        if (u->items[i].where == IS_STATIC_GEOMETRY) u->bound[k++] = i;
    return plant(u, &broad->moving, MOVES, pool) && plant(u, &broad->fixed, IS_FIXED, pool) && find_pairs(u, pool);
}

carom_status crm_broad_phase_update(crm_broad_phase *broad, int count, const carom_proxy *proxies,
                                    carom_pair_filter *filter, void *filter_user, crm_pool *pool, carom_error *error) {
    update u = {.broad = broad};
    u.rules = (crm_pair_rules){&u.layout, filter, filter_user};
    crm_arena_reset(&broad->arena);
    broad->too_many = false;
    bool found = find_all(&u, count, proxies, pool);
    if (broad->too_many)
        return crm_fail(error, CAROM_ERR_TOO_LARGE,
                        "more than %.0f pairs of parts can touch, and that is the limit; put bodies farther apart, or "
                        "allow more by --limit pairs=N",
                        broad->most_pairs);
    if (!found) return crm_fail_memory(error, "broad phase", (size_t)count * sizeof(crm_item));
    item_array former = broad->items;
    broad->items = broad->next_items;
    broad->items.count = u.layout.item_count;
    broad->next_items = former;
    return CAROM_OK;
}
