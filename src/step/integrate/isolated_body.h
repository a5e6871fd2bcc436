// SPDX-License-Identifier: MIT
// One variational step, of any length, of a body that only gravity and given wrenches act on.
#ifndef CRM_STEP_ISOLATED_BODY_H
#define CRM_STEP_ISOLATED_BODY_H

#include "math/spatial.h"
#include "model/motion.h"

typedef struct crm_isolated_report {
    int iterations;
    double residual; // relative
} crm_isolated_report;

// (s, a) q of unit length; a first-order correction is exact to rounding, as q is of unit length but for rounding.
carom_quat crm_isolated_rotated(carom_quat q, double s, carom_vec3 a);

// From `from` by the time h with impulses at both ends, about the centre of mass and without what the body's kind does
// not admit. False when there is no rotation of less than 90 degrees. `to` may be `from`.
bool crm_isolated_step(const crm_body *body, const crm_motion *from, crm_vec6 before, crm_vec6 after, double h,
                       int iteration_limit, crm_motion *to, crm_isolated_report *report);

#endif
