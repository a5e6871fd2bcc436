// SPDX-License-Identifier: MIT
// Flexible bodies that are inside of others: by their nodes and elements, whatever the method found of contacts.
#ifndef CRM_STEP_FLEX_PASSAGE_H
#define CRM_STEP_FLEX_PASSAGE_H

#include "model/model_state.h"

// Raises the finding of nodes that are deep inside another flexible body at state->next, over its mean
// edge; without contact counts the step instead, also for nodes inside of shapes. Looks every so many steps.
void crm_flex_passage_check(const carom_model *model, carom_state *state, bool has_contact);

#endif
