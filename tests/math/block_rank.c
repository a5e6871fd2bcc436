// SPDX-License-Identifier: MIT
// What the block factorizations say of matrices that are singular, indefinite or not finite.
#include <math.h>
#include <string.h>

#include "support/algebra/block_solver.h"
#include "support/algebra/random_blocks.h"
#include "support/harness/check.h"

typedef struct fixture {
    block_solver s;
    crm_arena arena;
    crm_random random;
} fixture;

static fixture set_up(uint64_t seed) {
    fixture f = {.random = {.seed = seed}};
    block_solver_init(&f.s);
    crm_arena_init(&f.arena, NULL);
    return f;
}

static void tear_down(fixture *f) {
    block_solver_free(&f->s);
    crm_arena_free(&f->arena);
}

// Bodies held together by springs only, to nothing else: every connected piece may move freely as a whole, so that the
// matrix (graph Laplacian times identity of 6) has rank 6 (nodes - pieces), exactly.
static crm_block_matrix floating_matrix(const crm_block_graph *graph, crm_random *random, crm_arena *arena) {
    crm_block_matrix matrix;
    assert_int_equal(crm_block_matrix_create(graph, true, arena, &matrix, NULL), CAROM_OK);
    for (int e = 0; e < graph->edge_count; e++) {
        double stiffness = pow(10.0, crm_random_between(random, -2.0, 2.0));
        for (int k = 0; k < 6; k++) {
            matrix.diagonal[matrix.node_block[graph->edge[e].row] + 7 * k] += stiffness;
            matrix.diagonal[matrix.node_block[graph->edge[e].column] + 7 * k] += stiffness;
            matrix.edges[matrix.edge_block[e] + 7 * k] = -stiffness;
        }
    }
    return matrix;
}

static int count_pieces(const crm_block_graph *graph, crm_arena *arena) {
    int *piece = CRM_ARENA_ARRAY(arena, int, graph->node_count);
    int pieces = graph->node_count;
    for (int i = 0; i < graph->node_count; i++) piece[i] = i;
    for (int e = 0; e < graph->edge_count; e++) {
        int a = piece[graph->edge[e].row], b = piece[graph->edge[e].column];
        if (a == b) continue;
        pieces--;
        for (int i = 0; i < graph->node_count; i++)
            if (piece[i] == a) piece[i] = b;
    }
    return pieces;
}

TEST(rank_of_floating_structures_is_found_and_forces_in_range_are_balanced) {
    fixture f = set_up(21);
    for (int trial = 0; trial < 84; trial++) {
        crm_arena_reset(&f.arena);
        crm_block_graph graph = random_block_graph(trial % GRAPH_KINDS, 2 + trial % 40, 6, &f.random, &f.arena);
        crm_block_matrix matrix = floating_matrix(&graph, &f.random, &f.arena);
        int n = matrix.scalar_count, pieces = count_pieces(&graph, &f.arena);
        double *moved = random_vector(n, &f.random, &f.arena), *force = copy_of(n, moved, &f.arena);
        crm_block_matrix_apply(&matrix, moved, force);
        for (crm_block_factor_kind kind = CRM_BLOCK_CHOLESKY; kind <= CRM_BLOCK_LU; kind++) {
            block_solver_factor(&f.s, kind, &matrix);
            CHECK_INT(f.s.report.rank, n - 6 * pieces);
            CHECK_INT(f.s.report.left_out, 6 * pieces);
            CHECK(f.s.report.first_left_out >= 0 && f.s.report.first_left_out < n);
            CHECK_INT(f.s.report.negative, 0);
            double *x = copy_of(n, force, &f.arena), *back = copy_of(n, force, &f.arena);
            block_solver_solve(&f.s, 1, x);
            crm_block_matrix_apply(&matrix, x, back);
            CHECK_NEAR(largest_difference(n, back, force), 0.0, 1e-12 * largest_magnitude(n, force));
        }
    }
    tear_down(&f);
}

// A joint counted twice: [M H; H^T 0] with two equal rows is singular, but LDL^T with the bodies first leaves one copy
// out and gives the right velocities.
TEST(redundant_constraints_are_left_out_one_by_one) {
    fixture f = set_up(22);
    enum { COPIES = 3 };
    int size[] = {6, 6, 3, 3, 3}, order[] = {0, 1, 2, 3, 4};
    crm_block_edge edges[2 * COPIES];
    for (int c = 0; c < COPIES; c++) {
        edges[2 * c] = (crm_block_edge){2 + c, 0};
        edges[2 * c + 1] = (crm_block_edge){2 + c, 1};
    }
    crm_block_graph graph = {2 + COPIES, size, 2 * COPIES, edges};
    crm_block_matrix matrix;
    assert_int_equal(crm_block_matrix_create(&graph, true, &f.arena, &matrix, NULL), CAROM_OK);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 6; k++) matrix.diagonal[matrix.node_block[i] + 7 * k] = 1.0 + k + 10.0 * i;
    double *rows = random_vector(36, &f.random, &f.arena);
    for (int c = 0; c < COPIES; c++) memcpy(matrix.edges + matrix.edge_block[2 * c], rows, 36 * sizeof(double));
    int n = matrix.scalar_count;
    double *b = random_vector(n, &f.random, &f.arena);
    for (int k = 12; k < n; k++) b[k] = 0.0; // constraint velocities: zero
    double *x = copy_of(n, b, &f.arena), *back = copy_of(n, b, &f.arena);
    block_solver_factor_in_order(&f.s, CRM_BLOCK_LDLT, &matrix, order);
    block_solver_solve(&f.s, 1, x);
    crm_block_matrix_apply(&matrix, x, back);
    CHECK_INT(f.s.report.left_out, 3 * (COPIES - 1));
    CHECK_INT(f.s.report.first_left_out, 12 + 3);
    CHECK_INT(f.s.report.negative, 3);
    CHECK_NEAR(largest_difference(n, back, b), 0.0, 1e-13 * largest_magnitude(n, x) * 36.0);
    tear_down(&f);
}

// Joints in a row, each carrying all that follow: inertia (i, j) is that of the links behind both, min(i, j) when
// counted from the free end. All pivots are 1 and the condition number is some n^2, but L is full of ones: an error
// analysis that lets nothing cancel doubles with every joint.
TEST(long_chain_of_joints_keeps_every_pivot) {
    fixture f = set_up(27);
    enum { N = 240 };
    for (int node = 1; node <= N; node *= node == 1 ? 6 : 40) {
        crm_arena_reset(&f.arena);
        int count = N / node, edges = 0, *size = CRM_ARENA_ARRAY(&f.arena, int, count);
        crm_block_edge *edge = CRM_ARENA_ARRAY(&f.arena, crm_block_edge, count * count);
        for (int i = 0; i < count; i++) {
            size[i] = node;
            for (int j = 0; j < i; j++) edge[edges++] = (crm_block_edge){i, j};
        }
        crm_block_graph graph = {count, size, edges, edge};
        crm_block_matrix matrix;
        assert_int_equal(crm_block_matrix_create(&graph, true, &f.arena, &matrix, NULL), CAROM_OK);
        for (int r = 0; r < node; r++)
            for (int c = 0; c < node; c++) {
                for (int i = 0; i < count; i++)
                    matrix.diagonal[matrix.node_block[i] + r + node * c] = 1 + node * i + (r < c ? r : c);
                for (int e = 0; e < edges; e++) // rows are behind columns
                    matrix.edges[matrix.edge_block[e] + r + node * c] = 1 + node * edge[e].column + c;
            }
        double *b = random_vector(N, &f.random, &f.arena), *back = copy_of(N, b, &f.arena);
        for (crm_block_factor_kind kind = CRM_BLOCK_CHOLESKY; kind <= CRM_BLOCK_LU; kind++) {
            double *x = copy_of(N, b, &f.arena);
            block_solver_factor(&f.s, kind, &matrix);
            block_solver_solve(&f.s, 1, x);
            crm_block_matrix_apply(&matrix, x, back);
            CHECK_INT(f.s.report.rank, N);
            CHECK(f.s.report.uncertainty < 1e-6);
            CHECK_NEAR(largest_difference(N, back, b), 0.0, 1e-10);
        }
    }
    tear_down(&f);
}

// The same chain with the rows of each node in the opposite order: LU has to put them right, and its second look with
// it.
TEST(long_chain_of_joints_keeps_every_pivot_when_rows_are_exchanged) {
    fixture f = set_up(30);
    enum { N = 120 };
    crm_block_graph graph = {1, (int[]){N}, 0, NULL};
    crm_block_matrix matrix;
    assert_int_equal(crm_block_matrix_create(&graph, false, &f.arena, &matrix, NULL), CAROM_OK);
    for (int r = 0; r < N; r++)
        for (int c = 0; c < N; c++) matrix.diagonal[N - 1 - r + N * c] = 1 + (r < c ? r : c);
    double *b = random_vector(N, &f.random, &f.arena), *x = copy_of(N, b, &f.arena), *back = copy_of(N, b, &f.arena);
    block_solver_factor(&f.s, CRM_BLOCK_LU, &matrix);
    block_solver_solve(&f.s, 1, x);
    crm_block_matrix_apply(&matrix, x, back);
    CHECK_INT(f.s.report.rank, N);
    CHECK_NEAR(largest_difference(N, back, b), 0.0, 1e-10);
    tear_down(&f);
}

// A body of 6 and a joint of 3 that is counted twice, all in one node, in units that differ by 1e8: [M H H; H^T 0 0;
// H^T 0 0]. Columns of the joint have no entry on the diagonal to be measured by.
TEST(lu_leaves_out_redundant_constraints_inside_a_node) {
    fixture f = set_up(31);
    enum { BODY = 6, JOINT = 3, N = BODY + 2 * JOINT };
    crm_block_graph graph = {1, (int[]){N}, 0, NULL};
    for (int trial = 0; trial < 200; trial++) {
        crm_arena_reset(&f.arena);
        crm_block_matrix matrix;
        assert_int_equal(crm_block_matrix_create(&graph, false, &f.arena, &matrix, NULL), CAROM_OK);
        double d[N];
        for (int i = 0; i < N; i++) d[i] = ldexp(1.0, (int)crm_random_below(&f.random, 55) - 27);
        for (int i = 0; i < BODY; i++) {
            matrix.diagonal[(N + 1) * i] = crm_random_between(&f.random, 0.5, 2.0);
            for (int j = BODY; j < N; j++) {
                double entry = j < BODY + JOINT ? crm_random_normal(&f.random) : matrix.diagonal[i + N * (j - JOINT)];
                matrix.diagonal[i + N * j] = matrix.diagonal[j + N * i] = entry;
            }
        }
        change_units(&matrix, d);
        block_solver_factor(&f.s, CRM_BLOCK_LU, &matrix);
        if (!CHECK_INT(f.s.report.rank, N - JOINT)) break;
    }
    tear_down(&f);
}

// J: 6 x 6, the motion of a point at `lever` from a body's centre, and the body's rotation; times `sign`.
static void point_jacobian(const double lever[3], double sign, double jacobian[36]) {
    memset(jacobian, 0, 36 * sizeof(double));
    for (int i = 0; i < 6; i++) jacobian[7 * i] = sign;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        jacobian[i + 6 * (3 + j)] = sign * lever[k];
        jacobian[i + 6 * (3 + k)] = -sign * lever[j];
    }
}

static void add_spring(const double *j_a, const double *j_b, const double stiffness[2], double *block) {
    for (int c = 0; c < 6; c++)
        for (int r = 0; r < 6; r++)
            for (int k = 0; k < 6; k++) block[r + 6 * c] += stiffness[k / 3] * j_a[k + 6 * r] * j_b[k + 6 * c];
}

// Bodies welded at points by springs against sliding and rotating: each piece has six free motions, now as mixtures of
// all unknowns. Places are whole numbers, so that the free motions are exact.
TEST(rank_of_welded_structures_is_found) {
    fixture f = set_up(32);
    for (int trial = 0; trial < 210; trial++) {
        crm_arena_reset(&f.arena);
        crm_block_graph graph = random_block_graph(trial % GRAPH_KINDS, 2 + trial % 29, 6, &f.random, &f.arena);
        crm_block_matrix matrix;
        assert_int_equal(crm_block_matrix_create(&graph, true, &f.arena, &matrix, NULL), CAROM_OK);
        double *place = random_vector(3 * graph.node_count, &f.random, &f.arena), spread = trial % 4;
        for (int i = 0; i < 3 * graph.node_count; i++) place[i] = floor(10.0 * place[i]);
        for (int e = 0; e < graph.edge_count; e++) {
            int ends[] = {graph.edge[e].row, graph.edge[e].column};
            double weld[3], jacobian[2][36], stiffness[2];
            for (int i = 0; i < 3; i++) weld[i] = floor(crm_random_between(&f.random, -10.0, 10.0));
            for (int i = 0; i < 2; i++) {
                const double *centre = place + 3 * ends[i];
                double lever[] = {weld[0] - centre[0], weld[1] - centre[1], weld[2] - centre[2]};
                point_jacobian(lever, i == 0 ? 1.0 : -1.0, jacobian[i]);
                stiffness[i] = pow(10.0, crm_random_between(&f.random, -spread, spread));
            }
            for (int i = 0; i < 2; i++)
                add_spring(jacobian[i], jacobian[i], stiffness, matrix.diagonal + matrix.node_block[ends[i]]);
            add_spring(jacobian[0], jacobian[1], stiffness, matrix.edges + matrix.edge_block[e]);
        }
        int wanted = matrix.scalar_count - 6 * count_pieces(&graph, &f.arena);
        for (crm_block_factor_kind kind = CRM_BLOCK_CHOLESKY; kind <= CRM_BLOCK_LU; kind++) {
            block_solver_factor(&f.s, kind, &matrix);
            CHECK_INT(f.s.report.rank, wanted);
        }
    }
    tear_down(&f);
}

// More contact rows than the bodies can move: J M^-1 J^T of rank 6 per body, whatever the masses up to 1e6.
TEST(rank_of_contact_operators_is_that_of_the_bodies) {
    fixture f = set_up(28);
    for (int trial = 0; trial < 60; trial++) {
        crm_arena_reset(&f.arena);
        int bodies = 1 + trial % 5, contacts = 2 * bodies + 1 + trial % 7, n = 3 * contacts, columns = 6 * bodies;
        double *jacobian = random_vector(n * columns, &f.random, &f.arena);
        for (int c = 0; c < columns; c++) {
            double root_of_mass = pow(10.0, 3.0 * (trial % 3) * (c / 6) / bodies);
            for (int r = 0; r < n; r++) jacobian[r + n * c] /= root_of_mass;
        }
        crm_block_graph graph = random_block_graph(GRAPH_COMPLETE, contacts, 3, &f.random, &f.arena);
        crm_block_matrix matrix;
        assert_int_equal(crm_block_matrix_create(&graph, true, &f.arena, &matrix, NULL), CAROM_OK);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                for (int k = 0; k < columns; k++) {
                    for (int i = 0; i < contacts; i++)
                        matrix.diagonal[9 * i + r + 3 * c] += jacobian[3 * i + r + n * k] * jacobian[3 * i + c + n * k];
                    for (int e = 0; e < graph.edge_count; e++)
                        matrix.edges[9 * e + r + 3 * c] += jacobian[3 * graph.edge[e].row + r + n * k] *
                                                           jacobian[3 * graph.edge[e].column + c + n * k];
                }
        for (crm_block_factor_kind kind = CRM_BLOCK_CHOLESKY; kind <= CRM_BLOCK_LU; kind++) {
            block_solver_factor(&f.s, kind, &matrix);
            CHECK_INT(f.s.report.rank, columns);
        }
    }
    tear_down(&f);
}

// Numbers below DBL_MIN have lost their digits, and their reciprocals are infinite.
TEST(pivots_below_the_normal_numbers_are_left_out) {
    fixture f = set_up(29);
    crm_block_graph graph = {1, (int[]){2}, 0, NULL};
    crm_block_matrix matrix;
    assert_int_equal(crm_block_matrix_create(&graph, true, &f.arena, &matrix, NULL), CAROM_OK);
    double block[] = {1e-310, 0.0, 0.0, 1.0};
    memcpy(matrix.diagonal, block, sizeof block);
    for (crm_block_factor_kind kind = CRM_BLOCK_CHOLESKY; kind <= CRM_BLOCK_LU; kind++) {
        block_solver_factor(&f.s, kind, &matrix);
        CHECK(f.s.report.finite);
        CHECK_INT(f.s.report.rank, 1);
        CHECK_INT(f.s.report.first_left_out, 0);
        double x[] = {1.0, 2.0};
        block_solver_solve(&f.s, 1, x);
        CHECK_NEAR(x[0], 0.0, 0.0);
        CHECK_NEAR(x[1], 2.0, 0.0);
    }
    tear_down(&f);
}

TEST(cholesky_of_an_indefinite_matrix_says_so) {
    fixture f = set_up(23);
    crm_block_graph graph = random_block_graph(GRAPH_TREE, 10, 6, &f.random, &f.arena);
    crm_block_matrix matrix = random_definite_matrix(&graph, 10.0, &f.random, &f.arena);
    matrix.diagonal[matrix.node_block[4] + 7 * 2] = -5.0;
    block_solver_factor(&f.s, CRM_BLOCK_CHOLESKY, &matrix);
    CHECK_INT(f.s.report.negative, 1);
    CHECK_INT(f.s.report.left_out, 1);
    CHECK_INT(f.s.report.first_left_out, 6 * 4 + 2);
    CHECK(f.s.report.finite);
    block_solver_factor(&f.s, CRM_BLOCK_LDLT, &matrix);
    CHECK_INT(f.s.report.negative, 1);
    CHECK_INT(f.s.report.rank, 60);
    tear_down(&f);
}

// The second pivot is 1e-10, 1 + 1e-10 less 1. What cancels in it is 2, and it inherits the rounding of the first:
// three units of rounding in 1e-10. Inside a tile LU measures entries instead of adding up what cancels: two.
TEST(nearly_singular_pivot_shows_in_the_report) {
    fixture f = set_up(24);
    crm_block_graph graphs[] = {{1, (int[]){2}, 0, NULL}, {2, (int[]){1, 1}, 1, (crm_block_edge[]){{1, 0}}}};
    for (int g = 0; g < 2; g++) {
        crm_block_matrix matrix;
        assert_int_equal(crm_block_matrix_create(&graphs[g], true, &f.arena, &matrix, NULL), CAROM_OK);
        const double block[] = {1.0, 1.0, 1.0, 1.0 + 1e-10}, pieces[] = {1.0, 1.0 + 1e-10};
        memcpy(matrix.diagonal, g == 0 ? block : pieces, g == 0 ? sizeof block : sizeof pieces);
        if (g == 1) matrix.edges[0] = 1.0;
        for (crm_block_factor_kind kind = CRM_BLOCK_CHOLESKY; kind <= CRM_BLOCK_LU; kind++) {
            block_solver_factor_in_order(&f.s, kind, &matrix, (int[]){0, 1});
            CHECK_INT(f.s.report.rank, 2);
            double roundings = kind == CRM_BLOCK_LU && g == 0 ? 2.0 : 3.0;
            CHECK_NEAR(f.s.report.uncertainty / (roundings * 2.2e-16 / 1e-10), 1.0, 0.02);
        }
    }
    tear_down(&f);
}

TEST(nan_and_infinity_are_reported_and_do_no_harm) {
    fixture f = set_up(25);
    const double poisons[] = {NAN, INFINITY, -INFINITY};
    for (int trial = 0; trial < 60; trial++) {
        crm_arena_reset(&f.arena);
        crm_block_factor_kind kind = trial % 3;
        crm_block_graph graph = random_block_graph(GRAPH_SPARSE, 12, trial % 2 == 0 ? 6 : 0, &f.random, &f.arena);
        crm_block_matrix matrix = kind == CRM_BLOCK_LU ? random_unsymmetric_matrix(&graph, &f.random, &f.arena)
                                                       : random_definite_matrix(&graph, 10.0, &f.random, &f.arena);
        // An edge's block, or a diagonal entry (the upper triangle of a symmetric matrix's block is never read).
        double poison = poisons[trial / 3 % 3];
        if (trial % 4 < 2)
            matrix.edges[crm_random_below(&f.random, (uint64_t)matrix.edge_block[graph.edge_count])] = poison;
        else
            matrix.diagonal[matrix.node_block[crm_random_below(&f.random, 12)]] = poison;
        block_solver_factor(&f.s, kind, &matrix);
        CHECK(!f.s.report.finite);
        double *x = random_vector(matrix.scalar_count, &f.random, &f.arena);
        block_solver_solve(&f.s, 1, x);
    }
    tear_down(&f);
}

TEST(zero_matrix_has_rank_zero) {
    fixture f = set_up(26);
    crm_block_graph graph = random_block_graph(GRAPH_GRID, 9, 0, &f.random, &f.arena);
    crm_block_matrix matrix;
    assert_int_equal(crm_block_matrix_create(&graph, true, &f.arena, &matrix, NULL), CAROM_OK);
    for (crm_block_factor_kind kind = CRM_BLOCK_CHOLESKY; kind <= CRM_BLOCK_LU; kind++) {
        block_solver_factor(&f.s, kind, &matrix);
        CHECK_INT(f.s.report.rank, 0);
        CHECK_INT(f.s.report.left_out, matrix.scalar_count);
        CHECK(f.s.report.finite);
        double *x = random_vector(matrix.scalar_count, &f.random, &f.arena);
        block_solver_solve(&f.s, 1, x);
        CHECK_NEAR(largest_magnitude(matrix.scalar_count, x), 0.0, 0.0);
    }
    tear_down(&f);
}

TEST_MAIN(CASE(rank_of_floating_structures_is_found_and_forces_in_range_are_balanced),
          CASE(redundant_constraints_are_left_out_one_by_one), CASE(long_chain_of_joints_keeps_every_pivot),
          CASE(long_chain_of_joints_keeps_every_pivot_when_rows_are_exchanged),
          CASE(lu_leaves_out_redundant_constraints_inside_a_node), CASE(rank_of_welded_structures_is_found),
          CASE(rank_of_contact_operators_is_that_of_the_bodies), CASE(pivots_below_the_normal_numbers_are_left_out),
          CASE(cholesky_of_an_indefinite_matrix_says_so), CASE(nearly_singular_pivot_shows_in_the_report),
          CASE(nan_and_infinity_are_reported_and_do_no_harm), CASE(zero_matrix_has_rank_zero))
