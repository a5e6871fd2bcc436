// SPDX-License-Identifier: MIT
// Newton steps of the primal-dual equations of a phase: the matrix with the right inertia, and its solutions refined.
#ifndef CRM_CONTROL_STEP_H
#define CRM_CONTROL_STEP_H

#include "control/solver/interior/phase.h"

// Factors the matrix at the iterate, regularized until a step by it leads downhill: H + delta_w is then positive
// definite on the null space of the rows (WB, section 3.1). `*found` is false where no regularization does that, or the
// Hessian cannot be evaluated.
carom_status crm_step_factor(crm_phase *phase, bool *found, carom_error *error);

// The same with more regularization than the last time: for when its step is of no use.
carom_status crm_step_factor_again(crm_phase *phase, bool *found, carom_error *error);

// The same with H = 1 and nothing else on the diagonals: for least-squares multipliers.
carom_status crm_step_factor_least_squares(crm_phase *phase, bool *found, carom_error *error);

// The same with the Hessian and the curvatures that are in the phase, not regularized.
carom_status crm_step_factor_as_is(crm_phase *phase, bool *found, carom_error *error);

// Solves [H + curvature + delta_w, A^T; A, -delta_c] (v, y) = (first, second) for the right-hand sides in
// phase->first, phase->second; refined. Returns the residual left, relative to the sizes of both sides.
double crm_step_solve(crm_phase *phase, double *v, double *y);

// The step for `mu` into phase->step. Its rows' right-hand side is - `row`.
double crm_step_find(crm_phase *phase, double mu, const double *row);

#endif
