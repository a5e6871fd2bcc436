// SPDX-License-Identifier: MIT
// `potential`: elastic contact by the potential C/2 t^2 of overlaps (overlap.h), at the midpoint of a variational step.
//
// The midpoint of a body is that of its centre of mass, and half of its rotation F = f f. A small rotation zeta of the
// attitude at k, or eta at k+1, rotates the midpoint by
//   (1 + c x) zeta / 2,   (1 - c x) eta / 2,   c = tan(angle of F / 4) along its axis,
// so that a gradient tau by rotations at the midpoint enters the discrete Euler-Lagrange equations as (tau - c x tau)/2
// at k and as (tau + c x tau)/2 at k+1: together tau, about centres that are in the middle too. With t invariant under
// rigid motions both momentum maps are kept for every step (docs/math.md 3.5, 10.3, 10.5).
//
// Unknown are the impulses mu_j of the pieces of t. The core makes the step that belongs to them, and Newton's method
// mends them with the compliance of the bodies,
//   0 <= mu_j,   t_j + (sum of mu in the pair) / (h C) >= 0,   one of them zero,
// which is the gradient of C/2 t^2 where one piece is the deepest, and a mean of gradients at its kinks.
#include "step/potential/potential.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "model/force/evaluate.h"
#include "shape/shape.h"
#include "solve/dense/dense_lcp.h"
#include "step/integrate/discrete.h"
#include "step/variational/variational.h"

// Iterations with what the rays find alone; where that does not converge, the deepest corner changes to and fro.
enum { PLAIN_ITERATIONS = 12 };

// Of positions and of their sums, relative.
static const double place_rounding = 1e-15;

// Added to the diagonal, relative: pieces that push alike share their impulse.
static const double shared_compliance = 1e-11;

// Of the complementarity of impulses and pieces, relative: a few roundings.
static const double impulse_tolerance = 1e-12;

typedef struct potential {
    crm_contact_potential contact;                     // first: newmark has the same
    void *core;                                        // of `variational`
    crm_null_space space;                              // at the start of the step
    crm_motion *middle;                                // poses only (body_count)
    carom_vec3 *quarter;                               // c (body_count)
    crm_vec6 *before, *after;                          // impulses that the step is made with (body_count)
    crm_vec6 *wanted, *wanted_after, *twist, *scratch; // (body_count)
    CRM_ARRAY(double) matrix, right, impulse;
    crm_arena work; // of the problem for the impulses
    int iterations; // of the step
    int worst;      // body whose impulses are farthest from those that belong to the step
    bool stopped;   // it will not get further by another way either
} potential;

static carom_status prepare(carom_state *state, carom_error *error) {
    int bodies = state->model->bodies.count;
    crm_arena *arena = &state->arena;
    potential *p = CRM_ARENA_ZEROED(arena, potential, 1);
    if (p == NULL) return crm_fail_memory(error, "potential", sizeof *p);
    state->method_data = p;
    crm_arena_init(&p->work, &state->model->allocator);
    p->middle = CRM_ARENA_ZEROED(arena, crm_motion, bodies);
    p->quarter = CRM_ARENA_ZEROED(arena, carom_vec3, bodies);
    crm_vec6 **arrays[] = {&p->before, &p->after, &p->wanted, &p->wanted_after, &p->twist, &p->scratch};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        *arrays[i] = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    if (crm_arena_refused(arena))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for potential with %d bodies", bodies);
    carom_status status = crm_variational_prepare(state, &p->core, error);
    if (status == CAROM_OK) status = crm_null_space_create(state->model, arena, &p->space, error);
    return status == CAROM_OK ? crm_contact_potential_prepare(state, &p->contact, error) : status;
}

static void release(carom_state *state) {
    potential *p = state->method_data;
    const carom_allocator *allocator = &state->model->allocator;
    if (p == NULL) return;
    crm_variational_release(p->core);
    crm_contact_potential_release(state, &p->contact);
    CRM_ARRAY_FREE(allocator, &p->matrix);
    CRM_ARRAY_FREE(allocator, &p->right);
    CRM_ARRAY_FREE(allocator, &p->impulse);
    crm_arena_free(&p->work);
}

// ---- the midpoint

static void set_middle(const carom_state *state, potential *p) {
    for (int b = 0; b < state->model->bodies.count; b++) {
        const crm_motion *from = &state->motions[b], *to = &state->next[b];
        p->middle[b].x = crm_scale(0.5, crm_add(from->x, to->x));
        carom_quat rotation = crm_quat_mul(crm_quat_same_side(to->q, from->q), crm_quat_conjugate(from->q));
        carom_quat half = crm_quat_normalised((carom_quat){1.0 + rotation.w, rotation.x, rotation.y, rotation.z});
        p->middle[b].q = crm_quat_mul(half, from->q);
        p->quarter[b] = crm_scale(1.0 / half.w, crm_quat_vector(half)); // a quaternion has half of the angle
    }
}

// The impulses of all pieces at both ends.
static void split(const carom_state *state, potential *p, crm_vec6 *before, crm_vec6 *after) {
    const carom_model *model = state->model;
    for (int b = 0; b < model->bodies.count; b++) p->scratch[b] = crm_vec6_zero();
    crm_overlap_add_impulses(model, &p->contact.overlap, p->scratch);
    for (int b = 0; b < model->bodies.count; b++) {
        crm_vec6 half = crm_vec6_scale(0.5, p->scratch[b]);
        carom_vec3 bend = crm_cross(p->quarter[b], half.angular);
        before[b] = crm_vec6_of(half.linear, crm_sub(half.angular, bend));
        after[b] = crm_vec6_of(half.linear, crm_add(half.angular, bend));
    }
}

// ---- impulses

// How fast a piece's value grows with these twists.
static double rate_of(const potential *p, const crm_piece *piece) {
    const crm_overlap_pair *pair = &p->contact.overlap.pairs.items[piece->pair];
    return crm_vec6_dot(piece->row_a, p->twist[pair->a]) + crm_vec6_dot(piece->row_b, p->twist[pair->b]);
}

// The twists of a unit impulse along a piece.
static void respond(const carom_model *model, potential *p, const crm_piece *piece) {
    const crm_overlap_pair *pair = &p->contact.overlap.pairs.items[piece->pair];
    p->scratch[pair->a] = crm_wrench_projected(model->bodies.items[pair->a].kind, piece->row_a);
    p->scratch[pair->b] = crm_wrench_projected(model->bodies.items[pair->b].kind, piece->row_b);
    crm_null_space_twists(&p->space, p->scratch, p->twist);
    p->scratch[pair->a] = p->scratch[pair->b] = crm_vec6_zero();
}

// New impulses of the pieces that are there.
static carom_status mend_impulses(const carom_state *state, potential *p, carom_error *error) {
    const carom_model *model = state->model;
    const carom_allocator *allocator = &model->allocator;
    crm_piece_list *pieces = &p->contact.overlap.pieces;
    int n = pieces->count;
    double h = state->method.step;
    if (!CRM_ARRAY_RESIZE(allocator, &p->matrix, (ptrdiff_t)n * n) || !CRM_ARRAY_RESIZE(allocator, &p->right, n) ||
        !CRM_ARRAY_RESIZE(allocator, &p->impulse, n))
        return crm_fail_memory(error, "impulses of contacts", (size_t)n * (size_t)n * sizeof(double));
    // Where the step would be without the impulses that it was made with, to first order.
    crm_null_space_twists(&p->space, p->before, p->twist);
    for (int i = 0; i < n; i++) p->right.items[i] = pieces->items[i].value - 0.5 * h * rate_of(p, &pieces->items[i]);
    for (int b = 0; b < model->bodies.count; b++) p->scratch[b] = crm_vec6_zero();
    for (int j = 0; j < n; j++) {
        double *column = p->matrix.items + (ptrdiff_t)n * j;
        if (crm_state_interrupted(state)) return crm_fail_interrupted(error);
        double own = 1.0 / (h * p->contact.overlap.pairs.items[pieces->items[j].pair].stiffness);
        respond(model, p, &pieces->items[j]);
        for (int i = 0; i < n; i++) {
            column[i] = 0.25 * h * rate_of(p, &pieces->items[i]);
            if (pieces->items[i].pair == pieces->items[j].pair) column[i] += own;
        }
        column[j] *= 1.0 + shared_compliance;
        p->impulse.items[j] = pieces->items[j].impulse;
    }
    const carom_dense_lcp problem = {.size = n, .matrix = p->matrix.items, .offset = p->right.items}; // symmetric
    bool solved;
    carom_status status = crm_dense_lcp_solve_near(&problem, impulse_tolerance, crm_state_interrupt(state), &p->work,
                                                   p->impulse.items, &solved, error);
    if (status != CAROM_OK) return status;
    if (!solved) return crm_refuse(error, "no impulses are found; make method.step of %g s smaller", h);
    for (int i = 0; i < n; i++) pieces->items[i].impulse = p->impulse.items[i];
    return CAROM_OK;
}

// How far the impulses that the step was made with are from those that belong to it, relative to momenta and impulses,
// beyond what roundings of places explain: C times as much of force, and at a kink, where it is the motion that decides
// between pieces, as much of motion in the step. The body where it is worst is p->worst.
static double difference(const carom_state *state, potential *p, bool kinked) {
    const carom_model *model = state->model;
    double worst = 0.0, h = state->method.step;
    for (int b = 0; b < model->bodies.count; b++) {
        if (model->bodies.items[b].def.shape.index < 0) continue;
        const crm_motion *m = &state->motions[b];
        carom_shape *shape = model->shapes.items[model->bodies.items[b].def.shape.index].shape;
        crm_vec6 off = crm_vec6_sub(p->wanted[b], p->before[b]);
        double size = isfinite(shape->bounding_radius) ? shape->bounding_radius : 0.0;
        double stiffness = 0.5 * h * crm_body_stiffness(state, b);
        double mass = kinked ? model->bodies.items[b].mass / h : 0.0;
        double rounding = (stiffness + mass) * place_rounding * (crm_length(m->x) + size);
        double linear = crm_length(m->p) + crm_length(p->wanted[b].linear) + crm_length(p->before[b].linear);
        double angular = crm_length(m->l) + crm_length(p->wanted[b].angular) + size * linear;
        double by_linear = crm_length(off.linear) - rounding, by_angular = crm_length(off.angular) - size * rounding;
        if (!isfinite(by_linear) || !isfinite(by_angular)) {
            p->worst = b;
            return INFINITY;
        }
        double share = fmax(by_linear > 0.0 ? by_linear / linear : 0.0, by_angular > 0.0 ? by_angular / angular : 0.0);
        if (share <= worst) continue;
        worst = share;
        p->worst = b;
    }
    return worst;
}

// ---- the step

static bool is_touched(const potential *p) {
    for (int i = 0; i < p->contact.overlap.pieces.count; i++) {
        const crm_piece *piece = &p->contact.overlap.pieces.items[i];
        if (piece->value < 0.0 || piece->impulse > 0.0) return true;
    }
    return false;
}

static void move(const carom_model *model, carom_state *state, potential *p, const carom_input *input,
                 carom_step_report *report) {
    const crm_explicit_impulse explicit_impulse = {.before = p->before, .after = p->after};
    crm_variational_move(model, state, p->core, input, &explicit_impulse, report);
}

// Newton's method from a step without contact. False, with the report saying why, when there is no step at all.
static bool iterate(const carom_model *model, carom_state *state, potential *p, const carom_input *input, bool remember,
                    int limit, double *residual, carom_step_report *report) {
    for (int b = 0; b < model->bodies.count; b++) p->before[b] = p->after[b] = crm_vec6_zero();
    crm_contact_potential *contact = &p->contact;
    contact->overlap.pieces.count = 0;
    move(model, state, p, input, report);
    carom_error error = {.text = ""};
    for (int i = 0; report->outcome != CAROM_STEP_IMPOSSIBLE; i++) {
        set_middle(state, p);
        carom_status status = crm_overlap_evaluate(state, p->middle, remember, &contact->overlap, &error);
        if (status == CAROM_OK) status = mend_impulses(state, p, &error);
        if (status != CAROM_OK) {
            crm_contact_potential_stop(report, &error);
            p->stopped = status == CAROM_ERR_NO_MEMORY || crm_state_interrupted(state);
            return false;
        }
        split(state, p, p->wanted, p->wanted_after);
        *residual = is_touched(p) ? difference(state, p, remember) : 0.0;
        if (*residual <= state->method.tolerance || i == limit) return true;
        p->iterations++;
        size_t bytes = (size_t)model->bodies.count * sizeof *p->before;
        memcpy(p->before, p->wanted, bytes);
        memcpy(p->after, p->wanted_after, bytes);
        move(model, state, p, input, report);
    }
    return false;
}

static void say_unsolved(const carom_model *model, const carom_state *state, const potential *p, double residual,
                         carom_step_report *report) {
    char name[CRM_BODY_TEXT];
    report->outcome = CAROM_STEP_BROKEN;
    report->body.index = p->worst;
    snprintf(report->text, sizeof report->text,
             "the forces of contact on %s are found to %.1e only, asked for was %.1e: they jump between two features; "
             "make method.step of %g s smaller",
             crm_body_text(model, p->worst, name), residual, state->method.tolerance, state->method.step);
}

static void advance(const carom_model *model, carom_state *state, const carom_input *input, carom_step_report *report) {
    potential *p = state->method_data;
    carom_error error = {.text = ""};
    if (crm_contact_potential_begin(state, &p->contact, &error) != CAROM_OK ||
        !crm_null_space_at(&p->space, state->motions)) {
        crm_contact_potential_stop(report, &error);
        return;
    }
    p->iterations = 0;
    p->stopped = false;
    double residual = INFINITY;
    carom_step_report fresh = *report;
    bool made = iterate(model, state, p, input, false, PLAIN_ITERATIONS, &residual, report);
    if (!p->stopped && (!made || residual > state->method.tolerance)) {
        *report = fresh;
        made = iterate(model, state, p, input, true, state->method.iteration_limit, &residual, report);
    }
    if (!made) return;
    if (residual > state->method.tolerance) say_unsolved(model, state, p, residual, report);
    if (residual > report->residual) {
        report->residual = residual;
        report->residual_body.index = p->worst;
    }
    report->iterations = p->iterations;
    report->discrete_energy = crm_overlap_energy_found(&p->contact.overlap); // in the middle of the step
    crm_contact_potential_finish(state, &p->contact, report);
}

const crm_method crm_method_potential = {.name = "potential",
                                         .settings = "potential",
                                         .features = CRM_UNPAIRED_FEATURES | CRM_FEATURE_JOINT |
                                                     CRM_FEATURE_JOINT_SPRING | CRM_FEATURE_JOINT_DAMPER |
                                                     CRM_FEATURE_MOTOR | CRM_FEATURE_CONTACT,
                                         .discrete_energy = true,
                                         .prepare = prepare,
                                         .release = release,
                                         .advance = advance};
