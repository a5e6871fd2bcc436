// SPDX-License-Identifier: MIT
// Joints, limits and motors of a system: their records, a visit of each, their residual.
#ifndef CRM_SOLVE_RIGID_ROWS_H
#define CRM_SOLVE_RIGID_ROWS_H

#include "solve/rigid/rigid_loops.h"

// A row (d, t) on (v, w) in velocities of unit mass.
void crm_rigid_scale_row(const crm_rigid_body *body, crm_vec6 row, double out[6]);

// The record of a block between these slots, with its impulses. `scale` is 0 when nothing can move it.
void crm_rigid_pack_rows(const crm_rigid_problem *problem, int block, int a, int b, int island, const double *impulse,
                         crm_rigid_rows *out);

// u = J z + offset.
void crm_rigid_rows_velocity(const crm_rigid_rows *k, const double *z, double *u);

// Adds J^T d to z.
void crm_rigid_rows_push(const crm_rigid_rows *k, const double *d, double *z);

// Adds the blocks to the sums of their islands.
void crm_rigid_rows_residual(const crm_rigid_system *system, crm_rigid_sums *sums);

#endif
