// SPDX-License-Identifier: MIT
// What the energies of flexible bodies changed by in a step beyond the work of all forces on their nodes, where nothing
// else takes or gives energy: under `variational`.
#ifndef CRM_STEP_FLEX_BALANCE_H
#define CRM_STEP_FLEX_BALANCE_H

#include "step/method.h"

// Of the worst flexible body, relative to its energies; its number in *flex, -1 without any.
double crm_flex_balance(const carom_model *model, const carom_state *state, int *flex);

#endif
