// SPDX-License-Identifier: MIT
// Left-looking by columns (Golub & Van Loan, Matrix Computations, 4th ed., Algorithm 4.2.1 "gaxpy"): while column j is
// computed, the original diagonal and everything to its right are still untouched, so that pivots can be tested
// against them without a copy.
#include "math/dense/dense_cholesky.h"

#include <float.h>
#include <math.h>

#include "math/dense/dense.h"
#include "math/dense/dense_triangle.h"

// Zeroes column j and returns its largest entry below the diagonal in units of sqrt(a_ii a_jj).
static double discard_column(int n, double *a, ptrdiff_t lda, int j, double diagonal) {
    double *column = a + j * lda;
    double largest = 0.0, root = sqrt(fabs(diagonal));
    for (int i = j + 1; i < n; i++) {
        double size = fabs(column[i]);
        if (size != 0.0) {
            double ratio = size / (root * sqrt(fabs(a[i + i * lda])));
            if (!(ratio <= largest)) largest = ratio;
        }
        column[i] = 0.0;
    }
    column[j] = 0.0;
    return largest;
}

crm_cholesky_report crm_cholesky_factor(int n, double *a, ptrdiff_t lda) {
    crm_cholesky_report report = {
        .first_dropped = -1, .smallest_kept_ratio = 1.0, .smallest_ratio = 1.0, .finite = true};
    // The rounding error of a pivot is at most about n eps times the diagonal it started from (Higham, Accuracy and
    // Stability, 2nd ed., Theorem 10.3): below that it says nothing.
    const double relative_noise = n * DBL_EPSILON;
    for (int j = 0; j < n; j++) {
        double *column = a + j * lda;
        double diagonal = column[j];
        crm_dense_subtract_product(n - j, j, a + j, lda, a + j, lda, column + j);
        double pivot = column[j];
        double noise = relative_noise * fabs(diagonal);
        double ratio = pivot == 0.0 ? 0.0 : pivot / fabs(diagonal);
        if (!isfinite(pivot)) report.finite = false;
        if (ratio < report.smallest_ratio) report.smallest_ratio = ratio;
        if (pivot > noise) {
            double root = sqrt(pivot);
            column[j] = root;
            for (int i = j + 1; i < n; i++) column[i] /= root;
            report.rank++;
            if (ratio < report.smallest_kept_ratio) report.smallest_kept_ratio = ratio;
            continue;
        }
        if (pivot < -noise) report.negative_pivots++;
        if (report.first_dropped < 0) report.first_dropped = j;
        double discarded = discard_column(n, a, lda, j, diagonal);
        if (isnan(discarded)) report.finite = false;
        if (discarded > report.discarded) report.discarded = discarded;
    }
    return report;
}

void crm_cholesky_solve_lower(int n, const double *l, ptrdiff_t ldl, double *x) {
    crm_lower_solve(n, l, ldl, CRM_DIAGONAL_STORED, x);
}

void crm_cholesky_solve_upper(int n, const double *l, ptrdiff_t ldl, double *x) {
    crm_lower_solve_transposed(n, l, ldl, CRM_DIAGONAL_STORED, x);
}

void crm_cholesky_solve(int n, const double *l, ptrdiff_t ldl, int count, double *b, ptrdiff_t ldb) {
    for (int k = 0; k < count; k++) {
        crm_cholesky_solve_lower(n, l, ldl, b + k * ldb);
        crm_cholesky_solve_upper(n, l, ldl, b + k * ldb);
    }
}
