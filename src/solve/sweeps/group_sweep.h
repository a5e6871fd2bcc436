// SPDX-License-Identifier: MIT
// One Gauss-Seidel sweep over all groups of a problem.
//
// sweeps/ is called by the solver `gauss-seidel`, by the cascade before and between Newton's steps, and nobody else. An
// operator and impulses enter, better impulses leave.
//
// With nodes it keeps their velocities, scaled to unit masses (contact_sweep.h), and touches no more than a group's own
// nodes; with W it goes along rows of W. Contacts with exact friction between bodies, which are nearly all there is,
// have an inner loop of their own; what they are packed into is made once for many sweeps.
#ifndef CRM_SOLVE_GROUP_SWEEP_H
#define CRM_SOLVE_GROUP_SWEEP_H

#include "solve/operator.h"
#include "solve/sweeps/contact_sweep.h"

// Groups first ... last - 1, all of one kind: contacts of the inner loop from number `contact` on, or, at -1, others.
typedef struct crm_sweep_run {
    int first, last, contact;
} crm_sweep_run;

typedef struct crm_sweep {
    const crm_operator *op; // borrowed
    double *r;              // impulses, the caller's (rows)
    bool by_nodes;
    // By nodes.
    double *z;        // velocities of unit masses that belong to r, CRM_SWEEP_STRIDE a node and one node of zeros more
    double *jacobian; // H^T L^-T, where op->jacobian has H^T
    crm_sweep_contact *contact;
    // By rows of W.
    crm_csr w;
    // Of groups that are not in the inner loop.
    double *multiplier; // of cones (groups)
    double *factor;     // LU of the blocks of equalities, in the places of op->block
    int *pivots;        // (rows)
    int run_count;
    crm_sweep_run *run;
} crm_sweep;

// Memory comes from the arena.
carom_status crm_sweep_prepare(const crm_operator *op, crm_arena *arena, double *impulse, crm_sweep *sweep,
                               carom_error *error);

// Makes the velocities those of the impulses, from which sweeps take them away by rounding only.
void crm_sweep_refresh(crm_sweep *sweep);

// Gives the largest change of a group as a velocity, s |dr|.
double crm_sweep_once(crm_sweep *sweep);

#endif
