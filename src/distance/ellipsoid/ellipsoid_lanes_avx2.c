// SPDX-License-Identifier: MIT
// The group for processors with 256-bit vectors; compiled without fused operations, which would round differently.
#if defined(__AVX2__)
#include "math/simd/lanes_four.h"

#include "distance/ellipsoid/ellipsoid_lanes_body.h"

const crm_ellipsoid_kernels crm_ellipsoid_kernels_avx2 = {.name = "avx2", .find = find};
#else
typedef int no_kernels_for_this_processor;
#endif
