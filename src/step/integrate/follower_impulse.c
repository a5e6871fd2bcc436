// SPDX-License-Identifier: MIT
#include "step/integrate/follower_impulse.h"

void crm_follow_to_end(carom_state *state, int b) {
    if (state->followers == NULL) return;
    const crm_body *body = &state->model->bodies.items[b];
    const crm_motion *from = &state->motions[b];
    crm_motion *to = &state->next[b];
    crm_vec6 before = crm_follow_half(state->followers, body, b, from->q, state->method.step);
    crm_vec6 after = crm_follow_half(state->followers, body, b, to->q, state->method.step);
    to->p = crm_add(to->p, after.linear);
    to->l = crm_add(to->l, after.angular);
    state->impulse[b] = crm_vec6_add(state->impulse[b], after);
    // The certificate has all of an impulse act in the middle of the way.
    carom_vec3 half_way = crm_scale(0.5, crm_sub(to->x, from->x));
    carom_vec3 moment = crm_cross(half_way, crm_sub(after.linear, before.linear));
    state->impulse[b].angular = crm_add(state->impulse[b].angular, moment);
    state->active[b] = crm_vec6_add(state->active[b], crm_vec6_add(before, after));
}
