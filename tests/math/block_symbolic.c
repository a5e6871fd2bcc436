// SPDX-License-Identifier: MIT
// What a symbolic analysis promises of its panels, and the sizes that it refuses.
#include "math/block/block_symbolic.h"

#include <limits.h>

#include "support/algebra/random_blocks.h"
#include "support/harness/check.h"

// Own nodes first, rows ascending, strips behind each other, no overlap with the next panel; at most CRM_PANEL_NODES
// scalars wide unless it is a single node.
static bool panel_is_good(const crm_block_symbolic *s, int p) {
    const crm_panel *panel = &s->panel[p];
    bool good = CHECK_INT(panel->first, p == 0 ? 0 : s->panel[p - 1].end) && CHECK(panel->end > panel->first);
    good = CHECK_INT(panel->width, s->start[panel->end] - s->start[panel->first]) && good;
    good = CHECK(panel->width <= CRM_PANEL_NODES || panel->end == panel->first + 1) && good;
    ptrdiff_t offset = 0;
    for (int i = panel->strip_begin; i < panel->strip_end && good; i++) {
        int own = panel->first + i - panel->strip_begin;
        if (own < panel->end)
            good = CHECK_INT(s->strip_row[i], own);
        else
            good = CHECK(s->strip_row[i] > s->strip_row[i - 1] && s->strip_row[i] < s->node_count);
        good = CHECK_INT(s->strip_offset[i], offset) && good;
        offset += (ptrdiff_t)s->size[s->strip_row[i]] * panel->width;
    }
    good = CHECK_INT(panel->value_count, offset) && good;
    ptrdiff_t next = p + 1 < s->panel_count ? s->panel[p + 1].values : s->value_count;
    good = CHECK(panel->values + panel->value_count <= next) && good;
    return CHECK_INT(panel->values * (ptrdiff_t)sizeof(double) % CRM_ARENA_ALIGNMENT, 0) && good;
}

TEST(panels_are_what_the_header_says) {
    crm_arena arena, scratch;
    crm_arena_init(&arena, NULL);
    crm_arena_init(&scratch, NULL);
    crm_random random = {.seed = 41};
    for (int trial = 0; trial < 140; trial++) {
        crm_arena_reset(&arena);
        int sizes[] = {SIZES_MIXED, SIZES_WIDE, 6, 1, LARGEST_NODE};
        crm_block_graph graph =
            random_block_graph(trial % GRAPH_KINDS, 1 + trial % 67, sizes[trial % 5], &random, &arena);
        crm_block_symbolic s;
        assert_int_equal(crm_block_analyse(&graph, NULL, &arena, &scratch, &s, NULL), CAROM_OK);
        bool good = true;
        for (int p = 0; p < s.panel_count && good; p++) good = panel_is_good(&s, p);
        if (s.panel_count > 0) good = CHECK_INT(s.panel[s.panel_count - 1].end, graph.node_count) && good;
        if (!good) break;
    }
    crm_arena_free(&arena);
    crm_arena_free(&scratch);
}

// A dense supernode of many small and a few large nodes, eliminated in the order given: the large ones stand together.
TEST(mixed_sizes_in_one_supernode_make_no_wide_panel) {
    enum { SMALL = 200, LARGE = 12, NODES = SMALL + LARGE };
    crm_arena arena, scratch;
    crm_arena_init(&arena, NULL);
    crm_arena_init(&scratch, NULL);
    int size[NODES], order[NODES], edges = 0;
    crm_block_edge *edge = CRM_ARENA_ARRAY(&arena, crm_block_edge, NODES * NODES);
    for (int i = 0; i < NODES; i++) {
        size[i] = i < SMALL ? 1 : 20;
        order[i] = i;
        for (int j = 0; j < i; j++) edge[edges++] = (crm_block_edge){i, j};
    }
    crm_block_graph graph = {NODES, size, edges, edge};
    crm_block_symbolic s;
    assert_int_equal(crm_block_analyse(&graph, order, &arena, &scratch, &s, NULL), CAROM_OK);
    for (int p = 0; p < s.panel_count; p++) panel_is_good(&s, p);
    // 200 in 5 panels, then 12 of 20 that fit two by two.
    CHECK(s.panel_count >= 11 && s.panel_count <= 12);
    crm_arena_free(&arena);
    crm_arena_free(&scratch);
}

// A chain eliminated from its end has one tile below each diagonal tile, 21 + 36 numbers a node. Merging neighbours
// into panels stores zeros for the sake of wider panels, but less than a third.
TEST(chain_is_merged_into_panels_with_few_zeros) {
    enum { NODES = 300 };
    crm_arena arena, scratch;
    crm_arena_init(&arena, NULL);
    crm_arena_init(&scratch, NULL);
    int size[NODES], order[NODES];
    crm_block_edge edge[NODES];
    for (int i = 0; i < NODES; i++) {
        size[i] = 6;
        order[i] = i;
        edge[i] = (crm_block_edge){i, i + 1};
    }
    crm_block_graph graph = {NODES, size, NODES - 1, edge};
    crm_block_symbolic s;
    assert_int_equal(crm_block_analyse(&graph, order, &arena, &scratch, &s, NULL), CAROM_OK);
    double stored = 0.0, needed = NODES * 21.0 + (NODES - 1) * 36.0;
    for (int p = 0; p < s.panel_count; p++) {
        double width = s.panel[p].width;
        stored += (double)s.panel[p].value_count - 0.5 * width * (width - 1.0);
    }
    CHECK(s.panel_count <= NODES / 2 + 1);
    CHECK(stored >= needed && needed >= 0.7 * stored);
    crm_arena_free(&arena);
    crm_arena_free(&scratch);
}

// n^3 / 3 for a full matrix, however it is cut, up to terms in n^2.
TEST(flops_of_a_full_matrix) {
    crm_arena arena, scratch;
    crm_arena_init(&arena, NULL);
    crm_arena_init(&scratch, NULL);
    crm_random random = {.seed = 42};
    for (int node = 1; node <= 60; node += 59) {
        crm_block_graph graph = random_block_graph(GRAPH_COMPLETE, 120 / node, node, &random, &arena);
        crm_block_symbolic s;
        assert_int_equal(crm_block_analyse(&graph, NULL, &arena, &scratch, &s, NULL), CAROM_OK);
        CHECK_NEAR(s.flop_count, 120.0 * 120.0 * 120.0 / 3.0, 120.0 * 120.0);
    }
    crm_arena_free(&arena);
    crm_arena_free(&scratch);
}

TEST(nodes_too_large_to_be_numbered_are_refused) {
    crm_arena arena, scratch;
    crm_arena_init(&arena, NULL);
    crm_arena_init(&scratch, NULL);
    crm_block_symbolic s;
    carom_error error = {.text = ""};
    crm_block_edge edge = {1, 0};
    crm_block_graph graphs[] = {
        {1, (int[]){INT_MAX}, 0, NULL}, {1, (int[]){46341}, 0, NULL}, {2, (int[]){1 << 20, 1 << 20}, 1, &edge}};
    for (int i = 0; i < 3; i++) {
        CHECK_INT(crm_block_analyse(&graphs[i], NULL, &arena, &scratch, &s, &error), CAROM_ERR_TOO_LARGE);
        CHECK_CONTAINS(error.text, "too large to be numbered");
        CHECK_INT(s.panel_count, 0);
    }
    crm_block_graph most = {1, (int[]){46340}, 0, NULL}; // 46340^2 < 2^31 <= 46341^2
    CHECK_INT(crm_block_analyse(&most, NULL, &arena, &scratch, &s, &error), CAROM_OK);
    CHECK_INT(s.value_count, (46340LL * 46340 + 7) / 8 * 8);
    crm_arena_free(&arena);
    crm_arena_free(&scratch);
}

TEST_MAIN(CASE(panels_are_what_the_header_says), CASE(mixed_sizes_in_one_supernode_make_no_wide_panel),
          CASE(chain_is_merged_into_panels_with_few_zeros), CASE(flops_of_a_full_matrix),
          CASE(nodes_too_large_to_be_numbered_are_refused))
