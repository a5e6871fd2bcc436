// SPDX-License-Identifier: MIT
// The searches that run everywhere, and the choice at run time.
#include "distance/core/core_kernels.h"

#include "distance/measure.h"
#include "math/simd/lanes_two.h"

#define SMALL 0 // without a mask of comparisons in one instruction it does not pay
#include "distance/core/core_kernels_body.h"

static const crm_distance_kernels portable = {
    .name = "portable", .ray = sharp_ray, .plain_ray = plain_ray, .gap = core_gap, .plain_gap = plain_gap};

#if defined(__x86_64__)
extern const crm_distance_kernels crm_distance_kernels_avx2;
#endif

const crm_distance_kernels *crm_distance_kernels_variant(int index) {
    if (index == 0) return &portable;
#if defined(__x86_64__)
    if (index == 1 && __builtin_cpu_supports("avx2")) return &crm_distance_kernels_avx2;
#endif
    return NULL;
}

static const crm_distance_kernels *best(void) {
    const crm_distance_kernels *fast = crm_distance_kernels_variant(1);
    return fast != NULL ? fast : &portable;
}

void crm_sharp_ray(const crm_side *a, const crm_side *b, carom_vec3 beta, carom_distance_cache *cache,
                   carom_ray_witness *out) {
    best()->ray(a, b, beta, cache, out);
}

void crm_core_gap(const crm_side *a, const crm_side *b, carom_distance_cache *cache, carom_gap_witness *out) {
    best()->gap(a, b, cache, out);
}

bool crm_plain_ray(const carom_view *a, const carom_view *b, carom_distance_cache *cache, carom_ray_witness *out) {
    return best()->plain_ray(a, b, cache, out);
}

void crm_plain_gap(const carom_view *a, const carom_view *b, carom_distance_cache *cache, carom_gap_witness *out) {
    best()->plain_gap(a, b, cache, out);
}
