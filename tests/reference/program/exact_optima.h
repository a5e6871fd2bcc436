// SPDX-License-Identifier: MIT
// All optimal answers of the centre-ray program of two bodies with rational corners, enumerated without rounding.
//
// With the differences z = b - a and a direction c that need not be a unit vector (docs/math.md 3.2):
//   min t   subject to   t c = sum w_b b - sum w_a a,   the weights of either body >= 0 with sum 1
//   max psi subject to   <alpha, c> = 1,   <alpha, z> >= psi for all z
// Their optimal faces are polytopes; these are their vertices.
#ifndef TEST_REFERENCE_EXACT_OPTIMA_H
#define TEST_REFERENCE_EXACT_OPTIMA_H

#include <stdbool.h>

#include "reference/program/exact.h"

enum { EXACT_CORNERS_MAX = 24, EXACT_ALPHAS_MAX = 64, EXACT_WEIGHTS_MAX = 512 };

typedef struct exact_weights {
    fraction a[EXACT_CORNERS_MAX], b[EXACT_CORNERS_MAX];
} exact_weights;

typedef struct exact_optima {
    bool meets;     // the line along c goes through the difference; nothing else is given when it does not
    fraction value; // t
    int alpha_count;
    exact_vector alpha[EXACT_ALPHAS_MAX]; // over <alpha, c>
    exact_int along[EXACT_ALPHAS_MAX];    // <alpha, c> > 0
    int active_a, active_b;               // corners that may have weight
    int weights_count;
    exact_weights weights[EXACT_WEIGHTS_MAX];
} exact_optima;

// Corners with whole coordinates in any unit. Both bodies are solid.
void exact_optima_find(int count_a, const exact_vector *a, int count_b, const exact_vector *b, exact_vector c,
                       exact_optima *out);

#endif
