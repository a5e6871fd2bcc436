// SPDX-License-Identifier: MIT
#include "model/motion.h"

crm_motion crm_motion_from_body_state(const crm_body *body, const carom_body_state *state) {
    carom_vec3 arm = crm_quat_rotate(state->attitude, body->centre);
    carom_vec3 velocity = crm_add(state->velocity, crm_cross(state->spin, arm));
    crm_motion m = {.x = crm_add(state->position, arm), .q = crm_quat_mul(state->attitude, body->frame)};
    if (body->kind != CAROM_BODY_FIXED) m.p = crm_scale(body->mass, velocity);
    m.l = crm_motion_angular_momentum(body, m.q, state->spin);
    return m;
}

carom_body_state crm_motion_to_body_state(const crm_body *body, const crm_motion *m) {
    carom_body_state state = {.attitude = crm_quat_mul(m->q, crm_quat_conjugate(body->frame)),
                              .spin = crm_motion_spin(body, m)};
    carom_vec3 arm = crm_quat_rotate(state.attitude, body->centre);
    state.position = crm_sub(m->x, arm);
    state.velocity = crm_sub(crm_motion_velocity(body, m), crm_cross(state.spin, arm));
    return state;
}

crm_motion crm_motion_initial(const crm_body *body) {
    carom_body_state start = {body->def.position, body->def.attitude, body->def.velocity, body->def.spin};
    return crm_motion_from_body_state(body, &start);
}
