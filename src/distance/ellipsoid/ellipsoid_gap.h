// SPDX-License-Identifier: MIT
// From the witness of two ellipsoids to that of two shapes.
#ifndef CRM_DISTANCE_ELLIPSOID_GAP_H
#define CRM_DISTANCE_ELLIPSOID_GAP_H

#include <float.h>
#include <stddef.h>
#include <string.h>

#include "carom/distance.h"
#include "distance/ellipsoid/ellipsoid.h"

// All weight on the one vertex. In pieces, which compilers store; a whole touch they clear by a slow loop.
static inline void crm_touch_centre(carom_touch *touch) {
    touch->part = 0;
    touch->vertex_count = 1;
    memset(touch->vertices, 0, sizeof touch->vertices);
    touch->weights[0] = 1.0;
    memset(touch->weights + 1, 0, sizeof touch->weights - sizeof touch->weights[0]);
}

// Two balls. Where their centres coincide the normal is `last`, or x where that is zero.
static inline crm_ellipsoid_witness crm_ball_pair(carom_vec3 a, double radius_a, carom_vec3 b, double radius_b,
                                                  carom_vec3 last) {
    carom_vec3 n;
    double distance = crm_normalise(crm_sub(b, a), &n);
    if (distance == 0.0) n = crm_dot(last, last) == 0.0 ? crm_vec3(1.0, 0.0, 0.0) : last;
    return (crm_ellipsoid_witness){.gap = distance - radius_a - radius_b,
                                   .normal = n,
                                   .point_a = crm_madd(a, radius_a, n),
                                   .point_b = crm_madd(b, -radius_b, n),
                                   .normal_unique = distance > 0.0,
                                   .global = true,
                                   .accuracy = 4.0 * DBL_EPSILON * (distance + radius_a + radius_b),
                                   .supports = 1};
}

// The normal goes into the cache, which may be NULL.
static inline void crm_write_ellipsoid_gap(const crm_ellipsoid_witness *w, carom_distance_cache *cache,
                                           carom_gap_witness *out) {
    out->gap = w->gap;
    out->normal = w->normal;
    out->point_a = w->point_a;
    out->point_b = w->point_b;
    crm_touch_centre(&out->a);
    crm_touch_centre(&out->b);
    out->normal_unique = w->normal_unique;
    out->points_unique = true;
    out->global = w->global;
    out->accuracy = w->accuracy;
    out->supports = w->supports;
    if (cache != NULL) cache->gap_normal = w->normal;
}

#endif
