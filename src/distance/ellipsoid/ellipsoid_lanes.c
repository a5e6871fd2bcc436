// SPDX-License-Identifier: MIT
// The group that runs everywhere, and the choice at run time.
#include "distance/ellipsoid/ellipsoid_lanes.h"

#include <stddef.h>

#include "math/simd/lanes_two.h"

#include "distance/ellipsoid/ellipsoid_lanes_body.h"

static const crm_ellipsoid_kernels portable = {.name = "portable", .find = find};

#if defined(__x86_64__)
extern const crm_ellipsoid_kernels crm_ellipsoid_kernels_avx2;
#endif

const crm_ellipsoid_kernels *crm_ellipsoid_kernels_variant(int index) {
    if (index == 0) return &portable;
#if defined(__x86_64__)
    if (index == 1 && __builtin_cpu_supports("avx2")) return &crm_ellipsoid_kernels_avx2;
#endif
    return NULL;
}

const crm_ellipsoid_kernels *crm_ellipsoid_kernels_best(void) {
    const crm_ellipsoid_kernels *fast = crm_ellipsoid_kernels_variant(1);
    return fast != NULL ? fast : &portable;
}
