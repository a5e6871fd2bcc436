// SPDX-License-Identifier: MIT
#include "flex/element/material_discrete.h"

#include "math/eigen3.h"

crm_gradients crm_gradients_of(carom_mat3 before, carom_mat3 change, double duration) {
    crm_gradients g = {.duration = duration};
    g.mean = crm_mat3_add(before, crm_mat3_scale(0.5, change));
    g.after = crm_mat3_add(before, change);
    g.mean_strain = crm_green_strain(g.mean);
    g.half_strain = crm_sym3_madd(g.mean_strain, 0.125, crm_symmetric_product(change, change));
    g.change = crm_sym3_scale(2.0, crm_symmetric_product(g.mean, change));
    return g;
}

// ---- the stress at one C, and its derivative

static crm_sym3 inverse_of(crm_sym3 c) {
    double d = crm_sym3_determinant(c);
    return crm_sym3_scale(1.0 / d,
                          (crm_sym3){c.yy * c.zz - c.yz * c.yz, c.xx * c.zz - c.xz * c.xz, c.xx * c.yy - c.xy * c.xy,
                                     c.xz * c.yz - c.xy * c.zz, c.xy * c.yz - c.xz * c.yy, c.xy * c.xz - c.xx * c.yz});
}

// 1 + 2 E
static crm_sym3 from_strain(crm_sym3 e) {
    return (crm_sym3){1.0 + 2.0 * e.xx, 1.0 + 2.0 * e.yy, 1.0 + 2.0 * e.zz, 2.0 * e.xy, 2.0 * e.xz, 2.0 * e.yz};
}

static const crm_sym3 unit = {1.0, 1.0, 1.0, 0.0, 0.0, 0.0};

// U = sqrt(C) and what it is made of.
static void find_stretches(crm_sym3 c, crm_response *out) {
    carom_vec3 squares;
    (void)crm_eigen3(crm_sym3_matrix(c), &squares, &out->axes);
    carom_vec3 s = crm_vec3(sqrt(squares.x), sqrt(squares.y), sqrt(squares.z));
    out->right = crm_congruence_diagonal(out->axes, s);
    out->stretch[0] = s.x;
    out->stretch[1] = s.y;
    out->stretch[2] = s.z;
}

static crm_response respond(const carom_elastic_def *m, crm_sym3 strain) {
    crm_response r = {.volume = 1.0};
    if (m->model == CAROM_ELASTIC_STVK) {
        r.stress = crm_lame_stress(m->lambda, m->mu, strain);
        return r;
    }
    crm_sym3 c = from_strain(strain);
    r.volume = sqrt(crm_sym3_determinant(c));
    r.inverse = inverse_of(c);
    if (m->model == CAROM_ELASTIC_NEO_HOOKEAN) {
        r.log_volume = crm_log_volume(strain, r.volume);
        r.stress = crm_sym3_madd(crm_sym3_scale(m->mu, unit), m->lambda * r.log_volume - m->mu, r.inverse);
        return r;
    }
    find_stretches(c, &r);
    const double *s = r.stretch;
    carom_mat3 slack = crm_congruence_diagonal(
        r.axes, crm_vec3((s[0] - 1.0) / s[0], (s[1] - 1.0) / s[1], (s[2] - 1.0) / s[2])); // 1 - U^-1
    r.stress = crm_sym3_madd(crm_sym3_scale(2.0 * m->mu, crm_sym3_of(slack)), m->lambda * (r.volume - 1.0) * r.volume,
                             r.inverse);
    return r;
}

// B X B
static crm_sym3 sandwich(crm_sym3 b, crm_sym3 x) {
    return crm_sym3_of(crm_congruence(crm_sym3_matrix(b), crm_sym3_matrix(x)));
}

// X between the axes and back, with what `factor` makes of each entry.
static crm_sym3 by_axes(carom_mat3 axes, crm_sym3 x, double factor[3][3]) {
    carom_mat3 y = crm_congruence(crm_mat3_transpose(axes), crm_sym3_matrix(x));
    carom_mat3 scaled = {{y.x.x * factor[0][0], y.x.y * factor[0][1], y.x.z * factor[0][2]},
                         {y.y.x * factor[1][0], y.y.y * factor[1][1], y.y.z * factor[1][2]},
                         {y.z.x * factor[2][0], y.z.y * factor[2][1], y.z.z * factor[2][2]}};
    return crm_sym3_of(crm_congruence(axes, scaled));
}

// The change of S with C.
static crm_sym3 respond_change(const carom_elastic_def *m, const crm_response *r, crm_sym3 dc) {
    if (m->model == CAROM_ELASTIC_STVK) return crm_lame_stress(0.5 * m->lambda, 0.5 * m->mu, dc);
    double grown = crm_sym3_dot(r->inverse, dc);
    crm_sym3 both = sandwich(r->inverse, dc);
    if (m->model == CAROM_ELASTIC_NEO_HOOKEAN) {
        crm_sym3 ds = crm_sym3_scale(m->mu - m->lambda * r->log_volume, both);
        return crm_sym3_madd(ds, 0.5 * m->lambda * grown, r->inverse);
    }
    double factor[3][3]; // d(-U^-1) = U^-1 dU U^-1, dU U + U dU = dC
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double a = r->stretch[i], b = r->stretch[j];
            factor[i][j] = 2.0 * m->mu / (a * b * (a + b));
        }
    crm_sym3 ds = by_axes(r->axes, dc, factor);
    double j = r->volume;
    ds = crm_sym3_madd(ds, m->lambda * (j - 0.5) * j * grown, r->inverse);
    return crm_sym3_madd(ds, -m->lambda * (j - 1.0) * j, both);
}

// ---- what the energy changes by beyond S(C_h) : d/2: third order in d, and found without differences of energies

// artanh(q) - q
static double artanh_rest(double q) {
    static const double near = 0.1;
    if (fabs(q) > near) return atanh(q) - q;
    double square = q * q, power = q * square, sum = 0.0;
    for (int n = 3; n <= 19; n += 2, power *= square) sum += power / n;
    return sum;
}

// C1 and C0 as C_h^1/2 (1 +- Y) C_h^1/2: invariants of Y.
typedef struct step_invariants {
    double first, second, third, square; // tr Y, minors, det Y, tr Y^2
    double spread;                       // det(1 + Y) det(1 - Y) - 1
} step_invariants;

static step_invariants invariants_of(const crm_response *h, crm_sym3 d) {
    step_invariants y;
    y.first = 0.5 * crm_sym3_dot(h->inverse, d);
    y.square = 0.25 * crm_sym3_dot(sandwich(h->inverse, d), d);
    y.second = 0.5 * (y.first * y.first - y.square);
    y.third = 0.125 * crm_sym3_determinant(d) / (h->volume * h->volume);
    y.spread = y.second * y.second - y.square - y.third * (2.0 * y.first + y.third);
    return y;
}

static double neo_hookean_rest(const carom_elastic_def *m, const crm_response *h, crm_sym3 d) {
    step_invariants y = invariants_of(h, d);
    double q = (y.first + y.third) / (1.0 + y.second);                                  // ln J1 - ln J0 = artanh(q)
    double beyond = artanh_rest(q) + (y.third - y.first * y.second) / (1.0 + y.second); // that less tr Y
    double mean = 0.25 * log1p(y.spread);                                               // (ln J0 + ln J1)/2 - ln J_h
    return (m->lambda * h->log_volume - m->mu) * beyond + m->lambda * mean * (beyond + y.first);
}

// X with X A + A X = B, by the eigenvectors of A.
static crm_sym3 lyapunov(carom_mat3 a, crm_sym3 b) {
    carom_vec3 v;
    carom_mat3 axes;
    (void)crm_eigen3(a, &v, &axes);
    double s[3] = {v.x, v.y, v.z}, factor[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) factor[i][j] = 1.0 / (s[i] + s[j]);
    return by_axes(axes, b, factor);
}

// tr U1 - tr U0 - U_h^-1 : d/2. With U_m = (U0 + U1)/2 and X = U1 - U0 it is X U_m + U_m X = d, so that tr X is
// U_m^-1 : d/2; and U_h^2 - U_m^2 = X^2/4.
static double trace_rest(const crm_response *h, crm_sym3 half_strain, crm_sym3 d) {
    crm_response before, after;
    crm_sym3 c = from_strain(half_strain);
    find_stretches(crm_sym3_madd(c, -0.5, d), &before);
    find_stretches(crm_sym3_madd(c, 0.5, d), &after);
    carom_mat3 mean = crm_mat3_scale(0.5, crm_mat3_add(before.right, after.right));
    carom_mat3 x = crm_sym3_matrix(lyapunov(mean, d));
    crm_sym3 square = crm_sym3_scale(0.25, crm_symmetric_product(x, x));
    carom_mat3 z = crm_sym3_matrix(lyapunov(crm_mat3_scale(0.5, crm_mat3_add(h->right, mean)), square));
    carom_mat3 right = crm_sym3_matrix(inverse_of(crm_sym3_of(h->right)));
    carom_mat3 left = crm_sym3_matrix(inverse_of(crm_sym3_of(mean)));
    carom_mat3 product = crm_mat3_mul(crm_mat3_mul(left, z), crm_mat3_mul(right, crm_sym3_matrix(d)));
    return 0.5 * crm_mat3_trace(product);
}

static double corotated_rest(const carom_elastic_def *m, const crm_response *h, crm_sym3 half_strain, crm_sym3 d) {
    step_invariants y = invariants_of(h, d);
    double more = 0.5 * (y.second + y.spread / (1.0 + sqrt(1.0 + y.spread))); // a^2 - 1
    double a = sqrt(1.0 + more), j = h->volume;                               // (J0 + J1)/2 = a J_h
    double volumes = y.first * more / (a * (a + 1.0)) + y.third * (j - 1.0 / a);
    return m->lambda * j * volumes - 2.0 * m->mu * trace_rest(h, half_strain, d);
}

// ---- the stress of a step

void crm_material_discrete_stress(const carom_elastic_def *m, const crm_gradients *g, bool midpoint,
                                  crm_discrete_stress *out) {
    double size = crm_sym3_dot(g->change, g->change), rest = 0.0;
    out->at = respond(m, midpoint ? g->mean_strain : g->half_strain);
    if (!midpoint && size > 0.0 && m->model == CAROM_ELASTIC_NEO_HOOKEAN)
        rest = neo_hookean_rest(m, &out->at, g->change);
    if (!midpoint && size > 0.0 && m->model == CAROM_ELASTIC_COROTATED)
        rest = corotated_rest(m, &out->at, g->half_strain, g->change);
    out->factor = rest != 0.0 ? 2.0 * rest / size : 0.0;
    out->work = 0.5 * crm_sym3_dot(out->at.stress, g->change) + rest;
    out->stress = crm_sym3_madd(out->at.stress, out->factor, g->change);
    out->power = 0.0;
    if (m->viscosity == 0.0) return;
    crm_sym3 rate = crm_sym3_scale(0.5 / g->duration, g->change);
    crm_sym3 viscous = crm_lame_stress(m->viscosity * m->lambda, m->viscosity * m->mu, rate);
    out->stress = crm_sym3_madd(out->stress, 1.0, viscous);
    out->power = -crm_sym3_dot(viscous, rate);
}

// The gradient of the factor k by C1: (S(C1) - S(C_h) - S'(C_h) d/2 - 2 k d)/|d|^2, all of which cancels where d is
// small; there its share of the derivative, about |d|, is left out.
static crm_sym3 factor_gradient(const carom_elastic_def *m, const crm_gradients *g, const crm_discrete_stress *stress) {
    static const double least = 1e-8;
    double size = crm_sym3_dot(g->change, g->change);
    if (m->model == CAROM_ELASTIC_STVK || size < least * least) return (crm_sym3){0};
    crm_sym3 y = respond(m, crm_green_strain(g->after)).stress;
    y = crm_sym3_madd(y, -1.0, stress->at.stress);
    y = crm_sym3_madd(y, -0.5, respond_change(m, &stress->at, g->change));
    y = crm_sym3_madd(y, -2.0 * stress->factor, g->change);
    return crm_sym3_scale(1.0 / size, y);
}

// a b^T + b a^T with b the unit vector of an axis.
static crm_sym3 symmetric_outer(carom_vec3 a, int axis) {
    carom_mat3 m = crm_mat3_zero();
    carom_vec3 *column = axis == 0 ? &m.x : axis == 1 ? &m.y : &m.z;
    *column = crm_scale(2.0, a);
    return crm_symmetric_product(m, crm_mat3_identity());
}

void crm_material_discrete_tangent(const carom_elastic_def *m, const crm_gradients *g, bool midpoint,
                                   const crm_discrete_stress *stress, crm_tangent *out) {
    crm_sym3 gradient = midpoint ? (crm_sym3){0} : factor_gradient(m, g, stress);
    carom_mat3 after = crm_mat3_transpose(g->after), mean = crm_mat3_transpose(g->mean);
    carom_mat3 half = crm_mat3_scale(0.5, crm_sym3_matrix(stress->stress));
    double slow = m->viscosity > 0.0 ? 0.5 * m->viscosity / g->duration : 0.0;
    for (int l = 0; l < 3; l++)
        for (int k = 0; k < 3; k++) {
            carom_vec3 row = k == 0 ? after.x : k == 1 ? after.y : after.z;
            carom_vec3 mean_row = k == 0 ? mean.x : k == 1 ? mean.y : mean.z;
            crm_sym3 dc = symmetric_outer(row, l); // of C1; half of C_h's
            crm_sym3 at = midpoint ? symmetric_outer(mean_row, l) : dc;
            crm_sym3 ds = respond_change(m, &stress->at, crm_sym3_scale(0.5, at));
            ds = crm_sym3_madd(ds, stress->factor, dc);
            ds = crm_sym3_madd(ds, crm_sym3_dot(gradient, dc), g->change);
            ds = crm_sym3_madd(ds, slow, crm_lame_stress(m->lambda, m->mu, dc));
            carom_mat3 dp = crm_mat3_mul_sym(g->mean, ds);
            // dF S/2 with dF = e_k e_l^T: the l-th row of S/2 in row k.
            carom_vec3 s = l == 0 ? half.x : l == 1 ? half.y : half.z;
            carom_vec3 axis = crm_with_component(crm_vec3_zero(), k, 1.0);
            out->column[l][k] = crm_mat3_add(dp, crm_outer(axis, s));
        }
}
