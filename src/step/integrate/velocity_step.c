// SPDX-License-Identifier: MIT
#include "step/integrate/velocity_step.h"

#include "math/so3.h"
#include "model/force/evaluate.h"
#include "step/integrate/free_spin.h"
#include "step/method.h"

bool crm_velocity_step_create(carom_state *state, crm_velocity_step *step) {
    int bodies = state->model->bodies.count;
    step->explicit_impulse = CRM_ARENA_ZEROED(&state->arena, crm_vec6, bodies);
    step->free = CRM_ARENA_ZEROED(&state->arena, crm_vec6, bodies);
    step->change = CRM_ARENA_ZEROED(&state->arena, crm_vec6, bodies);
    state->impulse_size = CRM_ARENA_ZEROED(&state->arena, crm_impulse_size, bodies);
    return !crm_arena_refused(&state->arena);
}

bool crm_velocity_step_begin(const carom_model *model, carom_state *state, const carom_input *input,
                             crm_velocity_step *step, carom_step_report *report) {
    double h = state->method.step;
    crm_callback_answer answer = crm_forces_evaluate(model, carom_state_time(state), state->motions, state->configs,
                                                     input, state->impulse, state->active, state->passive);
    if (answer.not_finite || answer.answer != 0) {
        crm_step_callback_refused(model, &answer, carom_state_time(state), report);
        return false;
    }
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_body *body = &model->bodies.items[b];
        crm_motion *next = &state->next[b];
        *next = state->motions[b];
        step->explicit_impulse[b] = state->impulse[b] = crm_vec6_scale(h, state->impulse[b]);
        state->active[b] = crm_vec6_scale(h, state->active[b]);
        state->passive[b] = crm_vec6_scale(h, state->passive[b]);
        step->free[b] = crm_vec6_zero();
        if (body->kind == CAROM_BODY_FIXED) continue;
        next->p = crm_add(next->p, step->explicit_impulse[b].linear);
        next->l = crm_add(next->l, step->explicit_impulse[b].angular);
        if (model->mobility.kind != CAROM_MOBILITY_NONE) continue;
        step->free[b].linear = crm_motion_velocity(body, next);
        if (body->kind != CAROM_BODY_POINT) step->free[b].angular = crm_free_spin(body, next->q, next->l, h);
    }
    return true;
}

void crm_velocity_step_move(const carom_model *model, carom_state *state, crm_velocity_step *step) {
    double h = state->method.step;
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_body *body = &model->bodies.items[b];
        crm_motion *next = &state->next[b];
        crm_vec6 change = step->change[b], force = step->explicit_impulse[b], *twist = &step->free[b];
        if (body->kind == CAROM_BODY_FIXED) continue;
        state->impulse_size[b] = (crm_impulse_size){crm_length(force.linear) + crm_length(change.linear),
                                                    crm_length(force.angular) + crm_length(change.angular)};
        state->impulse[b] = crm_vec6_add(state->impulse[b], change);
        next->p = crm_add(next->p, change.linear);
        next->l = crm_add(next->l, change.angular);
        twist->linear = crm_motion_velocity(body, next);
        next->x = crm_madd(next->x, h, twist->linear);
        if (body->kind == CAROM_BODY_POINT) continue;
        twist->angular = crm_add(twist->angular, crm_velocity_of(model, state, b, change).angular);
        next->q = crm_quat_short_step(next->q, twist->angular, h);
    }
}

crm_vec6 crm_velocity_of(const carom_model *model, const carom_state *state, int body, crm_vec6 impulse) {
    const crm_body *of = &model->bodies.items[body];
    crm_motion given = {.q = state->motions[body].q, .p = impulse.linear, .l = impulse.angular};
    if (of->kind == CAROM_BODY_FIXED) return crm_vec6_zero();
    carom_vec3 spin = of->kind != CAROM_BODY_POINT ? crm_motion_spin(of, &given) : crm_vec3_zero();
    return crm_vec6_of(crm_motion_velocity(of, &given), spin);
}
