// SPDX-License-Identifier: MIT
// The kernels for processors with 256-bit vectors; compiled without fused operations, which would round differently.
#if defined(__AVX2__)
#include <immintrin.h>
#include <stddef.h>

static inline __attribute__((always_inline)) void take_off_four(double *c, __m256d sum) {
    _mm256_storeu_pd(c, _mm256_sub_pd(_mm256_loadu_pd(c), sum));
}

static inline __attribute__((always_inline)) void take_off_two(double *c, __m128d sum) {
    _mm_storeu_pd(c, _mm_sub_pd(_mm_loadu_pd(c), sum));
}

// All six columns at once. The upper four rows of a column are one vector; the lower two share one with those of the
// next column, so that no lane is idle: nine sums instead of twelve. Intrinsics, because the compiler makes the same in
// its own vector types into three times as many shuffles.
static inline __attribute__((always_inline)) void update_tile6(int depth, const double *a, const double *b, double *c) {
    __m256d upper[6], lower[3];
#pragma GCC unroll 6
    for (int j = 0; j < 6; j++) upper[j] = _mm256_setzero_pd();
#pragma GCC unroll 3
    for (int pair = 0; pair < 3; pair++) lower[pair] = _mm256_setzero_pd();
    for (int k = 0; k < depth; k++, a += 6, b += 6) {
        __m256d a_upper = _mm256_loadu_pd(a), a_lower = _mm256_broadcast_pd((const __m128d *)(a + 4));
#pragma GCC unroll 3
        for (int pair = 0; pair < 3; pair++) {
            __m256d even = _mm256_broadcast_sd(b + 2 * pair), odd = _mm256_broadcast_sd(b + 2 * pair + 1);
            upper[2 * pair] = _mm256_add_pd(upper[2 * pair], _mm256_mul_pd(a_upper, even));
            upper[2 * pair + 1] = _mm256_add_pd(upper[2 * pair + 1], _mm256_mul_pd(a_upper, odd));
            __m256d both = _mm256_blend_pd(even, odd, 0xc);
            lower[pair] = _mm256_add_pd(lower[pair], _mm256_mul_pd(a_lower, both));
        }
    }
#pragma GCC unroll 3
    for (int pair = 0; pair < 3; pair++) {
        take_off_four(c + 12 * pair, upper[2 * pair]);
        take_off_two(c + 12 * pair + 4, _mm256_castpd256_pd128(lower[pair]));
        take_off_four(c + 12 * pair + 6, upper[2 * pair + 1]);
        take_off_two(c + 12 * pair + 10, _mm256_extractf128_pd(lower[pair], 1));
    }
}

// Three rows of a column of C: lanes 0 to 2 of a sum, or its lane 3 and two of another.
static inline __attribute__((always_inline)) void take_off_top(double *c, __m256d upper) {
    take_off_two(c, _mm256_castpd256_pd128(upper));
    c[2] -= _mm_cvtsd_f64(_mm256_extractf128_pd(upper, 1));
}

static inline __attribute__((always_inline)) void take_off_bottom(double *c, __m256d upper, __m128d lower) {
    __m128d high = _mm256_extractf128_pd(upper, 1);
    c[0] -= _mm_cvtsd_f64(_mm_unpackhi_pd(high, high));
    take_off_two(c + 1, lower);
}

// As a tile of six rows and columns: lanes are rows 0, 1, 2 of the first tile and 0 of the second; its rows 1 and 2
// share a vector with those of the next column.
static inline __attribute__((always_inline)) void update_square3(int depth, const double *a, const double *b,
                                                                 ptrdiff_t stride, double *c_00, double *c_10,
                                                                 double *c_01, double *c_11) {
    __m256d upper[6], lower[3];
#pragma GCC unroll 6
    for (int j = 0; j < 6; j++) upper[j] = _mm256_setzero_pd();
#pragma GCC unroll 3
    for (int pair = 0; pair < 3; pair++) lower[pair] = _mm256_setzero_pd();
    const double *a_1 = a + stride, *b_1 = b + stride;
    for (int k = 0; k < depth; k++, a += 3, a_1 += 3, b += 3, b_1 += 3) {
        // The lane behind the first tile's last row is in the second tile.
        __m256d a_upper = _mm256_blend_pd(_mm256_loadu_pd(a), _mm256_broadcast_sd(a_1), 0x8);
        __m256d a_lower = _mm256_broadcast_pd((const __m128d *)(a_1 + 1));
        const double *const columns[6] = {b, b + 1, b + 2, b_1, b_1 + 1, b_1 + 2};
#pragma GCC unroll 3
        for (int pair = 0; pair < 3; pair++) {
            __m256d even = _mm256_broadcast_sd(columns[2 * pair]), odd = _mm256_broadcast_sd(columns[2 * pair + 1]);
            upper[2 * pair] = _mm256_add_pd(upper[2 * pair], _mm256_mul_pd(a_upper, even));
            upper[2 * pair + 1] = _mm256_add_pd(upper[2 * pair + 1], _mm256_mul_pd(a_upper, odd));
            __m256d both = _mm256_blend_pd(even, odd, 0xc);
            lower[pair] = _mm256_add_pd(lower[pair], _mm256_mul_pd(a_lower, both));
        }
    }
#pragma GCC unroll 6
    for (int j = 0; j < 6; j++) {
        __m128d rows = j % 2 == 0 ? _mm256_castpd256_pd128(lower[j / 2]) : _mm256_extractf128_pd(lower[j / 2], 1);
        take_off_top((j < 3 ? c_00 : c_01) + 3 * (j % 3), upper[j]);
        take_off_bottom((j < 3 ? c_10 : c_11) + 3 * (j % 3), upper[j], rows);
    }
}

// A column is three lanes; the fourth is of the next one, and nothing comes of it. There is none behind the last.
static inline __attribute__((always_inline)) void forward_strip3(int columns, const double *a, const double *x,
                                                                 double *y) {
    __m256d sum = _mm256_set_pd(0.0, y[2], y[1], y[0]);
    for (int k = 0; k + 1 < columns; k++, a += 3)
        sum = _mm256_sub_pd(sum, _mm256_mul_pd(_mm256_loadu_pd(a), _mm256_broadcast_sd(x + k)));
    sum = _mm256_sub_pd(sum, _mm256_mul_pd(_mm256_set_pd(0.0, a[2], a[1], a[0]), _mm256_broadcast_sd(x + columns - 1)));
    _mm_storeu_pd(y, _mm256_castpd256_pd128(sum));
    _mm_store_sd(y + 2, _mm256_extractf128_pd(sum, 1));
}

// Four columns at a time: twelve numbers become four of each row.
static inline __attribute__((always_inline)) void backward_strip3(int columns, const double *a, const double *y,
                                                                  double *x) {
    const __m256d y_0 = _mm256_broadcast_sd(y), y_1 = _mm256_broadcast_sd(y + 1), y_2 = _mm256_broadcast_sd(y + 2);
    int k = 0;
    for (; k + 4 <= columns; k += 4, a += 12) {
        // Rows a, b, c: a0 b0 c0 a1, b1 c1 a2 b2, c2 a3 b3 c3.
        __m256d first = _mm256_loadu_pd(a), second = _mm256_loadu_pd(a + 4), third = _mm256_loadu_pd(a + 8);
        __m256d ab = _mm256_blend_pd(first, second, 0xc);        // a0 b0 a2 b2
        __m256d ca = _mm256_permute2f128_pd(first, third, 0x21); // c0 a1 c2 a3
        __m256d bc = _mm256_blend_pd(second, third, 0xc);        // b1 c1 b3 c3
        __m256d x_k = _mm256_loadu_pd(x + k);
        x_k = _mm256_sub_pd(x_k, _mm256_mul_pd(_mm256_blend_pd(ab, ca, 0xa), y_0));
        x_k = _mm256_sub_pd(x_k, _mm256_mul_pd(_mm256_shuffle_pd(ab, bc, 0x5), y_1));
        x_k = _mm256_sub_pd(x_k, _mm256_mul_pd(_mm256_blend_pd(ca, bc, 0xa), y_2));
        _mm256_storeu_pd(x + k, x_k);
    }
    for (; k < columns; k++, a += 3) x[k] = ((x[k] - a[0] * y[0]) - a[1] * y[1]) - a[2] * y[2];
}

#define KERNELS crm_tile_kernels_avx2
#define KERNELS_TEXT "avx2"
#include "math/block/tile_kernels_body.h"
#else
typedef int no_kernels_for_this_processor;
#endif
