// SPDX-License-Identifier: MIT
// How fast bodies rebound against what their restitution says, of methods in which a hit lasts for several steps.
#ifndef CRM_STEP_REBOUND_H
#define CRM_STEP_REBOUND_H

#include "model/model_state.h"

// Raises the finding of rebounds by the contacts of a step. crm_contact_twists has been called.
void crm_rebound_check(const carom_model *model, carom_state *state);

#endif
