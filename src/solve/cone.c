// SPDX-License-Identifier: MIT
#include "solve/cone.h"

#include <string.h>

void crm_cone_project(double mu, int rows, const double *x, double *out) {
    double normal = x[0], slip = crm_cone_slip(rows, x);
    if (normal >= 0.0 && slip <= mu * normal) { // inside; for mu = 0 the second alone does not say that
        memmove(out, x, sizeof(double) * (size_t)rows);
        return;
    }
    // Otherwise on the ray (1, mu t) with t the direction of x_t, or at the apex when x is in the polar cone.
    double along = (normal + mu * slip) / (1.0 + mu * mu);
    if (along < 0.0) along = 0.0;
    double factor = slip > 0.0 ? mu * along / slip : 0.0;
    out[0] = along;
    for (int k = 1; k < rows; k++) out[k] = factor * x[k];
}

void crm_law_project(const carom_row_group *group, const double *x, double *out) {
    switch (group->law) {
    case CAROM_LAW_EQUALITY:
        memmove(out, x, sizeof(double) * (size_t)group->rows);
        return;
    case CAROM_LAW_UNILATERAL:
        out[0] = x[0] < 0.0 ? 0.0 : x[0];
        return;
    case CAROM_LAW_BOX:
        out[0] = x[0] < group->lower ? group->lower : x[0] > group->upper ? group->upper : x[0];
        return;
    case CAROM_LAW_CONE:
        crm_cone_project(group->friction, group->rows, x, out);
        return;
    }
}

void crm_law_velocity(const carom_row_group *group, const double *u, double *out) {
    memmove(out, u, sizeof(double) * (size_t)group->rows);
    if (group->law == CAROM_LAW_CONE && !group->relaxed) out[0] += group->friction * crm_cone_slip(group->rows, u);
}
