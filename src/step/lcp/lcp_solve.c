// SPDX-License-Identifier: MIT
// Impulses for the problem of a step by the lean solver of rigid bodies; the general solvers have what it has not.
//
// All solutions of a step draw on one budget: of contacts that are looked for again, of both phases of restitution, of
// friction that is taken away. What is not met within it is returned as it is, with its residual.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "step/lcp/lcp.h"

// What one solution may take of the work that is left: others may have to follow in the same step.
static const double share_of_work = 0.75;
// The same of the general solvers, for what is in doubt.
static const double share_of_doubt = 0.5;

// Below this the lean solver leaves steps unmet that the general ones meet, at their price.
static const double fine = 5e-4;

bool crm_lcp_is_lean(const carom_model *model, const crm_lcp *lcp) {
    crm_lcp_aim aim = crm_lcp_aim_of(&lcp->def);
    return !(aim.generous && aim.moving < fine) && !lcp->general_only && model->mobility.kind == CAROM_MOBILITY_NONE &&
           lcp->def.friction != CAROM_FRICTION_PYRAMID && lcp->def.solver == CAROM_SOLVER_AUTO &&
           lcp->def.iterations == 0;
}

double crm_lcp_velocity_scale(const carom_state *state) {
    return crm_length(state->model->gravity) * state->method.step;
}

void crm_lcp_note_residual(double residual, int body, carom_step_report *report) {
    if (report->residual_body.index >= 0 && residual <= report->residual) return;
    report->residual = fmax(report->residual, residual);
    report->residual_body = (carom_body){body};
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

// In the first steps of every so many what stands still is made ready to rest: solved so much further than what rests.
enum { REST_EVERY = 32, REST_STEPS = 6 };
static const double nearer_share = 0.1;

static bool prepares_rest(const carom_state *state, const crm_lcp *lcp) {
    return lcp->rest.model != NULL && state->step_count % REST_EVERY < REST_STEPS;
}

// Islands of forces and joints without contacts are linear systems, which Newton's method solves in a step: what a
// coarse tolerance would leave of them are errors of springs that nobody asked for.
static const double smooth_tolerance = 1e-8;

static void deepen_smooth(crm_lcp *lcp) {
    bool *touches = lcp->history.touches;
    for (int s = 0; s < lcp->problem.bodies.count; s++) touches[s] = false;
    for (int c = 0; c < lcp->problem.contacts.count; c++) {
        const crm_rigid_contact *contact = &lcp->problem.contacts.items[c];
        if (contact->a >= 0) touches[contact->a] = true;
        if (contact->b >= 0) touches[contact->b] = true;
    }
    for (int s = 0; s < lcp->problem.bodies.count; s++)
        if (!touches[s]) lcp->history.resting[s] = smooth_tolerance;
}

// Tolerances of what rests; while it is made ready, whatever came of it before.
static const double *resting_tolerances(const carom_state *state, crm_lcp *lcp) {
    crm_lcp_aim aim = crm_lcp_aim_of(&lcp->def);
    if (!(aim.resting < aim.moving)) return NULL;
    (void)crm_lcp_resting(lcp);
    for (int s = 0; prepares_rest(state, lcp) && s < lcp->problem.bodies.count; s++)
        if (lcp->history.resting[s] > 0.0) lcp->history.resting[s] = nearer_share * aim.resting;
    if (lcp->problem.forces.count > 0) deepen_smooth(lcp);
    return lcp->history.resting;
}

// What may be spent: one evaluation is kept, for friction that has to be taken away.
static double to_spend(const crm_lcp *lcp) {
    crm_rigid_problem problem = problem_of(lcp);
    return crm_lcp_work_left(lcp) - crm_rigid_evaluation_work(&problem);
}

static crm_rigid_options options_of(const carom_state *state, crm_lcp *lcp) {
    crm_lcp_aim aim = crm_lcp_aim_of(&lcp->def);
    return (crm_rigid_options){.tolerance = aim.sought,
                               .resting = resting_tolerances(state, lcp),
                               .velocity_scale = crm_lcp_velocity_scale(state),
                               .least_scale = lcp->least_scale,
                               .sweeps = aim.sweeps,
                               .work = share_of_work * to_spend(lcp),
                               .threads = state->method.threads,
                               .interrupt = crm_state_interrupt(state)};
}

typedef enum task { SOLVE, EVALUATE } task;

// Leaves velocities of rows, changes of bodies and the islands in `lcp`.
static carom_status run(const carom_state *state, crm_lcp *lcp, task what, carom_error *error) {
    crm_rigid_problem problem = problem_of(lcp);
    crm_rigid_options options = options_of(state, lcp);
    crm_rigid_report *solved = &lcp->solved;
    if (crm_state_interrupted(state)) return crm_fail_interrupted(error);
    double *impulse = lcp->problem.impulse.items, *velocity = lcp->velocity.items;
    carom_status status =
        what == SOLVE
            ? crm_rigid_solve(lcp->lean, &problem, &options, impulse, velocity, lcp->change, solved, error)
            : crm_rigid_evaluate(lcp->lean, &problem, &options, impulse, velocity, lcp->change, solved, error);
    if (status == CAROM_OK && crm_state_interrupted(state)) status = crm_fail_interrupted(error);
    if (status == CAROM_OK) lcp->work += solved->work;
    return status;
}

// Newton's steps after sweeps are as planned, no fallback.
static void add_iterations(const crm_lcp *lcp, carom_step_report *report) {
    report->iterations += lcp->solved.iterations;
    report->solver = lcp->solved.solver;
}

// ---- what is about to rest
//
// Impulses that are taken over from step to step must balance the forces far better than any tolerance asks for, or
// bodies get faster with every step. Gaps stand against that: those of redundant contacts cannot all be closed to the
// last digit. So contacts that press and are closed as far as the tolerance goes count as closed: velocities that
// vanish keep their laws, and some Newton steps find impulses for these to rounding. What that costs is the residual of
// the problem as it is, which is evaluated then.

// Of the tolerance of what rests: offsets that count as none, the true residual then, what is solved to; work a
// contact, in units.
static const double closed_share = 0.5, rest_share = 0.6, balanced_share = 1e-6, balancing_work = 5e3;

// What is balanced, as the solver takes it. False: nothing.
static bool choose_islands(const carom_state *state, crm_lcp *lcp) {
    bool now = prepares_rest(state, lcp) || lcp->rest.drifted, any = false; // what has crept may rest again
    double tolerance = balanced_share * crm_lcp_aim_of(&lcp->def).resting;
    for (int s = 0; lcp->rest.model != NULL && now && s < lcp->problem.bodies.count; s++) {
        bool rests = crm_lcp_rests(lcp, lcp->problem.body_of[s]);
        lcp->history.resting[s] = rests ? tolerance : 0.0;
        any |= rests;
    }
    return any;
}

static bool keep_problem(const carom_model *model, crm_lcp *lcp) {
    int rows = lcp->problem.impulse.count, contacts = lcp->problem.contacts.count;
    if (!CRM_ARRAY_RESIZE(&model->allocator, &lcp->answer, rows) ||
        !CRM_ARRAY_RESIZE(&model->allocator, &lcp->driven, rows))
        return false;
    if (rows > 0) memcpy(lcp->answer.items, lcp->problem.impulse.items, (size_t)rows * sizeof(double));
    for (int c = 0; c < contacts; c++) lcp->driven.items[c] = lcp->problem.contacts.items[c].offset;
    return true;
}

// Islands with a contact that presses and is not closed are left alone: they do not count as resting.
static void close_contacts(crm_lcp *lcp) {
    double most = closed_share * crm_lcp_aim_of(&lcp->def).resting;
    for (int c = 0; c < lcp->problem.contacts.count; c++) {
        crm_rigid_contact *contact = &lcp->problem.contacts.items[c];
        double closed = most * lcp->solved.island[lcp->solved.island_of_contact[c]].scale;
        if (!(lcp->problem.impulse.items[3 * (ptrdiff_t)c] > 0.0)) continue;
        if (fabs(contact->offset) <= closed) {
            contact->offset = 0.0;
            continue;
        }
        if (contact->a >= 0) lcp->history.resting[contact->a] = 0.0;
        if (contact->b >= 0) lcp->history.resting[contact->b] = 0.0;
    }
}

// Islands that would not rest have the impulses that they had, which close their gaps. True: there were any.
static bool restore_impulses(crm_lcp *lcp) {
    const crm_rigid_report *solved = &lcp->solved;
    double most = rest_share * crm_lcp_aim_of(&lcp->def).resting, *r = lcp->problem.impulse.items,
           *was = lcp->answer.items;
    bool any = false;
    for (int i = 0; i < solved->islands; i++) any |= !(solved->island[i].residual <= most);
    for (int c = 0; any && c < lcp->problem.contacts.count; c++, r += 3, was += 3)
        if (!(solved->island[solved->island_of_contact[c]].residual <= most)) memcpy(r, was, 3 * sizeof *r);
    for (int i = 0; any && i < lcp->problem.blocks.count; i++) {
        int rows = lcp->problem.blocks.items[i].rows;
        if (!(solved->island[solved->island_of_block[i]].residual <= most)) memcpy(r, was, (size_t)rows * sizeof *r);
        r += rows, was += rows;
    }
    return any;
}

static carom_status balance(const carom_state *state, crm_lcp *lcp, carom_error *error) {
    crm_rigid_problem problem = problem_of(lcp);
    crm_rigid_options options = options_of(state, lcp);
    double most = to_spend(lcp) - 2.0 * crm_rigid_evaluation_work(&problem);
    if (most < crm_rigid_least_work(&problem) || !choose_islands(state, lcp)) return CAROM_OK;
    options.tolerance = INFINITY; // what moves stays as it is
    options.resting = lcp->history.resting;
    options.sweeps = 0;
    options.polish = true;
    options.work = fmin(options.work, balancing_work * (lcp->problem.contacts.count + lcp->problem.blocks.count));
    options.work = fmin(options.work, most);
    if (!keep_problem(state->model, lcp)) return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for a problem");
    close_contacts(lcp);
    carom_status status = crm_rigid_solve(lcp->lean, &problem, &options, lcp->problem.impulse.items,
                                          lcp->velocity.items, lcp->change, &lcp->solved, error);
    if (status != CAROM_OK) return status;
    lcp->work += lcp->solved.work;
    for (int c = 0; c < lcp->problem.contacts.count; c++) lcp->problem.contacts.items[c].offset = lcp->driven.items[c];
    status = run(state, lcp, EVALUATE, error);
    return status == CAROM_OK && restore_impulses(lcp) ? run(state, lcp, EVALUATE, error) : status;
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
    crm_rigid_problem problem = problem_of(lcp);
    double kept = lcp->work_kept, evaluation = crm_rigid_evaluation_work(&problem);
    double most = share_of_doubt * (to_spend(lcp) - evaluation);
    if (most < crm_lcp_general_least(lcp)) return CAROM_OK;
    lcp->work_kept = kept + crm_lcp_work_left(lcp) - most;
    carom_status status = crm_lcp_solve_doubtful(state, lcp, report, error);
    lcp->work_kept = kept;
    return status == CAROM_OK ? run(state, lcp, EVALUATE, error) : status;
}

static carom_status solve_once(const carom_state *state, crm_lcp *lcp, carom_step_report *report, carom_error *error) {
    carom_status status = run(state, lcp, SOLVE, error);
    if (status != CAROM_OK) return status;
    add_iterations(lcp, report);
    status = balance(state, lcp, error);
    if (status != CAROM_OK) return status;
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
    crm_rigid_problem problem = problem_of(lcp);
    if (lcp->def.friction != CAROM_FRICTION_CONE) return CAROM_OK; // the residual's law is the cone's
    for (int round = 0; round < MOST_CLEARINGS && status == CAROM_OK && to_spend(lcp) >= 0.0; round++) {
        int unmet = lcp->solved.unmet;
        if (!crm_lcp_drop_backward_friction(lcp)) break;
        status = run(state, lcp, EVALUATE, error);
        if (status != CAROM_OK || lcp->solved.unmet <= unmet || round >= MOST_SOLUTIONS) continue;
        if (to_spend(lcp) < crm_rigid_least_work(&problem)) continue;
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
    int worst = lcp->solved.worst >= 0 ? lcp->solved.island[lcp->solved.worst].body : -1;
    crm_lcp_note_residual(lcp->solved.residual, worst >= 0 ? lcp->problem.body_of[worst] : -1, report);
    lcp->missed |= is_missed(lcp);
    return CAROM_OK;
}

// Of one solution, whichever way: written down, evaluated, and evaluated once more where friction is taken away.
static double least_work(const crm_lcp *lcp) {
    crm_rigid_problem problem = problem_of(lcp);
    return lcp->by_islands ? crm_rigid_least_work(&problem) + crm_rigid_evaluation_work(&problem)
                           : crm_lcp_general_least(lcp);
}

carom_status crm_lcp_solve(const carom_state *state, crm_lcp *lcp, carom_step_report *report, carom_error *error) {
    lcp->by_islands = crm_lcp_is_lean(state->model, lcp);
    if (lcp->solutions_left > 0) lcp->solutions_left--;
    lcp->work_kept = lcp->solutions_left * least_work(lcp);
    return lcp->by_islands ? solve_lean(state, lcp, report, error) : crm_lcp_solve_general(state, lcp, report, error);
}
