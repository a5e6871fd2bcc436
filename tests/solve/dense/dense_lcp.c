// SPDX-License-Identifier: MIT
// Dense complementarity problems: textbook families, proofs that there is no solution, units, hostile input.
#include "solve/dense/dense_lcp_check.h"

#include <math.h>
#include <stdlib.h>

#include "solve/dense/dense_lcp.h"
#include "support/harness/probe_allocator.h"
#include "support/harness/sample.h"

enum { MOST = 64 };

static const carom_solver all_solvers[] = {CAROM_SOLVER_AUTO, CAROM_SOLVER_LEMKE, CAROM_SOLVER_MIN_MAP};

TEST(two_unknowns_by_hand) {
    const double a[] = {2.0, 1.0, 1.0, 2.0}, q[] = {-5.0, -6.0};
    carom_dense_lcp lcp = {2, a, q};
    for (int k = 0; k < 3; k++) {
        double z[2];
        check_solved(&lcp, all_solvers[k], 1e-14, z, "by hand");
        CHECK_NEAR(z[0], 4.0 / 3.0, 1e-15);
        CHECK_NEAR(z[1], 7.0 / 3.0, 1e-15);
    }
}

TEST(nothing_to_push_and_nothing_at_all) {
    const double a[] = {-1.0, 0.0, 0.0, -1.0}, q[] = {0.0, 3.0};
    for (int k = 0; k < 3; k++) {
        double z[2] = {7.0, 7.0}, proof[2] = {7.0, 7.0};
        carom_dense_lcp_report report = solved_by(&(carom_dense_lcp){2, a, q}, all_solvers[k], 1e-10, z, proof);
        CHECK_INT(report.outcome, CAROM_DENSE_LCP_SOLVED);
        CHECK(z[0] == 0.0 && z[1] == 0.0 && report.residual == 0.0 && proof[0] == 0.0 && proof[1] == 0.0);
        CHECK_INT(report.pivots + report.steps + report.cases, 0);
        report = solved_by(&(carom_dense_lcp){0, NULL, NULL}, all_solvers[k], 1e-10, z, NULL);
        CHECK_INT(report.outcome, CAROM_DENSE_LCP_SOLVED);
    }
}

// ---- exponential families: z = (0, ..., 0, 1) for both

// Murty (1978): 1 on the diagonal, 2 above, q = -1.
static carom_dense_lcp murty(int n, double *a, double *q) {
    for (int i = 0; i < n; i++) {
        q[i] = -1.0;
        for (int j = 0; j < n; j++) a[i * n + j] = i == j ? 1.0 : (j > i ? 2.0 : 0.0);
    }
    return (carom_dense_lcp){n, a, q};
}

// Fathi (1979): L L^T of the transposed pattern, symmetric positive definite, with a condition that grows like n^4.
static carom_dense_lcp fathi(int n, double *a, double *q) {
    for (int i = 0; i < n; i++) {
        q[i] = -1.0;
        for (int j = 0; j < n; j++) {
            int first = i < j ? i : j;
            a[i * n + j] = 4.0 * first + (i == j ? 1.0 : 2.0);
        }
    }
    return (carom_dense_lcp){n, a, q};
}

TEST(exponential_families_are_solved) {
    double a[MOST * MOST], q[MOST], z[MOST];
    for (int n = 2; n <= 16; n++) {
        carom_dense_lcp lcp = murty(n, a, q);
        check_solved(&lcp, CAROM_SOLVER_AUTO, 1e-12, z, "Murty's");
        CHECK_NEAR(z[n - 1], 1.0, 1e-12);
        carom_dense_lcp_report report = solved_by(&lcp, CAROM_SOLVER_LEMKE, 1e-12, z, NULL);
        CHECK_INT(report.outcome, CAROM_DENSE_LCP_SOLVED);
        CHECK_NEAR(z[n - 1], 1.0, 1e-12);
        int pivots = report.pivots;
        lcp = fathi(n, a, q);
        check_solved(&lcp, CAROM_SOLVER_AUTO, 1e-12, z, "Fathi's");
        CHECK_NEAR(z[0], 1.0, 1e-12);
        report = solved_by(&lcp, CAROM_SOLVER_LEMKE, 1e-12, z, NULL);
        CHECK_INT(report.outcome, CAROM_DENSE_LCP_SOLVED);
        CHECK_NEAR(z[0], 1.0, 1e-12);
        printf("n = %2d: Lemke's method takes %5d pivots on Murty's problem and %5d on Fathi's\n", n, pivots,
               report.pivots);
    }
}

// With q_i = -(2^n - 2^i) on Murty's matrix the covering vector of ones takes all 2^n bases; where that is too long,
// another one does not.
TEST(a_path_through_all_bases_is_walked_or_left) {
    double a[MOST * MOST], q[MOST], z[MOST];
    for (int n = 2; n <= 24; n += n < 12 ? 1 : 12) {
        carom_dense_lcp lcp = murty(n, a, q);
        for (int i = 0; i < n; i++) q[i] = -(exp2(n) - exp2(i));
        carom_dense_lcp_report report = solved_by(&lcp, CAROM_SOLVER_LEMKE, 1e-12, z, NULL);
        CHECK_INT(report.outcome, CAROM_DENSE_LCP_SOLVED);
        CHECK(lcp_residual(&lcp, z) <= 1e-12);
        if (n <= 12) CHECK_INT(report.pivots, 1 << n);
        printf("n = %2d: %d pivots\n", n, report.pivots);
    }
}

// ---- random families

// B B^T + shift from small integers, so that ties are exact.
static void integer_semidefinite(sampler *s, int n, int rank, double shift, double *a) {
    double b[MOST * MOST];
    for (int k = 0; k < n * rank; k++) b[k] = (double)crm_random_below(s, 7) - 3.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = i == j ? shift : 0.0;
            for (int k = 0; k < rank; k++) sum += b[i * rank + k] * b[j * rank + k];
            a[i * n + j] = sum;
        }
}

// q such that a chosen z solves the problem, with z_i = w_i = 0 for a third of the i.
static void choose_solution(sampler *s, int n, const double *a, double *q) {
    double z[MOST];
    for (int i = 0; i < n; i++) z[i] = crm_random_below(s, 3) == 0 ? 1.0 + (double)crm_random_below(s, 4) : 0.0;
    for (int i = 0; i < n; i++) {
        q[i] = z[i] == 0.0 && crm_random_below(s, 2) == 0 ? 1.0 + (double)crm_random_below(s, 5) : 0.0;
        for (int j = 0; j < n; j++) q[i] -= a[i * n + j] * z[j];
    }
}

TEST(degenerate_problems_are_solved) {
    sampler s = {.seed = 62};
    for (int k = 0; k < 200; k++) {
        int n = 2 + (int)crm_random_below(&s, 39), rank = 1 + (int)crm_random_below(&s, (unsigned)n);
        double a[MOST * MOST], q[MOST], z[MOST];
        integer_semidefinite(&s, n, rank, k % 2, a);
        choose_solution(&s, n, a, q);
        carom_dense_lcp lcp = {n, a, q};
        if (!check_solved(&lcp, CAROM_SOLVER_LEMKE, 1e-11, z, "degenerate")) break;
        if (!check_solved(&lcp, CAROM_SOLVER_AUTO, 1e-11, z, "degenerate")) break;
    }
}

// The verdicts agree with the enumeration of all active sets.
TEST(verdicts_agree_with_enumeration) {
    sampler s = {.seed = 63};
    int solvable = 0, not_solvable = 0, infeasible = 0;
    for (int k = 0; k < 1500; k++) {
        int n = 1 + (int)crm_random_below(&s, 5);
        double a[25], q[5], z[5], proof[5];
        for (int i = 0; i < n * n; i++) a[i] = (double)crm_random_below(&s, 7) - 3.0;
        for (int i = 0; i < n; i++) q[i] = (double)crm_random_below(&s, 9) - 5.0;
        carom_dense_lcp lcp = {n, a, q};
        enumerated truth = enumerate(&lcp);
        carom_dense_lcp_report report = solved_by(&lcp, CAROM_SOLVER_AUTO, 1e-11, z, proof);
        bool solved = report.outcome == CAROM_DENSE_LCP_SOLVED;
        if (solved && !CHECK(lcp_residual(&lcp, z) <= 1e-11)) break;
        if (truth == HAS_SOLUTION && !CHECK_INT(report.outcome, CAROM_DENSE_LCP_SOLVED)) break;
        if (truth == NO_SOLUTION && !CHECK(!solved)) break;
        if (!CHECK(report.outcome != CAROM_DENSE_LCP_GAVE_UP && report.outcome != CAROM_DENSE_LCP_RAY)) break;
        if (report.outcome == CAROM_DENSE_LCP_INFEASIBLE && !CHECK(proves_infeasible(&lcp, proof))) break;
        solvable += truth == HAS_SOLUTION;
        not_solvable += truth == NO_SOLUTION;
        infeasible += report.outcome == CAROM_DENSE_LCP_INFEASIBLE;
    }
    CHECK(solvable > 100 && not_solvable > 100 && infeasible > 50);
}

// A column is lowered until it is not positive along a chosen y, and q.y is made negative.
static void make_infeasible(sampler *s, int n, double *a, double *q) {
    double y[MOST], product = 0.0, square = 0.0;
    for (int i = 0; i < n; i++) {
        y[i] = crm_random_below(s, 2) == 0 ? 0.0 : sample_between(s, 0.1, 1.0);
        if (i == 0) y[i] = 1.0;
        q[i] = sample_between(s, -1.0, 1.0);
        product += q[i] * y[i];
        square += y[i] * y[i];
    }
    for (int i = 0; i < n; i++) q[i] -= y[i] * (product + 0.1) / square;
    for (int k = 0; k < n * n; k++) a[k] = sample_between(s, -1.0, 1.0);
    for (int j = 0; j < n; j++) {
        double along = 0.0;
        for (int i = 0; i < n; i++) along += a[i * n + j] * y[i];
        double excess = fmax(along, 0.0) + (j % 3 == 0 ? 0.0 : 0.05);
        for (int i = 0; i < n; i++) a[i * n + j] -= y[i] * excess / square;
    }
}

TEST(infeasible_problems_are_named_with_a_proof) {
    sampler s = {.seed = 64};
    for (int k = 0; k < 100; k++) {
        int n = 1 + (int)crm_random_below(&s, 40);
        double a[MOST * MOST], q[MOST], z[MOST], proof[MOST];
        make_infeasible(&s, n, a, q);
        for (int j = 0; j < n; j++) a[j] -= 1e-9; // clear of rounding: y_0 is 1
        carom_dense_lcp lcp = {n, a, q};
        for (int solver = 0; solver < 2; solver++) {
            carom_dense_lcp_report report = solved_by(&lcp, all_solvers[solver], 1e-10, z, proof);
            CHECK_INT(report.solver, CAROM_SOLVER_LEMKE);
            if (!CHECK_INT(report.outcome, CAROM_DENSE_LCP_INFEASIBLE) || !CHECK(proves_infeasible(&lcp, proof)))
                return;
        }
        CHECK_INT(solved_by(&lcp, CAROM_SOLVER_MIN_MAP, 1e-10, z, proof).outcome, CAROM_DENSE_LCP_GAVE_UP);
    }
}

// z_1 >= 0 has w_1 = 1 > 0, so z_1 = 0; but then w_2 = -1.
TEST(feasible_without_a_solution_is_proved_case_by_case) {
    const double a[] = {0.0, 0.0, 1.0, 0.0}, q[] = {1.0, -1.0};
    double z[2], proof[2];
    carom_dense_lcp lcp = {2, a, q};
    carom_dense_lcp_report report = solved_by(&lcp, CAROM_SOLVER_AUTO, 1e-10, z, proof);
    CHECK_INT(report.outcome, CAROM_DENSE_LCP_UNSOLVABLE);
    CHECK_INT(report.solver, CAROM_SOLVER_AUTO);
    CHECK(proof[0] == 0.0 && proof[1] == 0.0);
    CHECK_INT(solved_by(&lcp, CAROM_SOLVER_LEMKE, 1e-10, z, proof).outcome, CAROM_DENSE_LCP_RAY);
}

// Units of the unknowns and of the rows change nothing but the numbers: powers of two not even those.
TEST(units_do_not_matter) {
    sampler s = {.seed = 65};
    for (int k = 0; k < 60; k++) {
        int n = 1 + (int)crm_random_below(&s, 20);
        double a[MOST * MOST], b[MOST * MOST], q[MOST], p[MOST], z[MOST], y[MOST], column[MOST];
        integer_semidefinite(&s, n, n, 1.0, a);
        choose_solution(&s, n, a, q);
        double size = exp2((double)crm_random_below(&s, 81) - 40.0);
        for (int j = 0; j < n; j++) column[j] = exp2((double)crm_random_below(&s, 41) - 20.0);
        for (int i = 0; i < n; i++) {
            double row = exp2((double)crm_random_below(&s, 41) - 20.0);
            p[i] = size * row * q[i];
            for (int j = 0; j < n; j++) b[i * n + j] = row * a[i * n + j] * column[j];
        }
        for (int solver = 0; solver < 3; solver++) {
            carom_dense_lcp_report one = solved_by(&(carom_dense_lcp){n, a, q}, all_solvers[solver], 1e-12, z, NULL);
            carom_dense_lcp_report other = solved_by(&(carom_dense_lcp){n, b, p}, all_solvers[solver], 1e-12, y, NULL);
            if (!CHECK_INT(one.outcome, CAROM_DENSE_LCP_SOLVED) || !CHECK_INT(other.outcome, CAROM_DENSE_LCP_SOLVED))
                return;
            for (int j = 0; j < n; j++)
                if (!CHECK_NEAR(column[j] * y[j] / size, z[j], 1e-10)) return;
        }
    }
}

// Hundreds of unknowns: a well-conditioned one and a string, each with a known solution.
TEST(hundreds_of_unknowns) {
    enum { N = 300 };
    sampler s = {.seed = 66};
    double *a = calloc((size_t)N * N, sizeof *a), *q = calloc(N, sizeof *q), *z = calloc(N, sizeof *z);
    for (int i = 0; i < N; i++) {
        q[i] = sample_between(&s, -1.0, 1.0);
        for (int j = 0; j < N; j++) a[i * N + j] = (i == j ? 3.0 : 0.0) + sample_between(&s, -0.1, 0.1);
    }
    carom_dense_lcp lcp = {N, a, q};
    check_solved(&lcp, CAROM_SOLVER_LEMKE, 1e-12, z, "diagonally dominant");
    check_solved(&lcp, CAROM_SOLVER_AUTO, 1e-12, z, "diagonally dominant");
    for (int i = 0; i < N; i++) {
        q[i] = -1.0 / (N * N);
        for (int j = 0; j < N; j++) a[i * N + j] = i == j ? 2.0 : (abs(i - j) == 1 ? -1.0 : 0.0);
    }
    // -u'' = 1 on a string of N + 1 pieces: z_i = i (N + 1 - i) / 2 / N^2
    for (int k = 0; k < 2; k++) {
        check_solved(&lcp, all_solvers[k], 1e-12, z, "string");
        for (int i = 0; i < N; i++)
            if (!CHECK_NEAR(z[i], (i + 1.0) * (N - i) / 2.0 / (N * N), 1e-11)) break;
    }
    free(a);
    free(q);
    free(z);
}

// ---- hostile input

TEST(bad_input_is_refused_with_a_sentence) {
    const double a[] = {1.0, 0.0, 0.0, 1.0}, q[] = {-1.0, -1.0};
    const double bad_a[] = {1.0, 0.0, (double)NAN, 1.0}, bad_q[] = {-1.0, (double)INFINITY};
    double z[2];
    carom_dense_lcp good = {2, a, q};
    carom_dense_lcp_report report;
    carom_error error;
    const struct {
        const carom_dense_lcp *lcp;
        carom_solver solver;
        double tolerance;
        double *z;
        carom_status status;
        const char *words;
    } cases[] = {
        {NULL, CAROM_SOLVER_AUTO, 1e-8, z, CAROM_ERR_BAD_INPUT, "needs a problem"},
        {&good, CAROM_SOLVER_AUTO, 1e-8, NULL, CAROM_ERR_BAD_INPUT, "needs a problem"},
        {&(carom_dense_lcp){-1, a, q}, CAROM_SOLVER_AUTO, 1e-8, z, CAROM_ERR_BAD_INPUT, "size is -1"},
        {&(carom_dense_lcp){2, NULL, q}, CAROM_SOLVER_AUTO, 1e-8, z, CAROM_ERR_BAD_INPUT, "no matrix"},
        {&(carom_dense_lcp){2, a, NULL}, CAROM_SOLVER_AUTO, 1e-8, z, CAROM_ERR_BAD_INPUT, "no offset"},
        {&(carom_dense_lcp){1 << 30, a, q}, CAROM_SOLVER_AUTO, 1e-8, z, CAROM_ERR_TOO_LARGE, "too many"},
        {&good, CAROM_SOLVER_INTERIOR, 1e-8, z, CAROM_ERR_UNSUPPORTED, "auto, lemke and min-map"},
        {&good, (carom_solver)99, 1e-8, z, CAROM_ERR_UNSUPPORTED, "auto, lemke and min-map"},
        {&good, CAROM_SOLVER_AUTO, 0.0, z, CAROM_ERR_BAD_INPUT, "tolerance"},
        {&good, CAROM_SOLVER_AUTO, (double)NAN, z, CAROM_ERR_BAD_INPUT, "tolerance"},
        {&(carom_dense_lcp){2, bad_a, q}, CAROM_SOLVER_LEMKE, 1e-8, z, CAROM_ERR_BAD_INPUT, "row 1"},
        {&(carom_dense_lcp){2, a, bad_q}, CAROM_SOLVER_MIN_MAP, 1e-8, z, CAROM_ERR_BAD_INPUT, "entry 1"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        error = (carom_error){0};
        CHECK_INT(carom_dense_lcp_solve(cases[k].lcp, cases[k].solver, cases[k].tolerance, NULL, cases[k].z, NULL,
                                        &report, &error),
                  cases[k].status);
        CHECK_CONTAINS(error.text, cases[k].words);
    }
    CHECK_TEXT(carom_dense_lcp_outcome_name((carom_dense_lcp_outcome)99), "?");
}

// Anything finite ends, with numbers that are finite or a verdict that says so.
TEST(any_finite_numbers_end) {
    sampler s = {.seed = 67};
    static const double odd[] = {0.0, -0.0, 1e-308, -1e-308, 5e-324, 1e308, -1e308, 1e150, -1e-150, 1.0, -1.0};
    for (int k = 0; k < 400; k++) {
        int n = 1 + (int)crm_random_below(&s, 6);
        double a[36], q[6], z[6], proof[6];
        for (int i = 0; i < n * n; i++) a[i] = odd[crm_random_below(&s, 11)];
        for (int i = 0; i < n; i++) q[i] = odd[crm_random_below(&s, 11)];
        carom_dense_lcp lcp = {n, a, q};
        for (int solver = 0; solver < 3; solver++) {
            carom_dense_lcp_report report = solved_by(&lcp, all_solvers[solver], 1e-10, z, proof);
            if (report.outcome == CAROM_DENSE_LCP_SOLVED && !CHECK(isfinite(report.residual))) return;
            if (!CHECK(report.relative >= 0.0)) return;
        }
    }
}

// ---- from a guess

// a = g g^T + shift on the diagonal, g of n x rank random numbers.
static void make_definite(sampler *s, int n, int rank, double shift, double *a) {
    double g[MOST * MOST];
    for (int i = 0; i < n * rank; i++) g[i] = sample_between(s, -1.0, 1.0);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = i == j ? shift : 0.0;
            for (int k = 0; k < rank; k++) sum += g[i + n * k] * g[j + n * k];
            a[i * n + j] = sum;
        }
}

// The conditions themselves, to what roundings of some twenty terms can do.
static void check_conditions(const carom_dense_lcp *lcp, const double *z) {
    for (int i = 0; i < lcp->size; i++) {
        double w = lcp->offset[i], size = fabs(lcp->offset[i]);
        for (int j = 0; j < lcp->size; j++) {
            double term = lcp->matrix[i * lcp->size + j] * z[j];
            w += term;
            size += fabs(term);
        }
        CHECK(z[i] >= 0.0);
        CHECK(w >= -1e-13 * size);
        CHECK(z[i] == 0.0 || w <= 1e-13 * size);
    }
}

static void check_guessed(double shift, int rank_share, double unit) {
    sampler s = {.seed = 5};
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    for (int k = 0; k < 500; k++) {
        int n = 1 + k % 24;
        double a[MOST * MOST], q[MOST], z[MOST];
        make_definite(&s, n, 1 + (n - 1) / rank_share, shift, a);
        for (int i = 0; i < n; i++) {
            q[i] = unit * sample_between(&s, -1.0, 1.0);
            z[i] = sample_between(&s, -1.0, 1.0); // a guess that knows nothing
        }
        const carom_dense_lcp lcp = {n, a, q};
        bool solved;
        CHECK_INT(crm_dense_lcp_solve_near(&lcp, 1e-12, (carom_interrupt){NULL, NULL}, &arena, z, &solved, NULL),
                  CAROM_OK);
        CHECK(solved);
        check_conditions(&lcp, z);
    }
    crm_arena_free(&arena);
}

TEST(definite_problems_are_solved_from_any_guess) {
    check_guessed(0.1, 1, 1.0);
    check_guessed(0.1, 3, 1e-6);
}

TEST(nearly_singular_problems_are_solved_from_any_guess) {
    check_guessed(1e-6, 3, 1.0);
}

TEST(a_guess_is_dropped_where_nothing_is_pushed_and_numbers_that_are_none_are_not_solved) {
    const double a[4] = {2.0, 1.0, 1.0, 2.0}, q[2] = {1.0, 0.0}, none[1] = {NAN}, need[1] = {-1.0};
    double z[2] = {1.0, 1.0};
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    bool solved;
    CHECK_INT(crm_dense_lcp_solve_near(&(carom_dense_lcp){2, a, q}, 1e-12, (carom_interrupt){NULL, NULL}, &arena, z,
                                       &solved, NULL),
              CAROM_OK);
    CHECK(solved && z[0] == 0.0 && z[1] == 0.0);
    CHECK_INT(crm_dense_lcp_solve_near(&(carom_dense_lcp){1, none, need}, 1e-12, (carom_interrupt){NULL, NULL}, &arena,
                                       z, &solved, NULL),
              CAROM_OK);
    CHECK(!solved);
    crm_arena_free(&arena);
}

TEST(a_lack_of_memory_is_reported_and_nothing_leaks) {
    const double a[] = {3.0, 2.0, 2.0, 1.0, -1.0, 2.0, 3.0, -3.0, -1.0}, q[] = {2.0, -2.0, -1.0};
    carom_dense_lcp lcp = {3, a, q};
    for (int k = 0; k < 3; k++) {
        carom_status status = CAROM_ERR_NO_MEMORY;
        for (long long refused = 1; status != CAROM_OK && refused < 100; refused++) {
            probe_allocator probe = {.refused_call = refused};
            carom_allocator hook = probe_allocator_hook(&probe);
            double z[3];
            carom_dense_lcp_report report;
            carom_error error;
            status = carom_dense_lcp_solve(&lcp, all_solvers[k], 1e-10, &hook, z, NULL, &report, &error);
            CHECK(status == CAROM_OK || status == CAROM_ERR_NO_MEMORY);
            CHECK_INT(probe.live_blocks, 0);
        }
        CHECK_INT(status, CAROM_OK);
    }
}

TEST_MAIN(CASE(two_unknowns_by_hand), CASE(nothing_to_push_and_nothing_at_all), CASE(exponential_families_are_solved),
          CASE(a_path_through_all_bases_is_walked_or_left), CASE(degenerate_problems_are_solved),
          CASE(verdicts_agree_with_enumeration), CASE(infeasible_problems_are_named_with_a_proof),
          CASE(feasible_without_a_solution_is_proved_case_by_case), CASE(units_do_not_matter),
          LONG_CASE(hundreds_of_unknowns), CASE(bad_input_is_refused_with_a_sentence), CASE(any_finite_numbers_end),
          CASE(definite_problems_are_solved_from_any_guess), CASE(nearly_singular_problems_are_solved_from_any_guess),
          CASE(a_guess_is_dropped_where_nothing_is_pushed_and_numbers_that_are_none_are_not_solved),
          CASE(a_lack_of_memory_is_reported_and_nothing_leaks))
