// SPDX-License-Identifier: MIT
#include "model/field/pair_laws.h"

#include <math.h>

#include "model/field/grid.h"
#include "model/force/pair_potential.h"

// ---- powers

// One term c / d^e: its energy, -integral of it, is c d^(1-e) / (e - 1), and -c ln d for e = 1.
static void add_power(double c, double e, double d, crm_radial_value *to) {
    if (c == 0.0) return;
    double force = c * pow(d, -e);
    to->energy += e == 1.0 ? -c * log(d) : force * d / (e - 1.0);
    to->slope -= force;
    to->bend += e == 0.0 ? 0.0 : e * force / d;
}

crm_radial_value crm_power_law_evaluate(const crm_power_law *law, double d) {
    crm_radial_value value = {0.0, 0.0, 0.0};
    add_power(law->repulsion, law->repulsion_exponent, d, &value);
    add_power(-law->attraction, law->attraction_exponent, d, &value);
    return value;
}

// ---- tables

static bool same_sign(double a, double b) {
    return (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0);
}

// Slope at a cell between intervals of lengths l and r with mean slopes a and b: the weighted harmonic mean, which
// makes neither of the cubics overshoot (Fritsch and Carlson, Butland).
static double inner_slope(double l, double r, double a, double b) {
    if (!same_sign(a, b)) return 0.0;
    double of_l = l + 2.0 * r, of_r = 2.0 * l + r;
    return (of_l + of_r) / (of_l / a + of_r / b);
}

// At an end: that of the parabola through three points, limited so that the cubic does not overshoot.
static double end_slope(double l, double r, double a, double b) {
    double slope = ((2.0 * l + r) * a - l * b) / (l + r);
    if (!same_sign(slope, a)) return 0.0;
    return !same_sign(a, b) && fabs(slope) > 3.0 * fabs(a) ? 3.0 * a : slope;
}

static double mean_slope(const crm_table_law *law, int i) {
    const crm_table_cell *k = &law->cell[i];
    return (k[1].force[0] - k[0].force[0]) / (k[1].at - k[0].at);
}

static double length_of(const crm_table_law *law, int i) {
    return law->cell[i + 1].at - law->cell[i].at;
}

static double slope_at(const crm_table_law *law, int i) {
    int last = law->count - 1;
    if (last == 1) return mean_slope(law, 0);
    if (i == 0) return end_slope(length_of(law, 0), length_of(law, 1), mean_slope(law, 0), mean_slope(law, 1));
    if (i == last)
        return end_slope(length_of(law, last - 1), length_of(law, last - 2), mean_slope(law, last - 1),
                         mean_slope(law, last - 2));
    return inner_slope(length_of(law, i - 1), length_of(law, i), mean_slope(law, i - 1), mean_slope(law, i));
}

// Integral of the force over t from the cell on.
static double integral_of(const crm_table_cell *k, double t) {
    return t * (k->force[0] + t * (k->force[1] / 2.0 + t * (k->force[2] / 3.0 + t * (k->force[3] / 4.0))));
}

void crm_table_law_finish(crm_table_law *law, bool smooth) {
    for (int i = 0; i + 1 < law->count; i++) {
        double l = length_of(law, i), mean = mean_slope(law, i);
        crm_table_cell *k = &law->cell[i];
        double left = smooth ? slope_at(law, i) : mean, right = smooth ? slope_at(law, i + 1) : mean;
        k->force[1] = left;
        k->force[2] = smooth ? (3.0 * mean - 2.0 * left - right) / l : 0.0;
        k->force[3] = smooth ? (left + right - 2.0 * mean) / (l * l) : 0.0;
    }
    for (int i = law->count - 2; i >= 0; i--)
        law->cell[i].energy = law->cell[i + 1].energy + integral_of(&law->cell[i], length_of(law, i));
}

crm_radial_value crm_table_law_evaluate(const crm_table_law *law, double d) {
    const crm_table_cell *first = &law->cell[0];
    // The last cell at or before d; nearer than the first one its force goes on.
    if (!(d >= first->at))
        return (crm_radial_value){first->energy - first->force[0] * (d - first->at), -first->force[0], 0.0};
    int low = 0, high = law->count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (law->cell[middle].at <= d)
            low = middle;
        else
            high = middle;
    }
    const crm_table_cell *k = &law->cell[low];
    double t = d - k->at;
    double force = k->force[0] + t * (k->force[1] + t * (k->force[2] + t * k->force[3]));
    double bend = -(k->force[1] + t * (2.0 * k->force[2] + t * 3.0 * k->force[3]));
    return (crm_radial_value){k->energy - integral_of(k, t), -force, bend};
}

// ---- gravity of a centre

// With x from the centre, z = axis.x and c the oblateness:
//   U  = -1/r + c (3 z^2 r^-5 - r^-3)
//   U' = r^-3 x + c (6 z r^-5 a - 15 z^2 r^-7 x + 3 r^-5 x)
//   U''= r^-3 (1 - 3 n n^T) + c (6 r^-5 a a^T - 30 z r^-7 (a x^T + x a^T) + (3 r^-5 - 15 z^2 r^-7) 1
//                                + (105 z^2 r^-9 - 15 r^-7) x x^T)
// With n = x/r and s = a.n, all terms are powers of 1/r times numbers near 1, which do not overflow.
static crm_pair_potential_value central_value(double strength, const crm_central_law *law, carom_vec3 x) {
    carom_vec3 n, a = law->axis;
    double r = crm_normalise(x, &n), s = crm_dot(a, n);
    double u = strength / r, q = law->oblateness / (r * r) * u; // J; q: that of the oblateness
    double energy = -u + q * (3.0 * s * s - 1.0);
    carom_vec3 gradient = crm_scale(u / r + q / r * (3.0 - 15.0 * s * s), n);
    gradient = crm_madd(gradient, 6.0 * q / r * s, a);
    double k = u / (r * r), l = q / (r * r);
    carom_mat3 hessian = crm_outer(crm_scale(-3.0 * k + l * (105.0 * s * s - 15.0), n), n);
    carom_mat3 mixed = crm_mat3_add(crm_outer(a, n), crm_outer(n, a));
    hessian = crm_mat3_add(hessian, crm_mat3_scale(-30.0 * s * l, mixed));
    hessian = crm_mat3_add(hessian, crm_outer(crm_scale(6.0 * l, a), a));
    double even = k + l * (3.0 - 15.0 * s * s);
    hessian = crm_mat3_add(hessian, crm_mat3_diagonal(crm_vec3(even, even, even)));
    return (crm_pair_potential_value){energy, gradient, hessian};
}

// U = -m n^2 (3 x^2 - z^2) / 2 of Hill's frame: what is left of gravity and rotation beside the origin.
static crm_pair_potential_value tidal_value(double strength, carom_vec3 x) {
    carom_vec3 stiffness = crm_vec3(-3.0 * strength, 0.0, strength), gradient = crm_vec3_mul(stiffness, x);
    return (crm_pair_potential_value){0.5 * crm_dot(gradient, x), gradient, crm_mat3_diagonal(stiffness)};
}

// ---- all

crm_pair_potential_value crm_pair_law_evaluate(const crm_pair_potential *pair, carom_vec3 a, carom_vec3 b) {
    carom_vec3 between = crm_sub(a, b), n;
    switch (pair->kind) {
    case CRM_PAIR_POTENTIAL_CENTRAL:
        return central_value(pair->strength, pair->law.central, between);
    case CRM_PAIR_POTENTIAL_TIDAL:
        return tidal_value(pair->strength, between);
    case CRM_PAIR_POTENTIAL_GRID:
        return crm_grid_energy(pair->law.grid, a);
    default:
        break;
    }
    double d = crm_normalise(between, &n);
    bool power = pair->kind == CRM_PAIR_POTENTIAL_POWER;
    crm_radial_value v =
        power ? crm_power_law_evaluate(pair->law.power, d) : crm_table_law_evaluate(pair->law.table, d);
    // Where the points meet a table's force has no direction, and drives neither of them.
    double slope_over_d = d > 0.0 || power ? v.slope / d : 0.0;
    return crm_pair_potential_radial(n, v.energy, v.slope, v.bend, slope_over_d);
}
