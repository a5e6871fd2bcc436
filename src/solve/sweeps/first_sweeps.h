// SPDX-License-Identifier: MIT
// What `auto` does for an island before Newton's method: accelerated sweeps, and local refinement.
#ifndef CRM_SOLVE_FIRST_SWEEPS_H
#define CRM_SOLVE_FIRST_SWEEPS_H

#include "solve/solver_state.h"
#include "solve/sweeps/accelerate.h"

// Sweeps at most, and how often they are asked where they lead.
enum { CRM_FIRST_SWEEPS = 4000, CRM_SWEEP_BATCH = 6 };

typedef struct crm_first_sweeps {
    const crm_operator *op;             // these are borrowed
    const carom_solve_options *options; //
    crm_arena *arena;                   //
    crm_stage *report;                  //
    double *best;                       // impulses by the report's residual (rows)
    double *rough;                      // of the sweeps (rows)
    double *residual_work, *residual_u;
    crm_sweep sweep; // on `rough`; not there before crm_first_sweeps_prepare
    crm_accelerated_sweep accelerated;
    int sweeps;                                           // since the last local refinement, in whole batches
    double goal;                                          // residual at which sweeps end: the tolerance, or less
    double speed;                                         // of the problem
    double aim;                                           // change of a sweep at which to evaluate the residual
    double trail[CRM_FIRST_SWEEPS / CRM_SWEEP_BATCH + 1]; // change after each batch
} crm_first_sweeps;

// Evaluates the residual of the guess that `impulse` holds: the report has it then.
carom_status crm_first_sweeps_open(const crm_operator *op, const carom_solve_options *options, crm_arena *arena,
                                   double *impulse, crm_stage *report, crm_first_sweeps *out, carom_error *error);

// Adds what was tried and the residual after it to the report's words.
void crm_stage_note(crm_stage *report, const char *name, double residual);

// Makes the sweep ready, for the residual `goal`.
carom_status crm_first_sweeps_prepare(crm_first_sweeps *s, double goal, carom_error *error);

// Sweeps, as long as they lead to the goal for less than what Newton's method costs at least.
void crm_first_sweeps_run(crm_first_sweeps *s);

// The same once it is known how many units of work one of its steps takes, with local refinement
// where that is much; elsewhere only if `cheap` steps may be saved, too.
carom_status crm_first_sweeps_go_on(crm_first_sweeps *s, double price_of_step, bool cheap, carom_error *error);

#endif
