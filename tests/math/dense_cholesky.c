// SPDX-License-Identifier: MIT
// Cholesky of definite, semidefinite and hostile matrices.
#include "math/dense/dense_cholesky.h"

#include <float.h>
#include <string.h>

#include "math/dense/dense.h"
#include "support/algebra/lapack.h"
#include "support/algebra/matrices.h"
#include "support/harness/check.h"

enum { LARGEST = 200, LEADING = LARGEST + 3 };

static double a[LEADING * LARGEST], l[LEADING * LARGEST], product[LEADING * LARGEST];

static const int sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 24, 31, 60, 61, LARGEST};
enum { SIZE_COUNT = sizeof sizes / sizeof sizes[0] };

// max |L L^T - A| over the lower triangle, relative to max |A|.
static double reconstruction_error(int n) {
    double worst = 0.0;
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double sum = 0.0;
            for (int k = 0; k <= j; k++) sum += l[i + k * LEADING] * l[j + k * LEADING];
            double d = fabs(sum - a[i + j * LEADING]);
            if (!(d <= worst)) worst = d;
        }
    return worst / norm_max(n, n, a, LEADING);
}

static crm_cholesky_report factor(int n) {
    copy_matrix(n, n, a, LEADING, l, LEADING);
    return crm_cholesky_factor(n, l, LEADING);
}

TEST(cholesky_agrees_with_lapack) {
    crm_random seed = {.seed = 1};
    for (int s = 0; s < SIZE_COUNT; s++) {
        int n = sizes[s], leading = LEADING, info;
        fill_semidefinite(n, 2 * n + 2, 0.5, a, LEADING, &seed);
        crm_cholesky_report report = factor(n);
        CHECK_INT(report.rank, n);
        CHECK_INT(report.first_dropped, -1);
        CHECK(report.finite && report.smallest_kept_ratio > 0.0);
        CHECK_NEAR(report.discarded, 0.0, 0.0);
        copy_matrix(n, n, a, LEADING, product, LEADING);
        dpotrf_("L", &n, product, &leading, &info);
        CHECK_INT(info, 0);
        for (int j = 0; j < n; j++)
            CHECK_NEAR(largest_difference(n - j, 1, l + j + j * LEADING, LEADING, product + j + j * LEADING, LEADING),
                       0.0, 10 * n * DBL_EPSILON * sqrt(norm_max(n, n, a, LEADING)));
    }
}

TEST(cholesky_rebuilds_and_solves) {
    crm_random seed = {.seed = 2};
    for (int s = 0; s < SIZE_COUNT; s++) {
        int n = sizes[s];
        fill_semidefinite(n, n, 1e-3, a, LEADING, &seed);
        factor(n);
        // Higham, Theorem 10.3: |L L^T - A| <= (n + 1) u / (1 - ...) |L||L^T|, whose entries are at most those of the
        // diagonal.
        CHECK_NEAR(reconstruction_error(n), 0.0, (n + 1) * DBL_EPSILON);
        enum { COUNT = 3 };
        static double b[LEADING * COUNT], x[LEADING * COUNT];
        fill_random(n, COUNT, b, LEADING, &seed);
        copy_matrix(n, COUNT, b, LEADING, x, LEADING);
        crm_cholesky_solve(n, l, LEADING, COUNT, x, LEADING);
        for (int c = 0; c < COUNT; c++)
            CHECK_NEAR(backward_error(n, a, LEADING, 0, x + c * LEADING, b + c * LEADING), 0.0, 10 * n * DBL_EPSILON);
        // The two halves make the whole.
        static double y[LARGEST];
        memcpy(y, b, sizeof(double) * (size_t)n);
        crm_cholesky_solve_lower(n, l, LEADING, y);
        crm_cholesky_solve_upper(n, l, LEADING, y);
        CHECK_NEAR(largest_difference(n, 1, x, LEADING, y, LEADING), 0.0, 0.0);
    }
}

TEST(cholesky_leaves_the_upper_triangle_alone) {
    crm_random seed = {.seed = 3};
    int n = 13;
    fill_semidefinite(n, n, 1.0, a, LEADING, &seed);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < j; i++) a[i + j * LEADING] = NAN;
    crm_cholesky_report report = factor(n);
    CHECK(report.finite);
    CHECK_INT(report.rank, n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < j; i++) CHECK(isnan(l[i + j * LEADING]));
}

// Scaling by powers of two commutes with every rounding, so the factor of s^2 A is s L bit by bit.
TEST(cholesky_scales_exactly) {
    crm_random seed = {.seed = 4};
    int n = 24;
    fill_semidefinite(n, n, 1.0, a, LEADING, &seed);
    factor(n);
    copy_matrix(n, n, l, LEADING, product, LEADING);
    for (int sign = -1; sign <= 1; sign += 2) {
        static double scaled[LEADING * LARGEST];
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) scaled[i + j * LEADING] = ldexp(a[i + j * LEADING], sign * 498);
        crm_cholesky_report report = crm_cholesky_factor(n, scaled, LEADING); // entries near 1e150 and 1e-150
        CHECK_INT(report.rank, n);
        for (int j = 0; j < n; j++)
            for (int i = j; i < n; i++)
                CHECK_NEAR(scaled[i + j * LEADING], ldexp(product[i + j * LEADING], sign * 249), 0.0);
    }
}

// Pivots are compared with their own diagonal: a matrix graded over 300 decades keeps full rank and accuracy.
TEST(cholesky_keeps_graded_matrices) {
    crm_random seed = {.seed = 5};
    int n = 31;
    fill_semidefinite(n, 2 * n, 1.0, a, LEADING, &seed);
    static double b[LARGEST], x[LARGEST], wanted[LARGEST];
    for (int i = 0; i < n; i++) wanted[i] = 1.0;
    crm_dense_multiply_vector(n, n, a, LEADING, wanted, b);
    for (double base = 1e-5; base <= 1e5; base *= 1e10) {
        static double graded[LEADING * LARGEST];
        copy_matrix(n, n, a, LEADING, graded, LEADING);
        grade(n, n, graded, LEADING, base, base);
        crm_cholesky_report report = crm_cholesky_factor(n, graded, LEADING);
        CHECK_INT(report.rank, n);
        for (int i = 0; i < n; i++) x[i] = b[i] * pow(base, i);
        crm_cholesky_solve(n, graded, LEADING, 1, x, n);
        for (int i = 0; i < n; i++) CHECK_NEAR(x[i] * pow(base, i), 1.0, 1e-11); // condition number near 1e3
    }
}

// B B^T of rank r: r pivots are kept, and consistent systems are solved. The factor 100 covers the norm of
// A11^-1 A12, by which Higham's Theorem 10.14 multiplies the rounding errors in the dropped part.
TEST(cholesky_finds_the_rank_of_semidefinite_matrices) {
    crm_random seed = {.seed = 6};
    for (int n = 3; n <= 60; n += 3)
        for (int rank = 0; rank < n; rank += 1 + n / 5) {
            // Dyads whose first `rank` entries make a well-conditioned triangle: only round-off is left after it.
            for (int j = 0; j < n; j++)
                for (int i = 0; i < n; i++) a[i + j * LEADING] = 0.0;
            for (int k = 0; k < rank; k++) {
                double v[LARGEST];
                for (int i = 0; i < n; i++) v[i] = i < k ? 0.0 : i == k ? 4.0 : random_signed(&seed);
                for (int j = 0; j < n; j++)
                    for (int i = 0; i < n; i++) a[i + j * LEADING] += v[i] * v[j];
            }
            crm_cholesky_report report = factor(n);
            CHECK_INT(report.rank, rank);
            CHECK_INT(report.first_dropped, rank);
            CHECK_INT(report.negative_pivots, 0);
            CHECK(report.discarded < 1e-6);
            static double b[LARGEST], x[LARGEST];
            fill_random(n, 1, x, n, &seed);
            crm_dense_multiply_vector(n, n, a, LEADING, x, b);
            memcpy(x, b, sizeof(double) * (size_t)n);
            crm_cholesky_solve(n, l, LEADING, 1, x, n);
            CHECK_NEAR(backward_error(n, a, LEADING, 0, x, b), 0.0, 100 * n * DBL_EPSILON);
            for (int i = rank; i < n; i++) CHECK_NEAR(x[i], 0.0, 0.0);
        }
}

TEST(cholesky_drops_a_repeated_row_in_the_middle) {
    crm_random seed = {.seed = 7};
    int n = 12, twin = 5;
    static double rows[LARGEST * LARGEST];
    fill_random(n, n, rows, n, &seed);
    for (int k = 0; k < n; k++) rows[k + twin * n] = rows[k + 2 * n]; // columns are the vectors of a Gram matrix
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) a[i + j * LEADING] = crm_dense_dot(n, rows + i * n, rows + j * n);
    crm_cholesky_report report = factor(n);
    CHECK_INT(report.rank, n - 1);
    CHECK_INT(report.first_dropped, twin);
    CHECK(fabs(report.smallest_ratio) < n * DBL_EPSILON);
    CHECK(report.smallest_kept_ratio > 1e-4);
}

TEST(cholesky_reports_indefinite_matrices) {
    a[0] = 1.0, a[1] = a[LEADING] = 2.0, a[LEADING + 1] = 1.0; // eigenvalues 3 and -1
    crm_cholesky_report report = factor(2);
    CHECK_INT(report.rank, 1);
    CHECK_INT(report.negative_pivots, 1);
    CHECK_NEAR(report.smallest_ratio, -3.0, 0.0);

    a[0] = 0.0; // eigenvalues of both signs, without a negative pivot: what was thrown away tells
    report = factor(2);
    CHECK_INT(report.rank, 1);
    CHECK_INT(report.negative_pivots, 0);
    CHECK(report.discarded > 1.0);
}

// Hilbert matrices become singular in double precision beyond n = 13.
TEST(cholesky_reports_the_rank_of_hilbert_matrices) {
    fill_hilbert(30, a, LEADING);
    crm_cholesky_report report = factor(30);
    CHECK(report.rank < 30 && report.rank > 8);
    // Without pivoting the last kept pivot, 2e-13 of its diagonal, magnifies round-off in what follows; the report
    // shows it.
    CHECK(report.smallest_kept_ratio < 1e-12);
    CHECK(reconstruction_error(30) < 1e-6);
}

TEST(cholesky_reports_what_is_not_finite) {
    crm_random seed = {.seed = 8};
    int n = 6;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int kind = 0; kind < 2; kind++) {
                fill_semidefinite(n, n, 1.0, a, LEADING, &seed);
                a[i + j * LEADING] = kind == 0 ? NAN : INFINITY;
                CHECK(!factor(n).finite);
            }
    CHECK(crm_cholesky_factor(0, a, 1).finite);
}

TEST_MAIN(CASE(cholesky_agrees_with_lapack), CASE(cholesky_rebuilds_and_solves),
          CASE(cholesky_leaves_the_upper_triangle_alone), CASE(cholesky_scales_exactly),
          CASE(cholesky_keeps_graded_matrices), CASE(cholesky_finds_the_rank_of_semidefinite_matrices),
          CASE(cholesky_drops_a_repeated_row_in_the_middle), CASE(cholesky_reports_indefinite_matrices),
          CASE(cholesky_reports_the_rank_of_hilbert_matrices), CASE(cholesky_reports_what_is_not_finite))
