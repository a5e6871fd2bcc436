// SPDX-License-Identifier: MIT
// Groups of bodies that act on each other whether they touch or not: by joints, springs, charges,
// as nodes of one flexible body, as what carries them, or by a fluid around all of them. What cannot move joins nobody:
// it passes nothing on.
#ifndef CRM_MODEL_BODY_GROUPS_H
#define CRM_MODEL_BODY_GROUPS_H

#include "model/model.h"

// As base/forest.h has it: of[b] leads to the lowest body of b's group (body_count).
void crm_body_groups(const carom_model *model, int *of);

// The same by joints alone.
void crm_body_groups_by_joints(const carom_model *model, int *of);

// Joins two bodies, unless one of them cannot move or is the world (-1).
void crm_body_groups_join(const carom_model *model, int *of, int a, int b);

#endif
