// SPDX-License-Identifier: MIT
// The variational integrator in the null-space director form: the discrete Lagrangian has the potential at the midpoint
// of the configurations, the step solves p-_k = p+_k for the increments of every body. L is updated by the torques at
// the midpoint directors, so that without torque it is kept to the bit. Order 2, symplectic.
//
// Bodies that no spring or charge acts on move by themselves: gravity in closed form, rotation by the Moser-Veselov
// equation. The others are solved together. Models with joints go their own way: variational_tree.c.
#include "step/variational/variational.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "model/force/evaluate.h"
#include "step/integrate/isolated_body.h"
#include "step/variational/variational_tree.h"

static void refuse_rotation(const carom_model *model, const carom_state *state, int body, carom_step_report *report) {
    double rotation =
        state->method.step * crm_length(crm_motion_spin(&model->bodies.items[body], &state->motions[body]));
    crm_step_impossible(
        model, body, report,
        "rotates by %.3g rad in one step, and the equations have no solution for that; make method.step "
        "smaller than %.2g s",
        rotation, state->method.step * 0.5 / fmax(rotation, 0.5));
}

// What a chunk of bodies says of itself; zero bytes say nothing.
typedef struct alone_sums {
    int impossible; // 1 + the first body that has no step
    int iterations;
    double residual;
} alone_sums;

_Static_assert(sizeof(alone_sums) <= CRM_BODY_SLOT, "the sums of a chunk must fit into a state's slot");

// Impulses at one end of the step, none without an explicit one.
static crm_vec6 explicit_impulse_of(const crm_vec6 *impulse, int body) {
    return impulse != NULL ? impulse[body] : crm_vec6_zero();
}

// A body that only gravity, the input and explicit impulses act on; false when it has no step.
static bool advance_alone(const carom_model *model, carom_state *state, const crm_explicit_impulse *explicit_impulse,
                          int b, alone_sums *sums) {
    const crm_body *body = &model->bodies.items[b];
    const crm_motion *m = &state->motions[b];
    double h = state->method.step;
    crm_vec6 gravity = crm_vec6_of(crm_scale(body->mass, model->gravity), crm_vec3_zero());
    crm_vec6 pushed = crm_vec6_scale(h, crm_wrench_projected(body->kind, crm_vec6_add(state->active[b], gravity)));
    if (explicit_impulse->alone) pushed = crm_vec6_zero();
    crm_vec6 before = crm_vec6_madd(explicit_impulse_of(explicit_impulse->before, b), 0.5, pushed);
    crm_vec6 after = crm_vec6_madd(explicit_impulse_of(explicit_impulse->after, b), 0.5, pushed);
    crm_isolated_report report;
    state->impulse[b] = crm_vec6_add(before, after);
    if (!crm_isolated_step(body, m, before, after, h, state->method.iteration_limit, &state->next[b], &report))
        return false;
    if (report.iterations > sums->iterations) sums->iterations = report.iterations;
    if (report.residual > sums->residual) sums->residual = report.residual;
    return true;
}

// A step of bodies that no joint holds.
typedef struct bodies_step {
    carom_state *state;
    const crm_coupling *coupling;
    const crm_explicit_impulse *explicit_impulse;
} bodies_step;

static void advance_chunk(void *context, int begin, int end, int worker, void *slot) {
    (void)worker;
    const bodies_step *step = context;
    alone_sums *sums = slot;
    for (int b = begin; b < end; b++) {
        if (step->coupling->slot[b] >= 0) continue;
        if (!advance_alone(step->state->model, step->state, step->explicit_impulse, b, sums) && sums->impossible == 0)
            sums->impossible = b + 1;
    }
}

static void join_chunks(void *context, void *total, const void *slot) {
    (void)context;
    alone_sums *to = total;
    const alone_sums *from = slot;
    if (to->impossible == 0) to->impossible = from->impossible;
    if (from->iterations > to->iterations) to->iterations = from->iterations;
    if (from->residual > to->residual) to->residual = from->residual;
}

// Moves the coupled bodies by the increments that were found.
static void apply_increments(const carom_model *model, carom_state *state, const crm_coupling *coupling,
                             const crm_explicit_impulse *explicit_impulse) {
    double h = state->method.step;
    for (int c = 0; c < coupling->count; c++) {
        int b = coupling->body[c];
        const crm_body *body = &model->bodies.items[b];
        const crm_motion *m = &state->motions[b];
        crm_motion *next = &state->next[b];
        carom_vec3 force = crm_madd(coupling->force[c], body->mass, model->gravity);
        crm_vec6 wrench = crm_vec6_add(state->active[b], crm_vec6_of(force, coupling->torque[c]));
        state->impulse[b] = crm_vec6_add(crm_vec6_scale(h, crm_wrench_projected(body->kind, wrench)),
                                         crm_vec6_add(explicit_impulse_of(explicit_impulse->before, b),
                                                      explicit_impulse_of(explicit_impulse->after, b)));
        next->x = crm_add(m->x, coupling->increment[c].displacement);
        carom_vec3 a = coupling->increment[c].a;
        next->q =
            body->kind == CAROM_BODY_POINT ? m->q : crm_isolated_rotated(m->q, sqrt(1.0 - crm_length_squared(a)), a);
        next->p = crm_add(m->p, state->impulse[b].linear);
        next->l = crm_add(m->l, state->impulse[b].angular);
    }
}

void crm_variational_move_bodies(const carom_model *model, carom_state *state, crm_coupling *coupling,
                                 const crm_explicit_impulse *explicit_impulse, carom_step_report *report) {
    double h = state->method.step;
    bodies_step step = {state, coupling, explicit_impulse};
    crm_pool_reduction reduction = {sizeof(alone_sums), advance_chunk, join_chunks, &step};
    alone_sums sums = {0};
    crm_pool_reduce(state->pool, model->bodies.count, CRM_BODY_GRAIN, &reduction, state->slots, &sums);
    report->iterations = sums.iterations;
    report->residual = sums.residual;
    if (sums.impossible != 0) {
        refuse_rotation(model, state, sums.impossible - 1, report);
        return;
    }
    if (coupling->count > 0) {
        if (!crm_coupling_solve(model, state, coupling, state->active, explicit_impulse->before, report)) return;
        apply_increments(model, state, coupling, explicit_impulse);
    }
    for (int b = 0; b < model->bodies.count; b++) state->active[b] = crm_vec6_scale(h, state->active[b]);
}

void crm_variational_move(const carom_model *model, carom_state *state, void *core, const carom_input *input,
                          const crm_explicit_impulse *explicit_impulse, carom_step_report *report) {
    crm_input_wrenches(model, input, state->active);
    if (model->joints.count > 0)
        crm_variational_tree_advance(model, state, core, input, explicit_impulse, report);
    else
        crm_variational_move_bodies(model, state, core, explicit_impulse, report);
}

carom_status crm_variational_prepare(carom_state *state, void **core, carom_error *error) {
    if (state->model->joints.count > 0) return crm_variational_tree_prepare(state, core, error);
    crm_coupling *coupling = CRM_ARENA_ZEROED(&state->arena, crm_coupling, 1);
    if (coupling == NULL) return crm_fail_memory(error, "variational", sizeof *coupling);
    *core = coupling;
    return crm_coupling_prepare(state, coupling, error);
}

static void advance(const carom_model *model, carom_state *state, const carom_input *input, carom_step_report *report) {
    static const crm_explicit_impulse none = {0};
    crm_variational_move(model, state, state->method_data, input, &none, report);
}

static carom_status prepare(carom_state *state, carom_error *error) {
    return crm_variational_prepare(state, &state->method_data, error);
}

const crm_method crm_method_variational = {.name = "variational",
                                           .features = CRM_FEATURE_JOINT | CRM_FEATURE_JOINT_SPRING |
                                                       CRM_FEATURE_JOINT_DAMPER | CRM_FEATURE_MOTOR,
                                           .prepare = prepare,
                                           .advance = advance};
