// SPDX-License-Identifier: MIT
// The ratio metric of two convex polytopes given by half-spaces, as its linear program in (x, t).
//
// Body i is {x_i + R_i y : a.y <= b}, b > 0. r is the least t >= 0 for which the bodies scaled by t about x_1 and x_2
// share a point; rho = (r - 1)/r is positive apart, zero touching, negative overlapping.
#ifndef TEST_REFERENCE_RATIO_PROGRAM_H
#define TEST_REFERENCE_RATIO_PROGRAM_H

#include <stdbool.h>

enum { RATIO_FACETS_MAX = 250 };

typedef struct ratio_body {
    int facets;
    const double *normals;  // triples a, body axes, of any length
    const double *offsets;  // b (facets)
    const double *position; // x_i
    const double *attitude; // quaternion (w, x, y, z)
} ratio_body;

typedef struct ratio_result {
    bool solved;
    double r, rho;     // rho is minus infinity when the centres coincide
    double witness[3]; // the shared point; of several the one nearest the middle of the centres
    bool active1[RATIO_FACETS_MAX], active2[RATIO_FACETS_MAX]; // at every shared point
    double multipliers1[RATIO_FACETS_MAX],
        multipliers2[RATIO_FACETS_MAX]; // of several those with the least sum of (l b)^2
    bool witness_unique, multipliers_unique;
    // Of r: translation of body 1 (minus: of body 2), rotation of either about its own centre, in world axes.
    double by_shift[3], by_turn1[3], by_turn2[3];
    double residual; // largest violation of a.(witness) <= r b (per b), sum l a = 0 (per 1/size), sum l b = 1
} ratio_result;

void ratio_program_solve(const ratio_body *body1, const ratio_body *body2, ratio_result *result);

#endif
