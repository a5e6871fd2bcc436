// SPDX-License-Identifier: MIT
// What the small dense factorizations share: a product, a norm and the two inner loops they spend their time in.
//
// A dense matrix is stored by columns with a leading dimension: entry (i, j) is a[i + j * lda], lda >= rows. The
// leading dimension is a ptrdiff_t so that j * lda cannot overflow an int. Sums run in a fixed order: the same input
// gives the same bits.
//
// The room dense/: small matrices by columns enter, factors, solutions and ranks leave. Called by solve/, step/, model/
// and shape/, which own the memory; nothing here allocates.
#ifndef CRM_MATH_DENSE_H
#define CRM_MATH_DENSE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

// y = A x for A rows x cols. y overlaps neither A nor x.
void crm_dense_multiply_vector(int rows, int cols, const double *a, ptrdiff_t lda, const double *x, double *y);

// Euclidean norm without overflow or underflow of the squares. Infinity or NaN in, infinity or NaN out.
double crm_dense_norm2(int size, const double *x);

// Whether every entry is finite.
bool crm_dense_is_finite(int rows, int cols, const double *a, ptrdiff_t lda);

// Four partial sums, added in pairs: fixed order, and short enough chains to keep the adder busy.
static inline double crm_dense_dot(int size, const double *x, const double *y) {
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    int i = 0;
    for (; i + 4 <= size; i += 4) {
        s0 += x[i] * y[i];
        s1 += x[i + 1] * y[i + 1];
        s2 += x[i + 2] * y[i + 2];
        s3 += x[i + 3] * y[i + 3];
    }
    double sum = (s0 + s2) + (s1 + s3);
    for (; i < size; i++) sum += x[i] * y[i];
    return sum;
}

// Largest absolute value of a vector; NaN entries are passed over.
static inline double crm_dense_largest(int size, const double *x) {
    double m0 = 0.0, m1 = 0.0, m2 = 0.0, m3 = 0.0;
    int i = 0;
    for (; i + 4 <= size; i += 4) {
        m0 = fabs(x[i]) > m0 ? fabs(x[i]) : m0;
        m1 = fabs(x[i + 1]) > m1 ? fabs(x[i + 1]) : m1;
        m2 = fabs(x[i + 2]) > m2 ? fabs(x[i + 2]) : m2;
        m3 = fabs(x[i + 3]) > m3 ? fabs(x[i + 3]) : m3;
    }
    for (; i < size; i++) m0 = fabs(x[i]) > m0 ? fabs(x[i]) : m0;
    m0 = m1 > m0 ? m1 : m0;
    m2 = m3 > m2 ? m3 : m2;
    return m2 > m0 ? m2 : m0;
}

// y += c x
static inline void crm_dense_add_scaled(int size, double c, const double *restrict x, double *restrict y) {
    for (int i = 0; i < size; i++) y[i] += c * x[i];
}

// y -= A c, where the coefficients c are `stride` apart (so that they can be a row of a matrix). Four columns are
// taken at a time: y is loaded and stored once for eight operations an entry instead of for two.
static inline void crm_dense_subtract_product(int rows, int cols, const double *restrict a, ptrdiff_t lda,
                                              const double *restrict c, ptrdiff_t stride, double *restrict y) {
    int j = 0;
    for (; j + 4 <= cols; j += 4) {
        const double *a0 = a + j * lda, *a1 = a0 + lda, *a2 = a1 + lda, *a3 = a2 + lda;
        double c0 = c[j * stride], c1 = c[(j + 1) * stride], c2 = c[(j + 2) * stride], c3 = c[(j + 3) * stride];
        for (int i = 0; i < rows; i++) y[i] -= (c0 * a0[i] + c1 * a1[i]) + (c2 * a2[i] + c3 * a3[i]);
    }
    for (; j < cols; j++) {
        const double *aj = a + j * lda;
        double cj = c[j * stride];
        for (int i = 0; i < rows; i++) y[i] -= cj * aj[i];
    }
}

#endif
