// SPDX-License-Identifier: MIT
// How far the joints of a model are from closed.
#ifndef CRM_MODEL_JOINT_GAPS_H
#define CRM_MODEL_JOINT_GAPS_H

#include "model/joint/joint.h"

// Diagonal of the box around the centres of mass of a mechanism's bodies and the origins of their joints, or the
// largest radius of gyration of such a body where that is more, as of a wheel on its axle, m; 1 where both are zero.
// The scale of drifts: every mechanism (joint_graph.h) is measured by itself.
double crm_mechanism_size(const carom_model *model, const crm_motion *motions, int mechanism);

// The largest of all; 1 without joints.
double crm_joints_size(const carom_model *model, const crm_motion *motions);

// The joint with the largest drift, -1 without joints: linear / size or angular, whichever is larger.
typedef struct crm_worst_joint {
    int joint;
    double linear, angular; // its drift, m and rad
    double share;           // max(linear / size, angular)
    double size;            // of its mechanism, m
} crm_worst_joint;

crm_worst_joint crm_joints_worst(const carom_model *model, const crm_motion *motions);

typedef struct crm_joint_gaps {
    crm_worst_joint worst;  // against what is enough in its mechanism
    double enough;          // a share that is closed: as asked, and the rounding of coordinates far from the origin
    double linear, angular; // largest drifts, m and rad
    double velocity;        // largest velocity in a blocked direction, m/s or rad/s
    double velocity_share;  // the same with rotations by the mechanism's size, as a share of the largest velocity of
                            // what its joints hold
} crm_joint_gaps;

crm_joint_gaps crm_joint_gaps_of(const carom_model *model, const crm_motion *motions, double share);

#endif
