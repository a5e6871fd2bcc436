// SPDX-License-Identifier: MIT
// The inner loop of Gauss-Seidel over contacts with exact friction between bodies, once per instruction set. All give
// the same bits.
//
// Velocities are those of unit masses: with M = L L^T they are z = L^T v, and rows become J = H^T L^-T, so that one
// matrix both reads velocities and passes impulses on: u = J z + w, dz = J^T dr, W_ii = J J^T.
#ifndef CRM_SOLVE_CONTACT_SWEEP_H
#define CRM_SOLVE_CONTACT_SWEEP_H

// Doubles from one node's velocities to the next node's; those beyond its size are zero.
enum { CRM_SWEEP_STRIDE = 8 };

// Everything that one visit of a contact reads, side by side in memory.
typedef struct crm_sweep_contact {
    double rows_a[18], rows_b[18]; // of J, three of six numbers
    double own[9];                 // W_ii, row by row
    double offset[3];              // w
    // Of the block A = W_ii + C, as in group_solve.c.
    double normal_inverse; // 1 / A_nn
    double coupling[2];    // A_nt / A_nn
    double lean[2];        // A_tn
    double s00, s01, s10, s11;
    double stick[4]; // S^-1
    double friction;
    double scale_squared; // of the group's inverse mass
    double multiplier;    // lambda of the last visit
    int a, b;             // where the nodes' velocities begin
} crm_sweep_contact;

// Visits the contacts in order: solves each for its impulse in r (three numbers each, one contact after the other)
// against the velocities z as they are then. A sliding contact is on its cone, but takes the direction of slip from
// its last visit and one step of Newton's method, so that the direction converges over the sweeps and not within one.
// Gives the square of the largest change, s |dr|.
typedef double crm_contact_sweep(crm_sweep_contact *contacts, int count, double *z, double *r);

crm_contact_sweep crm_sweep_contacts;

// All variants that this processor can run, for tests and benchmarks, the fastest last; NULL past it.
crm_contact_sweep *crm_contact_sweep_variant(int index);

#endif
