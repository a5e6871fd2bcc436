// SPDX-License-Identifier: MIT
// The collisions of a step, as carom_state_collisions gives them: methods that know the times of their impacts tell
// each one here.
#ifndef CRM_STEP_COLLISION_LIST_H
#define CRM_STEP_COLLISION_LIST_H

#include "model/model_state.h"
#include "step/contacts/contact_step.h"

// Kinetic energy of two bodies, J: what a collision of them is told with.
double crm_collision_energy(const carom_model *model, const crm_motion *motions, int a, int b);

// Adds one of a and b in the step that is being made; the rest of it is left to whoever called. Valid until the next
// one is added. NULL: no memory.
carom_collision *crm_collision_add(carom_state *state, double time, int a, int b, const crm_contact_point *touch);

// By their times; those of one time stay as they came.
void crm_collisions_sort(carom_state *state);

#endif
