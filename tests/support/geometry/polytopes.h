// SPDX-License-Identifier: MIT
// Polytopes for tests, and the checks that every one of them must pass.
#ifndef TEST_SUPPORT_POLYTOPES_H
#define TEST_SUPPORT_POLYTOPES_H

#include <stdbool.h>

#include "carom/shape.h"
#include "support/harness/sample.h"

// Each fails the test when the shape is refused; destroyed by the caller.
carom_shape *polytope_of_points(int count, const carom_vec3 *points);
carom_shape *polytope_of_half_spaces(int count, const carom_half_space *half_spaces);
carom_shape *named_polytope(carom_polytope_form form, int sides, double radius, double height);

// Point sets that hulls are hard for; `points` has room for 400. Kinds below POINT_KINDS, all of size about 1.
enum {
    POINTS_BALL,      // random in a ball
    POINTS_SPHERE,    // random on a sphere: all are vertices
    POINTS_CUBE_GRID, // a grid on the faces of a cube
    POINTS_SOLID_GRID,
    POINTS_PRISM, // with points on faces and edges
    POINTS_ICOSAHEDRON,
    POINTS_LATITUDES, // rings of a sphere: facets that are trapezia
    POINTS_TWINS,     // random, each with near copies
    POINTS_FLAT,      // a thin lens
    POINTS_NEEDLE,
    POINT_KINDS
};
int sample_points(int kind, sampler *s, bool rotated, carom_vec3 *points);

// Both representations against each other and against the points: Euler's formula; each edge between its two facets and
// two vertices; facets plane, convex and outward; every point below every plane; offsets are support values. Lengths to
// `tolerance` of the size. Reports the first failure only.
bool check_polytope(const carom_shape *shape, int count, const carom_vec3 *points, double tolerance);

// Of a polytope of points: every vertex is an input point to the bit, those mapped to it are near.
bool check_point_map(const carom_shape *shape, int count, const carom_vec3 *points, double tolerance);

#endif
