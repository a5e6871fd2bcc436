// SPDX-License-Identifier: MIT
// The public calls: check, split into islands, solve each, evaluate the residual of each.
#include "carom/solve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "solve/island_solve.h"

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
};

const char *carom_solver_name(carom_solver solver) {
    return (int)solver >= 0 && solver < CAROM_SOLVER_COUNT ? solvers[solver].name : "?";
}

carom_solve_options carom_solve_options_default(void) {
    return (carom_solve_options){.struct_size = sizeof(carom_solve_options),
                                 .solver = CAROM_SOLVER_AUTO,
                                 .tolerance = 1e-8,
                                 .pyramid_sides = 8,
                                 .work = 2e10,
                                 .threads = 1};
}

carom_status carom_solver_state_create(const carom_allocator *allocator, carom_solver_state **out, carom_error *error) {
    CRM_NEED(out, error);
    carom_allocator hook = allocator != NULL ? *allocator : carom_allocator_default();
    *out = NULL;
    carom_solver_state *state = hook.allocate(hook.user, sizeof *state);
    if (state == NULL) return crm_fail_memory(error, "a solver's state", sizeof *state);
    *state = (carom_solver_state){.allocator = hook};
    crm_arena_init(&state->arena, &hook);
    crm_coupled_mass_init(&state->mass, &hook);
    *out = state;
    return CAROM_OK;
}

void carom_solver_state_destroy(carom_solver_state *state) {
    if (state == NULL) return;
    carom_allocator hook = state->allocator;
    crm_state_end_threads(state);
    crm_arena_free(&state->arena);
    crm_coupled_mass_free(&state->mass);
    hook.release(hook.user, state, sizeof *state);
}

static carom_status check_options(const carom_solve_options *options, carom_error *error) {
    if ((int)options->solver < 0 || options->solver >= CAROM_SOLVER_COUNT)
        return crm_refuse(error, "there is no solver number %d", (int)options->solver);
    if (!(options->tolerance > 0.0) || !isfinite(options->tolerance))
        return crm_refuse(error, "tolerance is %g, must be positive", options->tolerance);
    if (!(options->velocity_scale >= 0.0) || !isfinite(options->velocity_scale))
        return crm_refuse(error, "velocity_scale is %g m/s, must not be negative", options->velocity_scale);
    if (options->iterations < 0)
        return crm_refuse(error, "iterations is %d, must not be negative", options->iterations);
    if (options->pyramid_sides < 4 || options->pyramid_sides % 2 != 0)
        return crm_refuse(error, "pyramid_sides is %d, must be even and at least 4", options->pyramid_sides);
    if (options->threads < 1 || options->threads > CRM_POOL_MOST_THREADS)
        return crm_refuse(error, "threads is %d, must be 1 to %d", options->threads, CRM_POOL_MOST_THREADS);
    if (!(options->work > 0.0) || !isfinite(options->work))
        return crm_refuse(error, "work is %g units, must be positive", options->work);
    return CAROM_OK;
}

static carom_status check_state(const carom_solver_state *state, carom_error *error) {
    if (state == NULL) return crm_refuse(error, "the solver's state is missing; carom_solver_state_create makes one");
    return CAROM_OK;
}

static carom_status check_impulse(const double *impulse, int rows, bool given, carom_error *error) {
    if (rows > 0 && impulse == NULL) return crm_refuse(error, "impulse is missing, must have %d numbers", rows);
    return given ? crm_check_finite(impulse, rows, "impulse", error) : CAROM_OK;
}

// A problem, checked, and as solvers take it: coupled nodes are eliminated, so that only impulses are left.
typedef struct prepared {
    crm_layout layout; // of the problem
    bool coupled;
    crm_coupled_nodes nodes;
    carom_problem reduced; // where nodes are coupled
    crm_layout reduced_layout;
    crm_islands islands;
} prepared;

static carom_status reduce(carom_solver_state *state, const carom_problem *problem, const crm_kept_mass *kept,
                           prepared *p, carom_error *error) {
    crm_coupled_mass *mass = kept != NULL ? kept->mass : &state->mass;
    carom_status status = CAROM_OK;
    if (kept != NULL)
        p->nodes = kept->nodes;
    else
        status = crm_coupled_nodes_make(problem, mass, &state->arena, &p->nodes, error);
    if (status == CAROM_OK)
        status = crm_coupled_reduce(problem, &p->layout, &p->nodes, mass, &state->arena, &p->reduced, error);
    // It was made here, of what has been checked: groups and rows are the same.
    p->reduced_layout = (crm_layout){.row_count = p->layout.row_count, .row_start = p->layout.row_start};
    return status;
}

// The problem that is solved, and its layout.
static const carom_problem *solved(const prepared *p, const carom_problem *problem) {
    return p->coupled ? &p->reduced : problem;
}

static const crm_layout *solved_layout(const prepared *p) {
    return p->coupled ? &p->reduced_layout : &p->layout;
}

// Checks the problem and finds its islands, in an arena that has been emptied.
static carom_status prepare(carom_solver_state *state, const carom_problem *problem, const crm_kept_mass *kept,
                            int threads, prepared *p, carom_error *error) {
    crm_arena_reset(&state->arena);
    carom_status status = crm_problem_lay_out(problem, &state->arena, &p->layout, error);
    if (status != CAROM_OK) return status;
    p->coupled = kept != NULL || problem->coupling_count > 0;
    if (p->coupled) status = reduce(state, problem, kept, p, error);
    if (status == CAROM_OK)
        status = crm_islands_find(solved(p, problem), solved_layout(p), &state->arena, &p->islands, error);
    if (status == CAROM_OK) status = crm_state_set_threads(state, threads, error);
    return status;
}

// The islands as they are, by these impulses; options: velocity_scale and tolerance.
static carom_status evaluate(carom_solver_state *state, const carom_problem *problem,
                             const carom_solve_options *options, const crm_island_wishes *wishes, const double *impulse,
                             double *relative, carom_residual_report *out, carom_error *error) {
    prepared p;
    carom_status status = check_state(state, error);
    if (status != CAROM_OK) return status;
    int threads = state->worker_count > 0 ? state->worker_count : 1;
    status = prepare(state, problem, wishes->kept, threads, &p, error);
    if (status == CAROM_OK) status = check_impulse(impulse, p.layout.row_count, true, error);
    if (status != CAROM_OK) return status;
    crm_island_task task = {.problem = solved(&p, problem),
                            .layout = solved_layout(&p),
                            .islands = &p.islands,
                            .options = options,
                            .impulse = (double *)impulse, // only read, as nothing runs
                            .relative = relative,
                            .wishes = wishes};
    crm_island_result result;
    status = crm_islands_run(state, &task, &result, error);
    if (status == CAROM_OK) *out = result.residual;
    return status;
}

carom_status carom_residual_evaluate(carom_solver_state *state, const carom_problem *problem, double velocity_scale,
                                     const double *impulse, double *relative, carom_residual_report *out,
                                     carom_error *error) {
    if (!(velocity_scale >= 0.0) || !isfinite(velocity_scale))
        return crm_refuse(error, "velocity_scale is %g m/s, must not be negative", velocity_scale);
    carom_solve_options options = carom_solve_options_default();
    options.velocity_scale = velocity_scale;
    return evaluate(state, problem, &options, &(crm_island_wishes){0}, impulse, relative, out, error);
}

carom_status crm_evaluate_islands(carom_solver_state *state, const carom_problem *problem,
                                  const carom_solve_options *options, const crm_island_wishes *wishes,
                                  const double *impulse, carom_residual_report *out, carom_error *error) {
    return evaluate(state, problem, options, wishes, impulse, NULL, out, error);
}

// Nodes that nothing touches are in no island and keep their velocity.
static void write_free_velocities(const carom_problem *problem, const crm_layout *layout, double *velocity) {
    for (int n = 0; n < problem->node_count; n++)
        memcpy(velocity + layout->velocity_start[n], problem->nodes[n].free,
               sizeof(double) * (size_t)problem->nodes[n].size);
}

static carom_status solve(carom_solver_state *state, const carom_problem *problem, const carom_solve_options *options,
                          const crm_island_wishes *wishes, double *impulse, double *velocity,
                          carom_solve_report *report, carom_error *error) {
    carom_status status = CRM_CHECK_OPTIONS(options, carom_solve_options, error);
    if (status != CAROM_OK) return status;
    carom_solve_options chosen = options != NULL ? *options : carom_solve_options_default();
    status = check_options(&chosen, error);
    if (status == CAROM_OK) status = check_state(state, error);
    if (status != CAROM_OK) return status;
    prepared p;
    status = prepare(state, problem, wishes->kept, chosen.threads, &p, error);
    if (status == CAROM_OK) status = check_impulse(impulse, p.layout.row_count, chosen.warm, error);
    if (status != CAROM_OK) return status;
    if (problem->form == CAROM_FORM_DELASSUS) velocity = NULL;
    if (velocity != NULL) write_free_velocities(problem, &p.layout, velocity);

    crm_island_task task = {.problem = solved(&p, problem),
                            .layout = solved_layout(&p),
                            .islands = &p.islands,
                            .options = &chosen,
                            .run = solvers[chosen.solver].run,
                            .impulse = impulse,
                            .velocity = p.coupled ? NULL : velocity,
                            .wishes = wishes};
    crm_island_result found;
    status = crm_islands_run(state, &task, &found, error);
    if (status == CAROM_OK && p.coupled && velocity != NULL &&
        !crm_coupled_velocities(problem, &p.layout, &p.nodes, impulse, &state->arena, velocity))
        status = crm_fail_memory(error, "velocities", sizeof *velocity * (size_t)p.layout.velocity_count);
    if (status != CAROM_OK || report == NULL) return status;
    *report = (carom_solve_report){.outcome = found.outcome,
                                   .residual = found.residual,
                                   .solver = found.solver,
                                   .fallbacks = found.fallbacks,
                                   .islands = p.islands.count,
                                   .iterations = found.iterations,
                                   .factorizations = found.factorizations,
                                   .work = found.work,
                                   .pyramids = found.pyramids};
    report->jammed = report->outcome != CAROM_SOLVE_OUTCOME_MET && !found.unexplained;
    snprintf(report->tried, sizeof report->tried, "%s",
             found.tried[0] != '\0' ? found.tried : carom_solver_name(found.solver));
    return CAROM_OK;
}

carom_status carom_solve(carom_solver_state *state, const carom_problem *problem, const carom_solve_options *options,
                         double *impulse, double *velocity, carom_solve_report *report, carom_error *error) {
    return solve(state, problem, options, &(crm_island_wishes){0}, impulse, velocity, report, error);
}

carom_status crm_solve_islands(carom_solver_state *state, const carom_problem *problem,
                               const carom_solve_options *options, const crm_island_wishes *wishes, double *impulse,
                               double *velocity, carom_solve_report *report, carom_error *error) {
    return solve(state, problem, options, wishes, impulse, velocity, report, error);
}
