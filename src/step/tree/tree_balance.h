// SPDX-License-Identifier: MIT
// Impulses over a step that may have several substeps: what the certificate balances, and what joints bear.
#ifndef CRM_STEP_TREE_BALANCE_H
#define CRM_STEP_TREE_BALANCE_H

#include "model/model_state.h"
#include "step/tree/tree_substep.h"

typedef struct crm_tree_balance {
    crm_vec6 *pushed; // on bodies, without joints between bodies, which cancel; moments about where the centres of
                      // mass were at the start of the step (body_count)
    crm_vec6
        *driven; // of dampers and motors of joints and of the input's followers, about the centres of mass (body_count)
    crm_vec6 *reaction; // of joints on b about B's origin (joint_count)
} crm_tree_balance;

carom_status crm_tree_balance_create(const carom_model *model, crm_arena *arena, crm_tree_balance *balance,
                                     carom_error *error);

void crm_tree_balance_begin(const carom_model *model, crm_tree_balance *balance);

// Adds a substep that was made from `from`; `first` are the motions at the start of the step.
void crm_tree_balance_add(crm_tree_balance *balance, const crm_tree_substep *substep, const crm_motion *first,
                          const crm_motion *from);

// Fills the state's impulse, active and reaction, from state->motions to state->next.
void crm_tree_balance_finish(const crm_tree_balance *balance, carom_state *state);

#endif
