// SPDX-License-Identifier: MIT
// The spin with which a body rotates through a step when its angular momentum stays as it is (docs/math.md 2.2).
#ifndef CRM_STEP_FREE_SPIN_H
#define CRM_STEP_FREE_SPIN_H

#include "model/motion.h"

// The constant spin w (world axes, rad/s) for q+ = exp(h w) q that is right in the middle of the step,
//   w = I_w(exp(h w / 2) q)^-1 L,
// which is the gyroscopic term taken implicitly: L is kept exactly, and the energy of a tumbling body does not drift.
// Where a body rotates by so much in the step that this has no near solution, w = I_w(q)^-1 L: L stays as it is, so
// that the energy stays between its bounds.
carom_vec3 crm_free_spin(const crm_body *body, carom_quat q, carom_vec3 l, double step);

#endif
