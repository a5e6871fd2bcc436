// SPDX-License-Identifier: MIT
// Short vectors of 256 bits: see lanes_two.h. For sources that are compiled for such processors, without fused
// operations, which would round differently.
#ifndef CRM_MATH_LANES
#define CRM_MATH_LANES

#include <immintrin.h>
#include <stdint.h>

#define LANES 4
#define lanes four
#define masks four_masks

typedef __m256d four;
typedef int64_t four_masks __attribute__((vector_size(32)));

static inline four load(const double *at) {
    return _mm256_load_pd(at);
}

static inline void store(double *at, four value) {
    _mm256_store_pd(at, value);
}

static inline four fill(double value) {
    return _mm256_set1_pd(value);
}

// The comparison's mask as a vector of numbers, whose sign bits choose.
#define choose(mask, a, b) _mm256_blendv_pd((b), (a), (four)(mask))

// Gives its second operand for equal ones, which differ only if they are zeros of different sign.
static inline four larger(four a, four b) {
    return _mm256_max_pd(a, b);
}

static inline four fill_largest(four a) {
    four b = _mm256_max_pd(a, _mm256_permute2f128_pd(a, a, 1));
    return _mm256_max_pd(b, _mm256_permute_pd(b, 5));
}

static inline unsigned equal_mask(four a, four b) {
    return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_EQ_OQ));
}

static inline unsigned mask_bits(four_masks mask) {
    return (unsigned)_mm256_movemask_pd((four)mask);
}

static inline four root(four a) {
    return _mm256_sqrt_pd(a);
}

#endif
