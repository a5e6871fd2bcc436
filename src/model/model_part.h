// SPDX-License-Identifier: MIT
// Groups of coupled bodies as models of their own, for methods that solve every group by itself: bodies, joints and
// pair potentials, renumbered in their order, with copies of what cannot move and they hold on to. Gravity is the
// model's. What neither a joint nor a pair potential acts on is in no part.
#ifndef CRM_MODEL_MODEL_PART_H
#define CRM_MODEL_MODEL_PART_H

#include "model/model.h"

typedef struct crm_model_part {
    carom_model model; // nothing to touch, to drag or to look at
    int *body, *joint; // numbers in the whole
    int *joint_number; // what joints are called by in messages
    int moving;        // bodies that can move: they come first, ascending
} crm_model_part;

typedef struct crm_model_parts {
    int count;
    crm_model_part *part; // by their lowest bodies
    int *of_body;         // -1: in no part (body_count)
} crm_model_parts;

// From the arena, but for the parts' graphs, which are to be released, whatever the status.
carom_status crm_model_parts_create(const carom_model *whole, crm_arena *arena, crm_model_parts *out,
                                    carom_error *error);
void crm_model_parts_release(crm_model_parts *parts);

#endif
