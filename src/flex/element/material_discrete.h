// SPDX-License-Identifier: MIT
// The stress of a step between two gradients, whose work is the change of the energy (docs/math.md 15.4).
#ifndef CRM_FLEX_MATERIAL_DISCRETE_H
#define CRM_FLEX_MATERIAL_DISCRETE_H

#include "flex/element/material.h"

// From F0 to F1 = F0 + change in `duration` seconds, the strain's change d = C1 - C0 found without loss of digits.
typedef struct crm_gradients {
    carom_mat3 mean, after; // (F0 + F1)/2, F1
    crm_sym3 mean_strain;   // (C_m - 1)/2 of the mean gradient
    crm_sym3 half_strain;   // (C_h - 1)/2 of C_h = (C0 + C1)/2
    crm_sym3 change;        // d
    double duration;        // s
} crm_gradients;

// What the material answers at one C: the second Piola-Kirchhoff stress S = 2 dW/dC, and what its derivative needs.
typedef struct crm_response {
    crm_sym3 stress;
    crm_sym3 inverse;          // of C
    double volume, log_volume; // J = sqrt(det C), ln J
    carom_mat3 axes, right;    // of corotated: eigenvectors of C, U = sqrt(C)
    double stretch[3];         // and eigenvalues of U
} crm_response;

typedef struct crm_discrete_stress {
    crm_response at; // C_h, or C_m of the midpoint rule
    crm_sym3 stress; // S, viscosity included
    double factor;   // k: S has k d beyond the stress at C_h
    double work;     // S : d/2 of the elastic part, J/m^3
    double power;    // of viscosity, W/m^3, never above 0
} crm_discrete_stress;

crm_gradients crm_gradients_of(carom_mat3 before, carom_mat3 change, double duration);

void crm_material_discrete_stress(const carom_elastic_def *m, const crm_gradients *g, bool midpoint,
                                  crm_discrete_stress *out);

// The derivative of (F0 + F1)/2 S by F1.
void crm_material_discrete_tangent(const carom_elastic_def *m, const crm_gradients *g, bool midpoint,
                                   const crm_discrete_stress *stress, crm_tangent *out);

#endif
