// SPDX-License-Identifier: MIT
// The spin with which a body rotates through a step when its angular momentum stays as it is (docs/math.md 2.2).
#ifndef CRM_STEP_FREE_SPIN_H
#define CRM_STEP_FREE_SPIN_H

#include "model/motion.h"

// The constant spin w (world axes, rad/s) for q+ = exp(h w) q that is right in the middle of the step,
//   w = I_w(exp(h w / 2) q)^-1 L,
// which is the gyroscopic term taken implicitly: L is kept exactly, and the energy of a tumbling body does not drift.
// `drag`: h times its angular drag, kg m^2, which leaves L - drag w of it: as if all moments of inertia were larger.
// Where a body rotates by so much in the step that this has no near solution, or one that makes energy, w = 2 K L /
// L^2, the part of the spin along L, which a free body never changes: L stays as it is in the body, and with it the
// energy.
carom_vec3 crm_free_spin(const crm_body *body, double drag, carom_quat q, carom_vec3 l, double step);

// The same after impulses, by which the body has the angular momentum l and the spin w at q: w itself but where a step
// with it would make energy.
carom_vec3 crm_bounded_spin(const crm_body *body, carom_quat q, carom_vec3 l, carom_vec3 w, double step);

#endif
