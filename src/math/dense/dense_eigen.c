// SPDX-License-Identifier: MIT
#include "math/dense/dense_eigen.h"

#include <float.h>
#include <string.h>

#include "math/dense/dense.h"

// Convergence is quadratic in the end: 6 to 10 sweeps. The limit only keeps the loop bounded.
enum { SWEEP_LIMIT = 40 };

// Columns p and q become c p - s q and s p + c q.
static void rotate_columns(int n, double *p, double *q, double c, double s) {
    for (int i = 0; i < n; i++) {
        double x = p[i], y = q[i];
        p[i] = c * x - s * y;
        q[i] = s * x + c * y;
    }
}

static void rotate_rows(int n, double *a, ptrdiff_t lda, int p, int q, double c, double s) {
    for (int j = 0; j < n; j++) {
        double *column = a + j * lda, x = column[p], y = column[q];
        column[p] = c * x - s * y;
        column[q] = s * x + c * y;
    }
}

// Makes entry (p, q) zero. False when it is already, next to the diagonal entries or to `nothing`.
static bool annihilate(int n, double *a, ptrdiff_t lda, int p, int q, double nothing, double *vectors) {
    double off = a[p + q * lda], first = a[p + p * lda], second = a[q + q * lda];
    if (fabs(off) <= nothing || fabs(off) <= DBL_EPSILON * sqrt(fabs(first)) * sqrt(fabs(second))) return false;
    double z = 0.5 * ((second - first) / off);
    double t = copysign(1.0, z) / (fabs(z) + sqrt(1.0 + z * z));
    double c = 1.0 / sqrt(1.0 + t * t), s = t * c;
    rotate_columns(n, a + p * lda, a + q * lda, c, s);
    rotate_rows(n, a, lda, p, q, c, s);
    rotate_columns(n, vectors + (ptrdiff_t)p * n, vectors + (ptrdiff_t)q * n, c, s);
    a[p + q * lda] = a[q + p * lda] = 0.0;
    return true;
}

static void sort_ascending(int n, double *values, double *vectors) {
    for (int k = 0; k < n; k++) {
        int least = k;
        for (int j = k + 1; j < n; j++)
            if (values[j] < values[least]) least = j;
        if (least == k) continue;
        double value = values[k];
        values[k] = values[least];
        values[least] = value;
        rotate_columns(n, vectors + (ptrdiff_t)k * n, vectors + (ptrdiff_t)least * n, 0.0, 1.0);
    }
}

bool crm_symmetric_eigen(int n, double *a, ptrdiff_t lda, double *values, double *vectors) {
    memset(vectors, 0, (size_t)n * (size_t)n * sizeof *vectors);
    for (int j = 0; j < n; j++) vectors[j + (ptrdiff_t)j * n] = 1.0;
    if (!crm_dense_is_finite(n, n, a, lda)) return false;
    double largest = 0.0;
    for (int j = 0; j < n; j++) largest = fmax(largest, crm_dense_largest(n, a + j * lda));
    double nothing = DBL_EPSILON * DBL_EPSILON * largest; // what eigenvalue 0 has beside the others
    bool busy = true;
    for (int sweep = 0; busy && sweep < SWEEP_LIMIT; sweep++) {
        busy = false;
        for (int q = 1; q < n; q++)
            for (int p = 0; p < q; p++) busy |= annihilate(n, a, lda, p, q, nothing, vectors);
    }
    for (int j = 0; j < n; j++) values[j] = a[j + j * lda];
    sort_ascending(n, values, vectors);
    return !busy;
}
