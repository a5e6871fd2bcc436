// SPDX-License-Identifier: MIT
// Damped Newton iteration for the equations of a tree over one step.
#ifndef CRM_STEP_TREE_NEWTON_H
#define CRM_STEP_TREE_NEWTON_H

#include "step/tree/tree_equations.h"

typedef struct crm_tree_newton {
    crm_tree_equations equations;
    crm_joint_config *change, *trial; // (by link)
    double *weight;                   // of squared residuals, 1/mass (by coordinate)
    double *correction;               // (by coordinate)
    crm_vec6 *twist;                  // P' correction (by link)
    crm_vec6 *nothing;                // zeros (by link)
    crm_arena *arena;                 // for Krylov vectors
    carom_interrupt interrupt;        // ends solutions early, as if there were none; nobody at first
} crm_tree_newton;

typedef struct crm_tree_newton_report {
    int iterations;
    double residual; // crm_tree_equations.relative
    int link;        // that kept it from going on, where it failed
    bool too_far;    // because it rotates by more than 90 degrees
} crm_tree_newton_report;

carom_status crm_tree_newton_create(const carom_model *model, crm_arena *arena, crm_tree_newton *newton,
                                    carom_error *error);

// Solves the equations that were begun, starting from the present rates. On success `change` solves them and is what
// the equations were evaluated at last; false when there is no solution in reach. Allocates nothing once warm.
bool crm_tree_newton_solve(crm_tree_newton *newton, double tolerance, int iteration_limit,
                           crm_tree_newton_report *report);

#endif
