// SPDX-License-Identifier: MIT
// What every solver of nonlinear programs is: a program and a start enter, a point with multipliers and the truth about
// it leaves.
//
// The room solver/: plans ask for a solution here. ipopt.c hands programs to Ipopt.
#ifndef CRM_CONTROL_PROGRAM_SOLVER_H
#define CRM_CONTROL_PROGRAM_SOLVER_H

#include "control/program/evaluator.h"

// Start and result. The Lagrangian is f + sum_r multiplier[r] c_r - bound_lower . z + bound_upper . z: multipliers of
// rows are positive at upper bounds and negative at lower ones, those of bounds never negative.
typedef struct crm_program_point {
    double *z;                         // (unknown_count)
    double *multiplier;                // (row_count)
    double *bound_lower, *bound_upper; // (unknown_count)
} crm_program_point;

typedef struct crm_program_settings {
    double tolerance; // of violation, scaled optimality and complementarity
    int iteration_limit;
    double barrier; // at the start; 0: 0.1
    bool warm;      // the start's multipliers count, and the start is near the solution
} crm_program_settings;

typedef enum crm_program_outcome {
    CRM_PROGRAM_SOLVED,      // first-order conditions to the tolerance
    CRM_PROGRAM_FEASIBLE,    // rows to the tolerance, the rest not
    CRM_PROGRAM_INFEASIBLE,  // a place of least violation, which is not 0
    CRM_PROGRAM_STUCK,       // neither: limit of iterations, a step that cannot be made
    CRM_PROGRAM_INTERRUPTED, // by the callback
} crm_program_outcome;

typedef struct crm_program_result {
    crm_program_outcome outcome;
    int iterations, factorizations;
    double objective, violation;
    double optimality, complementarity; // of the Lagrangian's gradient and of products of bounds, largest, scaled
    bool inertia_right;                 // of the last step without a regularization: a strict local minimum
    double seconds;                     // of this thread's processor time
} crm_program_result;

// Called after every iteration; false ends the solution.
typedef bool crm_program_callback(void *user, int iteration, double objective, double violation, double optimality,
                                  double barrier);

typedef carom_status crm_program_solver(const crm_program *program, const crm_program_settings *settings,
                                        crm_program_callback *callback, void *user, crm_program_point *point,
                                        crm_program_result *result, crm_arena *arena, carom_error *error);

// By Ipopt with MUMPS. `callback` may be NULL. Not from several threads at once: MUMPS has state of its own.
crm_program_solver crm_solve_program_by_ipopt;

// A point of zeros in the arena.
carom_status crm_program_point_create(const crm_program *program, crm_arena *arena, crm_program_point *out,
                                      carom_error *error);

// Fills violation, optimality, complementarity and objective of a result from the program alone, whatever the solver
// says. False where the program cannot be evaluated there.
bool crm_program_measure(const crm_evaluator *evaluator, const crm_program_point *point, crm_arena *arena,
                         crm_program_result *result);

#endif
