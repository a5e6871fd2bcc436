// SPDX-License-Identifier: MIT
// Bodies as one rigid body: what a mechanism that moves without moving its joints resists by.
#ifndef CRM_MODEL_WHOLE_H
#define CRM_MODEL_WHOLE_H

#include "model/motion.h"

typedef struct crm_whole {
    double mass;
    carom_vec3 centre;
    carom_mat3 inertia; // about the centre
    bool planar;        // one of the bodies is
} crm_whole;

// Of bodies that can move, by their numbers.
crm_whole crm_whole_of(const carom_model *model, const int *body, int count, const crm_motion *motions);

#endif
