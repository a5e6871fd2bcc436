// SPDX-License-Identifier: MIT
// 3x3 matrices by their columns x, y, z, by value.
//
//   make      crm_mat3_zero  _identity  _diagonal  _columns  crm_skew  crm_outer  crm_frame_from_normal
//             crm_frame_from_axes
//   algebra   crm_mat3_add  _sub  _scale  _mul  _mul_nt (A B^T)  _mul_tn (A^T B)  _transpose
//   vectors   crm_mat3_apply (A v)  crm_mat3_apply_t (A^T v)  crm_unskew
//   numbers   crm_mat3_trace  _norm  _get
//   tensors   crm_congruence (R S R^T)  crm_congruence_diagonal
//   solving   crm_mat3_solve  _inverse
//   rotations crm_nearest_rotation
#ifndef CRM_MATH_MAT3_H
#define CRM_MATH_MAT3_H

#include "math/vec3.h"

static inline carom_mat3 crm_mat3_columns(carom_vec3 x, carom_vec3 y, carom_vec3 z) {
    return (carom_mat3){x, y, z};
}

static inline carom_mat3 crm_mat3_diagonal(carom_vec3 d) {
    return crm_mat3_columns(crm_vec3(d.x, 0.0, 0.0), crm_vec3(0.0, d.y, 0.0), crm_vec3(0.0, 0.0, d.z));
}

static inline carom_mat3 crm_mat3_zero(void) {
    return crm_mat3_diagonal(crm_vec3(0.0, 0.0, 0.0));
}

static inline carom_mat3 crm_mat3_identity(void) {
    return crm_mat3_diagonal(crm_vec3(1.0, 1.0, 1.0));
}

// [a]x, so that crm_skew(a) b = a x b.
static inline carom_mat3 crm_skew(carom_vec3 a) {
    return crm_mat3_columns(crm_vec3(0.0, a.z, -a.y), crm_vec3(-a.z, 0.0, a.x), crm_vec3(a.y, -a.x, 0.0));
}

// The vector of the antisymmetric part of A: crm_unskew([a]x) = a.
static inline carom_vec3 crm_unskew(carom_mat3 a) {
    return crm_vec3(0.5 * (a.y.z - a.z.y), 0.5 * (a.z.x - a.x.z), 0.5 * (a.x.y - a.y.x));
}

// a b^T
static inline carom_mat3 crm_outer(carom_vec3 a, carom_vec3 b) {
    return crm_mat3_columns(crm_scale(b.x, a), crm_scale(b.y, a), crm_scale(b.z, a));
}

// The proper rotation whose z axis is the unit vector `n`; the identity for n = z.
static inline carom_mat3 crm_frame_from_normal(carom_vec3 n) {
    carom_mat3 frame;
    crm_tangents(n, &frame.x, &frame.y);
    frame.z = n;
    return frame;
}

// The proper rotation whose z axis is along `z` and whose x axis is as near as possible to `x`, or any one when `x` is
// zero. False, with the identity, when `z` is zero, something is not finite, or `x` is along `z` to a millionth: then
// its part across would be mostly rounding.
bool crm_frame_from_axes(carom_vec3 z, carom_vec3 x, carom_mat3 *frame);

static inline double crm_mat3_get(carom_mat3 a, int row, int column) {
    CRM_ASSERT(column >= 0 && column < 3);
    return crm_component(column == 0 ? a.x : column == 1 ? a.y : a.z, row);
}

static inline carom_mat3 crm_mat3_add(carom_mat3 a, carom_mat3 b) {
    return crm_mat3_columns(crm_add(a.x, b.x), crm_add(a.y, b.y), crm_add(a.z, b.z));
}

static inline carom_mat3 crm_mat3_sub(carom_mat3 a, carom_mat3 b) {
    return crm_mat3_columns(crm_sub(a.x, b.x), crm_sub(a.y, b.y), crm_sub(a.z, b.z));
}

static inline carom_mat3 crm_mat3_scale(double s, carom_mat3 a) {
    return crm_mat3_columns(crm_scale(s, a.x), crm_scale(s, a.y), crm_scale(s, a.z));
}

static inline carom_mat3 crm_mat3_transpose(carom_mat3 a) {
    return crm_mat3_columns(crm_vec3(a.x.x, a.y.x, a.z.x), crm_vec3(a.x.y, a.y.y, a.z.y),
                            crm_vec3(a.x.z, a.y.z, a.z.z));
}

// A v
static inline carom_vec3 crm_mat3_apply(carom_mat3 a, carom_vec3 v) {
    return crm_vec3(a.x.x * v.x + a.y.x * v.y + a.z.x * v.z, a.x.y * v.x + a.y.y * v.y + a.z.y * v.z,
                    a.x.z * v.x + a.y.z * v.y + a.z.z * v.z);
}

// A^T v
static inline carom_vec3 crm_mat3_apply_t(carom_mat3 a, carom_vec3 v) {
    return crm_vec3(crm_dot(a.x, v), crm_dot(a.y, v), crm_dot(a.z, v));
}

// A B
static inline carom_mat3 crm_mat3_mul(carom_mat3 a, carom_mat3 b) {
    return crm_mat3_columns(crm_mat3_apply(a, b.x), crm_mat3_apply(a, b.y), crm_mat3_apply(a, b.z));
}

// A B^T
static inline carom_mat3 crm_mat3_mul_nt(carom_mat3 a, carom_mat3 b) {
    return crm_mat3_mul(a, crm_mat3_transpose(b));
}

// A^T B
static inline carom_mat3 crm_mat3_mul_tn(carom_mat3 a, carom_mat3 b) {
    return crm_mat3_columns(crm_mat3_apply_t(a, b.x), crm_mat3_apply_t(a, b.y), crm_mat3_apply_t(a, b.z));
}

static inline double crm_mat3_trace(carom_mat3 a) {
    return a.x.x + a.y.y + a.z.z;
}

// Frobenius norm, safe for entries of any size.
static inline double crm_mat3_norm(carom_mat3 a) {
    return crm_safe_length(crm_vec3(crm_safe_length(a.x), crm_safe_length(a.y), crm_safe_length(a.z)));
}

static inline bool crm_mat3_finite(carom_mat3 a) {
    return crm_vec3_finite(a.x) && crm_vec3_finite(a.y) && crm_vec3_finite(a.z);
}

// R diag(d) R^T, exactly symmetric: an inertia given by its principal moments, rotated to the world frame.
static inline carom_mat3 crm_congruence_diagonal(carom_mat3 r, carom_vec3 d) {
    carom_vec3 x = crm_scale(d.x, r.x), y = crm_scale(d.y, r.y), z = crm_scale(d.z, r.z);
    double xy = x.x * r.x.y + y.x * r.y.y + z.x * r.z.y;
    double xz = x.x * r.x.z + y.x * r.y.z + z.x * r.z.z;
    double yz = x.y * r.x.z + y.y * r.y.z + z.y * r.z.z;
    return crm_mat3_columns(crm_vec3(x.x * r.x.x + y.x * r.y.x + z.x * r.z.x, xy, xz),
                            crm_vec3(xy, x.y * r.x.y + y.y * r.y.y + z.y * r.z.y, yz),
                            crm_vec3(xz, yz, x.z * r.x.z + y.z * r.y.z + z.z * r.z.z));
}

// R S R^T for symmetric S (any R), exactly symmetric.
static inline carom_mat3 crm_congruence(carom_mat3 r, carom_mat3 s) {
    carom_mat3 rs = crm_mat3_mul(r, s);
    carom_mat3 full = crm_mat3_mul_nt(rs, r);
    full.y.x = full.x.y;
    full.z.x = full.x.z;
    full.z.y = full.y.z;
    return full;
}

// Solves A x = b: complete pivoting on the matrix with its columns and rows brought to size 1, so that neither units
// nor grading matter. False, with x = 0, when A is singular to rounding after that, something is not finite, or the
// answer overflows.
bool crm_mat3_solve(carom_mat3 a, carom_vec3 b, carom_vec3 *x);

// A^-1 by the same elimination; false, with a zero matrix, in the same cases.
bool crm_mat3_inverse(carom_mat3 a, carom_mat3 *inverse);

// The rotation nearest to A in the Frobenius norm, for any size of A. False when it is not unique to rounding: then
// `rotation` is one of the nearest ones (the identity for a zero or non-finite A). Never a reflection.
bool crm_nearest_rotation(carom_mat3 a, carom_mat3 *rotation);

#endif
