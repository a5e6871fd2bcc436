// SPDX-License-Identifier: MIT
// The loops over packed contacts, four at a time: one text (rigid_*_body.h), compiled for each instruction set; all
// give the same bits.
#ifndef CRM_SOLVE_RIGID_LOOPS_H
#define CRM_SOLVE_RIGID_LOOPS_H

#include "solve/rigid/rigid_island.h"

// What the residual of one island is made of, as crm_residual_sums has it.
typedef struct crm_rigid_sums {
    double wrong, impulse;         // largest |e| and s |r|, squared: m^2/s^2
    double energy, energy_impulse; // sums of |e|^2 / s and |s r|^2 / s
} crm_rigid_sums;

// The same of q = J z_free + offset, which stays as it is.
typedef struct crm_rigid_free {
    double least;  // velocity_scale of the island, m/s
    double scale;  // largest |q|^2
    double energy; // sum of (|q|^2 + least^2) / s
} crm_rigid_free;

typedef struct crm_rigid_sweep {
    double momentum;                      // b: a visit starts at r + b (r - r_before)
    double (*before)[3][CRM_RIGID_LANES]; // of a batch: impulses after the sweep before the last
    unsigned char *rest;                  // of a batch: sweeps that it still leaves out
} crm_rigid_sweep;

// Loops over batches take those from `begin` to `end` - 1.
typedef struct crm_rigid_loops {
    // Fills records whose `contact`, `a`, `b` and `island` are there, from the problem and the guess, adds their
    // impulses to z, and q to the sums of islands, whose `least` is there. False: a contact that moves nothing has a
    // scale of 0.
    bool (*pack)(const crm_rigid_system *system, int begin, int end, const crm_rigid_problem *problem,
                 const double *impulse, crm_rigid_free *free);
    // One visit of every contact, in order. The largest change (s |dr| weight)^2.
    double (*sweep)(const crm_rigid_system *system, int begin, int end, const crm_rigid_sweep *sweep);
    // The same of joints, limits and motors, which start at r + momentum (r - before).
    double (*sweep_rows)(const crm_rigid_system *system, double momentum);
    // Adds J^T r of all contacts to z.
    void (*push)(const crm_rigid_system *system, int begin, int end);
    // Adds the contacts to the sums of their islands; `velocity` gets J z (3 a contact of the problem), may be NULL.
    void (*residual)(const crm_rigid_system *system, int begin, int end, crm_rigid_sums *sums, double *velocity);
    // (start - z) . (z - before) over `count` doubles, a multiple of four.
    double (*restart)(int count, const double *start, const double *z, const double *before);
    // start = z + b (z - before), before = z, z = start.
    void (*extrapolate)(int count, double b, double *start, double *z, double *before);
} crm_rigid_loops;

// 0: everywhere; 1: 256-bit vectors. NULL: not on this processor.
const crm_rigid_loops *crm_rigid_loops_variant(int index);
const crm_rigid_loops *crm_rigid_loops_best(void);

#endif
