// SPDX-License-Identifier: MIT
// The problem whose solution tells whether another one has any (infeasible.h): its laws without bounds and friction,
// softened by a compliance, on the same bodies.
#ifndef CRM_SOLVE_INFEASIBLE_PROBLEM_H
#define CRM_SOLVE_INFEASIBLE_PROBLEM_H

#include "solve/operator.h"

// Impulses of the group that may grow for ever, and are no friction of an exact cone.
carom_row_group crm_recession_group(const carom_row_group *group);

// Whether row i of group g can bear such impulses: none with a compliance does, nor a cone whose normal row has one.
bool crm_row_is_rigid(const crm_operator *op, int g, int i);

typedef struct crm_infeasible_problem {
    crm_operator op;
    const double *inverse_mass;                    // of the other problem's groups
    double *free, *q, *compliance, *block, *scale; // those of `op`, to be changed
    double *work;
} crm_infeasible_problem;

// With a compliance of `softness` relative to the groups' inverse masses. Rows that are not rigid move nothing in it.
// Memory from the arena.
carom_status crm_infeasible_problem_build(const crm_operator *from, double softness, crm_arena *arena,
                                          crm_infeasible_problem *out, carom_error *error);

// By how much r (rows) violates the laws: the compliance's share of the velocities, in the energy norm.
double crm_infeasible_problem_violation(const crm_infeasible_problem *problem, const double *r);

// Makes the velocities that r leads to the free ones, and the compliance harder by a factor below 1.
void crm_infeasible_problem_move(crm_infeasible_problem *problem, const double *r, double factor);

#endif
