// SPDX-License-Identifier: MIT
// What a problem must be before a solver may look at it, and where its rows, velocities and entries are.
#ifndef CRM_SOLVE_PROBLEM_H
#define CRM_SOLVE_PROBLEM_H

#include "base/arena.h"
#include "carom/solve.h"

// Offsets of a problem that has been checked. The arrays live in the arena.
typedef struct crm_layout {
    int row_count, velocity_count;
    const int *row_start;      // (group_count + 1)
    const int *velocity_start; // (node_count + 1)
    const int *entry_start;    // (group_count + 1)
    const int *entry;          // entries of group g, by ascending node, at entry_start[g] ... (entry_count)
} crm_layout;

// Checks everything that carom_problem_check promises, but that couplings leave the mass positive definite, and lays
// the problem out. CAROM_ERR_BAD_INPUT with a sentence,
// CAROM_ERR_TOO_LARGE or CAROM_ERR_NO_MEMORY leave `layout` undefined.
carom_status crm_problem_lay_out(const carom_problem *problem, crm_arena *arena, crm_layout *layout,
                                 carom_error *error);

// Whether `count` numbers are finite; CAROM_ERR_BAD_INPUT names the first that is not. `what` is their name.
carom_status crm_check_finite(const double *values, int count, const char *what, carom_error *error);

#endif
