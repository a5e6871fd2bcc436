// SPDX-License-Identifier: MIT
// Members of Newmark's family whose wrenches at the end of the step depend on where and how fast bodies are there: by
// Newton's method for these wrenches,
//   W - F(x(W), v(W)) = 0,
// on the matrix 1 - K X - D V, X and V what W does to poses and velocities, K and D the derivative blocks of the
// forces. The elimination leaves out what contacts do between two bodies; GMRES puts that in.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "math/krylov/krylov.h"
#include "model/force/evaluate.h"
#include "step/integrate/discrete.h"
#include "step/integrate/isolated_body.h"
#include "step/potential/newmark.h"

// Of a place, relative to its size.
static const double place_rounding = 1e-15;
// A correction is shortened by halves so often where the equations are not nearer to being solved after it.
enum { MOST_HALVINGS = 12, KRYLOV_VECTORS = 40 };
// What is no nearer to being solved by any correction is solved to this, or not at all.
static const double rough_residual = 1e-8;

static carom_status no_memory(const carom_model *model, carom_error *error) {
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for newmark with %d bodies", model->bodies.count);
}

carom_status crm_newmark_family_prepare(carom_state *state, crm_newmark *n, carom_error *error) {
    const carom_model *model = state->model;
    crm_arena *arena = &state->arena;
    int bodies = model->bodies.count;
    crm_vec6 **vectors[] = {&n->start, &n->start_active, &n->start_passive, &n->wrench, &n->trial, &n->found};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        *vectors[i] = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    n->residual = CRM_ARENA_ZEROED(arena, double, 6 * (ptrdiff_t)bodies);
    n->correction = CRM_ARENA_ZEROED(arena, double, 6 * (ptrdiff_t)bodies);
    n->blur = CRM_ARENA_ZEROED(arena, double, bodies);
    n->response = CRM_ARENA_ZEROED(arena, crm_newmark_response, bodies);
    if (crm_arena_refused(arena)) return no_memory(model, error);
    carom_status status = crm_force_derivatives_create(model, arena, &n->slopes, error);
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

// ---- the end of the step with given wrenches there

static crm_vec6 mean(const crm_vec6 *start, const crm_vec6 *end, double of_start, double of_end) {
    return crm_vec6_madd(crm_vec6_scale(of_start, *start), of_end, *end);
}

// False: a body would rotate by more than 90 degrees.
static bool move_bodies(carom_state *state, crm_newmark *n, const crm_vec6 *wrench) {
    const carom_potential_def *def = &state->method.potential;
    double h = state->method.step;
    for (int b = 0; b < state->model->bodies.count; b++) {
        crm_isolated_report report;
        crm_vec6 all = mean(&n->start[b], &wrench[b], h * (1.0 - def->gamma), h * def->gamma);
        n->before[b] = mean(&n->start[b], &wrench[b], h * (0.5 - def->beta), h * def->beta);
        n->after[b] = crm_vec6_sub(all, n->before[b]);
        if (!crm_isolated_step(&state->model->bodies.items[b], &state->motions[b], n->before[b], n->after[b], h,
                               state->method.iteration_limit, &state->next[b], &report)) {
            n->worst = b;
            return false;
        }
    }
    return true;
}

static double size_of(const crm_motion *m, const crm_vec6 *start, const crm_vec6 *end, double h, bool angular) {
    if (angular) return crm_length(m->l) + h * (crm_length(start->angular) + crm_length(end->angular));
    return crm_length(m->p) + h * (crm_length(start->linear) + crm_length(end->linear));
}

static void weigh(const carom_state *state, crm_newmark *n, const crm_vec6 *wrench) {
    double h = state->method.step;
    n->relative = n->merit = 0.0;
    for (int b = 0; b < state->model->bodies.count; b++) {
        const crm_body *body = &state->model->bodies.items[b];
        crm_vec6 off = crm_vec6_sub(wrench[b], n->found[b]);
        const double r[6] = {off.linear.x, off.linear.y, off.linear.z, off.angular.x, off.angular.y, off.angular.z};
        memcpy(n->residual + 6 * (ptrdiff_t)b, r, sizeof r);
        double linear = crm_length(off.linear), angular = crm_length(off.angular);
        n->merit += body->inverse_mass * linear * linear + crm_max_component(body->inverse_inertia) * angular * angular;
        double arm = crm_body_extent(body);
        double share = 0.0, by_linear = linear - n->blur[b],
               by_angular = angular - (isfinite(arm) ? arm : 0.0) * n->blur[b];
        if (by_linear > 0.0) share = h * by_linear / size_of(&state->motions[b], &n->start[b], &wrench[b], h, false);
        if (by_angular > 0.0)
            share = fmax(share, h * by_angular / size_of(&state->motions[b], &n->start[b], &wrench[b], h, true));
        if (!isfinite(linear) || !isfinite(angular)) share = INFINITY;
        if (share <= n->relative) continue;
        n->relative = share;
        n->worst = b;
    }
    if (!isfinite(n->merit)) n->merit = n->relative = INFINITY;
}

// At the wrenches; false: there is no such step, or nothing to be evaluated, as the report says if it is known.
static bool evaluate(const carom_model *model, carom_state *state, crm_newmark *n, const crm_vec6 *wrench,
                     const carom_input *input, carom_step_report *report) {
    n->merit = n->relative = INFINITY;
    if (!move_bodies(state, n, wrench)) return false;
    memset(n->damped, 0, (size_t)model->bodies.count * sizeof *n->damped);
    double end = carom_state_time(state) + state->method.step;
    if (!crm_newmark_forces(model, state, n, state->next, end, input, n->found, report)) return false;
    weigh(state, n, wrench);
    return isfinite(n->merit);
}

// ---- its derivative

static carom_mat3 inverse_of(carom_mat3 m) {
    carom_vec3 yz = crm_cross(m.y, m.z), zx = crm_cross(m.z, m.x), xy = crm_cross(m.x, m.y);
    double reciprocal = 1.0 / crm_dot(m.x, yz);
    return crm_mat3_scale(reciprocal, crm_mat3_transpose(crm_mat3_columns(yz, zx, xy)));
}

static crm_newmark_response response_of(const carom_state *state, int b) {
    const crm_body *body = &state->model->bodies.items[b];
    const crm_motion *from = &state->motions[b], *to = &state->next[b];
    double h = state->method.step, beta = state->method.potential.beta, gamma = state->method.potential.gamma;
    crm_newmark_response out = {h * h * beta * body->inverse_mass, h * gamma * body->inverse_mass, crm_mat3_zero(),
                                crm_mat3_zero()};
    if (body->kind == CAROM_BODY_FIXED || body->kind == CAROM_BODY_POINT) return out;
    carom_quat rotation = crm_quat_mul(crm_quat_same_side(to->q, from->q), crm_quat_conjugate(from->q));
    carom_mat3 kinetic = crm_kinetic_slope(crm_body_inertia(body, from->q), rotation, h);
    carom_mat3 inverse = body->kind == CAROM_BODY_PLANAR
                             ? crm_mat3_diagonal(crm_vec3(0.0, 0.0, body->inverse_inertia.z))
                             : crm_congruence_diagonal(crm_quat_to_mat3(to->q), body->inverse_inertia);
    out.rotate = crm_mat3_scale(h * beta, inverse_of(kinetic));
    carom_mat3 by_rotation = crm_mat3_sub(crm_mat3_mul(inverse, crm_skew(to->l)), crm_skew(crm_motion_spin(body, to)));
    out.spin = crm_mat3_add(crm_mat3_scale(h * gamma, inverse), crm_mat3_mul(by_rotation, out.rotate));
    return out;
}

// What a change of the wrench at the end does to the pose and to the velocity there.
static crm_vec6 pose_by(const crm_newmark_response *r, crm_vec6 w) {
    return crm_vec6_of(crm_scale(r->slide, w.linear), crm_mat3_apply(r->rotate, w.angular));
}

static crm_vec6 velocity_by(const crm_newmark_response *r, crm_vec6 w) {
    return crm_vec6_of(crm_scale(r->speed, w.linear), crm_mat3_apply(r->spin, w.angular));
}

static crm_vec6 unit(int k) {
    crm_vec6 u = crm_vec6_zero();
    carom_vec3 *half = k < 3 ? &u.linear : &u.angular;
    *half = crm_with_component(*half, k % 3, 1.0);
    return u;
}

static void subtract_product(const double *matrix, crm_vec6 v, double *out) {
    const double x[6] = {v.linear.x, v.linear.y, v.linear.z, v.angular.x, v.angular.y, v.angular.z};
    for (int j = 0; j < 6; j++)
        for (int i = 0; i < 6; i++) out[i] -= matrix[i + 6 * j] * x[j];
}

// out -= stiffness X + damping V, of the body whose wrench changes.
static void subtract_slopes(const double *stiffness, const double *damping, const crm_newmark_response *by,
                            double *out) {
    for (int k = 0; k < 6; k++) {
        subtract_product(stiffness, pose_by(by, unit(k)), out + 6 * k);
        subtract_product(damping, velocity_by(by, unit(k)), out + 6 * k);
    }
}

// How the force along a piece changes with the wrench of one of its bodies.
static double piece_slope(const carom_state *state, const crm_newmark *n, const crm_piece *piece, const crm_vec6 *row,
                          int body, crm_vec6 w) {
    const crm_newmark_response *r = &n->response[body];
    double stiffness = n->contact.overlap.pairs.items[piece->pair].stiffness;
    if (!(piece->value < 0.0) || !(piece->impulse > 0.0)) return 0.0;
    return -stiffness * crm_vec6_dot(*row, pose_by(r, w)) -
           state->method.potential.damping * crm_vec6_dot(*row, velocity_by(r, w));
}

// The share of contacts in the product: of each body by what the other one does.
static void subtract_contacts(const carom_state *state, const crm_newmark *n, const double *w, double *out) {
    const crm_overlap *overlap = &n->contact.overlap;
    for (int i = 0; i < overlap->pieces.count; i++) {
        const crm_piece *piece = &overlap->pieces.items[i];
        const crm_overlap_pair *pair = &overlap->pairs.items[piece->pair];
        const int body[2] = {pair->a, pair->b};
        const crm_vec6 *row[2] = {&piece->row_a, &piece->row_b};
        for (int e = 0; e < 2; e++) {
            int by = 1 - e;
            const double *x = w + 6 * (ptrdiff_t)body[by];
            crm_vec6 change = crm_vec6_of(crm_vec3(x[0], x[1], x[2]), crm_vec3(x[3], x[4], x[5]));
            double force = piece_slope(state, n, piece, row[by], body[by], change);
            crm_vec6 on =
                crm_wrench_projected(state->model->bodies.items[body[e]].kind, crm_vec6_scale(force, *row[e]));
            double *to = out + 6 * (ptrdiff_t)body[e];
            to[0] -= on.linear.x, to[1] -= on.linear.y, to[2] -= on.linear.z;
            to[3] -= on.angular.x, to[4] -= on.angular.y, to[5] -= on.angular.z;
        }
    }
}

// What each body does to itself, in the blocks of the matrix.
static void add_contact_blocks(const carom_state *state, crm_newmark *n) {
    const crm_overlap *overlap = &n->contact.overlap;
    for (int i = 0; i < overlap->pieces.count; i++) {
        const crm_piece *piece = &overlap->pieces.items[i];
        const crm_overlap_pair *pair = &overlap->pairs.items[piece->pair];
        const int body[2] = {pair->a, pair->b};
        const crm_vec6 *row[2] = {&piece->row_a, &piece->row_b};
        for (int e = 0; e < 2; e++) {
            double *block = n->matrix.diagonal + n->matrix.node_block[body[e]];
            for (int k = 0; k < 6; k++) {
                double force = piece_slope(state, n, piece, row[e], body[e], unit(k));
                crm_vec6 on =
                    crm_wrench_projected(state->model->bodies.items[body[e]].kind, crm_vec6_scale(force, *row[e]));
                double *out = block + 6 * k;
                out[0] -= on.linear.x, out[1] -= on.linear.y, out[2] -= on.linear.z;
                out[3] -= on.angular.x, out[4] -= on.angular.y, out[5] -= on.angular.z;
            }
        }
    }
}

// Of what the place at the end is the sum of: the parts of its way can be far larger than the way.
static double place_size(const carom_state *state, const crm_newmark *n, int b) {
    double h = state->method.step, beta = state->method.potential.beta;
    double momentum = crm_length(state->motions[b].p) + h * (0.5 - beta) * crm_length(n->start[b].linear) +
                      h * beta * crm_length(n->wrench[b].linear);
    return crm_length(state->motions[b].x) + h * state->model->bodies.items[b].inverse_mass * momentum;
}

static void differentiate(const carom_model *model, const carom_state *state, crm_newmark *n) {
    double end = carom_state_time(state) + state->method.step;
    crm_force_derivatives_evaluate(model, end, state->next, &n->slopes);
    const crm_block_matrix *k = &n->slopes.stiffness, *d = &n->slopes.damping, *m = &n->matrix;
    crm_block_matrix_clear(&n->matrix);
    for (int b = 0; b < model->bodies.count; b++) {
        n->response[b] = response_of(state, b);
        double *block = m->diagonal + m->node_block[b];
        const double *stiffness = k->diagonal + k->node_block[b];
        double sum = 0.0;
        for (int i = 0; i < 6; i++) block[7 * i] = 1.0;
        subtract_slopes(stiffness, d->diagonal + d->node_block[b], &n->response[b], block);
        for (int i = 0; i < 18; i++) sum += i % 6 < 3 ? fabs(stiffness[i]) : 0.0;
        n->blur[b] = place_rounding * place_size(state, n, b) * sum;
    }
    for (int e = 0; e < m->graph.edge_count; e++) {
        crm_block_edge edge = m->graph.edge[e];
        ptrdiff_t at = m->edge_block[e];
        subtract_slopes(k->edges + at, d->edges + at, &n->response[edge.column], m->edges + at);
        subtract_slopes(k->mirror + at, d->mirror + at, &n->response[edge.row], m->mirror + at);
    }
}

// ---- Newton's method

typedef struct system {
    const carom_state *state;
    crm_newmark *newmark;
} linear_system;

static void apply_matrix(void *context, const double *x, double *y) {
    const linear_system *s = context;
    crm_block_matrix_apply(&s->newmark->matrix, x, y);
    subtract_contacts(s->state, s->newmark, x, y);
}

static void apply_elimination(void *context, const double *x, double *y) {
    const linear_system *s = context;
    ptrdiff_t size = 6 * (ptrdiff_t)s->state->model->bodies.count;
    memcpy(y, x, (size_t)size * sizeof *y);
    crm_block_factor_solve(&s->newmark->factor, 1, y, size, s->newmark->work);
}

static void find_correction(carom_state *state, crm_newmark *n) {
    int size = 6 * state->model->bodies.count;
    crm_block_factor_report factored;
    add_contact_blocks(state, n);
    crm_block_factor_compute(&n->factor, &n->matrix, &factored);
    linear_system context = {state, n};
    crm_operator matrix = {apply_matrix, &context, size}, elimination = {apply_elimination, &context, size};
    crm_krylov_settings settings = crm_krylov_settings_default();
    settings.restart = KRYLOV_VECTORS;
    settings.iteration_limit = 4 * KRYLOV_VECTORS;
    apply_elimination(&context, n->residual, n->correction);
    crm_krylov_report report;
    // Short of the tolerance, or without memory, the correction is still one that Newton's method makes up for.
    (void)crm_gmres(&matrix, &elimination, n->residual, n->correction, &settings, &state->arena, &report, NULL);
}

static void correct(const carom_model *model, crm_newmark *n, double share) {
    for (int b = 0; b < model->bodies.count; b++) {
        const double *c = n->correction + 6 * (ptrdiff_t)b;
        crm_vec6 change = crm_vec6_of(crm_vec3(c[0], c[1], c[2]), crm_vec3(c[3], c[4], c[5]));
        n->trial[b] = crm_wrench_projected(model->bodies.items[b].kind, crm_vec6_madd(n->wrench[b], -share, change));
    }
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
        crm_vec6 *kept = n->wrench;
        n->wrench = n->trial;
        n->trial = kept;
        return true;
    }
    return false;
}

static void refuse(const carom_model *model, const carom_state *state, const crm_newmark *n,
                   carom_step_report *report) {
    if (report->outcome != CAROM_STEP_IMPOSSIBLE)
        crm_step_impossible(model, n->worst, report,
                            "and what acts on it have no step after t = %g s: Newton's method ended at a residual of "
                            "%.1e; make method.step of %g s smaller",
                            carom_state_time(state), n->relative, state->method.step);
}

static bool solve(const carom_model *model, carom_state *state, crm_newmark *n, const carom_input *input,
                  carom_step_report *report) {
    memset(n->blur, 0, (size_t)model->bodies.count * sizeof *n->blur);
    if (!evaluate(model, state, n, n->wrench, input, report)) return false;
    for (report->iterations = 0; report->iterations < state->method.iteration_limit; report->iterations++) {
        if (crm_state_interrupted(state)) return false;
        differentiate(model, state, n);
        weigh(state, n, n->wrench);
        if (n->relative <= state->method.tolerance) return true;
        find_correction(state, n);
        if (descend(model, state, n, input, report)) continue;
        if (report->outcome == CAROM_STEP_IMPOSSIBLE) return false;
        return evaluate(model, state, n, n->wrench, input, report) && n->relative <= rough_residual;
    }
    return n->relative <= rough_residual;
}

void crm_newmark_family_advance(const carom_model *model, carom_state *state, crm_newmark *n, const carom_input *input,
                                carom_step_report *report) {
    size_t bytes = (size_t)model->bodies.count * sizeof *n->start;
    double h = state->method.step, gamma = state->method.potential.gamma;
    if (model->bodies.count == 0) return;
    if (!crm_newmark_forces(model, state, n, state->motions, carom_state_time(state), input, n->start, report)) return;
    memcpy(n->start_active, state->active, bytes);
    memcpy(n->start_passive, state->passive, bytes);
    for (int b = 0; b < model->bodies.count; b++)
        n->start_active[b] = crm_vec6_madd(n->start_active[b], 2.0 / h, n->damped[b]);
    for (int b = 0; b < model->bodies.count; b++)
        n->start_passive[b] = crm_vec6_madd(n->start_passive[b], 2.0 / h, n->damped[b]);
    memcpy(n->wrench, n->start, bytes);
    if (!solve(model, state, n, input, report)) {
        refuse(model, state, n, report);
        return;
    }
    report->residual = n->relative;
    report->residual_body.index = n->worst;
    for (int i = 0; i < n->contact.overlap.pieces.count; i++) n->contact.overlap.pieces.items[i].impulse *= h;
    for (int b = 0; b < model->bodies.count; b++) {
        crm_vec6 active = crm_vec6_madd(state->active[b], 2.0 / h, n->damped[b]);
        crm_vec6 passive = crm_vec6_madd(state->passive[b], 2.0 / h, n->damped[b]);
        state->active[b] = mean(&n->start_active[b], &active, h * (1.0 - gamma), h * gamma);
        state->passive[b] = mean(&n->start_passive[b], &passive, h * (1.0 - gamma), h * gamma);
    }
}
