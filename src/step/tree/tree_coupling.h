// SPDX-License-Identifier: MIT
// Springs, charges, spring-only joints and discrete forces in the equations of trees: what acts on links besides the
// tree.
#ifndef CRM_STEP_TREE_COUPLING_H
#define CRM_STEP_TREE_COUPLING_H

#include "step/tree/tree_equations.h"

// Joints that crm_tree_is_spring_only.
int crm_tree_spring_only_count(const carom_model *model);

// Fills in which links they join; memory is there.
void crm_tree_couplings_list(crm_tree_equations *equations);

// Evaluates them at the moves, and adds them to pull, pull_after, taken, size and blur. False: a callback refuses.
bool crm_tree_couplings_evaluate(crm_tree_equations *equations);

// Adds to the system's blocks what they do to a body by its own step.
void crm_tree_couplings_add_own(crm_tree_equations *equations);

// Adds to `effect` what those between two links do to either by the step of the other, `twist` (by link).
void crm_tree_couplings_add_crossed(crm_tree_equations *equations, const crm_vec6 *twist);

#endif
