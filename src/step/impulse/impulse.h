// SPDX-License-Identifier: MIT
// `impulse`: smooth motion between impacts, impulses for these (docs/math.md 7). Two variants share the rows of
// contacts and joints, which are those of `lcp`, and keep the external balance
// (crm_method.keeps_external_balance).
//
// What a state keeps from step to step is what lcp keeps: the contact set and its list, margins, impulses of rows; and
// the substep of the integrator.
//
//   enters    motions, forces, contacts of the contact step
//   leaves    state->next, the external balance, the table of contacts
//   callers   the table of methods
#ifndef CRM_STEP_IMPULSE_H
#define CRM_STEP_IMPULSE_H

#include "model/model_state.h"

typedef struct crm_impulse {
    struct crm_impulse_fixed *fixed;   // of the variant `fixed`, else NULL
    struct crm_impulse_events *events; // of the variant `events`, else NULL
} crm_impulse;

// Each variant: memory when the state is made, from the state's arena where it can be; what is from elsewhere is given
// back by `release`, also after a `prepare` that failed; a step, as crm_method.advance.

carom_status crm_impulse_fixed_prepare(carom_state *state, crm_impulse *impulse, carom_error *error);
void crm_impulse_fixed_release(carom_state *state, crm_impulse *impulse);
void crm_impulse_fixed_step(const carom_model *model, carom_state *state, const carom_input *input,
                            crm_impulse *impulse, carom_step_report *report);
void crm_impulse_fixed_accept(carom_state *state, crm_impulse *impulse); // the step was made

carom_status crm_impulse_events_prepare(carom_state *state, crm_impulse *impulse, carom_error *error);
void crm_impulse_events_release(carom_state *state, crm_impulse *impulse);
void crm_impulse_events_step(const carom_model *model, carom_state *state, const carom_input *input,
                             crm_impulse *impulse, carom_step_report *report);

#endif
