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
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "model/force/evaluate.h"
#include "step/variational/variational.h"

// Whether wrenches at the end of a step depend on what is solved for.
static bool is_implicit(const carom_state *state) {
    const carom_model *model = state->model;
    const carom_potential_def *def = &state->method.potential;
    return def->beta != 0.0 || def->gamma != 0.5 || def->implicit_contact || model->joints.count > 0 ||
           model->drags.count > 0 || model->damper_count > 0 ||
           model->callbacks.count + model->system_callbacks.count + model->fields.count > 0;
}

double carom_state_stable_step(const carom_state *state) {
    if (state == NULL || state->method.method != CAROM_METHOD_NEWMARK) return INFINITY;
    return ((const crm_newmark *)state->method_data)->stable_step;
}

static carom_status refuse_unstable(const carom_state *state, crm_newmark *n, carom_error *error) {
    carom_status status = crm_newmark_stable_step(state, &n->joints, &n->stable_step, error);
    if (status != CAROM_OK || state->method.step <= n->stable_step) return status;
    return crm_refuse(error,
                      "newmark with beta = %g and gamma = %g is unstable beyond steps of %.4g s for the springs of "
                      "this scene, and method.step is %g s: make it smaller, or take beta = 0.25",
                      state->method.potential.beta, state->method.potential.gamma, n->stable_step, state->method.step);
}

// The same for flexible bodies, of which the state keeps what was found.
static carom_status refuse_unstable_flex(carom_state *state, crm_newmark *n, carom_error *error) {
    char name[CRM_BODY_TEXT];
    carom_status status = crm_flex_limit_prepare(state, &n->flex, error);
    if (status != CAROM_OK) return status;
    int flex;
    double stable = crm_newmark_stable_rate(&state->method.potential), longest = state->plan.longest;
    double limit = CRM_FLEX_LIMIT_MARGIN * crm_flex_limit_step(state, &n->flex, stable, &flex);
    n->stable_step = fmin(n->stable_step, limit);
    if (longest <= limit) return CAROM_OK;
    return crm_refuse(error,
                      "newmark is unstable beyond steps of %.4g s for %s, and method.step is %g s: make it smaller, or "
                      "the elements larger, or take beta = 0.25",
                      limit, crm_flex_text(state->model, flex, name), longest);
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
    carom_status status = n->implicit ? crm_newmark_family_prepare(state, n, error) : CAROM_OK;
    if (status == CAROM_OK) status = refuse_unstable(state, n, error);
    if (status == CAROM_OK) status = refuse_unstable_flex(state, n, error);
    if (status == CAROM_OK) status = crm_carriers_prepare(state, &n->carriers, error);
    if (status == CAROM_OK && n->implicit && n->carriers.count > 0)
        status = crm_fail(error, CAROM_ERR_UNSUPPORTED,
                          "newmark has attachments of flexible bodies with beta = 0, gamma = 0.5 and without joints, "
                          "drag, dampers, callbacks and fields of force only; leave them out");
    return status == CAROM_OK ? crm_contact_potential_prepare(state, &n->contact, error) : status;
}

static void release(carom_state *state) {
    crm_newmark *n = state->method_data;
    if (n == NULL) return;
    crm_contact_potential_release(state, &n->contact);
    crm_newmark_family_release(state, n);
}

// Forces of all pieces, N, with what damping adds or takes; its half impulses go to n->damped.
static void find_forces(const carom_model *model, const carom_state *state, crm_newmark *n, const crm_motion *motions) {
    crm_overlap *overlap = &n->contact.overlap;
    double damping = state->method.potential.damping, half = 0.5 * state->method.step;
    for (int i = 0; i < overlap->pieces.count; i++) {
        crm_piece *piece = &overlap->pieces.items[i];
        const crm_overlap_pair *pair = &overlap->pairs.items[piece->pair];
        double elastic = pair->stiffness * fmax(0.0, -piece->value), damped = 0.0;
        if (elastic > 0.0 && damping > 0.0)
            damped = fmax(-elastic, -damping * crm_newmark_rate_of(model, pair, piece, motions));
        piece->impulse = half * damped;
    }
    if (damping > 0.0) crm_overlap_add_impulses(model, overlap, n->damped);
    for (int i = 0; i < overlap->pieces.count; i++) {
        crm_piece *piece = &overlap->pieces.items[i];
        double elastic = overlap->pairs.items[piece->pair].stiffness * fmax(0.0, -piece->value);
        piece->impulse = elastic + piece->impulse / half;
    }
}

bool crm_newmark_forces(const carom_model *model, carom_state *state, const crm_motion *motions, double time,
                        const carom_input *input, crm_vec6 *wrench, carom_step_report *report) {
    crm_callback_answer answer =
        crm_forces_evaluate(model, time, motions, state->configs, input, wrench, state->active, state->passive);
    if (answer.body < 0) return true;
    crm_step_callback_refused(model, &answer, time, report);
    return false;
}

// Half of the impulses of all forces at these poses; false with a report when there are none.
static bool find_impulses(const carom_model *model, carom_state *state, crm_newmark *n, const crm_motion *motions,
                          double time, const carom_input *input, crm_vec6 *impulse, carom_step_report *report) {
    double half = 0.5 * state->method.step;
    crm_overlap *overlap = &n->contact.overlap;
    carom_error error = {.text = ""};
    if (!crm_newmark_forces(model, state, motions, time, input, impulse, report)) return false;
    if (crm_overlap_evaluate(state, motions, false, overlap, &error) != CAROM_OK) {
        crm_contact_potential_stop(report, &error);
        return false;
    }
    find_forces(model, state, n, motions);
    crm_overlap_add_impulses(model, overlap, impulse);
    if (crm_piece_contact_forces(state, &n->contact.pieces, motions, impulse, n->damped, &error) != CAROM_OK) {
        crm_contact_potential_stop(report, &error);
        return false;
    }
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
    if (!crm_carriers_move(state, &n->carriers, n->before, report)) return;
    if (!find_impulses(model, state, n, state->next, time + h, input, n->after, report)) return;
    for (int b = 0; b < model->bodies.count; b++) {
        state->next[b].p = crm_add(state->next[b].p, n->after[b].linear);
        state->next[b].l = crm_add(state->next[b].l, n->after[b].angular);
        state->active[b] = crm_vec6_madd(n->damped[b], h, state->active[b]);
        state->passive[b] = crm_vec6_madd(n->damped[b], h, state->passive[b]);
    }
    crm_carriers_share(state, &n->carriers);
}

// Overlaps of pieces make light nodes stiffer than elements alone: the squares of the rates add up, as a bound.
static void check_overlaps(carom_state *state, crm_newmark *n, carom_step_report *report) {
    double stable = crm_newmark_stable_rate(&state->method.potential), h = state->method.step;
    double square = isfinite(stable) ? crm_piece_contact_rate_square(state, &n->contact.pieces) : 0.0;
    if (square == 0.0) return;
    bool stable_alone = report->flex_limit_share <= 1.0;
    report->flex_limit_share =
        sqrt(report->flex_limit_share * report->flex_limit_share + square * h * h / (stable * stable));
    if (!stable_alone || report->flex_limit_share <= 1.0) return;
    report->outcome = CAROM_STEP_BROKEN;
    snprintf(report->text, sizeof report->text,
             "the step of %.4g s is beyond the %.4g s that are stable for flexible bodies that touch; make method.step "
             "or method.potential.stiffness smaller",
             h, h / report->flex_limit_share);
}

static void advance(const carom_model *model, carom_state *state, const carom_input *input, carom_step_report *report) {
    crm_newmark *n = state->method_data;
    carom_error error = {.text = ""};
    if (crm_contact_potential_begin(state, &n->contact, &error) != CAROM_OK) {
        crm_contact_potential_stop(report, &error);
        return;
    }
    memset(n->damped, 0, (size_t)model->bodies.count * sizeof *n->damped);
    crm_flex_limit_check(state, &n->flex, crm_newmark_stable_rate(&state->method.potential), report);
    if (n->implicit)
        crm_newmark_family_advance(model, state, n, input, report);
    else
        advance_explicit(model, state, n, input, report);
    if (report->outcome == CAROM_STEP_IMPOSSIBLE) return;
    check_overlaps(state, n, report);
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
                                       .features = CRM_UNPAIRED_FEATURES | CRM_FEATURE_JOINT | CRM_FEATURE_LOOP |
                                                   CRM_FEATURE_JOINT_SPRING | CRM_FEATURE_JOINT_DAMPER |
                                                   CRM_FEATURE_MOTOR | CRM_FEATURE_SWITCH | CRM_FEATURE_CONTACT |
                                                   CRM_FEATURE_FLEX | CRM_FEATURE_ATTACHED,
                                       .prepare = prepare,
                                       .release = release,
                                       .advance = advance};
