// SPDX-License-Identifier: MIT
// Third derivatives of pair potentials: rows have their gradients, so that second derivatives of rows are these.
#ifndef CRM_CONTROL_PAIR_CURVATURE_H
#define CRM_CONTROL_PAIR_CURVATURE_H

#include "model/force/pair_potential.h"

// Whether the law has one here: not a grid, whose cubics are pieced together.
bool crm_pair_has_curvature(const crm_pair_potential *pair);

// The derivative of the second derivative along w, per metre of w.
carom_mat3 crm_pair_curvature(const crm_pair_potential *pair, carom_vec3 a, carom_vec3 b, carom_vec3 w);

#endif
