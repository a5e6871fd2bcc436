// SPDX-License-Identifier: MIT
// Groups of coupled bodies as models of their own, for methods that solve every group by itself: bodies, joints, pair
// potentials and all other forces, renumbered in their order, with copies of what cannot move and they hold on to.
// Gravity is the model's. What neither a joint nor a force acts on is in no part, nor is a flexible body, with
// all that is coupled to it.
#ifndef CRM_MODEL_MODEL_PART_H
#define CRM_MODEL_MODEL_PART_H

#include "model/model.h"

typedef struct crm_model_part {
    carom_model model; // nothing to touch or to look at
    int *body, *joint; // numbers in the whole
    int *joint_number; // what joints are called by in messages
    int moving;        // bodies that can move: they come first, ascending
} crm_model_part;

typedef struct crm_model_parts {
    int count;
    crm_model_part *part; // by their lowest bodies
    int *of_body;         // -1: in no part (body_count)
} crm_model_parts;

// Whether a joint, a pair potential or a function of several bodies acts on the part, or forces on one that is by
// itself alone.
static inline bool crm_model_part_is_coupled(const crm_model_part *part) {
    return part->model.joints.count + part->model.pair_potentials.count + part->model.system_callbacks.count > 0;
}

// From the arena, but for the parts' graphs, which are to be released, whatever the status. `left_out`: bodies in no
// part, with all that they are coupled to (body_count); NULL: none.
carom_status crm_model_parts_create(const carom_model *whole, const bool *left_out, crm_arena *arena,
                                    crm_model_parts *out, carom_error *error);

// Gives parts their forces of single bodies: drag, wrenches, fields, callbacks.
// `of_body` says which part of `part` (count) a
// body is in, or -1, `number` what it is called there (body_count). False: no memory.
bool crm_model_parts_add_forces(const carom_model *whole, const int *of_body, const int *number, crm_arena *arena,
                                crm_model_part *part, int count);

void crm_model_parts_release(crm_model_parts *parts);

#endif
