// SPDX-License-Identifier: MIT
// Bodies as nodes of contact problems: the velocity of the centre of mass and the spin, world
// axes, as far as a body's kind has them.
#ifndef CRM_STEP_PROBLEM_BODY_H
#define CRM_STEP_PROBLEM_BODY_H

#include "model/model_state.h"

int crm_problem_body_size(carom_body_kind kind);
// The components of a 6-vector that a body of this kind has, in the order of its node.
void crm_problem_body_pack(carom_body_kind kind, crm_vec6 v, double *to);
void crm_problem_body_unpack_add(carom_body_kind kind, const double *from, double factor, crm_vec6 *to);
// Masses at this motion, and the velocity without impulses.
void crm_problem_body_fill(const crm_body *body, const crm_motion *m, crm_vec6 velocity, carom_problem_node *node);

#endif
