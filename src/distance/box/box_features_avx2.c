// SPDX-License-Identifier: MIT
// The list of two boxes for processors with 256-bit vectors; compiled without fused operations, which would round
// differently.
#if defined(__AVX2__)
#include "distance/box/box_features.h"

#include "distance/box/box_features_body.h"

const crm_box_kernels crm_box_kernels_avx2 = {.name = "avx2", .list = list_boxes};
#else
typedef int no_kernels_for_this_processor;
#endif
