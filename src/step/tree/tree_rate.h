// SPDX-License-Identifier: MIT
// How fast a mechanism can swing: what bounds the steps of schemes that take the forces of joints explicitly.
#ifndef CRM_STEP_TREE_RATE_H
#define CRM_STEP_TREE_RATE_H

#include "model/joint/joint.h"

// What is needed of a link, beside each other in memory: models have much more in between.
typedef struct crm_rate_link {
    int body, parent, joint;        // of the parent: its link; -1: none
    double sign;                    // of a reaction, which is that on b
    carom_vec3 child_at, parent_at; // the joint, slides at zero, from the centres of mass in principal axes
    carom_vec3 inverse_inertia;
    carom_vec3 stiffness; // scratch
} crm_rate_link;

// Fills `links`, one per link of the model.
void crm_rate_links_fill(const carom_model *model, crm_rate_link *links);

// The largest of all bodies' rates, 1/s: twice the spin, and the frequency of small swings about the centre of mass
// under the forces of its joints, which rotate the body back into their line like the string of a bow. `reaction` are
// forces on b, by joint.
double crm_tree_fastest_rate(crm_rate_link *links, int count, const crm_motion *motions, const crm_vec6 *reaction);

#endif
