// SPDX-License-Identifier: MIT
// Forces on one body that have no potential: of an atmosphere, of light, of a grid, of a rotating frame.
//
// This folder: laws of pairs and fields. Definitions of carom/force.h enter, pair potentials and fields of the model
// leave, with their values and derivatives at given places; called by force/, which adds them to all other forces.
#ifndef CRM_MODEL_FIELD_H
#define CRM_MODEL_FIELD_H

#include "math/spatial.h"
#include "model/motion.h"

// Force and torque about the centre of mass, world axes. `motion` is the body's.
crm_vec6 crm_field_wrench(const carom_model *model, const crm_field *field, const crm_motion *motion);

// Whether it can only take energy.
bool crm_field_is_passive(const crm_field *field);

// Adds d wrench / d (x, theta) and d wrench / d (v, w), of 6x6 entries by columns (derivatives.h): exact, but for the
// edge of a shadow.
void crm_field_add_derivatives(const carom_model *model, const crm_field *field, const crm_motion *motion,
                               double *stiffness, double *damping);

#endif
