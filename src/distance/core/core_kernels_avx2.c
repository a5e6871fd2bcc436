// SPDX-License-Identifier: MIT
// The searches for processors with 256-bit vectors; compiled without fused operations, which would round differently.
#if defined(__AVX2__)
#include "math/simd/lanes_four.h"

#define SMALL 32
#include "distance/core/core_kernels_body.h"

const crm_distance_kernels crm_distance_kernels_avx2 = {
    .name = "avx2", .ray = sharp_ray, .plain_ray = plain_ray, .gap = core_gap, .plain_gap = plain_gap};
#else
typedef int no_kernels_for_this_processor;
#endif
