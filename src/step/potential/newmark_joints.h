// SPDX-License-Identifier: MIT
// Joints of Newmark's family by multipliers (docs/math.md 10.10): impulses along the rows at the start of the step
// close the joints at its end, others along the rows there take away the velocities that they block.
//
// Both act on two bodies where these are, so that neither momentum changes but for the ground's share.
#ifndef CRM_STEP_NEWMARK_JOINTS_H
#define CRM_STEP_NEWMARK_JOINTS_H

#include "model/mechanism/joint_projection.h"
#include "step/potential/newmark_response.h"

typedef struct crm_newmark_joints {
    crm_joint_projection projection;      // at the poses that it was last asked for
    crm_joint_row *start_row;             // (row_count)
    crm_joint_pose *start;                // (joint_count)
    double *closing;                      // impulses along start_row (row_count)
    double *change;                       // of these; scratch (row_count)
    double *right;                        // what they have to make good, by weight (row_count)
    double *weight;                       // 1 over the size of the mechanism of linear rows, else 1 (row_count)
    crm_vec6 *impulse, *push, *move;      // (body_count)
    double rounding;                      // of places, as a share of the size
    double gap;                           // by which the worst row is open, weighted
    int worst;                            // its joint
    const crm_newmark_response *response; // of the bodies where the joints are being closed (body_count)
} crm_newmark_joints;

// `joints` must stay where it is. Nothing without joints.
carom_status crm_newmark_joints_create(carom_state *state, crm_newmark_joints *joints, carom_error *error);

static inline bool crm_newmark_has_joints(const crm_newmark_joints *joints) {
    return joints->projection.model != NULL;
}

// Rows at the start of the step, and no impulses yet.
void crm_newmark_joints_begin(const carom_state *state, crm_newmark_joints *joints);

// Adds impulses that close the joints at the end of the step to `before` (body_count), and moves bodies to
// state->next, with the momenta that they have without impulses at the end. `response` is filled there. False: joints
// do not close, or a body would rotate by more than 90 degrees; *body is one of these.
bool crm_newmark_joints_close(carom_state *state, crm_newmark_joints *joints, crm_vec6 *before,
                              crm_newmark_response *response, int *body);

// Takes blocked velocities from state->next; adds the impulses to `after`.
void crm_newmark_joints_slow(carom_state *state, crm_newmark_joints *joints, crm_vec6 *after);

// What joints leave of small changes: of impulses at the start with the displacements at the end that they make, and of
// velocities at the end with momenta held (body_count each).
void crm_newmark_joints_hold(carom_state *state, crm_newmark_joints *joints, const crm_newmark_response *response,
                             crm_vec6 *push, crm_vec6 *move);
void crm_newmark_joints_hold_twist(carom_state *state, crm_newmark_joints *joints, crm_vec6 *twist);

// Mean reactions over the step, to state->reaction, and the sizes of impulses that can cancel.
void crm_newmark_joints_tell(carom_state *state, const crm_newmark_joints *joints);

#endif
