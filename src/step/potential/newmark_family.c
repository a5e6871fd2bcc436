// SPDX-License-Identifier: MIT
// Members of Newmark's family whose wrenches at the end of the step depend on where and how fast bodies are there: by
// Newton's method for these wrenches and for the forces of contacts,
//   W - F(x(W, f), v(W, f)) = 0,   f - phi(t(W, f), dt/dt) = 0.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "model/force/evaluate.h"
#include "step/potential/newmark.h"

// Of a place, relative to its size.
static const double place_rounding = 1e-15;
// A correction is shortened by halves so often where the equations are not nearer to being solved after it.
enum { MOST_HALVINGS = 12 };
// What is no nearer to being solved by any correction is solved to this, or not at all.
static const double rough_residual = 1e-8;

static carom_status no_memory(const carom_model *model, carom_error *error) {
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for newmark with %d bodies", model->bodies.count);
}

carom_status crm_newmark_family_prepare(carom_state *state, crm_newmark *n, carom_error *error) {
    const carom_model *model = state->model;
    crm_arena *arena = &state->arena;
    int bodies = model->bodies.count;
    crm_vec6 **vectors[] = {&n->start, &n->start_active, &n->start_passive, &n->wrench, &n->trial,
                            &n->found, &n->push,         &n->move,          &n->twist,  &n->answer};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        *vectors[i] = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    n->blur = CRM_ARENA_ZEROED(arena, double, bodies);
    n->response = CRM_ARENA_ZEROED(arena, crm_newmark_response, bodies);
    if (crm_arena_refused(arena)) return no_memory(model, error);
    carom_status status = crm_newmark_joints_create(state, &n->joints, error);
    if (status == CAROM_OK) status = crm_force_derivatives_create(model, arena, &n->slopes, error);
    if (status != CAROM_OK || bodies == 0) return status;
    crm_arena scratch;
    crm_arena_init(&scratch, &model->allocator);
    status = crm_block_analyse(&n->slopes.stiffness.graph, NULL, arena, &scratch, &n->symbolic, error);
    crm_arena_free(&scratch);
    if (status == CAROM_OK)
        status = crm_block_matrix_create(&n->slopes.stiffness.graph, false, arena, &n->matrix, error);
    if (status == CAROM_OK) status = crm_block_factor_create(&n->symbolic, CRM_BLOCK_LU, arena, &n->factor, error);
    if (status != CAROM_OK) return status;
    n->factor.interrupt = crm_state_interrupt(state);
    n->work = CRM_ARENA_ARRAY(arena, double, crm_block_factor_solve_scratch(&n->factor));
    return n->work != NULL ? CAROM_OK : no_memory(model, error);
}

void crm_newmark_family_release(const carom_state *state, crm_newmark *n) {
    const carom_allocator *allocator = &state->model->allocator;
    CRM_ARRAY_FREE(allocator, &n->contacts);
    CRM_ARRAY_FREE(allocator, &n->residual);
    CRM_ARRAY_FREE(allocator, &n->correction);
}

// ---- the residual

static double size_of(const crm_motion *m, const crm_vec6 *start, const crm_vec6 *end, double h, bool angular) {
    if (angular) return crm_length(m->l) + h * (crm_length(start->angular) + crm_length(end->angular));
    return crm_length(m->p) + h * (crm_length(start->linear) + crm_length(end->linear));
}

// Momenta of a pair's bodies and its force, as what its residual is measured by; roundings of its places.
static double pair_size(const carom_state *state, const crm_newmark *n, int i, double *rounding) {
    const crm_overlap_pair *pair = &n->contact.overlap.pairs.items[i];
    const int body[2] = {pair->a, pair->b};
    double h = state->method.step, size = h * fabs(n->contacts.items[i].trial);
    *rounding = 0.0;
    for (int e = 0; e < 2; e++) {
        if (!crm_body_moves(state->model, body[e])) continue;
        const crm_motion *m = &state->motions[body[e]];
        double extent = crm_body_extent(&state->model->bodies.items[body[e]]);
        size += size_of(m, &n->start[body[e]], &n->start[body[e]], h, false);
        *rounding += place_rounding * fabs(n->contacts.items[i].by_value) *
                     (crm_length(m->x) + (isfinite(extent) ? extent : 0.0));
    }
    return size;
}

static void worsen(crm_newmark *n, double share, int body) {
    if (share <= n->relative) return;
    n->relative = share;
    n->worst = body;
}

static void weigh_contacts(const carom_state *state, crm_newmark *n) {
    const carom_model *model = state->model;
    for (int i = 0; i < n->contacts.count; i++) {
        const crm_overlap_pair *pair = &n->contact.overlap.pairs.items[i];
        double off = n->contacts.items[i].trial - n->contacts.items[i].found, rounding;
        n->residual.items[6 * (ptrdiff_t)model->bodies.count + i] = off;
        n->merit += (model->bodies.items[pair->a].inverse_mass + model->bodies.items[pair->b].inverse_mass) * off * off;
        double size = pair_size(state, n, i, &rounding), excess = fabs(off) - rounding;
        if (excess > 0.0)
            worsen(n, state->method.step * excess / size, crm_body_moves(model, pair->b) ? pair->b : pair->a);
    }
}

// `wrench` are those that the step was made with.
static void weigh(const carom_state *state, crm_newmark *n, const crm_vec6 *wrench) {
    double h = state->method.step;
    n->relative = n->merit = 0.0;
    for (int b = 0; b < state->model->bodies.count; b++) {
        const crm_body *body = &state->model->bodies.items[b];
        crm_vec6 off = crm_state_stays(state, b) ? crm_vec6_zero() : crm_vec6_sub(wrench[b], n->found[b]);
        const double r[6] = {off.linear.x, off.linear.y, off.linear.z, off.angular.x, off.angular.y, off.angular.z};
        memcpy(n->residual.items + 6 * (ptrdiff_t)b, r, sizeof r);
        double linear = crm_length(off.linear), angular = crm_length(off.angular);
        n->merit += body->inverse_mass * linear * linear + crm_max_component(body->inverse_inertia) * angular * angular;
        double arm = crm_body_extent(body);
        double share = 0.0, by_linear = linear - n->blur[b],
               by_angular = angular - (isfinite(arm) ? arm : 0.0) * n->blur[b];
        if (by_linear > 0.0) share = h * by_linear / size_of(&state->motions[b], &n->start[b], &wrench[b], h, false);
        if (by_angular > 0.0)
            share = fmax(share, h * by_angular / size_of(&state->motions[b], &n->start[b], &wrench[b], h, true));
        if (!isfinite(linear) || !isfinite(angular)) share = INFINITY;
        worsen(n, share, b);
    }
    weigh_contacts(state, n);
    if (!isfinite(n->merit)) n->merit = n->relative = INFINITY;
}

// All but contacts of bodies with shapes: pieces of flexible bodies that overlap are forces like others, whose slopes
// Newton's method does without.
static bool find_forces(const carom_model *model, carom_state *state, crm_newmark *n, const crm_motion *motions,
                        double time, const carom_input *input, crm_vec6 *wrench, carom_step_report *report) {
    carom_error error = {.text = ""};
    if (!crm_newmark_forces(model, state, motions, time, input, wrench, report)) return false;
    if (model->flexes.count == 0) return true;
    crm_vec6 *damped = n->push;
    memset(damped, 0, (size_t)model->bodies.count * sizeof *damped);
    if (crm_piece_contact_forces(state, &n->contact.pieces, motions, wrench, damped, &error) != CAROM_OK) {
        crm_contact_potential_stop(report, &error);
        return false;
    }
    for (int b = 0; b < model->bodies.count; b++) { // half impulses of the step
        state->active[b] = crm_vec6_madd(state->active[b], 2.0 / state->method.step, damped[b]);
        state->passive[b] = crm_vec6_madd(state->passive[b], 2.0 / state->method.step, damped[b]);
    }
    return true;
}

// At wrenches and tried forces of contacts; false: there is no such step, or nothing to be evaluated, as the report
// says if it is known.
static bool evaluate(const carom_model *model, carom_state *state, crm_newmark *n, const crm_vec6 *wrench,
                     const carom_input *input, carom_step_report *report) {
    n->merit = n->relative = INFINITY;
    if (!crm_newmark_move(state, n, wrench, report)) return false;
    double end = carom_state_time(state) + state->method.step;
    if (!find_forces(model, state, n, state->next, end, input, n->found, report)) return false;
    weigh(state, n, wrench);
    return isfinite(n->merit);
}

// ---- Newton's method

static void correct(const carom_model *model, crm_newmark *n, double share) {
    for (int b = 0; b < model->bodies.count; b++) {
        const double *c = n->correction.items + 6 * (ptrdiff_t)b;
        crm_vec6 change = crm_vec6_of(crm_vec3(c[0], c[1], c[2]), crm_vec3(c[3], c[4], c[5]));
        n->trial[b] = crm_wrench_projected(model->bodies.items[b].kind, crm_vec6_madd(n->wrench[b], -share, change));
    }
    const double *c = n->correction.items + 6 * (ptrdiff_t)model->bodies.count;
    for (int i = 0; i < n->contacts.count; i++)
        n->contacts.items[i].trial = fmax(0.0, n->contacts.items[i].force - share * c[i]);
}

static void take_trial(crm_newmark *n) {
    crm_vec6 *kept = n->wrench;
    n->wrench = n->trial;
    n->trial = kept;
    for (int i = 0; i < n->contacts.count; i++) n->contacts.items[i].force = n->contacts.items[i].trial;
}

static void try_taken(crm_newmark *n) {
    for (int i = 0; i < n->contacts.count; i++) n->contacts.items[i].trial = n->contacts.items[i].force;
}

// Along the correction until the equations are nearer to being solved. False: nowhere.
static bool descend(const carom_model *model, carom_state *state, crm_newmark *n, const carom_input *input,
                    carom_step_report *report) {
    double merit = n->merit, share = 1.0;
    for (int halving = 0; halving <= MOST_HALVINGS; halving++, share *= 0.5) {
        correct(model, n, share);
        bool made = evaluate(model, state, n, n->trial, input, report);
        if (report->outcome == CAROM_STEP_IMPOSSIBLE) return false;
        if (!made || !(n->merit < merit || n->relative <= state->method.tolerance)) continue;
        take_trial(n);
        return true;
    }
    return false;
}

static void refuse(const carom_model *model, const carom_state *state, const crm_newmark *n,
                   carom_step_report *report) {
    double time = carom_state_time(state), step = state->method.step;
    if (report->outcome == CAROM_STEP_IMPOSSIBLE) return;
    if (isfinite(n->relative))
        crm_step_impossible(model, n->worst, report,
                            "and what acts on it have no step after t = %g s: Newton's method ended at a residual of "
                            "%.1e; make method.step of %g s smaller",
                            time, n->relative, step);
    else
        crm_step_impossible(model, n->worst, report,
                            "rotates too far in the step after t = %g s, and neither its rotation nor its joints have "
                            "a solution; make method.step of %g s smaller",
                            time, step);
}

static bool solve(const carom_model *model, carom_state *state, crm_newmark *n, const carom_input *input,
                  carom_step_report *report) {
    memset(n->blur, 0, (size_t)model->bodies.count * sizeof *n->blur);
    try_taken(n);
    if (!evaluate(model, state, n, n->wrench, input, report)) return false;
    for (report->iterations = 0; report->iterations < state->method.iteration_limit; report->iterations++) {
        if (crm_state_interrupted(state)) return false;
        crm_newmark_differentiate(model, state, n);
        weigh(state, n, n->wrench);
        if (n->relative <= state->method.tolerance) return true;
        crm_newmark_find_correction(state, n, input);
        if (descend(model, state, n, input, report)) continue;
        if (report->outcome == CAROM_STEP_IMPOSSIBLE) return false;
        try_taken(n);
        return evaluate(model, state, n, n->wrench, input, report) && n->relative <= rough_residual;
    }
    return n->relative <= rough_residual;
}

// ---- the step

static bool begin(const carom_model *model, carom_state *state, crm_newmark *n, const carom_input *input,
                  carom_step_report *report) {
    size_t bytes = (size_t)model->bodies.count * sizeof *n->start;
    const carom_allocator *allocator = &model->allocator;
    crm_overlap *overlap = &n->contact.overlap;
    carom_error error = {.text = ""};
    if (!find_forces(model, state, n, state->motions, carom_state_time(state), input, n->start, report)) return false;
    memcpy(n->start_active, state->active, bytes);
    memcpy(n->start_passive, state->passive, bytes);
    memcpy(n->wrench, n->start, bytes);
    carom_status status = crm_overlap_evaluate(state, state->motions, false, overlap, &error);
    ptrdiff_t size = 6 * (ptrdiff_t)model->bodies.count + overlap->pairs.count;
    if (status == CAROM_OK &&
        (!crm_newmark_contacts_begin(state, overlap, &n->contacts) ||
         !CRM_ARRAY_RESIZE(allocator, &n->residual, size) || !CRM_ARRAY_RESIZE(allocator, &n->correction, size)))
        status = crm_fail_memory(&error, "contacts", (size_t)size * sizeof(double));
    if (status != CAROM_OK) crm_contact_potential_stop(report, &error);
    if (crm_newmark_has_joints(&n->joints)) crm_newmark_joints_begin(state, &n->joints);
    return status == CAROM_OK;
}

static crm_vec6 mean(const crm_vec6 *start, const crm_vec6 *end, double of_start, double of_end) {
    return crm_vec6_madd(crm_vec6_scale(of_start, *start), of_end, *end);
}

static void finish(const carom_model *model, carom_state *state, crm_newmark *n) {
    double h = state->method.step, gamma = state->method.potential.gamma;
    crm_overlap *overlap = &n->contact.overlap;
    crm_newmark_shares shares = crm_newmark_contact_shares(state);
    for (int i = 0; i < n->contacts.count; i++)
        overlap->pieces.items[i].impulse = (shares.before_first + shares.after_first) * n->contacts.items[i].first +
                                           (shares.before_last + shares.after_last) * n->contacts.items[i].trial;
    if (state->method.potential.damping > 0.0) crm_newmark_contacts_damp(state, overlap, &n->contacts, n->damped);
    for (int b = 0; b < model->bodies.count; b++) {
        state->active[b] = mean(&n->start_active[b], &state->active[b], h * (1.0 - gamma), h * gamma);
        state->passive[b] = mean(&n->start_passive[b], &state->passive[b], h * (1.0 - gamma), h * gamma);
        state->active[b] = crm_vec6_add(state->active[b], n->damped[b]);
        state->passive[b] = crm_vec6_add(state->passive[b], n->damped[b]);
    }
    crm_newmark_joints_tell(state, &n->joints);
}

void crm_newmark_family_advance(const carom_model *model, carom_state *state, crm_newmark *n, const carom_input *input,
                                carom_step_report *report) {
    if (model->bodies.count == 0 || !begin(model, state, n, input, report)) return;
    if (!solve(model, state, n, input, report)) {
        refuse(model, state, n, report);
        return;
    }
    report->residual = n->relative;
    report->residual_body.index = n->worst;
    finish(model, state, n);
}
