// SPDX-License-Identifier: MIT
// The fixed steps of `impulse` (after Guendelman, Bridson and Fedkiw, and Weinstein, Teran and Fedkiw):
//
//   impacts  v <- v + M^-1 j       contacts that will be hit, by a law of restitution, with velocities before forces
//   forces   v <- v + h M^-1 k
//   rest     v <- v + M^-1 J^T r   no gap is used up twice, and the errors of joints that v leads to vanish
//   poses    q <- q + h v
//   joints   v <- v + M^-1 J^T r   no velocity is left that a joint blocks where the bodies are now
//
// As impacts come before forces, what rests is not hit: it needs no threshold to stay at rest.
#ifndef CRM_STEP_IMPULSE_FIXED_H
#define CRM_STEP_IMPULSE_FIXED_H

#include "model/mechanism/joint_projection.h"
#include "step/impulse/impulse.h"
#include "step/integrate/external_impulse.h"
#include "step/lcp/lcp.h"

// What stands beside the velocities of a joint's rows, m/s.
typedef struct crm_joint_offsets {
    double of[6];
} crm_joint_offsets;

typedef struct crm_impulse_fixed {
    crm_lcp *rows;
    crm_vec6 *start; // velocities of centres of mass and spins before the step (body_count)
    crm_vec6 *hit;   // impulses of impacts, about the centres of mass (body_count)
    bool impacted;   // there were impacts
    crm_limited_impacts limited;
    CRM_ARRAY(double) impact_impulse;         // of every contact: normal, two tangents, N s
    CRM_ARRAY(double) row_impact;             // of the rows of joints, limits and motors in the impacts
    CRM_ARRAY(crm_joint_offsets) best_offset; // of the rounds of a step: of joints that block something
    CRM_ARRAY(double) best_impulse;           // of all rows
    double *drift;                            // predicted (joint_count)
    bool *given_up;                           // in this step (joint_count)
    double *rest_speed;                       // of crm_lcp (body_count)
    double *mechanism_size;                   // scratch, m (mechanisms)
    double impact_work;                       // of friction in the impacts, J
    crm_joint_projection projection;          // of a model with joints
    double (*external)[CRM_EXTERNAL_NUMBERS]; // into each body (body_count)
} crm_impulse_fixed;

// ---- impulse_impacts.c

// Impulses of all that is hit: fills hit (zero at first), impact_impulse, row_impact and impact_work, from `start` and
// the free velocities of the rows, for the contacts that are listed.
carom_status crm_impulse_impacts(const carom_model *model, carom_state *state, const carom_input *input,
                                 crm_impulse_fixed *fixed, crm_lcp *rows, carom_step_report *report,
                                 carom_error *error);

// ---- impulse_rest.c

// Impulses of what rests, of joints, limits and motors, on top of the free velocities: fills rows->impulse and
// rows->motion.change.
carom_status crm_impulse_rest(const carom_model *model, carom_state *state, const carom_input *input,
                              crm_impulse_fixed *fixed, crm_lcp *rows, carom_step_report *report, carom_error *error);

// ---- impulse_joints.c

// Poses at the end of the step into rows->contacts.ahead, from the velocities in rows->twist.
void crm_impulse_predict(const carom_model *model, const carom_state *state, crm_lcp *rows);
// Puts the errors of joints at these poses beside the velocities of their rows, but of those that are given up.
void crm_impulse_bend_offsets(const carom_model *model, const carom_state *state, const bool *given_up, crm_lcp *rows);

// ---- impulse_external.c

// Adds what the rows' impulses bring into the system of bodies that move: those of rows to the ground.
// Uses rows->twist.
void crm_impulse_add_ground(const carom_model *model, const carom_state *state, crm_lcp *rows,
                            double (*external)[CRM_EXTERNAL_NUMBERS]);
// Adds the work of velocity motors by their rows' impulses, each to one of its bodies that moves.
void crm_impulse_add_motor_work(const carom_model *model, const crm_vec6 *start, const crm_vec6 *end, crm_lcp *rows,
                                double (*external)[CRM_EXTERNAL_NUMBERS]);

#endif
