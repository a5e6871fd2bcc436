// SPDX-License-Identifier: MIT
// The witness of two ellipsoids, an ellipsoid and a ball, or two balls.
#include <stddef.h>

#include "distance/ellipsoid/ellipsoid_gap.h"
#include "distance/measure.h"

// A ball is an ellipsoid that needs no attitude.
static crm_ellipsoid ellipsoid_of_side(const crm_side *side) {
    if (side->roundness == CRM_ELLIPSOID) return crm_ellipsoid_of(side->position, side->half_axes, side->rotation);
    return crm_ellipsoid_of(side->position, crm_vec3(side->radius, side->radius, side->radius), crm_mat3_identity());
}

void crm_ellipsoid_gap(const crm_side *a, const crm_side *b, carom_distance_cache *cache, carom_gap_witness *out) {
    crm_ellipsoid_witness w;
    if (a->roundness == CRM_BALL && b->roundness == CRM_BALL) {
        carom_vec3 last = cache != NULL ? cache->gap_normal : crm_vec3_zero();
        w = crm_ball_pair(a->position, a->radius, b->position, b->radius, last);
    } else {
        crm_ellipsoid first = ellipsoid_of_side(a), second = ellipsoid_of_side(b);
        bool warm = cache != NULL && crm_length_squared(cache->gap_normal) > 0.0;
        w = crm_ellipsoid_pair(&first, &second, warm ? &cache->gap_normal : NULL);
    }
    crm_write_ellipsoid_gap(&w, cache, out);
}
