// SPDX-License-Identifier: MIT
// The variational integrator in the null-space director form: the discrete Lagrangian has the potential at the midpoint
// of the configurations, the step solves p-_k = p+_k for the increments of every body. L is updated by the torques at
// the midpoint directors, so that without torque it is kept to the bit. Order 2, symplectic.
//
// Bodies that no spring or charge acts on move by themselves: gravity in closed form, rotation by the Moser-Veselov
// equation. The others are solved together.
#include "step/variational.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "model/evaluate.h"
#include "step/moser_veselov.h"

// (s, a) q of unit length; a first-order correction is exact to rounding, as q is of unit length but for rounding.
static carom_quat turned(carom_quat q, double s, carom_vec3 a) {
    carom_quat r = crm_quat_mul((carom_quat){s, a.x, a.y, a.z}, q);
    double scale = 1.5 - 0.5 * crm_quat_dot(r, r);
    return (carom_quat){scale * r.w, scale * r.x, scale * r.y, scale * r.z};
}

static void refuse_turn(const carom_model *model, const carom_state *state, int body, carom_step_report *report) {
    double turn = state->method.step * crm_length(crm_motion_spin(&model->bodies.items[body], &state->motions[body]));
    crm_step_impossible(model, body, report,
                        "turns by %.3g rad in one step, and the equations have no solution for that; make method.step "
                        "smaller than %.2g s",
                        turn, state->method.step * 0.5 / fmax(turn, 0.5));
}

// A body that only gravity and the input act on.
static bool advance_alone(const carom_model *model, carom_state *state, int b, carom_step_report *report) {
    const crm_body *body = &model->bodies.items[b];
    const crm_motion *m = &state->motions[b];
    crm_motion *next = &state->next[b];
    double h = state->method.step;
    crm_vec6 wrench =
        crm_wrench_felt(body->kind, crm_vec6_add(state->active[b],
                                                 crm_vec6_of(crm_scale(body->mass, model->gravity), crm_vec3_zero())));
    state->impulse[b] = crm_vec6_scale(h, wrench);
    *next = *m;
    if (body->kind == CAROM_BODY_FIXED) return true;
    next->x = crm_madd(m->x, h * body->inverse_mass, crm_madd(m->p, 0.5, state->impulse[b].linear));
    next->p = crm_add(m->p, state->impulse[b].linear);
    if (body->kind == CAROM_BODY_POINT) return true;
    next->l = crm_add(m->l, state->impulse[b].angular);
    carom_vec3 hl = crm_scale(h, crm_madd(m->l, 0.5, state->impulse[b].angular)), a;
    double s, residual;
    int iterations;
    bool solved;
    if (body->kind == CAROM_BODY_PLANAR) {
        carom_vec3 moments = crm_vec3(body->inertia.z, body->inertia.z, body->inertia.z); // turns about z only
        solved = crm_moser_veselov(moments, hl, state->method.iteration_limit, &a, &s, &iterations, &residual);
    } else {
        solved = crm_moser_veselov(body->inertia, crm_quat_rotate_inverse(m->q, hl), state->method.iteration_limit, &a,
                                   &s, &iterations, &residual);
        a = crm_quat_rotate(m->q, a);
    }
    if (!solved) {
        refuse_turn(model, state, b, report);
        return false;
    }
    next->q = turned(m->q, s, a);
    if (iterations > report->iterations) report->iterations = iterations;
    if (residual > report->residual) report->residual = residual;
    return true;
}

// Moves the coupled bodies by the increments that were found.
static void apply_increments(const carom_model *model, carom_state *state, const crm_coupling *coupling) {
    double h = state->method.step;
    for (int c = 0; c < coupling->count; c++) {
        int b = coupling->body[c];
        const crm_body *body = &model->bodies.items[b];
        const crm_motion *m = &state->motions[b];
        crm_motion *next = &state->next[b];
        carom_vec3 force = crm_madd(coupling->force[c], body->mass, model->gravity);
        crm_vec6 wrench = crm_vec6_add(state->active[b], crm_vec6_of(force, coupling->torque[c]));
        state->impulse[b] = crm_vec6_scale(h, crm_wrench_felt(body->kind, wrench));
        next->x = crm_add(m->x, coupling->increment[c].displacement);
        carom_vec3 a = coupling->increment[c].a;
        next->q = body->kind == CAROM_BODY_POINT ? m->q : turned(m->q, sqrt(1.0 - crm_length_squared(a)), a);
        next->p = crm_add(m->p, state->impulse[b].linear);
        next->l = crm_add(m->l, state->impulse[b].angular);
    }
}

static void advance(const carom_model *model, carom_state *state, const carom_input *input, carom_step_report *report) {
    crm_coupling *coupling = state->method_data;
    double h = state->method.step;
    for (int b = 0; b < model->bodies.count; b++) state->active[b] = crm_vec6_zero();
    for (int i = 0; input != NULL && i < input->wrench_count; i++) {
        const carom_wrench *w = &input->wrench[i];
        int b = w->body.index;
        crm_vec6 felt = crm_wrench_felt(model->bodies.items[b].kind, crm_vec6_of(w->force, w->torque));
        state->active[b] = crm_vec6_add(state->active[b], felt);
    }
    for (int b = 0; b < model->bodies.count; b++)
        if (coupling->slot[b] < 0 && !advance_alone(model, state, b, report)) return;
    if (coupling->count > 0) {
        if (!crm_coupling_solve(model, state, coupling, state->active, report)) return;
        apply_increments(model, state, coupling);
    }
    for (int b = 0; b < model->bodies.count; b++) state->active[b] = crm_vec6_scale(h, state->active[b]);
}

static carom_status prepare(carom_state *state, carom_error *error) {
    crm_coupling *coupling = CRM_ARENA_ZEROED(&state->arena, crm_coupling, 1);
    if (coupling == NULL) return crm_fail_memory(error, "variational", sizeof *coupling);
    state->method_data = coupling;
    return crm_coupling_prepare(state, coupling, error);
}

const crm_method crm_method_variational = {.name = "variational", .prepare = prepare, .advance = advance};
