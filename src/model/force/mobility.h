// SPDX-License-Identifier: MIT
// The mobility of a model's bodies: from forces to velocities, without inertia.
#ifndef CRM_MODEL_MOBILITY_H
#define CRM_MODEL_MOBILITY_H

#include "carom/mobility.h"
#include "math/spatial.h"
#include "model/motion.h"

// Resistance of an ellipsoid to motion along and rotation about its axes, N s/m and N m s (Jeffery's and Oberbeck's):
//   force  = -16 pi eta / (chi + alpha_i a_i^2) v_i
//   torque = -(16 pi eta / 3) (a_j^2 + a_k^2) / (a_j^2 alpha_j + a_k^2 alpha_k) w_i
// with chi = int ds/D, alpha_i = int ds/((a_i^2 + s) D), D = sqrt((a_1^2 + s)(a_2^2 + s)(a_3^2 + s)).
void crm_stokes_resistance(carom_vec3 half_axes, double viscosity, carom_vec3 *along, carom_vec3 *about);

// What depends on the bodies: called by freezing.
carom_status crm_mobility_freeze(carom_model *model, carom_error *error);

// Of CAROM_MOBILITY_STOKES: the resistance of a body at an attitude, world axes, about its centre of mass.
crm_mat6 crm_mobility_resistance(const carom_model *model, int body, const crm_motion *motion);

// velocity = mobility * force, six numbers for each body that moves, at these motions of all bodies. `poses` and
// `centres` (body_count each) are scratch.
void crm_mobility_apply(const carom_model *model, const crm_motion *motions, carom_pose *poses, carom_vec3 *centres,
                        const double *force, double *velocity);

#endif
