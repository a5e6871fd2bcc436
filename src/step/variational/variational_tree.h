// SPDX-License-Identifier: MIT
// `variational` for models with joints that make trees.
#ifndef CRM_STEP_VARIATIONAL_TREE_H
#define CRM_STEP_VARIATIONAL_TREE_H

#include "step/variational/variational.h"

// Memory from the arena, which must outlive it.
carom_status crm_variational_tree_prepare(const carom_state *state, crm_arena *arena, void **core, carom_error *error);

// What is neither pair nor joint in it.
crm_discrete_forces *crm_variational_tree_forces(void *core);

// state->active holds the wrenches of the input; becomes the impulses of all that has no potential.
void crm_variational_tree_advance(const carom_model *model, carom_state *state, void *core, const carom_input *input,
                                  const crm_explicit_impulse *explicit_impulse, carom_step_report *report);

#endif
