// SPDX-License-Identifier: MIT
// Same bits whatever the kernels and the threads; no memory taken once warm, none lost when it is refused.
#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "math/block/block_order.h"
#include "support/algebra/block_solver.h"
#include "support/algebra/random_blocks.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"

enum { KINDS = 3 };

static crm_block_matrix matrix_of_kind(crm_block_factor_kind kind, const crm_block_graph *graph, crm_random *random,
                                       crm_arena *arena) {
    return kind == CRM_BLOCK_LU ? random_unsymmetric_matrix(graph, random, arena)
                                : random_definite_matrix(graph, 10.0, random, arena);
}

// The bits of all values that a factor holds, panel by panel without the gaps between them.
static bool factors_are_equal(const crm_block_factor *a, const crm_block_factor *b) {
    for (int p = 0; p < a->symbolic->panel_count; p++) {
        const crm_panel *panel = &a->symbolic->panel[p];
        size_t bytes = (size_t)panel->value_count * sizeof(double);
        if (memcmp(a->lower + panel->values, b->lower + panel->values, bytes) != 0) return false;
        if (memcmp(a->upper + panel->values, b->upper + panel->values, bytes) != 0) return false;
    }
    size_t bytes = (size_t)a->symbolic->scalar_count * sizeof(double);
    return memcmp(a->upper_reciprocal, b->upper_reciprocal, bytes) == 0;
}

// Of five right-hand sides, four of which are solved for together, and each alone.
static bool solutions_are_equal(const crm_block_factor *a, const crm_block_factor *b, crm_random *random,
                                crm_arena *arena) {
    enum { COUNT = 5 };
    int n = a->symbolic->scalar_count;
    double *x = CRM_ARENA_ARRAY(arena, double, COUNT *n), *y = CRM_ARENA_ARRAY(arena, double, COUNT *n);
    double *z = CRM_ARENA_ARRAY(arena, double, COUNT *n);
    double *work = CRM_ARENA_ARRAY(arena, double, crm_block_factor_solve_scratch(a));
    for (int i = 0; i < COUNT * n; i++) x[i] = y[i] = z[i] = crm_random_between(random, -1.0, 1.0);
    crm_block_factor_solve(a, COUNT, x, n, work);
    crm_block_factor_solve(b, COUNT, y, n, work);
    for (int k = 0; k < COUNT; k++) crm_block_factor_solve(b, 1, z + k * n, n, work);
    size_t bytes = (size_t)(COUNT * n) * sizeof(double);
    return memcmp(x, y, bytes) == 0 && memcmp(x, z, bytes) == 0;
}

TEST(every_kernel_table_gives_the_same_bits) {
    static const int sizes[] = {6, 3, 6, 0};
    block_solver s;
    block_solver_init(&s);
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_random random = {.seed = 31};
    for (int trial = 0; trial < 84; trial++) {
        crm_arena_reset(&arena);
        crm_block_factor_kind kind = trial % KINDS;
        crm_block_graph graph = random_block_graph(trial % GRAPH_KINDS, 30, sizes[trial % 4], &random, &arena);
        crm_block_matrix matrix = matrix_of_kind(kind, &graph, &random, &arena);
        block_solver_factor(&s, kind, &matrix);
        for (int v = 0; crm_tile_kernels_variant(v) != NULL; v++) {
            crm_block_factor other;
            assert_int_equal(crm_block_factor_create(&s.symbolic, kind, &arena, &other, NULL), CAROM_OK);
            other.kernels = crm_tile_kernels_variant(v);
            crm_block_factor_report report;
            crm_block_factor_compute(&other, &matrix, &report);
            CHECK(factors_are_equal(&s.factor, &other));
            CHECK(solutions_are_equal(&s.factor, &other, &random, &arena));
        }
    }
    crm_arena_free(&arena);
    block_solver_free(&s);
}

// Islands on threads: each has a factor of its own, all share one read-only analysis.
typedef struct islands {
    crm_block_matrix matrix[16];
    crm_block_factor factor[16];
} islands;

static void factor_islands(void *context, int begin, int end, int worker) {
    (void)worker;
    islands *all = context;
    crm_block_factor_report report;
    for (int i = begin; i < end; i++) crm_block_factor_compute(&all->factor[i], &all->matrix[i], &report);
}

TEST(islands_on_1_2_and_8_threads_give_the_same_bits) {
    enum { ISLANDS = 16 };
    block_solver s;
    block_solver_init(&s);
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_random random = {.seed = 32};
    crm_block_graph graph = random_block_graph(GRAPH_GRID, 60, 6, &random, &arena);
    islands runs[3];
    const int threads[3] = {1, 2, 8};
    for (int i = 0; i < ISLANDS; i++) {
        crm_block_factor_kind kind = i % KINDS;
        crm_block_matrix matrix = matrix_of_kind(kind, &graph, &random, &arena);
        if (i == 0) block_solver_factor(&s, kind, &matrix);
        for (int r = 0; r < 3; r++) {
            runs[r].matrix[i] = matrix;
            assert_int_equal(crm_block_factor_create(&s.symbolic, kind, &arena, &runs[r].factor[i], NULL), CAROM_OK);
        }
    }
    for (int r = 0; r < 3; r++) {
        crm_pool *pool;
        assert_int_equal(crm_pool_create(NULL, threads[r], &pool, NULL), CAROM_OK);
        crm_pool_for(pool, ISLANDS, 1, factor_islands, &runs[r]);
        crm_pool_destroy(pool);
        for (int i = 0; i < ISLANDS; i++) CHECK(factors_are_equal(&runs[r].factor[i], &runs[0].factor[i]));
    }
    crm_arena_free(&arena);
    block_solver_free(&s);
}

static bool marks_are_equal(crm_mark a, crm_mark b) {
    return a.block == b.block && a.used == b.used;
}

// min(i, j) within each piece of `piece` unknowns, 0 between pieces; all nodes of size 1.
static void fill_with_chains(int piece, crm_block_matrix *matrix) {
    crm_block_matrix_clear(matrix);
    for (int i = 0; i < matrix->scalar_count; i++) matrix->diagonal[i] = 1 + i % piece;
    for (int e = 0; e < matrix->graph.edge_count; e++) {
        int i = matrix->graph.edge[e].row, j = matrix->graph.edge[e].column;
        if (i / piece == j / piece) matrix->edges[e] = 1 + (i < j ? i : j) % piece;
    }
}

// A factor that has seen a matrix with doubtful pivots, or NaN, treats the next one like a new factor does.
TEST(earlier_matrices_leave_no_trace) {
    enum { N = 60 };
    block_solver s;
    block_solver_init(&s);
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_random random = {.seed = 35};
    crm_block_graph graph = random_block_graph(GRAPH_COMPLETE, N, 1, &random, &arena);
    crm_block_matrix earlier, matrix;
    assert_int_equal(crm_block_matrix_create(&graph, true, &arena, &earlier, NULL), CAROM_OK);
    assert_int_equal(crm_block_matrix_create(&graph, true, &arena, &matrix, NULL), CAROM_OK);
    fill_with_chains(N / 2, &matrix);
    for (int trial = 0; trial < 2 * KINDS; trial++) {
        fill_with_chains(N, &earlier);
        if (trial >= KINDS) earlier.diagonal[N / 2] = NAN;
        crm_block_factor used;
        crm_block_factor_report report;
        block_solver_factor(&s, trial % KINDS, &matrix);
        assert_int_equal(crm_block_factor_create(&s.symbolic, trial % KINDS, &arena, &used, NULL), CAROM_OK);
        crm_block_factor_compute(&used, &earlier, &report);
        CHECK(report.finite == (trial < KINDS));
        crm_block_factor_compute(&used, &matrix, &report);
        CHECK(factors_are_equal(&s.factor, &used));
        CHECK_INT(report.rank, N);
        CHECK_NEAR(report.uncertainty, s.report.uncertainty, 0.0);
    }
    crm_arena_free(&arena);
    block_solver_free(&s);
}

// One whole use: matrix, analysis, factor, refactorization, solve. The status of the first step that fails.
static carom_status use_once(const crm_block_graph *graph, crm_block_factor_kind kind, crm_arena *arena,
                             crm_arena *scratch, carom_error *error) {
    crm_block_matrix matrix;
    crm_block_symbolic symbolic;
    crm_block_factor factor;
    crm_block_factor_report report;
    carom_status status = crm_block_matrix_create(graph, kind != CRM_BLOCK_LU, arena, &matrix, error);
    crm_mark kept = crm_arena_mark(arena), used = crm_arena_mark(scratch);
    if (status == CAROM_OK) status = crm_block_analyse(graph, NULL, arena, scratch, &symbolic, error);
    // Scratch is given back on every path, and what a failed analysis took of the other arena too.
    CHECK(marks_are_equal(crm_arena_mark(scratch), used));
    if (status != CAROM_OK) CHECK(marks_are_equal(crm_arena_mark(arena), kept));
    if (status == CAROM_OK) status = crm_block_factor_create(&symbolic, kind, arena, &factor, error);
    if (status != CAROM_OK) return status;
    for (int i = 0; i < graph->node_count; i++)
        for (int k = 0; k < graph->node_size[i]; k++)
            matrix.diagonal[matrix.node_block[i] + (graph->node_size[i] + 1) * k] = 2.0;
    crm_block_factor_compute(&factor, &matrix, &report);
    double *x = CRM_ARENA_ZEROED(arena, double, matrix.scalar_count);
    double *work = CRM_ARENA_ARRAY(scratch, double, crm_block_factor_solve_scratch(&factor));
    if (x == NULL || work == NULL) return CAROM_ERR_NO_MEMORY;
    x[0] = 1.0;
    crm_block_factor_solve(&factor, 1, x, matrix.scalar_count, work);
    CHECK_NEAR(x[0], 0.5, 4e-16);
    return CAROM_OK;
}

TEST(nothing_is_allocated_once_warm) {
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_random random = {.seed = 33};
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    crm_arena memory, scratch;
    crm_arena_init(&memory, &hook);
    crm_arena_init(&scratch, &hook);
    crm_block_graph graph = random_block_graph(GRAPH_GRID, 300, 0, &random, &arena);
    long long calls_when_warm = 0;
    for (int round = 0; round < 12; round++) {
        crm_arena_reset(&memory);
        crm_arena_reset(&scratch);
        CHECK_INT(use_once(&graph, round % KINDS, &memory, &scratch, NULL), CAROM_OK);
        if (round == 5) calls_when_warm = probe.calls;
    }
    CHECK_INT(probe.calls, calls_when_warm);
    crm_arena_free(&memory);
    crm_arena_free(&scratch);
    CHECK_INT(probe.live_blocks, 0);
    crm_arena_free(&arena);
}

TEST(any_refused_allocation_is_reported_and_leaks_nothing) {
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_random random = {.seed = 34};
    crm_block_graph graph = random_block_graph(GRAPH_GRID, 2000, 6, &random, &arena);
    int refusals = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int refused = 1;; refused++) {
            probe_allocator probe = {.refused_call = refused};
            carom_allocator hook = probe_allocator_hook(&probe);
            crm_arena memory, scratch;
            crm_arena_init(&memory, &hook);
            crm_arena_init(&scratch, &hook);
            carom_error error = {.text = ""};
            carom_status status = use_once(&graph, kind, &memory, &scratch, &error);
            CHECK(status == CAROM_OK || status == CAROM_ERR_NO_MEMORY);
            crm_arena_free(&memory);
            crm_arena_free(&scratch);
            CHECK_INT(probe.live_blocks, 0);
            if (status == CAROM_OK) break;
            refusals++;
            if (!CHECK(refused < 1000)) break;
        }
    }
    CHECK(refusals >= 3 * 5); // the problem is large enough that every step had to ask
    crm_arena_free(&arena);
}

TEST(bad_orders_are_refused_with_a_sentence) {
    crm_arena arena, scratch;
    crm_arena_init(&arena, NULL);
    crm_arena_init(&scratch, NULL);
    crm_block_edge edges[] = {{0, 1}, {1, 2}};
    crm_block_graph graph = {3, (int[]){6, 6, 6}, 2, edges};
    const int orders[][3] = {{0, 1, 3}, {0, 1, 1}, {-1, 0, 1}};
    const char *const parts[] = {"entry 2 of the given order is 3", "entry 2 of the given order is 1",
                                 "entry 0 of the given order is -1"};
    for (int i = 0; i < 3; i++) {
        crm_block_symbolic symbolic;
        carom_error error = {.text = ""};
        CHECK_INT(crm_block_analyse(&graph, orders[i], &arena, &scratch, &symbolic, &error), CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, parts[i]);
        CHECK_INT(symbolic.panel_count, 0);
    }
    graph.edge_count = 3;
    graph.edge = (crm_block_edge[]){{0, 1}, {1, 2}, {1, 0}};
    crm_block_symbolic symbolic;
    carom_error error = {.text = ""};
    CHECK_INT(crm_block_analyse(&graph, NULL, &arena, &scratch, &symbolic, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "a second time");
    crm_arena_free(&arena);
    crm_arena_free(&scratch);
}

TEST(empty_graph_is_factored) {
    block_solver s;
    block_solver_init(&s);
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_block_graph graph = {0};
    for (crm_block_factor_kind kind = CRM_BLOCK_CHOLESKY; kind <= CRM_BLOCK_LU; kind++) {
        crm_block_matrix matrix;
        assert_int_equal(crm_block_matrix_create(&graph, true, &arena, &matrix, NULL), CAROM_OK);
        block_solver_factor(&s, kind, &matrix);
        block_solver_solve(&s, 1, (double[]){0});
        CHECK_INT(s.report.rank, 0);
    }
    crm_arena_free(&arena);
    block_solver_free(&s);
}

// The tree of a chain eliminated from one end is the chain itself; that of a star with the hub last has all leaves as
// its children. Positions below follow from the postorder.
TEST(elimination_trees_of_a_chain_and_a_star) {
    crm_arena arena, scratch;
    crm_arena_init(&arena, NULL);
    crm_arena_init(&scratch, NULL);
    crm_block_adjacency adjacency;
    crm_block_order order;
    crm_block_edge chain[] = {{0, 1}, {2, 1}, {2, 3}}, star[] = {{0, 3}, {3, 1}, {2, 3}};
    int size[] = {1, 1, 1, 1}, natural[] = {0, 1, 2, 3};
    for (int which = 0; which < 2; which++) {
        crm_block_graph graph = {4, size, 3, which == 0 ? chain : star};
        assert_int_equal(crm_block_adjacency_create(&graph, &arena, &adjacency, NULL), CAROM_OK);
        assert_int_equal(crm_block_order_create(&graph, &adjacency, natural, &arena, &scratch, &order, NULL), CAROM_OK);
        for (int k = 0; k < 4; k++) {
            CHECK_INT(order.order[k], k);
            CHECK_INT(order.position[k], k);
            CHECK_INT(order.parent[k], k == 3 ? -1 : which == 0 ? k + 1 : 3);
        }
    }
    crm_arena_free(&arena);
    crm_arena_free(&scratch);
}

TEST_MAIN(CASE(every_kernel_table_gives_the_same_bits), CASE(islands_on_1_2_and_8_threads_give_the_same_bits),
          CASE(earlier_matrices_leave_no_trace), CASE(nothing_is_allocated_once_warm),
          CASE(any_refused_allocation_is_reported_and_leaks_nothing), CASE(bad_orders_are_refused_with_a_sentence),
          CASE(empty_graph_is_factored), CASE(elimination_trees_of_a_chain_and_a_star))
