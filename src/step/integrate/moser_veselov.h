// SPDX-License-Identifier: MIT
// The rotation of one body over one variational step, without potentials: the discrete Moser-Veselov equation
// (docs/math.md 10.2).
//
// With F = R_k^T R_{k+1} the discrete Euler-Lagrange equation of the director form is, in body axes,
//   h M = vee(F E - E F^T),  E = tr(J)/2 - J,
// M the angular momentum. Written with the unit quaternion (s, a) of F, s = sqrt(1 - |a|^2), it has no trigonometry:
//   h M = 2 (s J a + a x J a).
// The same holds in world axes with J_w = R_k J R_k^T and q_{k+1} = (s, a) q_k.
#ifndef CRM_STEP_MOSER_VESELOV_H
#define CRM_STEP_MOSER_VESELOV_H

#include <stdbool.h>

#include "math/mat3.h"

// |a| at a rotation of 90 degrees in one step. Beyond, the equation has a second root or none: such a step is refused.
#define CRM_LARGEST_HALF_ROTATION 0.70710678118654752

// Solves h M = 2 (s J a + a x J a) for a, J diagonal, from hm = h M. Also the number of iterations and the residual
// relative to |h M|. False when there is no solution of less than 90 degrees.
bool crm_moser_veselov(carom_vec3 inertia, carom_vec3 hm, int limit, carom_vec3 *a, double *s, int *iterations,
                       double *residual);

#endif
