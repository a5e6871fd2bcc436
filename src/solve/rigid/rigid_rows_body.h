// SPDX-License-Identifier: MIT
// A visit of every joint, limit and motor, one after the other.
//
// Rows of six are read as four and, with the next two numbers of the record, four more: those meet the zeros at the end
// of a body's velocities.
#include "solve/rigid/rigid_lanes.h"
#include "solve/rigid/rigid_loops.h"
#include "solve/sweeps/group_solve.h"

QUAD_INLINE double row_velocity(const double *row_a, const double *row_b, const quad a[2], const quad b[2]) {
    quad sum = (quad_load_any(row_a) * a[0] + quad_load_any(row_a + 4) * a[1]) +
               (quad_load_any(row_b) * b[0] + quad_load_any(row_b + 4) * b[1]);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// d = fresh - start. Rows of limits and motors one after the other: a block of them has one as a rule.
QUAD_INLINE void solve_rows(const crm_rigid_rows *k, const double *start, double *u, double *d) {
    int rows = k->rows;
    if (k->law == CAROM_LAW_EQUALITY) {
        for (int i = 0; i < rows; i++) {
            d[i] = 0.0;
            for (int j = 0; j < rows; j++) d[i] -= k->inverse[i * rows + j] * u[j];
        }
        return;
    }
    carom_row_group group = {.law = k->law, .rows = 1, .lower = k->lower, .upper = k->upper};
    for (int i = 0; i < rows; i++) {
        double own = k->own[i * rows + i];
        d[i] = crm_row_solve(&group, own, u[i] - own * start[i], start[i]) - start[i];
        for (int j = i + 1; j < rows; j++) u[j] += k->own[j * rows + i] * d[i];
    }
}

static double sweep_rows(const crm_rigid_system *system, double momentum) {
    double largest = 0.0;
    for (int i = 0; i < system->rows_count; i++) {
        crm_rigid_rows *k = &system->rows[i];
        double *za = system->z + (ptrdiff_t)CRM_RIGID_STRIDE * k->a,
               *zb = system->z + (ptrdiff_t)CRM_RIGID_STRIDE * k->b;
        quad a[2] = {quad_load(za), quad_load(za + 4)}, b[2] = {quad_load(zb), quad_load(zb + 4)};
        double u[6], d[6], start[6], square = 0.0;
        for (int m = 0; m < k->rows; m++) {
            u[m] = row_velocity(k->row_a + 6 * m, k->row_b + 6 * m, a, b) + k->offset[m];
            start[m] = k->impulse[m] + momentum * (k->impulse[m] - k->before[m]);
        }
        for (int m = 0; k->compliant && m < k->rows; m++) u[m] += k->compliance[m] * start[m];
        solve_rows(k, start, u, d);
        for (int m = 0; m < k->rows; m++) {
            const double *row_a = k->row_a + 6 * m, *row_b = k->row_b + 6 * m;
            quad change = quad_fill(d[m]);
            k->before[m] = k->impulse[m];
            k->impulse[m] = start[m] + d[m];
            square += d[m] * d[m];
            a[0] += quad_load_any(row_a) * change, a[1] += quad_load_any(row_a + 4) * change;
            b[0] += quad_load_any(row_b) * change, b[1] += quad_load_any(row_b + 4) * change;
        }
        quad_store(za, a[0]), quad_store_low(za + 4, a[1]);
        quad_store(zb, b[0]), quad_store_low(zb + 4, b[1]);
        square *= k->scale * k->weight * (k->scale * k->weight);
        if (!(square <= largest)) largest = square;
    }
    return largest;
}
