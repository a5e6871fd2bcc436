// SPDX-License-Identifier: MIT
#include "control/solver/interior/phase.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"

// Multipliers beyond this mean size take the errors that they make with them (WB (6)).
static const double usual_multiplier = 100.0;

// Multipliers of bounds stay within this factor of mu / distance.
static const double largest_drift = 1e10;

// ---- memory

static void split(crm_iterate *it, const crm_phase *phase, double *memory) {
    it->v = memory;
    it->y = memory + phase->size;
    it->lower = it->y + phase->m;
    it->upper = it->lower + phase->size;
}

carom_status crm_phase_create(crm_reduced *problem, crm_newton_matrix *matrix, bool elastic, crm_arena *arena,
                              crm_phase *phase, carom_error *error) {
    crm_phase p = {.problem = problem, .matrix = matrix, .elastic = elastic};
    p.n = problem->n;
    p.m = problem->m;
    p.slacks = problem->slacks;
    p.size = p.n + p.slacks + (elastic ? 2 * p.m : 0);
    ptrdiff_t iterate = 3 * (ptrdiff_t)p.size + p.m;
    ptrdiff_t entries = problem->jacobian_start[p.m], curvatures = problem->hessian_count;
    ptrdiff_t total = 5 * iterate + 8 * (ptrdiff_t)p.size + 7 * (ptrdiff_t)p.m + 3 * (ptrdiff_t)p.n + entries + curvatures;
    double *memory = CRM_ARENA_ZEROED(arena, double, total);
    p.filter.entry = crm_arena_take_array(arena, CRM_FILTER_SIZE, sizeof *p.filter.entry);
    p.side = CRM_ARENA_ARRAY(arena, char, p.size);
    if (memory == NULL || p.filter.entry == NULL || p.side == NULL)
        return crm_fail_memory(error, "a program's iterates", sizeof(double) * (size_t)total);
    split(&p.at, &p, memory);
    split(&p.trial, &p, memory + iterate);
    split(&p.step, &p, memory + 2 * iterate);
    split(&p.kept_step, &p, memory + 3 * iterate);
    split(&p.kept, &p, memory + 4 * iterate);
    memory += 5 * iterate;
    double **const of_size[] = {&p.lower,     &p.upper, &p.gradient,   &p.dual,
                                &p.curvature, &p.first, &p.rest_first, &p.more_first};
    double **const of_rows[] = {&p.row,         &p.trial_row,   &p.row_diagonal, &p.second,
                                &p.rest_second, &p.more_second, &p.corrected_row};
    double **const of_unknowns[] = {&p.unknown_diagonal, &p.reference, &p.nearness};
    for (size_t i = 0; i < sizeof of_size / sizeof *of_size; i++, memory += p.size) *of_size[i] = memory;
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; i++, memory += p.m) *of_rows[i] = memory;
    for (size_t i = 0; i < sizeof of_unknowns / sizeof *of_unknowns; i++, memory += p.n) *of_unknowns[i] = memory;
    p.jacobian = memory;
    p.hessian = memory + entries;
    int own = p.n + p.slacks;
    memcpy(p.lower, problem->lower, (size_t)own * sizeof(double));
    memcpy(p.upper, problem->upper, (size_t)own * sizeof(double));
    for (int i = own; i < p.size; i++) p.upper[i] = INFINITY; // elastics, from 0
    *phase = p;
    return CAROM_OK;
}

void crm_iterate_copy(const crm_phase *p, const crm_iterate *from, crm_iterate *to) {
    memcpy(to->v, from->v, (3 * (size_t)p->size + (size_t)p->m) * sizeof(double));
}

// ---- values

static bool evaluate_objective(crm_phase *p, const double *v, double *objective) {
    if (!p->elastic) return crm_reduced_objective(p->problem, v, objective);
    double sum = 0.0, near = 0.0;
    for (int i = p->n + p->slacks; i < p->size; i++) sum += v[i];
    for (int i = 0; i < p->n; i++) {
        double far = v[i] - p->reference[i];
        near += p->nearness[i] * far * far;
    }
    *objective = p->rho * sum + 0.5 * p->zeta * near;
    return isfinite(*objective);
}

static bool evaluate_rows(crm_phase *p, const double *v, double *row) {
    const crm_reduced *d = p->problem;
    if (!crm_reduced_rows(p->problem, v, row)) return false;
    const double *elastic = v + p->n + p->slacks;
    for (int r = 0; r < p->m; r++) {
        row[r] -= d->slack[r] >= 0 ? v[p->n + d->slack[r]] : d->target[r];
        if (p->elastic) row[r] += elastic[p->m + r] - elastic[r];
    }
    return true;
}

static bool evaluate_gradient(crm_phase *p) {
    for (int i = p->n; i < p->size; i++) p->gradient[i] = i < p->n + p->slacks ? 0.0 : p->rho;
    if (!p->elastic) return crm_reduced_gradient(p->problem, p->at.v, p->gradient);
    for (int i = 0; i < p->n; i++) p->gradient[i] = p->zeta * p->nearness[i] * (p->at.v[i] - p->reference[i]);
    return true;
}

void crm_phase_update_dual(crm_phase *p) {
    const crm_reduced *d = p->problem;
    const double *y = p->at.y;
    memcpy(p->dual, p->gradient, (size_t)p->size * sizeof(double));
    double *slack = p->dual + p->n, *elastic = slack + p->slacks;
    for (int r = 0; r < p->m; r++) {
        for (int k = d->jacobian_start[r]; k < d->jacobian_start[r + 1]; k++)
            p->dual[d->jacobian_column[k]] += y[r] * p->jacobian[k];
        if (d->slack[r] >= 0) slack[d->slack[r]] -= y[r];
        if (!p->elastic) continue;
        elastic[r] -= y[r];
        elastic[p->m + r] += y[r];
    }
}

static bool evaluate_derivatives(crm_phase *p) {
    if (!evaluate_gradient(p) || !crm_reduced_jacobian(p->problem, p->at.v, p->jacobian)) return false;
    crm_phase_update_dual(p);
    return true;
}

bool crm_phase_evaluate(crm_phase *p) {
    return evaluate_objective(p, p->at.v, &p->objective) && evaluate_rows(p, p->at.v, p->row) &&
           evaluate_derivatives(p);
}

bool crm_phase_evaluate_trial(crm_phase *p) {
    return evaluate_objective(p, p->trial.v, &p->trial_objective) && evaluate_rows(p, p->trial.v, p->trial_row);
}

bool crm_phase_accept_trial(crm_phase *p) {
    crm_iterate_copy(p, &p->trial, &p->at);
    p->objective = p->trial_objective;
    memcpy(p->row, p->trial_row, (size_t)p->m * sizeof(double));
    return evaluate_derivatives(p);
}

// ---- the barrier

double crm_phase_barrier_function(const crm_phase *p, const double *v, double objective) {
    double logs = 0.0, linear = 0.0;
    for (int i = 0; i < p->size; i++) {
        bool lower = p->lower[i] > -INFINITY, upper = p->upper[i] < INFINITY;
        if (lower) logs += log(v[i] - p->lower[i]);
        if (upper) logs += log(p->upper[i] - v[i]);
        if (lower && !upper) linear += v[i] - p->lower[i];
        if (upper && !lower) linear += p->upper[i] - v[i];
    }
    return objective - p->mu * (logs - CRM_BARRIER_DAMPING * linear);
}

double crm_phase_barrier_slope(const crm_phase *p) {
    double slope = 0.0;
    for (int i = 0; i < p->size; i++) {
        bool lower = p->lower[i] > -INFINITY, upper = p->upper[i] < INFINITY;
        double g = p->gradient[i];
        if (lower) g -= p->mu / (p->at.v[i] - p->lower[i]);
        if (upper) g += p->mu / (p->upper[i] - p->at.v[i]);
        if (lower && !upper) g += CRM_BARRIER_DAMPING * p->mu;
        if (upper && !lower) g -= CRM_BARRIER_DAMPING * p->mu;
        slope += g * p->step.v[i];
    }
    return slope;
}

double crm_phase_violation(const crm_phase *p, const double *row) {
    double sum = 0.0;
    for (int r = 0; r < p->m; r++) sum += fabs(row[r]);
    return sum;
}

// Infinity for what is not a number, so that no comparison passes it over.
static double larger(double a, double b) {
    return b <= a ? a : isnan(b) ? INFINITY : b;
}

crm_phase_error crm_phase_measure(const crm_phase *p, double mu) {
    crm_phase_error error = {0.0, 0.0, 0.0, 0.0};
    double multipliers = 0.0, bound_multipliers = 0.0;
    int bounds = 0;
    for (int r = 0; r < p->m; r++) {
        error.violation = larger(error.violation, fabs(p->row[r]));
        multipliers += fabs(p->at.y[r]);
    }
    for (int i = 0; i < p->size; i++) {
        double v = p->at.v[i], lower = p->at.lower[i], upper = p->at.upper[i];
        error.optimality = larger(error.optimality, fabs(p->dual[i] - lower + upper));
        if (p->lower[i] > -INFINITY) {
            bounds++;
            bound_multipliers += lower;
            error.complementarity = larger(error.complementarity, fabs((v - p->lower[i]) * lower - mu));
        }
        if (p->upper[i] < INFINITY) {
            bounds++;
            bound_multipliers += upper;
            error.complementarity = larger(error.complementarity, fabs((p->upper[i] - v) * upper - mu));
        }
    }
    double mean = (multipliers + bound_multipliers) / fmax(1.0, p->m + bounds);
    error.optimality /= fmax(usual_multiplier, mean) / usual_multiplier;
    error.complementarity /= fmax(usual_multiplier, bound_multipliers / fmax(1.0, bounds)) / usual_multiplier;
    error.largest = larger(larger(error.optimality, error.violation), error.complementarity);
    return error;
}

// ---- distances from bounds

double crm_phase_longest_primal(const crm_phase *p, const double *step, double tau) {
    double longest = 1.0;
    for (int i = 0; i < p->size; i++) {
        double d = step[i];
        if (d < 0.0 && p->lower[i] > -INFINITY) longest = fmin(longest, -tau * (p->at.v[i] - p->lower[i]) / d);
        if (d > 0.0 && p->upper[i] < INFINITY) longest = fmin(longest, tau * (p->upper[i] - p->at.v[i]) / d);
    }
    return longest;
}

double crm_phase_longest_dual(const crm_phase *p, double tau) {
    double longest = 1.0;
    for (int i = 0; i < p->size; i++) {
        if (p->step.lower[i] < 0.0) longest = fmin(longest, -tau * p->at.lower[i] / p->step.lower[i]);
        if (p->step.upper[i] < 0.0) longest = fmin(longest, -tau * p->at.upper[i] / p->step.upper[i]);
    }
    return longest;
}

void crm_phase_keep_distance(crm_phase *p) {
    // Distances below this have lost their digits; they are set to the other, in units of the bound.
    double least = DBL_EPSILON * fmin(1.0, p->mu), room = pow(DBL_EPSILON, 0.75);
    for (int i = 0; i < p->size; i++) {
        double v = p->trial.v[i];
        if (v - p->lower[i] < least) p->lower[i] = v - room * fmax(1.0, fabs(v));
        if (p->upper[i] - v < least) p->upper[i] = v + room * fmax(1.0, fabs(v));
    }
}

static double clamp(double multiplier, double central) {
    return fmax(fmin(multiplier, largest_drift * central), central / largest_drift);
}

void crm_phase_keep_multipliers(crm_phase *p) {
    for (int i = 0; i < p->size; i++) {
        double v = p->trial.v[i];
        if (p->lower[i] > -INFINITY) p->trial.lower[i] = clamp(p->trial.lower[i], p->mu / (v - p->lower[i]));
        if (p->upper[i] < INFINITY) p->trial.upper[i] = clamp(p->trial.upper[i], p->mu / (p->upper[i] - v));
    }
}
