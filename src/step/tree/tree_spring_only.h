// SPDX-License-Identifier: MIT
// Joints that block nothing but carry springs, dampers or motors: forces between two bodies of trees, over one step.
#ifndef CRM_STEP_TREE_SPRING_ONLY_H
#define CRM_STEP_TREE_SPRING_ONLY_H

#include "step/tree/tree_drive.h"
#include "step/tree/tree_kinematics.h"

typedef struct crm_tree_spring_only {
    int joint;
    int link[2]; // of a and b; -1: does not move
    crm_joint_drive drive;
    crm_joint_row before[6], after[6]; // of the rates, at both ends of the step
} crm_tree_spring_only;

// Whether a joint is one.
bool crm_tree_is_spring_only(const carom_model *model, int joint);

// `from` and `to` are the motions at both ends, of which its bodies' poses are read.
void crm_tree_spring_only_evaluate(const carom_model *model, const carom_input *input, const crm_joint_config *config,
                                   const crm_motion *from, const crm_motion *to, double h,
                                   crm_tree_spring_only *spring_only);

// Wrench on the body at `end` (0: a, 1: b) of forces on the rates by these rows.
crm_vec6 crm_tree_spring_only_wrench(const crm_joint_row row[6], const double *force, int free, int end);

// Change of the wrench on the body at `end` at the start of the step by a step of the body at `by` at its end.
crm_vec6 crm_tree_spring_only_slope(const crm_tree_spring_only *spring_only, int free, int end, int by, crm_vec6 twist);

#endif
