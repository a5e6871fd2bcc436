// SPDX-License-Identifier: MIT
// Maps between vectors and rotations, and their derivatives.
//
// Two charts. The rotation vector a = angle * axis, with exp and log; and the Cayley vector c = 2 tan(angle/2) * axis,
// which agrees with it up to a term of third order: both give the quaternion (1, a/2) near zero.
//
// Jacobians take rates of the chart to angular velocities. With R = exp(a):
//     left    w_world = J_left(a) a_dot,   R_dot R^T = [w_world]x
//     right   w_body  = J_right(a) a_dot,  R^T R_dot = [w_body]x,   J_right(a) = J_left(-a) = J_left(a)^T
// and the same for Cayley. `crm_d...` are these matrices, `crm_d..._inverse` their inverses, and `crm_dd...(a, b)` the
// 3x3 matrices d/da [J(a) b] with b held constant, as Newton's method needs them.
//
// Where they end. exp and its Jacobians hold for every |a| < 1e150. J is singular at |a| = 2 pi, 4 pi, ...: there the
// inverse has a pole (its entries grow like 2 pi / (2 pi - |a|), and so does its relative error, the argument's own
// rounding); a logarithm never comes near, as |log| <= pi, where the inverse is as accurate as elsewhere.
#ifndef CRM_MATH_SO3_H
#define CRM_MATH_SO3_H

#include "math/quat.h"

// (cos(|a|/2), sin(|a|/2) a/|a|), of unit length to rounding.
carom_quat crm_so3_exp(carom_vec3 a);
carom_mat3 crm_so3_exp_mat3(carom_vec3 a);

// The rotation vector of the shorter arc, |log| <= pi. q need not be normalised. At 180 degrees (w = 0) both signs of
// the vector are right, and the result follows that of (x, y, z); near there the sign of w decides.
carom_vec3 crm_so3_log(carom_quat q);
carom_vec3 crm_so3_log_mat3(carom_mat3 rotation);

// (1, c/2) / |(1, c/2)|: every finite c gives a rotation by less than 180 degrees.
carom_quat crm_so3_cayley(carom_vec3 c);
carom_mat3 crm_so3_cayley_mat3(carom_vec3 c);

// 2 (x, y, z)/w. False, with c = 0, when that is not finite: at 180 degrees. Just before, c is finite, large, and as
// accurate as w.
bool crm_so3_cayley_inverse(carom_quat q, carom_vec3 *c);

carom_mat3 crm_dexp_left(carom_vec3 a);
carom_mat3 crm_dexp_right(carom_vec3 a);
carom_mat3 crm_dexp_left_inverse(carom_vec3 a);
carom_mat3 crm_dexp_right_inverse(carom_vec3 a);

// d/da [J(a) b]
carom_mat3 crm_ddexp_left(carom_vec3 a, carom_vec3 b);
carom_mat3 crm_ddexp_right(carom_vec3 a, carom_vec3 b);
carom_mat3 crm_ddexp_left_inverse(carom_vec3 a, carom_vec3 b);
carom_mat3 crm_ddexp_right_inverse(carom_vec3 a, carom_vec3 b);

// For |c| < 1e150. Never singular, but J shrinks like 1/|c|^2.
carom_mat3 crm_dcay_left(carom_vec3 c);
carom_mat3 crm_dcay_right(carom_vec3 c);
carom_mat3 crm_dcay_left_inverse(carom_vec3 c);
carom_mat3 crm_dcay_right_inverse(carom_vec3 c);

// d/dc [J(c) b]
carom_mat3 crm_ddcay_left(carom_vec3 c, carom_vec3 b);
carom_mat3 crm_ddcay_right(carom_vec3 c, carom_vec3 b);
carom_mat3 crm_ddcay_left_inverse(carom_vec3 c, carom_vec3 b);
carom_mat3 crm_ddcay_right_inverse(carom_vec3 c, carom_vec3 b);

#endif
