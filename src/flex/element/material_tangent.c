// SPDX-License-Identifier: MIT
// dP/dF of the materials: in closed form where that needs no principal stretches, else by them, column by column.
// Clipped, it is always by them: in their basis the eigenvalues are there (docs/math.md 15.2).
#include "flex/element/material.h"
#include "math/eigen3.h"
#include "math/svd3.h"

static const int next_axis[3] = {1, 2, 0};

static carom_vec3 column(const carom_mat3 *a, int j) {
    return j == 0 ? a->x : j == 1 ? a->y : a->z;
}

static carom_vec3 row(const carom_mat3 *a, int i) {
    return crm_vec3(crm_component(a->x, i), crm_component(a->y, i), crm_component(a->z, i));
}

static void add_to_column(carom_mat3 *a, int j, int i, double value) {
    carom_vec3 *c = j == 0 ? &a->x : j == 1 ? &a->y : &a->z;
    *c = crm_with_component(*c, i, crm_component(*c, i) + value);
}

// mu dF + (mu - lambda ln J) B dF^T B + lambda (B : dF) B with B = F^-T.
static void neo_hookean(const carom_elastic_def *m, carom_mat3 f, carom_mat3 cofactors, double determinant,
                        crm_tangent *out) {
    carom_mat3 b = crm_mat3_scale(1.0 / determinant, cofactors);
    double c = m->mu - m->lambda * crm_log_volume(crm_green_strain(f), determinant);
    for (int l = 0; l < 3; l++) {
        carom_vec3 bl = column(&b, l);
        for (int k = 0; k < 3; k++) {
            carom_mat3 dp = crm_outer(crm_scale(c, bl), row(&b, k));
            dp = crm_mat3_add(dp, crm_mat3_scale(m->lambda * crm_component(bl, k), b));
            add_to_column(&dp, l, k, m->mu);
            out->column[l][k] = dp;
        }
    }
}

// dF S + F dS with dS = lambda (F : dF) 1 + 2 mu sym(F^T dF).
static void stvk(const carom_elastic_def *m, carom_mat3 f, crm_tangent *out) {
    crm_sym3 s = crm_lame_stress(m->lambda, m->mu, crm_green_strain(f));
    carom_mat3 stress = {{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}};
    for (int l = 0; l < 3; l++) {
        carom_vec3 fl = column(&f, l), unit = crm_with_component(crm_vec3_zero(), l, 1.0), sl = column(&stress, l);
        for (int k = 0; k < 3; k++) {
            carom_vec3 fk = row(&f, k), axis = crm_with_component(crm_vec3_zero(), k, 1.0);
            carom_vec3 left = crm_scale(m->mu, crm_mat3_apply(f, fk));
            carom_mat3 dp = crm_mat3_add(crm_outer(axis, sl), crm_outer(left, unit));
            dp = crm_mat3_add(dp, crm_outer(crm_scale(m->mu, fl), fk));
            out->column[l][k] = crm_mat3_add(dp, crm_mat3_scale(m->lambda * crm_component(fl, k), f));
        }
    }
}

void crm_viscous_tangent(const carom_elastic_def *m, carom_mat3 f, crm_tangent *out) {
    double lambda = m->viscosity * m->lambda, mu = m->viscosity * m->mu;
    for (int l = 0; l < 3; l++) {
        carom_vec3 fl = column(&f, l), unit = crm_with_component(crm_vec3_zero(), l, 1.0);
        for (int k = 0; k < 3; k++) {
            carom_vec3 fk = row(&f, k);
            carom_mat3 dp = crm_outer(crm_scale(mu, crm_mat3_apply(f, fk)), unit);
            dp = crm_mat3_add(dp, crm_outer(crm_scale(mu, fl), fk));
            out->column[l][k] = crm_mat3_add(dp, crm_mat3_scale(lambda * crm_component(fl, k), f));
        }
    }
}

// A in the basis u_i v_j^T: `normal` on u_i v_i^T among themselves; on the parts of u_i v_j^T and u_j v_i^T that are
// symmetric and antisymmetric in i and j, one eigenvalue each, at the index of the third axis.
typedef struct principal {
    double normal[3][3];
    double symmetric[3], antisymmetric[3];
} principal;

static void neo_hookean_principal(const carom_elastic_def *m, const double s[3], principal *out) {
    double c = m->mu - m->lambda * log(s[0] * s[1] * s[2]);
    for (int i = 0; i < 3; i++) {
        int j = next_axis[i], k = next_axis[j];
        out->normal[i][i] = m->mu + (c + m->lambda) / (s[i] * s[i]);
        out->normal[j][k] = out->normal[k][j] = m->lambda / (s[j] * s[k]);
        out->symmetric[i] = m->mu + c / (s[j] * s[k]);
        out->antisymmetric[i] = m->mu - c / (s[j] * s[k]);
    }
}

static void stvk_principal(const carom_elastic_def *m, const double s[3], principal *out) {
    double t = 0.5 * m->lambda * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2] - 3.0);
    for (int i = 0; i < 3; i++) {
        int j = next_axis[i], k = next_axis[j];
        double squares = s[j] * s[j] + s[k] * s[k] - 1.0, product = s[j] * s[k];
        out->normal[i][i] = t + m->mu * (3.0 * s[i] * s[i] - 1.0) + m->lambda * s[i] * s[i];
        out->normal[j][k] = out->normal[k][j] = m->lambda * product;
        out->symmetric[i] = t + m->mu * (squares + product);
        out->antisymmetric[i] = t + m->mu * (squares - product);
    }
}

static void corotated_principal(const carom_elastic_def *m, const double s[3], principal *out) {
    // Below this sum of two stretches, one of them negative, F has no single nearest rotation and the stress no
    // derivative; it is taken where they are so far apart.
    static const double least_sum = 1e-8;
    double grown = m->lambda * (s[0] * s[1] * s[2] - 1.0);
    for (int i = 0; i < 3; i++) {
        int j = next_axis[i], k = next_axis[j];
        double product = s[j] * s[k], sum = s[j] + s[k];
        out->normal[i][i] = 2.0 * m->mu + m->lambda * product * product;
        out->normal[j][k] = out->normal[k][j] = m->lambda * s[i] * s[i] * product + grown * s[i];
        out->symmetric[i] = 2.0 * m->mu - grown * s[i];
        out->antisymmetric[i] = 2.0 * m->mu - 4.0 * m->mu / (sum > least_sum ? sum : least_sum) + grown * s[i];
    }
}

// Leaves negative eigenvalues out.
static void clip(principal *a) {
    carom_mat3 n = {{a->normal[0][0], a->normal[0][1], a->normal[0][2]},
                    {a->normal[0][1], a->normal[1][1], a->normal[1][2]},
                    {a->normal[0][2], a->normal[1][2], a->normal[2][2]}};
    carom_mat3 vectors;
    carom_vec3 values;
    (void)crm_eigen3(n, &values, &vectors);
    if (values.x < 0.0) n = crm_congruence_diagonal(vectors, crm_vec3_max(values, crm_vec3_zero()));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) a->normal[i][j] = crm_mat3_get(n, i, j);
        a->symmetric[i] = fmax(a->symmetric[i], 0.0);
        a->antisymmetric[i] = fmax(a->antisymmetric[i], 0.0);
    }
}

// U^T dP V for U^T dF V = r q^T.
static carom_mat3 principal_column(const principal *a, carom_vec3 r, carom_vec3 q) {
    double rs[3] = {r.x, r.y, r.z}, qs[3] = {q.x, q.y, q.z}, p[3][3];
    for (int k = 0; k < 3; k++) {
        int i = next_axis[k], j = next_axis[i];
        double same = 0.5 * (a->symmetric[k] + a->antisymmetric[k]);
        double other = 0.5 * (a->symmetric[k] - a->antisymmetric[k]);
        p[i][j] = same * rs[i] * qs[j] + other * rs[j] * qs[i];
        p[j][i] = same * rs[j] * qs[i] + other * rs[i] * qs[j];
        p[k][k] = 0.0;
        for (int l = 0; l < 3; l++) p[k][k] += a->normal[k][l] * rs[l] * qs[l];
    }
    return (carom_mat3){{p[0][0], p[1][0], p[2][0]}, {p[0][1], p[1][1], p[2][1]}, {p[0][2], p[1][2], p[2][2]}};
}

static void by_stretches(const carom_elastic_def *m, carom_mat3 f, bool definite, crm_tangent *out) {
    carom_mat3 u, v;
    carom_vec3 stretch;
    principal a;
    (void)crm_svd3(f, &u, &stretch, &v);
    double s[3] = {stretch.x, stretch.y, stretch.z};
    if (m->model == CAROM_ELASTIC_NEO_HOOKEAN)
        neo_hookean_principal(m, s, &a);
    else if (m->model == CAROM_ELASTIC_STVK)
        stvk_principal(m, s, &a);
    else
        corotated_principal(m, s, &a);
    if (definite) clip(&a);
    for (int l = 0; l < 3; l++)
        for (int k = 0; k < 3; k++)
            out->column[l][k] = crm_mat3_mul_nt(crm_mat3_mul(u, principal_column(&a, row(&u, k), row(&v, l))), v);
}

bool crm_material_tangent(const carom_elastic_def *m, carom_mat3 f, bool definite, crm_tangent *out) {
    carom_mat3 cofactors = crm_cofactors(f);
    double determinant = crm_dot(f.x, cofactors.x);
    if (m->model == CAROM_ELASTIC_NEO_HOOKEAN && !(determinant > 0.0)) return false;
    if (definite || m->model == CAROM_ELASTIC_COROTATED)
        by_stretches(m, f, definite, out);
    else if (m->model == CAROM_ELASTIC_STVK)
        stvk(m, f, out);
    else
        neo_hookean(m, f, cofactors, determinant, out);
    return true;
}
