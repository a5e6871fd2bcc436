// SPDX-License-Identifier: MIT
// Bounded convex shapes and pairs of them for tests of distances. Shapes are destroyed by the caller.
#ifndef TEST_SUPPORT_CONVEX_SHAPES_H
#define TEST_SUPPORT_CONVEX_SHAPES_H

#include "carom/distance.h"
#include "support/harness/sample.h"

carom_shape *sphere_of(double radius);
carom_shape *capsule_of(double radius, double length);
carom_shape *ellipsoid_of(double x, double y, double z); // half-axes
carom_shape *box_of(double x, double y, double z);       // edges

// Of about this size, with sizes that differ by up to `ratio`. A polytope has 4 to 40 vertices.
carom_shape *sample_shape(sampler *s, carom_shape_kind kind, double size, double ratio);

carom_view place(const carom_shape *shape, double x, double y, double z); // unturned
carom_view sample_view(sampler *s, const carom_shape *shape, carom_vec3 position);

// The view after a rotation about the origin and a shift.
carom_view moved_view(carom_view view, carom_quat rotation, carom_vec3 shift);

#endif
