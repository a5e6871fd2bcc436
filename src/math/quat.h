// SPDX-License-Identifier: MIT
// Unit quaternions as attitudes: q takes body vectors to world vectors.
//
//   crm_quat_identity  _mul  _conjugate  _normalise  _rotate  _rotate_inverse  _to_mat3  _from_mat3
//   _from_axis_angle  _between  _same_side  _angle  _slerp  _step
//
// q and -q are the same attitude. Products apply right to left: crm_quat_mul(p, q) rotates by q first. Except where
// said otherwise, arguments have unit length to rounding; drift of the length enters results at first order.
#ifndef CRM_MATH_QUAT_H
#define CRM_MATH_QUAT_H

#include "math/mat3.h"

static inline carom_quat crm_quat_identity(void) {
    return (carom_quat){1.0, 0.0, 0.0, 0.0};
}

static inline carom_vec3 crm_quat_vector(carom_quat q) {
    return crm_vec3(q.x, q.y, q.z);
}

static inline carom_quat crm_quat_negate(carom_quat q) {
    return (carom_quat){-q.w, -q.x, -q.y, -q.z};
}

static inline carom_quat crm_quat_conjugate(carom_quat q) {
    return (carom_quat){q.w, -q.x, -q.y, -q.z};
}

static inline double crm_quat_dot(carom_quat p, carom_quat q) {
    return p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z;
}

// p q: first q, then p.
static inline carom_quat crm_quat_mul(carom_quat p, carom_quat q) {
    return (carom_quat){p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z, p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
                        p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x, p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w};
}

// q v q*: body vector to world vector.
static inline carom_vec3 crm_quat_rotate(carom_quat q, carom_vec3 v) {
    carom_vec3 u = crm_quat_vector(q);
    carom_vec3 t = crm_cross(u, v);
    t = crm_add(t, t);
    return crm_add(crm_madd(v, q.w, t), crm_cross(u, t));
}

// q* v q: world vector to body vector.
static inline carom_vec3 crm_quat_rotate_inverse(carom_quat q, carom_vec3 v) {
    return crm_quat_rotate(crm_quat_conjugate(q), v);
}

static inline carom_mat3 crm_quat_to_mat3(carom_quat q) {
    double xx = 2.0 * q.x * q.x, yy = 2.0 * q.y * q.y, zz = 2.0 * q.z * q.z;
    double xy = 2.0 * q.x * q.y, xz = 2.0 * q.x * q.z, yz = 2.0 * q.y * q.z;
    double wx = 2.0 * q.w * q.x, wy = 2.0 * q.w * q.y, wz = 2.0 * q.w * q.z;
    return crm_mat3_columns(crm_vec3(1.0 - (yy + zz), xy + wz, xz - wy), crm_vec3(xy - wz, 1.0 - (xx + zz), yz + wx),
                            crm_vec3(xz + wy, yz - wx, 1.0 - (xx + yy)));
}

// The one of q and -q nearer to `reference`: to be taken before any difference of attitudes.
static inline carom_quat crm_quat_same_side(carom_quat q, carom_quat reference) {
    return crm_quat_dot(q, reference) < 0.0 ? crm_quat_negate(q) : q;
}

// q/|q| for any finite q but zero, whatever its size. False, with the identity, for zero or a non-finite q.
bool crm_quat_normalise(carom_quat q, carom_quat *unit);

// The same where zero cannot occur; a non-finite q comes back as it is, so that it stays visible.
static inline carom_quat crm_quat_normalised(carom_quat q) {
    carom_quat unit;
    return crm_quat_normalise(q, &unit) ? unit : q;
}

// A rotation by `angle` (rad, right-handed) about the unit vector `axis`.
carom_quat crm_quat_from_axis_angle(carom_vec3 axis, double angle);

// The attitude with w >= 0 of a rotation matrix. Stable for every angle, 180 degrees included (Shepperd's branches);
// a matrix off by d from a rotation gives an attitude off by about d.
carom_quat crm_quat_from_mat3(carom_mat3 rotation);

// The shortest rotation that takes the unit vector `from` to the unit vector `to`. For opposite vectors, where every
// axis normal to them does, one of these; the result always takes `from` to `to` to rounding.
carom_quat crm_quat_between(carom_vec3 from, carom_vec3 to);

// Angle of the rotation from one attitude to the other, rad, in [0, pi]; accurate for small angles too.
double crm_quat_angle(carom_quat p, carom_quat q);

// q <- exp(dt w) q, renormalised: exact for constant angular velocity w (world frame, rad/s) over dt (s).
carom_quat crm_quat_step(carom_quat q, carom_vec3 w, double dt);
// The same to rounding, cheaper for rotations of up to a radian. q has unit length to rounding, and keeps it.
carom_quat crm_quat_short_step(carom_quat q, carom_vec3 w, double dt);

#endif
