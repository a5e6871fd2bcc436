// SPDX-License-Identifier: MIT
// All matrices here are of the form p 1 + s [a]x + t a a^T; [a]x^2 = a a^T - |a|^2 1 brings them there. The coefficient
// functions are in so3_series.h.
#include "math/so3.h"

#include "math/so3_series.h"

// p 1 + s [a]x + t a a^T
static carom_mat3 isotropic(double p, double s, double t, carom_vec3 a) {
    carom_mat3 m = crm_outer(crm_scale(t, a), a);
    carom_vec3 v = crm_scale(s, a);
    m.x = crm_add(m.x, crm_vec3(p, v.z, -v.y));
    m.y = crm_add(m.y, crm_vec3(-v.z, p, v.x));
    m.z = crm_add(m.z, crm_vec3(v.y, -v.x, p));
    return m;
}

// 1 + s [a]x + t [a]x^2
static carom_mat3 one_plus(double s, double t, carom_vec3 a) {
    double xx = t * a.x * a.x, yy = t * a.y * a.y, zz = t * a.z * a.z;
    carom_mat3 m = isotropic(0.0, s, t, a);
    m.x.x = 1.0 - (yy + zz); // not 1 - t |a|^2 + xx, which would round twice near a rotation by pi
    m.y.y = 1.0 - (xx + zz);
    m.z.z = 1.0 - (xx + yy);
    return m;
}

carom_quat crm_so3_exp(carom_vec3 a) {
    double half = 0.5 * crm_length(a);
    carom_vec3 v = crm_scale(0.5 * crm_sinc(half), a);
    return (carom_quat){cos(half), v.x, v.y, v.z};
}

// 1 + sinc [a]x + cosc [a]x^2 (Rodrigues)
carom_mat3 crm_so3_exp_mat3(carom_vec3 a) {
    double angle = crm_length(a);
    return one_plus(crm_sinc(angle), crm_cosc(angle), a);
}

carom_vec3 crm_so3_log(carom_quat q) {
    if (q.w < 0.0) q = crm_quat_negate(q);
    carom_vec3 v = crm_quat_vector(q);
    double sine = crm_safe_length(v);
    if (sine == 0.0) return v;
    return crm_scale(2.0 * atan2(sine, q.w) / sine, v); // nothing cancels, at 0 nor at pi
}

carom_vec3 crm_so3_log_mat3(carom_mat3 rotation) {
    return crm_so3_log(crm_quat_from_mat3(rotation));
}

carom_quat crm_so3_cayley(carom_vec3 c) {
    return crm_quat_normalised((carom_quat){1.0, 0.5 * c.x, 0.5 * c.y, 0.5 * c.z});
}

carom_mat3 crm_so3_cayley_mat3(carom_vec3 c) {
    return crm_quat_to_mat3(crm_so3_cayley(c));
}

bool crm_so3_cayley_inverse(carom_quat q, carom_vec3 *c) {
    *c = crm_vec3(2.0 * (q.x / q.w), 2.0 * (q.y / q.w), 2.0 * (q.z / q.w));
    bool finite = crm_vec3_finite(*c);
    if (!finite) *c = crm_vec3_zero();
    return finite;
}

// 1 + cosc [a]x + sin3 [a]x^2
carom_mat3 crm_dexp_left(carom_vec3 a) {
    double angle = crm_length(a);
    return one_plus(crm_cosc(angle), crm_sin3(angle), a);
}

carom_mat3 crm_dexp_right(carom_vec3 a) {
    return crm_dexp_left(crm_negate(a));
}

// 1 - [a]x/2 + cotc [a]x^2
carom_mat3 crm_dexp_left_inverse(carom_vec3 a) {
    return one_plus(-0.5, crm_cotc(crm_length(a)), a);
}

carom_mat3 crm_dexp_right_inverse(carom_vec3 a) {
    return crm_dexp_left_inverse(crm_negate(a));
}

// d/da [ s a x b + t a x (a x b) ], where grad s = s_slope a and grad t = t_slope a:
//   -s [b]x + s_slope (a x b) a^T - t ([a x b]x + [a]x [b]x) + t_slope (a x (a x b)) a^T,
// and [a]x [b]x = b a^T - (a.b) 1.
static carom_mat3 differentiate(carom_vec3 a, carom_vec3 b, double s, double s_slope, double t, double t_slope) {
    carom_vec3 ab = crm_cross(a, b), aab = crm_cross(a, ab);
    carom_vec3 radial = crm_madd(crm_scale(s_slope, ab), t_slope, aab);
    carom_mat3 m = crm_outer(crm_madd(radial, -t, b), a);
    carom_mat3 antisymmetric = crm_skew(crm_madd(crm_scale(-s, b), -t, ab));
    double diagonal = t * crm_dot(a, b);
    return crm_mat3_add(crm_mat3_add(m, antisymmetric), crm_mat3_diagonal(crm_vec3(diagonal, diagonal, diagonal)));
}

carom_mat3 crm_ddexp_left(carom_vec3 a, carom_vec3 b) {
    double angle = crm_length(a);
    return differentiate(a, b, crm_cosc(angle), crm_cosc_slope(angle), crm_sin3(angle), crm_sin3_slope(angle));
}

// J_right(a) = J_left(-a)
carom_mat3 crm_ddexp_right(carom_vec3 a, carom_vec3 b) {
    return crm_mat3_scale(-1.0, crm_ddexp_left(crm_negate(a), b));
}

carom_mat3 crm_ddexp_left_inverse(carom_vec3 a, carom_vec3 b) {
    double angle = crm_length(a);
    return differentiate(a, b, -0.5, 0.0, crm_cotc(angle), crm_cotc_slope(angle));
}

carom_mat3 crm_ddexp_right_inverse(carom_vec3 a, carom_vec3 b) {
    return crm_mat3_scale(-1.0, crm_ddexp_left_inverse(crm_negate(a), b));
}

// (1 + [c]x/2) / (1 + |c|^2/4)
carom_mat3 crm_dcay_left(carom_vec3 c) {
    double p = 1.0 / (1.0 + 0.25 * crm_length_squared(c));
    return isotropic(p, 0.5 * p, 0.0, c);
}

carom_mat3 crm_dcay_right(carom_vec3 c) {
    return crm_dcay_left(crm_negate(c));
}

// 1 - [c]x/2 + c c^T/4
carom_mat3 crm_dcay_left_inverse(carom_vec3 c) {
    return isotropic(1.0, -0.5, 0.25, c);
}

carom_mat3 crm_dcay_right_inverse(carom_vec3 c) {
    return crm_dcay_left_inverse(crm_negate(c));
}

// With p = 1/(1 + |c|^2/4), dp/dc = -p^2 c/2:  -p [b]x/2 - p^2/2 (b + c x b/2) c^T
carom_mat3 crm_ddcay_left(carom_vec3 c, carom_vec3 b) {
    double p = 1.0 / (1.0 + 0.25 * crm_length_squared(c));
    carom_vec3 jb = crm_scale(p, crm_madd(b, 0.5, crm_cross(c, b)));
    return crm_mat3_add(crm_skew(crm_scale(-0.5 * p, b)), crm_outer(crm_scale(-0.5 * p, jb), c));
}

carom_mat3 crm_ddcay_right(carom_vec3 c, carom_vec3 b) {
    return crm_mat3_scale(-1.0, crm_ddcay_left(crm_negate(c), b));
}

// [b]x/2 + ((c.b) 1 + c b^T)/4
carom_mat3 crm_ddcay_left_inverse(carom_vec3 c, carom_vec3 b) {
    double diagonal = 0.25 * crm_dot(c, b);
    carom_mat3 m = crm_mat3_add(crm_skew(crm_scale(0.5, b)), crm_outer(crm_scale(0.25, c), b));
    return crm_mat3_add(m, crm_mat3_diagonal(crm_vec3(diagonal, diagonal, diagonal)));
}

carom_mat3 crm_ddcay_right_inverse(carom_vec3 c, carom_vec3 b) {
    return crm_mat3_scale(-1.0, crm_ddcay_left_inverse(crm_negate(c), b));
}
