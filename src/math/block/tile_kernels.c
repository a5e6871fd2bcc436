// SPDX-License-Identifier: MIT
// The kernels that run everywhere, and the choice at run time.
#include <stddef.h>

#include "math/block/tile_vectors.h"

// Three columns at a time: nine sums of two, a column of A and one entry of B fit into sixteen 128-bit registers.
static inline __attribute__((always_inline)) void update_tile6(int depth, const double *a, const double *b, double *c) {
    for (int column = 0; column < 6; column += 3) {
        two sum[3][3] = {{{0}}};
        for (int k = 0; k < depth; k++) {
            const two_anywhere *a_k = (const two_anywhere *)(a + 6 * k);
#pragma GCC unroll 3
            for (int j = 0; j < 3; j++) {
                double entry = b[6 * k + column + j];
                two factor = {entry, entry};
#pragma GCC unroll 3
                for (int i = 0; i < 3; i++) sum[j][i] += a_k[i] * factor;
            }
        }
#pragma GCC unroll 3
        for (int j = 0; j < 3; j++)
#pragma GCC unroll 3
            for (int i = 0; i < 3; i++) ((two_anywhere *)(c + 6 * (column + j)))[i] -= sum[j][i];
    }
}

// Two columns at a time: a column of A is three sums of two rows, of which the first tile has one and a half.
static inline __attribute__((always_inline)) void update_square3(int depth, const double *a, const double *b,
                                                                 ptrdiff_t stride, double *c_00, double *c_10,
                                                                 double *c_01, double *c_11) {
    for (int half = 0; half < 2; half++) {
        const double *b_j = b + half * stride;
        double *top = half == 0 ? c_00 : c_01, *bottom = half == 0 ? c_10 : c_11;
        two sum[3][3] = {{{0}}};
        for (int k = 0; k < depth; k++) {
            const double *a_0 = a + 3 * k, *a_1 = a_0 + stride;
            two rows[3] = {{a_0[0], a_0[1]}, {a_0[2], a_1[0]}, {a_1[1], a_1[2]}};
#pragma GCC unroll 3
            for (int j = 0; j < 3; j++) {
                two factor = {b_j[3 * k + j], b_j[3 * k + j]};
#pragma GCC unroll 3
                for (int i = 0; i < 3; i++) sum[j][i] += rows[i] * factor;
            }
        }
#pragma GCC unroll 3
        for (int j = 0; j < 3; j++) {
            top[3 * j] -= sum[j][0][0], top[3 * j + 1] -= sum[j][0][1], top[3 * j + 2] -= sum[j][1][0];
            bottom[3 * j] -= sum[j][1][1], bottom[3 * j + 1] -= sum[j][2][0], bottom[3 * j + 2] -= sum[j][2][1];
        }
    }
}

static inline __attribute__((always_inline)) void forward_strip3(int columns, const double *a, const double *x,
                                                                 double *y) {
    double y_0 = y[0], y_1 = y[1], y_2 = y[2];
    for (int k = 0; k < columns; k++, a += 3) {
        y_0 -= a[0] * x[k];
        y_1 -= a[1] * x[k];
        y_2 -= a[2] * x[k];
    }
    y[0] = y_0, y[1] = y_1, y[2] = y_2;
}

static inline __attribute__((always_inline)) void backward_strip3(int columns, const double *a, const double *y,
                                                                  double *x) {
    const double y_0 = y[0], y_1 = y[1], y_2 = y[2];
    for (int k = 0; k < columns; k++, a += 3) x[k] = ((x[k] - a[0] * y_0) - a[1] * y_1) - a[2] * y_2;
}

#define KERNELS crm_tile_kernels_portable
#define KERNELS_TEXT "portable"
#include "math/block/tile_kernels_body.h"

#if defined(__x86_64__)
extern const crm_tile_kernels crm_tile_kernels_avx2;
#endif

const crm_tile_kernels *crm_tile_kernels_variant(int index) {
    if (index == 0) return &crm_tile_kernels_portable;
#if defined(__x86_64__)
    if (index == 1 && __builtin_cpu_supports("avx2")) return &crm_tile_kernels_avx2;
#endif
    return NULL;
}

const crm_tile_kernels *crm_tile_kernels_best(void) {
    const crm_tile_kernels *best = crm_tile_kernels_variant(0);
    for (int i = 1; crm_tile_kernels_variant(i) != NULL; i++) best = crm_tile_kernels_variant(i);
    return best;
}
