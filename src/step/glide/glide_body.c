// SPDX-License-Identifier: MIT
#include "math/so3.h"
#include "step/glide/glide.h"

void crm_glide_throw(const crm_body *body, const crm_motion *from, crm_vec6 weight, double time, crm_motion *to) {
    *to = *from;
    to->x = crm_madd(from->x, time * body->inverse_mass, crm_madd(from->p, 0.5, weight.linear));
    if (body->kind == CAROM_BODY_POINT) return;
    carom_vec3 way = crm_scale(time, crm_motion_spin(body, from));
    to->q = crm_quat_normalised(crm_quat_mul(crm_so3_cayley(way), from->q));
}

bool crm_glide_way(const crm_body *body, const crm_motion *from, const crm_motion *to, double time, crm_vec6 *velocity,
                   crm_vec6 *momentum) {
    *velocity = crm_vec6_of(crm_scale(1.0 / time, crm_sub(to->x, from->x)), crm_vec3_zero());
    *momentum = crm_vec6_of(crm_sub(crm_scale(2.0 * body->mass, velocity->linear), from->p), crm_vec3_zero());
    if (body->kind == CAROM_BODY_POINT) return true;
    carom_quat rotation = crm_quat_mul(to->q, crm_quat_conjugate(from->q));
    carom_vec3 way;
    if (!crm_so3_cayley_inverse(rotation, &way)) return false;
    velocity->angular = crm_scale(1.0 / time, way);
    if (body->kind == CAROM_BODY_PLANAR) {
        momentum->angular.z = 2.0 * body->inertia.z * velocity->angular.z - from->l.z;
        return true;
    }
    // 2 I w less the momentum at the start, both in principal axes, which both attitudes see alike.
    carom_vec3 twice = crm_scale(2.0, crm_vec3_mul(body->inertia, crm_quat_rotate_inverse(from->q, velocity->angular)));
    momentum->angular = crm_quat_rotate(to->q, crm_sub(twice, crm_quat_rotate_inverse(from->q, from->l)));
    return true;
}
