// SPDX-License-Identifier: MIT
// The searches on cores, once per instruction set. All tables give the same bits.
//
// The room core/: two sides enter whose cores are vertices, perhaps with a ball around; the ray or the gap leaves, with
// the vertices that carry it. Called by find_ray.c and find_gap.c through measure.h, for every pair without an
// ellipsoid.
#ifndef CRM_DISTANCE_CORE_KERNELS_H
#define CRM_DISTANCE_CORE_KERNELS_H

#include "distance/side.h"

typedef struct crm_distance_kernels {
    const char *name;
    // crm_sharp_ray and crm_core_gap of measure.h.
    void (*ray)(const crm_side *a, const crm_side *b, carom_vec3 beta, carom_distance_cache *cache,
                carom_ray_witness *out);
    // The whole of carom_ray_find, but for tie breaking, for boxes and polytopes seen from their own centres. False
    // when it is not that simple.
    bool (*plain_ray)(const carom_view *a, const carom_view *b, carom_distance_cache *cache, carom_ray_witness *out);
    void (*gap)(const crm_side *a, const crm_side *b, carom_distance_cache *cache, carom_gap_witness *out);
    // The same for carom_gap_find.
    void (*plain_gap)(const carom_view *a, const carom_view *b, carom_distance_cache *cache, carom_gap_witness *out);
} crm_distance_kernels;

// All tables that this processor can run, for tests and benchmarks, the fastest last; NULL past it.
const crm_distance_kernels *crm_distance_kernels_variant(int index);

#endif
