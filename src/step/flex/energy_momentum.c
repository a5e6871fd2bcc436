// SPDX-License-Identifier: MIT
// Newton's method for the positions at the end of the step, on the block matrix of the body's nodes. Per node, N s:
//   R = 2 m (x1 - x0)/h - 2 p0 - h (f + f_ext)
#include "step/flex/energy_momentum.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "math/so3.h"

// A correction is shortened by halves so often where the equations are not nearer to being solved after it, or an
// element is turned inside out; a step is divided into so many parts at most.
enum { MOST_HALVINGS = 14, MOST_PARTS = 64 };
// What is no nearer to being solved by any correction is solved to this, or not at all.
static const double rough_residual = 1e-9;
// Of a place, relative to its size.
static const double place_rounding = 1e-15;

carom_status crm_energy_momentum_create(const carom_state *state, int flex, crm_arena *arena, crm_energy_momentum *out,
                                        carom_error *error) {
    const carom_model *model = state->model;
    *out = (crm_energy_momentum){.flex = &model->flexes.items[flex]};
    int nodes = out->flex->node_count;
    carom_vec3 **vectors[] = {&out->from, &out->momentum, &out->to, &out->trial, &out->force, &out->push};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        *vectors[i] = CRM_ARENA_ZEROED(arena, carom_vec3, nodes);
    out->impulse = CRM_ARENA_ZEROED(arena, crm_vec6, nodes);
    out->residual = CRM_ARENA_ZEROED(arena, double, 3 * (ptrdiff_t)nodes);
    out->correction = CRM_ARENA_ZEROED(arena, double, 3 * (ptrdiff_t)nodes);
    out->blur = CRM_ARENA_ZEROED(arena, double, nodes);
    if (crm_arena_refused(arena))
        return crm_fail_memory(error, "a flexible body", sizeof(carom_vec3) * 6 * (size_t)nodes);
    for (int n = 0; n < nodes; n++) out->held |= !crm_body_moves(model, out->flex->first_body + n);
    crm_arena scratch;
    crm_arena_init(&scratch, &model->allocator);
    carom_status status = crm_block_analyse(&out->flex->graph, NULL, arena, &scratch, &out->symbolic, error);
    crm_arena_free(&scratch);
    if (status == CAROM_OK) status = crm_block_matrix_create(&out->flex->graph, false, arena, &out->matrix, error);
    if (status == CAROM_OK) status = crm_block_factor_create(&out->symbolic, CRM_BLOCK_LU, arena, &out->factor, error);
    if (status != CAROM_OK) return status;
    out->factor.interrupt = crm_state_interrupt(state);
    out->work = CRM_ARENA_ARRAY(arena, double, crm_block_factor_solve_scratch(&out->factor));
    return out->work != NULL ? CAROM_OK : crm_fail_memory(error, "a flexible body", sizeof(double) * (size_t)nodes);
}

// ---- residual and matrix

static const crm_body *body_of(const carom_state *state, const crm_energy_momentum *s, int node) {
    return &state->model->bodies.items[s->flex->first_body + node];
}

static bool is_held(const carom_state *state, const crm_energy_momentum *s, int node) {
    return body_of(state, s, node)->kind == CAROM_BODY_FIXED;
}

static crm_elastic_step step_of(const carom_state *state, const crm_energy_momentum *s, const carom_vec3 *to,
                                double h) {
    return (crm_elastic_step){.before = {s->from, sizeof *s->from},
                              .after = {to, sizeof *to},
                              .duration = h,
                              .midpoint = state->method.variational.elastic == CAROM_FLEX_SCHEME_MIDPOINT};
}

// Discrete forces and the residual at these positions; false where an element is turned inside out.
static bool evaluate(const carom_state *state, crm_energy_momentum *s, const carom_vec3 *to, double h) {
    int nodes = s->flex->node_count;
    crm_elastic_step step = step_of(state, s, to, h);
    memset(s->force, 0, (size_t)nodes * sizeof *s->force);
    s->result = crm_elastic_discrete_forces(s->flex->elastic, &step, (crm_node_sum){s->force, sizeof *s->force});
    s->merit = s->relative = INFINITY;
    if (s->result.inverted || (s->upright && !(s->result.least_determinant > 0.0))) return false;
    double merit = 0.0, scale = 0.0, largest = 0.0;
    for (int n = 0; n < nodes; n++) {
        double *r = s->residual + 3 * (ptrdiff_t)n;
        r[0] = r[1] = r[2] = 0.0;
        if (is_held(state, s, n)) continue;
        const crm_body *body = body_of(state, s, n);
        carom_vec3 pushed = crm_madd(s->push[n], h, s->force[n]);
        carom_vec3 off = crm_scale(2.0 * body->mass / h, crm_sub(to[n], s->from[n]));
        off = crm_sub(off, crm_madd(pushed, 2.0, s->momentum[n]));
        r[0] = off.x, r[1] = off.y, r[2] = off.z;
        double size = crm_length(off);
        merit += body->inverse_mass * size * size;
        scale =
            fmax(scale, fmax(crm_length(s->momentum[n]), fmax(h * crm_length(s->force[n]), crm_length(s->push[n]))));
        if (!(size - s->blur[n] <= largest)) largest = size - s->blur[n], s->worst = n;
    }
    if (!isfinite(merit)) return false;
    s->merit = merit;
    s->relative = largest > 0.0 ? largest / scale : 0.0;
    return true;
}

static double norm_of(const double *block) {
    double sum = 0.0;
    for (int i = 0; i < 9; i++) sum += block[i] * block[i];
    return sqrt(sum);
}

// Rows of nodes that cannot move say that they do not.
static void hold_still(const carom_state *state, crm_energy_momentum *s) {
    const crm_block_matrix *m = &s->matrix;
    for (int n = 0; n < s->flex->node_count; n++) {
        if (!is_held(state, s, n)) continue;
        for (int i = 0; i < 9; i++) m->diagonal[m->node_block[n] + i] = i % 4 == 0 ? 1.0 : 0.0;
    }
    for (int e = 0; e < m->graph.edge_count; e++) {
        if (is_held(state, s, m->graph.edge[e].row)) memset(m->edges + m->edge_block[e], 0, 9 * sizeof(double));
        if (is_held(state, s, m->graph.edge[e].column)) memset(m->mirror + m->edge_block[e], 0, 9 * sizeof(double));
    }
}

// A row of the stiffness sums to zero: what roundings of all positions do to a force is no more than twice its diagonal
// block. The neighbours of a node at the origin are an edge away.
static void differentiate(const carom_state *state, crm_energy_momentum *s, double h) {
    crm_elastic_step step = step_of(state, s, s->to, h);
    crm_block_matrix_clear(&s->matrix);
    crm_elastic_add_discrete_stiffness(s->flex->elastic, &step, h, (crm_elastic_place){.matrix = &s->matrix});
    double edge = carom_mesh_get_quality(s->flex->def.mesh).mean_edge;
    for (int n = 0; n < s->flex->node_count; n++) {
        double *block = s->matrix.diagonal + s->matrix.node_block[n], inertia = 2.0 * body_of(state, s, n)->mass / h;
        s->blur[n] = place_rounding * fmax(edge, crm_length(s->to[n])) * (2.0 * norm_of(block) + inertia);
        for (int k = 0; k < 3; k++) block[4 * k] += inertia;
    }
    if (s->held) hold_still(state, s);
}

// ---- the start: the rigid part of the motion

// What nodes are as one rigid body: masses, centre, spin.
typedef struct rigid_part {
    double mass;
    carom_vec3 centre, velocity, spin;
} rigid_part;

static rigid_part rigid_part_of(const carom_state *state, const crm_energy_momentum *s) {
    rigid_part r = {0};
    carom_vec3 momentum = crm_vec3_zero(), angular = crm_vec3_zero(), push = crm_vec3_zero();
    carom_mat3 inertia = crm_mat3_zero(), inverse;
    for (int n = 0; n < s->flex->node_count; n++) {
        double m = body_of(state, s, n)->mass;
        r.mass += m;
        r.centre = crm_madd(r.centre, m, s->from[n]);
        momentum = crm_add(momentum, s->momentum[n]);
        push = crm_add(push, s->push[n]);
    }
    r.centre = crm_scale(1.0 / r.mass, r.centre);
    r.velocity = crm_scale(1.0 / r.mass, crm_madd(momentum, 0.5, push));
    for (int n = 0; n < s->flex->node_count; n++) {
        double m = body_of(state, s, n)->mass;
        carom_vec3 arm = crm_sub(s->from[n], r.centre);
        double square = crm_length_squared(arm);
        angular = crm_add(angular, crm_cross(arm, s->momentum[n]));
        inertia = crm_mat3_add(inertia, crm_mat3_scale(m, crm_mat3_diagonal(crm_vec3(square, square, square))));
        inertia = crm_mat3_sub(inertia, crm_outer(crm_scale(m, arm), arm));
    }
    if (crm_mat3_inverse(inertia, &inverse)) r.spin = crm_mat3_apply(inverse, angular);
    return r;
}

// The present form, carried along. What is held has no rigid motion, and begins where it is.
static void guess_form(const carom_state *state, crm_energy_momentum *s, double h) {
    memcpy(s->to, s->from, (size_t)s->flex->node_count * sizeof *s->to);
    if (s->held) return;
    rigid_part r = rigid_part_of(state, s);
    carom_quat rotation = crm_so3_exp(crm_scale(h, r.spin));
    carom_vec3 centre = crm_madd(r.centre, h, r.velocity);
    for (int n = 0; n < s->flex->node_count; n++)
        s->to[n] = crm_add(centre, crm_quat_rotate(rotation, crm_sub(s->from[n], r.centre)));
}

// The form at rest, where the present one fits best, carried along: swings that the step is long for are about it.
static void guess_rest(const carom_state *state, crm_energy_momentum *s, double h) {
    const carom_vec3 *rest = carom_mesh_nodes(s->flex->def.mesh);
    rigid_part r = rigid_part_of(state, s);
    carom_vec3 rest_centre = crm_vec3_zero();
    carom_mat3 sum = crm_mat3_zero(), fit;
    for (int n = 0; n < s->flex->node_count; n++)
        rest_centre = crm_madd(rest_centre, body_of(state, s, n)->mass / r.mass, rest[n]);
    for (int n = 0; n < s->flex->node_count; n++) {
        carom_vec3 arm = crm_scale(body_of(state, s, n)->mass / r.mass, crm_sub(s->from[n], r.centre));
        sum = crm_mat3_add(sum, crm_outer(arm, crm_sub(rest[n], rest_centre)));
    }
    (void)crm_nearest_rotation(sum, &fit);
    if (s->held) r.spin = r.velocity = crm_vec3_zero();
    carom_mat3 rotation = crm_mat3_mul(crm_so3_exp_mat3(crm_scale(h, r.spin)), fit);
    carom_vec3 centre = crm_madd(r.centre, h, r.velocity);
    for (int n = 0; n < s->flex->node_count; n++)
        s->to[n] = is_held(state, s, n) ? s->from[n]
                                        : crm_add(centre, crm_mat3_apply(rotation, crm_sub(rest[n], rest_centre)));
}

// ---- Newton's method

static void try_share(crm_energy_momentum *s, double share) {
    for (int n = 0; n < s->flex->node_count; n++) {
        const double *c = s->correction + 3 * (ptrdiff_t)n;
        s->trial[n] = crm_madd(s->to[n], -share, crm_vec3(c[0], c[1], c[2]));
    }
}

// Along the correction until the equations are nearer to being solved. False: nowhere.
static bool descend(const carom_state *state, crm_energy_momentum *s, double h, carom_step_report *report) {
    double merit = s->merit, share = 1.0;
    for (int halving = 0; halving <= MOST_HALVINGS; halving++, share *= 0.5) {
        try_share(s, share);
        bool whole = evaluate(state, s, s->trial, h);
        if (!whole || !(s->merit < merit || s->relative <= state->method.tolerance)) continue;
        report->halvings += halving;
        carom_vec3 *kept = s->to;
        s->to = s->trial;
        s->trial = kept;
        return true;
    }
    (void)evaluate(state, s, s->to, h);
    return false;
}

static bool solve(const carom_state *state, crm_energy_momentum *s, double h, carom_step_report *report) {
    memset(s->blur, 0, (size_t)s->flex->node_count * sizeof *s->blur);
    if (!evaluate(state, s, s->to, h)) return false;
    int iterations = 0;
    while (s->relative > state->method.tolerance && iterations < state->method.iteration_limit) {
        if (crm_state_interrupted(state)) return false;
        crm_block_factor_report factored;
        differentiate(state, s, h);
        crm_block_factor_compute(&s->factor, &s->matrix, &factored);
        memcpy(s->correction, s->residual, 3 * (size_t)s->flex->node_count * sizeof *s->correction);
        crm_block_factor_solve(&s->factor, 1, s->correction, 3 * (ptrdiff_t)s->flex->node_count, s->work);
        iterations++;
        report->factorizations++;
        if (!descend(state, s, h, report)) break;
    }
    if (iterations > report->iterations) report->iterations = iterations;
    return s->relative <= fmax(rough_residual, state->method.tolerance);
}

// From either start; with elements turned inside out only where there is no other end, and they have an energy.
static bool find_end(const carom_state *state, crm_energy_momentum *s, double h, carom_step_report *report) {
    bool can_invert = s->flex->def.elastic.model != CAROM_ELASTIC_NEO_HOOKEAN;
    for (int attempt = 0; attempt < (can_invert ? 4 : 2) && !crm_state_interrupted(state); attempt++) {
        s->upright = attempt < 2;
        if (attempt % 2 == 0)
            guess_form(state, s, h);
        else
            guess_rest(state, s, h);
        if (solve(state, s, h, report)) return true;
    }
    return false;
}

// ---- the step

static void begin(carom_state *state, crm_energy_momentum *s, int parts) {
    const carom_model *model = state->model;
    s->dissipated = 0.0;
    for (int n = 0; n < s->flex->node_count; n++) {
        int b = s->flex->first_body + n;
        const crm_body *body = &model->bodies.items[b];
        s->from[n] = state->motions[b].x;
        s->momentum[n] = state->motions[b].p;
        s->impulse[n] = crm_vec6_zero();
        carom_vec3 weight = crm_scale(state->method.step * body->mass, model->gravity);
        s->push[n] = crm_scale(1.0 / parts, crm_add(weight, state->active[b].linear));
    }
}

// Momenta by the impulses, which add up to nothing but what comes from outside: exactly.
static void take(carom_state *state, crm_energy_momentum *s, double h) {
    for (int n = 0; n < s->flex->node_count; n++) {
        if (is_held(state, s, n)) continue;
        carom_vec3 impulse = crm_madd(s->push[n], h, s->force[n]);
        carom_vec3 middle = crm_scale(0.5, crm_add(s->from[n], s->to[n]));
        s->impulse[n].linear = crm_add(s->impulse[n].linear, impulse);
        s->impulse[n].angular = crm_add(s->impulse[n].angular, crm_cross(middle, impulse));
        s->momentum[n] = crm_add(s->momentum[n], impulse);
        s->from[n] = s->to[n];
    }
    s->dissipated += h * s->result.dissipated;
}

static void finish(carom_state *state, crm_energy_momentum *s, int parts) {
    for (int n = 0; n < s->flex->node_count; n++) {
        int b = s->flex->first_body + n;
        state->next[b] = state->motions[b];
        state->next[b].x = s->from[n];
        state->next[b].p = s->momentum[n];
        // In the middle of the whole way they act by themselves.
        carom_vec3 middle = crm_scale(0.5, crm_add(state->motions[b].x, s->from[n]));
        carom_vec3 moment = crm_sub(s->impulse[n].angular, crm_cross(middle, s->impulse[n].linear));
        state->impulse[b] = crm_vec6_of(s->impulse[n].linear, parts > 1 ? moment : crm_vec3_zero());
    }
}

void crm_energy_momentum_move(carom_state *state, crm_energy_momentum *s, carom_step_report *report) {
    for (int parts = 1; parts <= MOST_PARTS; parts *= 2) {
        double h = state->method.step / parts;
        int made = 0;
        report->residual = 0.0;
        for (begin(state, s, parts); made < parts && find_end(state, s, h, report); made++) {
            report->residual = fmax(report->residual, s->relative);
            take(state, s, h);
        }
        if (crm_state_interrupted(state)) return;
        report->substeps = parts;
        report->residual_body.index = s->flex->first_moving;
        if (made < parts) continue;
        finish(state, s, parts);
        return;
    }
    crm_step_impossible(state->model, s->flex->first_body + s->worst, report,
                        "and all of its flexible body have no step after t = %g s: Newton's method ended at a residual "
                        "of %.1e in %d substeps; make method.step of %g s smaller",
                        carom_state_time(state), s->relative, MOST_PARTS, state->method.step);
}
