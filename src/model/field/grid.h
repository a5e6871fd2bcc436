// SPDX-License-Identifier: MIT
// Values on a grid of positions, between which forces are interpolated linearly along each direction and energies by
// cubics (docs/math.md 14.3).
#ifndef CRM_MODEL_GRID_H
#define CRM_MODEL_GRID_H

#include "model/force/pair_potential.h"

struct crm_grid {
    carom_vec3 origin, spacing; // world, m
    int count[3];               // nodes along x, y, z
    const carom_vec3 *force;    // N, x fastest; or NULL:
    const carom_vec3 *torque;   // N m, beside forces; NULL: none
    const double *energy;       // J
};

// Forces or torques of the nodes at a place, and their derivative by the place.
carom_vec3 crm_grid_vector(const crm_grid *grid, const carom_vec3 *of_node, carom_vec3 at, carom_mat3 *gradient);

// The energy at a place, as a pair potential with the world.
crm_pair_potential_value crm_grid_energy(const crm_grid *grid, carom_vec3 at);

#endif
