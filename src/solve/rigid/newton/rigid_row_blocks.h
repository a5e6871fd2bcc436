// SPDX-License-Identifier: MIT
// Joints, limits, motors and forces as Newton's method sees them. Their rows know nothing of each other: C is diagonal.
#ifndef CRM_SOLVE_RIGID_ROW_BLOCKS_H
#define CRM_SOLVE_RIGID_ROW_BLOCKS_H

#include "solve/rigid/newton/rigid_blocks.h"

typedef struct crm_rigid_row_block {
    crm_rigid_rows *rows;
    double stiffness[6], push[6];
    double *tile_a, *tile_b; // as of crm_rigid_visit
    double *tile_ab, *tile_ba;
} crm_rigid_row_block;

// As the kernels of rigid_blocks.h.
void crm_rigid_row_linearise(crm_rigid_row_block *block, const crm_rigid_linear *linear, const double *z,
                             double *force);
void crm_rigid_row_assemble(const crm_rigid_row_block *block);
void crm_rigid_row_direct(crm_rigid_row_block *block, const double *dz);
void crm_rigid_row_take(const crm_rigid_row_block *block, double length);
void crm_rigid_row_confine(const crm_rigid_row_block *block, double *z);
double crm_rigid_row_map_square(const crm_rigid_row_block *block, const crm_rigid_linear *linear, const double *z,
                                double length);

#endif
