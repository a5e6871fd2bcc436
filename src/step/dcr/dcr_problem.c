// SPDX-License-Identifier: MIT
// The contact problems of `dcr`: bodies, joints and some contacts at the poses of state->next.
#include <float.h>
#include <math.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "model/mechanism/joint_gaps.h"
#include "solve/rigid/rigid_problem.h"
#include "solve/solver_state.h"
#include "step/contacts/problem_body.h"
#include "step/dcr/dcr.h"

enum { POLISHING_STEPS = 12 };
// What they aim at, whatever is asked for.
static const double polished = 1e-13;

void crm_dcr_twists(const crm_dcr *dcr, const crm_motion *motions, crm_vec6 *twist) {
    for (int b = 0; b < dcr->model->bodies.count; b++) {
        const crm_body *body = &dcr->model->bodies.items[b];
        twist[b] = crm_vec6_zero();
        if (body->kind == CAROM_BODY_FIXED) continue;
        crm_motion m = {.q = dcr->state->next[b].q, .p = motions[b].p, .l = motions[b].l};
        twist[b].linear = crm_motion_velocity(body, &m);
        if (body->kind != CAROM_BODY_POINT) twist[b].angular = crm_motion_spin(body, &m);
    }
}

void crm_dcr_contact_velocity(const crm_dcr *dcr, const crm_contact_site *site, const crm_vec6 *twist, double u[3]) {
    crm_vec6 on_a[3], on_b[3];
    crm_contact_rows(site, dcr->state->next, on_a, on_b);
    for (int k = 0; k < 3; k++) u[k] = crm_vec6_dot(on_a[k], twist[site->a]) + crm_vec6_dot(on_b[k], twist[site->b]);
}

// ---- building

static bool add_joint(crm_dcr *dcr, const crm_joint *joint, double size, bool close) {
    double start[6] = {0.0};
    // The rows of joints are the first ones of every problem: their last impulses are still where they were.
    for (int k = 0; k < joint->rows && dcr->warm; k++)
        start[k] = dcr->problem.impulse.items[dcr->problem.impulse.count + k];
    return crm_step_problem_add_joint(&dcr->problem, joint, dcr->state->next, size, close, start);
}

bool crm_dcr_problem_begin(crm_dcr *dcr, const crm_vec6 *free, bool close, bool warm) {
    const carom_model *model = dcr->model;
    dcr->warm = warm;
    dcr->closing = close;
    if (!crm_step_problem_begin(&dcr->problem, dcr->state->next, free)) return false;
    for (int k = 0; k < model->graph.mechanism_count; k++)
        dcr->mechanism_size[k] = crm_mechanism_size(model, dcr->state->next, k);
    for (int j = 0; j < model->joints.count; j++) {
        double size = dcr->mechanism_size[model->graph.mechanism[j]];
        if (!add_joint(dcr, &model->joints.items[j], size, close)) return false;
    }
    dcr->first_group = dcr->problem.groups.count;
    dcr->first_row = dcr->problem.offset.count;
    return true;
}

bool crm_dcr_problem_add(crm_dcr *dcr, const crm_contact_site *site, double friction, const double offset[3],
                         const double start[3]) {
    int row = dcr->problem.offset.count;
    if (!crm_step_problem_add_contact(&dcr->problem, site, dcr->state->next, friction, false, offset[0], start))
        return false;
    for (int k = 1; row + k < dcr->problem.offset.count; k++) dcr->problem.offset.items[row + k] = offset[k];
    return true;
}

bool crm_dcr_problem_add_potential(crm_dcr *dcr, const crm_vec6 *gradient, double change, double weight) {
    carom_row_group group = {.law = CAROM_LAW_BOX, .rows = 1, .lower = -weight, .upper = weight};
    const double start = 0.0;
    if (!crm_step_problem_add_group(&dcr->problem, group, &change, &start)) return false;
    for (int b = 0; b < dcr->model->bodies.count; b++) {
        bool none = crm_length_squared(gradient[b].linear) + crm_length_squared(gradient[b].angular) == 0.0;
        if (!none && !crm_step_problem_add_entry(&dcr->problem, b, &gradient[b])) return false;
    }
    return true;
}

// ---- work
//
// All problems of a step draw on one budget. When it is used up the step ends as it does after too many impacts:
// overlaps that are left are told, and a last impact without restitution follows.

// What follows then at most: the rest of an impact, the same once more where it adds energy, and the last one, each
// without friction, with it and with the least cones. Nothing but their residual need be found.
enum { LAST_SOLUTIONS = 8, FEWEST_CONTACTS = 20 };
// Less is raised to this, s for 1,000 contacts: the last solutions and a little.
static const double least_budget = 0.025;
// What one solution may take of the work that is left.
static const double share_of_work = 0.5;

// Groups of a problem, at most: one is of the potential.
static int most_groups(const crm_dcr *dcr) {
    return dcr->found.found_count + dcr->model->joints.count + 1;
}

void crm_dcr_allow_work(crm_dcr *dcr) {
    int counted = most_groups(dcr) > FEWEST_CONTACTS ? most_groups(dcr) : FEWEST_CONTACTS;
    double seconds = fmax(dcr->state->method.dcr.budget, least_budget);
    dcr->work_allowed = fmax(dcr->work_allowed, seconds * 1e-3 * counted * CRM_WORK_PER_SECOND);
}

// Beside what has to follow.
static double work_left(const crm_dcr *dcr) {
    return dcr->work_allowed - dcr->work - LAST_SOLUTIONS * CRM_EVALUATION_WORK * most_groups(dcr);
}

bool crm_dcr_is_spent(const crm_dcr *dcr) {
    return work_left(dcr) < CRM_EVALUATION_WORK * most_groups(dcr);
}

static double evaluation_work(const crm_dcr *dcr) {
    return CRM_EVALUATION_WORK * dcr->problem.groups.count;
}

// ---- solving

// Velocities, or displacements with what positions are rounded to, are known to a few roundings: an island without any
// other is measured by these.
static void set_least_scales(crm_dcr *dcr) {
    double share = 4.0 * DBL_EPSILON / dcr->state->method.dcr.tolerance;
    for (int n = 0; n < dcr->problem.nodes.count; n++) {
        int b = dcr->problem.body_of[n];
        const crm_body *body = &dcr->model->bodies.items[b];
        crm_vec6 free = crm_vec6_zero();
        crm_problem_body_unpack_add(body->kind, dcr->problem.nodes.items[n].free, 1.0, &free);
        double arm = fmax(body->size, sqrt(crm_max_component(body->inertia) * body->inverse_mass));
        double known = crm_length(free.linear) + arm * crm_length(free.angular);
        if (dcr->closing) known += crm_length(dcr->state->next[b].x) + arm;
        dcr->least_scale[n] = share * known;
    }
}

static carom_status solve(crm_dcr *dcr, const carom_solve_options *options, crm_island_verdict *verdict,
                          carom_solve_report *solved, carom_error *error) {
    if (crm_state_interrupted(dcr->state)) return crm_fail_interrupted(error);
    carom_problem problem = crm_step_problem_view(&dcr->problem);
    crm_island_wishes wishes = {.least_scale = dcr->least_scale, .left = dcr->left.items, .verdict = verdict};
    return crm_solve_islands(dcr->solver, &problem, options, &wishes, dcr->problem.impulse.items, dcr->velocity.items,
                             solved, error);
}

// Islands that keep to the tolerance are made better by a few steps of Newton's method, which as a rule lead to
// rounding: what is symmetric stays so, what is elastic keeps its energy. Where they do not, the first solution counts.
static carom_status polish(crm_dcr *dcr, const carom_solve_options *first, carom_solve_report *solved,
                           carom_error *error) {
    carom_solve_options options = *first;
    options.work = work_left(dcr) - solved->work; // which the first solution would take again
    if (!(options.work > evaluation_work(dcr))) return CAROM_OK;
    options.solver = CAROM_SOLVER_SEMISMOOTH;
    options.tolerance = polished;
    options.iterations = POLISHING_STEPS;
    options.warm = true;
    carom_solve_report better;
    bool any = false, worse = false;
    for (int g = 0; g < dcr->verdict.count; g++) {
        dcr->left.items[g] = dcr->verdict.items[g].outcome != CAROM_SOLVE_OUTCOME_MET;
        any |= !dcr->left.items[g];
    }
    carom_status status = any ? solve(dcr, &options, dcr->better.items, &better, error) : CAROM_OK;
    if (!any || status != CAROM_OK) return status;
    dcr->work += better.work;
    solved->iterations += better.iterations;
    for (int g = 0; g < dcr->verdict.count; g++) {
        crm_island_verdict *was = &dcr->verdict.items[g];
        if (dcr->left.items[g]) continue;
        dcr->left.items[g] = !(dcr->better.items[g].residual.residual > was->residual.residual);
        if (dcr->left.items[g]) was->residual = dcr->better.items[g].residual;
        worse |= !dcr->left.items[g];
    }
    if (!worse) return CAROM_OK;
    dcr->work += solved->work;
    return solve(dcr, first, dcr->better.items, &better, error);
}

double crm_dcr_noise(const crm_dcr *dcr, int group) {
    const carom_residual_report *of = &dcr->verdict.items[group].residual;
    return fmax(polished, of->velocity) * of->scale;
}

carom_status crm_dcr_problem_solve(crm_dcr *dcr, carom_solve_report *solved, carom_step_report *report,
                                   carom_error *error) {
    const carom_allocator *allocator = &dcr->model->allocator;
    int size = 0, groups = dcr->problem.groups.count;
    for (int n = 0; n < dcr->problem.nodes.count; n++) size += dcr->problem.nodes.items[n].size;
    if (!CRM_ARRAY_RESIZE(allocator, &dcr->velocity, size) || !CRM_ARRAY_RESIZE(allocator, &dcr->verdict, groups) ||
        !CRM_ARRAY_RESIZE(allocator, &dcr->better, groups) || !CRM_ARRAY_RESIZE(allocator, &dcr->left, groups))
        return crm_fail_memory(error, "velocities", (size_t)size * sizeof(double));
    carom_solve_options options = carom_solve_options_default();
    options.tolerance = dcr->state->method.dcr.tolerance;
    options.work = fmax(share_of_work * work_left(dcr), fmax(evaluation_work(dcr), 1.0));
    options.threads = dcr->state->method.threads;
    options.warm = dcr->warm;
    options.interrupt = crm_state_interrupt(dcr->state);
    set_least_scales(dcr);
    for (int g = 0; g < groups; g++) dcr->left.items[g] = false;
    carom_status status = solve(dcr, &options, dcr->verdict.items, solved, error);
    if (status == CAROM_OK) dcr->work += solved->work;
    if (status == CAROM_OK) status = polish(dcr, &options, solved, error);
    if (status != CAROM_OK) return status;
    for (int g = 0; g < groups; g++) {
        const crm_island_verdict *island = &dcr->verdict.items[g];
        // At the floor nobody can do better: that is met.
        if (island->outcome == CAROM_SOLVE_OUTCOME_AT_FLOOR || island->node < 0) continue;
        if (report->residual_body.index >= 0 && island->residual.residual <= report->residual) continue;
        report->residual = fmax(report->residual, island->residual.residual);
        report->residual_body.index = dcr->problem.body_of[island->node];
    }
    report->iterations += solved->iterations;
    report->fallbacks += solved->fallbacks;
    report->solver = solved->solver;
    return CAROM_OK;
}

void crm_dcr_problem_twists(const crm_dcr *dcr, crm_vec6 *twist) {
    const double *from = dcr->velocity.items;
    for (int b = 0; b < dcr->model->bodies.count; b++) twist[b] = crm_vec6_zero();
    for (int n = 0; n < dcr->problem.nodes.count; from += dcr->problem.nodes.items[n++].size) {
        int b = dcr->problem.body_of[n];
        crm_problem_body_unpack_add(dcr->model->bodies.items[b].kind, from, 1.0, &twist[b]);
    }
}
