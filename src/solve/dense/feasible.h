// SPDX-License-Identifier: MIT
// Phase one of a linear program: a point x >= 0 with G x + h >= 0, or the proof that there is none.
#ifndef CRM_SOLVE_FEASIBLE_H
#define CRM_SOLVE_FEASIBLE_H

#include "base/arena.h"
#include "carom/limits.h"
#include "carom/status.h"

typedef enum crm_feasibility {
    CRM_FEASIBLE,   // x is such a point
    CRM_INFEASIBLE, // y >= 0, sum y = 1, G^T y <= 0, h.y < 0: proved
    CRM_UNDECIDED,  // too close to call, or too many pivots; x violates least what is violated
} crm_feasibility;

// G by columns, with entries and h of size about 1. x (columns) and y (rows) are the caller's; `pivots` is added to.
// Undecided when it is interrupted.
carom_status crm_feasible(int rows, int columns, const double *g, const double *h, const carom_interrupt *interrupt,
                          crm_arena *arena, double *x, double *y, int *pivots, crm_feasibility *verdict,
                          carom_error *error);

#endif
