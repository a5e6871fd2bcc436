// SPDX-License-Identifier: MIT
// The scan for processors with 256-bit vectors; compiled without fused operations, which would round differently.
#if defined(__AVX2__)
#include <immintrin.h>
#include <math.h>
#include <stdbool.h>

typedef __m256d four;

static inline four load(const double *at) {
    return _mm256_load_pd(at);
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

#define LANES 4
#define SMALL 32
#define lanes four
#define KERNELS crm_support_kernels_avx2
#define KERNELS_TEXT "avx2"
#include "shape/support_kernels_body.h"
#else
typedef int no_kernels_for_this_processor;
#endif
