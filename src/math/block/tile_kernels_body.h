// SPDX-License-Identifier: MIT
// The part of a kernel table that is the same text for every instruction set, compiled once for each. The file that
// includes it has defined
//   KERNELS         name of the table
//   KERNELS_TEXT    what it is called in reports
//   update_tile6    C -= A B^T for 6 x 6 tiles: the one loop where the number and width of the registers matter
//   forward_strip3, backward_strip3  one strip of forward3 and backward3
//   update_square3  the same for two 3 x 3 tiles A_i and two B_j, `stride` apart: C_00, C_10, C_01, C_11
#include "math/block/tile_kernels.h"
#include "math/block/tile_vectors.h"

// Rows and columns are constants at every call that matters, so that the loops are unrolled.
static inline __attribute__((always_inline)) void update_tile(int rows, int columns, int depth, const double *a,
                                                              const double *b, double *c) {
    enum { AT_ONCE = 8 };
    for (int first = 0; first < rows; first += AT_ONCE) {
        int count = rows - first < AT_ONCE ? rows - first : AT_ONCE;
        for (int j = 0; j < columns; j++) {
            double sum[AT_ONCE] = {0};
            for (int k = 0; k < depth; k++)
                for (int i = 0; i < count; i++)
                    sum[i] += a[first + i + (ptrdiff_t)rows * k] * b[j + (ptrdiff_t)columns * k];
            for (int i = 0; i < count; i++) c[first + i + (ptrdiff_t)rows * j] -= sum[i];
        }
    }
}

static void update(int rows, int columns, int depth, const double *a, const double *b, double *c) {
    if (rows == 6 && columns == 6)
        update_tile6(depth, a, b, c);
    else if (rows == 6 && columns == 3)
        update_tile(6, 3, depth, a, b, c);
    else if (rows == 3 && columns == 6)
        update_tile(3, 6, depth, a, b, c);
    else if (rows == 3 && columns == 3)
        update_tile(3, 3, depth, a, b, c);
    else
        update_tile(rows, columns, depth, a, b, c);
}

// Row by row: a strip of A and the tiles of C behind each other pass once, the few strips of B stay in the cache.
static void update6(int rows, int columns, int below, int depth, const double *a, const double *b, ptrdiff_t stride,
                    double *c, const int *row_offset, const int *column_offset) {
    for (int i = below; i < rows; i++) {
        int end = i - below < columns ? i - below + 1 : columns;
        for (int j = 0; j < end; j++)
            update_tile6(depth, a + i * stride, b + j * stride, c + row_offset[i] + column_offset[j]);
    }
}

// Two rows of tiles with two columns at a time; what is left over, by the diagonal too, tile by tile.
static void update3(int rows, int columns, int below, int depth, const double *a, const double *b, ptrdiff_t stride,
                    double *c, const int *row_offset, const int *column_offset) {
    for (int i = below; i < rows; i += 2) {
        int both = i + 1 < rows, j = 0, end = i - below < columns ? i - below + 1 : columns;
        const double *a_i = a + i * stride;
        double *c_0 = c + row_offset[i], *c_1 = both ? c + row_offset[i + 1] : NULL;
        for (; both && j + 2 <= end; j += 2)
            update_square3(depth, a_i, b + j * stride, stride, c_0 + column_offset[j], c_1 + column_offset[j],
                           c_0 + column_offset[j + 1], c_1 + column_offset[j + 1]);
        for (int k = j; k < end; k++) update_tile(3, 3, depth, a_i, b + k * stride, c_0 + column_offset[k]);
        int last = end + (end < columns);
        for (int k = j; both && k < last; k++)
            update_tile(3, 3, depth, a_i + stride, b + k * stride, c_1 + column_offset[k]);
    }
}

static inline __attribute__((always_inline)) void solve_tile(int rows, int columns, const double *t,
                                                             const double *reciprocal, double *x) {
    for (int j = 0; j < columns; j++) {
        double *x_j = x + (ptrdiff_t)rows * j;
        for (int i = 0; i < rows; i++) x_j[i] *= reciprocal[j];
        for (int l = j + 1; l < columns; l++) {
            double factor = t[l + (ptrdiff_t)columns * j];
            for (int i = 0; i < rows; i++) x[i + (ptrdiff_t)rows * l] -= x_j[i] * factor;
        }
    }
}

static inline __attribute__((always_inline)) void solve_tile6(const double *t, const double *reciprocal, double *x) {
    four upper[6];
    two lower[6];
#pragma GCC unroll 6
    for (int j = 0; j < 6; j++) {
        upper[j] = *(const four_anywhere *)(x + 6 * j);
        lower[j] = *(const two_anywhere *)(x + 6 * j + 4);
    }
#pragma GCC unroll 6
    for (int j = 0; j < 6; j++) {
        upper[j] *= reciprocal[j];
        lower[j] *= reciprocal[j];
#pragma GCC unroll 6
        for (int l = j + 1; l < 6; l++) {
            double factor = t[l + 6 * j];
            upper[l] -= upper[j] * factor;
            lower[l] -= lower[j] * factor;
        }
    }
#pragma GCC unroll 6
    for (int j = 0; j < 6; j++) {
        *(four_anywhere *)(x + 6 * j) = upper[j];
        *(two_anywhere *)(x + 6 * j + 4) = lower[j];
    }
}

static void solve(int rows, int columns, const double *t, const double *reciprocal, double *x) {
    if (rows == 6 && columns == 6)
        solve_tile6(t, reciprocal, x);
    else if (rows == 3 && columns == 3)
        solve_tile(3, 3, t, reciprocal, x);
    else if (rows == 6 && columns == 3)
        solve_tile(6, 3, t, reciprocal, x);
    else if (rows == 3 && columns == 6)
        solve_tile(3, 6, t, reciprocal, x);
    else
        solve_tile(rows, columns, t, reciprocal, x);
}

static void solve6(int count, const double *t, const double *reciprocal, double *x, ptrdiff_t x_stride) {
    for (int i = 0; i < count; i++) solve_tile6(t, reciprocal, x + i * x_stride);
}

static void forward3(int count, int columns, const double *a, const int *row, const double *x, double *y) {
    for (int i = 0; i < count; i++, a += 3 * (ptrdiff_t)columns)
        forward_strip3(columns, a, x, y + 3 * (ptrdiff_t)row[i]);
}

static void backward3(int count, int columns, const double *a, const int *row, const double *y, double *x) {
    for (int i = count - 1; i >= 0; i--)
        backward_strip3(columns, a + 3 * (ptrdiff_t)columns * i, y + 3 * (ptrdiff_t)row[i], x);
}

const crm_tile_kernels KERNELS = {.name = KERNELS_TEXT,
                                  .update = update,
                                  .update6 = update6,
                                  .update3 = update3,
                                  .solve = solve,
                                  .solve6 = solve6,
                                  .forward3 = forward3,
                                  .backward3 = backward3};
