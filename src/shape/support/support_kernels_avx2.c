// SPDX-License-Identifier: MIT
// The scan for processors with 256-bit vectors; compiled without fused operations, which would round differently.
#if defined(__AVX2__)
#include <math.h>
#include <stdbool.h>

#include "math/simd/lanes_four.h"
#include "shape/support/support_kernels.h"

#define SMALL 32
#include "shape/support/scan_body.h"

const crm_support_kernels crm_support_kernels_avx2 = {.name = "avx2", .scan = scan};
#else
typedef int no_kernels_for_this_processor;
#endif
