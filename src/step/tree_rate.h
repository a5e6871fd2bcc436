// SPDX-License-Identifier: MIT
// How fast a mechanism can swing: what bounds the steps of schemes that take the forces of joints explicitly.
#ifndef CRM_STEP_TREE_RATE_H
#define CRM_STEP_TREE_RATE_H

#include "model/joint.h"

// The largest of all bodies' rates, 1/s: twice the spin, and the frequency of small swings about the centre of mass
// under the forces of its joints, which turn the body back into their line like the string of a bow. `reaction` are
// forces on b, by joint; slides count as zero. `stiffness` is scratch, one per link.
double crm_tree_fastest_rate(const carom_model *model, const crm_motion *motions, const crm_vec6 *reaction,
                             carom_vec3 *stiffness);

#endif
