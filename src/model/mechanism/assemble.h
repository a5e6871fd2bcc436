// SPDX-License-Identifier: MIT
// Closing the joints of a model at its initial poses.
#ifndef CRM_MODEL_ASSEMBLE_H
#define CRM_MODEL_ASSEMBLE_H

#include "model/joint/joint.h"

// Moves `motions` to the nearest poses, in the metric of the masses, at which all joints are closed, then takes from
// the momenta what the joints block. Refuses joints that are grossly apart, with a sentence that names one; then the
// motions are as before. Motions whose joints are closed to rounding keep their bits. O(bodies) for trees.
carom_status crm_assemble(const carom_model *model, crm_motion *motions, carom_assembly *report, carom_error *error);

#endif
