// SPDX-License-Identifier: MIT
// A barrier problem and where its solution stands: of the program itself, or of its restoration.
//
// The unknowns v are x, the slacks s and, in restoration, elastics p and q of every row; all of them have bounds:
//   minimise f(v) - mu sum of log(v - lower) - mu sum of log(upper - v)   with rows  c(x) - s - p + q = 0,
//   c(x) - target - p + q = 0 of equations.
// In restoration f is rho sum (p + q) + zeta/2 sum d (x - reference)^2 (WB (29)); p, q are pulled to 0, so that its
// solution is a place of least violation.
#ifndef CRM_CONTROL_PHASE_H
#define CRM_CONTROL_PHASE_H

#include "control/solver/interior/filter.h"
#include "control/solver/interior/interior.h"

// Unknowns with one bound only are pulled towards it by this share of mu, lest they go to infinity (WB, section 3.7).
#define CRM_BARRIER_DAMPING 1e-5

// Unknowns, multipliers of rows, and of both bounds: a point or a step. One piece of memory, from v on.
typedef struct crm_iterate {
    double *v, *y, *lower, *upper; // (size), (m), (size), (size)
} crm_iterate;

typedef struct crm_phase {
    crm_reduced *problem;
    crm_newton_matrix *matrix;
    bool elastic;
    int n, m, slacks, size; // size: of v
    double *lower, *upper;  // (size)
    double rho, zeta;       // of restoration
    double *reference, *nearness; // the place where it began, and d (n)

    crm_iterate at, trial, step, kept_step, kept;
    char *side; // of polishing: which bound of an unknown holds (size)
    double objective, trial_objective;
    double *row, *trial_row; // what the rows' equations miss (m)
    double *gradient;        // of f (size)
    double *jacobian, *hessian;
    double *dual; // gradient + A^T y (size)
    double mu;
    crm_filter filter;

    // Of the Newton matrix (step.c).
    double *unknown_diagonal, *row_diagonal, *curvature; // (n), (m), of all of v (size)
    double *first, *second;                              // right-hand sides (size), (m)
    double *rest_first, *rest_second, *more_first, *more_second;
    double *corrected_row; // of second-order corrections (m)
    double regularization, last_regularization; // delta_w
    double row_regularization;                  // delta_c
    bool inertia_right;                         // of the matrix without regularization
    int factorizations;
} crm_phase;

carom_status crm_phase_create(crm_reduced *problem, crm_newton_matrix *matrix, bool elastic, crm_arena *arena,
                              crm_phase *phase, carom_error *error);

void crm_iterate_copy(const crm_phase *phase, const crm_iterate *from, crm_iterate *to);

// Objective and rows at trial.v.
bool crm_phase_evaluate_trial(crm_phase *phase);

// Makes the trial the iterate, with its gradients; false where they cannot be evaluated.
bool crm_phase_accept_trial(crm_phase *phase);

// Gradients and rows at `at`, from nothing.
bool crm_phase_evaluate(crm_phase *phase);

// gradient + A^T y with the multipliers of `at`.
void crm_phase_update_dual(crm_phase *phase);

// The barrier function of `objective` at v.
double crm_phase_barrier_function(const crm_phase *phase, const double *v, double objective);

// Its derivative along the step.
double crm_phase_barrier_slope(const crm_phase *phase);

// Sum of what the rows' equations miss.
double crm_phase_violation(const crm_phase *phase, const double *row);

// What is missing from a solution of the barrier problem for `mu` (WB (5)); mu = 0: of the problem itself.
typedef struct crm_phase_error {
    double optimality, violation, complementarity; // scaled
    double largest;
} crm_phase_error;
crm_phase_error crm_phase_measure(const crm_phase *phase, double mu);

// Largest share of the step that leaves v, or the multipliers of bounds, a share 1 - tau of their distance from zero
// (WB (15)).
double crm_phase_longest_primal(const crm_phase *phase, const double *step, double tau);
double crm_phase_longest_dual(const crm_phase *phase, double tau);

// Moves bounds outward that an unknown has come closer to than rounding can tell (WB, section 3.5).
void crm_phase_keep_distance(crm_phase *phase);

// Keeps multipliers of bounds within a factor 1e10 of mu / distance (WB (16)).
void crm_phase_keep_multipliers(crm_phase *phase);

#endif
