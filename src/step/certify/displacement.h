// SPDX-License-Identifier: MIT
// Displacements that no velocity explains: what creeps is told, however small its velocity is said to be.
#ifndef CRM_STEP_DISPLACEMENT_H
#define CRM_STEP_DISPLACEMENT_H

#include "model/model_state.h"

// Adds what bodies moved from state->motions to state->next outside of what the velocities at both ends allow.
void crm_displacement_check(const carom_model *model, carom_state *state);

#endif
