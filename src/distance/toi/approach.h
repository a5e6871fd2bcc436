// SPDX-License-Identifier: MIT
// Two moving convex parts, or one and static geometry: what is between them at a time, and how fast that can change.
#ifndef CRM_DISTANCE_APPROACH_H
#define CRM_DISTANCE_APPROACH_H

#include "distance/toi/first_root.h"
#include "distance/toi/moving_view.h"

typedef struct crm_approach {
    crm_moving a, b;
    carom_vec3 offset, velocity; // of B's pivot from A's at time 0, m, and how it moves, m/s
    double size;                 // of the bodies, m
    double target, tolerance;    // m
    carom_distance_cache cache;
    int queries, limit;
    // Along which direction the separation is taken: `normal` at the time `since`, rotating with `spin`.
    carom_vec3 normal, spin, axis;
    double since, speed;
    carom_status status;
    carom_error *error;
} crm_approach;

// Part `part_a` of A and part `part_b` of B. `target`, `tolerance`, `limit` and `error` are the callers'.
void crm_approach_of(crm_approach *p, const carom_view *a, const carom_motion *motion_a, int part_a,
                     const carom_view *b, const carom_motion *motion_b, int part_b);

// The same for motions about pivots of the bodies' own: the motions' velocities are those of these points, given at
// time 0 in the world, m.
void crm_approach_about(crm_approach *p, const carom_view *a, carom_vec3 pivot_a, const carom_motion *motion_a,
                        int part_a, const carom_view *b, carom_vec3 pivot_b, const carom_motion *motion_b, int part_b);

// The static geometry of the two, or NULL.
static inline const crm_moving *crm_static_geometry_in(const crm_approach *p) {
    return !crm_is_bounded(&p->a) ? &p->a : !crm_is_bounded(&p->b) ? &p->b : NULL;
}
static inline bool crm_is_container(const crm_moving *m) {
    return m != NULL && m->view.shape->kind == CAROM_SHAPE_CONTAINER;
}

// Asks for the gap at a time.
carom_gap_witness crm_gap_at(crm_approach *p, double time);
// What rounding makes of the gap at a time, m.
double crm_gap_uncertainty(const crm_approach *p, double time);

// Lets the direction rotate with a spin.
void crm_rotate_with(crm_approach *p, carom_vec3 spin);
// How the normal rotates, to first order. A direction at rest leaves a facet or edge that rotates as fast as that
// rotates, and the separation along it falls for that; along one that goes with them it falls as the gap does. Zero
// without such.
carom_vec3 crm_spin_of_features(const crm_approach *p, const carom_gap_witness *w);
// The separation along the direction at a time less the target, m; `context` is a crm_approach.
double crm_separation(void *context, double time);

// The separation from `time` to `end`, and the gap in a container from `time` on, for the search of their first zeros.
crm_limited crm_along_direction(crm_approach *p, double time, double end);
crm_limited crm_in_container(crm_approach *p, double time);

#endif
