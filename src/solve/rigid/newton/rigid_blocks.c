// SPDX-License-Identifier: MIT
// The blocks that run everywhere, and the choice at run time.
#define KERNELS crm_rigid_block_kernels_portable
#include "solve/rigid/newton/rigid_blocks_body.h"

const crm_rigid_block_kernels *crm_rigid_block_kernels_variant(int index) {
    if (index == 0) return &crm_rigid_block_kernels_portable;
#if defined(__x86_64__)
    if (index == 1 && __builtin_cpu_supports("avx2")) return &crm_rigid_block_kernels_avx2;
#endif
    return NULL;
}

const crm_rigid_block_kernels *crm_rigid_block_kernels_best(void) {
    const crm_rigid_block_kernels *fast = crm_rigid_block_kernels_variant(1);
    return fast != NULL ? fast : &crm_rigid_block_kernels_portable;
}
