// SPDX-License-Identifier: MIT
// Ellipsoids against ellipsoids and the inside of a sphere.
//
// An ellipsoid is Q = R diag(a^2) R^T about its centre: support function h(n) = sqrt(n.Q n), support point Q n / h(n).
//
// The room ellipsoid/: ellipsoids (or balls, as such) enter; the gap with its normal and points leaves. Called by
// find_gap.c for two ellipsoids, by gap_many.c for several pairs in the lanes of vectors, and by static_geometry.c for
// one in a container.
#ifndef CRM_DISTANCE_ELLIPSOID_H
#define CRM_DISTANCE_ELLIPSOID_H

#include <stdbool.h>

#include "math/mat3.h"

typedef struct crm_ellipsoid {
    carom_vec3 centre;    // world, m
    carom_vec3 half_axes; // m
    carom_mat3 axes;      // R: its columns are the directions of the half-axes, world
} crm_ellipsoid;

static inline crm_ellipsoid crm_ellipsoid_of(carom_vec3 centre, carom_vec3 half_axes, carom_mat3 rotation) {
    return (crm_ellipsoid){centre, half_axes, rotation};
}

// How two ellipsoids A and B stand to each other: the maximum over unit n of psi(n) = n.(x_B - x_A) - h_A(n) - h_B(n).
typedef struct crm_ellipsoid_witness {
    double gap;         // > 0: Euclidean distance; < 0: minus the least translation that separates them
    carom_vec3 normal;  // unit, from A to B
    carom_vec3 point_a; // on the surfaces: point_b - point_a = gap * normal
    carom_vec3 point_b;
    bool normal_unique; // false where another direction serves as well, to rounding (concentric symmetric pairs)
    bool global;        // proved to be the global maximum; false: the best of eight starts, see ellipsoid_search.c
    double accuracy;    // of the gap
    int supports;       // support points of the pair that were asked for, over all starts
} crm_ellipsoid_witness;

// `start`, a direction to begin from (the last normal), may be NULL. Reads nothing else; thread-safe.
crm_ellipsoid_witness crm_ellipsoid_pair(const crm_ellipsoid *a, const crm_ellipsoid *b, const carom_vec3 *start);

// The same where plain Newton steps ended at `candidate` without a proof, or nowhere.
crm_ellipsoid_witness crm_ellipsoid_search(const crm_ellipsoid *a, const crm_ellipsoid *b, carom_vec3 candidate);

// An ellipsoid, A, inside a sphere, B: the points of the ellipsoid that are farthest from the sphere's centre.
typedef enum crm_farthest_family {
    CRM_FARTHEST_UNIQUE,
    CRM_FARTHEST_TWO_POINTS, // mirror images; the second is given too
    CRM_FARTHEST_CIRCLE,     // two opposite points of it are given
    CRM_FARTHEST_SPHERE,     // every point of a ball about the centre
} crm_farthest_family;

typedef struct crm_inside_witness {
    double gap;        // radius less the largest distance; < 0: it pokes through
    carom_vec3 point;  // farthest point
    carom_vec3 normal; // outward there: (point - centre) / |...|
    carom_vec3 sphere_point;
    double multiplier; // lambda <= -max a^2 with x - c + lambda x / a^2 = 0 in body axes
    crm_farthest_family family;
    // The other local maximum, where there is one: an ellipsoid lying in a bowl touches at both.
    bool has_second;
    double second_gap;
    carom_vec3 second_point, second_normal;
} crm_inside_witness;

crm_inside_witness crm_ellipsoid_in_sphere(const crm_ellipsoid *e, carom_vec3 centre, double radius);

#endif
