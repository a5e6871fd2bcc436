// SPDX-License-Identifier: MIT
// Dense test matrices, by columns with leading dimension: the same matrices on every run.
#ifndef TEST_SUPPORT_MATRICES_H
#define TEST_SUPPORT_MATRICES_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "base/random.h"

// In [-1, 1).
static inline double random_signed(crm_random *random) {
    return crm_random_between(random, -1.0, 1.0);
}

// Every entry uniform in [-1, 1).
static inline void fill_random(int rows, int cols, double *a, ptrdiff_t lda, crm_random *seed) {
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i++) a[i + j * lda] = random_signed(seed);
}

// A = B C for random B rows x rank, C rank x cols: a matrix of that rank up to round-off.
static inline void fill_rank(int rows, int cols, int rank, double *a, ptrdiff_t lda, crm_random *seed) {
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i++) a[i + j * lda] = 0.0;
    for (int k = 0; k < rank; k++) {
        double left[256], right[256];
        fill_random(rows, 1, left, rows, seed);
        fill_random(cols, 1, right, cols, seed);
        for (int j = 0; j < cols; j++)
            for (int i = 0; i < rows; i++) a[i + j * lda] += left[i] * right[j];
    }
}

// Sum of `rank` random dyads x x^T, plus shift times the identity: symmetric positive (semi)definite.
static inline void fill_semidefinite(int n, int rank, double shift, double *a, ptrdiff_t lda, crm_random *seed) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) a[i + j * lda] = i == j ? shift : 0.0;
    for (int k = 0; k < rank; k++) {
        double x[256];
        fill_random(n, 1, x, n, seed);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) a[i + j * lda] += x[i] * x[j];
    }
}

static inline void fill_symmetric(int n, double *a, ptrdiff_t lda, crm_random *seed) {
    fill_random(n, n, a, lda, seed);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < j; i++) a[i + j * lda] = a[j + i * lda];
}

// 1 / (i + j + 1): positive definite, condition number near e^(3.5 n).
static inline void fill_hilbert(int n, double *a, ptrdiff_t lda) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) a[i + j * lda] = 1.0 / (i + j + 1);
}

// a_ij *= r^i c^j
static inline void grade(int rows, int cols, double *a, ptrdiff_t lda, double r, double c) {
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i++) a[i + j * lda] *= pow(r, i) * pow(c, j);
}

static inline void copy_matrix(int rows, int cols, const double *a, ptrdiff_t lda, double *b, ptrdiff_t ldb) {
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i++) b[i + j * ldb] = a[i + j * lda];
}

// Largest absolute value.
static inline double norm_max(int rows, int cols, const double *a, ptrdiff_t lda) {
    double norm = 0.0;
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i++)
            if (!(fabs(a[i + j * lda]) <= norm)) norm = fabs(a[i + j * lda]); // NaN stays
    return norm;
}

// Largest column sum of absolute values.
static inline double norm1(int rows, int cols, const double *a, ptrdiff_t lda) {
    double norm = 0.0;
    for (int j = 0; j < cols; j++) {
        double sum = 0.0;
        for (int i = 0; i < rows; i++) sum += fabs(a[i + j * lda]);
        norm = fmax(norm, sum);
    }
    return norm;
}

// y = A^T x
static inline void multiply_transposed(int rows, int cols, const double *a, ptrdiff_t lda, const double *x, double *y) {
    for (int j = 0; j < cols; j++) {
        y[j] = 0.0;
        for (int i = 0; i < rows; i++) y[j] += a[i + j * lda] * x[i];
    }
}

static inline double largest_difference(int rows, int cols, const double *a, ptrdiff_t lda, const double *b,
                                        ptrdiff_t ldb) {
    double largest = 0.0;
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i++) {
            double d = fabs(a[i + j * lda] - b[i + j * ldb]);
            if (!(d <= largest)) largest = d; // NaN stays
        }
    return largest;
}

// Normwise backward error of A x = b in the infinity norm, max|b - A x| / (|A| |x| + |b|): Rigal and Gaches (1967).
// `transposed` takes A^T. NaN when x is not finite.
static inline double backward_error(int n, const double *a, ptrdiff_t lda, int transposed, const double *x,
                                    const double *b) {
    double worst = 0.0, norm_a = 0.0, norm_x = 0.0, norm_b = 0.0;
    for (int i = 0; i < n; i++) {
        double r = b[i], sum = 0.0;
        for (int j = 0; j < n; j++) {
            double entry = transposed ? a[j + i * lda] : a[i + j * lda];
            r -= entry * x[j];
            sum += fabs(entry);
        }
        if (!(fabs(r) <= worst)) worst = fabs(r);
        norm_a = fmax(norm_a, sum);
        norm_x = fmax(norm_x, fabs(x[i]));
        norm_b = fmax(norm_b, fabs(b[i]));
    }
    double scale = norm_a * norm_x + norm_b;
    return scale == 0.0 ? worst : worst / scale;
}

#endif
