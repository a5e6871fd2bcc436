// SPDX-License-Identifier: MIT
// Four doubles side by side, for kernels whose text is compiled once per instruction set: with 256-bit vectors each
// function below is an instruction or two, without them the compiler splits it. The results are the same bits.
//
//   make     quad_fill  quad_load  quad_load_any  quad_store  quad_store_low
//   pick     quad_choose  quad_lane  quad_next (1 2 0 3)  quad_last (2 0 1 3)  quad_first (0 0 0 0)
//            quad_halves (2 3 0 1)  quad_pairs (1 0 3 2)
//   signs    quad_signs: bit i is set where lane i is negative (or -0); quad_abs; quad_root
//
// Operators + - * / and comparisons work lane by lane.
#ifndef CRM_MATH_QUAD_H
#define CRM_MATH_QUAD_H

#include <stdint.h>
#if defined(__x86_64__)
#include <immintrin.h>
#else
#include <math.h>
#endif

// Every function is inlined: none of the vectors crosses a call whose convention could depend on the instruction set.
#pragma GCC diagnostic ignored "-Wpsabi"
#define QUAD_INLINE static inline __attribute__((always_inline))

typedef double quad __attribute__((vector_size(32)));
typedef int64_t quad_mask __attribute__((vector_size(32))); // what a comparison gives: -1 where it holds, 0 elsewhere

QUAD_INLINE quad quad_fill(double value) {
    return (quad){value, value, value, value};
}

// From and to 32-byte boundaries.
QUAD_INLINE quad quad_load(const double *at) {
    return *(const quad *)at;
}

// From any double.
QUAD_INLINE quad quad_load_any(const double *at) {
    typedef double unaligned_quad __attribute__((vector_size(32), aligned(8), may_alias));
    return *(const unaligned_quad *)at;
}

QUAD_INLINE void quad_store(double *at, quad value) {
    *(quad *)at = value;
}

// Lanes 0 and 1, to a 16-byte boundary.
QUAD_INLINE void quad_store_low(double *at, quad value) {
    typedef double pair __attribute__((vector_size(16), may_alias));
    *(pair *)at = (pair){value[0], value[1]};
}

// a where the comparison held, else b.
QUAD_INLINE quad quad_choose(quad_mask held, quad a, quad b) {
#if defined(__AVX2__)
    return _mm256_blendv_pd(b, a, (quad)held);
#else
    return (quad)((held & (quad_mask)a) | (~held & (quad_mask)b));
#endif
}

// The larger of each pair; b where they are equal or one is not a number.
QUAD_INLINE quad quad_larger(quad a, quad b) {
#if defined(__AVX2__)
    return _mm256_max_pd(a, b);
#else
    return quad_choose(a > b, a, b);
#endif
}

QUAD_INLINE quad quad_next(quad a) {
    return __builtin_shufflevector(a, a, 1, 2, 0, 3);
}

QUAD_INLINE quad quad_last(quad a) {
    return __builtin_shufflevector(a, a, 2, 0, 1, 3);
}

QUAD_INLINE quad quad_first(quad a) {
    return __builtin_shufflevector(a, a, 0, 0, 0, 0);
}

QUAD_INLINE quad quad_halves(quad a) {
    return __builtin_shufflevector(a, a, 2, 3, 0, 1);
}

QUAD_INLINE quad quad_pairs(quad a) {
    return __builtin_shufflevector(a, a, 1, 0, 3, 2);
}

// Lane `index` everywhere.
QUAD_INLINE quad quad_lane(quad a, int index) {
#if defined(__AVX2__)
    __m256i at = _mm256_set1_epi64x((int64_t)(2 * index) | ((int64_t)(2 * index + 1) << 32));
    return (quad)_mm256_permutevar8x32_epi32((__m256i)a, at);
#else
    return quad_fill(a[index]);
#endif
}

QUAD_INLINE quad quad_abs(quad a) {
    return (quad)((quad_mask)a & (quad_mask){INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX});
}

// Rounded correctly, as sqrt.
QUAD_INLINE quad quad_root(quad a) {
#if defined(__AVX2__)
    return _mm256_sqrt_pd(a);
#elif defined(__x86_64__)
    __m128d low = _mm_sqrt_pd((__m128d){a[0], a[1]}), high = _mm_sqrt_pd((__m128d){a[2], a[3]});
    return (quad){low[0], low[1], high[0], high[1]};
#else
    return (quad){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])};
#endif
}

QUAD_INLINE unsigned quad_signs(quad a) {
#if defined(__AVX2__)
    return (unsigned)_mm256_movemask_pd(a);
#else
    quad_mask bits = (quad_mask)a;
    return (unsigned)(bits[0] < 0) | (unsigned)(bits[1] < 0) << 1 | (unsigned)(bits[2] < 0) << 2 |
           (unsigned)(bits[3] < 0) << 3;
#endif
}

// Bit i is set where lane i is equal.
QUAD_INLINE unsigned quad_equal(quad a, quad b) {
    return quad_signs((quad)(a == b));
}

#endif
