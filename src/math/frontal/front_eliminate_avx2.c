// SPDX-License-Identifier: MIT
// The kernels for processors with 256-bit vectors; compiled without fused operations, which would round differently.
#if defined(__AVX2__)
#define KERNELS crm_front_kernels_avx2
#define KERNELS_TEXT "avx2"
#include "math/frontal/front_eliminate_body.h"
#else
typedef int no_kernels_for_this_processor;
#endif
