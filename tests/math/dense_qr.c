// SPDX-License-Identifier: MIT
// QR with column pivoting: rank, least squares, minimum-norm solutions.
#include "math/dense/dense_qr.h"

#include <float.h>
#include <string.h>

#include "math/dense/dense.h"
#include "support/algebra/lapack.h"
#include "support/algebra/matrices.h"
#include "support/harness/check.h"

enum { LARGEST = 100, LEADING = LARGEST + 1, COUNT = 3, LAPACK_WORK = 100 * LARGEST };

static double a[LEADING * LARGEST], space[LEADING * LARGEST], q[LEADING * LARGEST], other[LEADING * LARGEST];
static double tau[LARGEST], row_tau[LARGEST], work[2 * LARGEST], lapack_work[LAPACK_WORK];
static double b[LEADING * COUNT], x[LEADING * COUNT];
static int pivots[LARGEST];

static const int shapes[][2] = {{1, 1}, {3, 3},   {6, 6},        {12, 12}, {60, 60}, {LARGEST, LARGEST}, {5, 3},
                                {6, 1}, {40, 12}, {LARGEST, 30}, {3, 5},   {1, 6},   {12, 40},           {30, LARGEST}};
enum { SHAPE_COUNT = sizeof shapes / sizeof shapes[0] };

static crm_qr_report factor(int rows, int cols, crm_qr *qr) {
    copy_matrix(rows, cols, a, LEADING, space, LEADING);
    *qr = (crm_qr){.rows = rows, .cols = cols, .lda = LEADING, .a = space, .tau = tau, .row_tau = row_tau};
    qr->pivots = pivots;
    return crm_qr_factor(qr, 0.0, work);
}

static int smaller(int m, int n) {
    return m < n ? m : n;
}

static void form_q(const crm_qr *qr) {
    static double transposed[LEADING * LARGEST];
    memset(transposed, 0, sizeof transposed);
    for (int i = 0; i < qr->rows; i++) transposed[i + i * LEADING] = 1.0;
    crm_qr_apply_q_transposed(qr, qr->rows, transposed, LEADING);
    for (int j = 0; j < qr->rows; j++)
        for (int i = 0; i < qr->rows; i++) q[i + j * LEADING] = transposed[j + i * LEADING];
}

TEST(qr_gives_an_orthogonal_q_and_rebuilds_the_matrix) {
    crm_random seed = {.seed = 1};
    for (int s = 0; s < SHAPE_COUNT; s++) {
        int m = shapes[s][0], n = shapes[s][1];
        crm_qr qr;
        if (m < n) continue; // R itself is gone after the completion of a wide matrix; its solutions are tested below
        fill_random(m, n, a, LEADING, &seed);
        CHECK_INT(factor(m, n, &qr).rank, n);
        form_q(&qr);
        double worst = 0.0;
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++)
                worst = fmax(worst, fabs(crm_dense_dot(m, q + i * LEADING, q + j * LEADING) - (i == j)));
        CHECK_NEAR(worst, 0.0, 10 * m * DBL_EPSILON);
        // Q R = A P, and |r_kk| decreases.
        for (int j = 0; j < n; j++)
            crm_dense_multiply_vector(m, j + 1, q, LEADING, space + j * LEADING, other + j * LEADING);
        for (int j = 0; j < n; j++)
            CHECK_NEAR(largest_difference(m, 1, other + j * LEADING, LEADING, a + pivots[j] * LEADING, LEADING), 0.0,
                       10 * m * DBL_EPSILON);
        for (int k = 1; k < n; k++)
            CHECK(fabs(space[k + k * LEADING]) <= (1 + 1e-7) * fabs(space[k - 1 + (k - 1) * LEADING]));
    }
}

TEST(qr_agrees_with_lapack) {
    crm_random seed = {.seed = 2};
    for (int s = 0; s < SHAPE_COUNT; s++) {
        int m = shapes[s][0], n = shapes[s][1], leading = LEADING, length = LAPACK_WORK, info, jpvt[LARGEST] = {0};
        static double reference[LEADING * LARGEST], tau2[LARGEST];
        crm_qr qr;
        if (m < n) continue;
        fill_random(m, n, a, LEADING, &seed);
        factor(m, n, &qr);
        copy_matrix(m, n, a, LEADING, reference, LEADING);
        dgeqp3_(&m, &n, reference, &leading, jpvt, tau2, lapack_work, &length, &info);
        CHECK_INT(info, 0);
        for (int j = 0; j < n; j++) CHECK_INT(pivots[j] + 1, jpvt[j]);
        for (int j = 0; j < n; j++)
            CHECK_NEAR(largest_difference(j + 1, 1, space + j * LEADING, LEADING, reference + j * LEADING, LEADING),
                       0.0, 1e-12);
    }
}

// Random factors of every rank, tall and wide: LAPACK's minimum-norm least-squares solution is the reference.
TEST(qr_finds_rank_and_least_squares_like_lapack) {
    crm_random seed = {.seed = 3};
    for (int s = 0; s < SHAPE_COUNT; s++) {
        int m = shapes[s][0], n = shapes[s][1], full = smaller(m, n), larger = m > n ? m : n;
        for (int rank = full; rank >= 1; rank = rank * 2 / 3) {
            int leading = LEADING, length = LAPACK_WORK, info, found, count = COUNT, jpvt[LARGEST] = {0};
            double limit = 1e-12;
            crm_qr qr;
            fill_rank(m, n, rank, a, LEADING, &seed);
            crm_qr_report report = factor(m, n, &qr);
            CHECK_INT(report.rank, rank);
            CHECK(report.largest_dropped < 1e-14 && report.smallest_kept > 1e-5);
            fill_random(m, COUNT, b, LEADING, &seed);
            copy_matrix(m, COUNT, b, LEADING, x, LEADING);
            crm_qr_solve(&qr, COUNT, x, LEADING, work);
            copy_matrix(m, n, a, LEADING, other, LEADING);
            dgelsy_(&m, &n, &count, other, &leading, b, &leading, jpvt, &limit, &found, lapack_work, &length, &info);
            CHECK_INT(found, rank);
            // Wedin: the answers differ by eps times the square of the condition number at most.
            double bound = 10 * larger * DBL_EPSILON / (report.smallest_kept * report.smallest_kept);
            for (int c = 0; c < COUNT; c++)
                CHECK_NEAR(largest_difference(n, 1, x + c * LEADING, LEADING, b + c * LEADING, LEADING), 0.0,
                           bound * fmax(1.0, crm_dense_norm2(n, b + c * LEADING)));
        }
    }
}

// The defining properties, without a reference: A^T (A x - b) = 0, and x has no part in the null space of A, which is
// the complement of the range of A^T: projecting x on the latter leaves it as it is.
TEST(qr_solution_is_least_squares_and_of_least_norm) {
    crm_random seed = {.seed = 4};
    int m = 20, n = 30, rank = 11;
    crm_qr qr, transposed;
    fill_rank(m, n, rank, a, LEADING, &seed);
    CHECK_INT(factor(m, n, &qr).rank, rank);
    fill_random(m, 1, b, LEADING, &seed);
    memcpy(x, b, sizeof x);
    crm_qr_solve(&qr, 1, x, LEADING, work);
    double r[LARGEST], g[LARGEST], y[LARGEST];
    crm_dense_multiply_vector(m, n, a, LEADING, x, r);
    for (int i = 0; i < m; i++) r[i] -= b[i];
    multiply_transposed(m, n, a, LEADING, r, g);
    CHECK(crm_dense_norm2(m, r) > 0.1);
    CHECK_NEAR(crm_dense_norm2(n, g), 0.0, 1e-12);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) other[i + j * LEADING] = a[j + i * LEADING];
    copy_matrix(n, m, other, LEADING, a, LEADING);
    CHECK_INT(factor(n, m, &transposed).rank, rank);
    memcpy(y, x, sizeof(double) * (size_t)n);
    crm_qr_apply_q_transposed(&transposed, 1, y, LEADING);
    CHECK_NEAR(crm_dense_norm2(n - rank, y + rank), 0.0, 1e-13 * crm_dense_norm2(n, x));
}

TEST(qr_survives_extreme_scales) {
    crm_random seed = {.seed = 5};
    int m = 12, n = 8;
    crm_qr qr;
    fill_random(m, n, a, LEADING, &seed);
    fill_random(m, 1, b, LEADING, &seed);
    static double plain[LARGEST];
    memcpy(x, b, sizeof x);
    factor(m, n, &qr);
    crm_qr_solve(&qr, 1, x, LEADING, work);
    memcpy(plain, x, sizeof plain);
    copy_matrix(m, n, a, LEADING, other, LEADING);
    for (int exponent = -1000; exponent <= 1000; exponent += 100) { // squares would overflow and underflow
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++) a[i + j * LEADING] = ldexp(other[i + j * LEADING], exponent);
        crm_qr_report report = factor(m, n, &qr);
        CHECK(report.finite);
        CHECK_INT(report.rank, n);
        for (int i = 0; i < m; i++) x[i] = ldexp(b[i], exponent / 2);
        crm_qr_solve(&qr, 1, x, LEADING, work);
        for (int i = 0; i < n; i++)
            CHECK_NEAR(ldexp(x[i], exponent - exponent / 2), plain[i], 1e-13 * fabs(plain[i]) + 1e-14);
    }
}

// Kahan's matrix (angle with sine 0.95): upper triangular with columns of equal norm, so that downdated norms decide.
TEST(qr_downdated_norms_do_not_go_astray) {
    int n = 60;
    crm_qr qr;
    double sine = 0.95, cosine = sqrt(1 - sine * sine);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) a[i + j * LEADING] = i > j ? 0.0 : pow(sine, i) * (i == j ? 1.0 : -cosine);
    crm_qr_report report = factor(n, n, &qr);
    CHECK_INT(report.rank, n);
    for (int k = 1; k < n; k++)
        CHECK(fabs(space[k + k * LEADING]) <= (1 + 1e-7) * fabs(space[k - 1 + (k - 1) * LEADING]));
    // Hilbert: 1 / condition number falls by e^3.5 a size; numerical rank stops near 1e-16.
    fill_hilbert(40, a, LEADING);
    report = factor(40, 40, &qr);
    CHECK(report.rank > 10 && report.rank < 16);
    CHECK(report.smallest_kept > 40 * DBL_EPSILON * 0.5 && report.largest_dropped < 41 * DBL_EPSILON);
}

TEST(qr_takes_zero_matrices_and_reports_what_is_not_finite) {
    crm_qr qr;
    memset(a, 0, sizeof a);
    crm_qr_report report = factor(4, 3, &qr);
    CHECK_INT(report.rank, 0);
    CHECK(report.finite);
    for (int i = 0; i < 4; i++) x[i] = 1.0;
    crm_qr_solve(&qr, 1, x, LEADING, work);
    CHECK_NEAR(crm_dense_norm2(3, x), 0.0, 0.0);
    CHECK_INT(factor(0, 3, &qr).rank, 0);
    CHECK_INT(factor(3, 0, &qr).rank, 0);
    crm_random seed = {.seed = 6};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++)
            for (int kind = 0; kind < 2; kind++) {
                fill_random(4, 3, a, LEADING, &seed);
                a[i + j * LEADING] = kind == 0 ? NAN : INFINITY;
                CHECK(!factor(4, 3, &qr).finite);
            }
}

TEST_MAIN(CASE(qr_gives_an_orthogonal_q_and_rebuilds_the_matrix), CASE(qr_agrees_with_lapack),
          CASE(qr_finds_rank_and_least_squares_like_lapack), CASE(qr_solution_is_least_squares_and_of_least_norm),
          CASE(qr_survives_extreme_scales), CASE(qr_downdated_norms_do_not_go_astray),
          CASE(qr_takes_zero_matrices_and_reports_what_is_not_finite))
