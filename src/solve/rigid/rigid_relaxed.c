// SPDX-License-Identifier: MIT
// Sweeps over relaxed cones. They are rare and their exact local solution is a search, so contacts are visited one by
// one, in the order of the lanes.
#include <string.h>

#include "solve/rigid/rigid_group.h"
#include "solve/sweeps/group_solve.h"

static void own_block(const crm_rigid_batch *k, int l, double w[9]) {
    double x = k->lean[0][l], y = k->lean[1][l], inverse = k->normal_inverse[l];
    w[0] = k->normal[l];
    w[1] = w[3] = x;
    w[2] = w[6] = y;
    w[4] = k->schur[0][l] + x * x * inverse;
    w[5] = w[7] = k->schur[1][l] + x * y * inverse;
    w[8] = k->schur[2][l] + y * y * inverse;
}

// (s |dr| weight)^2.
static double visit(crm_rigid_batch *k, int l, double *z, double momentum, double (*before)[CRM_RIGID_LANES]) {
    double *za = z + (ptrdiff_t)CRM_RIGID_STRIDE * k->a[l], *zb = z + (ptrdiff_t)CRM_RIGID_STRIDE * k->b[l];
    double w[9], start[3], free[3], fresh[3], square = 0.0;
    own_block(k, l, w);
    for (int i = 0; i < 3; i++) {
        double r = k->impulse[i][l];
        start[i] = r + momentum * (r - before[i][l]);
        before[i][l] = r;
    }
    for (int i = 0; i < 3; i++) {
        double u = i == 0 ? k->offset[l] : 0.0;
        for (int m = 0; m < 6; m++) u += k->row_a[6 * i + m][l] * za[m] + k->row_b[6 * i + m][l] * zb[m];
        free[i] = u - (w[3 * i] * start[0] + w[3 * i + 1] * start[1] + w[3 * i + 2] * start[2]);
    }
    carom_row_group group = {.law = CAROM_LAW_CONE, .rows = 3, .friction = k->friction[l], .relaxed = true};
    crm_cone_solve(&group, w, free, fresh, &k->multiplier[l]);
    for (int i = 0; i < 3; i++) {
        double d = fresh[i] - start[i];
        k->impulse[i][l] = fresh[i];
        square += d * d;
        for (int m = 0; m < 6 && k->a[l] != 0; m++) za[m] += k->row_a[6 * i + m][l] * d;
        for (int m = 0; m < 6 && k->b[l] != 0; m++) zb[m] += k->row_b[6 * i + m][l] * d;
    }
    double weight = k->scale[l] * k->weight[l];
    return square * weight * weight;
}

double crm_rigid_relaxed_sweep(const crm_rigid_system *system, int begin, int end, const crm_rigid_sweep *sweep) {
    double largest = 0.0;
    for (int i = begin; i < end; i++) {
        crm_rigid_batch *k = &system->batch[i];
        for (int l = 0; l < CRM_RIGID_LANES; l++) {
            if (k->contact[l] < 0) continue;
            double change = visit(k, l, system->z, sweep->momentum, sweep->before[i]);
            if (!(change <= largest)) largest = change;
        }
    }
    return largest;
}
