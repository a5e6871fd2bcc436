// SPDX-License-Identifier: MIT
// The public calls: check, split into islands, solve each, judge the whole.
#include "carom/solve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "solve/infeasible.h"
#include "solve/islands.h"
#include "solve/residual.h"
#include "solve/state.h"

typedef struct solver_entry {
    const char *name;
    crm_solver_run *run;
} solver_entry;

static const solver_entry solvers[CAROM_SOLVER_COUNT] = {
    [CAROM_SOLVER_AUTO] = {"auto", crm_solve_auto},
    [CAROM_SOLVER_LEMKE] = {"lemke", crm_solve_pyramids},
    [CAROM_SOLVER_MIN_MAP] = {"min-map", crm_solve_pyramids},
    [CAROM_SOLVER_GAUSS_SEIDEL] = {"gauss-seidel", crm_gauss_seidel},
    [CAROM_SOLVER_SEMISMOOTH] = {"semismooth", crm_solve_semismooth},
    [CAROM_SOLVER_SMOOTHING] = {"smoothing", crm_solve_smoothing},
    [CAROM_SOLVER_INTERIOR] = {"interior", crm_solve_interior},
    [CAROM_SOLVER_ADMM] = {"admm", crm_solve_admm},
};

const char *carom_solver_name(carom_solver solver) {
    return (int)solver >= 0 && solver < CAROM_SOLVER_COUNT ? solvers[solver].name : "?";
}

carom_solve_options carom_solve_options_default(void) {
    return (carom_solve_options){.solver = CAROM_SOLVER_AUTO, .tolerance = 1e-8, .pyramid_sides = 8, .threads = 1};
}

carom_status carom_solver_create(const carom_allocator *allocator, carom_solver_state **out, carom_error *error) {
    carom_allocator hook = allocator != NULL ? *allocator : carom_allocator_default();
    *out = NULL;
    carom_solver_state *state = hook.allocate(hook.user, sizeof *state);
    if (state == NULL) return crm_fail_memory(error, "a solver's state", sizeof *state);
    state->allocator = hook;
    crm_arena_init(&state->arena, &hook);
    *out = state;
    return CAROM_OK;
}

void carom_solver_destroy(carom_solver_state *state) {
    if (state == NULL) return;
    carom_allocator hook = state->allocator;
    crm_arena_free(&state->arena);
    hook.release(hook.user, state, sizeof *state);
}

static carom_status check_options(const carom_solve_options *options, carom_error *error) {
    if ((int)options->solver < 0 || options->solver >= CAROM_SOLVER_COUNT)
        return crm_fail(error, CAROM_ERR_BAD_INPUT, "there is no solver number %d", (int)options->solver);
    if (!(options->tolerance > 0.0) || !isfinite(options->tolerance))
        return crm_fail(error, CAROM_ERR_BAD_INPUT, "tolerance is %g, must be positive", options->tolerance);
    if (!(options->velocity_scale >= 0.0) || !isfinite(options->velocity_scale))
        return crm_fail(error, CAROM_ERR_BAD_INPUT, "velocity_scale is %g m/s, must not be negative",
                        options->velocity_scale);
    if (options->iterations < 0)
        return crm_fail(error, CAROM_ERR_BAD_INPUT, "iterations is %d, must not be negative", options->iterations);
    if (options->pyramid_sides < 4 || options->pyramid_sides % 2 != 0)
        return crm_fail(error, CAROM_ERR_BAD_INPUT, "pyramid_sides is %d, must be even and at least 4",
                        options->pyramid_sides);
    if (options->threads < 1)
        return crm_fail(error, CAROM_ERR_BAD_INPUT, "threads is %d, must be at least 1", options->threads);
    return CAROM_OK;
}

// ---- the judge

static carom_status judge_whole(crm_arena *arena, const carom_problem *problem, const crm_layout *layout,
                                double velocity_scale, const double *impulse, double *relative, double *velocity,
                                carom_residual_report *out, carom_error *error) {
    crm_operator op;
    carom_status status = crm_operator_build(problem, layout, NULL, arena, &op, error);
    if (status != CAROM_OK) return status;
    int work_size = crm_residual_work(&op);
    double *work = CRM_ARENA_ARRAY(arena, double, work_size);
    double *u = relative != NULL ? relative : CRM_ARENA_ARRAY(arena, double, op.row_count);
    if (work == NULL || u == NULL) return crm_fail_memory(error, "the residual", sizeof(double) * (size_t)work_size);
    crm_residual_of(&op, velocity_scale, impulse, work, u, out);
    if (velocity != NULL && op.form != CAROM_FORM_DELASSUS) crm_operator_velocity(&op, impulse, work, velocity);
    return CAROM_OK;
}

carom_status carom_residual(carom_solver_state *state, const carom_problem *problem, double velocity_scale,
                            const double *impulse, double *relative, carom_residual_report *out, carom_error *error) {
    if (!(velocity_scale >= 0.0) || !isfinite(velocity_scale))
        return crm_fail(error, CAROM_ERR_BAD_INPUT, "velocity_scale is %g m/s, must not be negative", velocity_scale);
    crm_arena_reset(&state->arena);
    crm_layout layout;
    carom_status status = crm_problem_lay_out(problem, &state->arena, &layout, error);
    if (status != CAROM_OK) return status;
    status = crm_check_finite(impulse, layout.row_count, "impulse", error);
    if (status != CAROM_OK) return status;
    return judge_whole(&state->arena, problem, &layout, velocity_scale, impulse, relative, NULL, out, error);
}

// ---- solving

// Solves one island in place. The guess of a cold start is zero.
static carom_status solve_island(crm_arena *arena, const carom_problem *problem, const crm_layout *layout,
                                 const crm_selection *island, const carom_solve_options *options, double *impulse,
                                 crm_stage *stage, carom_error *error) {
    crm_operator op;
    carom_status status = crm_operator_build(problem, layout, island, arena, &op, error);
    if (status != CAROM_OK) return status;
    double *r = CRM_ARENA_ZEROED(arena, double, op.row_count);
    if (r == NULL) return crm_fail_memory(error, "impulses", sizeof(double) * (size_t)op.row_count);
    if (options->warm) crm_operator_gather(&op, impulse, r);
    *stage = (crm_stage){.solver = options->solver};
    status = solvers[options->solver].run(&op, options, arena, r, stage, error);
    // Who bounds the iterations bounds the time, and gets no search for a proof.
    if (status == CAROM_OK && stage->outcome == CAROM_SOLVE_NOT_MET && options->iterations == 0)
        status = crm_infeasible_tell(&op, arena, stage, error);
    if (status == CAROM_OK) crm_operator_scatter(&op, r, impulse);
    return status;
}

static carom_status solve_islands(crm_arena *arena, const carom_problem *problem, const crm_layout *layout,
                                  const carom_solve_options *options, double *impulse, carom_solve_report *report,
                                  carom_error *error) {
    crm_islands islands;
    carom_status status = crm_islands_find(problem, layout, arena, &islands, error);
    if (status != CAROM_OK) return status;
    report->islands = islands.count;
    for (int k = 0; k < islands.count; k++) {
        crm_selection island = crm_islands_get(&islands, k);
        crm_mark mark = crm_arena_mark(arena);
        crm_stage stage;
        status = solve_island(arena, problem, layout, &island, options, impulse, &stage, error);
        crm_arena_release(arena, mark);
        if (status != CAROM_OK) return status;
        if (k == 0) report->solver = stage.solver;
        report->iterations += stage.iterations;
        report->factorizations += stage.factorizations;
        // The words of the worst island, of equally bad ones of that which took most.
        bool worse = stage.outcome > report->outcome;
        if (worse || (stage.outcome == report->outcome && strlen(stage.tried) > strlen(report->tried)))
            memcpy(report->tried, stage.tried, sizeof report->tried);
        if (worse) report->outcome = stage.outcome;
    }
    return CAROM_OK;
}

carom_status carom_solve(carom_solver_state *state, const carom_problem *problem, const carom_solve_options *options,
                         double *impulse, double *velocity, carom_solve_report *report, carom_error *error) {
    carom_solve_options chosen = options != NULL ? *options : carom_solve_options_default();
    carom_status status = check_options(&chosen, error);
    if (status != CAROM_OK) return status;
    crm_arena *arena = &state->arena;
    crm_arena_reset(arena);
    crm_layout layout;
    status = crm_problem_lay_out(problem, arena, &layout, error);
    if (status == CAROM_OK && chosen.warm) status = crm_check_finite(impulse, layout.row_count, "impulse", error);
    if (status != CAROM_OK) return status;

    carom_solve_report result = {.outcome = CAROM_SOLVE_MET, .solver = chosen.solver};
    status = solve_islands(arena, problem, &layout, &chosen, impulse, &result, error);
    if (status == CAROM_OK)
        status = judge_whole(arena, problem, &layout, chosen.velocity_scale, impulse, NULL, velocity, &result.residual,
                             error);
    if (status != CAROM_OK) return status;
    if (result.outcome != CAROM_SOLVE_INFEASIBLE)
        result.outcome = crm_residual_outcome(&result.residual, chosen.tolerance);
    if (result.tried[0] == '\0') snprintf(result.tried, sizeof result.tried, "%s", carom_solver_name(result.solver));
    if (report != NULL) *report = result;
    return CAROM_OK;
}
