// SPDX-License-Identifier: MIT
// Springs, dampers and motors of a tree joint over one step: forces on its coordinates by the mean of their values at
// both ends and by their mean rates, half of it at each end (discrete d'Alembert). Of three free angles the value is
// the rotation vector r of B seen from A, whose rate is J(r) times the relative spin: a spring acts with J^T at either
// end, dampers and motors act on the spin itself.
#ifndef CRM_STEP_TREE_DRIVE_H
#define CRM_STEP_TREE_DRIVE_H

#include "model/joint/joint.h"

// Forces on the rates of the coordinates, N or N m.
typedef struct crm_joint_drive {
    double before[6], after[6]; // at both ends of the step
    double active[6];           // the share of dampers and motors, the same at both ends
    double blur[6];             // by how much roundings of the values change `before`
    double slope[36]; // d before / d w, column-major; w a step of the coordinates at the end (crm_joint_config_step)
} crm_joint_drive;

// `joint` is the index of a driven joint, `change` takes `config` over a step of length h.
void crm_joint_drive_evaluate(const carom_model *model, int joint, const carom_input *input,
                              const crm_joint_config *config, const crm_joint_config *change, double h,
                              crm_joint_drive *drive);

#endif
