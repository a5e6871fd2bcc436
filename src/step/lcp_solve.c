// SPDX-License-Identifier: MIT
// From the problem of a step to impulses: warm, cold, or with less asked for.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "step/lcp.h"

// What gravity adds to velocities in a step: residuals are relative to no less.
static double velocity_scale(const carom_state *state, const crm_lcp *lcp) {
    return fmax(crm_length(state->model->gravity) * state->method.step, lcp->least_scale);
}

static carom_status solve_from(const carom_state *state, crm_lcp *lcp, bool warm, carom_solve_report *out,
                               carom_error *error) {
    carom_problem problem = crm_lcp_problem(state->model, lcp);
    carom_solve_options options = carom_solve_options_default();
    bool pyramid = lcp->def.friction == CAROM_FRICTION_PYRAMID;
    bool own = lcp->def.solver == CAROM_SOLVER_LEMKE || lcp->def.solver == CAROM_SOLVER_MIN_MAP;
    options.solver = pyramid && !own ? CAROM_SOLVER_LEMKE : lcp->def.solver;
    options.tolerance = lcp->def.tolerance;
    options.velocity_scale = velocity_scale(state, lcp);
    options.pyramid_sides = lcp->def.pyramid_sides;
    options.effort = lcp->def.effort;
    options.iterations = lcp->def.iterations;
    options.warm = warm;
    options.threads = state->method.threads;
    return carom_solve(lcp->solver, &problem, &options, lcp->impulse.items, NULL, out, error);
}

// The impulses of the last step can lead a solver astray: what is not met from there is tried from nothing, and the
// better of the two answers stays.
static carom_status solve_cold(const carom_state *state, crm_lcp *lcp, carom_solve_report *solved, carom_error *error) {
    size_t bytes = (size_t)lcp->impulse.count * sizeof(double);
    if (!CRM_ARRAY_RESIZE(&state->model->allocator, &lcp->answer, lcp->impulse.count))
        return crm_fail_memory(error, "impulses", bytes);
    memcpy(lcp->answer.items, lcp->impulse.items, bytes);
    memset(lcp->impulse.items, 0, bytes);
    carom_solve_report cold;
    carom_status status = solve_from(state, lcp, false, &cold, error);
    if (status != CAROM_OK) return status;
    cold.iterations += solved->iterations;
    if (cold.outcome == CAROM_SOLVE_INFEASIBLE || cold.residual.residual < solved->residual.residual) {
        *solved = cold;
        return CAROM_OK;
    }
    solved->iterations = cold.iterations;
    memcpy(lcp->impulse.items, lcp->answer.items, bytes);
    return CAROM_OK;
}

static carom_status solve(const carom_state *state, crm_lcp *lcp, carom_solve_report *out, carom_error *error) {
    int rows = lcp->impulse.count;
    if (!CRM_ARRAY_RESIZE(&state->model->allocator, &lcp->guess, rows))
        return crm_fail_memory(error, "impulses", (size_t)rows * sizeof(double));
    if (rows > 0) memcpy(lcp->guess.items, lcp->impulse.items, (size_t)rows * sizeof(double));
    carom_status status = solve_from(state, lcp, true, out, error);
    bool again = status == CAROM_OK && out->outcome == CAROM_SOLVE_NOT_MET;
    return again && lcp->def.solver == CAROM_SOLVER_AUTO ? solve_cold(state, lcp, out, error) : status;
}

// Rounds of taking away friction that adds energy: each can only uncover what is smaller still.
static const int settle_rounds = 4;

static carom_status settle(const carom_state *state, crm_lcp *lcp, carom_solve_report *solved, carom_error *error) {
    double tolerance = lcp->def.tolerance;
    carom_status status = CAROM_OK;
    for (int round = 0; round < settle_rounds && status == CAROM_OK; round++) {
        lcp->noise = fmax(tolerance, solved->residual.velocity) * solved->residual.scale;
        // The judge's law is the cone's.
        if (state->model->mobility.kind != CAROM_MOBILITY_NONE || lcp->def.friction != CAROM_FRICTION_CONE) break;
        if (!crm_lcp_drop_backward_friction(state->model, state, lcp)) break;
        carom_problem problem = crm_lcp_problem(state->model, lcp);
        status = carom_residual(lcp->solver, &problem, velocity_scale(state, lcp), lcp->impulse.items, NULL,
                                &solved->residual, error);
        if (status == CAROM_OK && !(solved->residual.residual <= tolerance)) status = solve(state, lcp, solved, error);
    }
    return status;
}

carom_status crm_lcp_solve(const carom_state *state, crm_lcp *lcp, carom_step_report *report, carom_error *error) {
    carom_solve_report solved;
    carom_status status = solve(state, lcp, &solved, error);
    if (status == CAROM_OK && solved.outcome == CAROM_SOLVE_INFEASIBLE) {
        report->outcome = CAROM_STEP_BROKEN;
        snprintf(report->text, sizeof report->text,
                 "overlaps or open joints cannot all be undone at once, as some contradict each other; none was");
        crm_lcp_drop_push_out(lcp);
        memset(lcp->impulse.items, 0, (size_t)lcp->impulse.count * sizeof *lcp->impulse.items);
        status = solve(state, lcp, &solved, error);
    }
    if (status == CAROM_OK) status = settle(state, lcp, &solved, error);
    if (status != CAROM_OK) return status;
    bool pyramid = lcp->def.friction == CAROM_FRICTION_PYRAMID;
    report->residual = fmax(report->residual, pyramid ? solved.pyramids : solved.residual.residual);
    report->iterations += solved.iterations;
    report->solver = solved.solver;
    return CAROM_OK;
}
