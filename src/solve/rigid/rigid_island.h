// SPDX-License-Identifier: MIT
// The packed form of a problem of rigid bodies: one record a contact, in velocities of unit mass, read by sweeps,
// residual and Newton's method alike.
//
// z has eight doubles a body, the last two zero: with M = L L^T, z = L^T v and rows become J = H^T L^-T, so that one
// matrix both reads velocities and passes impulses on: u = J z + offset, dz = J^T dr, W_ii = J J^T. Slot 0 is what
// cannot move: its rows and velocities are zero, and stay so. Islands that are solved together have slots of their own,
// from 1 on, and share nothing with others.
#ifndef CRM_SOLVE_RIGID_ISLAND_H
#define CRM_SOLVE_RIGID_ISLAND_H

#include "solve/rigid/rigid_problem.h"

enum { CRM_RIGID_LANES = 4, CRM_RIGID_STRIDE = 8 };

// Four contacts side by side, no body twice among them (but slot 0). A lane without a contact is all zeros, but its
// scale is 1. A contact without friction has no tangential rows.
typedef struct crm_rigid_batch {
    _Alignas(32) double row_a[18][CRM_RIGID_LANES]; // normal, first, second tangent: six numbers each
    double row_b[18][CRM_RIGID_LANES];
    double impulse[3][CRM_RIGID_LANES];
    double offset[CRM_RIGID_LANES];
    double friction[CRM_RIGID_LANES];
    double scale[CRM_RIGID_LANES];              // s, the mean diagonal of W_ii, 1/kg
    double normal[CRM_RIGID_LANES];             // W_nn
    double normal_inverse[CRM_RIGID_LANES];     // 1 / W_nn
    double lean[2][CRM_RIGID_LANES];            // W_tn
    double schur[3][CRM_RIGID_LANES];           // S = W_tt - W_tn W_nt / W_nn: 11, 12, 22
    double stick[3][CRM_RIGID_LANES];           // S^-1: 11, 12, 22
    double weight[CRM_RIGID_LANES];             // 1 / (scale times tolerance of the island, m/s); 0 once it is met
    double multiplier[CRM_RIGID_LANES];         // of the slide, kept from the last visit
    int a[CRM_RIGID_LANES], b[CRM_RIGID_LANES]; // slots
    int contact[CRM_RIGID_LANES];               // of the problem; -1: none
    int island[CRM_RIGID_LANES];                // of those that are solved together
} crm_rigid_batch;

// A joint, limit, motor or force.
typedef struct crm_rigid_rows {
    carom_law law;
    int rows, a, b;              // slots
    int block;                   // of the problem
    int island;                  // of those that are solved together
    double row_a[36], row_b[36]; // rows x 6
    double own[36];              // W_ii + C_ii, rows x rows
    double inverse[36];          // its inverse, of an equality; rows and columns of redundant rows are zero
    double offset[6], impulse[6];
    double compliance[6]; // c
    bool compliant;       // some c are not 0
    double before[6];     // impulse after the sweep before the last
    double lower, upper, scale, weight;
} crm_rigid_rows;

// Islands that are solved together: one large one, or several small ones.
typedef struct crm_rigid_system {
    bool relaxed;
    int batch_count, rows_count, slot_count; // slots: with slot 0
    crm_rigid_batch *batch;
    crm_rigid_rows *rows;
    double *z;                 // velocities with the impulses of the records (slot_count * CRM_RIGID_STRIDE)
    const double *free;        // without impulses
    carom_interrupt interrupt; // ends steps of Newton's method early
} crm_rigid_system;

// Contacts, blocks and bodies of one island, each ascending, by their places in the system.
typedef struct crm_rigid_members {
    int contact_count, block_count, body_count;
    const int *lane;  // batch * CRM_RIGID_LANES + lane of each contact (contact_count)
    const int *rows;  // (block_count)
    const int *slots; // (body_count)
} crm_rigid_members;

#endif
