// SPDX-License-Identifier: MIT
// The residual evaluator, on a packed problem: how far impulses are from satisfying the laws, whoever found them
// (docs/math.md 6.6).
#ifndef CRM_SOLVE_RESIDUAL_H
#define CRM_SOLVE_RESIDUAL_H

#include "carom/solve.h"
#include "solve/operator.h"

// What it gathers over the groups of an island. Every island is measured by its own velocities and impulses: what is
// far away loosens nothing.
typedef struct crm_residual_sums {
    double worst, rounding, scale;                                // largest of: wrong, lost to rounding, typical; m/s
    int worst_group;                                              // of the problem
    double energy, energy_rounding, energy_scale, energy_impulse; // the same in the energy norm, squared
} crm_residual_sums;

// Doubles of `work` that the measurements need.
int crm_residual_work(const crm_operator *op);

// s |e| of one group, a velocity.
double crm_residual_of_group(const crm_operator *op, int group, const double *r, const double *u);

// What the sums come to, of the general solvers and of that of rigid bodies: the one definition of the scale that a
// tolerance and a verdict are relative to. What is not finite is infinitely wrong.
carom_residual_report crm_residual_conclude(const crm_residual_sums *sums, double velocity_scale);

// All of it for one operator, from r alone; `u` (rows) gets W r + q.
void crm_residual_of(const crm_operator *op, double velocity_scale, const double *r, double *work, double *u,
                     carom_residual_report *out);

// The same at half the price, with a floor of 0.
void crm_residual_without_floor(const crm_operator *op, double velocity_scale, const double *r, double *work, double *u,
                                carom_residual_report *out);

// What a residual means for a caller who asked for `tolerance`.
carom_solve_outcome crm_residual_outcome(const carom_residual_report *report, double tolerance);

#endif
