// SPDX-License-Identifier: MIT
#include "math/tile_factor.h"

#include <math.h>
#include <stddef.h>

// With n a constant the loops over a tile of 6 or 3 are unrolled.
#define INLINED static inline __attribute__((always_inline))
#define CALL_WITH_CONSTANT_SIZE(function, n, ...) \
    do {                                          \
        if ((n) == 6)                             \
            function(6, __VA_ARGS__);             \
        else if ((n) == 3)                        \
            function(3, __VA_ARGS__);             \
        else                                      \
            function(n, __VA_ARGS__);             \
    } while (0)

INLINED void count_kept(double pivot, double magnitude, crm_pivot_tally *tally) {
    tally->kept++;
    tally->negative += pivot < 0.0;
    if (fabs(pivot) < tally->least * magnitude) tally->least = fabs(pivot) / magnitude;
}

static void count_left_out(double pivot, double magnitude, int scalar, crm_pivot_tally *tally) {
    if (tally->left_out++ == 0) tally->first_left_out = scalar;
    tally->negative += pivot < -tally->tolerance * magnitude; // Cholesky leaves out clearly negative ones too
    if (!isfinite(pivot)) tally->finite = false;
}

INLINED void cholesky(int n, double *t, const double *magnitude, double *reciprocal, int scalar,
                      crm_pivot_tally *tally) {
    for (int j = 0; j < n; j++) {
        double *column = t + (ptrdiff_t)n * j;
        double pivot = column[j];
        if (pivot > tally->tolerance * magnitude[j] && pivot < INFINITY) {
            count_kept(pivot, magnitude[j], tally);
            column[j] = sqrt(pivot);
            reciprocal[j] = 1.0 / column[j];
        } else {
            count_left_out(pivot, magnitude[j], scalar + j, tally);
            column[j] = reciprocal[j] = 0.0;
        }
        for (int i = j + 1; i < n; i++) column[i] *= reciprocal[j];
        for (int l = j + 1; l < n; l++)
            for (int i = l; i < n; i++) t[i + (ptrdiff_t)n * l] -= column[i] * column[l];
    }
}

void crm_tile_cholesky(int n, double *t, const double *magnitude, double *reciprocal, int scalar,
                       crm_pivot_tally *tally) {
    CALL_WITH_CONSTANT_SIZE(cholesky, n, t, magnitude, reciprocal, scalar, tally);
}

INLINED void ldlt(int n, double *t, const double *magnitude, double *pivot, double *reciprocal, int scalar,
                  crm_pivot_tally *tally) {
    for (int j = 0; j < n; j++) {
        double *column = t + (ptrdiff_t)n * j;
        double size = fabs(column[j]);
        if (size > tally->tolerance * magnitude[j] && size < INFINITY) {
            count_kept(column[j], magnitude[j], tally);
            pivot[j] = column[j];
            reciprocal[j] = 1.0 / column[j];
        } else {
            count_left_out(column[j], magnitude[j], scalar + j, tally);
            pivot[j] = reciprocal[j] = 0.0;
        }
        column[j] = 1.0;
        for (int l = j + 1; l < n; l++) {
            double factor = column[l] * reciprocal[j];
            for (int i = l; i < n; i++) t[i + (ptrdiff_t)n * l] -= column[i] * factor;
        }
        for (int i = j + 1; i < n; i++) column[i] *= reciprocal[j];
    }
}

void crm_tile_ldlt(int n, double *t, const double *magnitude, double *pivot, double *reciprocal, int scalar,
                   crm_pivot_tally *tally) {
    CALL_WITH_CONSTANT_SIZE(ldlt, n, t, magnitude, pivot, reciprocal, scalar, tally);
}

// The row from `from` on whose entry in the column is largest relative to the root of its magnitude.
INLINED int choose_row(int n, int from, const double *column, const double *magnitude, const int *row_taken) {
    int best = from;
    double largest = -1.0;
    for (int i = from; i < n; i++) {
        // |t_i| / sqrt(m_i) without the root; an entry of a row that is all zero never wins.
        double m = magnitude[row_taken[i]];
        double size = m > 0.0 ? column[i] * column[i] / m : 0.0;
        if (size > largest) {
            largest = size;
            best = i;
        }
    }
    return best;
}

INLINED void lu(int n, double *t, const double *magnitude, int *row_taken, double *reciprocal, int scalar,
                crm_pivot_tally *tally) {
    for (int i = 0; i < n; i++) row_taken[i] = i;
    for (int j = 0; j < n; j++) {
        double *column = t + (ptrdiff_t)n * j;
        int row = choose_row(n, j, column, magnitude, row_taken);
        if (row != j) {
            int taken = row_taken[row];
            row_taken[row] = row_taken[j];
            row_taken[j] = taken;
            for (int l = 0; l < n; l++) {
                double swapped = t[row + (ptrdiff_t)n * l];
                t[row + (ptrdiff_t)n * l] = t[j + (ptrdiff_t)n * l];
                t[j + (ptrdiff_t)n * l] = swapped;
            }
        }
        double size = fabs(column[j]);
        double scale = sqrt(magnitude[row_taken[j]]) * sqrt(magnitude[j]); // an off-diagonal entry's natural size
        if (size > tally->tolerance * scale && size < INFINITY) {
            count_kept(column[j], scale, tally);
            reciprocal[j] = 1.0 / column[j];
        } else {
            count_left_out(column[j], scale, scalar + j, tally);
            reciprocal[j] = 0.0;
        }
        for (int i = j + 1; i < n; i++) column[i] *= reciprocal[j];
        for (int l = j + 1; l < n; l++) {
            double factor = t[j + (ptrdiff_t)n * l];
            for (int i = j + 1; i < n; i++) t[i + (ptrdiff_t)n * l] -= column[i] * factor;
        }
    }
}

void crm_tile_lu(int n, double *t, const double *magnitude, int *row_taken, double *reciprocal, int scalar,
                 crm_pivot_tally *tally) {
    CALL_WITH_CONSTANT_SIZE(lu, n, t, magnitude, row_taken, reciprocal, scalar, tally);
}
