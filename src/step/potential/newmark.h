// SPDX-License-Identifier: MIT
// Newmark's family for rigid bodies, in momenta (docs/math.md 10.10): with the wrenches W_k and W_k+1 at both nodes
//   B = h ((1/2 - beta) W_k + beta W_k+1),   T = h ((1 - gamma) W_k + gamma W_k+1)
// a body moves by the way of the momenta p + B (its rotation by the Moser-Veselov equation) and ends with p + T.
//
// The member beta = 0, gamma = 1/2 without joints and without forces that depend on velocities is explicit. All others
// solve for W_k+1 and for the forces of contacts at the end.
#ifndef CRM_STEP_NEWMARK_H
#define CRM_STEP_NEWMARK_H

#include "math/block/block_factor.h"
#include "model/force/derivatives.h"
#include "step/flex/carriers.h"
#include "step/flex/flex_limit.h"
#include "step/potential/newmark_contacts.h"
#include "step/potential/newmark_joints.h"
#include "step/potential/potential.h"

typedef struct crm_newmark {
    crm_contact_potential contact;                  // first: potential has the same
    crm_vec6 *before, *after;                       // impulses at both ends (body_count)
    crm_vec6 *damped;                               // the share of damping of overlaps in both (body_count)
    double stable_step;                             // s
    crm_flex_limit flex;                            // how long steps may be for flexible bodies
    crm_carriers carriers;                          // what their nodes are attached to
    bool implicit;                                  // wrenches at the end are solved for: below
    crm_vec6 *start, *start_active, *start_passive; // wrenches at the start, without contacts (body_count)
    crm_vec6 *wrench, *trial;                       // at the end: taken, and tried (body_count)
    crm_vec6 *found;                                // what they are there (body_count)
    crm_newmark_contact_list contacts;              // of the step, with their forces
    crm_newmark_joints joints;
    CRM_ARRAY(double) residual, correction; // (6 body_count + contacts)
    double *blur;                           // of a body: what roundings of places make of forces, N (body_count)
    crm_newmark_response *response;         // (body_count)
    crm_force_derivatives slopes;
    crm_block_symbolic symbolic;
    crm_block_matrix matrix;
    crm_block_factor factor;
    double *work;
    crm_vec6 *push, *move, *twist, *answer; // scratch of products (body_count)
    double relative, merit;                 // of the residual
    int worst;                              // body where it is worst
} crm_newmark;

// ---- newmark.c

// Wrenches of all forces but contacts at these motions, with state->active and passive. False with a report when there
// are none.
bool crm_newmark_forces(const carom_model *model, carom_state *state, const crm_motion *motions, double time,
                        const carom_input *input, crm_vec6 *wrench, carom_step_report *report);

// ---- newmark_move.c: the end of the step

// With these wrenches there, and forces of contacts as tried: fills state->next, before, after, damped and what
// contacts find. False: a body would rotate by more than 90 degrees, or joints do not close; `worst` is one such body;
// or the report says why.
bool crm_newmark_move(carom_state *state, crm_newmark *newmark, const crm_vec6 *wrench, carom_step_report *report);

// ---- newmark_slopes.c: how that end changes with what is solved for

// At state->next: blocks of forces, responses of bodies, and the elimination of the bodies by themselves.
void crm_newmark_differentiate(const carom_model *model, carom_state *state, crm_newmark *newmark);
// The correction that takes the residual away, to first order.
void crm_newmark_find_correction(carom_state *state, crm_newmark *newmark, const carom_input *input);

// ---- newmark_family.c

carom_status crm_newmark_family_prepare(carom_state *state, crm_newmark *newmark, carom_error *error);
void crm_newmark_family_release(const carom_state *state, crm_newmark *newmark);
// Fills before, after, damped, state->next, active and passive of a step; the report says why there is none.
void crm_newmark_family_advance(const carom_model *model, carom_state *state, crm_newmark *newmark,
                                const carom_input *input, carom_step_report *report);

// ---- newmark_stable.c

// The longest step that is stable for the springs of a model where bodies begin, s; INFINITY: any.
carom_status crm_newmark_stable_step(const carom_state *state, crm_newmark_joints *joints, double *step,
                                     carom_error *error);

// Largest product of a step and a rate that is stable; INFINITY: any.
double crm_newmark_stable_rate(const carom_potential_def *def);

#endif
