// SPDX-License-Identifier: MIT
// Energy, stress and its derivative of the materials at one gradient F (docs/math.md 15.2). Energies are those of a
// cubic metre at rest.
#ifndef CRM_FLEX_MATERIAL_H
#define CRM_FLEX_MATERIAL_H

#include "flex/element/element.h"

// A symmetric matrix.
typedef struct crm_sym3 {
    double xx, yy, zz, xy, xz, yz;
} crm_sym3;

// (F^T F - 1)/2
static inline crm_sym3 crm_green_strain(carom_mat3 f) {
    return (crm_sym3){0.5 * (crm_dot(f.x, f.x) - 1.0), 0.5 * (crm_dot(f.y, f.y) - 1.0), 0.5 * (crm_dot(f.z, f.z) - 1.0),
                      0.5 * crm_dot(f.x, f.y),         0.5 * crm_dot(f.x, f.z),         0.5 * crm_dot(f.y, f.z)};
}

// sym(A^T B)
static inline crm_sym3 crm_symmetric_product(carom_mat3 a, carom_mat3 b) {
    return (crm_sym3){crm_dot(a.x, b.x),
                      crm_dot(a.y, b.y),
                      crm_dot(a.z, b.z),
                      0.5 * (crm_dot(a.x, b.y) + crm_dot(a.y, b.x)),
                      0.5 * (crm_dot(a.x, b.z) + crm_dot(a.z, b.x)),
                      0.5 * (crm_dot(a.y, b.z) + crm_dot(a.z, b.y))};
}

static inline double crm_sym3_trace(crm_sym3 a) {
    return a.xx + a.yy + a.zz;
}

static inline double crm_sym3_dot(crm_sym3 a, crm_sym3 b) {
    return (a.xx * b.xx + a.yy * b.yy + a.zz * b.zz) + 2.0 * (a.xy * b.xy + a.xz * b.xz + a.yz * b.yz);
}

// a + s b
static inline crm_sym3 crm_sym3_madd(crm_sym3 a, double s, crm_sym3 b) {
    return (crm_sym3){a.xx + s * b.xx, a.yy + s * b.yy, a.zz + s * b.zz,
                      a.xy + s * b.xy, a.xz + s * b.xz, a.yz + s * b.yz};
}

static inline crm_sym3 crm_sym3_scale(double s, crm_sym3 a) {
    return (crm_sym3){s * a.xx, s * a.yy, s * a.zz, s * a.xy, s * a.xz, s * a.yz};
}

static inline carom_mat3 crm_sym3_matrix(crm_sym3 a) {
    return (carom_mat3){{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}};
}

// Of a matrix that is symmetric to the bit.
static inline crm_sym3 crm_sym3_of(carom_mat3 a) {
    return (crm_sym3){a.x.x, a.y.y, a.z.z, a.y.x, a.z.x, a.z.y};
}

// The sum of the principal minors: the second invariant.
static inline double crm_sym3_minors(crm_sym3 a) {
    return (a.xx * a.yy - a.xy * a.xy) + (a.xx * a.zz - a.xz * a.xz) + (a.yy * a.zz - a.yz * a.yz);
}

static inline double crm_sym3_determinant(crm_sym3 a) {
    return a.xx * (a.yy * a.zz - a.yz * a.yz) - a.xy * (a.xy * a.zz - a.yz * a.xz) + a.xz * (a.xy * a.yz - a.yy * a.xz);
}

// A S
static inline carom_mat3 crm_mat3_mul_sym(carom_mat3 a, crm_sym3 s) {
    return crm_mat3_columns(crm_madd(crm_madd(crm_scale(s.xx, a.x), s.xy, a.y), s.xz, a.z),
                            crm_madd(crm_madd(crm_scale(s.xy, a.x), s.yy, a.y), s.yz, a.z),
                            crm_madd(crm_madd(crm_scale(s.xz, a.x), s.yz, a.y), s.zz, a.z));
}

// lambda tr(E) 1 + 2 mu E: the stress of Saint-Venant and Kirchhoff, and of viscosity for dE/dt.
static inline crm_sym3 crm_lame_stress(double lambda, double mu, crm_sym3 e) {
    double t = lambda * crm_sym3_trace(e), m = 2.0 * mu;
    return (crm_sym3){t + m * e.xx, t + m * e.yy, t + m * e.zz, m * e.xy, m * e.xz, m * e.yz};
}

// cof F = J F^-T
static inline carom_mat3 crm_cofactors(carom_mat3 f) {
    return crm_mat3_columns(crm_cross(f.y, f.z), crm_cross(f.z, f.x), crm_cross(f.x, f.y));
}

// ln J = ln sqrt(det(1 + 2 E)). Near 1 it is found from the strain, which has the digits that J has lost there.
static inline double crm_log_volume(crm_sym3 e, double determinant) {
    static const double near = 0.5;
    double z = 2.0 * (crm_sym3_trace(e) + 2.0 * crm_sym3_minors(e) + 4.0 * crm_sym3_determinant(e));
    return fabs(z) < near ? 0.5 * log1p(z) : log(determinant);
}

// What a material answers.
typedef struct crm_stress {
    double energy;      // W, J/m^3
    double determinant; // J
    carom_mat3 piola;   // P = dW/dF
} crm_stress;

// F's polar rotation, of inverted F as well; docs/math.md 15.2.
carom_mat3 crm_polar_rotation(carom_mat3 f, carom_mat3 cofactors, double determinant);

static inline void crm_neo_hookean_stress(const carom_elastic_def *m, carom_mat3 f, carom_mat3 cofactors,
                                          crm_stress *out) {
    crm_sym3 e = crm_green_strain(f);
    double l = crm_log_volume(e, out->determinant);
    double c = (m->lambda * l - m->mu) / out->determinant;
    out->energy = m->mu * (crm_sym3_trace(e) - l) + 0.5 * m->lambda * l * l;
    out->piola = crm_mat3_add(crm_mat3_scale(m->mu, f), crm_mat3_scale(c, cofactors));
}

static inline void crm_stvk_stress(const carom_elastic_def *m, carom_mat3 f, crm_stress *out) {
    crm_sym3 e = crm_green_strain(f);
    double t = crm_sym3_trace(e);
    out->energy = m->mu * crm_sym3_dot(e, e) + 0.5 * m->lambda * t * t;
    out->piola = crm_mat3_mul_sym(f, crm_lame_stress(m->lambda, m->mu, e));
}

static inline void crm_corotated_stress(const carom_elastic_def *m, carom_mat3 f, carom_mat3 cofactors,
                                        crm_stress *out) {
    carom_mat3 d = crm_mat3_sub(f, crm_polar_rotation(f, cofactors, out->determinant));
    double grown = out->determinant - 1.0;
    out->energy = m->mu * (crm_dot(d.x, d.x) + crm_dot(d.y, d.y) + crm_dot(d.z, d.z)) + 0.5 * m->lambda * grown * grown;
    out->piola = crm_mat3_add(crm_mat3_scale(2.0 * m->mu, d), crm_mat3_scale(m->lambda * grown, cofactors));
}

// False, with J alone, where the material has no energy: neo_hookean of an inverted element.
static inline bool crm_material_stress(const carom_elastic_def *m, carom_mat3 f, crm_stress *out) {
    carom_mat3 cofactors = crm_cofactors(f);
    out->determinant = crm_dot(f.x, cofactors.x);
    if (m->model == CAROM_ELASTIC_STVK)
        crm_stvk_stress(m, f, out);
    else if (m->model == CAROM_ELASTIC_COROTATED)
        crm_corotated_stress(m, f, cofactors, out);
    else if (out->determinant > 0.0)
        crm_neo_hookean_stress(m, f, cofactors, out);
    else
        return false;
    return true;
}

// dP/dF, exactly or without its negative eigenvalues. False where there is no energy.
bool crm_material_tangent(const carom_elastic_def *m, carom_mat3 f, bool definite, crm_tangent *out);

// The derivative of the viscous P by dF/dt.
void crm_viscous_tangent(const carom_elastic_def *m, carom_mat3 f, crm_tangent *out);

#endif
