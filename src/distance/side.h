// SPDX-License-Identifier: MIT
// A view made ready for a query: what is round is taken away from what has corners.
//
// Every bounded convex shape is a *core* plus something round: a polytope is its vertices; a sphere is one vertex and
// a ball, a capsule two vertices and a ball, an ellipsoid one vertex and an ellipsoid. Along n the support is
//   h(n) = max over the core's vertices v of n.v  +  radius |n|  (or sqrt(n.Q n) for an ellipsoid).
//
// The room distance: two views (shape or points, pose, centre) enter, a witness leaves: numbers, normal, points,
// weights. Called by the public functions of carom/distance.h, features.h and time_of_impact.h, by contact/ for every
// pair that may touch, and by methods that measure pairs themselves. A query goes through find_gap.c or find_ray.c,
// which choose a search of measure.h: core/ box/ round/ ellipsoid/; ties/, features/ and toi/ are built on those.
#ifndef CRM_DISTANCE_SIDE_H
#define CRM_DISTANCE_SIDE_H

#include <stddef.h>

#include "carom/distance.h"
#include "math/mat3.h"
#include "shape/shape.h"

// An attitude may be off from length 1 by 1e-9: twice as much in the square of the length.
#define CRM_ATTITUDE_SLACK 2e-9

typedef enum crm_roundness {
    CRM_SHARP,     // radius 0
    CRM_BALL,      // radius
    CRM_ELLIPSOID, // half_axes
} crm_roundness;

typedef struct crm_side {
    carom_mat3 rotation; // frame of the view to the world
    carom_vec3 position; // of that frame, world, m
    carom_vec3 centre;   // world, m
    carom_vec3 local;    // the same in the frame of the view

    // The core, in the frame of the view. Either `polytope` with all its structure, or just vertices.
    const crm_polytope *polytope; // NULL: no structure
    int vertex_count;
    const carom_vec3 *vertex;
    carom_vec3 own[2]; // where the vertices of spheres, capsules and ellipsoids are kept: a side must not be copied

    crm_roundness roundness;
    double radius;
    carom_vec3 half_axes; // along the axes of the frame of the view
    double size;          // no point is farther from the centre, m
} crm_side;

// Where a side is seen from: the centre ray looks from the centre that the view has chosen, the Euclidean search needs
// an interior point of the shape or part itself.
typedef enum crm_seen_from { CRM_FROM_VIEW, CRM_FROM_INSIDE } crm_seen_from;

static inline carom_shape_kind crm_view_kind(const carom_view *view) {
    return view->shape != NULL ? view->shape->kind : CAROM_SHAPE_POLYTOPE;
}

// A box or polytope at a pose that is in order, seen from its own centre: the usual case. Others need a closer look.
static inline bool crm_view_is_plain(const carom_view *view) {
    carom_vec3 x = view->pose.position;
    carom_quat q = view->pose.attitude;
    const double most = CAROM_SHAPE_MOST_SIZE * CAROM_SHAPE_MOST_SIZE;
    if (view->shape == NULL || view->has_centre) return false;
    double square = (q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z) - 1.0;
    bool polytope = view->shape->polytope.vertex_count > 0; // of no other kinds
    return polytope & (crm_length_squared(x) <= most) & (fabs(square) <= CRM_ATTITUDE_SLACK);
}

// How many convex parts a view has.
static inline int crm_part_count(const carom_view *view) {
    return crm_view_kind(view) == CAROM_SHAPE_COMPOUND ? view->shape->part_count : 1;
}

// CAROM_OK, or a sentence about the view's pose, centre or vertices. `name` is "A" or "B".
carom_status crm_check_view(const carom_view *view, const char *name, carom_error *error);

// Of vertices, a bounded convex shape, or part number `part` of a compound. The view has been checked.
void crm_side_of(const carom_view *view, int part, crm_seen_from from, crm_side *out);

// The core's farthest vertex along `d` (world, not zero), by its number; `guess` is a vertex near it or -1.
int crm_core_support(const crm_side *side, carom_vec3 d, int guess);

// From the centre to a vertex of the core, world axes.
static inline carom_vec3 crm_core_arm(const crm_side *side, int vertex) {
    return crm_mat3_apply(side->rotation, crm_sub(side->vertex[vertex], side->local));
}

// Value, and gradient (may be NULL), of the round part's support function at `d` (world, any length but zero). The
// gradient is the round part's farthest point.
double crm_round_support(const crm_side *side, carom_vec3 d, carom_vec3 *gradient);

#endif
