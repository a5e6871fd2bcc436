// SPDX-License-Identifier: MIT
// Lanes of a batch side by side: four with 256-bit vectors, two at a time without them. Lanes of a batch share no body
// that can move, so both ways give the same bits.
//
//   WIDTH, wide, wide_mask     lanes at a time; their numbers; what a comparison gives
//   wide_*                     as quad_* of quad.h
//   lanes_gather, _scatter     velocities of bodies, from eight doubles each to one vector a component, and back; those
//                              of slot 0 are read only, as all threads do
#ifndef CRM_SOLVE_RIGID_LANES_H
#define CRM_SOLVE_RIGID_LANES_H

#include <stddef.h>

#include "math/simd/quad.h"
#include "solve/rigid/rigid_island.h"

#if defined(__AVX2__)

enum { WIDTH = 4, ALL_LANES = 15 };
typedef quad wide;
typedef quad_mask wide_mask;
#define wide_fill quad_fill
#define wide_load quad_load
#define wide_store quad_store
#define wide_choose quad_choose
#define wide_larger quad_larger
#define wide_abs quad_abs
#define wide_root quad_root
#define wide_signs quad_signs

// Four rows become four columns.
QUAD_INLINE void lanes_transpose(quad m[4]) {
    quad a = __builtin_shufflevector(m[0], m[1], 0, 4, 2, 6), b = __builtin_shufflevector(m[0], m[1], 1, 5, 3, 7);
    quad c = __builtin_shufflevector(m[2], m[3], 0, 4, 2, 6), d = __builtin_shufflevector(m[2], m[3], 1, 5, 3, 7);
    m[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5), m[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    m[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7), m[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

// Structures of doubles side by side: components first ... first + 3.
QUAD_INLINE void lanes_members(const double *const of[WIDTH], int first, wide out[4]) {
    for (int l = 0; l < 4; l++) out[l] = quad_load_any(of[l] + first);
    lanes_transpose(out);
}

QUAD_INLINE void lanes_gather(const double *z, const int slot[WIDTH], wide v[6]) {
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

QUAD_INLINE void lanes_scatter(double *z, const int slot[WIDTH], const wide v[6]) {
    quad low[4] = {v[0], v[1], v[2], v[3]};
    lanes_transpose(low);
    quad even = __builtin_shufflevector(v[4], v[5], 0, 4, 2, 6), odd = __builtin_shufflevector(v[4], v[5], 1, 5, 3, 7);
    quad high[4] = {even, odd, quad_halves(even), quad_halves(odd)};
    for (int i = 0; i < 4; i++) {
        double *at = z + (ptrdiff_t)CRM_RIGID_STRIDE * slot[i];
        if (slot[i] == 0) continue;
        quad_store(at, low[i]);
        quad_store_low(at + 4, high[i]);
    }
}

#else

// Every 64-bit processor has vectors of two.
enum { WIDTH = 2, ALL_LANES = 3 };
typedef double wide __attribute__((vector_size(16)));
typedef int64_t wide_mask __attribute__((vector_size(16)));

QUAD_INLINE wide wide_fill(double value) {
    return (wide){value, value};
}

QUAD_INLINE wide wide_load(const double *at) {
    return *(const wide *)at;
}

QUAD_INLINE wide wide_load_any(const double *at) {
    typedef double unaligned_wide __attribute__((vector_size(16), aligned(8), may_alias));
    return *(const unaligned_wide *)at;
}

QUAD_INLINE void wide_store(double *at, wide value) {
    *(wide *)at = value;
}

QUAD_INLINE wide wide_choose(wide_mask held, wide a, wide b) {
    return (wide)((held & (wide_mask)a) | (~held & (wide_mask)b));
}

QUAD_INLINE wide wide_larger(wide a, wide b) {
    return wide_choose(a > b, a, b);
}

QUAD_INLINE wide wide_abs(wide a) {
    return (wide)((wide_mask)a & (wide_mask){INT64_MAX, INT64_MAX});
}

QUAD_INLINE wide wide_root(wide a) {
#if defined(__x86_64__)
    return _mm_sqrt_pd(a);
#else
    return (wide){sqrt(a[0]), sqrt(a[1])};
#endif
}

QUAD_INLINE unsigned wide_signs(wide a) {
#if defined(__x86_64__)
    return (unsigned)_mm_movemask_pd(a);
#else
    wide_mask bits = (wide_mask)a;
    return (unsigned)(bits[0] < 0) | (unsigned)(bits[1] < 0) << 1;
#endif
}

QUAD_INLINE void lanes_members(const double *const of[WIDTH], int first, wide out[4]) {
    for (int i = 0; i < 4; i += 2) {
        wide a = wide_load_any(of[0] + first + i), b = wide_load_any(of[1] + first + i);
        out[i] = __builtin_shufflevector(a, b, 0, 2);
        out[i + 1] = __builtin_shufflevector(a, b, 1, 3);
    }
}

QUAD_INLINE void lanes_gather(const double *z, const int slot[WIDTH], wide v[6]) {
    const double *za = z + (ptrdiff_t)CRM_RIGID_STRIDE * slot[0], *zb = z + (ptrdiff_t)CRM_RIGID_STRIDE * slot[1];
    for (int i = 0; i < 6; i += 2) {
        wide a = wide_load(za + i), b = wide_load(zb + i);
        v[i] = __builtin_shufflevector(a, b, 0, 2);
        v[i + 1] = __builtin_shufflevector(a, b, 1, 3);
    }
}

QUAD_INLINE void lanes_scatter(double *z, const int slot[WIDTH], const wide v[6]) {
    double *za = z + (ptrdiff_t)CRM_RIGID_STRIDE * slot[0], *zb = z + (ptrdiff_t)CRM_RIGID_STRIDE * slot[1];
    for (int i = 0; i < 6; i += 2) {
        if (slot[0] != 0) wide_store(za + i, __builtin_shufflevector(v[i], v[i + 1], 0, 2));
        if (slot[1] != 0) wide_store(zb + i, __builtin_shufflevector(v[i], v[i + 1], 1, 3));
    }
}

#endif

// a where the comparison held, else 0.
QUAD_INLINE wide wide_keep(wide_mask held, wide a) {
    return (wide)(held & (wide_mask)a);
}

// Row i of J on the velocities of both bodies, of the lanes from `at` on.
QUAD_INLINE wide lanes_row(const crm_rigid_batch *k, int at, int i, const wide a[6], const wide b[6]) {
    const double *ja = k->row_a[6 * i] + at, *jb = k->row_b[6 * i] + at;
    wide on_a = wide_load(ja) * a[0], on_b = wide_load(jb) * b[0];
    for (int m = 1; m < 6; m++) {
        on_a += wide_load(ja + CRM_RIGID_LANES * m) * a[m];
        on_b += wide_load(jb + CRM_RIGID_LANES * m) * b[m];
    }
    return on_a + on_b;
}

// v + J^T d, of one body; `row` is the first number of its rows in the first of the lanes.
QUAD_INLINE void lanes_push(const double *row, const wide d[3], wide v[6]) {
    for (int m = 0; m < 6; m++, row += CRM_RIGID_LANES)
        v[m] += wide_load(row) * d[0] + wide_load(row + 6 * CRM_RIGID_LANES) * d[1] +
                wide_load(row + 12 * CRM_RIGID_LANES) * d[2];
}

#endif
