// SPDX-License-Identifier: MIT
#include "control/solver/interior/polish.h"

#include <math.h>
#include <string.h>

#include "control/solver/interior/step.h"

enum { MOST_STEPS = 6 };

// A bound is held by a spring of this stiffness: a step misses it by the change of its multiplier over that, and the
// next one mends this. Unknowns without a bound have no spring; slacks need one to be eliminated.
static const double stiffness = 1e9, no_stiffness = 1e-20;

// Error that no step needs to lessen, and the gain that the others must bring.
static const double rounding = 1e-13, gain = 0.5;

// What bounds and multipliers' signs may be missed by: far below what plans promise.
static const double allowed = 1e-12;

typedef enum side { INSIDE, LOWER, UPPER } side;

// The bound with the larger multiplier, when that is larger than the distance from it.
static side side_of(const crm_phase *p, const crm_iterate *at, int i) {
    double below = p->lower[i] > -INFINITY ? at->lower[i] - (at->v[i] - p->lower[i]) : 0.0;
    double above = p->upper[i] < INFINITY ? at->upper[i] - (p->upper[i] - at->v[i]) : 0.0;
    if (below <= 0.0 && above <= 0.0) return INSIDE;
    return below > above ? LOWER : UPPER;
}

static double bound_of(const crm_reduced *d, int i, side side) {
    return side == LOWER ? d->given_lower[i] : d->given_upper[i];
}

// Multipliers without those of bounds that do not hold, slacks where their rows say.
static void release(crm_phase *p, const crm_iterate *ended) {
    const crm_reduced *d = p->problem;
    for (int i = 0; i < p->size; i++) {
        side side = side_of(p, ended, i);
        double pull = p->at.lower[i] - p->at.upper[i];
        p->at.lower[i] = side == LOWER ? pull : 0.0;
        p->at.upper[i] = side == UPPER ? -pull : 0.0;
    }
    for (int r = 0; r < p->m; r++)
        if (d->slack[r] >= 0 && side_of(p, ended, p->n + d->slack[r]) == INSIDE) p->at.y[r] = 0.0;
}

// Largest error of the conditions on the bounds that hold, and by how much others are broken.
static double error_of(const crm_phase *p, const crm_iterate *ended, double *broken) {
    const crm_reduced *d = p->problem;
    double most = 0.0;
    *broken = 0.0;
    for (int r = 0; r < p->m; r++) {
        int s = p->n + d->slack[r];
        if (d->slack[r] < 0 || side_of(p, ended, s) != INSIDE) most = fmax(most, fabs(p->row[r]));
    }
    for (int i = 0; i < p->size; i++) {
        side side = side_of(p, ended, i);
        most = fmax(most, fabs(p->dual[i] - p->at.lower[i] + p->at.upper[i]));
        if (side != INSIDE) most = fmax(most, fabs(p->at.v[i] - bound_of(d, i, side)));
        *broken = fmax(*broken, fmax(d->given_lower[i] - p->at.v[i], p->at.v[i] - d->given_upper[i]));
        *broken = fmax(*broken, fmax(-p->at.lower[i], -p->at.upper[i]));
    }
    return most;
}

static void fill_sides(crm_phase *p, const crm_iterate *ended) {
    for (int i = 0; i < p->size; i++) {
        side side = side_of(p, ended, i);
        p->curvature[i] = side != INSIDE ? stiffness : i < p->n ? 0.0 : no_stiffness;
        p->first[i] = -(p->dual[i] - p->at.lower[i] + p->at.upper[i]);
        if (side != INSIDE) p->first[i] += stiffness * (bound_of(p->problem, i, side) - p->at.v[i]);
    }
    for (int r = 0; r < p->m; r++) p->second[r] = -p->row[r];
}

static void take_step(crm_phase *p, const crm_iterate *ended) {
    const crm_reduced *d = p->problem;
    for (int i = 0; i < p->size; i++) {
        side side = side_of(p, ended, i);
        if (side != INSIDE) {
            // What the spring pulls with beyond the bound changes the multiplier.
            double pull = stiffness * (p->step.v[i] - (bound_of(d, i, side) - p->at.v[i]));
            if (side == LOWER) p->at.lower[i] -= pull;
            if (side == UPPER) p->at.upper[i] += pull;
        }
        p->at.v[i] += p->step.v[i];
    }
    for (int r = 0; r < p->m; r++) p->at.y[r] += p->step.y[r];
}

// Rows and gradients where the step has led; slacks of rows that do not hold follow these.
static bool evaluate(crm_phase *p, const crm_iterate *ended) {
    const crm_reduced *d = p->problem;
    if (!crm_phase_evaluate(p)) return false;
    for (int r = 0; r < p->m; r++) {
        int s = p->n + d->slack[r];
        if (d->slack[r] < 0 || side_of(p, ended, s) != INSIDE) continue;
        p->at.v[s] += p->row[r];
        p->row[r] = 0.0;
    }
    return true;
}

carom_status crm_polish(crm_phase *p, carom_error *error) {
    crm_iterate *ended = &p->kept; // where the barrier ended: it tells which bounds hold
    crm_iterate_copy(p, &p->at, ended);
    release(p, ended);
    bool found = evaluate(p, ended);
    double broken = 0.0, least = INFINITY;
    bool better = false;
    for (int k = 0; found && k < MOST_STEPS; k++) {
        double now = error_of(p, ended, &broken);
        if (broken <= allowed && now < least) {
            crm_iterate_copy(p, &p->at, &p->trial);
            better = k > 0;
        }
        if (now <= rounding || (k > 1 && !(now <= gain * least))) break;
        least = fmin(least, now);
        found = crm_reduced_hessian(p->problem, p->at.v, 1.0, p->at.y, p->hessian);
        if (!found) break;
        fill_sides(p, ended);
        carom_status status = crm_step_factor_as_is(p, &found, error);
        if (status != CAROM_OK) return status;
        if (!found) break;
        crm_step_solve(p, p->step.v, p->step.y);
        take_step(p, ended);
        found = evaluate(p, ended);
    }
    crm_iterate_copy(p, better ? &p->trial : ended, &p->at);
    crm_phase_evaluate(p);
    return CAROM_OK;
}
