// SPDX-License-Identifier: MIT
// The kernels that run everywhere, and the choice at run time.
#define KERNELS crm_front_kernels_portable
#define KERNELS_TEXT "portable"
#include "math/frontal/front_eliminate_body.h"

#if defined(__x86_64__)
extern const crm_front_kernels crm_front_kernels_avx2;
#endif

const crm_front_kernels *crm_front_kernels_variant(int index) {
    if (index == 0) return &crm_front_kernels_portable;
#if defined(__x86_64__)
    if (index == 1 && __builtin_cpu_supports("avx2")) return &crm_front_kernels_avx2;
#endif
    return NULL;
}

const crm_front_kernels *crm_front_kernels_best(void) {
    const crm_front_kernels *best = crm_front_kernels_variant(0);
    for (int i = 1; crm_front_kernels_variant(i) != NULL; i++) best = crm_front_kernels_variant(i);
    return best;
}
