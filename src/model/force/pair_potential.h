// SPDX-License-Identifier: MIT
// Pair potentials: of two points, which depend on their distance: springs and charges.
#ifndef CRM_MODEL_PAIR_POTENTIAL_H
#define CRM_MODEL_PAIR_POTENTIAL_H

#include "math/mat3.h"
#include "model/model.h"

typedef struct crm_pair_potential_value {
    double energy;       // J
    carom_vec3 gradient; // of the energy with respect to point a, N; the opposite with respect to b
    carom_mat3 hessian;  // second derivative with respect to point a, N/m; the opposite for a and b
} crm_pair_potential_value;

// At the given positions of the two points. Charges at the same position give values that are not finite.
crm_pair_potential_value crm_pair_potential_evaluate(const crm_pair_potential *pair, carom_vec3 a, carom_vec3 b);

#endif
