// SPDX-License-Identifier: MIT
// Substitution in blocks of four unknowns: the small triangle on the diagonal is solved entry by entry, the panel
// beside it is applied four columns at a time.
#include "math/dense/dense_triangle.h"

#include "math/dense/dense.h"

enum { BLOCK = 4 };

static inline double divide_or_drop(double value, double pivot) {
    return pivot == 0.0 ? 0.0 : value / pivot;
}

static inline int block_width(int n, int start) {
    return n - start < BLOCK ? n - start : BLOCK;
}

static void forward(int rows, int cols, const double *l, ptrdiff_t ld, crm_diagonal diagonal, double *x) {
    for (int start = 0; start < cols; start += BLOCK) {
        int width = block_width(cols, start), end = start + width;
        for (int j = start; j < end; j++) {
            const double *column = l + j * ld;
            if (diagonal == CRM_DIAGONAL_STORED) x[j] = divide_or_drop(x[j], column[j]);
            for (int i = j + 1; i < end; i++) x[i] -= column[i] * x[j];
        }
        crm_dense_subtract_product(rows - end, width, l + end + start * ld, ld, x + start, 1, x + end);
    }
}

void crm_lower_solve(int n, const double *l, ptrdiff_t ld, crm_diagonal diagonal, double *x) {
    forward(n, n, l, ld, diagonal, x);
}

void crm_trapezoid_solve(int rows, int cols, const double *l, ptrdiff_t ld, double *x) {
    forward(rows, cols, l, ld, CRM_DIAGONAL_ONE, x);
}

// x[0..width) -= A^T y for a panel A of at most four columns; four sums run side by side.
static void subtract_transposed(int rows, int width, const double *a, ptrdiff_t lda, const double *y, double *x) {
    if (width < BLOCK) {
        for (int j = 0; j < width; j++) x[j] -= crm_dense_dot(rows, a + j * lda, y);
        return;
    }
    const double *a0 = a, *a1 = a0 + lda, *a2 = a1 + lda, *a3 = a2 + lda;
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    for (int i = 0; i < rows; i++) {
        s0 += a0[i] * y[i];
        s1 += a1[i] * y[i];
        s2 += a2[i] * y[i];
        s3 += a3[i] * y[i];
    }
    x[0] -= s0;
    x[1] -= s1;
    x[2] -= s2;
    x[3] -= s3;
}

void crm_lower_solve_transposed(int n, const double *l, ptrdiff_t ld, crm_diagonal diagonal, double *x) {
    // The blocks start where those of the forward sweep do; the last one may be narrow.
    for (int start = (n - 1) / BLOCK * BLOCK; start >= 0 && n > 0; start -= BLOCK) {
        int width = block_width(n, start), end = start + width;
        subtract_transposed(n - end, width, l + end + start * ld, ld, x + end, x + start);
        for (int j = end - 1; j >= start; j--) {
            const double *column = l + j * ld;
            for (int i = j + 1; i < end; i++) x[j] -= column[i] * x[i];
            if (diagonal == CRM_DIAGONAL_STORED) x[j] = divide_or_drop(x[j], column[j]);
        }
    }
}

void crm_upper_solve(int n, const double *u, ptrdiff_t ld, double *x) {
    for (int start = (n - 1) / BLOCK * BLOCK; start >= 0 && n > 0; start -= BLOCK) {
        int width = block_width(n, start), end = start + width;
        for (int j = end - 1; j >= start; j--) {
            const double *column = u + j * ld;
            x[j] = divide_or_drop(x[j], column[j]);
            for (int i = start; i < j; i++) x[i] -= column[i] * x[j];
        }
        crm_dense_subtract_product(start, width, u + start * ld, ld, x + start, 1, x);
    }
}

void crm_upper_solve_transposed(int n, const double *u, ptrdiff_t ld, double *x) {
    for (int start = 0; start < n; start += BLOCK) {
        int width = block_width(n, start), end = start + width;
        subtract_transposed(start, width, u + start * ld, ld, x, x + start);
        for (int j = start; j < end; j++) {
            const double *column = u + j * ld;
            for (int i = start; i < j; i++) x[j] -= column[i] * x[i];
            x[j] = divide_or_drop(x[j], column[j]);
        }
    }
}
