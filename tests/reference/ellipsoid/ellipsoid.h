// SPDX-License-Identifier: MIT
// Ellipsoids for the slow references.
#ifndef TEST_REFERENCE_ELLIPSOID_H
#define TEST_REFERENCE_ELLIPSOID_H

#include "reference/program/wide.h"

typedef struct ellipsoid {
    double centre[3];
    double axes[3];     // half lengths
    double attitude[4]; // quaternion (w, x, y, z), body to world; need not be unit
} ellipsoid;

typedef struct wide_ellipsoid {
    wide3 centre;
    wide a[3];
    wide_rotation rotation;
} wide_ellipsoid;

wide_ellipsoid ellipsoid_read(const ellipsoid *e);

// h(n) = sqrt(n Q n); `arm` (NULL allowed) gets the support point Q n/h from the centre.
wide ellipsoid_support(const wide_ellipsoid *e, wide3 n, wide3 *arm);

// A (x - centre), A = Q^-1: half the gradient of (x - centre) A (x - centre), an outward normal on the surface.
wide3 ellipsoid_gradient(const wide_ellipsoid *e, wide3 x);

wide ellipsoid_least_axis(const wide_ellipsoid *e);
wide ellipsoid_largest_axis(const wide_ellipsoid *e);

// Signed gap of an ellipsoid above the plane normal.x = offset, unit normal to the free side; `point` is its nearest or
// deepest point, `foot` that point's foot on the plane.
double ellipsoid_plane_gap(const ellipsoid *e, const double *normal, double offset, double *point, double *foot);

#endif
