// SPDX-License-Identifier: MIT
// L D L^T without pivoting (quasi-definite matrices) and with Bunch-Kaufman pivoting (any symmetric matrix).
#include "math/dense/dense_ldlt.h"

#include <float.h>
#include <string.h>

#include "math/dense/dense.h"
#include "support/algebra/lapack.h"
#include "support/algebra/matrices.h"
#include "support/harness/check.h"

enum { LARGEST = 200, LEADING = LARGEST + 2, COUNT = 3 };

static double a[LEADING * LARGEST], f[LEADING * LARGEST], work[2 * LARGEST];
static double b[LEADING * COUNT], x[LEADING * COUNT];
static int pivots[LARGEST];

static const int sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 24, 31, 60, 120};
enum { SIZE_COUNT = sizeof sizes / sizeof sizes[0] };

static crm_ldlt_report factor_plain(int n) {
    copy_matrix(n, n, a, LEADING, f, LEADING);
    return crm_ldlt_factor(n, f, LEADING);
}

static crm_ldlt_report factor_pivoted(int n) {
    copy_matrix(n, n, a, LEADING, f, LEADING);
    return crm_bunch_kaufman_factor(n, f, LEADING, pivots, work);
}

// Worst backward error over COUNT random right-hand sides.
static double solve_error(int n, bool pivoted, crm_random *seed) {
    fill_random(n, COUNT, b, LEADING, seed);
    copy_matrix(n, COUNT, b, LEADING, x, LEADING);
    if (pivoted)
        crm_bunch_kaufman_solve(n, f, LEADING, pivots, COUNT, x, LEADING);
    else
        crm_ldlt_solve(n, f, LEADING, COUNT, x, LEADING);
    double worst = 0.0;
    for (int c = 0; c < COUNT; c++) {
        double error = backward_error(n, a, LEADING, 0, x + c * LEADING, b + c * LEADING);
        if (!(error <= worst)) worst = error;
    }
    return worst;
}

// [M H; H^T -T] with M and T definite, in a random order of the unknowns. Returns the size of M.
static int fill_quasidefinite(int n, double least, crm_random *seed) {
    static double block[LARGEST * LARGEST];
    int positive = (n + 1) / 2, order[LARGEST];
    fill_random(n, n, a, LEADING, seed);
    fill_semidefinite(positive, positive, least, block, LARGEST, seed);
    for (int j = 0; j < positive; j++)
        for (int i = 0; i < positive; i++) a[i + j * LEADING] = block[i + j * LARGEST];
    fill_semidefinite(n - positive, n - positive, least, block, LARGEST, seed);
    for (int j = positive; j < n; j++)
        for (int i = positive; i < n; i++) a[i + j * LEADING] = -block[i - positive + (j - positive) * LARGEST];
    for (int j = 0; j < n; j++)
        for (int i = 0; i < j; i++) a[i + j * LEADING] = a[j + i * LEADING];
    for (int i = 0; i < n; i++) order[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int k = (int)crm_random_below(seed, (uint64_t)(i + 1)), kept = order[i];
        order[i] = order[k];
        order[k] = kept;
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) f[i + j * LEADING] = a[order[i] + order[j] * LEADING];
    copy_matrix(n, n, f, LEADING, a, LEADING);
    return positive;
}

TEST(ldlt_factors_quasidefinite_matrices_in_any_order) {
    crm_random seed = {.seed = 1};
    for (int s = 0; s < SIZE_COUNT; s++)
        for (int repeat = 0; repeat < 4; repeat++) {
            int n = sizes[s], positive = fill_quasidefinite(n, 1.0, &seed);
            crm_ldlt_report report = factor_plain(n);
            CHECK_INT(report.positive, positive);
            CHECK_INT(report.negative, n - positive);
            CHECK_INT(report.zero, 0);
            CHECK(report.finite && report.growth < 1e3);
            // |L D L^T - A| <= n eps |L||D||L^T|, whose largest entry is growth max|A|; the upper part holds D L^T.
            double worst = 0.0;
            for (int j = 0; j < n; j++)
                for (int i = j; i < n; i++) {
                    double sum = i == j ? f[i + i * LEADING] : f[i + j * LEADING] * f[j + j * LEADING];
                    for (int k = 0; k < j; k++) sum += f[i + k * LEADING] * f[k + j * LEADING];
                    worst = fmax(worst, fabs(sum - a[i + j * LEADING]));
                }
            CHECK_NEAR(worst / norm_max(n, n, a, LEADING), 0.0, n * DBL_EPSILON * report.growth);
            CHECK_NEAR(solve_error(n, false, &seed), 0.0, 10 * n * DBL_EPSILON * fmax(1.0, report.growth));
        }
}

// Zero blocks on the diagonal (joints without compliance): fine as long as the definite block comes first.
TEST(ldlt_factors_saddle_points_whose_definite_block_comes_first) {
    crm_random seed = {.seed = 2};
    int n = 18, m = 12;
    fill_symmetric(n, a, LEADING, &seed);
    for (int i = 0; i < m; i++) a[i + i * LEADING] += 2.0 * m;
    for (int j = m; j < n; j++)
        for (int i = m; i < n; i++) a[i + j * LEADING] = 0.0;
    crm_ldlt_report report = factor_plain(n);
    CHECK_INT(report.positive, m);
    CHECK_INT(report.negative, n - m);
    CHECK_NEAR(solve_error(n, false, &seed), 0.0, 10 * n * DBL_EPSILON);

    // A constraint that depends on two others is one zero pivot, found among the cancelled digits.
    for (int i = 0; i < n; i++)
        a[n - 1 + i * LEADING] = a[i + (n - 1) * LEADING] = a[i + m * LEADING] / 3 - 1.1 * a[i + (m + 1) * LEADING];
    report = factor_plain(n);
    CHECK_INT(report.zero, 1);
    CHECK_INT(report.first_dropped, n - 1);
    CHECK_INT(report.negative, n - m - 1);
}

TEST(ldlt_reports_growth_where_pivoting_was_needed) {
    a[0] = 1e-12, a[1] = a[LEADING] = 1.0, a[LEADING + 1] = 1.0;
    crm_ldlt_report report = factor_plain(2);
    CHECK_NEAR(report.growth, 1e12, 1e1);
    report = factor_pivoted(2);
    CHECK(report.growth < 3.0);
}

TEST(bunch_kaufman_solves_random_symmetric_systems) {
    crm_random seed = {.seed = 3};
    for (int s = 0; s < SIZE_COUNT; s++)
        for (int repeat = 0; repeat < 4; repeat++) {
            int n = sizes[s];
            fill_symmetric(n, a, LEADING, &seed);
            if (repeat % 2 == 1) // no diagonal at all: only 2x2 pivots can start
                for (int i = 0; i < n; i++) a[i + i * LEADING] = 0.0;
            crm_ldlt_report report = factor_pivoted(n);
            int zero = n == 1 && repeat % 2 == 1;
            CHECK_INT(report.positive + report.negative, n - zero);
            CHECK_INT(report.zero, zero);
            CHECK(report.finite);
            if (!zero) CHECK_NEAR(solve_error(n, true, &seed), 0.0, 10 * n * DBL_EPSILON);
        }
}

TEST(bunch_kaufman_agrees_with_lapack) {
    crm_random seed = {.seed = 4};
    for (int s = 0; s < SIZE_COUNT; s++) {
        int n = sizes[s], leading = LEADING, info, length = 64 * LARGEST, ipiv[LARGEST];
        if (n > 31) continue; // LAPACK's blocked code may choose other pivots
        static double reference[LEADING * LARGEST], space[64 * LARGEST];
        fill_symmetric(n, a, LEADING, &seed);
        for (int i = 0; i < n; i += 2) a[i + i * LEADING] *= 1e-3;
        factor_pivoted(n);
        copy_matrix(n, n, a, LEADING, reference, LEADING);
        dsytrf_("L", &n, reference, &leading, ipiv, space, &length, &info);
        CHECK_INT(info, 0);
        for (int k = 0; k < n; k++) CHECK_INT(pivots[k] >= 0 ? pivots[k] + 1 : pivots[k], ipiv[k]);
        for (int j = 0; j < n; j++)
            CHECK_NEAR(largest_difference(n - j, 1, f + j + j * LEADING, LEADING, reference + j + j * LEADING, LEADING),
                       0.0, 1e-11); // both lose what the factors' own conditioning costs
    }
}

// Sylvester: D has as many eigenvalues of each sign as A. LAPACK's eigenvalues are the reference.
TEST(bunch_kaufman_counts_the_inertia) {
    crm_random seed = {.seed = 5};
    for (int n = 2; n <= 60; n += 7) {
        int leading = LEADING, info, length = 64 * LARGEST, positive = 0;
        static double values[LARGEST], space[64 * LARGEST];
        fill_symmetric(n, a, LEADING, &seed);
        crm_ldlt_report report = factor_pivoted(n);
        copy_matrix(n, n, a, LEADING, f, LEADING);
        dsyev_("N", "L", &n, f, &leading, values, space, &length, &info);
        for (int i = 0; i < n; i++) positive += values[i] > 0.0;
        CHECK_INT(report.positive, positive);
        CHECK_INT(report.negative, n - positive);
    }
}

// A = sum of k dyads with signs, rank k: the rest of the pivots are round-off and consistent systems are still solved.
TEST(bunch_kaufman_finds_the_rank) {
    crm_random seed = {.seed = 6};
    for (int n = 4; n <= 60; n += 8)
        for (int rank = 1; rank < n; rank += 1 + n / 6) {
            for (int j = 0; j < n; j++)
                for (int i = 0; i < n; i++) a[i + j * LEADING] = 0.0;
            for (int k = 0; k < rank; k++) {
                double v[LARGEST];
                fill_random(n, 1, v, n, &seed);
                for (int j = 0; j < n; j++)
                    for (int i = 0; i < n; i++) a[i + j * LEADING] += (k % 2 ? -1.0 : 1.0) * v[i] * v[j];
            }
            crm_ldlt_report report = factor_pivoted(n);
            CHECK_INT(report.positive + report.negative, rank);
            CHECK_INT(report.positive, (rank + 1) / 2);
            static double wanted[LARGEST];
            fill_random(n, 1, wanted, n, &seed);
            crm_dense_multiply_vector(n, n, a, LEADING, wanted, b);
            memcpy(x, b, sizeof(double) * (size_t)n);
            crm_bunch_kaufman_solve(n, f, LEADING, pivots, 1, x, LEADING);
            // Round-off in the dropped part is magnified by the kept one's condition number.
            CHECK_NEAR(backward_error(n, a, LEADING, 0, x, b), 0.0, 1e-11);
        }
    memset(a, 0, sizeof a);
    crm_ldlt_report report = factor_pivoted(5);
    CHECK_INT(report.zero, 5);
    CHECK_INT(report.first_dropped, 0);
}

// The estimate of rounding errors must not outgrow the errors: nothing in a large random matrix is round-off.
TEST(bunch_kaufman_keeps_the_rank_of_large_matrices) {
    crm_random seed = {.seed = 11};
    for (int repeat = 0; repeat < 8; repeat++) {
        fill_symmetric(LARGEST, a, LEADING, &seed);
        crm_ldlt_report report = factor_pivoted(LARGEST);
        CHECK_INT(report.zero, 0);
        CHECK(report.growth < 1e4);
        CHECK_NEAR(solve_error(LARGEST, true, &seed), 0.0, 10 * LARGEST * DBL_EPSILON);
    }
}

// Powers of two commute with rounding, so that 2^k A gives the same L and pivots, and the answer scaled.
TEST(ldlt_both_scale_exactly) {
    crm_random seed = {.seed = 7};
    int n = 24;
    for (int pivoted = 0; pivoted < 2; pivoted++)
        for (int exponent = -900; exponent <= 900; exponent += 1800) {
            static double plain[LARGEST];
            fill_quasidefinite(n, 1.0, &seed);
            for (int i = 0; pivoted && i < n; i++) a[i + i * LEADING] = 0.0; // so that there are 2x2 pivots
            pivoted ? factor_pivoted(n) : factor_plain(n);
            solve_error(n, pivoted, &seed);
            memcpy(plain, x, sizeof plain);
            for (int j = 0; j < n; j++)
                for (int i = 0; i < n; i++) a[i + j * LEADING] = ldexp(a[i + j * LEADING], exponent);
            crm_ldlt_report report = pivoted ? factor_pivoted(n) : factor_plain(n);
            CHECK_INT(report.zero, 0);
            memcpy(x, b, sizeof x);
            if (pivoted)
                crm_bunch_kaufman_solve(n, f, LEADING, pivots, 1, x, LEADING);
            else
                crm_ldlt_solve(n, f, LEADING, 1, x, LEADING);
            for (int i = 0; i < n; i++) CHECK_NEAR(ldexp(x[i], exponent), plain[i], 0.0);
        }
}

// Symmetric grading over hundreds of decades: no unknown may be taken for round-off.
TEST(ldlt_keeps_graded_matrices) {
    crm_random seed = {.seed = 8};
    int n = 24;
    for (int down = 0; down < 2; down++) {
        int positive = fill_quasidefinite(n, 4.0, &seed);
        grade(n, n, a, LEADING, down ? 1e-6 : 1e6, down ? 1e-6 : 1e6);
        crm_ldlt_report report = factor_plain(n);
        CHECK_INT(report.zero, 0);
        CHECK_INT(report.positive, positive);
        report = factor_pivoted(n);
        CHECK_INT(report.zero, 0);
        CHECK_INT(report.positive, positive);
    }
}

TEST(bunch_kaufman_estimates_the_condition) {
    crm_random seed = {.seed = 9};
    for (int n = 1; n <= 60; n += 4) {
        // The exact 1-norm of the inverse, column by column from LAPACK's LU, is the reference.
        static double inverse[LEADING * LARGEST];
        int leading = LEADING, info, ipiv[LARGEST];
        fill_quasidefinite(n, 0.01, &seed);
        copy_matrix(n, n, a, LEADING, f, LEADING);
        dgetrf_(&n, &n, f, &leading, ipiv, &info);
        memset(inverse, 0, sizeof inverse);
        for (int i = 0; i < n; i++) inverse[i + i * LEADING] = 1.0;
        dgetrs_("N", &n, &n, f, &leading, ipiv, inverse, &leading, &info);
        double norm = norm1(n, n, a, LEADING);
        double exact = 1.0 / (norm * norm1(n, n, inverse, LEADING));
        factor_pivoted(n);
        double pivoted = crm_bunch_kaufman_condition(n, f, LEADING, pivots, norm, work);
        CHECK(pivoted >= 0.999 * exact && pivoted <= 3.0 * exact);
    }
}

// A^-1 = I + t u u^T with u = e_1 - e_2 looks like I to every vector that the ascent tries (they are all orthogonal to
// u); only the extra vector sees it. |A^-1| = 1 + 2 t.
TEST(condition_estimate_is_not_deceived) {
    int n = 4;
    double t = 1e6;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) a[i + j * LEADING] = i == j;
    a[0] = 0.5; // the steepest direction is e_0, whatever the rounding
    double c = t / (1 + 2 * t);
    a[1 + LEADING] -= c, a[2 + 2 * LEADING] -= c, a[2 + LEADING] += c, a[1 + 2 * LEADING] += c;
    double norm = norm1(n, n, a, LEADING);
    factor_pivoted(n);
    double ratio = 1.0 / (crm_bunch_kaufman_condition(n, f, LEADING, pivots, norm, work) * norm * (1 + 2 * t));
    CHECK(ratio > 0.33 && ratio < 1.01);
}

TEST(ldlt_reports_what_is_not_finite) {
    crm_random seed = {.seed = 10};
    int n = 6;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int kind = 0; kind < 2; kind++) {
                fill_quasidefinite(n, 1.0, &seed);
                a[i + j * LEADING] = kind == 0 ? NAN : INFINITY;
                CHECK(!factor_plain(n).finite);
                CHECK(!factor_pivoted(n).finite);
            }
    // Nothing but NaN, in arrays of exactly the promised size: no pivot search may leave them.
    double tight[25], tight_work[10];
    int tight_pivots[5];
    for (int i = 0; i < 25; i++) tight[i] = NAN;
    CHECK(!crm_bunch_kaufman_factor(5, tight, 5, tight_pivots, tight_work).finite);
    for (int i = 0; i < 25; i++) tight[i] = NAN;
    CHECK(!crm_ldlt_factor(5, tight, 5).finite);
    CHECK(crm_ldlt_factor(0, f, 1).finite);
    CHECK(crm_bunch_kaufman_factor(0, f, 1, pivots, work).finite);
}

TEST_MAIN(CASE(ldlt_factors_quasidefinite_matrices_in_any_order),
          CASE(ldlt_factors_saddle_points_whose_definite_block_comes_first),
          CASE(ldlt_reports_growth_where_pivoting_was_needed), CASE(bunch_kaufman_solves_random_symmetric_systems),
          CASE(bunch_kaufman_agrees_with_lapack), CASE(bunch_kaufman_counts_the_inertia),
          CASE(bunch_kaufman_finds_the_rank), CASE(bunch_kaufman_keeps_the_rank_of_large_matrices),
          CASE(ldlt_both_scale_exactly), CASE(ldlt_keeps_graded_matrices), CASE(bunch_kaufman_estimates_the_condition),
          CASE(condition_estimate_is_not_deceived), CASE(ldlt_reports_what_is_not_finite))
