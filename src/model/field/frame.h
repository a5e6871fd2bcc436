// SPDX-License-Identifier: MIT
// Points of a body that stand for its mass and its moments of inertia; the terms of a rotating frame.
#ifndef CRM_MODEL_FRAME_H
#define CRM_MODEL_FRAME_H

#include "model/model.h"

enum { CRM_MASS_POINTS = 6 };

// Points of a body, of equal masses, that have its mass, centre and moments of inertia together: two on each principal
// axis of a free body; the centre of mass alone of others, and where `extended` is false. Returns their number.
int crm_body_mass_points(const carom_model *model, int body, bool extended, crm_point point[CRM_MASS_POINTS]);

// Of a model in Hill's frame: adds its potential and its Coriolis term for every body that moves. Called by freezing.
carom_status crm_frame_freeze(carom_model *model, carom_error *error);

#endif
