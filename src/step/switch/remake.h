// SPDX-License-Identifier: MIT
// A state goes over to the joints that are closed now.
//
// The model of the closed joints (model/mechanism/closed_model.h) is made anew, and the method with it: its trees,
// groups, factorizations and memory. So no method knows of joints that open and close. What the state is to others
// stays: time, poses, momenta, accounts, what joints bear.
//
//   enters    switches->next, switches->next_base
//   leaves    the state on the new model, with what is needed to undo that
//   callers   the step, where joints switch; saved states and copies, whose joints may be others than here
#ifndef CRM_STEP_REMAKE_H
#define CRM_STEP_REMAKE_H

#include "model/model_state.h"

// Memory for a state of this model, whose joints are as at its start; `state->model` becomes that of the closed ones.
carom_status crm_switches_create(carom_state *state, carom_error *error);
void crm_switches_destroy(carom_state *state);

#endif
