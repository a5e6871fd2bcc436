// SPDX-License-Identifier: MIT
// Where a body is and how it moves, by its principal frame: what a state keeps of each body.
#ifndef CRM_MODEL_MOTION_H
#define CRM_MODEL_MOTION_H

#include "carom/step.h"
#include "math/quat.h"
#include "model/model.h"

// Momenta rather than velocities: P and L stay as they are, to the bit, while no force acts (docs/math.md 2.1).
typedef struct crm_motion {
    carom_vec3 x; // centre of mass, world, m
    carom_quat q; // principal axes to world
    carom_vec3 p; // momentum, kg m/s
    carom_vec3 l; // angular momentum about the centre of mass, world axes, kg m^2/s
} crm_motion;

// v = P/m; 0 for a fixed body.
static inline carom_vec3 crm_motion_velocity(const crm_body *body, const crm_motion *m) {
    return crm_scale(body->inverse_mass, m->p);
}

// w = I_w^-1 L, world axes.
static inline carom_vec3 crm_motion_spin(const crm_body *body, const crm_motion *m) {
    if (body->kind == CAROM_BODY_PLANAR) return crm_vec3(0.0, 0.0, body->inverse_inertia.z * m->l.z);
    return crm_quat_rotate(m->q, crm_vec3_mul(body->inverse_inertia, crm_quat_rotate_inverse(m->q, m->l)));
}

static inline double crm_motion_kinetic_energy(const crm_body *body, const crm_motion *m) {
    double linear = 0.5 * body->inverse_mass * crm_length_squared(m->p);
    if (body->kind == CAROM_BODY_PLANAR) return linear + 0.5 * body->inverse_inertia.z * m->l.z * m->l.z;
    carom_vec3 l = crm_quat_rotate_inverse(m->q, m->l);
    return linear + 0.5 * crm_dot(l, crm_vec3_mul(body->inverse_inertia, l));
}

// L for a given spin.
static inline carom_vec3 crm_motion_angular_momentum(const crm_body *body, carom_quat q, carom_vec3 spin) {
    if (body->kind == CAROM_BODY_PLANAR) return crm_vec3(0.0, 0.0, body->inertia.z * spin.z);
    return crm_quat_rotate(q, crm_vec3_mul(body->inertia, crm_quat_rotate_inverse(q, spin)));
}

// Between the user's body frame and the principal one.
crm_motion crm_motion_from_body_state(const crm_body *body, const carom_body_state *state);
carom_body_state crm_motion_to_body_state(const crm_body *body, const crm_motion *motion);

// As the body's definition says.
crm_motion crm_motion_initial(const crm_body *body);

// A point in the world; `motions` are those of all bodies.
static inline carom_vec3 crm_point_position(crm_point point, const crm_motion *motions) {
    if (point.body < 0) return point.at;
    const crm_motion *m = &motions[point.body];
    return crm_add(m->x, crm_quat_rotate(m->q, point.at));
}

#endif
