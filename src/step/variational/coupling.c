// SPDX-License-Identifier: MIT
// A group of bodies coupled by potentials: one Newton iteration for all of them, with analytic derivatives, on the
// block matrix whose edges are the pairs of bodies that act on each other.
//
// Per body, in world axes, with displacement d, rotation (s, a) and arms r_k = R_k b of the points that carry
// potentials:
//   m d/h + h/2 sum g - P - h/2 (m gravity + F) - j = 0
//   2/h (s J_w a + a x J_w a) + h/2 sum r_k x g - L - h/2 T - j = 0
// where g is the gradient of the pair potential at the midpoints of its two points, d/2 + (r_k + r_{k+1})/2 from x_k,
// and F, T act from outside. (Null-space form of the discrete Euler-Lagrange equations, potential as a function of
// directors.) What has no pair potential is taken off as discrete forces (forced/discrete_forces.h).
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "model/force/body_graph.h"
#include "model/force/evaluate.h"
#include "model/force/pair_potential.h"
#include "model/force/system_callback.h"
#include "step/integrate/follower_impulse.h"
#include "step/integrate/isolated_body.h"
#include "step/integrate/moser_veselov.h"
#include "step/variational/variational.h"

// Newton's error after a correction of relative size d is of the size d^2: below this it is less than a rounding.
static const double last_correction = 1e-9;

// Of a place, relative to its size: some sums of a few numbers, each rounded to 1.1e-16.
static const double place_rounding = 1e-15;

static void note_coupled(const carom_model *model, crm_coupling *coupling, int body) {
    if (crm_body_moves(model, body)) coupling->slot[body] = 0;
}

static void find_coupled_bodies(const carom_model *model, crm_coupling *coupling) {
    for (int b = 0; b < model->bodies.count; b++) coupling->slot[b] = -1;
    for (int p = 0; p < model->pair_potentials.count; p++) {
        note_coupled(model, coupling, model->pair_potentials.items[p].a.body);
        note_coupled(model, coupling, model->pair_potentials.items[p].b.body);
    }
    for (int c = 0; c < model->system_callbacks.count; c++) {
        const crm_system_callback *callback = &model->system_callbacks.items[c];
        for (int i = 0; i < callback->count; i++) note_coupled(model, coupling, callback->body[i]);
    }
    for (int b = 0; b < model->bodies.count; b++) {
        if (coupling->slot[b] < 0) continue;
        coupling->slot[b] = coupling->count;
        coupling->body[coupling->count++] = b;
    }
}

static carom_status no_memory(const carom_model *model, carom_error *error) {
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "variational: no memory for %d bodies and %d pairs",
                    model->bodies.count, model->pair_potentials.count);
}

carom_status crm_coupling_prepare(const carom_state *state, crm_arena *arena, crm_coupling *coupling,
                                  carom_error *error) {
    const carom_model *model = state->model;
    int bodies = model->bodies.count, pairs = model->pair_potentials.count;
    coupling->slot = CRM_ARENA_ARRAY(arena, int, bodies);
    coupling->body = CRM_ARENA_ARRAY(arena, int, bodies);
    coupling->pair_edge = CRM_ARENA_ARRAY(arena, int, pairs);
    coupling->system_edge = CRM_ARENA_ARRAY(arena, int, (ptrdiff_t)crm_system_pair_count(model));
    if (crm_arena_refused(arena)) return no_memory(model, error);
    find_coupled_bodies(model, coupling);
    if (coupling->count == 0) return CAROM_OK;

    int count = coupling->count;
    coupling->increment = CRM_ARENA_ARRAY(arena, crm_increment, count);
    coupling->inertia = CRM_ARENA_ARRAY(arena, carom_mat3, count);
    coupling->force = CRM_ARENA_ARRAY(arena, carom_vec3, count);
    coupling->torque = CRM_ARENA_ARRAY(arena, carom_vec3, count);
    coupling->residual = CRM_ARENA_ARRAY(arena, double, 6 * (ptrdiff_t)count);
    coupling->scale = CRM_ARENA_ARRAY(arena, double, 2 * (ptrdiff_t)count);
    coupling->rounding = CRM_ARENA_ARRAY(arena, double, 2 * (ptrdiff_t)count);
    if (crm_arena_refused(arena)) return no_memory(model, error);
    crm_block_graph graph;
    carom_status status = crm_body_graph_create(model, coupling->slot, count, arena, &graph, coupling->pair_edge,
                                                coupling->system_edge, NULL, error);
    if (status != CAROM_OK) return status;
    crm_arena scratch;
    crm_arena_init(&scratch, &model->allocator);
    status = crm_block_analyse(&graph, NULL, arena, &scratch, &coupling->symbolic, error);
    crm_arena_free(&scratch);
    if (status == CAROM_OK) status = crm_block_matrix_create(&graph, false, arena, &coupling->matrix, error);
    if (status == CAROM_OK)
        status = crm_block_factor_create(&coupling->symbolic, CRM_BLOCK_LU, arena, &coupling->factor, error);
    if (status != CAROM_OK) return status;
    status = crm_coupling_forces_prepare(model, arena, coupling, error);
    if (status != CAROM_OK) return status;
    coupling->factor.interrupt = crm_state_interrupt(state);
    coupling->work = CRM_ARENA_ARRAY(arena, double, crm_block_factor_solve_scratch(&coupling->factor));
    return coupling->work != NULL ? CAROM_OK : no_memory(model, error);
}

// d (F b)/da for F b = b + 2 s a x b + 2 a x (a x b).
static carom_mat3 rotation_derivative(carom_vec3 a, double s, carom_vec3 b) {
    carom_vec3 ab = crm_cross(a, b);
    carom_mat3 d = crm_outer(crm_scale(-2.0 / s, ab), a);
    d = crm_mat3_add(d, crm_skew(crm_madd(crm_scale(-2.0 * s, b), -2.0, ab)));
    return crm_mat3_sub(d, crm_mat3_scale(2.0, crm_mat3_mul(crm_skew(a), crm_skew(b))));
}

// One end of a pair at the midpoint of the step.
typedef struct potential_end {
    int slot;            // -1: does not move
    carom_vec3 place;    // mean of the point at both ends of the step
    carom_vec3 arm;      // R_k b
    carom_vec3 middle;   // mean arm
    carom_mat3 rotation; // d place / d a, times 2
} potential_end;

static potential_end end_of(const carom_state *state, const crm_coupling *coupling, crm_point point) {
    potential_end end = {.slot = -1};
    if (point.body >= 0) end.slot = coupling->slot[point.body];
    if (end.slot < 0) {
        end.place = crm_point_position(point, state->motions);
        return end;
    }
    const crm_motion *m = &state->motions[point.body];
    const crm_increment *increment = &coupling->increment[end.slot];
    double s = sqrt(1.0 - crm_length_squared(increment->a));
    carom_vec3 a = increment->a;
    end.arm = crm_quat_rotate(m->q, point.at);
    carom_vec3 later = crm_quat_rotate((carom_quat){s, a.x, a.y, a.z}, end.arm);
    end.middle = crm_scale(0.5, crm_add(end.arm, later));
    end.place = crm_add(crm_madd(m->x, 0.5, increment->displacement), end.middle);
    end.rotation = rotation_derivative(a, s, end.arm);
    return end;
}

// block (6 x 6, column-major) += factor * [1; [arm]x] H [1, rotation]
static void add_stiffness(double *block, double factor, carom_vec3 arm, carom_mat3 h, carom_mat3 rotation) {
    carom_mat3 top[2] = {crm_mat3_scale(factor, h), crm_mat3_scale(factor, crm_mat3_mul(h, rotation))};
    for (int half = 0; half < 2; half++) {
        const carom_vec3 columns[3] = {top[half].x, top[half].y, top[half].z};
        for (int j = 0; j < 3; j++) {
            double *out = block + 6 * (3 * half + j);
            carom_vec3 force = columns[j], torque = crm_cross(arm, force);
            out[0] += force.x, out[1] += force.y, out[2] += force.z;
            out[3] += torque.x, out[4] += torque.y, out[5] += torque.z;
        }
    }
}

static void add_potential_to_matrix(const crm_coupling *c, int pair, const potential_end *a, const potential_end *b,
                                    carom_mat3 hessian, double h) {
    const crm_block_matrix *m = &c->matrix;
    double factor = 0.25 * h; // h/2 of the equation, 1/2 of the midpoint
    if (a->slot >= 0) add_stiffness(m->diagonal + m->node_block[a->slot], factor, a->arm, hessian, a->rotation);
    if (b->slot >= 0) add_stiffness(m->diagonal + m->node_block[b->slot], factor, b->arm, hessian, b->rotation);
    if (c->pair_edge[pair] < 0) return;
    const potential_end *late = a->slot > b->slot ? a : b, *early = a->slot > b->slot ? b : a;
    ptrdiff_t block = m->edge_block[c->pair_edge[pair]];
    add_stiffness(m->edges + block, -factor, late->arm, hessian, early->rotation);
    add_stiffness(m->mirror + block, -factor, early->arm, hessian, late->rotation);
}

// `blur`: by how much roundings of the two places change the gradient.
static void add_potential_to_residual(crm_coupling *c, const potential_end *end, carom_vec3 gradient, double blur,
                                      double h) {
    if (end->slot < 0) return;
    double *r = c->residual + 6 * end->slot, half = 0.5 * h;
    carom_vec3 torque = crm_cross(end->arm, gradient);
    r[0] += half * gradient.x, r[1] += half * gradient.y, r[2] += half * gradient.z;
    r[3] += half * torque.x, r[4] += half * torque.y, r[5] += half * torque.z;
    c->scale[2 * end->slot] += half * crm_length(gradient);
    c->scale[2 * end->slot + 1] += half * crm_length(end->arm) * crm_length(gradient);
    c->rounding[2 * end->slot] += half * blur;
    c->rounding[2 * end->slot + 1] += half * crm_length(end->arm) * blur;
    c->force[end->slot] = crm_sub(c->force[end->slot], gradient);
    c->torque[end->slot] = crm_sub(c->torque[end->slot], crm_cross(end->middle, gradient));
}

// The part of residual and matrix that a body has by itself.
static void add_body(const carom_model *model, const carom_state *state, crm_coupling *c, int slot,
                     const crm_vec6 *input, const crm_vec6 *explicit_impulse) {
    int b = c->body[slot];
    const crm_body *body = &model->bodies.items[b];
    const crm_motion *m = &state->motions[b];
    double h = state->method.step, *r = c->residual + 6 * slot;
    carom_vec3 a = c->increment[slot].a, ja = crm_mat3_apply(c->inertia[slot], a);
    double s = sqrt(1.0 - crm_length_squared(a));
    carom_vec3 moved = crm_scale(body->mass / h, c->increment[slot].displacement);
    carom_vec3 pushed = crm_madd(m->p, 0.5 * h, crm_madd(input[b].linear, body->mass, model->gravity));
    carom_vec3 rotated = crm_scale(2.0 / h, crm_madd(crm_cross(a, ja), s, ja));
    carom_vec3 twisted = crm_madd(m->l, 0.5 * h, input[b].angular);
    if (explicit_impulse != NULL) {
        pushed = crm_add(pushed, explicit_impulse[b].linear);
        twisted = crm_add(twisted, explicit_impulse[b].angular);
    }
    if (state->followers != NULL) {
        crm_vec6 half = crm_follow_half(state->followers, body, b, m->q, h);
        pushed = crm_add(pushed, half.linear);
        twisted = crm_add(twisted, half.angular);
    }
    carom_vec3 linear = crm_sub(moved, pushed), angular = crm_sub(rotated, twisted);
    r[0] = linear.x, r[1] = linear.y, r[2] = linear.z, r[3] = angular.x, r[4] = angular.y, r[5] = angular.z;
    c->scale[2 * slot] = crm_length(moved) + crm_length(pushed);
    c->scale[2 * slot + 1] = crm_length(rotated) + crm_length(twisted);
    c->rounding[2 * slot] = c->rounding[2 * slot + 1] = 0.0;
    c->force[slot] = c->torque[slot] = crm_vec3_zero();

    double *block = c->matrix.diagonal + c->matrix.node_block[slot];
    for (int k = 0; k < 3; k++) block[7 * k] += body->mass / h;
    // 2/h (s J - (J a) a^T / s + [a]x J - [J a]x)
    carom_mat3 d = crm_mat3_add(crm_mat3_scale(s, c->inertia[slot]), crm_outer(crm_scale(-1.0 / s, ja), a));
    d = crm_mat3_add(d, crm_mat3_sub(crm_mat3_mul(crm_skew(a), c->inertia[slot]), crm_skew(ja)));
    const carom_vec3 columns[3] = {d.x, d.y, d.z};
    for (int k = 0; k < 3; k++) {
        double *out = block + 6 * (3 + k) + 3;
        out[0] += 2.0 / h * columns[k].x, out[1] += 2.0 / h * columns[k].y, out[2] += 2.0 / h * columns[k].z;
    }
}

// Directions that a body cannot move in get the equation "increment = 0": their rows are replaced.
static void hold_still(crm_coupling *c, const carom_model *model) {
    const crm_block_matrix *m = &c->matrix;
    for (int slot = 0; slot < c->count; slot++) {
        carom_body_kind kind = model->bodies.items[c->body[slot]].kind;
        for (int k = 0; k < 6; k++) {
            if (crm_kind_admits(kind, k)) continue;
            double *block = m->diagonal + m->node_block[slot];
            for (int j = 0; j < 6; j++) block[k + 6 * j] = j == k ? 1.0 : 0.0;
            c->residual[6 * slot + k] = 0.0;
        }
    }
    for (int e = 0; e < m->graph.edge_count; e++) {
        carom_body_kind late = model->bodies.items[c->body[m->graph.edge[e].row]].kind;
        carom_body_kind early = model->bodies.items[c->body[m->graph.edge[e].column]].kind;
        for (int k = 0; k < 6; k++) {
            for (int j = 0; j < 6; j++) {
                if (!crm_kind_admits(late, k)) m->edges[m->edge_block[e] + k + 6 * j] = 0.0;
                if (!crm_kind_admits(early, k)) m->mirror[m->edge_block[e] + k + 6 * j] = 0.0;
            }
        }
    }
}

// The largest residual relative to what it is made of, beyond what roundings of the positions explain: far from the
// origin these change a stiff spring's force by more than the tolerance. Infinite when a force is.
static double largest_residual(crm_coupling *c) {
    double worst = 0.0;
    c->worst_slot = 0;
    for (int i = 0; i < 2 * c->count; i++) {
        const double *r = c->residual + 3 * (ptrdiff_t)i;
        double size = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]) - c->rounding[i];
        if (!isfinite(size)) {
            c->worst_slot = i / 2;
            return INFINITY;
        }
        if (size <= worst * c->scale[i]) continue;
        worst = size / c->scale[i];
        c->worst_slot = i / 2;
    }
    return worst;
}

// Residual and matrix at the present increments; the residual relative to what it is made of.
static double assemble(const carom_model *model, const carom_state *state, crm_coupling *c, const crm_vec6 *input,
                       const crm_vec6 *explicit_impulse) {
    crm_block_matrix_clear(&c->matrix);
    for (int slot = 0; slot < c->count; slot++) add_body(model, state, c, slot, input, explicit_impulse);
    for (int p = 0; p < model->pair_potentials.count; p++) {
        const crm_pair_potential *pair = &model->pair_potentials.items[p];
        potential_end a = end_of(state, c, pair->a), b = end_of(state, c, pair->b);
        crm_pair_potential_value value = crm_pair_potential_evaluate(pair, a.place, b.place);
        double blur = place_rounding * crm_mat3_norm(value.hessian) * (crm_length(a.place) + crm_length(b.place));
        add_potential_to_residual(c, &a, value.gradient, blur, state->method.step);
        add_potential_to_residual(c, &b, crm_negate(value.gradient), blur, state->method.step);
        add_potential_to_matrix(c, p, &a, &b, value.hessian, state->method.step);
    }
    if (!crm_coupling_forces_add(state, c)) return INFINITY;
    hold_still(c, model);
    return largest_residual(c);
}

// Starts from the motion without potentials.
static void guess(const carom_model *model, const carom_state *state, crm_coupling *c) {
    double h = state->method.step;
    for (int slot = 0; slot < c->count; slot++) {
        int b = c->body[slot];
        const crm_body *body = &model->bodies.items[b];
        const crm_motion *m = &state->motions[b];
        carom_vec3 moments = body->kind == CAROM_BODY_PLANAR
                                 ? crm_vec3(body->inertia.z, body->inertia.z, body->inertia.z)
                                 : body->inertia;
        c->inertia[slot] = crm_congruence_diagonal(crm_quat_to_mat3(m->q), moments);
        crm_vec6 start =
            crm_wrench_projected(body->kind, crm_vec6_of(crm_madd(m->p, 0.5 * h * body->mass, model->gravity),
                                                         crm_scale(0.5 * h, crm_motion_spin(body, m))));
        c->increment[slot].displacement = crm_scale(h * body->inverse_mass, start.linear);
        c->increment[slot].a = start.angular;
    }
}

// Takes the correction (in c->residual) off the increments. *converged: all corrections were small against what they
// corrected. Returns the slot of a body that would rotate too far, or -1.
static int correct(crm_coupling *c, bool *converged) {
    *converged = true;
    for (int slot = 0; slot < c->count; slot++) {
        const double *r = c->residual + 6 * slot;
        carom_vec3 move = crm_vec3(r[0], r[1], r[2]), rotation = crm_vec3(r[3], r[4], r[5]);
        crm_increment *y = &c->increment[slot];
        y->displacement = crm_sub(y->displacement, move);
        y->a = crm_sub(y->a, rotation);
        if (!(crm_length(y->a) <= CRM_LARGEST_HALF_ROTATION)) return slot;
        if (crm_length(move) > last_correction * crm_length(y->displacement) ||
            crm_length(rotation) > last_correction * crm_length(y->a))
            *converged = false;
    }
    return -1;
}

static void refuse_iteration(const carom_model *model, const carom_state *state, const crm_coupling *c, double residual,
                             int iterations, carom_step_report *report) {
    int body = c->body[c->worst_slot];
    if (c->forces.any && c->forces.answer.body >= 0)
        crm_discrete_forces_refuse(&c->forces, report);
    else if (!isfinite(residual))
        crm_step_impossible(model, body, report,
                            "feels a force that is not finite in the step after t = %g s: charges meet in one place; "
                            "move them apart, or make method.step of %g s smaller",
                            carom_state_time(state), state->method.step);
    else
        crm_step_impossible(model, body, report,
                            "and what it is coupled to have no step after t = %g s: Newton's method ended at a "
                            "residual of %.1e after %d iterations; make method.step of %g s smaller",
                            carom_state_time(state), residual, iterations, state->method.step);
}

static void refuse_rotation(const carom_model *model, const carom_state *state, const crm_coupling *c, int slot,
                            carom_step_report *report) {
    crm_step_impossible(model, c->body[slot], report,
                        "would rotate by more than 90 degrees in the step after t = %g s; make method.step of %g s "
                        "smaller",
                        carom_state_time(state), state->method.step);
}

// The slot of a body that rotates too far by the first guess already, or -1.
static int guessed_too_far(const crm_coupling *c) {
    for (int slot = 0; slot < c->count; slot++)
        if (!(crm_length(c->increment[slot].a) <= CRM_LARGEST_HALF_ROTATION)) return slot;
    return -1;
}

// `input` is the wrench that acts besides the potentials, `explicit_impulse` one at the start, per body; NULL: none.
static bool solve(const carom_model *model, const carom_state *state, crm_coupling *c, const crm_vec6 *input,
                  const crm_vec6 *explicit_impulse, carom_step_report *report) {
    guess(model, state, c);
    int too_far = guessed_too_far(c);
    if (too_far >= 0) {
        refuse_rotation(model, state, c, too_far, report);
        return false;
    }
    if (c->forces.any)
        crm_discrete_forces_begin(&c->forces, state->motions, carom_state_time(state), state->method.step);
    double residual = assemble(model, state, c, input, explicit_impulse);
    int iterations = 0;
    bool done = false;
    while (!done) {
        if (iterations == state->method.iteration_limit || !isfinite(residual)) {
            refuse_iteration(model, state, c, residual, iterations, report);
            return false;
        }
        crm_block_factor_report factored;
        crm_block_factor_compute(&c->factor, &c->matrix, &factored);
        if (crm_state_interrupted(state)) return false;
        crm_block_factor_solve(&c->factor, 1, c->residual, 6 * (ptrdiff_t)c->count, c->work);
        too_far = correct(c, &done);
        if (too_far >= 0) {
            refuse_rotation(model, state, c, too_far, report);
            return false;
        }
        double before = residual;
        residual = assemble(model, state, c, input, explicit_impulse);
        iterations++;
        // Derivatives by differences are good to some digits only.
        if (c->forces.any && residual > state->method.tolerance && residual < 0.5 * before) done = false;
        // Forces that cancel leave displacements that are rounding themselves: then the residual has the word.
        if (residual <= state->method.tolerance && residual >= 0.5 * before) done = true;
    }
    report->iterations = iterations;
    report->residual = residual;
    return true;
}

static crm_vec6 impulse_of(const crm_vec6 *impulse, int body) {
    return impulse != NULL ? impulse[body] : crm_vec6_zero();
}

// Moves the bodies by the increments that were found.
static void apply_increments(const carom_model *model, carom_state *state, crm_coupling *coupling,
                             const crm_explicit_impulse *explicit_impulse) {
    double h = state->method.step;
    for (int c = 0; c < coupling->count; c++) {
        int b = coupling->body[c];
        const crm_body *body = &model->bodies.items[b];
        const crm_motion *m = &state->motions[b];
        crm_motion *next = &state->next[b];
        carom_vec3 force = crm_madd(coupling->force[c], body->mass, model->gravity);
        crm_vec6 wrench = crm_vec6_add(state->active[b], crm_vec6_of(force, coupling->torque[c]));
        state->impulse[b] =
            crm_vec6_add(crm_vec6_scale(h, crm_wrench_projected(body->kind, wrench)),
                         crm_vec6_add(impulse_of(explicit_impulse->before, b), impulse_of(explicit_impulse->after, b)));
        if (state->followers != NULL)
            state->impulse[b] = crm_vec6_add(state->impulse[b], crm_follow_half(state->followers, body, b, m->q, h));
        if (coupling->forces.any) {
            crm_vec6 given = crm_vec6_add(crm_discrete_forces_before(&coupling->forces, b),
                                          crm_discrete_forces_after(&coupling->forces, b));
            state->impulse[b] = crm_vec6_add(state->impulse[b], given);
            crm_discrete_forces_add_work(&coupling->forces, b);
        }
        next->x = crm_add(m->x, coupling->increment[c].displacement);
        carom_vec3 a = coupling->increment[c].a;
        next->q =
            body->kind == CAROM_BODY_POINT ? m->q : crm_isolated_rotated(m->q, sqrt(1.0 - crm_length_squared(a)), a);
        next->p = crm_add(m->p, state->impulse[b].linear);
        next->l = crm_add(m->l, state->impulse[b].angular);
        state->active[b] = crm_vec6_scale(h, state->active[b]);
        crm_follow_to_end(state, b);
    }
}

void crm_coupling_advance(const carom_model *model, carom_state *state, crm_coupling *coupling,
                          const crm_explicit_impulse *explicit_impulse, carom_step_report *report) {
    if (solve(model, state, coupling, state->active, explicit_impulse->before, report))
        apply_increments(model, state, coupling, explicit_impulse);
}
