// SPDX-License-Identifier: MIT
// Momentum: with x = (z, r) after a sweep and d its difference to the sweep before, the next sweep starts at x + b d,
// b = (t - 1) / t', t' = (1 + sqrt(1 + 4 t^2)) / 2. It begins anew, t = 1, when a sweep goes back: when
// (start - z) . (z - z_before) > 0 in the product of energies, which is the plain one in velocities of unit mass.
#include <math.h>

#include "solve/rigid/rigid_group.h"

void crm_rigid_group_reset(crm_rigid_group *group) {
    group->momentum = 1.0;
    group->sweep.momentum = 0.0;
}

double crm_rigid_group_sweep(crm_rigid_group *group) {
    crm_rigid_group_extrapolate(group);
    double contacts = crm_rigid_group_sweep_contacts(group);
    double rows = group->loops->sweep_rows(&group->system, group->sweep.momentum);
    group->sweeps++;
    group->work += crm_rigid_sweep_price(group);
    if (crm_rigid_group_restart_product(group) > 0.0) {
        crm_rigid_group_reset(group);
    } else {
        double t = group->momentum, next = 0.5 * (1.0 + sqrt(1.0 + 4.0 * t * t)), b = (t - 1.0) / next;
        group->momentum = next;
        group->sweep.momentum = b < group->limit ? b : group->limit;
    }
    return sqrt(rows <= contacts ? contacts : rows);
}
