// SPDX-License-Identifier: MIT
// What the table of contacts says over a run: friction in its cone and against the slip, impulses where bodies touch.
// Sums, as the worst single contact of a heap says nothing.
#ifndef CRM_STEP_CONTACT_SUMS_H
#define CRM_STEP_CONTACT_SUMS_H

#include "model/model_state.h"

// Adds the contacts of a step to the sums of their islands, and raises the finding of spin from smooth contacts.
// `touching`: gaps and velocities of the table tell where bodies are at its end.
void crm_contact_sums_add(const carom_model *model, carom_state *state, bool touching);

// Raises the findings of these sums in `out` (CAROM_RULE_COUNT).
void crm_contact_sums_find(const carom_state *state, int island, carom_finding *out);

#endif
