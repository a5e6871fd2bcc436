// SPDX-License-Identifier: MIT
// From the witness of two ellipsoids to that of two shapes.
#ifndef CRM_DISTANCE_ELLIPSOID_GAP_H
#define CRM_DISTANCE_ELLIPSOID_GAP_H

#include <stddef.h>

#include "carom/distance.h"
#include "distance/ellipsoid.h"

// The normal goes into the cache, which may be NULL.
static inline void crm_write_ellipsoid_gap(const crm_ellipsoid_witness *w, carom_distance_cache *cache,
                                           carom_gap_witness *out) {
    static const carom_touch centre = {.vertex_count = 1, .weights = {1.0}};
    out->gap = w->gap;
    out->normal = w->normal;
    out->point_a = w->point_a;
    out->point_b = w->point_b;
    out->a = centre;
    out->b = centre;
    out->normal_unique = w->normal_unique;
    out->points_unique = true;
    out->global = w->global;
    out->accuracy = w->accuracy;
    out->supports = w->supports;
    if (cache != NULL) cache->gap_normal = w->normal;
}

#endif
