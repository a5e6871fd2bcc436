// SPDX-License-Identifier: MIT
// A primal-dual interior point method with a filter, after A. Waechter and L. T. Biegler, On the implementation of an
// interior-point filter line-search algorithm for large-scale nonlinear programming, Math. Program. 106 (2006), here
// "WB". Equations (n) below are theirs.
//
// The room interior/: crm_solve_program_by_interior (program_solver.h) enters with a program and a start. Inside, a
// program is reduced (reduced.h: no fixed unknowns, scaled), and a phase (phase.h) moves an iterate: steps (step.h) by
// the condensed matrix (newton_matrix.h), a line search with a filter (filter.h, search.h), the barrier (barrier.h).
// Restoration is a second phase on the same rows, made elastic. Nothing allocates between iterations, and nothing here
// depends on anything but its input: the same program and start give the same bits.
#ifndef CRM_CONTROL_INTERIOR_H
#define CRM_CONTROL_INTERIOR_H

#include "control/solver/interior/newton_matrix.h"
#include "control/solver/program_solver.h"

// ---- reduced.c: the program without fixed unknowns and rows that no free unknown enters, scaled, with a slack for
// every inequality:  minimise f(x), c(x) - s = 0 (inequalities), c(x) - target = 0 (equations), bounds on (x, s).

typedef struct crm_reduced {
    const crm_evaluator *evaluator;
    int n, m, slacks;
    int32_t *unknown; // of the program, by x (n)
    int32_t *row;     // of the program (m)
    int32_t *slack;   // of rows; -1 of equations (m)
    bool *inequality; // (m)
    double *target;   // of equations (m)
    double *lower, *upper;             // of (x, s), moved outward (n + slacks)
    double *given_lower, *given_upper; // as they are in the program (n + slacks)
    double objective_scale, *row_scale;
    crm_place *unknown_place, *row_place;
    // Patterns, and where their values are among the evaluator's.
    int32_t *jacobian_start, *jacobian_column, *jacobian_from;
    int32_t hessian_count, *hessian_row, *hessian_column, *hessian_from;
    double fixed_violation; // of rows and unknowns that nothing can be done about
    int32_t fixed_row;      // the worst of these
    double *z, *row_value, *gradient_value, *jacobian_value, *hessian_value, *weight; // whole ones of the evaluator
} crm_reduced;

// `z` has the values of fixed unknowns, and is where scales are measured.
carom_status crm_reduced_create(const crm_evaluator *evaluator, const double *z, double moved, crm_arena *arena,
                                crm_reduced *reduced, carom_error *error);

// Scaled values at x (n). All are false where a block cannot be evaluated or a value is not finite.
bool crm_reduced_objective(crm_reduced *reduced, const double *x, double *objective);
bool crm_reduced_rows(crm_reduced *reduced, const double *x, double *row);
bool crm_reduced_gradient(crm_reduced *reduced, const double *x, double *gradient);
bool crm_reduced_jacobian(crm_reduced *reduced, const double *x, double *value);
// Of weight f + sum y c.
bool crm_reduced_hessian(crm_reduced *reduced, const double *x, double weight, const double *y, double *value);

#endif
