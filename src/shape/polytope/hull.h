// SPDX-License-Identifier: MIT
// The hull of points as polygons, on the way to a polytope.
//
// The room polytope/: points or half-spaces enter, a crm_polytope leaves. Called by shape_create.c.
#ifndef CRM_SHAPE_HULL_H
#define CRM_SHAPE_HULL_H

#include <stdbool.h>

#include "base/arena.h"
#include "carom/status.h"
#include "carom/types.h"

// Polygons by the numbers of their corners, counter-clockwise seen from outside.
typedef struct crm_polygons {
    int count;
    int *start;         // (count + 1) into `corner`
    int *corner;        // (start[count])
    carom_vec3 *normal; // (count) outward, unit; NULL when not known
} crm_polygons;

typedef enum crm_hull_outcome {
    CRM_HULL_GOOD,
    CRM_HULL_NO_MEMORY,
    CRM_HULL_FAILED, // too degenerate for this way
} crm_hull_outcome;

// The facets as qhull finds them: closed and convex to rounding; coplanar ones may be merged or not, and points on
// facets and edges may be among the corners. `attempt` 0, 1, ... tries other options; CRM_HULL_FAILED past the last
// too. `sentence` gets what qhull says about a failure. Nothing is printed.
crm_hull_outcome crm_qhull(int count, const carom_vec3 *points, int attempt, crm_arena *arena, crm_polygons *out,
                           char sentence[CAROM_ERROR_TEXT_SIZE]);

// What to join, and how well it must turn out.
typedef struct crm_joining {
    double tolerance; // how far corners may be off the plane of a facet, or above that of another one
    double join;      // polygons are joined that lie in one plane to this length, at most the tolerance; negative: none
    bool strict;      // facets must also be convex polygons, to the tolerance in their planes
} crm_joining;

// Joins polygons that lie in one plane, and drops corners that then belong to fewer than three of them. Gives normals.
// CRM_HULL_FAILED when the result is not the surface of a polytope: closed, each edge between two polygons, Euler's
// formula, convex to twice the tolerance.
crm_hull_outcome crm_join_coplanar(const crm_polygons *in, int point_count, const carom_vec3 *points,
                                   const crm_joining *how, crm_arena *arena, crm_polygons *out);

// The directed edges of closed polygons: entry k of the corners is the edge from there to the next corner of the
// polygon. Fills in for each the entry of the same edge in the other direction. CRM_HULL_FAILED when one is missing or
// comes twice.
crm_hull_outcome crm_pair_edges(const crm_polygons *polygons, crm_arena *arena, int *twin);

// The entry that follows `k` around its polygon `p`.
static inline int crm_next_corner(const crm_polygons *polygons, int p, int k) {
    return k + 1 < polygons->start[p + 1] ? k + 1 : polygons->start[p];
}

// Twice the area of a polygon times its normal, from corners that are numbers into `points`.
carom_vec3 crm_area_vector(int count, const int *corners, const carom_vec3 *points);

#endif
