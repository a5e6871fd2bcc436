// SPDX-License-Identifier: MIT
// How long explicit steps may be for flexible bodies (docs/math.md 15.3, 15.6).
//
// The room flex/: what methods share for flexible bodies. A state enters; the longest stable step, starts, and steps
// of flexible bodies by themselves leave, for the methods of the other rooms.
#ifndef CRM_STEP_FLEX_LIMIT_H
#define CRM_STEP_FLEX_LIMIT_H

#include "step/method.h"

typedef struct crm_flex_limit {
    double *rate; // largest natural rate of each flexible body when it was last looked for, rad/s (flex_count)
    bool *held;   // nodes that are fixed; what is carried would be no faster if it were not (body_count)
} crm_flex_limit;

// Memory from the state's arena; finds the rates at the start and keeps them with the state.
carom_status crm_flex_limit_prepare(carom_state *state, crm_flex_limit *limit, carom_error *error);

// The longest step that is stable by these rates where steps of h w up to `largest` are, s, and the flexible body that
// it is for (-1: any step is). Without the margin of what prepares steps.
double crm_flex_limit_step(const carom_state *state, const crm_flex_limit *limit, double largest, int *flex);

// Steps are made up to this share of it.
#define CRM_FLEX_LIMIT_MARGIN 0.9

// Before a step, from state->motions: finds the rates anew where it is time to. Tells the report the step's share, and
// of a share above 1 that the step is broken.
void crm_flex_limit_check(carom_state *state, crm_flex_limit *limit, double largest, carom_step_report *report);

#endif
