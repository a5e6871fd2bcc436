// SPDX-License-Identifier: MIT
// Newmark's family for rigid bodies, in momenta (docs/math.md 10.10): with the wrenches W_k and W_k+1 at both nodes
//   B = h ((1/2 - beta) W_k + beta W_k+1),   T = h ((1 - gamma) W_k + gamma W_k+1)
// a body moves by the way of the momenta p + B (its rotation by the Moser-Veselov equation) and ends with p + T.
//
// The member beta = 0, gamma = 1/2 without forces that depend on velocities is explicit. All others solve for W_k+1.
#ifndef CRM_STEP_NEWMARK_H
#define CRM_STEP_NEWMARK_H

#include "math/block/block_factor.h"
#include "model/force/derivatives.h"
#include "step/potential/potential.h"

// How the end of a body's step changes with its wrench there.
typedef struct crm_newmark_response {
    double slide, speed;     // displacement and velocity by a force
    carom_mat3 rotate, spin; // rotation and spin by a moment
} crm_newmark_response;

typedef struct crm_newmark {
    crm_contact_potential contact;                  // first: potential has the same
    crm_vec6 *before, *after;                       // impulses at both ends (body_count)
    crm_vec6 *damped;                               // the share of damping of overlaps in both (body_count)
    double stable_step;                             // s
    bool implicit;                                  // wrenches at the end are solved for: below
    crm_vec6 *start, *start_active, *start_passive; // wrenches at the start (body_count)
    crm_vec6 *wrench, *trial;                       // at the end: taken, and tried (body_count)
    crm_vec6 *found;                                // what they are there (body_count)
    double *residual, *correction;                  // (6 body_count)
    double *blur;                   // of a body: what roundings of places make of forces, N (body_count)
    crm_newmark_response *response; // (body_count)
    crm_force_derivatives slopes;
    crm_block_symbolic symbolic;
    crm_block_matrix matrix;
    crm_block_factor factor;
    double *work;
    double relative, merit; // of the residual
    int worst;              // body where it is worst
} crm_newmark;

// ---- newmark.c

// Wrenches of all forces and contacts at these motions, with state->active and passive; pieces have their forces, N.
// False with a report when there are none.
bool crm_newmark_forces(const carom_model *model, carom_state *state, crm_newmark *newmark, const crm_motion *motions,
                        double time, const carom_input *input, crm_vec6 *wrench, carom_step_report *report);

// ---- newmark_family.c

carom_status crm_newmark_family_prepare(carom_state *state, crm_newmark *newmark, carom_error *error);
// Fills before, after, damped, state->next, active and passive of a step; the report says why there is none.
void crm_newmark_family_advance(const carom_model *model, carom_state *state, crm_newmark *newmark,
                                const carom_input *input, carom_step_report *report);

// ---- newmark_stable.c

// The longest step that is stable for the springs of a model where bodies begin, s; INFINITY: any.
carom_status crm_newmark_stable_step(const carom_state *state, double *step, carom_error *error);

#endif
