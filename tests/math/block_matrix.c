// SPDX-License-Identifier: MIT
// Block matrices against dense copies, and what a graph is refused for.
#include "math/block/block_matrix.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "support/algebra/random_blocks.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"

TEST(product_and_norm_agree_with_the_dense_matrix) {
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_random random = {.seed = 11};
    for (int trial = 0; trial < 70; trial++) {
        crm_arena_reset(&arena);
        int nodes = 1 + trial % 13;
        crm_block_graph graph = random_block_graph(trial % GRAPH_KINDS, nodes, trial % 4 == 0 ? 6 : 0, &random, &arena);
        crm_block_matrix matrix = trial % 2 == 0 ? random_definite_matrix(&graph, 10.0, &random, &arena)
                                                 : random_unsymmetric_matrix(&graph, &random, &arena);
        int n = matrix.scalar_count;
        double *dense = dense_copy(&matrix, &arena), *x = random_vector(n, &random, &arena);
        double *product = random_vector(n, &random, &arena), *wanted = random_vector(n, &random, &arena);
        crm_block_matrix_apply(&matrix, x, product);
        double norm = 0.0;
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            wanted[i] = 0.0;
            for (int j = 0; j < n; j++) {
                wanted[i] += dense[i + n * j] * x[j];
                sum += fabs(dense[i + n * j]);
            }
            norm = fmax(norm, sum);
        }
        // n terms of at most |A| |x| each, rounded once or twice.
        CHECK_NEAR(largest_difference(n, product, wanted), 0.0, 2.0 * n * 1.2e-16 * norm * largest_magnitude(n, x));
        CHECK_NEAR(block_matrix_norm(&matrix, product), norm, 1e-14 * norm);
    }
    crm_arena_free(&arena);
}

static void check_refused(const crm_block_graph *graph, carom_status status, const char *part) {
    crm_arena scratch;
    crm_arena_init(&scratch, NULL);
    carom_error error = {.text = ""};
    CHECK_INT(crm_block_graph_check(graph, &scratch, &error), status);
    CHECK_CONTAINS(error.text, part);
    crm_arena_free(&scratch);
}

TEST(bad_graphs_are_refused_with_a_sentence) {
    int size[] = {6, 6, 3};
    check_refused(&(crm_block_graph){-1, size, 0, NULL}, CAROM_ERR_BAD_INPUT, "-1 nodes");
    check_refused(&(crm_block_graph){3, size, -2, NULL}, CAROM_ERR_BAD_INPUT, "-2 edges");
    check_refused(&(crm_block_graph){3, (int[]){6, 0, 3}, 0, NULL}, CAROM_ERR_BAD_INPUT, "node 1 has size 0");
    check_refused(&(crm_block_graph){3, (int[]){6, INT_MAX, INT_MAX}, 0, NULL}, CAROM_ERR_TOO_LARGE, "scalars");
    check_refused(&(crm_block_graph){3, size, 1, (crm_block_edge[]){{0, 3}}}, CAROM_ERR_BAD_INPUT, "nodes 0 and 3");
    check_refused(&(crm_block_graph){3, size, 1, (crm_block_edge[]){{-1, 2}}}, CAROM_ERR_BAD_INPUT, "nodes -1 and 2");
    check_refused(&(crm_block_graph){3, size, 2, (crm_block_edge[]){{0, 1}, {2, 2}}}, CAROM_ERR_BAD_INPUT,
                  "edge 1 joins node 2 to itself");
    check_refused(&(crm_block_graph){3, size, 3, (crm_block_edge[]){{0, 1}, {1, 2}, {1, 0}}}, CAROM_ERR_BAD_INPUT,
                  "edge 2 joins nodes 1 and 0 a second time");
}

TEST(empty_graph_is_a_matrix) {
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_block_graph graph = {0};
    crm_block_matrix matrix;
    CHECK_INT(crm_block_graph_check(&graph, &arena, NULL), CAROM_OK);
    CHECK_INT(crm_block_matrix_create(&graph, false, &arena, &matrix, NULL), CAROM_OK);
    CHECK_INT(matrix.scalar_count, 0);
    crm_block_matrix_apply(&matrix, NULL, (double[]){0});
    crm_arena_free(&arena);
}

TEST(refused_memory_leaves_nothing_behind) {
    crm_block_edge edges[] = {{0, 1}, {1, 2}};
    int size[] = {2000, 2000, 3};
    crm_block_graph graph = {3, size, 2, edges};
    for (int refused = 1;; refused++) {
        probe_allocator probe = {.refused_call = refused};
        carom_allocator hook = probe_allocator_hook(&probe);
        crm_arena arena;
        crm_arena_init(&arena, &hook);
        crm_block_matrix matrix, untouched;
        memset(&matrix, 0x5a, sizeof matrix);
        memcpy(&untouched, &matrix, sizeof matrix);
        carom_error error;
        carom_status status = crm_block_matrix_create(&graph, false, &arena, &matrix, &error);
        if (status != CAROM_OK) {
            CHECK_CONTAINS(error.text, "no memory for 3 nodes and 2 edges");
            CHECK_INT(memcmp(&matrix, &untouched, sizeof matrix), 0);
            crm_mark mark = crm_arena_mark(&arena);
            CHECK(mark.block == NULL || mark.used == 0); // what was taken before is given back
        }
        crm_arena_free(&arena);
        CHECK_INT(probe.live_blocks, 0);
        if (status == CAROM_OK) break;
        if (!CHECK(refused < 100)) break;
    }
}

TEST_MAIN(CASE(product_and_norm_agree_with_the_dense_matrix), CASE(bad_graphs_are_refused_with_a_sentence),
          CASE(empty_graph_is_a_matrix), CASE(refused_memory_leaves_nothing_behind))
