// SPDX-License-Identifier: MIT
// The smallest face of the difference body B - A that contains the point where a ray pierces it, seen in both bodies.
//
// It is a face of A and a face of B put together, and it decides what is unique: the normal on a facet only, the
// weights where the two faces have no more vertices than its dimension and two. Exactly its vertices may carry weight.
//
// The room ties/: an optimal witness enters of a pair for which several are optimal (faces on faces, parallel edges,
// corners on corners); the one with the shortest alpha and the most even weights leaves. Called by find_ray.c and
// find_gap.c unless the caller asks for any_solution, as time of impact does. The default measure of contacts comes
// here only for polytopes that are near without a feature contact, and for points beside parts of compounds; the
// measures gap and ray, the methods exact, potential, newmark and impulse by events, and carom distance always do,
// because there the answer must not depend on rounding. ray_weights.h is asked by the gradients and by
// carom_ray_weights.
#ifndef CRM_DISTANCE_PIERCED_FACE_H
#define CRM_DISTANCE_PIERCED_FACE_H

#include "distance/side.h"

// Of a body's size: nearer than this to a point, a line or a plane a vertex lies on it. Rounding is below 1e-14 for
// vertices given near their body's own frame and grows with their distance from it; answers are good to 1e-9, the
// error that taking a vertex for another's neighbour in a plane can make.
#define CRM_ACTIVE_TOLERANCE 1e-9
// A weight below this is none, for the same reason.
#define CRM_WEIGHT_TOLERANCE 1e-9

typedef struct crm_pierced_face {
    int dimension;        // 0: a corner, 1: an edge, 2: a facet
    carom_vec3 axis[3];   // orthonormal, world: the first `dimension` of them lie in it; of a facet the third is normal
    carom_vec3 anchor[2]; // of A and B, frames of the views: the points of the cores whose difference is pierced
    double off_plane[2];  // how far off it its vertices may lie, m
} crm_pierced_face;

// How far a vertex of the side may be from what it lies on, m: CRM_ACTIVE_TOLERANCE, what a polytope's facets may be
// off their planes, and the rounding of coordinates as large as those of `anchor` (frame of the view). The one rule for
// ties, between two bodies and between a body and static geometry.
double crm_active_distance(const crm_side *side, carom_vec3 anchor);

// How many vertices of a touch are listed.
static inline int crm_touch_listed(const carom_touch *touch) {
    return touch->vertex_count < CAROM_TOUCH_VERTICES ? touch->vertex_count : CAROM_TOUCH_VERTICES;
}

// The weighted mean of a touch's listed vertices without those that carry no weight, frame of the view.
carom_vec3 crm_touch_anchor(const crm_side *side, const carom_touch *touch);

// From an optimal `alpha`, <alpha, beta> = 1, touches with weights that belong to it and the face's anchors, which the
// caller has set, to the rest of the face; `alpha` becomes the shortest of the optimal ones. It was the only one when
// the face is a facet, and is then left alone. Round parts do not count here: with `alpha` and `beta` both the normal
// of the pair this finds the face of the cores on which a round pair touches.
void crm_find_pierced_face(const crm_side *a, const crm_side *b, carom_vec3 beta, const carom_touch *touch_a,
                           const carom_touch *touch_b, carom_vec3 *alpha, crm_pierced_face *face);

#endif
