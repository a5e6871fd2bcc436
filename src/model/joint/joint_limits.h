// SPDX-License-Identifier: MIT
// Coordinates of joints beyond their limits, where a state must not begin, and motors that drive them there.
#ifndef CRM_MODEL_JOINT_LIMITS_H
#define CRM_MODEL_JOINT_LIMITS_H

#include "model/joint/joint.h"

// A coordinate and where it is.
typedef struct crm_limited_coordinate {
    int joint, coordinate;
    double value; // m or rad
} crm_limited_coordinate;

// Whether it is beyond a limit by more than rounding or the search for events leaves; `size` is a length of the system.
bool crm_beyond_limit(const carom_model *model, crm_limited_coordinate at, double size);

// The sentence about one that is: the joint, which limit, by how much, what to do.
void crm_beyond_limit_text(const carom_model *model, crm_limited_coordinate at, char *out, size_t size);

// Refuses the first coordinate of all that is beyond a limit.
carom_status crm_joints_check_limits(const carom_model *model, const crm_motion *motions,
                                     const crm_joint_config *configs, carom_error *error);

// The sentence about a motor of unlimited force that something stands against: a limit, or NAN where that is not known.
void crm_stopped_motor_text(const carom_model *model, int joint, int coordinate, double rate, double limit, char *out,
                            size_t size);

// Whether a motor of unlimited force drives its own coordinate beyond a limit within the step: no impulses keep both.
// Then the sentence about the first one.
bool crm_joints_stop_motor(const carom_model *model, const crm_joint_config *configs, const carom_input *input,
                           double step, char *out, size_t size);

#endif
