// SPDX-License-Identifier: MIT
// Left-looking Gaussian elimination (Golub & Van Loan, 4th ed., section 3.4: "gaxpy" LU with partial pivoting): each
// column is brought up to date by all earlier ones at once, four at a time, and is written once.
#include "math/dense/dense_lu.h"

#include <float.h>
#include <math.h>

#include "base/limits/limit.h"
#include "math/dense/dense.h"
#include "math/dense/dense_triangle.h"

static inline void exchange(double *x, double *y) {
    double kept = *x;
    *x = *y;
    *y = kept;
}

// Row of the largest entry of column j at or below the diagonal; the first of equal ones.
static int choose_pivot(int n, const double *column, int j) {
    double largest = crm_dense_largest(n - j, column + j);
    for (int i = j; i < n; i++)
        if (fabs(column[i]) == largest) return i;
    return j; // all NaN
}

// |u_jj| + sum_k |l_jk u_kj|: the size of the terms whose difference the pivot is. Unlike a norm of the row or column
// it does not change its verdict when rows or columns are scaled.
static double pivot_terms(const double *a, ptrdiff_t lda, int j) {
    const double *column = a + j * lda;
    double sum = fabs(column[j]);
    for (int k = 0; k < j; k++) sum += fabs(a[j + k * lda] * column[k]);
    return sum;
}

crm_lu_report crm_lu_factor_until(int n, double *a, ptrdiff_t lda, int *pivots, const carom_interrupt *interrupt) {
    crm_lu_report report = {.first_singular = -1, .smallest_ratio = 1.0, .growth = 1.0, .finite = true};
    double largest_entry = 0.0, largest_upper = 0.0;
    for (int j = 0; j < n; j++) {
        double *column = a + j * lda;
        if (crm_interrupted(interrupt)) {
            report.finite = false;
            for (int k = j; k < n; k++) pivots[k] = k; // solutions mean nothing, and stay within bounds
            break;
        }
        largest_entry = fmax(largest_entry, crm_dense_largest(n, column));
        for (int k = 0; k < j; k++) exchange(&column[k], &column[pivots[k]]);
        crm_trapezoid_solve(n, j, a, lda, column);

        int pivot_row = choose_pivot(n, column, j);
        pivots[j] = pivot_row;
        if (pivot_row != j)
            for (int k = 0; k <= j; k++) exchange(&a[j + k * lda], &a[pivot_row + k * lda]);

        largest_upper = fmax(largest_upper, crm_dense_largest(j + 1, column));
        double pivot = column[j], terms = pivot_terms(a, lda, j);
        // Whatever is not finite in A reaches the pivot of its row or column, unless that column is zeroed below.
        if (!isfinite(terms)) report.finite = false;
        if (fabs(pivot) > n * DBL_EPSILON * terms) {
            if (fabs(pivot) < report.smallest_ratio * terms) report.smallest_ratio = fabs(pivot) / terms;
            for (int i = j + 1; i < n; i++) column[i] /= pivot;
        } else {
            report.singular_pivots++;
            if (report.first_singular < 0) report.first_singular = j;
            if (!crm_dense_is_finite(n - j, 1, column + j, lda)) report.finite = false;
            for (int i = j; i < n; i++) column[i] = 0.0;
        }
    }
    if (largest_entry > 0.0) report.growth = largest_upper / largest_entry;
    return report;
}

crm_lu_report crm_lu_factor(int n, double *a, ptrdiff_t lda, int *pivots) {
    return crm_lu_factor_until(n, a, lda, pivots, &(carom_interrupt){NULL, NULL});
}

void crm_lu_solve(int n, const double *lu, ptrdiff_t ld, const int *pivots, int count, double *b, ptrdiff_t ldb) {
    for (int c = 0; c < count; c++) {
        double *x = b + c * ldb;
        for (int k = 0; k < n; k++) exchange(&x[k], &x[pivots[k]]);
        crm_lower_solve(n, lu, ld, CRM_DIAGONAL_ONE, x);
        crm_upper_solve(n, lu, ld, x);
    }
}

void crm_lu_solve_transposed(int n, const double *lu, ptrdiff_t ld, const int *pivots, int count, double *b,
                             ptrdiff_t ldb) {
    for (int c = 0; c < count; c++) {
        double *x = b + c * ldb;
        crm_upper_solve_transposed(n, lu, ld, x);
        crm_lower_solve_transposed(n, lu, ld, CRM_DIAGONAL_ONE, x);
        for (int k = n - 1; k >= 0; k--) exchange(&x[k], &x[pivots[k]]);
    }
}
