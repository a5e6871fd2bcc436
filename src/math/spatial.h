// SPDX-License-Identifier: MIT
// 6-vectors of rigid bodies: motions and forces about a reference point, LINEAR part first.
//
//   motion  (v, w)    velocity of the body's point at the reference point, angular velocity
//   force   (f, t)    force (or momentum, impulse), moment about the reference point
//
// Both are expressed in one frame. Power is f.v + t.w, whatever the frame and the point: every pair of maps below
// keeps it. carom's body velocity is the motion about its centre of mass in the world frame.
//
//   crm_transform      x_parent = R x_child + p, and with it inertias from child to parent
//   crm_inertia        mass, centre and inertia of one rigid body: 10 numbers instead of 36
//   crm_mat6           a 6x6 matrix, 36 doubles by columns
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

// Pose of a child frame in its parent: x_parent = rotation x_child + offset.
typedef struct crm_transform {
    carom_mat3 rotation;
    carom_vec3 offset;
} crm_transform;

static inline carom_vec3 crm_transform_point(const crm_transform *x, carom_vec3 point) {
    return crm_add(x->offset, crm_mat3_apply(x->rotation, point));
}

static inline carom_vec3 crm_transform_point_inverse(const crm_transform *x, carom_vec3 point) {
    return crm_mat3_apply_t(x->rotation, crm_sub(point, x->offset));
}

// One rigid body seen from a reference point.
typedef struct crm_inertia {
    double mass;        // kg
    carom_vec3 centre;  // centre of mass from the reference point, m
    carom_mat3 inertia; // about the centre of mass, symmetric, kg m^2
} crm_inertia;

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
crm_mat6 crm_mat6_from_blocks(const crm_mat6_blocks *blocks);
crm_vec6 crm_mat6_apply(const crm_mat6 *a, crm_vec6 v);

// [[m 1, -m [c]x], [m [c]x, I - m [c]x [c]x]]: takes motions to momenta about the same point; exactly symmetric.
crm_mat6 crm_inertia_to_mat6(const crm_inertia *body);

#endif
