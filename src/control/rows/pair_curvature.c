// SPDX-License-Identifier: MIT
#include "control/rows/pair_curvature.h"

#include <math.h>

#include "model/field/pair_laws.h"

bool crm_pair_has_curvature(const crm_pair_potential *pair) {
    return pair->kind != CRM_PAIR_POTENTIAL_GRID;
}

// a b^T + b a^T
static carom_mat3 symmetric(carom_vec3 a, carom_vec3 b) {
    return crm_mat3_add(crm_outer(a, b), crm_outer(b, a));
}

static carom_mat3 multiple_of_one(double s) {
    return crm_mat3_columns(crm_vec3(s, 0.0, 0.0), crm_vec3(0.0, s, 0.0), crm_vec3(0.0, 0.0, s));
}

// Of c/d^e: U''' = -d/dd (e c d^(-e-1)).
static double power_third(double c, double e, double d) {
    return c == 0.0 ? 0.0 : -e * (e + 1.0) * c * pow(d, -e - 2.0);
}

static double table_third(const crm_table_law *law, double d) {
    if (!(d >= law->cell[0].at)) return 0.0;
    int i = 0;
    while (i + 1 < law->count && law->cell[i + 1].at <= d) i++;
    return -(2.0 * law->cell[i].force[2] + 6.0 * law->cell[i].force[3] * (d - law->cell[i].at));
}

static double radial_third(const crm_pair_potential *pair, double d) {
    switch (pair->kind) {
    case CRM_PAIR_POTENTIAL_CHARGES:
        return -6.0 * pair->strength / (d * d * d * d);
    case CRM_PAIR_POTENTIAL_POWER: {
        const crm_power_law *law = pair->law.power;
        return power_third(law->repulsion, law->repulsion_exponent, d) -
               power_third(law->attraction, law->attraction_exponent, d);
    }
    case CRM_PAIR_POTENTIAL_TABLE:
        return table_third(pair->law.table, d);
    default: // a spring
        return 0.0;
    }
}

// U(d): (U''' - 3 U''/d + 3 U'/d^2) (n.w) n n^T + (U''/d - U'/d^2) (w n^T + n w^T + (n.w) 1)
static carom_mat3 radial_curvature(const crm_pair_potential *pair, carom_vec3 a, carom_vec3 b, carom_vec3 w) {
    crm_pair_potential_value value = crm_pair_potential_evaluate(pair, a, b);
    carom_vec3 n;
    double d = crm_normalise(crm_sub(a, b), &n);
    if (!(d > 0.0)) return multiple_of_one(0.0);
    double slope = crm_dot(value.gradient, n), bend = crm_dot(n, crm_mat3_apply(value.hessian, n));
    double mixed = bend / d - slope / (d * d), along = crm_dot(n, w);
    double third = radial_third(pair, d) - 3.0 * mixed;
    carom_mat3 sum = crm_mat3_scale(third * along, crm_outer(n, n));
    sum = crm_mat3_add(sum, crm_mat3_scale(mixed, symmetric(w, n)));
    return crm_mat3_add(sum, multiple_of_one(mixed * along));
}

// The derivative along w of U'' as it stands in model/field/pair_laws.c, with p = x.w, z = a.x and alpha = a.w.
static carom_mat3 central_curvature(double strength, const crm_central_law *law, carom_vec3 x, carom_vec3 w) {
    carom_vec3 a = law->axis;
    double r = crm_length(x), p = crm_dot(x, w), z = crm_dot(a, x), alpha = crm_dot(a, w);
    double r2 = 1.0 / (r * r), r5 = r2 * r2 / r, r7 = r5 * r2, r9 = r7 * r2, r11 = r9 * r2;
    carom_mat3 xx = crm_outer(x, x), wx = symmetric(w, x);
    carom_mat3 sum = multiple_of_one(-3.0 * r5 * p);
    sum = crm_mat3_add(sum, crm_mat3_scale(15.0 * r7 * p, xx));
    sum = crm_mat3_add(sum, crm_mat3_scale(-3.0 * r5, wx));
    carom_mat3 flat = crm_mat3_scale(-30.0 * r7 * p, crm_outer(a, a));
    flat = crm_mat3_add(flat, crm_mat3_scale(-30.0 * alpha * r7 + 210.0 * z * r9 * p, symmetric(a, x)));
    flat = crm_mat3_add(flat, crm_mat3_scale(-30.0 * z * r7, symmetric(a, w)));
    flat = crm_mat3_add(flat, multiple_of_one(-15.0 * r7 * p - 30.0 * z * alpha * r7 + 105.0 * z * z * r9 * p));
    flat = crm_mat3_add(flat, crm_mat3_scale(210.0 * z * alpha * r9 - 945.0 * z * z * r11 * p + 105.0 * r9 * p, xx));
    flat = crm_mat3_add(flat, crm_mat3_scale(105.0 * z * z * r9 - 15.0 * r7, wx));
    return crm_mat3_scale(strength, crm_mat3_add(sum, crm_mat3_scale(law->oblateness, flat)));
}

carom_mat3 crm_pair_curvature(const crm_pair_potential *pair, carom_vec3 a, carom_vec3 b, carom_vec3 w) {
    if (pair->kind == CRM_PAIR_POTENTIAL_CENTRAL)
        return central_curvature(pair->strength, pair->law.central, crm_sub(a, b), w);
    if (pair->kind == CRM_PAIR_POTENTIAL_TIDAL) return multiple_of_one(0.0);
    return radial_curvature(pair, a, b, w);
}
