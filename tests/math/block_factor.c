// SPDX-License-Identifier: MIT
// Block Cholesky, LDL^T and LU against CHOLMOD and LAPACK, on random patterns of all kinds.
#include "math/block/block_factor.h"

#include <math.h>
#include <string.h>

#include "support/algebra/block_solver.h"
#include "support/algebra/cholmod_reference.h"
#include "support/algebra/lapack.h"
#include "support/algebra/random_blocks.h"
#include "support/harness/check.h"

// x <- A^-1 x by LAPACK's dense LU
static void solve_dense(const crm_block_matrix *matrix, double *x, crm_arena *arena) {
    int n = matrix->scalar_count, one = 1, info;
    double *dense = dense_copy(matrix, arena);
    int *exchanged = CRM_ARENA_ARRAY(arena, int, n);
    dgetrf_(&n, &n, dense, &n, exchanged, &info);
    assert_int_equal(info, 0);
    dgetrs_("N", &n, &one, dense, &n, exchanged, x, &n, &info);
    assert_int_equal(info, 0);
}

// |A x - b| / (|A| |x| + |b|), all in the largest-magnitude norm.
static double backward_error(const crm_block_matrix *matrix, const double *x, const double *b, crm_arena *arena) {
    int n = matrix->scalar_count;
    double *product = copy_of(n, x, arena);
    double norm = block_matrix_norm(matrix, product);
    crm_block_matrix_apply(matrix, x, product);
    return largest_difference(n, product, b) / (norm * largest_magnitude(n, x) + largest_magnitude(n, b));
}

// One random definite system, solved by us and by CHOLMOD. The condition number stays below about 1e3, so that two
// correct solvers differ by some 1e-13 at most.
static bool agree_with_cholmod(block_solver *s, graph_kind kind, int nodes, int common_size, crm_random *random,
                               crm_arena *arena) {
    crm_block_graph graph = random_block_graph(kind, nodes, common_size, random, arena);
    crm_block_matrix matrix = random_definite_matrix(&graph, 10.0, random, arena);
    int n = matrix.scalar_count;
    double *b = random_vector(n, random, arena), *x = copy_of(n, b, arena), *wanted = copy_of(n, b, arena);
    block_solver_factor(s, CRM_BLOCK_CHOLESKY, &matrix);
    block_solver_solve(s, 1, x);
    bool good = CHECK(cholmod_reference_solve(&matrix, b, wanted));
    good = CHECK_NEAR(largest_difference(n, x, wanted) / largest_magnitude(n, wanted), 0.0, 1e-12) && good;
    good = CHECK_INT(s->report.rank, n) && good;
    good = CHECK(s->report.finite && s->report.left_out == 0 && s->report.negative == 0) && good;
    return good;
}

static void check_against_cholmod(int patterns, int most_nodes) {
    block_solver s;
    block_solver_init(&s);
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_random random = {.seed = 2};
    for (int p = 0; p < patterns; p++) {
        crm_arena_reset(&arena);
        graph_kind kind = p % GRAPH_KINDS;
        // Most are small, some large, and one in a hundred has 1,000 nodes of 6, 6,000 unknowns.
        int nodes = 1 + (int)crm_random_below(&random, p % 10 == 0 ? (uint64_t)most_nodes / 3 : 40);
        int common_size = p % 3 == 0 ? 6 : p % 5 == 1 ? SIZES_WIDE : SIZES_MIXED;
        if (p % 100 == 99) {
            nodes = most_nodes;
            common_size = 6;
        }
        if (kind == GRAPH_COMPLETE && nodes > 60) nodes = 60;
        if (!agree_with_cholmod(&s, kind, nodes, common_size, &random, &arena)) break;
    }
    crm_arena_free(&arena);
    block_solver_free(&s);
}

TEST(cholesky_agrees_with_cholmod_on_some_patterns) {
    check_against_cholmod(100, 60);
}

TEST(cholesky_agrees_with_cholmod_on_1000_patterns_up_to_6000_unknowns) {
    check_against_cholmod(1000, 1000);
}

TEST(cholesky_agrees_with_lapack) {
    block_solver s;
    block_solver_init(&s);
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_random random = {.seed = 3};
    for (int trial = 0; trial < 140; trial++) {
        crm_arena_reset(&arena);
        crm_block_graph graph = random_block_graph(trial % GRAPH_KINDS, 1 + trial % 17,
                                                   trial % 2 == 0 ? SIZES_WIDE : SIZES_MIXED, &random, &arena);
        crm_block_matrix matrix = random_definite_matrix(&graph, 10.0, &random, &arena);
        int n = matrix.scalar_count;
        double *x = random_vector(n, &random, &arena), *wanted = copy_of(n, x, &arena);
        block_solver_factor(&s, CRM_BLOCK_CHOLESKY, &matrix);
        block_solver_solve(&s, 1, x);
        solve_dense(&matrix, wanted, &arena);
        if (!CHECK_NEAR(largest_difference(n, x, wanted) / largest_magnitude(n, wanted), 0.0, 1e-12)) break;
    }
    crm_arena_free(&arena);
    block_solver_free(&s);
}

// High mass ratios make the matrix ill-conditioned: the solution may be far off, its backward error must not be.
TEST(backward_error_is_small_at_any_mass_ratio) {
    block_solver s;
    block_solver_init(&s);
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_random random = {.seed = 4};
    for (int trial = 0; trial < 120; trial++) {
        crm_arena_reset(&arena);
        crm_block_graph graph = random_block_graph(trial % GRAPH_KINDS, 30, trial % 2 == 0 ? 6 : 0, &random, &arena);
        crm_block_matrix matrix = random_definite_matrix(&graph, pow(10.0, trial % 12), &random, &arena);
        int n = matrix.scalar_count;
        double *b = random_vector(n, &random, &arena);
        for (crm_block_factor_kind kind = CRM_BLOCK_CHOLESKY; kind <= CRM_BLOCK_LU; kind++) {
            double *x = copy_of(n, b, &arena);
            block_solver_factor(&s, kind, &matrix);
            block_solver_solve(&s, 1, x);
            CHECK_NEAR(backward_error(&matrix, x, b, &arena), 0.0, 10.0 * 2.2e-16 * sqrt(n));
        }
    }
    crm_arena_free(&arena);
    block_solver_free(&s);
}

// [M H; H^T -C]: bodies of 6, contacts of 3 that tie two bodies each.
static crm_block_matrix quasi_definite_matrix(int bodies, int contacts, double compliance, crm_random *random,
                                              crm_arena *arena) {
    int *size = CRM_ARENA_ARRAY(arena, int, bodies + contacts);
    crm_block_edge *edges = CRM_ARENA_ARRAY(arena, crm_block_edge, 2 * contacts);
    for (int i = 0; i < bodies + contacts; i++) size[i] = i < bodies ? 6 : 3;
    for (int c = 0; c < contacts; c++) {
        int first = (int)crm_random_below(random, (uint64_t)bodies);
        int second = (first + 1 + (int)crm_random_below(random, (uint64_t)bodies - 1)) % bodies;
        edges[2 * c] = (crm_block_edge){bodies + c, first};
        edges[2 * c + 1] = (crm_block_edge){second, bodies + c};
    }
    crm_block_graph graph = {bodies + contacts, size, 2 * contacts, edges};
    crm_block_matrix matrix;
    assert_int_equal(crm_block_matrix_create(&graph, true, arena, &matrix, NULL), CAROM_OK);
    for (int i = 0; i < bodies; i++)
        for (int k = 0; k < 6; k++)
            matrix.diagonal[matrix.node_block[i] + 7 * k] = crm_random_between(random, 0.5, 2.0);
    for (int i = bodies; i < bodies + contacts; i++)
        for (int k = 0; k < 3; k++) matrix.diagonal[matrix.node_block[i] + 4 * k] = -compliance;
    for (ptrdiff_t k = 0; k < matrix.edge_block[graph.edge_count]; k++) matrix.edges[k] = crm_random_normal(random);
    return matrix;
}

TEST(ldlt_solves_quasi_definite_systems_and_counts_signs) {
    block_solver s;
    block_solver_init(&s);
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_random random = {.seed = 5};
    for (int trial = 0; trial < 60; trial++) {
        crm_arena_reset(&arena);
        int bodies = 2 + trial % 19, contacts = 1 + trial % 31;
        // Nearly rigid contacts that are eliminated before their bodies take the pivots through numbers of the size of
        // the stiffness, 1 / compliance, whose rounding is seen in the result.
        double compliance = trial % 3 == 0 ? 1e-8 : 0.1;
        crm_block_matrix matrix = quasi_definite_matrix(bodies, contacts, compliance, &random, &arena);
        int n = matrix.scalar_count;
        double *x = random_vector(n, &random, &arena), *wanted = copy_of(n, x, &arena);
        block_solver_factor(&s, CRM_BLOCK_LDLT, &matrix);
        block_solver_solve(&s, 1, x);
        solve_dense(&matrix, wanted, &arena);
        CHECK_NEAR(largest_difference(n, x, wanted) / largest_magnitude(n, wanted), 0.0, 1e-12 + 2e-15 / compliance);
        CHECK_INT(s.report.negative, 3 * contacts);
        CHECK_INT(s.report.rank, n);
    }
    crm_arena_free(&arena);
    block_solver_free(&s);
}

TEST(lu_agrees_with_lapack_though_rows_must_be_exchanged) {
    block_solver s;
    block_solver_init(&s);
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_random random = {.seed = 6};
    for (int trial = 0; trial < 140; trial++) {
        crm_arena_reset(&arena);
        crm_block_graph graph =
            random_block_graph(trial % GRAPH_KINDS, 1 + trial % 23, trial % 2 == 0 ? 6 : SIZES_WIDE, &random, &arena);
        crm_block_matrix matrix = random_unsymmetric_matrix(&graph, &random, &arena);
        int n = matrix.scalar_count;
        double *x = random_vector(n, &random, &arena), *wanted = copy_of(n, x, &arena);
        block_solver_factor(&s, CRM_BLOCK_LU, &matrix);
        block_solver_solve(&s, 1, x);
        solve_dense(&matrix, wanted, &arena);
        if (!CHECK_NEAR(largest_difference(n, x, wanted) / largest_magnitude(n, wanted), 0.0, 1e-12)) break;
        CHECK_INT(s.report.rank, n);
    }
    crm_arena_free(&arena);
    block_solver_free(&s);
}

TEST(the_three_kinds_agree_on_a_definite_matrix) {
    block_solver s;
    block_solver_init(&s);
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_random random = {.seed = 7};
    crm_block_graph graph = random_block_graph(GRAPH_GRID, 100, 0, &random, &arena);
    crm_block_matrix matrix = random_definite_matrix(&graph, 10.0, &random, &arena);
    int n = matrix.scalar_count;
    double *b = random_vector(n, &random, &arena), *by_kind[3];
    for (crm_block_factor_kind kind = CRM_BLOCK_CHOLESKY; kind <= CRM_BLOCK_LU; kind++) {
        by_kind[kind] = copy_of(n, b, &arena);
        block_solver_factor(&s, kind, &matrix);
        block_solver_solve(&s, 1, by_kind[kind]);
    }
    CHECK_NEAR(largest_difference(n, by_kind[0], by_kind[1]), 0.0, 1e-12 * largest_magnitude(n, by_kind[0]));
    CHECK_NEAR(largest_difference(n, by_kind[0], by_kind[2]), 0.0, 1e-12 * largest_magnitude(n, by_kind[0]));
    crm_arena_free(&arena);
    block_solver_free(&s);
}

// Multiplying the matrix by a power of two changes no digit, only exponents, down to the smallest normal numbers.
TEST(extreme_scales_change_no_digit) {
    block_solver s;
    block_solver_init(&s);
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_random random = {.seed = 8};
    crm_block_graph graph = random_block_graph(GRAPH_SPARSE, 20, 0, &random, &arena);
    crm_block_matrix matrix = random_definite_matrix(&graph, 10.0, &random, &arena);
    int n = matrix.scalar_count;
    double *b = random_vector(n, &random, &arena);
    for (crm_block_factor_kind kind = CRM_BLOCK_CHOLESKY; kind <= CRM_BLOCK_LU; kind++) {
        double *wanted = copy_of(n, b, &arena);
        block_solver_factor(&s, kind, &matrix);
        block_solver_solve(&s, 1, wanted);
        for (int exponent = -480; exponent <= 480; exponent += 160) {
            crm_block_matrix scaled = random_definite_matrix(&graph, 10.0, &random, &arena);
            for (ptrdiff_t k = 0; k < matrix.node_block[graph.node_count]; k++)
                scaled.diagonal[k] = ldexp(matrix.diagonal[k], exponent);
            for (ptrdiff_t k = 0; k < matrix.edge_block[graph.edge_count]; k++)
                scaled.edges[k] = ldexp(matrix.edges[k], exponent);
            double *x = copy_of(n, b, &arena);
            block_solver_factor(&s, kind, &scaled);
            block_solver_solve(&s, 1, x);
            int different = 0;
            for (int i = 0; i < n; i++) different += ldexp(x[i], exponent) != wanted[i];
            CHECK_INT(different, 0);
        }
    }
    crm_arena_free(&arena);
    block_solver_free(&s);
}

// Millimetres instead of metres for some unknowns, tonnes for others: A becomes D A D, b becomes D b, x becomes D^-1 x.
// With powers of two the symmetric kinds must not change a digit. LU may choose other rows; its residual, measured in
// the old units, must not grow.
TEST(units_of_the_unknowns_do_not_matter) {
    block_solver s;
    block_solver_init(&s);
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_random random = {.seed = 12};
    for (int trial = 0; trial < 90; trial++) {
        crm_arena_reset(&arena);
        crm_block_factor_kind kind = trial % 3;
        crm_block_graph graph =
            random_block_graph(trial % GRAPH_KINDS, 1 + trial % 19, trial % 2 == 0 ? 6 : SIZES_WIDE, &random, &arena);
        crm_block_matrix matrix = kind == CRM_BLOCK_LU && trial % 4 != 0
                                      ? random_unsymmetric_matrix(&graph, &random, &arena)
                                      : random_definite_matrix(&graph, 10.0, &random, &arena);
        int n = matrix.scalar_count;
        double *b = random_vector(n, &random, &arena), *d = copy_of(n, b, &arena), *inverse = copy_of(n, b, &arena);
        for (int i = 0; i < n; i++) {
            int exponent = (int)crm_random_below(&random, 55) - 27; // 1e-8 ... 1e8
            d[i] = ldexp(1.0, exponent);
            inverse[i] = ldexp(1.0, -exponent);
        }
        double *wanted = copy_of(n, b, &arena), *x = copy_of(n, b, &arena), *back = copy_of(n, b, &arena);
        block_solver_factor(&s, kind, &matrix);
        block_solver_solve(&s, 1, wanted);
        change_units(&matrix, d);
        for (int i = 0; i < n; i++) x[i] *= d[i];
        block_solver_factor(&s, kind, &matrix);
        block_solver_solve(&s, 1, x);
        CHECK_INT(s.report.rank, n);
        for (int i = 0; i < n; i++) x[i] *= d[i];
        if (kind != CRM_BLOCK_LU && !CHECK_INT(memcmp(x, wanted, (size_t)n * sizeof(double)), 0)) break;
        change_units(&matrix, inverse);
        crm_block_matrix_apply(&matrix, x, back);
        if (!CHECK_NEAR(largest_difference(n, back, b) / largest_magnitude(n, b), 0.0, 1e-12)) break;
    }
    crm_arena_free(&arena);
    block_solver_free(&s);
}

TEST(right_hand_sides_together_or_alone_give_the_same_bits) {
    block_solver s;
    block_solver_init(&s);
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_random random = {.seed = 9};
    for (crm_block_factor_kind kind = CRM_BLOCK_CHOLESKY; kind <= CRM_BLOCK_LU; kind++) {
        crm_block_graph graph = random_block_graph(GRAPH_SPARSE, 50, kind == CRM_BLOCK_LDLT ? 0 : 6, &random, &arena);
        crm_block_matrix matrix = kind == CRM_BLOCK_LU ? random_unsymmetric_matrix(&graph, &random, &arena)
                                                       : random_definite_matrix(&graph, 10.0, &random, &arena);
        int n = matrix.scalar_count;
        enum { COLUMNS = 11 };
        double *together = random_vector(COLUMNS * n, &random, &arena), *alone = copy_of(COLUMNS * n, together, &arena);
        block_solver_factor(&s, kind, &matrix);
        block_solver_solve(&s, COLUMNS, together);
        for (int c = 0; c < COLUMNS; c++) block_solver_solve(&s, 1, alone + n * c);
        CHECK_INT(memcmp(together, alone, (size_t)(COLUMNS * n) * sizeof(double)), 0);
    }
    crm_arena_free(&arena);
    block_solver_free(&s);
}

TEST(right_hand_sides_may_stand_apart_and_gaps_stay_untouched) {
    block_solver s;
    block_solver_init(&s);
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_random random = {.seed = 13};
    crm_block_graph graph = random_block_graph(GRAPH_SPARSE, 20, SIZES_WIDE, &random, &arena);
    crm_block_matrix matrix = random_unsymmetric_matrix(&graph, &random, &arena);
    enum { COLUMNS = 10, GAP = 7 };
    int n = matrix.scalar_count, stride = n + GAP;
    double *apart = random_vector(COLUMNS * stride, &random, &arena),
           *wanted = copy_of(COLUMNS * stride, apart, &arena);
    block_solver_factor(&s, CRM_BLOCK_LU, &matrix);
    for (int c = 0; c < COLUMNS; c++) block_solver_solve(&s, 1, wanted + stride * c);
    double *scratch = CRM_ARENA_ARRAY(&arena, double, crm_block_factor_solve_scratch(&s.factor));
    crm_block_factor_solve(&s.factor, COLUMNS, apart, stride, scratch);
    CHECK_INT(memcmp(apart, wanted, (size_t)(COLUMNS * stride) * sizeof(double)), 0);
    crm_arena_free(&arena);
    block_solver_free(&s);
}

TEST(given_order_is_used_and_gives_the_same_solution) {
    block_solver s;
    block_solver_init(&s);
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_random random = {.seed = 10};
    crm_block_graph graph = random_block_graph(GRAPH_STAR, 30, 6, &random, &arena);
    crm_block_matrix matrix = random_definite_matrix(&graph, 10.0, &random, &arena);
    int n = matrix.scalar_count, order[30], hub = graph.edge[0].row;
    for (int e = 1; e < graph.edge_count; e++) // the hub is the end that all edges share
        if (graph.edge[e].row != hub && graph.edge[e].column != hub) hub = graph.edge[0].column;
    double *b = random_vector(n, &random, &arena), *x = copy_of(n, b, &arena), *wanted = copy_of(n, b, &arena);
    block_solver_factor(&s, CRM_BLOCK_CHOLESKY, &matrix);
    double least_work = s.symbolic.flop_count;
    block_solver_solve(&s, 1, wanted);
    // Eliminating the hub first ties all others to each other: much more work, the same answer.
    order[0] = hub;
    for (int i = 0, k = 1; i < 30; i++)
        if (i != hub) order[k++] = i;
    block_solver_factor_in_order(&s, CRM_BLOCK_CHOLESKY, &matrix, order);
    block_solver_solve(&s, 1, x);
    CHECK(s.symbolic.flop_count > 50.0 * least_work);
    CHECK_INT(s.symbolic.order[0], hub);
    CHECK_NEAR(largest_difference(n, x, wanted), 0.0, 1e-12 * largest_magnitude(n, wanted));
    crm_arena_free(&arena);
    block_solver_free(&s);
}

// Says yes from the n-th question on.
typedef struct end_at {
    int asked, at;
} end_at;

static bool ask(void *user) {
    end_at *end = user;
    return ++end->asked >= end->at;
}

TEST(an_interrupt_ends_a_solution_and_without_a_factor_there_is_none) {
    block_solver s;
    block_solver_init(&s);
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_random random = {.seed = 21};
    crm_block_graph graph = random_block_graph(GRAPH_SPARSE, 400, 6, &random, &arena);
    crm_block_matrix matrix = random_definite_matrix(&graph, 10.0, &random, &arena);
    int n = matrix.scalar_count;
    double *b = random_vector(n, &random, &arena), *x = copy_of(n, b, &arena), *wanted = copy_of(n, b, &arena);
    block_solver_factor(&s, CRM_BLOCK_LU, &matrix);
    block_solver_solve(&s, 1, wanted);

    // A solution asks often enough that one of a large factor ends soon: some times for these panels, and no more once
    // it has ended.
    end_at end = {0, 1 << 30};
    s.factor.interrupt = (carom_interrupt){ask, &end};
    block_solver_solve(&s, 1, x);
    CHECK(end.asked >= s.symbolic.panel_count / 10);
    CHECK_INT(memcmp(x, wanted, (size_t)n * sizeof(double)), 0);
    end = (end_at){0, 2};
    block_solver_solve(&s, 1, x);
    CHECK(end.asked <= 3);

    // What has no factor is left as it is, without a look at what is there of it.
    end = (end_at){0, 5};
    crm_block_factor_compute(&s.factor, &matrix, &s.report);
    CHECK(!s.report.finite);
    memcpy(x, b, (size_t)n * sizeof(double));
    block_solver_solve(&s, 1, x);
    CHECK_INT(memcmp(x, b, (size_t)n * sizeof(double)), 0);

    s.factor.interrupt = (carom_interrupt){NULL, NULL};
    crm_block_factor_compute(&s.factor, &matrix, &s.report);
    block_solver_solve(&s, 1, x);
    CHECK_INT(memcmp(x, wanted, (size_t)n * sizeof(double)), 0);
    crm_arena_free(&arena);
    block_solver_free(&s);
}

TEST_MAIN(CASE(cholesky_agrees_with_cholmod_on_some_patterns),
          LONG_CASE(cholesky_agrees_with_cholmod_on_1000_patterns_up_to_6000_unknowns),
          CASE(cholesky_agrees_with_lapack), CASE(backward_error_is_small_at_any_mass_ratio),
          CASE(ldlt_solves_quasi_definite_systems_and_counts_signs),
          CASE(lu_agrees_with_lapack_though_rows_must_be_exchanged), CASE(the_three_kinds_agree_on_a_definite_matrix),
          CASE(extreme_scales_change_no_digit), CASE(units_of_the_unknowns_do_not_matter),
          CASE(right_hand_sides_together_or_alone_give_the_same_bits),
          CASE(right_hand_sides_may_stand_apart_and_gaps_stay_untouched),
          CASE(given_order_is_used_and_gives_the_same_solution),
          CASE(an_interrupt_ends_a_solution_and_without_a_factor_there_is_none))
