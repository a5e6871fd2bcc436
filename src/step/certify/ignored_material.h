// SPDX-License-Identifier: MIT
// Bodies that touch under a method whose contacts are elastic and smooth, though their materials say otherwise.
#ifndef CRM_STEP_IGNORED_MATERIAL_H
#define CRM_STEP_IGNORED_MATERIAL_H

#include "model/model_state.h"

// Counts the step if a contact pushes whose bodies were given friction, or a restitution other than 1.
void crm_ignored_material_check(const carom_model *model, carom_state *state);

#endif
