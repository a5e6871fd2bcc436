// SPDX-License-Identifier: MIT
// Convex polytopes in both representations: vertices with their graph, facets with their planes.
#ifndef CRM_SHAPE_POLYTOPE_H
#define CRM_SHAPE_POLYTOPE_H

#include "base/arena.h"
#include "carom/shape.h"
#include "shape/support/support_kernels.h"

// Cells of the start table of climbing (climb.c): the faces of a cube around the origin, each with a square grid.
enum { CRM_START_GRID = 4, CRM_START_CELLS = 6 * CRM_START_GRID * CRM_START_GRID };

// Everything lives on the arena it was built on; numbers of vertices, edges and facets count from 0.
typedef struct crm_polytope {
    int vertex_count, edge_count, facet_count;
    const carom_vec3 *vertex; // (vertex_count) m

    // The same by components, padded with copies of vertex 0 to a multiple of CRM_SUPPORT_LANES: a copy never wins,
    // because of equal vertices the lowest number does.
    int padded_count;
    const double *x, *y, *z;
    const crm_support_kernels *kernels;

    const carom_vec3 *normal; // (facet_count) outward, unit
    const double *offset;     // (facet_count) support value along the normal, m
    const int *facet_start;   // (facet_count + 1) into the two below
    const int *facet_vertex;  // counter-clockwise seen from outside, each facet from its lowest number on
    const int *facet_edge;    // from this vertex to the next one of the facet
    const carom_edge *edge;   // (edge_count) in ascending order of their vertices

    const int *neighbour_start; // (vertex_count + 1) into `neighbour`
    const int *neighbour;       // vertices along the edges of a vertex, ascending

    double extent;    // largest side of the bounding box, m
    double tolerance; // facets are plane, the solid convex, and input points in it to this length, m (hull_points.c)
    double farthest;  // largest |coordinate|, m
    double slack;     // see climb.c, m; infinite: not to be climbed
    const int *start; // (CRM_START_CELLS) where to start climbing; NULL for polytopes that are scanned

    int input_count;  // points or half-spaces that it was made of
    const int *input; // (input_count) their vertices or facets, -1 for those dropped; NULL for named polytopes
} crm_polytope;

// Why points have no hull: they lie within `thickness` of the plane through them with this normal.
typedef struct crm_flatness {
    bool flat;
    double thickness;
    carom_vec3 normal;
} crm_flatness;

// How many of a polytope's digits may be lost to a choice of frame: coordinates may be this many extents large.
extern const double crm_most_distance;

// The hull of points. `where` names them in sentences. Points are refused when they are thinner than `least_aspect` of
// their extent; `flatness` (may be NULL) then tells how they lie. `scratch` is left as it was found.
carom_status crm_polytope_of_points(int count, const carom_vec3 *points, double least_aspect, const char *where,
                                    crm_arena *arena, crm_arena *scratch, crm_polytope *out, crm_flatness *flatness,
                                    carom_error *error);

// What half-spaces have in common; `input` tells the facets.
carom_status crm_polytope_of_half_spaces(int count, const carom_half_space *half_spaces, const char *where,
                                         crm_arena *arena, crm_arena *scratch, crm_polytope *out, carom_error *error);

#endif
