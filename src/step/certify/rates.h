// SPDX-License-Identifier: MIT
// The step against the time scales of what a method takes explicitly: springs, dampers, drag, gains of motors,
// gyroscopic terms, charges, and joints that are held by impulses (docs/math.md 12).
#ifndef CRM_STEP_RATES_H
#define CRM_STEP_RATES_H

#include "model/model_state.h"

// Once, when the state is made: which rates there are to look at, as the state's method takes such forces explicitly
// and the model has them.
void crm_rates_prepare(carom_state *state);

// Raises the findings of these rates at these motions. Forces of joints are those of the last step.
void crm_rates_check(const carom_model *model, carom_state *state, const crm_motion *motions);

#endif
