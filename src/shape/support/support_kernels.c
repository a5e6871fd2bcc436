// SPDX-License-Identifier: MIT
// The scans that run everywhere, and the choice at run time.
#include "shape/support/support_kernels.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "math/simd/lanes_two.h"

static int scan_scalar(int count, const double *x, const double *y, const double *z, carom_vec3 d) {
    int best = 0;
    double largest = (d.x * x[0] + d.y * y[0]) + d.z * z[0];
    for (int i = 1; i < count; i++) {
        double product = (d.x * x[i] + d.y * y[i]) + d.z * z[i];
        if (product > largest) {
            largest = product;
            best = i;
        }
    }
    return best;
}

static const crm_support_kernels scalar = {.name = "scalar", .scan = scan_scalar};

#define SMALL 0 // without a mask of comparisons in one instruction it does not pay
#include "shape/support/scan_body.h"

const crm_support_kernels crm_support_kernels_portable = {.name = "portable", .scan = scan};

#if defined(__x86_64__)
extern const crm_support_kernels crm_support_kernels_avx2;
#endif

const crm_support_kernels *crm_support_kernels_variant(int index) {
    if (index == 0) return &scalar;
    if (index == 1) return &crm_support_kernels_portable;
#if defined(__x86_64__)
    if (index == 2 && __builtin_cpu_supports("avx2")) return &crm_support_kernels_avx2;
#endif
    return NULL;
}

const crm_support_kernels *crm_support_kernels_best(void) {
    const crm_support_kernels *best = crm_support_kernels_variant(0);
    for (int i = 1; crm_support_kernels_variant(i) != NULL; i++) best = crm_support_kernels_variant(i);
    return best;
}
