// SPDX-License-Identifier: MIT
#include "control/solver/interior/start.h"

#include <math.h>
#include <string.h>

#include "control/solver/interior/step.h"

// Distance from bounds at the start: a share of the bound's size, and at most a share of both bounds' distance (WB,
// section 3.6).
static const double cold_push = 1e-2, warm_push = 1e-6;

// Least-squares multipliers beyond this are no estimate of anything.
static const double largest_multiplier = 1e3;

static double push_inside(double v, double lower, double upper, double push) {
    double room = upper - lower;
    if (lower > -INFINITY) v = fmax(v, lower + fmin(push * fmax(1.0, fabs(lower)), room < INFINITY ? push * room : INFINITY));
    if (upper < INFINITY) v = fmin(v, upper - fmin(push * fmax(1.0, fabs(upper)), room < INFINITY ? push * room : INFINITY));
    return v;
}

// Multipliers of the program, scaled; those of slacks are the two signs of their rows'.
static void take_multipliers(crm_phase *p, const crm_program_point *point) {
    const crm_reduced *d = p->problem;
    for (int r = 0; r < p->m; r++) {
        double y = point->multiplier[d->row[r]] * d->objective_scale / d->row_scale[r];
        p->at.y[r] = y;
        if (d->slack[r] < 0) continue;
        p->at.lower[p->n + d->slack[r]] = fmax(-y, 0.0);
        p->at.upper[p->n + d->slack[r]] = fmax(y, 0.0);
    }
    for (int i = 0; i < p->n; i++) {
        p->at.lower[i] = fmax(point->bound_lower[d->unknown[i]] * d->objective_scale, 0.0);
        p->at.upper[i] = fmax(point->bound_upper[d->unknown[i]] * d->objective_scale, 0.0);
    }
    // None is so small that its bound is not felt before the first step.
    for (int i = 0; i < p->size; i++) {
        double below = p->at.v[i] - p->lower[i], above = p->upper[i] - p->at.v[i];
        p->at.lower[i] = p->lower[i] > -INFINITY ? fmax(p->at.lower[i], p->mu / fmax(below, 1.0)) : 0.0;
        p->at.upper[i] = p->upper[i] < INFINITY ? fmax(p->at.upper[i], p->mu / fmax(above, 1.0)) : 0.0;
    }
}

carom_status crm_start_multipliers(crm_phase *p, double largest, carom_error *error) {
    bool found;
    carom_status status = crm_step_factor_least_squares(p, &found, error);
    memset(p->at.y, 0, (size_t)p->m * sizeof(double));
    if (status == CAROM_OK && found) {
        for (int i = 0; i < p->size; i++) p->first[i] = -(p->gradient[i] - p->at.lower[i] + p->at.upper[i]);
        memset(p->second, 0, (size_t)p->m * sizeof(double));
        crm_step_solve(p, p->trial.v, p->trial.y);
        bool small = true;
        for (int r = 0; r < p->m; r++) small = small && fabs(p->trial.y[r]) <= largest;
        if (small) memcpy(p->at.y, p->trial.y, (size_t)p->m * sizeof(double));
    }
    crm_phase_update_dual(p);
    return status;
}

carom_status crm_start_phase(crm_phase *p, const crm_program_point *point, bool warm, bool *evaluated,
                             carom_error *error) {
    crm_reduced *d = p->problem;
    double push = warm ? warm_push : cold_push;
    for (int i = 0; i < p->n; i++) p->at.v[i] = push_inside(point->z[d->unknown[i]], p->lower[i], p->upper[i], push);
    *evaluated = crm_reduced_rows(d, p->at.v, p->row);
    if (!*evaluated) return CAROM_OK;
    for (int r = 0; r < p->m; r++) {
        int s = p->n + d->slack[r];
        if (d->slack[r] >= 0) p->at.v[s] = push_inside(p->row[r], p->lower[s], p->upper[s], push);
    }
    for (int i = 0; i < p->size; i++) {
        p->at.lower[i] = p->lower[i] > -INFINITY ? 1.0 : 0.0;
        p->at.upper[i] = p->upper[i] < INFINITY ? 1.0 : 0.0;
    }
    memset(p->at.y, 0, (size_t)p->m * sizeof(double));
    if (warm) take_multipliers(p, point);
    *evaluated = crm_phase_evaluate(p);
    if (warm || !*evaluated) return CAROM_OK;
    return crm_start_multipliers(p, largest_multiplier, error);
}
