// SPDX-License-Identifier: MIT
// How many of the motions that closing joints block are blocked by others already.
#ifndef CRM_MODEL_JOINT_RANK_H
#define CRM_MODEL_JOINT_RANK_H

#include "model/joint/joint.h"

// At these poses, which should be closed. `size` is a length of the system. Into `redundant`: the number of rows, or -1
// when loops hang together in clusters so large that the count would take longer than a second or so.
carom_status crm_joint_redundant_rows(const carom_model *model, const crm_motion *motions, double size, int *redundant,
                                      carom_error *error);

// The closing joint whose rows have nearly become ones that the others block already, at a dead point of its loop:
// there the forces that hold it have no bound. -1: none has, or there is no memory to look for one.
int crm_joint_at_dead_point(const carom_model *model, const crm_motion *motions, double size);

#endif
