// SPDX-License-Identifier: MIT
// Bounded convex bodies in long double, and proofs of distances: a direction proves that two bodies are not nearer than
// its planes, two points of the bodies that they are not farther. Where both agree, nothing is left to believe.
#ifndef TEST_REFERENCE_CONVEX_BODY_H
#define TEST_REFERENCE_CONVEX_BODY_H

#include "carom/distance.h"
#include "reference/program/wide.h"

// Points plus a ball plus an ellipsoid, each possibly nothing.
typedef struct convex_body {
    int count;
    wide3 *vertex; // world
    wide radius;
    wide axes[3];
    wide_rotation rotation;
    wide3 centre; // the view's
    wide size;    // no point is farther from the centre
} convex_body;

convex_body convex_body_of(const carom_view *view);
// A shape at a pose that no view can hold, seen from its own centre.
convex_body convex_body_at(const carom_shape *shape, wide_rotation rotation, wide3 position);
void convex_body_free(convex_body *body);

// The largest n.y.
wide convex_body_support(const convex_body *body, wide3 n);
// What the ball and the ellipsoid add to the farthest vertex along n, to be the farthest point.
wide3 convex_body_round(const convex_body *body, wide3 n);

// How far a point is outside of the vertices' weighted mean plus the round parts, at most; infinite when the weights
// are none. Negative inside.
wide convex_body_excess(const convex_body *body, const carom_touch *touch, carom_vec3 point);

// min n.b - max n.a
wide convex_separation(const convex_body *a, const convex_body *b, carom_vec3 n);

// The largest separation over unit vectors that `samples` directions and a search by trial around the best of them
// find: the gap to about 1e-9 of the sizes when they hit the right hill, less otherwise, never more.
double convex_gap_search(const carom_view *a, const carom_view *b, int samples);

typedef struct proof {
    double value; // how much the value exceeds what alpha or the normal proves, or falls short of it
    double chord; // |point_b - point_a - value beta|
    double a, b;  // how far the points are outside of their bodies
} proof;          // all m

proof prove_ray(const carom_view *a, const carom_view *b, const carom_ray_witness *ray);
proof prove_gap(const carom_view *a, const carom_view *b, const carom_gap_witness *gap);

// The largest of the four.
double proof_defect(proof p);

#endif
