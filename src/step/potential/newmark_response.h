// SPDX-License-Identifier: MIT
// How the end of a body's step changes with what it gets on the way (docs/math.md 10.10).
#ifndef CRM_STEP_NEWMARK_RESPONSE_H
#define CRM_STEP_NEWMARK_RESPONSE_H

#include "model/model_state.h"

typedef struct crm_newmark_response {
    double slide;                // displacement by an impulse at the start, s/kg
    carom_mat3 rotate;           // small rotation at the end by one of moments at the start
    double speed;                // velocity at the end by momentum there
    carom_mat3 spin;             // spin by angular momentum
    carom_mat3 spin_by_rotation; // small, with the angular momentum held
} crm_newmark_response;

// Where the body is in state->next.
crm_newmark_response crm_newmark_response_of(const carom_state *state, int body);

static inline crm_vec6 crm_newmark_pose_by(const crm_newmark_response *r, crm_vec6 impulse) {
    return crm_vec6_of(crm_scale(r->slide, impulse.linear), crm_mat3_apply(r->rotate, impulse.angular));
}

// By momentum at the end and the displacement of the pose.
static inline crm_vec6 crm_newmark_twist_by(const crm_newmark_response *r, crm_vec6 momentum, crm_vec6 move) {
    carom_vec3 spin =
        crm_add(crm_mat3_apply(r->spin, momentum.angular), crm_mat3_apply(r->spin_by_rotation, move.angular));
    return crm_vec6_of(crm_scale(r->speed, momentum.linear), spin);
}

#endif
