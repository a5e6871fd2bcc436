// SPDX-License-Identifier: MIT
// Pair potentials: of two points, which depend on the vector between them.
#ifndef CRM_MODEL_PAIR_POTENTIAL_H
#define CRM_MODEL_PAIR_POTENTIAL_H

#include "math/mat3.h"
#include "model/model.h"

typedef struct crm_pair_potential_value {
    double energy;       // J
    carom_vec3 gradient; // of the energy with respect to point a, N; the opposite with respect to b
    carom_mat3 hessian;  // second derivative with respect to point a, N/m; the opposite for a and b
} crm_pair_potential_value;

// U(d) along the unit vector n from b to a: gradient U' n, second derivative U'' n n^T + (U'/d) (1 - n n^T).
static inline crm_pair_potential_value crm_pair_potential_radial(carom_vec3 n, double energy, double slope, double bend,
                                                                 double slope_over_d) {
    carom_mat3 hessian = crm_outer(crm_scale(bend - slope_over_d, n), n);
    hessian.x.x += slope_over_d;
    hessian.y.y += slope_over_d;
    hessian.z.z += slope_over_d;
    return (crm_pair_potential_value){energy, crm_scale(slope, n), hessian};
}

// Of the kinds that are neither springs nor charges.
crm_pair_potential_value crm_pair_law_evaluate(const crm_pair_potential *pair, carom_vec3 a, carom_vec3 b);

// At the given positions of the two points. Charges at the same position give values that are not finite. Here in the
// header, so that what a caller does not ask for is not computed: steps want the gradient, certificates the energy.
//
//   spring   U = k (d - l)^2 / 2     charges  U = c / d
static inline crm_pair_potential_value crm_pair_potential_evaluate(const crm_pair_potential *pair, carom_vec3 a,
                                                                   carom_vec3 b) {
    if (pair->kind > CRM_PAIR_POTENTIAL_CHARGES) return crm_pair_law_evaluate(pair, a, b);
    carom_vec3 between = crm_sub(a, b), n;
    double d = crm_normalise(between, &n);
    double k = pair->strength;
    double energy, slope, bend, slope_over_d;
    if (pair->kind == CRM_PAIR_POTENTIAL_SPRING) {
        double stretch = d - pair->rest_length;
        energy = 0.5 * k * stretch * stretch;
        slope = k * stretch;
        bend = k;
        // A spring of rest length 0 is linear in all directions; any other has no direction when its ends meet, and
        // pulls none of them.
        slope_over_d = d > 0.0 ? slope / d : pair->rest_length == 0.0 ? k : 0.0;
    } else {
        energy = k / d;
        slope = -energy / d;
        bend = -2.0 * slope / d;
        slope_over_d = slope / d;
    }
    return crm_pair_potential_radial(n, energy, slope, bend, slope_over_d);
}

#endif
