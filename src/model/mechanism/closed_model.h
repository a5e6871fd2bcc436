// SPDX-License-Identifier: MIT
// A model of the joints that are closed: what methods see of a model whose joints open and close.
//
// It shares bodies, shapes, materials and forces with the whole and has joints, trees and pairs that cannot touch of
// its own. When a joint opens or closes another one is made, and the state goes over to it (step/switch): so trees,
// groups of bodies and factorizations follow, and no method knows of joints that are not there.
#ifndef CRM_MODEL_CLOSED_MODEL_H
#define CRM_MODEL_CLOSED_MODEL_H

#include "model/joint/joint_switch.h"

typedef struct crm_closed_model {
    carom_model model; // never destroyed as one: most of it is the whole's
    int *joint;        // numbers in the whole (model.joints.count)
    int *number_of;    // of a joint of the whole; -1: it is open (joint_count)
    crm_arena arena;
} crm_closed_model;

// Of the joints of `whole` whose status is CRM_SWITCH_CLOSED, and, unless `only` is NULL, which it marks. The whole
// must be frozen and outlive it.
carom_status crm_closed_model_create(const carom_model *whole, const crm_joint_switch *at, const bool *only,
                                     crm_closed_model **out, carom_error *error);
void crm_closed_model_destroy(crm_closed_model *closed); // may be NULL

#endif
