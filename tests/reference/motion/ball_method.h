// SPDX-License-Identifier: MIT
// The ball method of Lin and Han (2002) for two ellipsoids apart: slow but each step brings the points nearer.
#ifndef TEST_REFERENCE_BALL_METHOD_H
#define TEST_REFERENCE_BALL_METHOD_H

#include "reference/ellipsoid/ellipsoid.h"

typedef enum ball_status {
    BALL_CONVERGED,
    BALL_OVERLAP, // a common point was met
    BALL_LIMIT    // the points are the best found, the certificate says how good
} ball_status;

typedef struct ball_result {
    ball_status status;
    double distance;             // of the points: an upper bound
    double certificate;          // distance minus a separation by planes: at least the error of the distance
    double point1[3], point2[3]; // on the surfaces
    int iterations;
} ball_result;

// Stops when the certificate is below `tolerance` times the largest axis.
void ball_method_distance(const ellipsoid *first, const ellipsoid *second, double tolerance, int iterations_max,
                          ball_result *result);

#endif
