// SPDX-License-Identifier: MIT
// Controls as what acts on bodies: the numbers of a control become forces of the input of a step (carom_body_wrench),
// so that a run of `variational` has the impulses that the rows of a plan have.
#ifndef CRM_CONTROL_CONTROL_WRENCH_H
#define CRM_CONTROL_CONTROL_WRENCH_H

#include "carom/plan.h"
#include "math/spatial.h"
#include "model/model.h"

// How many numbers a control has in an interval, and how many of them are forces: these come first.
typedef struct crm_control_numbers {
    int forces, torques;
} crm_control_numbers;

crm_control_numbers crm_control_numbers_of(const carom_model *model, const carom_control_def *control);

// A motor acts on both bodies of its joint: on each about or along its own axis of the joint where both move, about
// that of the body at rest where one does not. Closed joints have one axis. Returns how many wrenches there are.
int crm_control_wrenches(const carom_model *model, const carom_control_def *control, const double *number,
                         carom_body_wrench out[2]);

// Force and torque about the centre of mass where the body has these directors of its frame.
crm_vec6 crm_control_wrench_at(const carom_model *model, const carom_body_wrench *wrench, const carom_mat3 *attitude);

#endif
