// SPDX-License-Identifier: MIT
// Where flexible bodies begin, once all other bodies are where they begin.
#ifndef CRM_STEP_FLEX_START_H
#define CRM_STEP_FLEX_START_H

#include "step/method.h"

// Puts nodes that bodies carry where these are now, and flexible bodies that shall begin in equilibrium there.
carom_status crm_flex_start(carom_state *state, carom_error *error);

#endif
