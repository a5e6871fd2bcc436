// SPDX-License-Identifier: MIT
// 6-vectors of rigid bodies: motions and forces about a reference point, LINEAR part first.
//
//   motion  (v, w)    velocity of the body's point at the reference point, angular velocity
//   force   (f, t)    force (or momentum, impulse), moment about the reference point
//
// Both are expressed in one frame. Power is f.v + t.w, whatever the frame and the point: every pair of maps below
// keeps it. carom's body velocity is the motion about its centre of mass in the world frame.
//
//   crm_transform      X: x_parent = R x_child + p, and with it motions, forces, inertias from child to parent
//   crm_inertia        mass, centre and inertia of one rigid body: 10 numbers instead of 36
//   crm_mat6           any 6x6 matrix, 36 doubles by columns; articulated inertias
#ifndef CRM_MATH_SPATIAL_H
#define CRM_MATH_SPATIAL_H

#include "math/mat3.h"

typedef struct crm_vec6 {
    carom_vec3 linear, angular;
} crm_vec6;

static inline crm_vec6 crm_vec6_of(carom_vec3 linear, carom_vec3 angular) {
    return (crm_vec6){linear, angular};
}

static inline crm_vec6 crm_vec6_zero(void) {
    return crm_vec6_of(crm_vec3_zero(), crm_vec3_zero());
}

static inline crm_vec6 crm_vec6_add(crm_vec6 a, crm_vec6 b) {
    return crm_vec6_of(crm_add(a.linear, b.linear), crm_add(a.angular, b.angular));
}

static inline crm_vec6 crm_vec6_sub(crm_vec6 a, crm_vec6 b) {
    return crm_vec6_of(crm_sub(a.linear, b.linear), crm_sub(a.angular, b.angular));
}

static inline crm_vec6 crm_vec6_scale(double s, crm_vec6 a) {
    return crm_vec6_of(crm_scale(s, a.linear), crm_scale(s, a.angular));
}

static inline crm_vec6 crm_vec6_negate(crm_vec6 a) {
    return crm_vec6_of(crm_negate(a.linear), crm_negate(a.angular));
}

// a + s b
static inline crm_vec6 crm_vec6_madd(crm_vec6 a, double s, crm_vec6 b) {
    return crm_vec6_of(crm_madd(a.linear, s, b.linear), crm_madd(a.angular, s, b.angular));
}

// Of a force and a motion: power (W). Of two motions it means nothing physical.
static inline double crm_vec6_dot(crm_vec6 a, crm_vec6 b) {
    return crm_dot(a.linear, b.linear) + crm_dot(a.angular, b.angular);
}

// The same motion about the point at `r` from the old reference point: v + w x r.
static inline crm_vec6 crm_motion_shift(crm_vec6 motion, carom_vec3 r) {
    return crm_vec6_of(crm_add(motion.linear, crm_cross(motion.angular, r)), motion.angular);
}

// The same force about the point at `r` from the old reference point: t - r x f.
static inline crm_vec6 crm_force_shift(crm_vec6 force, carom_vec3 r) {
    return crm_vec6_of(force.linear, crm_sub(force.angular, crm_cross(r, force.linear)));
}

// a x b: the rate of change of the motion b carried along by a frame that moves with a.
static inline crm_vec6 crm_motion_cross(crm_vec6 a, crm_vec6 b) {
    return crm_vec6_of(crm_add(crm_cross(a.angular, b.linear), crm_cross(a.linear, b.angular)),
                       crm_cross(a.angular, b.angular));
}

// a x* f, the same for a force: f.(a x b) = -(a x* f).b.
static inline crm_vec6 crm_force_cross(crm_vec6 a, crm_vec6 f) {
    return crm_vec6_of(crm_cross(a.angular, f.linear),
                       crm_add(crm_cross(a.angular, f.angular), crm_cross(a.linear, f.linear)));
}

// Pose of a child frame in its parent: x_parent = rotation x_child + offset.
typedef struct crm_transform {
    carom_mat3 rotation;
    carom_vec3 offset;
} crm_transform;

static inline crm_transform crm_transform_identity(void) {
    return (crm_transform){crm_mat3_identity(), crm_vec3_zero()};
}

static inline carom_vec3 crm_transform_point(const crm_transform *x, carom_vec3 point) {
    return crm_add(x->offset, crm_mat3_apply(x->rotation, point));
}

static inline carom_vec3 crm_transform_point_inverse(const crm_transform *x, carom_vec3 point) {
    return crm_mat3_apply_t(x->rotation, crm_sub(point, x->offset));
}

// First `b`, then `a`: if b takes frame 2 to 1 and a takes 1 to 0, the result takes 2 to 0.
static inline crm_transform crm_transform_compose(const crm_transform *a, const crm_transform *b) {
    return (crm_transform){crm_mat3_mul(a->rotation, b->rotation), crm_transform_point(a, b->offset)};
}

static inline crm_transform crm_transform_inverse(const crm_transform *x) {
    return (crm_transform){crm_mat3_transpose(x->rotation), crm_negate(crm_mat3_apply_t(x->rotation, x->offset))};
}

// A motion about the child's origin in the child's axes, to the parent's origin and axes.
static inline crm_vec6 crm_transform_motion(const crm_transform *x, crm_vec6 motion) {
    carom_vec3 angular = crm_mat3_apply(x->rotation, motion.angular);
    carom_vec3 linear = crm_mat3_apply(x->rotation, motion.linear);
    return crm_vec6_of(crm_add(linear, crm_cross(x->offset, angular)), angular);
}

static inline crm_vec6 crm_transform_motion_inverse(const crm_transform *x, crm_vec6 motion) {
    carom_vec3 linear = crm_sub(motion.linear, crm_cross(x->offset, motion.angular));
    return crm_vec6_of(crm_mat3_apply_t(x->rotation, linear), crm_mat3_apply_t(x->rotation, motion.angular));
}

// A force about the child's origin in the child's axes, to the parent's origin and axes.
static inline crm_vec6 crm_transform_force(const crm_transform *x, crm_vec6 force) {
    carom_vec3 linear = crm_mat3_apply(x->rotation, force.linear);
    carom_vec3 angular = crm_mat3_apply(x->rotation, force.angular);
    return crm_vec6_of(linear, crm_add(angular, crm_cross(x->offset, linear)));
}

static inline crm_vec6 crm_transform_force_inverse(const crm_transform *x, crm_vec6 force) {
    carom_vec3 angular = crm_sub(force.angular, crm_cross(x->offset, force.linear));
    return crm_vec6_of(crm_mat3_apply_t(x->rotation, force.linear), crm_mat3_apply_t(x->rotation, angular));
}

// One rigid body seen from a reference point.
typedef struct crm_inertia {
    double mass;        // kg
    carom_vec3 centre;  // centre of mass from the reference point, m
    carom_mat3 inertia; // about the centre of mass, symmetric, kg m^2
} crm_inertia;

// Momentum of the body in this motion, about the same point: p = m (v + w x c), L = I w + c x p.
static inline crm_vec6 crm_inertia_apply(const crm_inertia *body, crm_vec6 motion) {
    carom_vec3 p = crm_scale(body->mass, crm_add(motion.linear, crm_cross(motion.angular, body->centre)));
    return crm_vec6_of(p, crm_add(crm_mat3_apply(body->inertia, motion.angular), crm_cross(body->centre, p)));
}

// The same body seen from the point at `r` from the old reference point.
static inline crm_inertia crm_inertia_shift(const crm_inertia *body, carom_vec3 r) {
    return (crm_inertia){body->mass, crm_sub(body->centre, r), body->inertia};
}

// The same body in axes of which the old ones are the columns of `rotation`.
static inline crm_inertia crm_inertia_rotate(const crm_inertia *body, carom_mat3 rotation) {
    return (crm_inertia){body->mass, crm_mat3_apply(rotation, body->centre), crm_congruence(rotation, body->inertia)};
}

// From the child's origin and axes to the parent's.
static inline crm_inertia crm_inertia_transform(const crm_transform *x, const crm_inertia *body) {
    return (crm_inertia){body->mass, crm_transform_point(x, body->centre), crm_congruence(x->rotation, body->inertia)};
}

// Both bodies as one, about their common reference point.
crm_inertia crm_inertia_sum(const crm_inertia *a, const crm_inertia *b);

// 36 doubles by columns: entry (row, column) is e[row + 6 column]; rows and columns 0..2 are linear, 3..5 angular.
typedef struct crm_mat6 {
    double e[36];
} crm_mat6;

// The four 3x3 blocks: entry (linear row, angular column) is in linear_angular.
typedef struct crm_mat6_blocks {
    carom_mat3 linear_linear, linear_angular, angular_linear, angular_angular;
} crm_mat6_blocks;

crm_mat6 crm_mat6_zero(void);
crm_mat6 crm_mat6_identity(void);
crm_mat6 crm_mat6_from_blocks(const crm_mat6_blocks *blocks);
crm_mat6_blocks crm_mat6_to_blocks(const crm_mat6 *a);
crm_mat6 crm_mat6_add(const crm_mat6 *a, const crm_mat6 *b);
crm_mat6 crm_mat6_sub(const crm_mat6 *a, const crm_mat6 *b);
crm_mat6 crm_mat6_scale(double s, const crm_mat6 *a);
crm_mat6 crm_mat6_mul(const crm_mat6 *a, const crm_mat6 *b);
crm_mat6 crm_mat6_transpose(const crm_mat6 *a);
crm_mat6 crm_mat6_outer(crm_vec6 a, crm_vec6 b); // a b^T
crm_vec6 crm_mat6_apply(const crm_mat6 *a, crm_vec6 v);
crm_vec6 crm_mat6_apply_t(const crm_mat6 *a, crm_vec6 v);

// The matrices of crm_transform_motion and crm_transform_force; each is the inverse transpose of the other.
crm_mat6 crm_transform_motion_matrix(const crm_transform *x);
crm_mat6 crm_transform_force_matrix(const crm_transform *x);

// [[m 1, -m [c]x], [m [c]x, I - m [c]x [c]x]]: the matrix of crm_inertia_apply, exactly symmetric.
crm_mat6 crm_inertia_to_mat6(const crm_inertia *body);

// A symmetric map from motions to forces (an articulated inertia, a stiffness) from the child's origin and axes to the
// parent's: F A F^T with F = crm_transform_force_matrix(x), which is X^T A X with X the motion map from parent to
// child. Exactly symmetric; of A the linear_linear, linear_angular and angular_angular blocks are read.
crm_mat6 crm_mat6_transform(const crm_transform *x, const crm_mat6 *a);

#endif
