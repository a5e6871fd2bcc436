// SPDX-License-Identifier: MIT
// How far joints are open, each by the size of what it holds.
#ifndef CRM_STEP_JOINT_OPEN_H
#define CRM_STEP_JOINT_OPEN_H

#include "model/model_state.h"

// Raises the finding of open joints by those at state->next.
void crm_joint_open(const carom_model *model, carom_state *state);

// Of the smaller of both bodies, m: the arm from the joint to its centre, which is given, or twice its radius of
// gyration.
double crm_joint_held_size(const carom_model *model, const crm_joint *joint, double arm_a, double arm_b);

#endif
