// SPDX-License-Identifier: MIT
// How far joints are open, each by the size of what it holds.
#ifndef CRM_STEP_JOINT_OPEN_H
#define CRM_STEP_JOINT_OPEN_H

#include "model/model_state.h"

// Raises the finding of open joints by those at state->next.
void crm_joint_open(const carom_model *model, carom_state *state);

#endif
