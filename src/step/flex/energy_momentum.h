// SPDX-License-Identifier: MIT
// The energy-momentum step of one flexible body by itself (docs/math.md 15.4, 15.7):
//   x1 = x0 + h (v0 + v1)/2,   m (v1 - v0) = h (f(x0, x1) + f_ext)
// with discrete forces whose work is exactly the change of the elastic energy and whose moment vanishes at the mean
// positions; or those of the mean positions, which make the variational midpoint rule.
#ifndef CRM_STEP_ENERGY_MOMENTUM_H
#define CRM_STEP_ENERGY_MOMENTUM_H

#include "math/block/block_factor.h"
#include "model/flex/flex_forces.h"
#include "step/method.h"

typedef struct crm_energy_momentum {
    const crm_flex *flex;
    bool held;                     // a node is fixed
    bool upright;                  // no element may be turned inside out
    carom_vec3 *from, *momentum;   // of the substep's start (node_count)
    carom_vec3 *to, *trial;        // positions at its end: taken, and tried (node_count)
    carom_vec3 *force;             // discrete forces at `to`, N (node_count)
    carom_vec3 *push;              // other impulses of the substep, N s (node_count)
    crm_vec6 *impulse;             // of the whole step; its moments are about the mean positions (node_count)
    double *residual, *correction; // (3 node_count)
    double *blur;                  // of a node: what roundings of positions make of its residual (node_count)
    crm_block_symbolic symbolic;
    crm_block_matrix matrix;
    crm_block_factor factor;
    double *work;
    double relative, merit; // of the residual
    int worst;              // node
    double dissipated;      // of the step by viscosity, J: not above 0
    crm_elastic_result result;
} crm_energy_momentum;

// Memory from `arena`, which must outlive it, as must the state's model.
carom_status crm_energy_momentum_create(const carom_state *state, int flex, crm_arena *arena, crm_energy_momentum *out,
                                        carom_error *error);

// Moves the nodes from state->motions to state->next; state->active holds impulses from outside (weights apart), and
// state->impulse gets all. The report is the body's own.
void crm_energy_momentum_move(carom_state *state, crm_energy_momentum *step, carom_step_report *report);

#endif
