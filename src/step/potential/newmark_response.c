// SPDX-License-Identifier: MIT
#include "step/potential/newmark_response.h"

#include "step/tree/tree_kinematics.h"

static carom_mat3 inverse_of(carom_mat3 m) {
    carom_vec3 yz = crm_cross(m.y, m.z), zx = crm_cross(m.z, m.x), xy = crm_cross(m.x, m.y);
    double reciprocal = 1.0 / crm_dot(m.x, yz);
    return crm_mat3_scale(reciprocal, crm_mat3_transpose(crm_mat3_columns(yz, zx, xy)));
}

static carom_mat3 about_z(double value) {
    return crm_mat3_diagonal(crm_vec3(0.0, 0.0, value));
}

crm_newmark_response crm_newmark_response_of(const carom_state *state, int b) {
    const crm_body *body = &state->model->bodies.items[b];
    const crm_motion *from = &state->motions[b], *to = &state->next[b];
    crm_newmark_response out = {0.0, crm_mat3_zero(), 0.0, crm_mat3_zero(), crm_mat3_zero()};
    if (body->kind == CAROM_BODY_FIXED || crm_state_stays(state, b)) return out;
    out.slide = state->method.step * body->inverse_mass;
    out.speed = body->inverse_mass;
    if (body->kind == CAROM_BODY_POINT) return out;
    carom_quat rotation = crm_quat_mul(crm_quat_same_side(to->q, from->q), crm_quat_conjugate(from->q));
    carom_mat3 kinetic = crm_kinetic_slope(crm_body_inertia(body, from->q), rotation, state->method.step);
    if (body->kind == CAROM_BODY_PLANAR) {
        out.rotate = about_z(1.0 / kinetic.z.z);
        out.spin = about_z(body->inverse_inertia.z);
        return out;
    }
    out.rotate = inverse_of(kinetic);
    out.spin = crm_congruence_diagonal(crm_quat_to_mat3(to->q), body->inverse_inertia);
    out.spin_by_rotation = crm_mat3_sub(crm_mat3_mul(out.spin, crm_skew(to->l)), crm_skew(crm_motion_spin(body, to)));
    return out;
}
