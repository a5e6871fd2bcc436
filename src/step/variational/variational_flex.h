// SPDX-License-Identifier: MIT
// Flexible bodies under `variational`: each by itself, by the energy-momentum step.
#ifndef CRM_STEP_VARIATIONAL_FLEX_H
#define CRM_STEP_VARIATIONAL_FLEX_H

#include "step/flex/energy_momentum.h"
#include "step/variational/variational.h"

typedef struct crm_variational_flex {
    crm_energy_momentum *step; // (flex_count)
    int *mover;                // of a body: as of those that move by themselves (-1) or not (body_count)
} crm_variational_flex;

// Of a model with flexible bodies; refuses what couples them. `group`: who moves all other bodies, -1: themselves.
carom_status crm_variational_flex_prepare(carom_state *state, const int *group, crm_variational_flex *out,
                                          carom_error *error);

// state->active holds the wrenches of the input, and becomes impulses. The reports of all are joined by `join`.
void crm_variational_flex_move(carom_state *state, crm_variational_flex *flexes,
                               void (*join)(const carom_step_report *own, carom_step_report *report),
                               carom_step_report *report);

#endif
