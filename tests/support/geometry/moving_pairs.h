// SPDX-License-Identifier: MIT
// Random pairs of moving bodies of every two kinds, near enough to touch within a step.
#ifndef TEST_SUPPORT_MOVING_PAIRS_H
#define TEST_SUPPORT_MOVING_PAIRS_H

#include <stdbool.h>

#include "carom/time_of_impact.h"
#include "support/harness/sample.h"

typedef enum body_kind {
    BODY_SPHERE,
    BODY_ELLIPSOID,
    BODY_BOX,
    BODY_CAPSULE,
    BODY_POLYTOPE,
    BODY_VERTICES,
    BODY_HALF_SPACE, // from here on unbounded
    BODY_CONTAINER,
    BODY_KINDS
} body_kind;

typedef struct random_body {
    carom_shape *shape; // NULL: the vertices
    carom_vec3 vertex[8];
    double size; // about the frame's origin, m; of static geometry infinite
} random_body;

typedef struct moving_body {
    carom_view view;
    carom_motion motion;
    double margin; // by that motion in `duration`, m
} moving_body;

typedef struct moving_pair {
    random_body of_a, of_b; // the views point into them
    moving_body a, b;
    double duration, small; // s; the smaller size, m
} moving_pair;

// Two bodies with a gap within their joint margin, which is about `share` of the smaller size, on their way to each
// other. `aligned`: faces, edges and axes are parallel up to about the angle that the bodies rotate. False when B
// passes by A. One of them is bounded.
bool make_moving_pair(sampler *s, body_kind kind_a, body_kind kind_b, double share, bool aligned, moving_pair *out);
void free_moving_pair(moving_pair *pair);

#endif
