// SPDX-License-Identifier: MIT
// Rounds of moving apart: each a frictionless contact problem of displacements at the last poses, and what is left.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "model/mechanism/joint_gaps.h"
#include "model/mechanism/joint_projection.h"
#include "step/contacts/problem_body.h"
#include "step/start/start.h"

// Problems at most; after how many rotations get harder, by which factor each time.
// And how many without getting better are given up after.
enum { MOST_ROUNDS = 100, FREE_ROUNDS = 12, VAIN_ROUNDS = 25 };
static const double stiffening = 2.0;
// Of the smaller body's size: what counts as apart, and how far apart pairs are put so that roundings leave no overlap.
static const double apart = 1e-12, clearance = 1e-9;
// Joints are closed to this share of their size, and at worst to that, in so many steps: as at assembly.
static const double closed = 1e-12, closed_at_last = 1e-10;
enum { CLOSING_STEPS = 8 };
// Gaps bend with rotations: the largest in a round, rad.
static const double largest_rotation = 0.3;
// How far bodies are looked for that one moves into, of its size.
static const double near = 0.1;
// What a round may take, in units of work (carom/solve.h): at least, and for every contact. What is not solved then is
// left to the next round.
static const double least_work = 1e7, contact_work = 5e4;
// Residual that a round is solved to.
static const double tolerance = 1e-10;

// Units of work of a reference machine in a second, about.
static const double work_per_second = 1e9;

typedef struct projection {
    crm_start *start;
    double work; // so far, in these units
    crm_step_problem problem;
    carom_solver_state *solver;
    crm_joint_projection joints;
    crm_motion *motions, *best; // (body_count)
    crm_vec6 *twist;            // (body_count)
} projection;

static carom_status create(crm_start *start, projection *p, carom_error *error) {
    const carom_model *model = start->model;
    int bodies = model->bodies.count;
    *p = (projection){.start = start, .motions = start->state->motions};
    p->best = CRM_ARENA_ARRAY(&start->arena, crm_motion, bodies);
    p->twist = CRM_ARENA_ZEROED(&start->arena, crm_vec6, bodies);
    if (p->best == NULL || p->twist == NULL || !crm_step_problem_create(model, &start->arena, &p->problem))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory to move %d bodies apart", bodies);
    carom_status status = carom_solver_state_create(&model->allocator, &p->solver, error);
    if (status == CAROM_OK && model->joints.count > 0)
        status = crm_joint_projection_create(model, &start->arena, &p->joints, error);
    p->joints.system.factor.interrupt = crm_state_interrupt(start->state);
    return status;
}

static void release(projection *p) {
    crm_step_problem_release(&p->problem);
    carom_solver_state_destroy(p->solver);
}

// ---- one round

// Larger moments of inertia make bodies rather shift than rotate.
static void stiffen_rotations(projection *p, double factor) {
    for (int n = 0; n < p->problem.nodes.count; n++) {
        carom_problem_node *node = &p->problem.nodes.items[n];
        carom_body_kind kind = p->start->model->bodies.items[p->problem.body_of[n]].kind;
        if (kind == CAROM_BODY_PLANAR) node->mass[8] *= factor;
        for (int i = 3; i < 6 && kind == CAROM_BODY_FREE; i++)
            for (int j = 3; j < 6; j++) node->mass[i * 6 + j] *= factor;
    }
}

// What a gap shall be at least: pairs that touch need not part.
static double wanted_gap(const crm_contact_site *site) {
    return site->gap < -apart * site->size ? clearance * site->size : fmin(site->gap, 0.0);
}

// A limit lets its coordinate come as far as it is away; what is beyond already gets no farther.
static bool add_limit(projection *p, const crm_joint *joint, crm_joint_row row, double sign, double left) {
    const double offset = fmax(left, 0.0), none = 0.0;
    crm_vec6 on_a = crm_vec6_scale(sign, row.a), on_b = crm_vec6_scale(sign, row.b);
    carom_row_group group = {.law = CAROM_LAW_UNILATERAL, .rows = 1};
    return crm_step_problem_add_pair(&p->problem, group, &offset, &none, joint->a.body, &on_a, joint->b.body, &on_b);
}

// Angles are made lengths by `size`.
static bool add_limits(projection *p, int index, double size) {
    const crm_joint *joint = &p->start->model->joints.items[index];
    crm_joint_pose pose = crm_joint_evaluate(joint, p->motions);
    crm_joint_config config = crm_joint_config_of(joint, &pose, &p->start->state->configs[index]);
    double value[6];
    crm_joint_row rows[6];
    crm_joint_values(joint, &config, value);
    crm_joint_value_rows(joint, &pose, rows);
    bool built = true;
    for (int k = 0; k < joint->free && built; k++) {
        const carom_coordinate_def *c = &joint->def.coordinate[k];
        double scale = k < joint->def.linear_free ? 1.0 : size;
        if (c->lower > -INFINITY) built = add_limit(p, joint, rows[k], scale, scale * (value[k] - c->lower));
        if (built && c->upper < INFINITY) built = add_limit(p, joint, rows[k], -scale, scale * (c->upper - value[k]));
    }
    return built;
}

static bool build(projection *p, double rotation_factor) {
    const carom_model *model = p->start->model;
    const double none[6] = {0.0};
    memset(p->twist, 0, (size_t)model->bodies.count * sizeof *p->twist);
    bool built = crm_step_problem_begin(&p->problem, p->motions, p->twist);
    if (built && rotation_factor > 1.0) stiffen_rotations(p, rotation_factor);
    double size = crm_joints_size(model, p->motions);
    for (int j = 0; j < model->joints.count && built; j++)
        built = crm_step_problem_add_joint(&p->problem, &model->joints.items[j], p->motions, size, true, none) &&
                add_limits(p, j, size);
    for (int c = 0; c < p->start->sites.count && built; c++) {
        const crm_contact_site *site = &p->start->sites.items[c];
        built =
            crm_step_problem_add_contact(&p->problem, site, p->motions, 0.0, false, site->gap - wanted_gap(site), none);
    }
    return built;
}

static carom_status solve(projection *p, carom_error *error) {
    carom_problem problem = crm_step_problem_view(&p->problem);
    carom_solve_options options = carom_solve_options_default();
    options.tolerance = tolerance;
    options.interrupt = crm_state_interrupt(p->start->state);
    options.work = least_work + contact_work * problem.group_count;
    options.threads = p->start->state->method.threads;
    carom_solve_report report;
    carom_status status = carom_solve(p->solver, &problem, &options, p->problem.impulse.items, NULL, &report, error);
    if (status != CAROM_OK) return status;
    p->work += report.work;
    double most = p->start->model->limits.seconds;
    if (p->work <= most * work_per_second) return CAROM_OK;
    return crm_fail(error, CAROM_ERR_TOO_LARGE,
                    "moving bodies apart at the start takes more than the limit of %g s; put them farther apart, give "
                    "start_overlaps \"keep\", or allow it by --limit seconds=%g",
                    most, 10.0 * most);
}

// From the impulses, so that displacements of bodies that push each other cancel to rounding.
static void take_twists(projection *p, double rotation_factor) {
    const crm_step_problem *problem = &p->problem;
    const carom_model *model = p->start->model;
    int group = 0, row = 0;
    for (int e = 0; e < problem->entries.count; e++) {
        const carom_entry *entry = &problem->entries.items[e];
        for (; group < entry->group; group++) row += problem->groups.items[group].rows;
        int b = problem->body_of[entry->node], size = problem->nodes.items[entry->node].size;
        for (int k = 0; k < problem->groups.items[group].rows; k++)
            crm_problem_body_unpack_add(model->bodies.items[b].kind, entry->rows + k * size,
                                        problem->impulse.items[row + k], &p->twist[b]);
    }
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_body *body = &model->bodies.items[b];
        const crm_motion pushed = {.q = p->motions[b].q, .l = p->twist[b].angular};
        p->twist[b].linear = crm_scale(body->inverse_mass, p->twist[b].linear);
        p->twist[b].angular = crm_scale(1.0 / rotation_factor, crm_motion_spin(body, &pushed));
    }
}

// The share of the displacements that is gone in one round. A row of n bodies pushes its ends by no more than n times
// the largest overlap: displacements beyond are those of problems without a solution.
static double share_of_way(const projection *p) {
    int bodies = p->start->model->bodies.count;
    double most = 1.0, depth = 0.0;
    for (int c = 0; c < p->start->sites.count; c++) depth = fmax(depth, -p->start->sites.items[c].gap);
    for (int b = 0; b < bodies; b++) {
        most = fmax(most, crm_length(p->twist[b].angular) / largest_rotation);
        most = fmax(most, crm_length(p->twist[b].linear) / (depth * bodies));
    }
    return 1.0 / most;
}

// Velocities and spins stay; angular momenta rotate with the body.
static void move(projection *p, double share) {
    for (int b = 0; b < p->start->model->bodies.count; b++) {
        const crm_body *body = &p->start->model->bodies.items[b];
        crm_motion *m = &p->motions[b];
        crm_vec6 by = crm_vec6_scale(share, p->twist[b]);
        if (body->kind == CAROM_BODY_FIXED) continue;
        m->x = crm_add(m->x, by.linear);
        if (body->kind == CAROM_BODY_POINT || crm_length_squared(by.angular) == 0.0) continue;
        carom_vec3 spin = crm_motion_spin(body, m);
        m->q = crm_quat_step(m->q, by.angular, 1.0);
        m->l = crm_motion_angular_momentum(body, m->q, spin);
    }
}

// False: they are open.
static bool close_joints(projection *p) {
    if (p->start->model->joints.count == 0) return true;
    crm_joint_gaps gaps = crm_joint_gaps_of(p->start->model, p->motions, closed);
    for (int i = 0; i < CLOSING_STEPS && gaps.worst.share > gaps.enough; i++) {
        crm_joint_projection_move(&p->joints, p->motions);
        gaps = crm_joint_gaps_of(p->start->model, p->motions, closed);
    }
    return gaps.worst.share <= fmax(closed_at_last, gaps.enough);
}

// *joints_closed: so are the joints.
static carom_status go_round(projection *p, double rotation_factor, bool *joints_closed, carom_error *error) {
    if (!build(p, rotation_factor)) return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory to move bodies apart");
    carom_status status = solve(p, error);
    if (status != CAROM_OK) return status;
    take_twists(p, rotation_factor);
    move(p, share_of_way(p));
    *joints_closed = close_joints(p);
    return CAROM_OK;
}

// ---- all rounds

// What overlaps at p->motions by more than the share `least`; sites are those of all bodies near each other.
static carom_status look(projection *p, double least, crm_deepest *left, carom_error *error) {
    carom_status status = crm_start_find(p->start, p->motions, near, error);
    if (status == CAROM_OK) *left = crm_start_deepest(p->start, least);
    return status;
}

// Ends with the best poses that were met.
static carom_status go_rounds(projection *p, int *rounds, carom_error *error) {
    size_t bytes = (size_t)p->start->model->bodies.count * sizeof *p->motions;
    crm_deepest now;
    carom_status status = look(p, apart, &now, error);
    if (status != CAROM_OK) return status;
    double least = now.share, factor = 1.0;
    int vain = 0;
    memcpy(p->best, p->motions, bytes);
    for (*rounds = 0; *rounds < MOST_ROUNDS && vain < VAIN_ROUNDS && least > 0.0; ++*rounds) {
        if (*rounds > FREE_ROUNDS) factor *= stiffening;
        bool joints_closed = true;
        status = go_round(p, factor, &joints_closed, error);
        if (status == CAROM_OK) status = look(p, apart, &now, error);
        if (status == CAROM_ERR_NO_MEMORY || status == CAROM_ERR_TOO_LARGE || status == CAROM_ERR_INTERRUPTED)
            return status;
        const carom_interrupt interrupt = crm_state_interrupt(p->start->state);
        if (crm_interrupted(&interrupt)) return crm_fail_interrupted(error);
        if (status != CAROM_OK) break; // beyond what contacts are found of
        vain = joints_closed && now.share < least ? 0 : vain + 1;
        if (vain > 0) continue;
        least = now.share;
        memcpy(p->best, p->motions, bytes);
    }
    memcpy(p->motions, p->best, bytes);
    return CAROM_OK;
}

carom_status crm_start_project(crm_start *start, int *rounds, crm_deepest *left, carom_error *error) {
    projection p;
    carom_status status = create(start, &p, error);
    if (status == CAROM_OK) status = go_rounds(&p, rounds, error);
    if (status == CAROM_OK) status = look(&p, CRM_START_OVERLAPPING, left, error);
    release(&p);
    return status;
}
