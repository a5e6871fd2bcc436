// SPDX-License-Identifier: MIT
// Gaps of many pairs of ellipsoids and spheres: pairs wait until there are enough for one group of lanes. The answer of
// a pair does not depend on its neighbours, and has the bits of crm_ellipsoid_pair.
#ifndef CRM_DISTANCE_ROUND_LANES_H
#define CRM_DISTANCE_ROUND_LANES_H

#include "carom/distance.h"
#include "distance/ellipsoid/ellipsoid.h"
#include "distance/ellipsoid/ellipsoid_lanes.h"
#include "shape/shape.h"

typedef struct crm_round_lanes {
    const crm_ellipsoid_kernels *kernels;
    void (*take)(void *user, int pair, const crm_ellipsoid_witness *witness); // gets the answers
    void *user;
    int waiting;
    int pair[CRM_ELLIPSOID_LANES];                                     // (waiting) the callers' numbers
    const carom_view *a[CRM_ELLIPSOID_LANES], *b[CRM_ELLIPSOID_LANES]; // (waiting)
    crm_ellipsoid_batch batch;
} crm_round_lanes;

static inline bool crm_view_is_round(const carom_view *view) {
    return view->shape != NULL &&
           (view->shape->kind == CAROM_SHAPE_ELLIPSOID || view->shape->kind == CAROM_SHAPE_SPHERE);
}

// Both ellipsoids or spheres, and not both spheres.
static inline bool crm_suits_round_lanes(const carom_view *a, const carom_view *b) {
    return crm_view_is_round(a) && crm_view_is_round(b) &&
           (a->shape->kind == CAROM_SHAPE_ELLIPSOID || b->shape->kind == CAROM_SHAPE_ELLIPSOID);
}

// Empty, for answers that `take` gets.
void crm_round_lanes_begin(crm_round_lanes *lanes,
                           void (*take)(void *user, int pair, const crm_ellipsoid_witness *witness), void *user);
// Views that have been checked and suit; they must live until the answer is taken. `start` is a direction to begin
// from, or zero.
void crm_round_lanes_add(crm_round_lanes *lanes, int pair, const carom_view *a, const carom_view *b, carom_vec3 start);
// Measures the pairs that still wait.
void crm_round_lanes_end(crm_round_lanes *lanes);

#endif
