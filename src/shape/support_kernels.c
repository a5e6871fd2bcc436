// SPDX-License-Identifier: MIT
// The scans that run everywhere, and the choice at run time.
#include "shape/support_kernels.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

// Vectors of the compiler's own kind, two numbers wide: every 64-bit processor has them.
typedef double two __attribute__((vector_size(16)));
typedef int64_t two_masks __attribute__((vector_size(16)));

static inline two load(const double *at) {
    return *(const two *)at;
}

static inline two fill(double value) {
    return (two){value, value};
}

static inline two choose(two_masks mask, two a, two b) {
    return (two)((mask & (two_masks)a) | (~mask & (two_masks)b));
}

static inline two larger(two a, two b) {
    return choose(a > b, a, b);
}

static inline two fill_largest(two a) {
    return larger(a, (two){a[1], a[0]});
}

static inline unsigned equal_mask(two a, two b) {
    two_masks mask = a == b;
    return (unsigned)(mask[0] & 1) | (unsigned)(mask[1] & 2);
}

#define LANES 2
#define SMALL 0 // without a mask of comparisons in one instruction it does not pay
#define lanes two
#define KERNELS crm_support_kernels_portable
#define KERNELS_TEXT "portable"
#include "shape/support_kernels_body.h"

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
