// SPDX-License-Identifier: MIT
// The kernels that run everywhere, and the choice at run time.
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
