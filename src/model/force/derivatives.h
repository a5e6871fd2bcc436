// SPDX-License-Identifier: MIT
// Derivative blocks of all force fields: how the wrenches of crm_forces_evaluate change with poses and velocities, as
// implicit methods need them.
//
// Springs, dampers and motors of joints are not in them: methods that have joints treat these by coordinate. Of viscous
// forces of elements only the derivative by velocities is.
//
// Wrenches are about the centres of mass, in world axes; so are the variations: displacement and small rotation
// (R -> exp([theta]x) R) of a body's principal frame with velocities held, and change of (v, w) with poses held.
#ifndef CRM_MODEL_DERIVATIVES_H
#define CRM_MODEL_DERIVATIVES_H

#include "math/block/block_matrix.h"
#include "math/spatial.h"
#include "model/motion.h"

typedef struct crm_force_derivatives {
    crm_block_matrix stiffness; // d wrench / d (x, theta), N/m and so on; its sign is that of a derivative
    crm_block_matrix damping;   // d wrench / d (v, w)
    const int *pair_edge;       // by pair: the edge between its two bodies, -1 if one of them is the world (pair_count)
    const int *system_edge;     // by pair of bodies of a system callback: likewise (crm_system_pair_count)
    const int *flex_edge;       // by edge of the graphs of flexible bodies: likewise (crm_flex_edge_count)
    crm_block_matrix *elements; // of each flexible body: scratch (flex_count)
    bool differenced;           // a callback took part, whose derivatives are central differences
    crm_vec6 *plus, *minus;     // of system callbacks: scratch (body_count each)
} crm_force_derivatives;

// Memory for a frozen model: one node of 6 per body, an edge for every two bodies that a pair potential, a system
// callback or an element joins.
carom_status crm_force_derivatives_create(const carom_model *model, crm_arena *arena, crm_force_derivatives *out,
                                          carom_error *error);

// Fills both matrices. Rows of directions in which a body's kind does not move are zero. Allocates nothing.
void crm_force_derivatives_evaluate(const carom_model *model, double time, const crm_motion *motions,
                                    crm_force_derivatives *out);

// The same of the forces of crm_unpaired_forces_evaluate alone.
void crm_unpaired_derivatives_evaluate(const carom_model *model, double time, const crm_motion *motions,
                                       crm_force_derivatives *out);

#endif
