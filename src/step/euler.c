// SPDX-License-Identifier: MIT
// Explicit Euler with the half-acceleration term in the position, in the two state choices of the rigid-body notes:
//   momentum  x += h P/m + h^2/2 F/m,  q = exp(h w) q,  P += h F,  L += h tau,  w = I_w^-1 L
//   velocity  the same, but w += h I_w^-1 (tau - w x I_w w)
// For teaching and comparison: order 1.
#include "math/so3.h"
#include "model/force/evaluate.h"
#include "step/method.h"

static carom_vec3 spin_after(const crm_body *body, const crm_motion *m, carom_vec3 torque, double step) {
    carom_vec3 w = crm_motion_spin(body, m);
    if (body->kind == CAROM_BODY_PLANAR) return crm_madd(w, step * body->inverse_inertia.z, torque);
    carom_vec3 moment = crm_sub(torque, crm_cross(w, m->l));
    carom_vec3 rate = crm_vec3_mul(body->inverse_inertia, crm_quat_rotate_inverse(m->q, moment));
    return crm_madd(w, step, crm_quat_rotate(m->q, rate));
}

static crm_motion advance_body(const crm_body *body, const crm_motion *m, crm_vec6 wrench,
                               const carom_method_def *def) {
    double h = def->step;
    crm_motion next = *m;
    if (body->kind == CAROM_BODY_FIXED) return next;
    carom_vec3 mean_momentum = crm_madd(m->p, 0.5 * h, wrench.linear);
    next.x = crm_madd(m->x, h * body->inverse_mass, mean_momentum);
    next.p = crm_madd(m->p, h, wrench.linear);
    if (body->kind == CAROM_BODY_POINT) return next;
    next.q = crm_quat_step(m->q, crm_motion_spin(body, m), h);
    if (def->form == CAROM_EULER_MOMENTUM)
        next.l = crm_madd(m->l, h, wrench.angular);
    else
        next.l = crm_motion_angular_momentum(body, next.q, spin_after(body, m, wrench.angular, h));
    return next;
}

static void advance(const carom_model *model, carom_state *state, const carom_input *input, carom_step_report *report) {
    double h = state->method.step;
    crm_callback_answer answer = crm_forces_evaluate(model, carom_state_time(state), state->motions, state->configs,
                                                     input, state->impulse, state->active, state->passive);
    if (answer.not_finite || answer.answer != 0) {
        crm_step_callback_refused(model, &answer, carom_state_time(state), report);
        return;
    }
    for (int b = 0; b < model->bodies.count; b++) {
        state->next[b] = advance_body(&model->bodies.items[b], &state->motions[b], state->impulse[b], &state->method);
        state->impulse[b] = crm_vec6_scale(h, state->impulse[b]);
        state->active[b] = crm_vec6_scale(h, state->active[b]);
        state->passive[b] = crm_vec6_scale(h, state->passive[b]);
    }
}

const crm_method crm_method_euler = {
    .name = "euler",
    .features = CRM_FEATURE_DRAG | CRM_FEATURE_DAMPER | CRM_FEATURE_WRENCH | CRM_FEATURE_CALLBACK | CRM_FEATURE_FIELD,
    .variant_key = "form",
    .advance = advance,
};
