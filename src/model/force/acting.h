// SPDX-License-Identifier: MIT
// Which kinds of forces act on which bodies, beside gravity and contacts: for all who treat bodies otherwise that
// nothing else can push. A new kind of force is a bit here and a line in acting.c.
#ifndef CRM_MODEL_ACTING_H
#define CRM_MODEL_ACTING_H

#include "model/model.h"

enum {
    CRM_ACTS_DRAG = 1,
    CRM_ACTS_SPRING = 2, // with damping or without
    CRM_ACTS_DAMPER = 4, // a spring with damping
    CRM_ACTS_CHARGE = 8, // a pair of charges
    CRM_ACTS_WRENCH = 16,
    CRM_ACTS_CALLBACK = 32, // of one body or of several
    CRM_ACTS_JOINT = 64,
    CRM_ACTS_DRIVE = 128,    // of a joint: a spring, a damper or a motor
    CRM_ACTS_FLUID = 256,    // a mobility in place of inertia
    CRM_ACTS_LAW = 512,      // a pair law, or a field with a potential
    CRM_ACTS_FIELD = 1024,   // one without
    CRM_ACTS_ELASTIC = 2048, // elements around a node
    CRM_ACTS_VISCOUS = 4096, // of a material with viscosity

    // Those that are no gradient of a potential, or may not be.
    CRM_ACTS_WITHOUT_POTENTIAL = CRM_ACTS_DRAG | CRM_ACTS_DAMPER | CRM_ACTS_WRENCH | CRM_ACTS_CALLBACK |
                                 CRM_ACTS_JOINT | CRM_ACTS_FIELD | CRM_ACTS_VISCOUS,
};

// Fills crm_body.acting of all bodies, those that cannot move included, once all forces and their pairs are there.
void crm_acting_find(carom_model *model);

#endif
