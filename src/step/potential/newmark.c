// SPDX-License-Identifier: MIT
// `newmark`: Newmark's family with contact by the potential C/2 t^2. Its explicit member, beta = 0 and gamma = 1/2, is
//   x+ = x + h v + h^2/2 a,   v+ = v + h/2 (a + a+),
// a from the forces at the nodes. Rotations take half of the torque's impulse before and half after a rotation by the
// Moser-Veselov equation, so that momenta are kept as `potential` keeps them. Order 2; stable while h is below
// 2 sqrt(m/C), for two bodies of reduced mass m. All other members: newmark_family.c.
//
// Damping of overlaps is a force -c dt/dt along the same rows, with the velocities that are known: those at the start,
// and in the middle for the end. A contact never pulls.
#include "step/potential/newmark.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "model/force/evaluate.h"
#include "step/variational/variational.h"

// Whether wrenches at the end of a step depend on what is solved for.
static bool is_implicit(const carom_state *state) {
    const carom_model *model = state->model;
    const carom_potential_def *def = &state->method.potential;
    return def->beta != 0.0 || def->gamma != 0.5 || model->drags.count > 0 || model->damper_count > 0 ||
           model->callbacks.count + model->system_callbacks.count + model->fields.count > 0;
}

double carom_state_stable_step(const carom_state *state) {
    if (state == NULL || state->method.method != CAROM_METHOD_NEWMARK) return INFINITY;
    return ((const crm_newmark *)state->method_data)->stable_step;
}

static carom_status refuse_unstable(const carom_state *state, crm_newmark *n, carom_error *error) {
    carom_status status = crm_newmark_stable_step(state, &n->stable_step, error);
    if (status != CAROM_OK || state->method.step <= n->stable_step) return status;
    return crm_refuse(error,
                      "newmark with beta = %g and gamma = %g is unstable beyond steps of %.4g s for the springs of "
                      "this scene, and method.step is %g s: make it smaller, or take beta = 0.25",
                      state->method.potential.beta, state->method.potential.gamma, n->stable_step, state->method.step);
}

static carom_status prepare(carom_state *state, carom_error *error) {
    int bodies = state->model->bodies.count;
    crm_newmark *n = CRM_ARENA_ZEROED(&state->arena, crm_newmark, 1);
    if (n == NULL) return crm_fail_memory(error, "newmark", sizeof *n);
    state->method_data = n;
    n->before = CRM_ARENA_ZEROED(&state->arena, crm_vec6, bodies);
    n->after = CRM_ARENA_ZEROED(&state->arena, crm_vec6, bodies);
    n->damped = CRM_ARENA_ZEROED(&state->arena, crm_vec6, bodies);
    if (crm_arena_refused(&state->arena))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for newmark with %d bodies", bodies);
    n->implicit = is_implicit(state);
    carom_status status = refuse_unstable(state, n, error);
    if (status == CAROM_OK && n->implicit) status = crm_newmark_family_prepare(state, n, error);
    return status == CAROM_OK ? crm_contact_potential_prepare(state, &n->contact, error) : status;
}

static void release(carom_state *state) {
    crm_newmark *n = state->method_data;
    if (n != NULL) crm_overlap_release(state, &n->contact.overlap);
}

// How fast an overlap changes, at these motions.
static double rate_of(const carom_model *model, const crm_overlap_pair *pair, const crm_piece *piece,
                      const crm_motion *motions) {
    const crm_body *a = &model->bodies.items[pair->a], *b = &model->bodies.items[pair->b];
    const crm_motion *at_a = &motions[pair->a], *at_b = &motions[pair->b];
    crm_vec6 twist_a = crm_vec6_of(crm_motion_velocity(a, at_a), crm_motion_spin(a, at_a));
    crm_vec6 twist_b = crm_vec6_of(crm_motion_velocity(b, at_b), crm_motion_spin(b, at_b));
    return crm_vec6_dot(piece->row_a, twist_a) + crm_vec6_dot(piece->row_b, twist_b);
}

// Forces of all pieces, N, with what damping adds or takes; its half impulses go to n->damped.
static void find_forces(const carom_model *model, const carom_state *state, crm_newmark *n, const crm_motion *motions) {
    crm_overlap *overlap = &n->contact.overlap;
    double damping = state->method.potential.damping, half = 0.5 * state->method.step;
    for (int i = 0; i < overlap->pieces.count; i++) {
        crm_piece *piece = &overlap->pieces.items[i];
        double elastic = overlap->pairs.items[piece->pair].stiffness * fmax(0.0, -piece->value), damped = 0.0;
        if (elastic > 0.0 && damping > 0.0)
            damped = fmax(-elastic, -damping * rate_of(model, &overlap->pairs.items[piece->pair], piece, motions));
        piece->impulse = half * damped;
    }
    if (damping > 0.0) crm_overlap_add_impulses(model, overlap, n->damped);
    for (int i = 0; i < overlap->pieces.count; i++) {
        crm_piece *piece = &overlap->pieces.items[i];
        double elastic = overlap->pairs.items[piece->pair].stiffness * fmax(0.0, -piece->value);
        piece->impulse = elastic + piece->impulse / half;
    }
}

bool crm_newmark_forces(const carom_model *model, carom_state *state, crm_newmark *n, const crm_motion *motions,
                        double time, const carom_input *input, crm_vec6 *wrench, carom_step_report *report) {
    carom_error error = {.text = ""};
    crm_overlap *overlap = &n->contact.overlap;
    crm_callback_answer answer =
        crm_forces_evaluate(model, time, motions, state->configs, input, wrench, state->active, state->passive);
    if (answer.body >= 0) {
        crm_step_callback_refused(model, &answer, time, report);
        return false;
    }
    if (crm_overlap_evaluate(state, motions, false, overlap, &error) != CAROM_OK) {
        crm_contact_potential_stop(report, &error);
        return false;
    }
    find_forces(model, state, n, motions);
    crm_overlap_add_impulses(model, overlap, wrench);
    return true;
}

// Half of the impulses of all forces at these poses; false with a report when there are none.
static bool find_impulses(const carom_model *model, carom_state *state, crm_newmark *n, const crm_motion *motions,
                          double time, const carom_input *input, crm_vec6 *impulse, carom_step_report *report) {
    double half = 0.5 * state->method.step;
    crm_overlap *overlap = &n->contact.overlap;
    if (!crm_newmark_forces(model, state, n, motions, time, input, impulse, report)) return false;
    for (int b = 0; b < model->bodies.count; b++) impulse[b] = crm_vec6_scale(half, impulse[b]);
    for (int i = 0; i < overlap->pieces.count; i++) overlap->pieces.items[i].impulse *= 2.0 * half;
    return true;
}

static void advance_explicit(const carom_model *model, carom_state *state, crm_newmark *n, const carom_input *input,
                             carom_step_report *report) {
    double time = carom_state_time(state), h = state->method.step;
    if (!find_impulses(model, state, n, state->motions, time, input, n->before, report)) return;
    memset(n->after, 0, (size_t)model->bodies.count * sizeof *n->after);
    const crm_explicit_impulse explicit_impulse = {n->before, n->after, true};
    crm_variational_move_alone(model, state, NULL, &explicit_impulse, report); // forces are explicit
    if (report->outcome == CAROM_STEP_IMPOSSIBLE) return;
    if (!find_impulses(model, state, n, state->next, time + h, input, n->after, report)) return;
    for (int b = 0; b < model->bodies.count; b++) {
        state->next[b].p = crm_add(state->next[b].p, n->after[b].linear);
        state->next[b].l = crm_add(state->next[b].l, n->after[b].angular);
        state->active[b] = crm_vec6_madd(n->damped[b], h, state->active[b]);
        state->passive[b] = crm_vec6_madd(n->damped[b], h, state->passive[b]);
    }
}

static void advance(const carom_model *model, carom_state *state, const carom_input *input, carom_step_report *report) {
    crm_newmark *n = state->method_data;
    carom_error error = {.text = ""};
    if (crm_contact_potential_begin(state, &n->contact, &error) != CAROM_OK) {
        crm_contact_potential_stop(report, &error);
        return;
    }
    memset(n->damped, 0, (size_t)model->bodies.count * sizeof *n->damped);
    if (n->implicit)
        crm_newmark_family_advance(model, state, n, input, report);
    else
        advance_explicit(model, state, n, input, report);
    if (report->outcome == CAROM_STEP_IMPOSSIBLE) return;
    for (int b = 0; b < model->bodies.count; b++) {
        crm_vec6 before = n->before[b], after = n->after[b];
        // The certificate takes impulses to act in the middle, these act at the ends.
        carom_vec3 lever = crm_scale(0.5, crm_sub(state->next[b].x, state->motions[b].x));
        state->impulse[b] = crm_vec6_add(before, after);
        carom_vec3 moment = crm_cross(lever, crm_sub(after.linear, before.linear));
        state->impulse[b].angular = crm_add(state->impulse[b].angular, moment);
    }
    crm_contact_potential_finish(state, &n->contact, report);
}

const crm_method crm_method_newmark = {.name = "newmark",
                                       .settings = "potential",
                                       .features = CRM_UNPAIRED_FEATURES | CRM_FEATURE_CONTACT,
                                       .prepare = prepare,
                                       .release = release,
                                       .advance = advance};
