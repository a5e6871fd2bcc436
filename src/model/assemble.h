// SPDX-License-Identifier: MIT
// Closing the joints of a model at its initial poses.
#ifndef CRM_MODEL_ASSEMBLE_H
#define CRM_MODEL_ASSEMBLE_H

#include "model/joint.h"

// Diagonal of the box around the centres of mass of all jointed bodies and the origins of their joints, m; 1 where that
// is zero. The scale of drifts.
double crm_joints_size(const carom_model *model, const crm_motion *motions);

// The joint with the largest drift, -1 without joints: linear / size or angular, whichever is larger.
typedef struct crm_worst_joint {
    int joint;
    double linear, angular; // its drift, m and rad
    double share;           // max(linear / size, angular)
} crm_worst_joint;

crm_worst_joint crm_joints_worst(const carom_model *model, const crm_motion *motions, double size);

// Moves `motions` to the nearest poses, in the metric of the masses, at which all joints are closed, then takes from
// the momenta what the joints block. Refuses joints that are grossly apart, with a sentence that names one; then the
// motions are as before. Motions whose joints are closed to rounding keep their bits. O(bodies) for trees.
carom_status crm_assemble(const carom_model *model, crm_motion *motions, carom_assembly *report, carom_error *error);

#endif
