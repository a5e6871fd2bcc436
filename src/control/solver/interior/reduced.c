// SPDX-License-Identifier: MIT
// Fixed unknowns leave, rows are scaled, bounds are moved outward: what the method itself works on.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "control/solver/interior/interior.h"

// Rows and objective whose gradient at the start is larger than this are scaled down to it (WB, section 3.8).
static const double largest_gradient = 100.0, least_scale = 1e-8;

static carom_status no_memory(const crm_program *p, carom_error *error) {
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for a program of %d unknowns and %d rows", p->unknown_count,
                    p->row_count);
}

static bool is_fixed(const crm_program *p, int32_t unknown) {
    return p->lower[unknown] == p->upper[unknown];
}

static int free_entries(const crm_reduced *d, int32_t row) {
    const crm_evaluator *e = d->evaluator;
    int count = 0;
    for (int k = e->jacobian_start[row]; k < e->jacobian_start[row + 1]; k++)
        count += !is_fixed(e->program, e->jacobian_column[k]);
    return count;
}

static bool is_bounded(const crm_program *p, int32_t row) {
    return p->row_lower[row] > -INFINITY || p->row_upper[row] < INFINITY;
}

// Free unknowns, and rows that have any.
static bool choose(crm_reduced *d, int32_t *number, crm_arena *arena) {
    const crm_program *p = d->evaluator->program;
    d->unknown = CRM_ARENA_ARRAY(arena, int32_t, p->unknown_count);
    d->row = CRM_ARENA_ARRAY(arena, int32_t, p->row_count);
    d->slack = CRM_ARENA_ARRAY(arena, int32_t, p->row_count);
    d->inequality = CRM_ARENA_ARRAY(arena, bool, p->row_count);
    d->unknown_place = CRM_ARENA_ARRAY(arena, crm_place, p->unknown_count);
    d->row_place = CRM_ARENA_ARRAY(arena, crm_place, p->row_count);
    if (crm_arena_refused(arena)) return false;
    for (int32_t i = 0; i < p->unknown_count; i++) {
        number[i] = is_fixed(p, i) ? -1 : d->n;
        if (number[i] < 0) continue;
        d->unknown_place[d->n] = p->unknown_place[i];
        d->unknown[d->n++] = i;
    }
    for (int32_t r = 0; r < p->row_count; r++) {
        if (!is_bounded(p, r) || free_entries(d, r) == 0) continue;
        d->inequality[d->m] = p->row_lower[r] < p->row_upper[r];
        d->slack[d->m] = d->inequality[d->m] ? d->slacks++ : -1;
        d->row_place[d->m] = p->row_place[r];
        d->row[d->m++] = r;
    }
    return true;
}

static bool take_patterns(crm_reduced *d, const int32_t *number, crm_arena *arena) {
    const crm_evaluator *e = d->evaluator;
    d->jacobian_start = CRM_ARENA_ARRAY(arena, int32_t, (ptrdiff_t)d->m + 1);
    d->jacobian_column = CRM_ARENA_ARRAY(arena, int32_t, e->jacobian_count);
    d->jacobian_from = CRM_ARENA_ARRAY(arena, int32_t, e->jacobian_count);
    d->hessian_row = CRM_ARENA_ARRAY(arena, int32_t, e->hessian_count);
    d->hessian_column = CRM_ARENA_ARRAY(arena, int32_t, e->hessian_count);
    d->hessian_from = CRM_ARENA_ARRAY(arena, int32_t, e->hessian_count);
    if (crm_arena_refused(arena)) return false;
    int count = 0;
    for (int r = 0; r < d->m; r++) {
        d->jacobian_start[r] = count;
        for (int k = e->jacobian_start[d->row[r]]; k < e->jacobian_start[d->row[r] + 1]; k++) {
            if (number[e->jacobian_column[k]] < 0) continue;
            d->jacobian_column[count] = number[e->jacobian_column[k]];
            d->jacobian_from[count++] = k;
        }
    }
    d->jacobian_start[d->m] = count;
    for (int i = 0; i < d->n; i++) {
        for (int k = e->hessian_start[d->unknown[i]]; k < e->hessian_start[d->unknown[i] + 1]; k++) {
            if (number[e->hessian_column[k]] < 0) continue;
            d->hessian_row[d->hessian_count] = i;
            d->hessian_column[d->hessian_count] = number[e->hessian_column[k]];
            d->hessian_from[d->hessian_count++] = k;
        }
    }
    return true;
}

static bool take_values(crm_reduced *d, const double *z, crm_arena *arena) {
    const crm_evaluator *e = d->evaluator;
    const crm_program *p = e->program;
    d->z = CRM_ARENA_ARRAY(arena, double, p->unknown_count);
    d->row_value = CRM_ARENA_ARRAY(arena, double, p->row_count);
    d->gradient_value = CRM_ARENA_ARRAY(arena, double, p->unknown_count);
    d->jacobian_value = CRM_ARENA_ARRAY(arena, double, e->jacobian_count);
    d->hessian_value = CRM_ARENA_ARRAY(arena, double, e->hessian_count);
    d->weight = CRM_ARENA_ZEROED(arena, double, p->row_count);
    d->row_scale = CRM_ARENA_ARRAY(arena, double, d->m);
    d->target = CRM_ARENA_ARRAY(arena, double, d->m);
    d->lower = CRM_ARENA_ARRAY(arena, double, d->n + d->slacks);
    d->upper = CRM_ARENA_ARRAY(arena, double, d->n + d->slacks);
    d->given_lower = CRM_ARENA_ARRAY(arena, double, d->n + d->slacks);
    d->given_upper = CRM_ARENA_ARRAY(arena, double, d->n + d->slacks);
    if (crm_arena_refused(arena)) return false;
    for (int32_t i = 0; i < p->unknown_count; i++) d->z[i] = is_fixed(p, i) ? p->lower[i] : z[i];
    return true;
}

static double scale_for(double gradient) {
    return gradient > largest_gradient ? fmax(largest_gradient / gradient, least_scale) : 1.0;
}

static void find_scales(crm_reduced *d) {
    const crm_evaluator *e = d->evaluator;
    d->objective_scale = 1.0;
    for (int r = 0; r < d->m; r++) d->row_scale[r] = 1.0;
    if (!crm_evaluate_gradient(e, d->z, d->gradient_value) || !crm_evaluate_jacobian(e, d->z, d->jacobian_value))
        return;
    double largest = 0.0;
    for (int i = 0; i < d->n; i++) largest = fmax(largest, fabs(d->gradient_value[d->unknown[i]]));
    d->objective_scale = scale_for(largest);
    for (int r = 0; r < d->m; r++) {
        largest = 0.0;
        for (int k = d->jacobian_start[r]; k < d->jacobian_start[r + 1]; k++)
            largest = fmax(largest, fabs(d->jacobian_value[d->jacobian_from[k]]));
        d->row_scale[r] = scale_for(largest);
    }
}

static double outward(double bound, double moved) {
    return isfinite(bound) ? bound + moved * fmax(1.0, fabs(bound)) : bound;
}

static void find_bounds(crm_reduced *d, double moved) {
    const crm_program *p = d->evaluator->program;
    for (int i = 0; i < d->n; i++) {
        d->given_lower[i] = p->lower[d->unknown[i]];
        d->given_upper[i] = p->upper[d->unknown[i]];
    }
    for (int r = 0; r < d->m; r++) {
        double lower = p->row_lower[d->row[r]] * d->row_scale[r], upper = p->row_upper[d->row[r]] * d->row_scale[r];
        d->target[r] = lower;
        if (d->slack[r] < 0) continue;
        d->given_lower[d->n + d->slack[r]] = lower;
        d->given_upper[d->n + d->slack[r]] = upper;
    }
    for (int i = 0; i < d->n + d->slacks; i++) {
        d->lower[i] = outward(d->given_lower[i], -moved);
        d->upper[i] = outward(d->given_upper[i], moved);
    }
}

// What no unknown can change.
static void find_fixed_violation(crm_reduced *d) {
    const crm_evaluator *e = d->evaluator;
    const crm_program *p = e->program;
    d->fixed_row = -1;
    if (!crm_evaluate_rows(e, d->z, d->row_value)) return;
    for (int32_t r = 0; r < p->row_count; r++) {
        if (free_entries(d, r) > 0) continue;
        double violation = fmax(p->row_lower[r] - d->row_value[r], d->row_value[r] - p->row_upper[r]);
        if (!(violation > d->fixed_violation)) continue;
        d->fixed_violation = violation;
        d->fixed_row = r;
    }
}

carom_status crm_reduced_create(const crm_evaluator *evaluator, const double *z, double moved, crm_arena *arena,
                                crm_reduced *reduced, carom_error *error) {
    const crm_program *p = evaluator->program;
    *reduced = (crm_reduced){.evaluator = evaluator};
    int32_t *number = CRM_ARENA_ARRAY(arena, int32_t, p->unknown_count);
    if (number == NULL || !choose(reduced, number, arena) || !take_patterns(reduced, number, arena) ||
        !take_values(reduced, z, arena))
        return no_memory(p, error);
    find_scales(reduced);
    find_bounds(reduced, moved);
    find_fixed_violation(reduced);
    return CAROM_OK;
}

// ---- values

static const double *spread(crm_reduced *d, const double *x) {
    for (int i = 0; i < d->n; i++) d->z[d->unknown[i]] = x[i];
    return d->z;
}

static bool all_finite(int count, const double *x) {
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += 0.0 * x[i]; // NaN once one is not finite
    return sum == 0.0;
}

bool crm_reduced_objective(crm_reduced *d, const double *x, double *objective) {
    if (!crm_evaluate_objective(d->evaluator, spread(d, x), objective)) return false;
    *objective *= d->objective_scale;
    return isfinite(*objective);
}

bool crm_reduced_rows(crm_reduced *d, const double *x, double *row) {
    if (!crm_evaluate_rows(d->evaluator, spread(d, x), d->row_value)) return false;
    for (int r = 0; r < d->m; r++) row[r] = d->row_value[d->row[r]] * d->row_scale[r];
    return all_finite(d->m, row);
}

bool crm_reduced_gradient(crm_reduced *d, const double *x, double *gradient) {
    if (!crm_evaluate_gradient(d->evaluator, spread(d, x), d->gradient_value)) return false;
    for (int i = 0; i < d->n; i++) gradient[i] = d->gradient_value[d->unknown[i]] * d->objective_scale;
    return all_finite(d->n, gradient);
}

bool crm_reduced_jacobian(crm_reduced *d, const double *x, double *value) {
    if (!crm_evaluate_jacobian(d->evaluator, spread(d, x), d->jacobian_value)) return false;
    for (int r = 0; r < d->m; r++)
        for (int k = d->jacobian_start[r]; k < d->jacobian_start[r + 1]; k++)
            value[k] = d->jacobian_value[d->jacobian_from[k]] * d->row_scale[r];
    return all_finite(d->jacobian_start[d->m], value);
}

bool crm_reduced_hessian(crm_reduced *d, const double *x, double weight, const double *y, double *value) {
    for (int r = 0; r < d->m; r++) d->weight[d->row[r]] = y[r] * d->row_scale[r];
    if (!crm_evaluate_hessian(d->evaluator, spread(d, x), weight * d->objective_scale, d->weight, d->hessian_value))
        return false;
    for (int h = 0; h < d->hessian_count; h++) value[h] = d->hessian_value[d->hessian_from[h]];
    return all_finite(d->hessian_count, value);
}
