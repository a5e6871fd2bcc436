// SPDX-License-Identifier: MIT
// Four bodies side by side: their velocities from eight doubles each to one vector a component, and back.
#ifndef CRM_SOLVE_RIGID_LANES_H
#define CRM_SOLVE_RIGID_LANES_H

#include <stddef.h>

#include "math/simd/quad.h"
#include "solve/rigid/rigid_island.h"

QUAD_INLINE void lanes_transpose(quad m[4]) {
    quad a = __builtin_shufflevector(m[0], m[1], 0, 4, 2, 6), b = __builtin_shufflevector(m[0], m[1], 1, 5, 3, 7);
    quad c = __builtin_shufflevector(m[2], m[3], 0, 4, 2, 6), d = __builtin_shufflevector(m[2], m[3], 1, 5, 3, 7);
    m[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5), m[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    m[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7), m[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

QUAD_INLINE void lanes_gather(const double *z, const int slot[CRM_RIGID_LANES], quad v[6]) {
    const double *at[4];
    for (int i = 0; i < 4; i++) {
        at[i] = z + (ptrdiff_t)CRM_RIGID_STRIDE * slot[i];
        v[i] = quad_load(at[i]);
    }
    lanes_transpose(v);
    quad even = __builtin_shufflevector(quad_load(at[0] + 4), quad_load(at[2] + 4), 0, 1, 4, 5);
    quad odd = __builtin_shufflevector(quad_load(at[1] + 4), quad_load(at[3] + 4), 0, 1, 4, 5);
    v[4] = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
    v[5] = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
}

QUAD_INLINE void lanes_scatter(double *z, const int slot[CRM_RIGID_LANES], const quad v[6]) {
    quad low[4] = {v[0], v[1], v[2], v[3]};
    lanes_transpose(low);
    quad even = __builtin_shufflevector(v[4], v[5], 0, 4, 2, 6), odd = __builtin_shufflevector(v[4], v[5], 1, 5, 3, 7);
    quad high[4] = {even, odd, quad_halves(even), quad_halves(odd)};
    for (int i = 0; i < 4; i++) {
        double *at = z + (ptrdiff_t)CRM_RIGID_STRIDE * slot[i];
        quad_store(at, low[i]);
        quad_store_low(at + 4, high[i]);
    }
}

// Row i of J on the velocities of both bodies.
QUAD_INLINE quad lanes_row(const crm_rigid_batch *k, int i, const quad a[6], const quad b[6]) {
    const double(*ja)[CRM_RIGID_LANES] = k->row_a + 6 * i, (*jb)[CRM_RIGID_LANES] = k->row_b + 6 * i;
    quad on_a = quad_load(ja[0]) * a[0], on_b = quad_load(jb[0]) * b[0];
    for (int m = 1; m < 6; m++) {
        on_a += quad_load(ja[m]) * a[m];
        on_b += quad_load(jb[m]) * b[m];
    }
    return on_a + on_b;
}

// v + J^T d, of one body.
QUAD_INLINE void lanes_push(const double *row, const quad d[3], quad v[6]) {
    for (int m = 0; m < 6; m++, row += CRM_RIGID_LANES)
        v[m] += quad_load(row) * d[0] + quad_load(row + 6 * CRM_RIGID_LANES) * d[1] +
                quad_load(row + 12 * CRM_RIGID_LANES) * d[2];
}

#endif
