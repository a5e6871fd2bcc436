// SPDX-License-Identifier: MIT
// Unpivoted L D L^T, left-looking by columns (Golub & Van Loan, 4th ed., section 4.1).
//
// Pivots are tested for cancellation. The terms of d_j = a_jj - sum_k l_jk^2 d_k have the absolute sum
// s_j = |a_jj| + sum_k l_jk^2 |d_k|, and the rounding error of d_j is at most about n eps s_j. The same s_j bounds the
// backward error: |L||D||L^T| has entries at most sqrt(s_i s_j) (Gill, Saunders, Shinnerl, On the stability of Cholesky
// factorization for symmetric quasidefinite systems, SIAM J. Matrix Anal. Appl. 17 (1996)).
#include <float.h>
#include <math.h>

#include "base/limits/limit.h"
#include "math/dense/dense.h"
#include "math/dense/dense_ldlt.h"
#include "math/dense/dense_triangle.h"

// Fills the strict upper part of column j with row j of L D; returns sum_k l_jk^2 |d_k|.
static double scale_row(double *a, ptrdiff_t lda, int j) {
    double *upper = a + j * lda;
    double sum = 0.0;
    for (int k = 0; k < j; k++) {
        double l = a[j + k * lda];
        upper[k] = l * a[k + k * lda];
        sum += fabs(l * upper[k]);
    }
    return sum;
}

crm_ldlt_report crm_ldlt_factor_until(int n, double *a, ptrdiff_t lda, const carom_interrupt *interrupt) {
    crm_ldlt_report report = {.first_dropped = -1, .smallest_ratio = 1.0, .finite = true};
    double largest_entry = 0.0, largest_sum = 0.0;
    for (int j = 0; j < n; j++) {
        double *column = a + j * lda;
        if (crm_interrupted(interrupt)) {
            report.finite = false;
            break;
        }
        largest_entry = fmax(largest_entry, crm_dense_largest(n - j, column + j));
        double sum = fabs(column[j]) + scale_row(a, lda, j);
        crm_dense_subtract_product(n - j, j, a + j, lda, column, 1, column + j);

        double pivot = column[j];
        if (!isfinite(sum) || !isfinite(pivot)) report.finite = false;
        if (sum > largest_sum) largest_sum = sum;
        if (fabs(pivot) > n * DBL_EPSILON * sum) {
            if (pivot > 0.0)
                report.positive++;
            else
                report.negative++;
            if (fabs(pivot) < report.smallest_ratio * sum) report.smallest_ratio = fabs(pivot) / sum;
            for (int i = j + 1; i < n; i++) column[i] /= pivot;
        } else {
            report.zero++;
            if (report.first_dropped < 0) report.first_dropped = j;
            if (!crm_dense_is_finite(n - j, 1, column + j, lda)) report.finite = false;
            for (int i = j; i < n; i++) column[i] = 0.0;
        }
    }
    report.growth = largest_entry > 0.0 ? largest_sum / largest_entry : 1.0;
    return report;
}

crm_ldlt_report crm_ldlt_factor(int n, double *a, ptrdiff_t lda) {
    return crm_ldlt_factor_until(n, a, lda, &(carom_interrupt){NULL, NULL});
}

void crm_ldlt_solve(int n, const double *ldl, ptrdiff_t ld, int count, double *b, ptrdiff_t ldb) {
    for (int k = 0; k < count; k++) {
        crm_lower_solve(n, ldl, ld, CRM_DIAGONAL_ONE, b + k * ldb);
        crm_upper_solve(n, ldl, ld, b + k * ldb);
    }
}
