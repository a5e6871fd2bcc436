// SPDX-License-Identifier: MIT
// Laws of pairs with more than two numbers, and gravity of a centre: what a pair potential of these kinds points to.
#ifndef CRM_MODEL_PAIR_LAWS_H
#define CRM_MODEL_PAIR_LAWS_H

#include "model/model.h"

// F(d) = repulsion / d^repulsion_exponent - attraction / d^attraction_exponent, positive apart.
struct crm_power_law {
    double repulsion, repulsion_exponent, attraction, attraction_exponent;
};

// From d = at on, with t = d - at: F = force[0] + t (force[1] + t (force[2] + t force[3])), and U by its integral.
typedef struct crm_table_cell {
    double at;
    double force[4]; // N, N/m, ...
    double energy;   // at the cell, J
} crm_table_cell;

struct crm_table_law {
    int count;
    crm_table_cell cell[]; // the last one is constant (count)
};

// Of a unit of strength: -1/r + oblateness (3 z^2/r^5 - 1/r^3), z along the axis.
struct crm_central_law {
    double oblateness; // j2 radius^2 / 2, m^2
    carom_vec3 axis;   // unit
};

// Energy and its first two derivatives by the distance.
typedef struct crm_radial_value {
    double energy, slope, bend; // J, N, N/m
} crm_radial_value;

crm_radial_value crm_power_law_evaluate(const crm_power_law *law, double d);
crm_radial_value crm_table_law_evaluate(const crm_table_law *law, double d);

// Fills the cells, whose distances and forces are set: slopes between them, and the energy, which is zero at the last.
void crm_table_law_finish(crm_table_law *law, bool smooth);

#endif
