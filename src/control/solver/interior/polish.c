// SPDX-License-Identifier: MIT
#include "control/solver/interior/polish.h"

#include <math.h>
#include <string.h>

#include "control/solver/interior/step.h"

// Newton steps for one guess of which bounds hold, and guesses.
enum { MOST_STEPS = 6, MOST_GUESSES = 12 };

// A bound is held by a spring of this stiffness: a step misses it by the change of its multiplier over that, and the
// next one mends this. Unknowns without a bound have no spring; slacks need one to be eliminated.
static const double stiffness = 1e9, no_stiffness = 1e-20;

// Error that no step needs to lessen, and the share of the last one that a step must get below.
static const double rounding = 1e-13, gain = 0.5;

// What bounds and multipliers' signs may be missed by: far below what plans promise.
static const double allowed = 1e-12;

// A guess whose error has not come below this is not worth revising.
static const double hopeless = 1e-2;

// How clear it must be that a bound holds: one that is taken for holding without need makes rows that contradict each
// other; one that is left out is broken, and found so, unless it kept the solution from running away.
static const double clarity[] = {1e3, 1.0};

typedef enum side { INSIDE, LOWER, UPPER } side;

static double bound_of(const crm_reduced *d, int i, side side) {
    return side == LOWER ? d->given_lower[i] : d->given_upper[i];
}

// A first guess: the bound with the larger multiplier, when that is larger than the distance from it by a factor.
static void guess_sides(crm_phase *p, double clarity) {
    for (int i = 0; i < p->size; i++) {
        double below = p->lower[i] > -INFINITY ? p->at.lower[i] - clarity * (p->at.v[i] - p->lower[i]) : 0.0;
        double above = p->upper[i] < INFINITY ? p->at.upper[i] - clarity * (p->upper[i] - p->at.v[i]) : 0.0;
        p->side[i] = below <= 0.0 && above <= 0.0 ? INSIDE : below > above ? LOWER : UPPER;
    }
}

// Multipliers without those of bounds that do not hold.
static void release(crm_phase *p) {
    const crm_reduced *d = p->problem;
    for (int i = 0; i < p->size; i++) {
        double pull = p->at.lower[i] - p->at.upper[i];
        p->at.lower[i] = p->side[i] == LOWER ? pull : 0.0;
        p->at.upper[i] = p->side[i] == UPPER ? -pull : 0.0;
    }
    for (int r = 0; r < p->m; r++)
        if (d->slack[r] >= 0 && p->side[p->n + d->slack[r]] == INSIDE) p->at.y[r] = 0.0;
}

// Rows and gradients at the iterate; slacks of rows that do not hold follow these.
static bool evaluate(crm_phase *p) {
    const crm_reduced *d = p->problem;
    if (!crm_phase_evaluate(p)) return false;
    for (int r = 0; r < p->m; r++) {
        int s = p->n + d->slack[r];
        if (d->slack[r] < 0 || p->side[s] != INSIDE) continue;
        p->at.v[s] += p->row[r];
        p->row[r] = 0.0;
    }
    return true;
}

// Largest error of the equations of this guess.
static double error_of(const crm_phase *p) {
    double most = 0.0;
    for (int r = 0; r < p->m; r++) most = fmax(most, fabs(p->row[r]));
    for (int i = 0; i < p->size; i++) {
        most = fmax(most, fabs(p->dual[i] - p->at.lower[i] + p->at.upper[i]));
        if (p->side[i] != INSIDE) most = fmax(most, fabs(p->at.v[i] - bound_of(p->problem, i, p->side[i])));
    }
    return most;
}

// Bounds that are broken hold from now on, those that would have to pull do not. False when the guess was right.
static bool revise(crm_phase *p) {
    const crm_reduced *d = p->problem;
    bool changed = false;
    for (int i = 0; i < p->size; i++) {
        char side = p->side[i];
        if (side == INSIDE && p->at.v[i] < d->given_lower[i] - allowed) side = LOWER;
        if (side == INSIDE && p->at.v[i] > d->given_upper[i] + allowed) side = UPPER;
        if (p->at.lower[i] < -allowed || p->at.upper[i] < -allowed) side = INSIDE;
        changed = changed || side != p->side[i];
        p->side[i] = side;
    }
    return changed;
}

static void find_step(crm_phase *p) {
    for (int i = 0; i < p->size; i++) {
        p->first[i] = -(p->dual[i] - p->at.lower[i] + p->at.upper[i]);
        if (p->side[i] != INSIDE) p->first[i] += stiffness * (bound_of(p->problem, i, p->side[i]) - p->at.v[i]);
    }
    for (int r = 0; r < p->m; r++) p->second[r] = -p->row[r];
    crm_step_solve(p, p->step.v, p->step.y);
}

static void take_step(crm_phase *p) {
    for (int i = 0; i < p->size; i++) {
        // What the spring pulls with beyond the bound changes the multiplier.
        double from = p->side[i] == INSIDE ? 0.0 : bound_of(p->problem, i, p->side[i]) - p->at.v[i];
        double pull = stiffness * (p->step.v[i] - from);
        if (p->side[i] == LOWER) p->at.lower[i] -= pull;
        if (p->side[i] == UPPER) p->at.upper[i] += pull;
        p->at.v[i] += p->step.v[i];
    }
    for (int r = 0; r < p->m; r++) p->at.y[r] += p->step.y[r];
}

// Newton's method on the guess; returns the error left, infinity where nothing can be computed.
static double solve_guess(crm_phase *p, carom_status *status, carom_error *error) {
    release(p);
    double now = INFINITY;
    bool good = evaluate(p);
    for (int k = 0; good; k++) {
        double before = now;
        now = error_of(p);
        // The first step may raise the error: it moves what was guessed wrong.
        if (k == MOST_STEPS || now <= rounding || (k > 1 && !(now <= gain * before))) return now;
        for (int i = 0; i < p->size; i++)
            p->curvature[i] = p->side[i] != INSIDE ? stiffness : i < p->n ? 0.0 : no_stiffness;
        good = crm_reduced_hessian(p->problem, p->at.v, 1.0, p->at.y, p->hessian);
        if (good) *status = crm_step_factor_as_is(p, &good, error);
        if (*status != CAROM_OK || !good) break;
        find_step(p);
        take_step(p);
        good = evaluate(p);
    }
    return INFINITY;
}

// Whether revisions of a first guess end with one that is right, and better than what the barrier has left.
static carom_status try_guesses(crm_phase *p, double clarity, double before, bool *good, carom_error *error) {
    carom_status status = CAROM_OK;
    *good = false;
    guess_sides(p, clarity);
    for (int guess = 0; guess < MOST_GUESSES && !*good; guess++) {
        double left = solve_guess(p, &status, error);
        if (status != CAROM_OK || !(left < hopeless)) break;
        *good = !revise(p) && left < before;
    }
    return status;
}

carom_status crm_polish(crm_phase *p, carom_error *error) {
    double before = crm_phase_measure(p, 0.0).largest;
    carom_status status = CAROM_OK;
    bool good = false;
    crm_iterate_copy(p, &p->at, &p->kept);
    for (size_t c = 0; c < sizeof clarity / sizeof *clarity && status == CAROM_OK && !good; c++) {
        status = try_guesses(p, clarity[c], before, &good, error);
        if (!good) crm_iterate_copy(p, &p->kept, &p->at);
    }
    crm_phase_evaluate(p);
    return status;
}
