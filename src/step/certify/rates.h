// SPDX-License-Identifier: MIT
// The step against the time scales of what a method takes explicitly: springs, dampers, drag, gains of motors,
// gyroscopic terms, charges, and joints that are held by impulses (docs/math.md 12).
#ifndef CRM_STEP_RATES_H
#define CRM_STEP_RATES_H

#include "model/model_state.h"

// Raises the findings of rates at these motions, as far as the state's method takes such forces explicitly. Forces of
// joints are those of the last step.
void crm_rates_check(const carom_model *model, carom_state *state, const crm_motion *motions);

#endif
