// SPDX-License-Identifier: MIT
// Projections on closed joints in the metric of the masses: of poses, and of velocities.
#ifndef CRM_MODEL_JOINT_PROJECTION_H
#define CRM_MODEL_JOINT_PROJECTION_H

#include "model/mechanism/joint_system.h"

typedef struct crm_joint_projection {
    const carom_model *model;
    crm_joint_system system;
    crm_joint_config *configs; // zero: whichever full rotation an angle is in (joint_count)
    crm_vec6 *impulse;         // (body_count)
    double *lambda;            // (row_count)
} crm_joint_projection;

// Memory for a frozen model. The symbolic analysis is done here; what follows allocates nothing. `projection` must stay
// where it is.
carom_status crm_joint_projection_create(const carom_model *model, crm_arena *arena, crm_joint_projection *projection,
                                         carom_error *error);

// One Gauss-Newton step: moves the bodies to poses at which the residuals are of second order in the old ones.
// Velocities and spins stay as they are. O(bodies) for trees; redundant rows do no harm. The centre of mass of what no
// joint ties to the ground stays where it is.
void crm_joint_projection_move(crm_joint_projection *projection, crm_motion *motions);

// Takes away the velocities that joints block: momenta change by impulses of the joints alone.
void crm_joint_projection_slow(crm_joint_projection *projection, crm_motion *motions);

#endif
