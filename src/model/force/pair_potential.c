// SPDX-License-Identifier: MIT
// U(d) along the unit vector n from b to a: gradient U' n, second derivative U'' n n^T + (U'/d) (1 - n n^T).
//   spring   U = k (d - l)^2 / 2     charges  U = c / d
#include "model/force/pair_potential.h"

crm_pair_potential_value crm_pair_potential_evaluate(const crm_pair_potential *pair, carom_vec3 a, carom_vec3 b) {
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
    carom_mat3 hessian = crm_outer(crm_scale(bend - slope_over_d, n), n);
    hessian.x.x += slope_over_d;
    hessian.y.y += slope_over_d;
    hessian.z.z += slope_over_d;
    return (crm_pair_potential_value){energy, crm_scale(slope, n), hessian};
}
