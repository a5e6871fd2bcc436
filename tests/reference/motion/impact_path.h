// SPDX-License-Identifier: MIT
// Friction followed through an impact by integrating du/dp = K c in the normal impulse p itself, in long double and in
// world axes: c = n - mu t/|t| while the slip t is not zero. Extrapolated midpoint steps of a fixed part of the slip.
#ifndef TEST_REFERENCE_IMPACT_PATH_H
#define TEST_REFERENCE_IMPACT_PATH_H

#include "carom/impact.h"
#include "reference/program/wide.h"

typedef struct impact_path {
    wide3 velocity, impulse; // u+, j
    wide normal, work;       // p and the integral of n.u dp at the end
    wide first_normal;       // p when n.u is zero for the first time
    int compressions;        // how often n.u became negative
    bool sticks, slides_off;
} impact_path;

// n is a unit vector, n.u < 0, K positive definite; the law is Newton's, Poisson's or Stronge's.
impact_path impact_path_follow(const carom_impact *impact, carom_impact_law law);

#endif
