// SPDX-License-Identifier: MIT
#include "step/integrate/velocity_step.h"

#include "math/so3.h"
#include "model/force/evaluate.h"
#include "step/implicit/implicit.h"
#include "step/integrate/free_spin.h"
#include "step/method.h"

bool crm_velocity_step_create(carom_state *state, crm_velocity_step *step) {
    int bodies = state->model->bodies.count;
    step->explicit_impulse = CRM_ARENA_ZEROED(&state->arena, crm_vec6, bodies);
    step->free = CRM_ARENA_ZEROED(&state->arena, crm_vec6, bodies);
    step->change = CRM_ARENA_ZEROED(&state->arena, crm_vec6, bodies);
    state->impulse_size = CRM_ARENA_ZEROED(&state->arena, crm_impulse_size, bodies);
    return !crm_arena_refused(&state->arena) && (!step->implicit || crm_drags_create(state));
}

static crm_callback_answer evaluate(const carom_model *model, carom_state *state, const carom_input *input,
                                    bool implicit) {
    double time = carom_state_time(state);
    if (implicit)
        return crm_given_forces_evaluate(model, time, state->motions, input, state->impulse, state->active,
                                         state->passive);
    return crm_forces_evaluate(model, time, state->motions, state->configs, input, state->impulse, state->active,
                               state->passive);
}

crm_vec6 crm_free_velocity(const carom_state *state, int b, const crm_motion *next) {
    const crm_body *body = &state->model->bodies.items[b];
    const crm_body_drag none = {0}, *drag = state->drag != NULL ? &state->drag[b] : &none;
    carom_vec3 velocity = crm_motion_velocity(body, next);
    if (drag->linear > 0.0) velocity = crm_scale(crm_damped_inverse(body->inverse_mass, drag->linear), next->p);
    if (body->kind == CAROM_BODY_POINT) return crm_vec6_of(velocity, crm_vec3_zero());
    return crm_vec6_of(velocity, crm_free_spin(body, drag->angular, next->q, next->l, state->method.step));
}

bool crm_velocity_step_begin(const carom_model *model, carom_state *state, const carom_input *input,
                             crm_velocity_step *step, carom_step_report *report) {
    double h = state->method.step;
    crm_callback_answer answer = evaluate(model, state, input, step->implicit);
    if (answer.not_finite || answer.answer != 0) {
        crm_step_callback_refused(model, &answer, carom_state_time(state), report);
        return false;
    }
    crm_drags_begin(state);
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
        step->free[b] = crm_free_velocity(state, b, next);
    }
    return true;
}

crm_vec6 crm_velocity_step_drag(const carom_model *model, carom_state *state, int body, crm_vec6 free,
                                crm_vec6 change) {
    return crm_drag_impulse(model, state, body, crm_vec6_add(free, crm_velocity_of(model, state, body, change)));
}

void crm_velocity_step_move(const carom_model *model, carom_state *state, crm_velocity_step *step) {
    double h = state->method.step;
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_body *body = &model->bodies.items[b];
        crm_motion *next = &state->next[b];
        crm_vec6 change = step->change[b], force = step->explicit_impulse[b], *twist = &step->free[b];
        if (body->kind == CAROM_BODY_FIXED) continue;
        crm_vec6 given = change;
        if (state->drag != NULL) change = crm_vec6_add(change, crm_velocity_step_drag(model, state, b, *twist, change));
        state->impulse_size[b] = (crm_impulse_size){crm_length(force.linear) + crm_length(change.linear),
                                                    crm_length(force.angular) + crm_length(change.angular)};
        state->impulse[b] = crm_vec6_add(state->impulse[b], change);
        bool flies = step->flight != NULL && step->flight->flies[b];
        next->p = crm_add(next->p, change.linear);
        next->l = crm_add(next->l, change.angular);
        if (flies) crm_free_flight_move(model, state, step->flight, b, force.linear);
        twist->linear = crm_motion_velocity(body, next);
        if (!flies) next->x = crm_madd(next->x, h, twist->linear);
        if (body->kind == CAROM_BODY_POINT) continue;
        twist->angular = crm_add(twist->angular, crm_velocity_of(model, state, b, given).angular);
        next->q = crm_quat_short_step(next->q, crm_bounded_spin(body, next->q, next->l, twist->angular, h), h);
    }
}

static crm_vec6 damped_velocity(const crm_body *body, const crm_body_drag *drag, const crm_motion *given) {
    carom_vec3 velocity = crm_scale(crm_damped_inverse(body->inverse_mass, drag->linear), given->p);
    carom_vec3 inverse = crm_damped_inverses(body, drag);
    if (body->kind == CAROM_BODY_POINT) return crm_vec6_of(velocity, crm_vec3_zero());
    if (body->kind == CAROM_BODY_PLANAR) return crm_vec6_of(velocity, crm_vec3(0.0, 0.0, inverse.z * given->l.z));
    return crm_vec6_of(velocity,
                       crm_quat_rotate(given->q, crm_vec3_mul(inverse, crm_quat_rotate_inverse(given->q, given->l))));
}

crm_vec6 crm_velocity_of(const carom_model *model, const carom_state *state, int body, crm_vec6 impulse) {
    const crm_body *of = &model->bodies.items[body];
    crm_motion given = {.q = state->motions[body].q, .p = impulse.linear, .l = impulse.angular};
    if (of->kind == CAROM_BODY_FIXED) return crm_vec6_zero();
    if (state->drag != NULL) return damped_velocity(of, &state->drag[body], &given);
    carom_vec3 spin = of->kind != CAROM_BODY_POINT ? crm_motion_spin(of, &given) : crm_vec3_zero();
    return crm_vec6_of(crm_motion_velocity(of, &given), spin);
}
