// SPDX-License-Identifier: MIT
// A shape at an attitude in long double, with the corners, edges and facets by which another body may touch it.
#ifndef TEST_REFERENCE_POSED_BODY_H
#define TEST_REFERENCE_POSED_BODY_H

#include "reference/polytope/convex_body.h"
#include "support/harness/sample.h"

enum { POSED_PARTS_MAX = 4 };

// About the position of the pose, world axes. A half-space and a container have no parts.
typedef struct posed_body {
    const carom_shape *shape;
    carom_quat attitude;
    wide_rotation rotation;
    wide3 centre;
    int part_count;
    const carom_shape *part_shape[POSED_PARTS_MAX];
    convex_body part[POSED_PARTS_MAX];
} posed_body;

posed_body posed_body_of(const carom_shape *shape, carom_quat attitude);
void posed_body_free(posed_body *body);

// A vertex, edge or facet of a part's core: dimension 0, 1 or 2. The core of an ellipsoid or a ball is a vertex, that
// of a capsule an edge with two vertices.
typedef struct posed_feature {
    int part, dimension;
    int number; // of the edge or facet; nothing for a vertex, which the direction tells
} posed_feature;

int posed_most_dimension(const posed_body *body, int part);
// Without a ball or an ellipsoid around the core.
bool posed_is_sharp(const posed_body *body, int part);

// Any edge or facet of the part; a vertex is a vertex.
posed_feature posed_feature_draw(sampler *s, const posed_body *body, int part, int dimension);
// Along an edge; not unit.
wide3 posed_edge_direction(const posed_body *body, posed_feature edge);
// A unit vector of the feature's normal cone: along it no point of the part is farther than the feature's.
wide3 posed_cone_draw(sampler *s, const posed_body *body, posed_feature feature);
// A point of the feature, not on its rim, and what is round on top of it, along the unit vector n. Of the vertices the
// one that is farthest along n.
wide3 posed_point_draw(sampler *s, const posed_body *body, posed_feature feature, wide3 n);

// Whether `point` is a farthest point of the body along n, and all other parts are clearly lower: then the plane
// through the point proves whatever it is used for.
bool posed_is_farthest(const posed_body *body, int part, wide3 point, wide3 n);

// How large a ball touches every point of the part's surface from inside, m; 0 for a sharp one.
wide posed_rolling_radius(const posed_body *body, int part);
// Whether all of the body is within `radius` of `centre`, which a point of this part touches: no other point is clearly
// as far.
bool posed_is_within(const posed_body *body, int part, wide3 centre, wide radius);

#endif
