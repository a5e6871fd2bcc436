// SPDX-License-Identifier: MIT
// The islands of a problem, each by itself: packed, solved or only evaluated, on several threads.
//
// An island's bits depend on the island alone, and everything that is put together from islands is put together in
// their order: the number of threads changes nothing but the time.
#ifndef CRM_SOLVE_ISLAND_SOLVE_H
#define CRM_SOLVE_ISLAND_SOLVE_H

#include "base/pool.h"
#include "solve/islands.h"
#include "solve/residual.h"
#include "solve/solver_state.h"

// What to do with the islands.
typedef struct crm_island_task {
    const carom_problem *problem;
    const crm_layout *layout;
    const crm_islands *islands;
    const carom_solve_options *options;
    crm_solver_run *run; // NULL: only the residual of the impulses is wanted
    double *impulse;     // of the problem (rows)
    double *relative;    // gets u (rows); may be NULL
    double *velocity;    // gets v of the nodes in islands; may be NULL
    const crm_island_wishes *wishes;
} crm_island_task;

// What came of all of them.
typedef struct crm_island_result {
    carom_solve_outcome outcome;    // the worst
    carom_residual_report residual; // of the island with the largest, the first of equals
    carom_solver solver;            // of the worst island
    int fallbacks;                  // of the worst island
    bool unexplained;               // one is not solved that is neither infeasible nor jammed
    int iterations, factorizations;
    double work;
    double pyramids;
    char tried[CAROM_TRIED_TEXT]; // of the worst island
} crm_island_result;

// Makes the state ready for so many threads; allocates when they are not those of the last call.
carom_status crm_state_set_threads(carom_solver_state *state, int threads, carom_error *error);
void crm_state_end_threads(carom_solver_state *state);

carom_status crm_islands_run(carom_solver_state *state, const crm_island_task *task, crm_island_result *out,
                             carom_error *error);

#endif
