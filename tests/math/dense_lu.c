// SPDX-License-Identifier: MIT
// LU with partial pivoting.
#include "math/dense/dense_lu.h"

#include <float.h>
#include <string.h>

#include "math/dense/dense.h"
#include "support/algebra/lapack.h"
#include "support/algebra/matrices.h"
#include "support/harness/check.h"

enum { LARGEST = 200, LEADING = LARGEST + 1, COUNT = 3 };

static double a[LEADING * LARGEST], lu[LEADING * LARGEST], reference[LEADING * LARGEST];
static double b[LEADING * COUNT], x[LEADING * COUNT];
static int pivots[LARGEST];

static const int sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 24, 31, 60, 61, LARGEST};
enum { SIZE_COUNT = sizeof sizes / sizeof sizes[0] };

static crm_lu_report factor(int n) {
    copy_matrix(n, n, a, LEADING, lu, LEADING);
    return crm_lu_factor(n, lu, LEADING, pivots);
}

static double solve_error(int n, bool transposed, crm_random *seed) {
    fill_random(n, COUNT, b, LEADING, seed);
    copy_matrix(n, COUNT, b, LEADING, x, LEADING);
    if (transposed)
        crm_lu_solve_transposed(n, lu, LEADING, pivots, COUNT, x, LEADING);
    else
        crm_lu_solve(n, lu, LEADING, pivots, COUNT, x, LEADING);
    double worst = 0.0;
    for (int c = 0; c < COUNT; c++) {
        double error = backward_error(n, a, LEADING, transposed, x + c * LEADING, b + c * LEADING);
        if (!(error <= worst)) worst = error;
    }
    return worst;
}

TEST(lu_agrees_with_lapack) {
    crm_random seed = {.seed = 1};
    for (int s = 0; s < SIZE_COUNT; s++) {
        int n = sizes[s], leading = LEADING, info, ipiv[LARGEST];
        fill_random(n, n, a, LEADING, &seed);
        crm_lu_report report = factor(n);
        CHECK_INT(report.singular_pivots, 0);
        CHECK(report.finite && report.growth < 3 * cbrt(n * n)); // n^(2/3) on average (Trefethen, Schreiber 1990)
        copy_matrix(n, n, a, LEADING, reference, LEADING);
        dgetrf_(&n, &n, reference, &leading, ipiv, &info);
        CHECK_INT(info, 0);
        for (int k = 0; k < n; k++) CHECK_INT(pivots[k] + 1, ipiv[k]);
        CHECK_NEAR(largest_difference(n, n, lu, LEADING, reference, LEADING), 0.0, 1e-11);
    }
}

TEST(lu_rebuilds_the_matrix) {
    crm_random seed = {.seed = 2};
    for (int s = 0; s < SIZE_COUNT; s++) {
        int n = sizes[s];
        fill_random(n, n, a, LEADING, &seed);
        crm_lu_report report = factor(n);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                double sum = i <= j ? lu[i + j * LEADING] : 0.0;
                for (int k = 0; k < i && k <= j; k++) sum += lu[i + k * LEADING] * lu[k + j * LEADING];
                reference[i + j * LEADING] = sum;
            }
        for (int k = n - 1; k >= 0; k--)
            for (int j = 0; j < n; j++) {
                double kept = reference[k + j * LEADING];
                reference[k + j * LEADING] = reference[pivots[k] + j * LEADING];
                reference[pivots[k] + j * LEADING] = kept;
            }
        // |P^T L U - A| <= n eps |L||U| with |l_ij| <= 1 (Higham, Theorem 9.3).
        CHECK_NEAR(largest_difference(n, n, a, LEADING, reference, LEADING), 0.0, n * DBL_EPSILON * report.growth);
    }
}

TEST(lu_solves_both_ways) {
    crm_random seed = {.seed = 3};
    for (int s = 0; s < SIZE_COUNT; s++) {
        int n = sizes[s];
        fill_random(n, n, a, LEADING, &seed);
        factor(n);
        CHECK_NEAR(solve_error(n, false, &seed), 0.0, 10 * n * DBL_EPSILON);
        CHECK_NEAR(solve_error(n, true, &seed), 0.0, 10 * n * DBL_EPSILON);
    }
}

TEST(lu_scales_exactly) {
    crm_random seed = {.seed = 4};
    int n = 24;
    for (int exponent = -498; exponent <= 498; exponent += 996) {
        static double plain[LARGEST];
        fill_random(n, n, a, LEADING, &seed);
        factor(n);
        solve_error(n, false, &seed);
        memcpy(plain, x, sizeof plain);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) a[i + j * LEADING] = ldexp(a[i + j * LEADING], exponent);
        CHECK_INT(factor(n).singular_pivots, 0);
        memcpy(x, b, sizeof x);
        crm_lu_solve(n, lu, LEADING, pivots, 1, x, LEADING);
        for (int i = 0; i < n; i++) CHECK_NEAR(ldexp(x[i], exponent), plain[i], 0.0);
    }
}

// Rows or columns scaled over 120 decades: badly scaled is not singular.
TEST(lu_keeps_graded_matrices) {
    crm_random seed = {.seed = 5};
    int n = 24;
    static const double bases[][2] = {{1e5, 1}, {1e-5, 1}, {1, 1e5}, {1, 1e-5}, {1e5, 1e-5}, {1e-3, 1e-3}};
    for (size_t k = 0; k < sizeof bases / sizeof bases[0]; k++) {
        fill_random(n, n, a, LEADING, &seed);
        for (int i = 0; i < n; i++) a[i + i * LEADING] += n; // so that no order of pivots is a bad one
        grade(n, n, a, LEADING, bases[k][0], bases[k][1]);
        crm_lu_report report = factor(n);
        CHECK_INT(report.singular_pivots, 0);
        CHECK_NEAR(solve_error(n, false, &seed), 0.0, 10 * n * DBL_EPSILON);
    }
}

TEST(lu_reports_singular_matrices) {
    crm_random seed = {.seed = 6};
    for (int n = 4; n <= 60; n += 2) {
        fill_random(n, n, a, LEADING, &seed);
        for (int i = 0; i < n; i++) a[i + (n - 1) * LEADING] = a[i] - 2.0 * a[i + (n / 2) * LEADING];
        crm_lu_report report = factor(n);
        CHECK_INT(report.singular_pivots, 1);
        CHECK_INT(report.first_singular, n - 1);
        fill_random(n, 1, x, LEADING, &seed);
        crm_lu_solve(n, lu, LEADING, pivots, 1, x, LEADING);
        CHECK(crm_dense_is_finite(n, 1, x, LEADING));
        CHECK_NEAR(x[n - 1], 0.0, 0.0);
    }
    memset(a, 0, sizeof a);
    CHECK_INT(factor(4).singular_pivots, 4);
    CHECK_INT(factor(4).first_singular, 0);
}

// Wilkinson's matrix: ones on the diagonal and in the last column, -1 below. The growth factor is exactly 2^(n-1).
TEST(lu_reports_growth) {
    int n = 30;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) a[i + j * LEADING] = i == j || j == n - 1 ? 1.0 : i > j ? -1.0 : 0.0;
    CHECK_NEAR(factor(n).growth, ldexp(1.0, n - 1), 0.0);
}

TEST(lu_reports_what_is_not_finite) {
    crm_random seed = {.seed = 8};
    int n = 5;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int kind = 0; kind < 2; kind++) {
                fill_random(n, n, a, LEADING, &seed);
                a[i + j * LEADING] = kind == 0 ? NAN : -INFINITY;
                CHECK(!factor(n).finite);
            }
    memset(a, 0, sizeof a);
    a[2] = NAN; // the only entry of its column
    CHECK(!factor(n).finite);
    // Finite input, infinite on the way.
    a[0] = 1.0, a[1] = -1.0, a[LEADING] = a[LEADING + 1] = DBL_MAX;
    CHECK(!factor(2).finite);
    CHECK(crm_lu_factor(0, lu, 1, pivots).finite);
}

TEST_MAIN(CASE(lu_agrees_with_lapack), CASE(lu_rebuilds_the_matrix), CASE(lu_solves_both_ways), CASE(lu_scales_exactly),
          CASE(lu_keeps_graded_matrices), CASE(lu_reports_singular_matrices), CASE(lu_reports_growth),
          CASE(lu_reports_what_is_not_finite))
