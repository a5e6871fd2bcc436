// SPDX-License-Identifier: MIT
// The blocks for processors with 256-bit vectors; compiled without fused operations, which would round differently.
#if defined(__AVX2__)
#define KERNELS crm_rigid_block_kernels_avx2
#include "solve/rigid/newton/rigid_blocks_body.h"
#else
typedef int no_blocks_for_this_processor;
#endif
