// SPDX-License-Identifier: MIT
// The judge, on a packed problem. MATH: section 6.
#ifndef CRM_SOLVE_RESIDUAL_H
#define CRM_SOLVE_RESIDUAL_H

#include "carom/solve.h"
#include "solve/operator.h"

// Doubles of `work` that crm_residual_of needs.
int crm_residual_work(const crm_operator *op);

// The residual of `r` from r alone; `u` (rows) gets W r + q. What is not finite is infinitely wrong.
void crm_residual_of(const crm_operator *op, double velocity_scale, const double *r, double *work, double *u,
                     carom_residual_report *out);

// The same at half the price, with a floor of 0.
void crm_residual_without_floor(const crm_operator *op, double velocity_scale, const double *r, double *work, double *u,
                                carom_residual_report *out);

// What a residual means for a caller who asked for `tolerance`.
carom_solve_outcome crm_residual_outcome(const carom_residual_report *report, double tolerance);

#endif
