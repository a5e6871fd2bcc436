// SPDX-License-Identifier: MIT
#include "control/solver/interior/restore.h"

#include <math.h>
#include <string.h>

#include "control/solver/interior/start.h"

// Weight of the elastics against the distance from where restoration began, which weighs the root of mu.
static const double elastic_weight = 1e3;

// Restoration may end when the violation is below this share of what it was.
static const double enough = 0.9;

// Least-squares multipliers beyond this are dropped after restoration.
static const double largest_multiplier = 1e3;

// Multipliers of bounds are not taken back larger than this.
static const double largest_bound_multiplier = 1e3;

static double largest_violation(const crm_phase *p) {
    double most = 0.0;
    for (int r = 0; r < p->m; r++) most = fmax(most, fabs(p->row[r]));
    return most;
}

// p and q >= 0 with c - p + q = 0 that are best for mu (WB (33)): the smaller one without cancellation.
static void split_violation(double c, double mu, double rho, double *p, double *q) {
    double size = fabs(c), half = (mu - rho * size) / (2.0 * rho), product = mu * size / (2.0 * rho);
    double root = sqrt(half * half + product);
    double small = half > 0.0 ? half + root : product / (root - half);
    *p = c > 0.0 ? size + small : small;
    *q = c > 0.0 ? small : size + small;
}

// Where the program stands, with elastics that take up all violation.
static void begin(const crm_phase *main, crm_phase *e) {
    int own = main->size;
    memcpy(e->at.v, main->at.v, (size_t)own * sizeof(double));
    memcpy(e->lower, main->lower, (size_t)own * sizeof(double));
    memcpy(e->upper, main->upper, (size_t)own * sizeof(double));
    e->mu = fmax(main->mu, largest_violation(main));
    e->rho = elastic_weight;
    e->zeta = sqrt(e->mu);
    for (int i = 0; i < e->n; i++) {
        e->reference[i] = main->at.v[i];
        double size = fmin(1.0, 1.0 / fabs(main->at.v[i]));
        e->nearness[i] = size * size;
    }
    for (int i = 0; i < own; i++) {
        e->at.lower[i] = fmin(e->rho, main->at.lower[i]);
        e->at.upper[i] = fmin(e->rho, main->at.upper[i]);
    }
    double *elastic = e->at.v + own, *multiplier = e->at.lower + own;
    for (int r = 0; r < e->m; r++) {
        split_violation(main->row[r], e->mu, e->rho, &elastic[r], &elastic[e->m + r]);
        multiplier[r] = e->mu / elastic[r];
        multiplier[e->m + r] = e->mu / elastic[e->m + r];
        e->at.y[r] = 0.0;
    }
}

// Whether x and s are acceptable to the filter of the program itself, with enough less violation.
static bool may_return(crm_phase *main, const crm_phase *e, double violation) {
    memcpy(main->trial.v, e->at.v, (size_t)main->size * sizeof(double));
    crm_phase_keep_distance(main);
    if (!crm_phase_evaluate_trial(main)) return false;
    double less = crm_phase_violation(main, main->trial_row);
    if (less > enough * violation) return false;
    double value = crm_phase_barrier_function(main, main->trial.v, main->trial_objective);
    return isfinite(value) && crm_search_would_accept(main, less, value);
}

static carom_status go_back(crm_phase *main, const crm_phase *e, bool *good, carom_error *error) {
    memcpy(main->trial.v, e->at.v, (size_t)main->size * sizeof(double));
    crm_phase_keep_distance(main);
    memset(main->trial.y, 0, (size_t)main->m * sizeof(double));
    double largest = 0.0;
    for (int i = 0; i < main->size; i++) {
        main->trial.lower[i] = main->at.lower[i];
        main->trial.upper[i] = main->at.upper[i];
    }
    crm_phase_keep_multipliers(main);
    for (int i = 0; i < main->size; i++) largest = fmax(largest, fmax(main->trial.lower[i], main->trial.upper[i]));
    for (int i = 0; largest > largest_bound_multiplier && i < main->size; i++) {
        main->trial.lower[i] = main->lower[i] > -INFINITY ? 1.0 : 0.0;
        main->trial.upper[i] = main->upper[i] < INFINITY ? 1.0 : 0.0;
    }
    *good = crm_phase_evaluate_trial(main) && crm_phase_accept_trial(main);
    return *good ? crm_start_multipliers(main, largest_multiplier, error) : CAROM_OK;
}

// A place of least violation: its multipliers tell which rows stand against each other.
static void stay_there(crm_phase *main, const crm_phase *e) {
    memcpy(main->at.v, e->at.v, (size_t)main->size * sizeof(double));
    memcpy(main->at.y, e->at.y, (size_t)main->m * sizeof(double));
    crm_phase_evaluate(main);
}

carom_status crm_restore(crm_phase *main, crm_phase *e, double tolerance, crm_restore_callback *callback, void *user,
                         crm_restore_outcome *outcome, carom_error *error) {
    double violation = crm_phase_violation(main, main->row);
    crm_search_note(main);
    begin(main, e);
    *outcome = CRM_RESTORE_FAILED;
    if (!crm_phase_evaluate(e)) return CAROM_OK;
    crm_drive drive = crm_drive_begin(e, tolerance);
    for (;;) {
        crm_drive_outcome moved;
        e->zeta = sqrt(e->mu);
        carom_status status = crm_drive_on(&drive, &moved, error);
        if (status != CAROM_OK) return status;
        if (moved == CRM_DRIVE_MOVED) {
            if (!callback(user, e)) return *outcome = CRM_RESTORE_ENDED, CAROM_OK;
            if (!may_return(main, e, violation)) continue;
            bool good;
            status = go_back(main, e, &good, error);
            if (good) *outcome = CRM_RESTORE_FOUND;
            return status;
        }
        stay_there(main, e);
        if (moved == CRM_DRIVE_SOLVED && largest_violation(main) > tolerance) *outcome = CRM_RESTORE_INFEASIBLE;
        return CAROM_OK;
    }
}
