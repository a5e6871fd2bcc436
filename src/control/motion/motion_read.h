// SPDX-License-Identifier: MIT
// From a point of a plan's program back to mechanics.
#ifndef CRM_CONTROL_MOTION_READ_H
#define CRM_CONTROL_MOTION_READ_H

#include "control/motion/plan_motion.h"
#include "control/rows/draft.h"

// Momenta of bodies at nodes, just before and just after impulses there: of contacts and of joints. At node 0 those
// before are what the plan begins with, at the last node those after what it ends with. [node * body_count + body]
typedef struct crm_node_momenta {
    carom_vec3 *before, *spin_before, *after, *spin_after; // N s, N m s about the centre of mass
} crm_node_momenta;

// All arrays are the arena's.
carom_status crm_plan_motion_read(const crm_draft *draft, const double *z, crm_arena *arena, crm_plan_motion *out,
                                  crm_node_momenta *nodes, carom_error *error);

#endif
