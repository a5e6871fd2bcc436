// SPDX-License-Identifier: MIT
// Anderson's acceleration of Gauss-Seidel sweeps: the next sweep starts from the combination of the last few for which
// their changes cancel best.
//
// With g the velocities after a sweep that started at x, f = g - x is what is wrong with x. Of the last sweeps' f and g
// the differences df, dg are kept; the next start is g - sum c_i dg_i with the c_i that make |f - sum c_i df_i| least.
// Velocities are those of unit masses, so that the norm is an energy; impulses follow by the same combination, as
// velocities are linear in them. Impulses after a sweep satisfy their bounds, whatever it started from.
#ifndef CRM_SOLVE_ACCELERATE_H
#define CRM_SOLVE_ACCELERATE_H

#include "solve/sweeps/group_sweep.h"

enum { CRM_ACCELERATE_WINDOW = 5 };

typedef struct crm_accelerated_sweep {
    crm_sweep *sweep; // borrowed; by nodes
    int rows, velocities;
    int kept;     // differences there are
    int newest;   // the place of the last of them
    bool started; // the last sweep's f and g are there
    int since_refresh;
    double size;                                                // |f| of the last sweep
    double *start, *wrong, *after_z, *after_r;                  // x, f and g of the last sweep
    double *d_wrong, *d_z, *d_r;                                // differences, one after the other
    double gram[CRM_ACCELERATE_WINDOW * CRM_ACCELERATE_WINDOW]; // df_i . df_j
} crm_accelerated_sweep;

// False when the arena has no memory. Sweeps by W are not accelerated: crm_accelerate_once is then a plain sweep.
bool crm_accelerate_prepare(crm_sweep *sweep, crm_arena *arena, crm_accelerated_sweep *out);

// Forgets the past, for impulses that have come from elsewhere, and makes the velocities theirs.
void crm_accelerate_restart(crm_accelerated_sweep *a);

// One sweep from the best combination. Gives the largest change of a group as a velocity, s |dr|.
double crm_accelerate_once(crm_accelerated_sweep *a);

#endif
