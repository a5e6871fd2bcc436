// SPDX-License-Identifier: MIT
#include "math/dense/dense.h"

#include <float.h>
#include <math.h>

void crm_dense_multiply_vector(int rows, int cols, const double *a, ptrdiff_t lda, const double *x, double *y) {
    for (int i = 0; i < rows; i++) y[i] = 0.0;
    for (int j = 0; j < cols; j++) crm_dense_add_scaled(rows, x[j], a + j * lda, y);
}

double crm_dense_norm2(int size, const double *x) {
    // Squares within these bounds lose nothing to underflow that matters in the sum, and do not overflow.
    static const double small_square = DBL_MIN / DBL_EPSILON;
    double square = crm_dense_dot(size, x, x);
    if (square > small_square && square <= DBL_MAX) return sqrt(square);

    double largest = 0.0;
    for (int i = 0; i < size; i++) {
        if (isnan(x[i])) return NAN;
        largest = fmax(largest, fabs(x[i]));
    }
    if (largest == 0.0 || isinf(largest)) return largest;
    // A power of two scales exactly, so that the norm of 2^k x is 2^k times the norm of x.
    int exponent = ilogb(largest);
    double sum = 0.0;
    for (int i = 0; i < size; i++) {
        double scaled = scalbn(x[i], -exponent);
        sum += scaled * scaled;
    }
    return scalbn(sqrt(sum), exponent);
}

bool crm_dense_is_finite(int rows, int cols, const double *a, ptrdiff_t lda) {
    // 0 * x is 0 for every finite x and NaN otherwise; one sum is cheaper than a branch an entry.
    double sum = 0.0;
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i++) sum += 0.0 * a[i + j * lda];
    return sum == 0.0;
}
