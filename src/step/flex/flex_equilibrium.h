// SPDX-License-Identifier: MIT
// Static solutions of flexible bodies: where elements balance weights and loads.
#ifndef CRM_STEP_FLEX_EQUILIBRIUM_H
#define CRM_STEP_FLEX_EQUILIBRIUM_H

#include "step/flex/flex_implicit.h"

// Puts the nodes of those flexible bodies that are to begin in equilibrium (carom_flex_def.start) where they stay, all
// else being where it is. Refuses one that nothing holds, and says so where no solution is found.
carom_status crm_flex_settle(carom_state *state, carom_error *error);

#endif
