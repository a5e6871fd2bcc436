// SPDX-License-Identifier: MIT
// Signed distance of two ellipsoids, overlap included, from every local maximum that a dense set of starts leads to.
#ifndef TEST_REFERENCE_ELLIPSOID_BRUTE_H
#define TEST_REFERENCE_ELLIPSOID_BRUTE_H

#include "reference/ellipsoid/ellipsoid.h"

enum { ELLIPSOID_MAXIMA_MAX = 32 };

typedef struct ellipsoid_result {
    double distance;                      // max over unit n of n.d - h_1(n) - h_2(n)
    double normal[3];                     // from body 1 to body 2
    double point1[3], point2[3];          // on the surfaces, point2 - point1 = distance normal
    bool normal_unique;                   // no other maximum as high, and curved down both ways
    int maxima;                           // different local maxima found, at most ELLIPSOID_MAXIMA_MAX
    double maximum[ELLIPSOID_MAXIMA_MAX]; // their values, the highest first
} ellipsoid_result;

// `starts` on the sphere besides the axes of both bodies and the line of centres; 2000 are plenty for axes up to 1:50.
void ellipsoid_brute_distance(const ellipsoid *first, const ellipsoid *second, int starts, ellipsoid_result *result);

// n.d - h_1(n) - h_2(n) for a unit n: a lower bound of the distance, whatever n.
double ellipsoid_plane_separation(const ellipsoid *first, const ellipsoid *second, const double *n);

#endif
