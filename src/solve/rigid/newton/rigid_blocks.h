// SPDX-License-Identifier: MIT
// The contacts of an island as Newton's method sees them, four at a time: the law linearised, dr = p - C du; what that
// adds to the system of all bodies; the impulses that a change of velocities leads to (docs/math.md 6.10).
//
// One text (rigid_blocks_body.h) for every instruction set, the same bits.
#ifndef CRM_SOLVE_RIGID_BLOCKS_H
#define CRM_SOLVE_RIGID_BLOCKS_H

#include "math/block/block_matrix.h"
#include "solve/rigid/rigid_island.h"

// A batch as one island visits it. Lanes that are not the island's read slot 0 and change nothing.
typedef struct crm_rigid_visit {
    _Alignas(32) double stiffness[9][CRM_RIGID_LANES]; // C, row by row
    double push[3][CRM_RIGID_LANES];                   // p
    double member[CRM_RIGID_LANES];                    // 1 for a contact of the island, else 0
    crm_rigid_batch *batch;
    unsigned lanes;                             // the same as bits
    unsigned active;                            // lanes where C is not zero
    int a[CRM_RIGID_LANES], b[CRM_RIGID_LANES]; // slots
    double *tile_a[CRM_RIGID_LANES];            // diagonal blocks of its bodies; NULL: cannot move
    double *tile_b[CRM_RIGID_LANES];
    double *tile_ab[CRM_RIGID_LANES]; // blocks (a, b) and (b, a); NULL: none
    double *tile_ba[CRM_RIGID_LANES];
} crm_rigid_visit;

// How the laws are approximated.
typedef struct crm_rigid_linear {
    double width; // of the smoothed projection, kg^1/2 m/s
    double prox;  // compliance around the present impulses, relative to each contact's own inverse mass
    double shift; // of friction's mu |u_t|: 1, or 0 for relaxed cones
} crm_rigid_linear;

typedef struct crm_rigid_block_kernels {
    // C and p from z and the impulses; force += J^T (r + p), eight doubles a slot.
    void (*linearise)(crm_rigid_visit *visits, int count, const crm_rigid_linear *linear, const double *z,
                      double *force);
    // Tiles += J^T C J.
    void (*assemble)(const crm_rigid_visit *visits, int count);
    // p becomes dr = p - C J dz; r += length dr.
    void (*direct)(crm_rigid_visit *visits, int count, const double *dz);
    void (*take)(const crm_rigid_visit *visits, int count, double length);
    // Impulses back into their cones; z += J^T r.
    void (*confine)(const crm_rigid_visit *visits, int count, double *z);
    // The sum of |F|^2 over the contacts, F the smoothed map at z and r + length dr, kg m^2/s^2.
    double (*map_square)(const crm_rigid_visit *visits, int count, const crm_rigid_linear *linear, const double *z,
                         double length);
} crm_rigid_block_kernels;

extern const crm_rigid_block_kernels crm_rigid_block_kernels_portable, crm_rigid_block_kernels_avx2;

// Portable (0), AVX2 (1); NULL where the processor lacks it.
const crm_rigid_block_kernels *crm_rigid_block_kernels_variant(int index);
const crm_rigid_block_kernels *crm_rigid_block_kernels_best(void);

#endif
