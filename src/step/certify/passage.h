// SPDX-License-Identifier: MIT
// Bodies that pass through others: by their ways in a step, whatever the method knows of contacts.
#ifndef CRM_STEP_PASSAGE_H
#define CRM_STEP_PASSAGE_H

#include "model/model_state.h"

// Raises the findings of centres that went through another body, and of ways that are longer than a pair is thick where
// they lead into the other one, from state->motions to state->next. Without contact: of bodies inside each other.
void crm_passage_check(const carom_model *model, carom_state *state, bool has_contact);

#endif
