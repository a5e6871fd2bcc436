// SPDX-License-Identifier: MIT
// From a point of a plan's program back to mechanics.
#ifndef CRM_CONTROL_MOTION_READ_H
#define CRM_CONTROL_MOTION_READ_H

#include "control/motion/plan_motion.h"
#include "control/rows/draft.h"
#include "math/spatial.h"

// Forces and torques of the controls about centres of mass, world axes, at given poses of all bodies (body_count); 0 on
// what does not move. `number`: of one interval, SI.
void crm_control_forces(const carom_model *model, const carom_plan_def *def, const double *number,
                        const crm_motion *pose, crm_vec6 *wrench);

// Momenta of bodies at nodes, just before and just after impulses there: of contacts and of joints. At node 0 those
// before are what the plan begins with, at the last node those after what it ends with. [node * body_count + body]
typedef struct crm_node_momenta {
    carom_vec3 *before, *spin_before, *after, *spin_after; // N s, N m s about the centre of mass
} crm_node_momenta;

// All arrays are the arena's.
carom_status crm_plan_motion_read(const crm_draft *draft, const double *z, crm_arena *arena, crm_plan_motion *out,
                                  crm_node_momenta *nodes, carom_error *error);

#endif
