// SPDX-License-Identifier: MIT
// The rotation nearest to a gradient: Newton's iteration, which averages X and X^-T, where F is not far from one; else
// by singular values, which know what to do with inverted F.
#include "flex/element/material.h"

static double largest_difference(carom_mat3 a, carom_mat3 b) {
    carom_vec3 d = crm_vec3_max(crm_vec3_abs(crm_sub(a.x, b.x)), crm_vec3_abs(crm_sub(a.y, b.y)));
    return crm_max_component(crm_vec3_max(d, crm_vec3_abs(crm_sub(a.z, b.z))));
}

carom_mat3 crm_polar_rotation(carom_mat3 f, carom_mat3 cofactors, double determinant) {
    enum { MOST = 8 };
    // Convergence is quadratic: after a change so small the next one is below rounding.
    static const double last_change = 1e-9, least = 0.1, most = 10.0;
    carom_mat3 x = f;
    if (determinant > least && determinant < most) {
        for (int i = 0; i < MOST; i++) {
            carom_mat3 next = crm_mat3_add(crm_mat3_scale(0.5, x), crm_mat3_scale(0.5 / determinant, cofactors));
            double change = largest_difference(next, x);
            x = next;
            if (change < last_change) return x;
            cofactors = crm_cofactors(x);
            determinant = crm_dot(x.x, cofactors.x);
        }
    }
    (void)crm_nearest_rotation(f, &x);
    return x;
}
