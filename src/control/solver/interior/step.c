// SPDX-License-Identifier: MIT
#include "control/solver/interior/step.h"

#include <math.h>
#include <string.h>

// Regularization of H: the first one, the growth while none was ever needed and after that, what is kept of the last.
static const double first_regularization = 1e-4, largest_regularization = 1e20, least_regularization = 1e-20;
static const double first_growth = 100.0, growth = 8.0, decay = 1.0 / 3.0;

// Rows that depend on each other get a pivot by this; it moves the steps of others by as little.
static const double usual_row_regularization = 1e-10;

// The same where rows are seen to depend on each other.
static const double raised_row_regularization = 1e-8;

enum { MOST_REFINEMENTS = 10 };

// Residuals below this are not refined further.
static const double good_residual = 1e-12;

static void find_curvatures(crm_phase *p) {
    for (int i = 0; i < p->size; i++) {
        double c = 0.0;
        if (p->lower[i] > -INFINITY) c += p->at.lower[i] / (p->at.v[i] - p->lower[i]);
        if (p->upper[i] < INFINITY) c += p->at.upper[i] / (p->upper[i] - p->at.v[i]);
        p->curvature[i] = c;
    }
    for (int i = 0; p->elastic && i < p->n; i++) p->curvature[i] += p->zeta * p->nearness[i];
}

// With what slacks and elastics leave of a row when they are eliminated.
static carom_status factor_with(crm_phase *p, const double *hessian, double delta_w, double delta_c,
                                carom_error *error) {
    const crm_reduced *d = p->problem;
    const double *slack = p->curvature + p->n, *elastic = slack + p->slacks;
    for (int i = 0; i < p->n; i++) p->unknown_diagonal[i] = p->curvature[i] + delta_w;
    for (int r = 0; r < p->m; r++) {
        double sum = delta_c;
        if (d->slack[r] >= 0) sum += 1.0 / (slack[d->slack[r]] + delta_w);
        if (p->elastic) sum += 1.0 / (elastic[r] + delta_w) + 1.0 / (elastic[p->m + r] + delta_w);
        p->row_diagonal[r] = sum;
    }
    p->regularization = delta_w;
    p->row_regularization = delta_c;
    p->factorizations++;
    return crm_newton_matrix_factor(p->matrix, hessian, p->jacobian, p->unknown_diagonal, p->row_diagonal, error);
}

typedef enum inertia { RIGHT, TOO_FEW_NEGATIVE, TOO_MANY_NEGATIVE } inertia;

static inertia judge(const crm_newton_matrix *m) {
    if (!m->report.finite || m->report.negative > m->kept) return TOO_MANY_NEGATIVE;
    return m->report.negative < m->kept || m->report.zero > 0 ? TOO_FEW_NEGATIVE : RIGHT;
}

static double raise_regularization(const crm_phase *p, double delta_w) {
    if (delta_w > 0.0) return delta_w * (p->last_regularization == 0.0 ? first_growth : growth);
    if (p->last_regularization == 0.0) return first_regularization;
    return fmax(least_regularization, decay * p->last_regularization);
}

carom_status crm_step_factor(crm_phase *p, bool *found, carom_error *error) {
    *found = false;
    p->inertia_right = false;
    if (!crm_reduced_hessian(p->problem, p->at.v, p->elastic ? 0.0 : 1.0, p->at.y, p->hessian)) return CAROM_OK;
    find_curvatures(p);
    p->regularization = -1.0;
    return crm_step_factor_again(p, found, error);
}

carom_status crm_step_factor_again(crm_phase *p, bool *found, carom_error *error) {
    *found = false;
    double delta_c = usual_row_regularization;
    double delta_w = p->regularization < 0.0 ? 0.0 : raise_regularization(p, p->regularization);
    for (; delta_w <= largest_regularization; delta_w = raise_regularization(p, delta_w)) {
        carom_status status = factor_with(p, p->hessian, delta_w, delta_c, error);
        if (status != CAROM_OK) return status;
        inertia inertia = judge(p->matrix);
        if (inertia == TOO_FEW_NEGATIVE && delta_c == usual_row_regularization) {
            delta_c = raised_row_regularization * pow(p->mu, 0.25);
            status = factor_with(p, p->hessian, delta_w, delta_c, error);
            if (status != CAROM_OK) return status;
            inertia = judge(p->matrix);
        }
        if (inertia != RIGHT) continue;
        if (delta_w > 0.0) p->last_regularization = delta_w;
        p->inertia_right = delta_w == 0.0;
        *found = true;
        return CAROM_OK;
    }
    return CAROM_OK;
}

carom_status crm_step_factor_least_squares(crm_phase *p, bool *found, carom_error *error) {
    memset(p->hessian, 0, (size_t)p->problem->hessian_count * sizeof *p->hessian);
    for (int i = 0; i < p->size; i++) p->curvature[i] = 1.0;
    return crm_step_factor_as_is(p, found, error);
}

carom_status crm_step_factor_as_is(crm_phase *p, bool *found, carom_error *error) {
    carom_status status = factor_with(p, p->hessian, 0.0, usual_row_regularization, error);
    *found = status == CAROM_OK && judge(p->matrix) == RIGHT;
    return status;
}

// (v, y) by the condensed matrix for right-hand sides of the whole one.
static void solve_once(crm_phase *p, const double *first, const double *second, double *v, double *y) {
    const crm_reduced *d = p->problem;
    double delta = p->regularization;
    const double *slack = p->curvature + p->n, *elastic = slack + p->slacks;
    const double *a_slack = first + p->n, *a_elastic = a_slack + p->slacks;
    for (int r = 0; r < p->m; r++) {
        int s = d->slack[r];
        y[r] = second[r];
        if (s >= 0) y[r] += a_slack[s] / (slack[s] + delta);
        if (p->elastic) y[r] += a_elastic[r] / (elastic[r] + delta) - a_elastic[p->m + r] / (elastic[p->m + r] + delta);
    }
    memcpy(v, first, (size_t)p->n * sizeof *v);
    crm_newton_matrix_solve(p->matrix, v, y);
    double *v_slack = v + p->n, *v_elastic = v_slack + p->slacks;
    for (int r = 0; r < p->m; r++) {
        int s = d->slack[r], q = p->m + r;
        if (s >= 0) v_slack[s] = (a_slack[s] + y[r]) / (slack[s] + delta);
        if (!p->elastic) continue;
        v_elastic[r] = (a_elastic[r] + y[r]) / (elastic[r] + delta);
        v_elastic[q] = (a_elastic[q] - y[r]) / (elastic[q] + delta);
    }
}

// rest = right-hand sides - matrix times (v, y)
static void find_rest(const crm_phase *p, const double *v, const double *y, double *first, double *second) {
    const crm_reduced *d = p->problem;
    for (int i = 0; i < p->size; i++) first[i] = p->first[i] - (p->curvature[i] + p->regularization) * v[i];
    for (int h = 0; h < d->hessian_count; h++) {
        int i = d->hessian_row[h], j = d->hessian_column[h];
        first[i] -= p->hessian[h] * v[j];
        if (i != j) first[j] -= p->hessian[h] * v[i];
    }
    double *slack = first + p->n, *elastic = slack + p->slacks;
    const double *v_slack = v + p->n, *v_elastic = v_slack + p->slacks;
    for (int r = 0; r < p->m; r++) {
        double sum = p->second[r] + p->row_regularization * y[r];
        for (int k = d->jacobian_start[r]; k < d->jacobian_start[r + 1]; k++) {
            sum -= p->jacobian[k] * v[d->jacobian_column[k]];
            first[d->jacobian_column[k]] -= p->jacobian[k] * y[r];
        }
        if (d->slack[r] >= 0) {
            sum += v_slack[d->slack[r]];
            slack[d->slack[r]] += y[r];
        }
        if (p->elastic) {
            sum += v_elastic[r] - v_elastic[p->m + r];
            elastic[r] += y[r];
            elastic[p->m + r] -= y[r];
        }
        second[r] = sum;
    }
}

static double largest(int count, const double *x) {
    double most = 0.0;
    for (int i = 0; i < count; i++) most = fabs(x[i]) <= most ? most : isnan(x[i]) ? INFINITY : fabs(x[i]);
    return most;
}

static double ratio_of_rest(const crm_phase *p, const double *v, const double *y) {
    double rest = fmax(largest(p->size, p->rest_first), largest(p->m, p->rest_second));
    double right = fmax(largest(p->size, p->first), largest(p->m, p->second));
    double left = fmax(largest(p->size, v), largest(p->m, y));
    if (rest == 0.0) return 0.0;
    return rest / (fmin(left, 1e6 * right) + right);
}

double crm_step_solve(crm_phase *p, double *v, double *y) {
    memcpy(p->rest_first, p->first, (size_t)p->size * sizeof *v);
    memcpy(p->rest_second, p->second, (size_t)p->m * sizeof *y);
    solve_once(p, p->rest_first, p->rest_second, v, y);
    find_rest(p, v, y, p->rest_first, p->rest_second);
    double ratio = ratio_of_rest(p, v, y);
    for (int i = 0; i < MOST_REFINEMENTS && ratio > good_residual; i++) {
        solve_once(p, p->rest_first, p->rest_second, p->more_first, p->more_second);
        for (int k = 0; k < p->size; k++) v[k] += p->more_first[k];
        for (int r = 0; r < p->m; r++) y[r] += p->more_second[r];
        find_rest(p, v, y, p->rest_first, p->rest_second);
        double better = ratio_of_rest(p, v, y);
        if (!(better < 0.5 * ratio)) {
            if (better <= ratio) return better;
            for (int k = 0; k < p->size; k++) v[k] -= p->more_first[k];
            for (int r = 0; r < p->m; r++) y[r] -= p->more_second[r];
            return ratio;
        }
        ratio = better;
    }
    return ratio;
}

// What mu adds to the gradient of the barrier problem, to which `dual` is the rest.
static double barrier_gradient(const crm_phase *p, int i, double mu) {
    double g = 0.0;
    bool lower = p->lower[i] > -INFINITY, upper = p->upper[i] < INFINITY;
    if (lower) g -= mu / (p->at.v[i] - p->lower[i]);
    if (upper) g += mu / (p->upper[i] - p->at.v[i]);
    if (lower && !upper) g += CRM_BARRIER_DAMPING * mu;
    if (upper && !lower) g -= CRM_BARRIER_DAMPING * mu;
    return g;
}

double crm_step_find(crm_phase *p, double mu, const double *row) {
    for (int i = 0; i < p->size; i++) p->first[i] = -(p->dual[i] + barrier_gradient(p, i, mu));
    for (int r = 0; r < p->m; r++) p->second[r] = -row[r];
    double ratio = crm_step_solve(p, p->step.v, p->step.y);
    for (int i = 0; i < p->size; i++) {
        double d = p->step.v[i], below = p->at.v[i] - p->lower[i], above = p->upper[i] - p->at.v[i];
        p->step.lower[i] = p->step.upper[i] = 0.0;
        if (p->lower[i] > -INFINITY) p->step.lower[i] = (mu - p->at.lower[i] * d) / below - p->at.lower[i];
        if (p->upper[i] < INFINITY) p->step.upper[i] = (mu + p->at.upper[i] * d) / above - p->at.upper[i];
    }
    return ratio;
}
