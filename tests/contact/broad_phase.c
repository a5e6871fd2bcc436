// SPDX-License-Identifier: MIT
// The pairs that the broad phase finds are those of a test of all with all, whatever the threads, the order of the
// array and what it has seen before; and they hold all that can touch.
#include "contact/broad/broad_phase.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "contact/broad/broad_phase_search.h"
#include "contact/broad_phase_world.h"
#include "support/harness/probe_allocator.h"

typedef struct world {
    shape_shelf shelf;
    int count;
    carom_proxy proxies[MOST_PROXIES];
} world;

static bool some_pairs_only(void *user, int32_t id_a, int32_t id_b) {
    int32_t ids[2] = {id_a, id_b};
    (void)user;
    return id_a < id_b && crm_hash(7, ids, sizeof ids) % 4 != 0; // no pair when asked the wrong way round
}

// Proxies with ids that ascend in leaps, in random order. `choosy`: with groups.
static void world_fill(sampler *s, world *w, int count, double extent, bool choosy) {
    w->count = count;
    int32_t id = 0;
    for (int i = 0; i < count; i++) {
        carom_proxy *p = &w->proxies[i];
        *p = carom_proxy_default();
        id += 1 + sample_below(s, sample_below(s, 50) == 0 ? 100000 : 3);
        p->id = id;
        p->view = sample_any_view(s, &w->shelf, extent, false);
        p->motion = sample_motion(s);
        p->margin = carom_proxy_margin(&p->view, &p->motion, pow(10.0, sample_between(s, -4.0, -1.0)));
        p->fixed = sample_below(s, 4) == 0;
        if (choosy && sample_below(s, 3) == 0) p->groups = 1u << sample_below(s, 3) | 1u << sample_below(s, 3);
        if (choosy && sample_below(s, 3) == 0) p->meets = 1u << sample_below(s, 3) | 1u << sample_below(s, 3);
    }
    for (int i = count - 1; i > 0; i--) {
        int k = sample_below(s, i + 1);
        carom_proxy swap = w->proxies[i];
        w->proxies[i] = w->proxies[k];
        w->proxies[k] = swap;
    }
}

static void world_move(sampler *s, world *w, double length) {
    for (int i = 0; i < w->count; i++) {
        carom_pose *pose = &w->proxies[i].view.pose;
        pose->position = crm_add(pose->position, sample_vec3(s, length));
        pose->attitude = crm_quat_step(pose->attitude, w->proxies[i].motion.spin, 0.01);
    }
}

// ---- all with all

static bool may_meet(const carom_proxy *a, const carom_proxy *b, carom_pair_filter *filter) {
    if (a == b || (a->fixed && b->fixed) || (a->groups & b->meets) == 0 || (b->groups & a->meets) == 0) return false;
    return filter == NULL || (a->id < b->id ? filter(NULL, a->id, b->id) : filter(NULL, b->id, a->id));
}

static bool is_static_geometry(const crm_item *item) {
    if (item->view.shape == NULL) return false;
    carom_shape_kind kind = carom_shape_get_kind(item->view.shape);
    return kind == CAROM_SHAPE_HALF_SPACE || kind == CAROM_SHAPE_CONTAINER;
}

// An item's extent by support functions, grown by its margin; of static geometry not set.
typedef struct extent {
    double low[3], high[3];
} extent;

static extent extent_of(const crm_item *item) {
    extent e = {{0.0}, {0.0}};
    for (int k = 0; k < 3 && !is_static_geometry(item); k++) extent_along(item, k, &e.low[k], &e.high[k]);
    return e;
}

// How far the box of an item is from static geometry within its margin: the height of its lowest corner over the plane,
// or what is between its farthest corner and the wall.
static double apart_from_static_geometry(const crm_item *static_item, const extent *e) {
    carom_shape_def def;
    carom_shape_get_def(static_item->view.shape, &def);
    const carom_pose *pose = &static_item->view.pose;
    double least = INFINITY;
    for (int corner = 0; corner < 8; corner++) {
        carom_vec3 y = crm_vec3(corner & 1 ? e->high[0] : e->low[0], corner & 2 ? e->high[1] : e->low[1],
                                corner & 4 ? e->high[2] : e->low[2]);
        carom_vec3 local = crm_quat_rotate_inverse(pose->attitude, crm_sub(y, pose->position));
        double gap = def.kind == CAROM_SHAPE_CONTAINER ? def.container.radius - crm_length(local)
                                                       : crm_dot(def.half_space.normal, local) - def.half_space.offset;
        least = fmin(least, gap);
    }
    return least - static_item->proxy->margin;
}

// How far the extents of two items are apart: negative when they meet.
static double apart(const crm_item *a, const extent *of_a, const crm_item *b, const extent *of_b) {
    if (is_static_geometry(a)) return is_static_geometry(b) ? INFINITY : apart_from_static_geometry(a, of_b);
    if (is_static_geometry(b)) return apart_from_static_geometry(b, of_a);
    double most = -INFINITY;
    for (int k = 0; k < 3; k++) most = fmax(most, fmax(of_a->low[k] - of_b->high[k], of_b->low[k] - of_a->high[k]));
    return most;
}

static int compare_pairs(const crm_item *a, crm_item_pair p, crm_item_pair q) {
    int32_t keys[4][2] = {{a[p.a].proxy->id, a[q.a].proxy->id},
                          {a[p.b].proxy->id, a[q.b].proxy->id},
                          {a[p.a].part, a[q.a].part},
                          {a[p.b].part, a[q.b].part}};
    for (int i = 0; i < 4; i++)
        if (keys[i][0] != keys[i][1]) return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

// Whether two items are a pair as far as geometry goes: the definition, for all with all.
static bool items_meet(const crm_item *a, const crm_box *box_a, const crm_item *b, const crm_box *box_b) {
    bool static_a = crm_is_static_geometry(&a->view), static_b = crm_is_static_geometry(&b->view);
    if (static_a && static_b) return false;
    if (static_a || static_b) {
        const crm_item *static_geometry = static_a ? a : b;
        crm_static_bound bound = crm_static_bound_of(&static_geometry->view, static_geometry->proxy->margin);
        return crm_meets_static_geometry(&bound, static_a ? box_b : box_a);
    }
    for (int k = 0; k < 3; k++)
        if (box_a->low[k] > box_b->high[k] || box_b->low[k] > box_a->high[k]) return false;
    return true;
}

// Items in order; pairs in order, each allowed, and those that a test of all with all finds, by its definition to the
// bit and by support functions to rounding.
static bool check_world(const crm_broad_phase *broad, const world *w, carom_pair_filter *filter) {
    int items;
    int64_t pairs;
    const crm_item *item = crm_broad_phase_items(broad, &items);
    const crm_item_pair *pair = crm_broad_phase_pairs(broad, &pairs);
    int64_t parts = 0, next = 0;
    for (int i = 0; i < w->count; i++) {
        const carom_shape *shape = w->proxies[i].view.shape;
        int own = shape != NULL ? carom_shape_part_count(shape) : 0;
        parts += own > 0 ? own : 1;
    }
    if (!CHECK_INT(items, parts)) return false;
    crm_box *box = malloc((size_t)(items + 1) * sizeof *box);
    extent *extents = malloc((size_t)(items + 1) * sizeof *extents);
    bool *listed = calloc((size_t)items * (size_t)items + 1, sizeof *listed), good = true;
    for (int i = 0; i < items; i++) {
        crm_item_box(&item[i], &box[i]);
        extents[i] = extent_of(&item[i]);
        good = good && CHECK(item[i].proxy == &w->proxies[item[i].place]);
        if (i == 0) continue;
        int32_t before = item[i - 1].proxy->id, id = item[i].proxy->id;
        good = good && CHECK(before < id ? item[i].part == 0 : before == id && item[i].part == item[i - 1].part + 1);
    }
    for (int64_t k = 0; k < pairs && good; k++) {
        good = CHECK(pair[k].a >= 0 && pair[k].a < pair[k].b && pair[k].b < items) &&
               CHECK(k == 0 || compare_pairs(item, pair[k - 1], pair[k]) < 0);
        if (good) listed[(size_t)pair[k].a * (size_t)items + (size_t)pair[k].b] = true;
    }
    for (int a = 0; a < items && good; a++) {
        for (int b = a + 1; b < items && good; b++) {
            bool is = listed[(size_t)a * (size_t)items + (size_t)b],
                 may = may_meet(item[a].proxy, item[b].proxy, filter);
            next += is;
            good = CHECK_INT(is, may && items_meet(&item[a], &box[a], &item[b], &box[b]));
            if (!may) continue;
            double gap = apart(&item[a], &extents[a], &item[b], &extents[b]);
            good = good && CHECK(is ? !(gap > 1e-11) : !(gap <= 0.0));
        }
    }
    good = good && CHECK_INT(next, pairs);
    free(box);
    free(extents);
    free(listed);
    return good;
}

static crm_broad_phase *make_broad(void) {
    crm_broad_phase *broad;
    if (crm_broad_phase_create(NULL, &broad, NULL) != CAROM_OK) fail();
    return broad;
}

static void check_worlds(uint64_t seed, int worlds) {
    sampler s = {.seed = seed};
    world *w = malloc(sizeof *w);
    shelf_create(&s, &w->shelf);
    crm_broad_phase *broad = make_broad();
    bool good = true;
    for (int i = 0; i < worlds && good; i++) {
        carom_pair_filter *filter = i % 3 == 0 ? some_pairs_only : NULL;
        world_fill(&s, w, sample_below(&s, i % 50 == 0 ? 120 : 24), pow(10.0, sample_between(&s, -1.0, 1.0)), i % 2);
        for (int step = 0; step < 3 && good; step++) {
            good = CHECK_INT(crm_broad_phase_update(broad, w->count, w->proxies, filter, NULL, NULL, NULL), CAROM_OK) &&
                   check_world(broad, w, filter);
            world_move(&s, w, 0.2);
        }
    }
    crm_broad_phase_destroy(broad);
    shelf_destroy(&w->shelf);
    free(w);
}

TEST(pairs_are_those_of_all_with_all) {
    check_worlds(61, 700);
}

TEST(pairs_are_those_of_all_with_all_in_many_worlds) {
    check_worlds(62, 10000);
}

// ---- threads, order, history

// The lists of two broad phases that have seen proxies of the same ids, to the bit.
static bool check_same(const crm_broad_phase *one, const crm_broad_phase *other) {
    int items[2];
    int64_t pairs[2];
    const crm_item *item = crm_broad_phase_items(one, &items[0]), *item2 = crm_broad_phase_items(other, &items[1]);
    const crm_item_pair *pair = crm_broad_phase_pairs(one, &pairs[0]), *pair2 = crm_broad_phase_pairs(other, &pairs[1]);
    if (!CHECK_INT(items[0], items[1]) || !CHECK_INT(pairs[0], pairs[1])) return false;
    for (int i = 0; i < items[0]; i++)
        if (!CHECK(item[i].proxy->id == item2[i].proxy->id && item[i].part == item2[i].part &&
                   memcmp(&item[i].view.pose, &item2[i].view.pose, sizeof item[i].view.pose) == 0))
            return false;
    return pairs[0] == 0 || CHECK(memcmp(pair, pair2, (size_t)pairs[0] * sizeof *pair) == 0);
}

TEST(threads_order_and_history_change_nothing) {
    enum { POOLS = 4, COUNT = 1510 };
    const int threads[POOLS] = {1, 2, 3, 8};
    sampler s = {.seed = 63};
    world *w = malloc(sizeof *w), *shuffled = malloc(sizeof *shuffled);
    shelf_create(&s, &w->shelf);
    crm_pool *pool[POOLS];
    crm_broad_phase *broad[POOLS];
    for (int i = 0; i < POOLS; i++) {
        if (crm_pool_create(NULL, threads[i], &pool[i], NULL) != CAROM_OK) fail();
        broad[i] = make_broad();
    }
    world_fill(&s, w, COUNT, 30.0, false);
    bool good = true;
    for (int step = 0; step < 6 && good; step++) {
        // Now and then another number of proxies, or all of them elsewhere.
        int count = step % 4 == 2 ? COUNT / 3 : COUNT;
        world_move(&s, w, step % 4 == 3 ? 30.0 : 0.05);
        crm_broad_phase *fresh = make_broad();
        memcpy(shuffled->proxies, w->proxies, sizeof w->proxies);
        for (int i = 0; i < count; i++) shuffled->proxies[i] = w->proxies[(i * 7 + 3) % count];
        good = CHECK(count % 7 != 0) && // else not a permutation
               CHECK_INT(crm_broad_phase_update(fresh, count, shuffled->proxies, some_pairs_only, NULL, NULL, NULL), 0);
        int64_t pairs;
        crm_broad_phase_pairs(fresh, &pairs);
        good = good && CHECK(pairs > count);
        for (int i = 0; i < POOLS && good; i++)
            good = CHECK_INT(crm_broad_phase_update(broad[i], count, w->proxies, some_pairs_only, NULL, pool[i], NULL),
                             0) &&
                   check_same(fresh, broad[i]);
        crm_broad_phase_destroy(fresh);
    }
    for (int i = 0; i < POOLS; i++) {
        crm_broad_phase_destroy(broad[i]);
        crm_pool_destroy(pool[i]);
    }
    shelf_destroy(&w->shelf);
    free(w);
    free(shuffled);
}

static int compare_items(const void *x, const void *y) {
    const crm_item_pair *p = x, *q = y;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

// What a variant of the search finds in a tree of boxes, in order.
static int64_t search_with(crm_block_search *variant, const crm_box_tree *tree, crm_pair_pages *pages,
                           const crm_pair_rules *rules, crm_item_pair *out) {
    carom_allocator allocator = carom_allocator_default();
    if (!crm_pages_reserve(pages, 200, &allocator)) fail();
    crm_pair_writer writer = crm_pair_writer_of(pages);
    if (!variant(tree, 0, tree->block_count[0], tree, rules, &writer)) fail();
    crm_pair_writer_close(&writer);
    int64_t count = 0;
    for (int page = 0; page < atomic_load(&pages->taken); page++)
        for (int i = 0; i < pages->fill.items[page]; i++) out[count++] = pages->pairs.items[page * CRM_PAGE_PAIRS + i];
    qsort(out, (size_t)count, sizeof *out, compare_items);
    return count;
}

TEST(every_instruction_set_finds_the_same) {
    enum { COUNT = 1203, PAIRS = 200 * CRM_PAGE_PAIRS };
    sampler s = {.seed = 67};
    carom_allocator allocator = carom_allocator_default();
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_tree_item *items = calloc(COUNT, sizeof *items);
    crm_item_pair *first = malloc(PAIRS * sizeof *first), *next = malloc(PAIRS * sizeof *next);
    for (int i = 0; i < COUNT; i++) {
        carom_vec3 x = sample_vec3(&s, 5.0);
        // On a lattice, so that many boxes touch exactly, which counts.
        double centre[3] = {floor(x.x), floor(x.y), floor(x.z)}, size = 0.25 * (1 + sample_below(&s, 4));
        for (int k = 0; k < 3; k++) {
            items[i].box.low[k] = centre[k] - size;
            items[i].box.high[k] = centre[k] + size;
        }
        items[i].rank = i / 2;
        items[i].groups = 1u << sample_below(&s, 2);
        items[i].meets = 1u + (uint32_t)sample_below(&s, 3);
    }
    crm_box_tree tree = {0};
    crm_pair_pages pages = {0};
    crm_pair_rules rules = {0};
    if (!CRM_ARRAY_RESERVE(&allocator, &tree.row, COUNT)) fail();
    crm_tree_fill(&tree, COUNT, COUNT, items, 0);
    if (!crm_tree_build(&tree, items, &arena, NULL)) fail();
    int64_t count = search_with(crm_block_search_variant(0), &tree, &pages, &rules, first);
    int64_t wanted = 0;
    for (int a = 0; a < COUNT; a++) {
        for (int b = a + 1; b < COUNT; b++) {
            const crm_tree_item *p = &items[a], *q = &items[b];
            bool meet = p->rank != q->rank && (p->groups & q->meets) != 0 && (q->groups & p->meets) != 0;
            for (int k = 0; k < 3; k++)
                meet = meet && p->box.low[k] <= q->box.high[k] && q->box.low[k] <= p->box.high[k];
            wanted += meet;
        }
    }
    CHECK(count > COUNT);
    CHECK_INT(count, wanted);
    for (int i = 1; crm_block_search_variant(i) != NULL; i++)
        if (CHECK_INT(search_with(crm_block_search_variant(i), &tree, &pages, &rules, next), count))
            CHECK(memcmp(first, next, (size_t)count * sizeof *first) == 0);
    crm_pages_free(&pages, &allocator);
    CRM_ARRAY_FREE(&allocator, &tree.row);
    crm_arena_free(&arena);
    free(items);
    free(first);
    free(next);
}

// ---- no miss

// Pairs that touch on their way are listed, whichever way they rotate.
TEST(impacts_are_not_missed) {
    sampler s = {.seed = 64};
    world *w = malloc(sizeof *w);
    shelf_create(&s, &w->shelf);
    crm_broad_phase *broad = make_broad();
    int impacts = 0;
    for (int trial = 0; trial < 3000; trial++) {
        carom_toi_options options = carom_toi_options_default();
        options.duration = pow(10.0, sample_between(&s, -2.0, 0.0));
        carom_proxy pair[2];
        for (int i = 0; i < 2; i++) {
            pair[i] = carom_proxy_default();
            pair[i].id = i;
            pair[i].view = sample_any_view(&s, &w->shelf, i == 0 ? 1.0 : 4.0, i == 0);
            pair[i].motion = sample_motion(&s);
            if (i == 1) // towards the other one
                pair[i].motion.velocity = crm_scale(sample_between(&s, 0.0, 2.0) / options.duration,
                                                    crm_sub(pair[0].view.pose.position, pair[1].view.pose.position));
            pair[i].margin = carom_proxy_margin(&pair[i].view, &pair[i].motion, options.duration);
        }
        carom_toi_result impact;
        if (carom_toi_find(&pair[0].view, &pair[0].motion, &pair[1].view, &pair[1].motion, &options, &impact, NULL) !=
            CAROM_OK)
            continue;
        if (impact.outcome != CAROM_TOI_FOUND && impact.outcome != CAROM_TOI_AT_START) continue;
        impacts += impact.outcome == CAROM_TOI_FOUND;
        int64_t pairs;
        if (!CHECK_INT(crm_broad_phase_update(broad, 2, pair, NULL, NULL, NULL, NULL), CAROM_OK)) break;
        crm_broad_phase_pairs(broad, &pairs);
        if (!CHECK(pairs > 0)) break;
    }
    CHECK(impacts > 300);
    crm_broad_phase_destroy(broad);
    shelf_destroy(&w->shelf);
    free(w);
}

// ---- odd worlds

static int64_t count_pairs(int count, const carom_proxy *proxies) {
    crm_broad_phase *broad = make_broad();
    int64_t pairs = -1;
    for (int i = 0; i < 2; i++) // the second time with what the first has left
        CHECK_INT(crm_broad_phase_update(broad, count, proxies, NULL, NULL, NULL, NULL), CAROM_OK);
    crm_broad_phase_pairs(broad, &pairs);
    crm_broad_phase_destroy(broad);
    return pairs;
}

static carom_proxy *proxies_of(int count, const carom_shape *shape) {
    carom_proxy *p = malloc((size_t)(count + 1) * sizeof *p);
    for (int i = 0; i <= count; i++) {
        p[i] = carom_proxy_default();
        p[i].id = i;
        p[i].view = place(shape, 0.0, 0.0, 0.0);
    }
    return p;
}

TEST(few_proxies_and_those_in_one_place) {
    carom_shape *ball = sphere_of(0.5);
    carom_proxy *p = proxies_of(200, ball);
    CHECK_INT(count_pairs(0, NULL), 0);
    CHECK_INT(count_pairs(1, p), 0);
    CHECK_INT(count_pairs(2, p), 1);
    CHECK_INT(count_pairs(200, p), 200 * 199 / 2);
    for (int i = 0; i < 200; i++) p[i].fixed = i < 150;
    CHECK_INT(count_pairs(200, p), 200 * 199 / 2 - 150 * 149 / 2);
    for (int i = 0; i < 200; i++) p[i].fixed = true;
    CHECK_INT(count_pairs(200, p), 0);
    free(p);
    carom_shape_destroy(ball);
}

// A row that is one long chain: touching counts.
TEST(touching_counts_in_a_plane) {
    enum { SIDE = 40 };
    carom_shape *cube = box_of(1.0, 1.0, 1.0);
    carom_proxy *p = proxies_of(SIDE * SIDE, cube);
    for (int i = 0; i < SIDE * SIDE; i++) p[i].view = place(cube, i % SIDE, i / SIDE, 0.0);
    CHECK_INT(count_pairs(SIDE * SIDE, p), 2 * SIDE * (SIDE - 1) + 2 * (SIDE - 1) * (SIDE - 1));
    for (int i = 0; i < SIDE * SIDE; i++) p[i].view = place(cube, 1.001 * (i % SIDE), 1.001 * (i / SIDE), 0.0);
    CHECK_INT(count_pairs(SIDE * SIDE, p), 0);
    free(p);
    carom_shape_destroy(cube);
}

// Dust at nanometres, the same a billion metres away, and something in between: a search by a grid, or with few digits,
// would hold all of the dust against all.
TEST(scales_do_not_matter) {
    enum { DUST = 20000 };
    carom_shape *grain = sphere_of(1e-9), *pebble = sphere_of(0.1);
    carom_proxy *p = proxies_of(2 * DUST, grain);
    for (int i = 0; i < DUST; i++) {
        int x = i % 20, y = i / 20 % 20, z = i / 400;
        p[i].view = place(grain, 3e-9 * x, 3e-9 * y, 3e-9 * z);
        p[DUST + i].view = place(pebble, 1e9 - 0.3 * x, 0.3 * y, 0.3 * z);
    }
    CHECK_INT(count_pairs(2 * DUST, p), 0);
    p[2 * DUST].view = place(pebble, 0.1 + 1e-9, 0.0, 0.0); // over the first layer of the dust, and more of it
    CHECK(count_pairs(2 * DUST + 1, p) >= 400);
    free(p);
    carom_shape_destroy(grain);
    carom_shape_destroy(pebble);
}

// One floor under everything, given as a box, a half-space, tiles; and a half-space that rotates.
TEST(floors_have_as_many_pairs_as_lie_on_them) {
    enum { SIDE = 50, TILES = 100 };
    carom_shape *cube = box_of(0.9, 0.9, 0.9), *slab = box_of(200.0, 200.0, 1.0);
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE), tile, whole;
    carom_shape *half_space = shape_from(&def);
    tile = carom_shape_def_default(CAROM_SHAPE_BOX);
    carom_compound_part *part = malloc(TILES * TILES * sizeof *part);
    for (int i = 0; i < TILES * TILES; i++) {
        part[i] = carom_compound_part_default();
        part[i].shape = &tile;
        part[i].pose.position = crm_vec3(i % TILES, i / TILES, 0.0);
    }
    whole = carom_shape_def_default(CAROM_SHAPE_COMPOUND);
    whole.compound = (carom_compound_def){TILES * TILES, part};
    carom_shape *tiles = shape_from(&whole);

    carom_proxy *p = proxies_of(SIDE * SIDE, cube), *floor = &p[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) p[i].view = place(cube, 10 + i % SIDE, 10 + i / SIDE, 0.449);
    floor->view = place(slab, 0.0, 0.0, -0.5);
    CHECK_INT(count_pairs(SIDE * SIDE + 1, p), SIDE * SIDE);
    floor->fixed = true;
    CHECK_INT(count_pairs(SIDE * SIDE + 1, p), SIDE * SIDE);
    floor->view = place(half_space, 0.0, 0.0, 0.0);
    CHECK_INT(count_pairs(SIDE * SIDE + 1, p), SIDE * SIDE);
    floor->view = place(half_space, 0.0, 0.0, -0.1);
    CHECK_INT(count_pairs(SIDE * SIDE + 1, p), 0);
    floor->margin = INFINITY;
    CHECK_INT(count_pairs(SIDE * SIDE + 1, p), SIDE * SIDE);
    floor->margin = 0.0;
    floor->view = place(tiles, 0.0, 0.0, -0.5); // each cube over the one tile that it is smaller than
    CHECK_INT(count_pairs(SIDE * SIDE + 1, p), SIDE * SIDE);
    floor->fixed = false;
    CHECK_INT(count_pairs(SIDE * SIDE + 1, p), SIDE * SIDE);
    p[0].margin = INFINITY; // a bounded one that may get anywhere meets all tiles, and all cubes
    CHECK_INT(count_pairs(SIDE * SIDE + 1, p), SIDE * SIDE + TILES * TILES - 1 + SIDE * SIDE - 1);

    free(p);
    free(part);
    carom_shape_destroy(tiles);
    carom_shape_destroy(half_space);
    carom_shape_destroy(slab);
    carom_shape_destroy(cube);
}

// ---- memory

TEST(without_memory_it_stays_as_it_was) {
    sampler s = {.seed = 65};
    world *w = malloc(sizeof *w), *next = malloc(sizeof *next);
    shelf_create(&s, &w->shelf);
    next->shelf = w->shelf;
    world_fill(&s, w, 150, 3.0, false);
    world_fill(&s, next, 900, 8.0, false);
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    crm_broad_phase *broad, *same = make_broad();
    CHECK_INT(crm_broad_phase_update(same, w->count, w->proxies, NULL, NULL, NULL, NULL), CAROM_OK);
    probe.refused_call = 1;
    CHECK_INT(crm_broad_phase_create(&hook, &broad, NULL), CAROM_ERR_NO_MEMORY);
    probe.refused_call = 0;
    int refusals = 0;
    for (long long call = 1; call < 1000; call++) {
        carom_error error = {0};
        if (crm_broad_phase_create(&hook, &broad, NULL) != CAROM_OK) fail();
        CHECK_INT(crm_broad_phase_update(broad, w->count, w->proxies, NULL, NULL, NULL, NULL), CAROM_OK);
        probe.refused_call = probe.calls + call;
        carom_status status = crm_broad_phase_update(broad, next->count, next->proxies, NULL, NULL, NULL, &error);
        bool reached = probe.calls >= probe.refused_call;
        probe.refused_call = 0;
        if (!reached) {
            crm_broad_phase_destroy(broad);
            break;
        }
        // An arena can do without joining its blocks, so that not every refusal is one of the update.
        if (status != CAROM_OK) {
            refusals++;
            CHECK_INT(status, CAROM_ERR_NO_MEMORY);
            check_same(same, broad);
        }
        // And it goes on from there.
        CHECK_INT(crm_broad_phase_update(broad, next->count, next->proxies, NULL, NULL, NULL, NULL), CAROM_OK);
        CHECK_INT(crm_broad_phase_update(broad, w->count, w->proxies, NULL, NULL, NULL, NULL), CAROM_OK);
        check_same(same, broad);
        crm_broad_phase_destroy(broad);
    }
    CHECK(refusals >= 5);
    CHECK_INT(probe.live_blocks, 0);
    crm_broad_phase_destroy(same);
    shelf_destroy(&w->shelf);
    free(w);
    free(next);
}

TEST(what_was_once_large_enough_stays_so) {
    sampler s = {.seed = 66};
    world *w = malloc(sizeof *w);
    shelf_create(&s, &w->shelf);
    world_fill(&s, w, 1000, 8.0, false);
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    crm_broad_phase *broad;
    if (crm_broad_phase_create(&hook, &broad, NULL) != CAROM_OK) fail();
    for (int i = 0; i < 5; i++)
        CHECK_INT(crm_broad_phase_update(broad, w->count, w->proxies, NULL, NULL, NULL, NULL), CAROM_OK);
    long long calls = probe.calls;
    for (int i = 0; i < 20; i++)
        CHECK_INT(crm_broad_phase_update(broad, w->count - 10 * i, w->proxies, NULL, NULL, NULL, NULL), CAROM_OK);
    CHECK_INT(probe.calls, calls);
    CHECK_NEAR((double)crm_broad_phase_bytes(broad), (double)probe.live_bytes, 1024.0); // but for the arena's own
    crm_broad_phase_destroy(broad);
    shelf_destroy(&w->shelf);
    free(w);
}

TEST_MAIN(CASE(pairs_are_those_of_all_with_all), LONG_CASE(pairs_are_those_of_all_with_all_in_many_worlds),
          CASE(threads_order_and_history_change_nothing), CASE(every_instruction_set_finds_the_same),
          CASE(impacts_are_not_missed), CASE(few_proxies_and_those_in_one_place), CASE(touching_counts_in_a_plane),
          CASE(scales_do_not_matter), CASE(floors_have_as_many_pairs_as_lie_on_them),
          CASE(without_memory_it_stays_as_it_was), CASE(what_was_once_large_enough_stays_so))
