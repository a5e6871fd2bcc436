// SPDX-License-Identifier: MIT
// How fast bodies rebound against what their restitution says, of methods whose contacts have one.
#ifndef CRM_STEP_REBOUND_H
#define CRM_STEP_REBOUND_H

#include "model/model_state.h"

// Raises the finding of rebounds by the contacts of a step. `lasts`: a hit lasts for several steps, so that what
// rebounds is known only over all of them. crm_contact_twists has been called.
void crm_rebound_check(const carom_model *model, carom_state *state, bool lasts);

#endif
