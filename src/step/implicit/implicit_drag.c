// SPDX-License-Identifier: MIT
// Drag by the velocity at the end of the step (docs/math.md 13.4): (M + h D) v+ = M v + h F + J^T r, with
// D = linear + quadratic |v| of the start for the centre of mass, and angular for the spin. Both are the same in all
// directions, so that principal axes stay what they are.
#include <math.h>

#include "step/implicit/implicit.h"

static double linear_of(const carom_model *model, const carom_drag_def *drag, const crm_motion *motions) {
    int b = drag->body.index;
    return drag->linear + drag->quadratic * crm_length(crm_motion_velocity(&model->bodies.items[b], &motions[b]));
}

bool crm_drags_create(carom_state *state) {
    const carom_model *model = state->model;
    if (model->drags.count == 0 || model->mobility.kind != CAROM_MOBILITY_NONE) return true;
    state->drag = CRM_ARENA_ZEROED(&state->arena, crm_body_drag, model->bodies.count);
    return state->drag != NULL;
}

void crm_drags_begin(carom_state *state) {
    const carom_model *model = state->model;
    double h = state->method.step;
    if (state->drag == NULL) return;
    for (int b = 0; b < model->bodies.count; b++) state->drag[b] = (crm_body_drag){0};
    for (int i = 0; i < model->drags.count; i++) {
        const carom_drag_def *drag = &model->drags.items[i];
        state->drag[drag->body.index].linear += h * linear_of(model, drag, state->motions);
        state->drag[drag->body.index].angular += h * drag->angular;
    }
}

crm_vec6 crm_drag_impulse(const carom_model *model, carom_state *state, int body, crm_vec6 twist) {
    if (state->drag == NULL) return crm_vec6_zero();
    crm_body_drag *drag = &state->drag[body];
    bool rotates = model->bodies.items[body].kind != CAROM_BODY_POINT;
    drag->impulse = crm_vec6_of(crm_scale(-drag->linear, twist.linear),
                                rotates ? crm_scale(-drag->angular, twist.angular) : crm_vec3_zero());
    return drag->impulse;
}

double crm_drag_work(const carom_state *state, int body, crm_vec6 before, crm_vec6 after) {
    if (state->drag == NULL) return 0.0;
    crm_vec6 impulse = state->drag[body].impulse;
    return fmin(crm_vec6_dot(impulse, after), 0.5 * crm_vec6_dot(impulse, crm_vec6_add(before, after)));
}

static crm_force_row along(crm_vec6 direction, double slope) {
    return (crm_force_row){.on_a = direction, .on_b = crm_vec6_zero(), .slope = slope, .damping = slope};
}

void crm_drag_rows(const carom_model *model, const carom_drag_def *drag, const crm_motion *motions, double step,
                   crm_force_rows out[2]) {
    const carom_vec3 axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const double slope[2] = {step * linear_of(model, drag, motions), step * drag->angular};
    for (int i = 0; i < 2; i++) {
        out[i] = (crm_force_rows){.a = drag->body.index, .b = -1, .most = INFINITY, .count = slope[i] > 0.0 ? 3 : 0};
        for (int k = 0; k < out[i].count; k++)
            out[i].row[k] =
                along(i == 0 ? crm_vec6_of(axis[k], crm_vec3_zero()) : crm_vec6_of(crm_vec3_zero(), axis[k]), slope[i]);
    }
}
