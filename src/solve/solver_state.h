// SPDX-License-Identifier: MIT
// What the public calls keep between problems, and how they call a solver.
//
// solve/ knows rows, not bodies. A contact problem enters (carom/solve.h; from step/, or from a file: file/), impulses,
// velocities and a report leave. solve.c checks and splits it into islands, island_solve.c packs each into an operator
// and runs one of the solvers below on it; `auto` is the fallback cascade of sweeps/ and newton/ (cascade.c). dense/
// serves Lemke and min-map, infeasible/ proves that there is no solution. The residual evaluator has the last word.
#ifndef CRM_SOLVE_SOLVER_STATE_H
#define CRM_SOLVE_SOLVER_STATE_H

#include "base/arena.h"
#include "base/pool.h"
#include "carom/solve.h"
#include "solve/coupled/coupled_problem.h"
#include "solve/operator.h"

// What one island has to say to the user.
typedef struct crm_island_words {
    carom_solve_outcome outcome;
    int island;
    char tried[CAROM_TRIED_TEXT];
} crm_island_words;

// One of the threads that islands are shared out to: its memory, and what it met.
typedef struct crm_worker {
    crm_arena arena; // emptied by every call, never given back
    int failed_island;
    carom_error error; // of that island
    crm_island_words words;
} crm_worker;

struct carom_solver_state {
    carom_allocator allocator;
    crm_arena arena; // of the problem as a whole; emptied by every call, never given back
    crm_coupled_mass mass;
    crm_pool *pool; // NULL for one thread
    int worker_count;
    crm_worker *worker; // (worker_count)
};

// Additions and multiplications that go into a unit of work (carom_solve_options.work), of the general solvers.
#define CRM_FLOPS_A_UNIT 6.0
// Work units a group: of being checked, written down and evaluated, once or with a guess before and a solution after;
// the same of being made ready for Newton's method; of a sweep.
#define CRM_EVALUATION_WORK 1500.0
#define CRM_NEWTON_OPEN_WORK 1500.0
#define CRM_SWEEP_WORK (500.0 / CRM_FLOPS_A_UNIT)

// What one solver made of one island.
typedef struct crm_stage {
    carom_solver solver;
    carom_solve_outcome outcome;
    carom_residual_report residual; // of the impulses returned, by crm_residual_of
    int iterations, factorizations;
    double work;                  // units taken
    bool searched;                // for a proof that there is no solution
    bool jammed;                  // that is how it was found to be (infeasible.h)
    int fallbacks;                // solvers that gave up before this one
    double pyramids;              // residual of the problem with pyramids, of those who solve that; 0 for others
    char tried[CAROM_TRIED_TEXT]; // what was tried, with the best residual after it; empty for a solver that tries one
                                  // thing
} crm_stage;

// Improves `impulse` (rows of the operator), which holds the guess: zeros unless options->warm. Scratch comes from the
// arena, which the caller releases. Fails only for want of memory; what the impulses are worth is in the stage.
typedef carom_status crm_solver_run(const crm_operator *op, const carom_solve_options *options, crm_arena *arena,
                                    double *impulse, crm_stage *stage, carom_error *error);

// What became of one island.
typedef struct crm_island_verdict {
    carom_residual_report residual;
    carom_solve_outcome outcome;
    bool jammed; // not met, as friction holds against the offsets
    int node;    // its lowest one; -1: it has none
} crm_island_verdict;

// Factored masses that the caller keeps from problem to problem. Those of the problem's coupled nodes and its couplings
// are not read then.
typedef struct crm_kept_mass {
    crm_coupled_mass *mass;
    crm_coupled_nodes nodes;
} crm_kept_mass;

// What callers within the library ask for besides, island by island.
typedef struct crm_island_wishes {
    const double *least_scale; // of a node: velocity_scale of its island is no less; NULL: 0 (nodes)
    const bool *left;          // of a group: its island is evaluated only, and keeps its impulses; NULL: none (groups)
    crm_island_verdict *verdict; // gets that of the group's island; may be NULL (groups)
    const crm_kept_mass *kept;   // coupled masses of the problem; NULL: those of its couplings, factored by the call
} crm_island_wishes;

// As carom_solve, and as carom_residual_evaluate without relative velocities.
carom_status crm_solve_islands(carom_solver_state *state, const carom_problem *problem,
                               const carom_solve_options *options, const crm_island_wishes *wishes, double *impulse,
                               double *velocity, carom_solve_report *report, carom_error *error);
carom_status crm_evaluate_islands(carom_solver_state *state, const carom_problem *problem,
                                  const carom_solve_options *options, const crm_island_wishes *wishes,
                                  const double *impulse, carom_residual_report *out, carom_error *error);

crm_solver_run crm_gauss_seidel, crm_solve_auto, crm_solve_semismooth, crm_solve_smoothing, crm_solve_interior;
crm_solver_run crm_solve_pyramids;

#endif
