// SPDX-License-Identifier: MIT
// Support functions: the farthest point of a convex shape in a direction of its frame.
//
// Of a polytope the answer is defined by the numbers themselves, so that every way to find it agrees: the vertex with
// the largest (d.x x + d.y y) + d.z z as rounded, of equal ones the one with the lowest number. It is found by
//   scan    all vertices, several at a time: best for small polytopes and without a guess
//   climb   along the edges from a start as long as it goes up: best for large ones, and from a good guess
//
// The room support/: a shape and a direction enter, the farthest point leaves. Called by distance/ in every search,
// hence the kernels.
#ifndef CRM_SHAPE_SUPPORT_H
#define CRM_SHAPE_SUPPORT_H

#include "shape/polytope/polytope.h"

// From how many vertices on climbing is chosen, without and with a start. Nanoseconds of a question that waits for the
// answer to the one before (`carom bench support_function`; random points on a sphere, AVX2, one core of a shared
// machine):
//
//   vertices                       4    8   16   32   64  128  256  512 1000
//   scalar scan                   14   17   23   39   68  127  250  490  950
//   portable scan                 23   26   31   43   66  112  207  387  750
//   AVX2 scan                     16   17   20   24   31   44   70  122  220
//   climb, cold, start table       -    -    -    -   48   54   61   72   90
//   climb, from the last answer   10   11   12   12   13   13   13   14   14     directions 0.005 rad apart
//
// Without a start the table beats the scan at about 200 vertices. With one, climbing is always faster as long as the
// start is good; a bad one costs some 50 ns more than the scan of a small polytope, which is why those are scanned.
enum { CRM_CLIMB_COLD_FROM = 200, CRM_CLIMB_WARM_FROM = 16 };

// The farthest vertex. `start` is a vertex that may be near it (the answer to the last direction), or -1; it has no
// influence on the answer. `d` is finite.
int crm_support_vertex(const crm_polytope *polytope, carom_vec3 d, int start);

// The same by looking at all vertices.
static inline int crm_support_scan(const crm_polytope *polytope, carom_vec3 d) {
    return polytope->kernels->scan(polytope->padded_count, polytope->x, polytope->y, polytope->z, d);
}

// The same by climbing, for any polytope. From a negative `start` it begins at the start table or, without one, at
// vertex 0.
int crm_support_climb(const crm_polytope *polytope, carom_vec3 d, int start);

// A vertex that is as far as the farthest one up to the polytope's `slack`, by climbing: of several that are equally
// far any one. For searches whose directions are normal to facets, where ties are the rule and do not matter.
int crm_support_near(const crm_polytope *polytope, carom_vec3 d, int start);

// The farthest point of a convex, bounded shape; `d` is finite and not zero. `vertex` (may be NULL) holds a guess or -1
// and gets the vertex, -1 for smooth kinds.
carom_vec3 crm_support(const carom_shape *shape, carom_vec3 d, int *vertex);

// The start table of polytopes that are large enough to be climbed, and the slack. False when there is no memory.
bool crm_build_climb(crm_arena *arena, crm_arena *scratch, crm_polytope *polytope);

#endif
