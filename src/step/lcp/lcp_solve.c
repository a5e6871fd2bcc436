// SPDX-License-Identifier: MIT
// Impulses for the problem of a step by the lean solver of rigid bodies; the general solvers have what it has not.
//
// All solutions of a step draw on one budget: of contacts that are looked for again, of both phases of restitution, of
// friction that is taken away. What is not met within it is returned as it is, with its residual.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "step/lcp/lcp.h"

// What one solution may take of the work that is left: others may have to follow in the same step.
static const double share_of_work = 0.75;

bool crm_lcp_is_lean(const carom_model *model, const crm_lcp *lcp) {
    return !lcp->general_only && model->mobility.kind == CAROM_MOBILITY_NONE &&
           lcp->def.friction != CAROM_FRICTION_PYRAMID && lcp->def.solver == CAROM_SOLVER_AUTO &&
           lcp->def.iterations == 0;
}

double crm_lcp_noise(const carom_model *model, const carom_state *state) {
    double largest = 0.0;
    for (int b = 0; b < model->bodies.count; b++) largest = fmax(largest, crm_length(state->motions[b].x));
    return 4.0 * DBL_EPSILON * largest / state->method.step;
}

double crm_lcp_velocity_scale(const carom_state *state, const crm_lcp *lcp) {
    return fmax(crm_length(state->model->gravity) * state->method.step, lcp->least_scale);
}

carom_status crm_lcp_keep_guess(const carom_model *model, crm_lcp *lcp, carom_error *error) {
    int rows = lcp->problem.impulse.count;
    if (!CRM_ARRAY_RESIZE(&model->allocator, &lcp->guess, rows))
        return crm_fail_memory(error, "impulses", (size_t)rows * sizeof(double));
    if (rows > 0) memcpy(lcp->guess.items, lcp->problem.impulse.items, (size_t)rows * sizeof(double));
    return CAROM_OK;
}

// ---- the lean solver

static crm_rigid_problem problem_of(const crm_lcp *lcp) {
    return (crm_rigid_problem){.body_count = lcp->problem.bodies.count,
                               .contact_count = lcp->problem.contacts.count,
                               .block_count = lcp->problem.blocks.count,
                               .bodies = lcp->problem.bodies.items,
                               .contacts = lcp->problem.contacts.items,
                               .blocks = lcp->problem.blocks.items,
                               .relaxed = lcp->def.friction == CAROM_FRICTION_RELAXED};
}

static crm_rigid_options options_of(const carom_state *state, crm_lcp *lcp) {
    crm_lcp_aim aim = crm_lcp_aim_of(&lcp->def);
    return (crm_rigid_options){.tolerance = aim.sought,
                               .resting = aim.resting < aim.moving ? crm_lcp_resting(lcp) : NULL,
                               .velocity_scale = crm_lcp_velocity_scale(state, lcp),
                               .sweeps = aim.sweeps,
                               .work = share_of_work * crm_lcp_work_left(lcp),
                               .threads = state->method.threads};
}

typedef enum task { SOLVE, EVALUATE } task;

// Leaves velocities of rows, changes of bodies and the islands in `lcp`.
static carom_status run(const carom_state *state, crm_lcp *lcp, task what, carom_error *error) {
    crm_rigid_problem problem = problem_of(lcp);
    crm_rigid_options options = options_of(state, lcp);
    crm_rigid_report *solved = &lcp->solved;
    double *impulse = lcp->problem.impulse.items, *velocity = lcp->velocity.items;
    carom_status status =
        what == SOLVE
            ? crm_rigid_solve(lcp->lean, &problem, &options, impulse, velocity, lcp->change, solved, error)
            : crm_rigid_evaluate(lcp->lean, &problem, &options, impulse, velocity, lcp->change, solved, error);
    if (status == CAROM_OK) lcp->work += solved->work;
    return status;
}

// Newton's steps after sweeps are as planned, no fallback.
static void add_iterations(const crm_lcp *lcp, carom_step_report *report) {
    report->iterations += lcp->solved.iterations;
    report->solver = lcp->solved.solver;
}

// ---- one solution

// What rests and is not solved that far does no harm.
static bool is_missed(const crm_lcp *lcp) {
    crm_lcp_aim aim = crm_lcp_aim_of(&lcp->def);
    return aim.sweeps == 0 && !(lcp->solved.residual <= aim.moving);
}

// The general solvers tell whether offsets contradict each other, and leave out those that do.
static carom_status look_for_contradictions(const carom_state *state, crm_lcp *lcp, carom_step_report *report,
                                            carom_error *error) {
    carom_status status = crm_lcp_solve_doubtful(state, lcp, report, error);
    return status == CAROM_OK ? run(state, lcp, EVALUATE, error) : status;
}

static carom_status solve_once(const carom_state *state, crm_lcp *lcp, carom_step_report *report, carom_error *error) {
    carom_status status = run(state, lcp, SOLVE, error);
    if (status != CAROM_OK) return status;
    add_iterations(lcp, report);
    bool doubtful = is_missed(lcp) && crm_lcp_in_doubt(state, lcp);
    return doubtful ? look_for_contradictions(state, lcp, report, error) : CAROM_OK;
}

// ---- friction that adds energy

// What is uncovered by taking some away is smaller still; solving again brings it back, and is worth it where the
// tolerance is lost.
enum { MOST_CLEARINGS = 4, MOST_SOLUTIONS = 3 };

static carom_status clear_friction(const carom_state *state, crm_lcp *lcp, carom_step_report *report,
                                   carom_error *error) {
    carom_status status = CAROM_OK;
    if (lcp->def.friction != CAROM_FRICTION_CONE) return CAROM_OK; // the residual's law is the cone's
    for (int round = 0; round < MOST_CLEARINGS && status == CAROM_OK; round++) {
        int unmet = lcp->solved.unmet;
        if (!crm_lcp_drop_backward_friction(lcp)) break;
        status = run(state, lcp, EVALUATE, error);
        if (status != CAROM_OK || lcp->solved.unmet <= unmet || round >= MOST_SOLUTIONS) continue;
        status = solve_once(state, lcp, report, error);
    }
    return status;
}

// ---- all

static carom_status solve_lean(const carom_state *state, crm_lcp *lcp, carom_step_report *report, carom_error *error) {
    carom_status status = crm_lcp_keep_guess(state->model, lcp, error);
    if (status == CAROM_OK) status = solve_once(state, lcp, report, error);
    if (status == CAROM_OK) status = clear_friction(state, lcp, report, error);
    if (status != CAROM_OK) return status;
    report->residual = fmax(report->residual, lcp->solved.residual);
    lcp->missed |= is_missed(lcp);
    return CAROM_OK;
}

carom_status crm_lcp_solve(const carom_state *state, crm_lcp *lcp, carom_step_report *report, carom_error *error) {
    lcp->by_islands = crm_lcp_is_lean(state->model, lcp);
    return lcp->by_islands ? solve_lean(state, lcp, report, error) : crm_lcp_solve_general(state, lcp, report, error);
}
