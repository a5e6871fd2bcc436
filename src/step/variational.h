// SPDX-License-Identifier: MIT
// The scratch of `variational`: the bodies that potentials couple, and the Newton system they share.
#ifndef CRM_STEP_VARIATIONAL_H
#define CRM_STEP_VARIATIONAL_H

#include "math/block_factor.h"
#include "step/method.h"

// Unknowns of a coupled body: displacement of its centre of mass, and the vector part of the quaternion (s, a) of its
// rotation, both over one step, in world axes.
typedef struct crm_increment {
    carom_vec3 displacement;
    carom_vec3 a;
} crm_increment;

typedef struct crm_coupling {
    int count;      // bodies that a pair acts on and that can move
    int *body;      // by slot (count)
    int *slot;      // by body, -1 where it is not coupled (body_count)
    int *pair_edge; // by pair: the edge of the matrix between its two bodies, -1 if only one of them is coupled
    crm_increment *increment; // (count)
    carom_mat3 *inertia;      // J_w at the start of the step (count)
    carom_vec3 *force;        // minus the sum of gradients at the midpoint (count)
    carom_vec3 *torque;       // about the centre of mass, by the arms at the midpoint (count)
    crm_block_symbolic symbolic;
    crm_block_matrix matrix;
    crm_block_factor factor;
    double *residual; // (6 count)
    double *scale;    // what each component of the residual is measured by: 2 per body (2 count)
    double *rounding; // what roundings of the positions alone make of it (2 count)
    int worst_slot;   // of the body with the largest residual
    double *work;     // for the linear solve
} crm_coupling;

carom_status crm_coupling_prepare(carom_state *state, crm_coupling *coupling, carom_error *error);

// Solves the discrete Euler-Lagrange equations of the coupled bodies; false, with the report saying why, if it cannot.
// `input` is the wrench that acts besides the potentials, per body.
bool crm_coupling_solve(const carom_model *model, const carom_state *state, crm_coupling *coupling,
                        const crm_vec6 *input, carom_step_report *report);

#endif
