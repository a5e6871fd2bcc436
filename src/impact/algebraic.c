// SPDX-License-Identifier: MIT
// The algebraic law of Chatterjee and Ruina, "A New Algebraic Rigid-Body Collision Law Based on Impulse Space
// Considerations" (1998), with the quotient of docs/math.md 7.4.
#include <math.h>

#include "impact/follow.h"
#include "math/eigen3.h"

// Eigenvalues below this share of the largest belong to directions that a mechanism holds.
static const double singular_share = 1e-12;

// -K^+ u: the least impulse that stops what can be stopped.
static carom_vec3 stopping_impulse(carom_mat3 matrix, carom_vec3 velocity) {
    carom_vec3 impulse, values;
    carom_mat3 axes;
    (void)crm_eigen3(matrix, &values, &axes);
    if (values.x > singular_share * values.z && crm_mat3_solve(matrix, velocity, &impulse)) return crm_negate(impulse);
    carom_vec3 along = crm_mat3_apply_t(axes, velocity);
    double floor = singular_share * values.z;
    along.x = values.x > floor ? along.x / values.x : 0.0;
    along.y = values.y > floor ? along.y / values.y : 0.0;
    along.z = along.z / values.z;
    return crm_negate(crm_mat3_apply(axes, along));
}

void crm_impact_algebraic(carom_mat3 matrix, carom_vec3 velocity, double mu, double restitution, double tangential,
                          crm_algebraic *out) {
    carom_vec3 sliding = {0.0, 0.0, -velocity.z}, sticking = stopping_impulse(matrix, velocity);
    carom_vec3 difference = crm_sub(sticking, sliding), base = crm_scale(1.0 + restitution, sliding);
    *out = (crm_algebraic){.plastic_sliding = sliding, .plastic_sticking = sticking, .kappa = 1.0 + tangential};
    out->predicted = out->impulse = crm_madd(base, out->kappa, difference);
    double across = hypot(sticking.x, sticking.y);
    if (hypot(out->predicted.x, out->predicted.y) <= mu * out->predicted.z) return;
    // The excess |j_t| - mu j_n is linear in kappa, negative at 0 and positive at 1 + e_t: its slope is positive. The
    // normal part is taken from the tangential one, so that the impulse is on the cone to rounding even where j_n
    // cancels.
    double slope = across - mu * difference.z, quotient = base.z / slope;
    out->kappa = mu * quotient;
    out->impulse = crm_vec3(out->kappa * sticking.x, out->kappa * sticking.y, quotient * across);
}
