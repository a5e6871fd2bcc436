// SPDX-License-Identifier: MIT
// An ellipsoid in a hollow sphere: all points of its surface where the distance from the sphere's centre is stationary.
#ifndef TEST_REFERENCE_ELLIPSOID_IN_SPHERE_H
#define TEST_REFERENCE_ELLIPSOID_IN_SPHERE_H

#include "reference/ellipsoid/ellipsoid.h"

typedef enum stationary_family {
    STATIONARY_POINT,
    STATIONARY_PAIR, // the point and its mirror image
    STATIONARY_RING,
    STATIONARY_SPHERE // the whole surface
} stationary_family;

typedef enum stationary_kind { STATIONARY_MAXIMUM, STATIONARY_SADDLE, STATIONARY_MINIMUM } stationary_kind;

typedef struct stationary_point {
    stationary_family family;
    stationary_kind kind; // local; a ring or sphere counts by what is around it does
    double distance;      // from the sphere's centre
    double point[3];      // in the world; one of the family
    double mirror[3];     // the opposite one of the family, the point itself when alone
    double multiplier;    // lambda of x - d + lambda x/a^2 = 0, body axes
} stationary_point;

enum { STATIONARY_MAX = 9 };

// Farthest first; gives how many. The first is the contact; a further maximum is the second contact of a body in a
// bowl.
int ellipsoid_stationary_points(const ellipsoid *e, const double *sphere_centre, stationary_point *list);

#endif
