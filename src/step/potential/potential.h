// SPDX-License-Identifier: MIT
// What `potential` and `newmark` share: the contact potential of a state, its stiffness and its energy.
//
//   enters    motions, the input, pairs of the contact step
//   leaves    state->next, energy of overlaps, the table of contacts
//   callers   the table of methods; the energy of a state
#ifndef CRM_STEP_POTENTIAL_H
#define CRM_STEP_POTENTIAL_H

#include "step/flex/pieces/piece_contact.h"
#include "step/method.h"
#include "step/potential/overlap.h"

// The first member of both methods' scratch.
typedef struct crm_contact_potential {
    crm_overlap overlap;
    crm_motion *ahead;        // scratch (body_count)
    crm_piece_contact pieces; // of flexible bodies; `potential` has none
} crm_contact_potential;

// Also makes the state's energy count the potential: state->method_data must start with `contact`.
carom_status crm_contact_potential_prepare(carom_state *state, crm_contact_potential *contact, carom_error *error);

void crm_contact_potential_release(const carom_state *state, crm_contact_potential *contact);

// Lists the pairs that can touch in the step that begins.
carom_status crm_contact_potential_begin(carom_state *state, crm_contact_potential *contact, carom_error *error);

// Overlaps at the end of the step and the table of contacts, into report and state.
void crm_contact_potential_finish(carom_state *state, crm_contact_potential *contact, carom_step_report *report);

// No step: a query was refused, or there was no memory.
void crm_contact_potential_stop(carom_step_report *report, const carom_error *error);

#endif
