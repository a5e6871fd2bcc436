// SPDX-License-Identifier: MIT
// The witness of two ellipsoids, an ellipsoid and a ball, or two balls.
#include <float.h>
#include <stddef.h>

#include "distance/ellipsoid_gap.h"
#include "distance/measure.h"

// A ball is an ellipsoid that needs no attitude.
static crm_ellipsoid ellipsoid_of_side(const crm_side *side) {
    if (side->roundness == CRM_ELLIPSOID) return crm_ellipsoid_of(side->position, side->half_axes, side->rotation);
    return crm_ellipsoid_of(side->position, crm_vec3(side->radius, side->radius, side->radius), crm_mat3_identity());
}

static crm_ellipsoid_witness measure_balls(const crm_side *a, const crm_side *b, const carom_distance_cache *cache) {
    carom_vec3 d = crm_sub(b->position, a->position), n;
    double distance = crm_normalise(d, &n);
    if (distance == 0.0) n = cache != NULL ? cache->gap_normal : n;
    if (crm_dot(n, n) == 0.0) n = crm_vec3(1.0, 0.0, 0.0);
    return (crm_ellipsoid_witness){.gap = distance - a->radius - b->radius,
                                   .normal = n,
                                   .point_a = crm_madd(a->position, a->radius, n),
                                   .point_b = crm_madd(b->position, -b->radius, n),
                                   .normal_unique = distance > 0.0,
                                   .global = true,
                                   .accuracy = 4.0 * DBL_EPSILON * (distance + a->radius + b->radius),
                                   .supports = 1};
}

void crm_ellipsoid_gap(const crm_side *a, const crm_side *b, carom_distance_cache *cache, carom_gap_witness *out) {
    crm_ellipsoid_witness w;
    if (a->roundness == CRM_BALL && b->roundness == CRM_BALL) {
        w = measure_balls(a, b, cache);
    } else {
        crm_ellipsoid first = ellipsoid_of_side(a), second = ellipsoid_of_side(b);
        bool warm = cache != NULL && crm_length_squared(cache->gap_normal) > 0.0;
        w = crm_ellipsoid_pair(&first, &second, warm ? &cache->gap_normal : NULL);
    }
    crm_write_ellipsoid_gap(&w, cache, out);
}
