// SPDX-License-Identifier: MIT
// Closing the joints of a model at its initial poses.
#ifndef CRM_MODEL_ASSEMBLE_H
#define CRM_MODEL_ASSEMBLE_H

#include "model/mechanism/joint_projection.h"

// Moves `motions` to the nearest poses, in the metric of the masses, at which all joints are closed, then takes from
// the momenta what the joints block. Refuses joints that are grossly apart, with a sentence that names one; then the
// motions are as before. Motions whose joints are closed to rounding keep their bits. O(bodies) for trees.
carom_status crm_assemble(const carom_model *model, crm_motion *motions, carom_assembly *report, carom_error *error);

// The two steps of it, for joints that are apart by any distance: poses onto closed joints, and what joints block out
// of the momenta. `iterations` that poses took.
carom_status crm_assemble_poses(crm_joint_projection *projection, crm_motion *motions, int *iterations,
                                carom_error *error);
carom_status crm_assemble_velocities(crm_joint_projection *projection, crm_motion *motions, carom_error *error);

#endif
