// SPDX-License-Identifier: MIT
#include "control/solver/interior/search.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "control/solver/interior/step.h"

// WB's names beside: gamma_theta, gamma_phi, delta, s_theta, s_phi, eta_phi, and their values.
static const double violation_margin = 1e-5, value_margin = 1e-8, switch_factor = 1.0;
static const double violation_power = 1.1, slope_power = 2.3, armijo = 1e-8;

// Shares of max(1, violation of the first iterate): no trial may be above the one, below the other is small.
static const double most_violation = 1e4, small_violation = 1e-4;

// Safety of the least share of a step, and halving.
static const double least_share = 0.05, shortening = 0.5;

// Second-order corrections go on while each leaves at most this share of the violation.
enum { MOST_CORRECTIONS = 4 };
static const double correction_gain = 0.99;

// A trial must not raise the barrier function by more than so many orders of magnitude.
static const double most_orders = 5.0;

// Relative size of a step that is rounding only; and what multipliers of it may still change by.
static const double tiny_step = 10.0 * DBL_EPSILON;

// Relative size of a step near the end, and the gain in error that it must bring when the barrier function shows none.
static const double small_step = 1e-6, error_gain = 0.9;

typedef struct reference {
    double violation, value, slope;
} reference;

static bool at_most(double a, double b, double size) {
    return a - b <= 10.0 * DBL_EPSILON * fabs(size);
}

// Whether lessening the barrier function is what counts (WB (19)).
static bool value_counts(const reference *r, double share) {
    return r->slope < 0.0 && share * pow(-r->slope, slope_power) > switch_factor * pow(r->violation, violation_power);
}

static bool lessens_value(const reference *r, double share, double value) {
    return at_most(value - r->value, armijo * share * r->slope, r->value);
}

static bool improves(const reference *r, double violation, double value) {
    if (value > r->value) {
        double orders = fabs(r->value) > 10.0 ? log10(fabs(r->value)) : 1.0;
        if (log10(value - r->value) > most_orders + orders) return false;
    }
    return at_most(violation, (1.0 - violation_margin) * r->violation, r->violation) ||
           at_most(value - r->value, -value_margin * r->violation, r->value);
}

static bool is_acceptable(const crm_phase *p, const crm_search *s, const reference *r, double share,
                          double violation, double value) {
    if (!isfinite(value) || violation > s->most_violation) return false;
    bool good = value_counts(r, share) && r->violation <= s->small_violation ? lessens_value(r, share, value)
                                                                             : improves(r, violation, value);
    return good && crm_filter_accepts(&p->filter, violation, value);
}

bool crm_search_would_accept(const crm_phase *p, double violation, double value) {
    reference r = {crm_phase_violation(p, p->row), crm_phase_barrier_function(p, p->at.v, p->objective), 0.0};
    return improves(&r, violation, value) && crm_filter_accepts(&p->filter, violation, value);
}

static void note(crm_phase *p, const reference *r) {
    crm_filter_add(&p->filter, (1.0 - violation_margin) * r->violation, r->value - value_margin * r->violation);
}

void crm_search_note(crm_phase *p) {
    reference r = {crm_phase_violation(p, p->row), crm_phase_barrier_function(p, p->at.v, p->objective), 0.0};
    note(p, &r);
}

// The trial at a share of the step; false where it cannot be evaluated.
static bool try_share(crm_phase *p, double share, double *violation, double *value) {
    for (int i = 0; i < p->size; i++) p->trial.v[i] = p->at.v[i] + share * p->step.v[i];
    crm_phase_keep_distance(p);
    if (!crm_phase_evaluate_trial(p)) return false;
    *violation = crm_phase_violation(p, p->trial_row);
    *value = crm_phase_barrier_function(p, p->trial.v, p->trial_objective);
    return true;
}

static void find_trial_multipliers(crm_phase *p, double share) {
    double dual = crm_phase_longest_dual(p, fmax(0.99, 1.0 - p->mu));
    for (int r = 0; r < p->m; r++) p->trial.y[r] = p->at.y[r] + share * p->step.y[r];
    for (int i = 0; i < p->size; i++) {
        p->trial.lower[i] = p->at.lower[i] + dual * p->step.lower[i];
        p->trial.upper[i] = p->at.upper[i] + dual * p->step.upper[i];
    }
    crm_phase_keep_multipliers(p);
}

static bool take_trial(crm_phase *p, double share) {
    find_trial_multipliers(p, share);
    return crm_phase_accept_trial(p);
}

// Near the end what a step gains is less than rounding in the barrier function can show, but not in its derivatives:
// the whole step is taken when it lessens the error of the optimality conditions.
static bool take_by_error(crm_phase *p, const reference *r, double share, double violation) {
    double size = 0.0;
    for (int i = 0; i < p->size; i++) size = fmax(size, fabs(p->step.v[i]) / (1.0 + fabs(p->at.v[i])));
    if (size > small_step || violation > fmax(r->violation, p->mu)) return false;
    double before = crm_phase_measure(p, p->mu).largest, value = p->objective;
    crm_iterate_copy(p, &p->at, &p->kept);
    memcpy(p->corrected_row, p->row, (size_t)p->m * sizeof(double));
    if (take_trial(p, share) && crm_phase_measure(p, p->mu).largest <= error_gain * before) return true;
    crm_iterate_copy(p, &p->kept, &p->trial);
    memcpy(p->trial_row, p->corrected_row, (size_t)p->m * sizeof(double));
    p->trial_objective = value;
    crm_phase_accept_trial(p);
    return false;
}

// Second-order corrections of a full step whose violation grew: rows are corrected by what the trial misses
// (WB, section 2.4). The step stays corrected when that helped.
static bool correct(crm_phase *p, const crm_search *s, const reference *r, double longest, double violation,
                    double *taken) {
    double *row = p->corrected_row;
    memcpy(row, p->row, (size_t)p->m * sizeof *row);
    crm_iterate_copy(p, &p->step, &p->kept_step);
    double share = longest, before = violation;
    for (int k = 0; k < MOST_CORRECTIONS; k++) {
        for (int i = 0; i < p->m; i++) row[i] = share * row[i] + p->trial_row[i];
        crm_step_find(p, p->mu, row);
        share = crm_phase_longest_primal(p, p->step.v, fmax(0.99, 1.0 - p->mu));
        double value;
        if (!try_share(p, share, &violation, &value)) break;
        if (is_acceptable(p, s, r, longest, violation, value)) {
            *taken = share;
            return true;
        }
        if (violation > correction_gain * before) break;
        before = violation;
    }
    crm_iterate_copy(p, &p->kept_step, &p->step);
    return false;
}

static double least_length(const crm_search *s, const reference *r) {
    double least = violation_margin;
    if (r->slope < 0.0) {
        least = fmin(least, value_margin * r->violation / -r->slope);
        if (r->violation <= s->small_violation)
            least = fmin(least, switch_factor * pow(r->violation, violation_power) / pow(-r->slope, slope_power));
    }
    return least_share * least;
}

static bool is_tiny(const crm_phase *p) {
    for (int i = 0; i < p->size; i++)
        if (fabs(p->step.v[i]) > tiny_step * (1.0 + fabs(p->at.v[i]))) return false;
    return true;
}

// The longest acceptable share of the step, by halving. The step may have been corrected, or taken already.
static bool find_share(crm_phase *p, const crm_search *s, const reference *r, double *share, bool *taken) {
    double longest = crm_phase_longest_primal(p, p->step.v, fmax(0.99, 1.0 - p->mu));
    double least = least_length(s, r);
    for (double length = longest; length > least || length == longest; length *= shortening) {
        double violation = 0.0, value = 0.0;
        *share = length;
        bool evaluated = try_share(p, length, &violation, &value);
        if (evaluated && is_acceptable(p, s, r, length, violation, value)) return true;
        if (length == longest && evaluated && violation >= r->violation &&
            correct(p, s, r, longest, violation, share))
            return true;
        if (length == longest && evaluated && take_by_error(p, r, length, violation)) return *taken = true;
    }
    return false;
}

crm_search_outcome crm_search_along(crm_phase *p, crm_search *s) {
    reference r = {crm_phase_violation(p, p->row), crm_phase_barrier_function(p, p->at.v, p->objective),
                   crm_phase_barrier_slope(p)};
    if (s->most_violation < 0.0) {
        s->most_violation = most_violation * fmax(1.0, r.violation);
        s->small_violation = small_violation * fmax(1.0, r.violation);
    }
    double share, violation, value;
    if (is_tiny(p)) {
        share = crm_phase_longest_primal(p, p->step.v, fmax(0.99, 1.0 - p->mu));
        s->length = share;
        s->tiny++;
        return try_share(p, share, &violation, &value) && take_trial(p, share) ? CRM_SEARCH_TINY : CRM_SEARCH_FAILED;
    }
    s->tiny = 0;
    bool taken = false;
    if (!find_share(p, s, &r, &share, &taken)) return CRM_SEARCH_FAILED;
    s->length = share;
    if (taken) return CRM_SEARCH_MOVED;
    value = crm_phase_barrier_function(p, p->trial.v, p->trial_objective);
    if (!value_counts(&r, share) || !lessens_value(&r, share, value)) note(p, &r);
    return take_trial(p, share) ? CRM_SEARCH_MOVED : CRM_SEARCH_FAILED;
}
