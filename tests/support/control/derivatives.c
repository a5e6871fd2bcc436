// SPDX-License-Identifier: MIT
#include "support/control/derivatives.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "support/harness/check.h"

typedef struct comparison {
    crm_arena arena;
    crm_evaluator evaluator;
    int n, m;
    double *z, *gradient, *jacobian, *hessian, *multiplier; // at the point
    double *plus, *minus, *plus_dual, *minus_dual;          // rows and the Lagrangian's gradient beside it
    double worst_first, worst_second;
} comparison;

static const double objective_weight = 0.7;

static bool prepare(comparison *c, const crm_program *program) {
    carom_error error;
    crm_arena_init(&c->arena, NULL);
    if (!CHECK(crm_evaluator_create(program, &c->arena, &c->evaluator, &error) == CAROM_OK)) return false;
    c->n = program->unknown_count, c->m = program->row_count;
    c->z = CRM_ARENA_ARRAY(&c->arena, double, c->n);
    c->gradient = CRM_ARENA_ARRAY(&c->arena, double, c->n);
    c->jacobian = CRM_ARENA_ARRAY(&c->arena, double, c->evaluator.jacobian_count);
    c->hessian = CRM_ARENA_ARRAY(&c->arena, double, c->evaluator.hessian_count);
    c->multiplier = CRM_ARENA_ARRAY(&c->arena, double, c->m);
    c->plus = CRM_ARENA_ARRAY(&c->arena, double, c->m + 1);
    c->minus = CRM_ARENA_ARRAY(&c->arena, double, c->m + 1);
    c->plus_dual = CRM_ARENA_ARRAY(&c->arena, double, c->n);
    c->minus_dual = CRM_ARENA_ARRAY(&c->arena, double, c->n);
    return CHECK(!crm_arena_refused(&c->arena));
}

// Rows, the objective behind them, and the gradient of the Lagrangian.
static bool evaluate(const comparison *c, double *row, double *dual) {
    const crm_evaluator *e = &c->evaluator;
    if (!crm_evaluate_rows(e, c->z, row) || !crm_evaluate_objective(e, c->z, row + c->m)) return false;
    if (!crm_evaluate_gradient(e, c->z, dual) || !crm_evaluate_jacobian(e, c->z, c->jacobian)) return false;
    for (int i = 0; i < c->n; i++) dual[i] *= objective_weight;
    for (int r = 0; r < c->m; r++)
        for (int k = e->jacobian_start[r]; k < e->jacobian_start[r + 1]; k++)
            dual[e->jacobian_column[k]] += c->multiplier[r] * c->jacobian[k];
    return true;
}

static double entry(int row, int column, const int32_t *start, const int32_t *columns, const double *value) {
    for (int k = start[row]; k < start[row + 1]; k++)
        if (columns[k] == column) return value[k];
    return 0.0;
}

static void compare_column(comparison *c, const double *z, int j) {
    const double step = 1e-5 * fmax(1.0, fabs(z[j]));
    const crm_evaluator *e = &c->evaluator;
    c->z[j] = z[j] + step;
    bool good = evaluate(c, c->plus, c->plus_dual);
    c->z[j] = z[j] - step;
    good = good && evaluate(c, c->minus, c->minus_dual);
    c->z[j] = z[j];
    good = good && crm_evaluate_gradient(e, c->z, c->gradient) && crm_evaluate_jacobian(e, c->z, c->jacobian);
    if (!CHECK(good)) return;
    double largest = 1.0, first = 0.0, largest_second = 1.0, second = 0.0;
    for (int r = 0; r <= c->m; r++) {
        double got = r == c->m ? c->gradient[j] : entry(r, j, e->jacobian_start, e->jacobian_column, c->jacobian);
        first = fmax(first, fabs(got - (c->plus[r] - c->minus[r]) / (2.0 * step)));
        largest = fmax(largest, fabs(got));
    }
    for (int i = 0; i < c->n; i++) {
        double got = entry(i > j ? i : j, i > j ? j : i, e->hessian_start, e->hessian_column, c->hessian);
        second = fmax(second, fabs(got - (c->plus_dual[i] - c->minus_dual[i]) / (2.0 * step)));
        largest_second = fmax(largest_second, fabs(got));
    }
    c->worst_first = fmax(c->worst_first, first / largest);
    c->worst_second = fmax(c->worst_second, second / largest_second);
}

void check_program_derivatives(const crm_program *program, const double *z, double tolerance) {
    comparison c = {.worst_first = 0.0};
    crm_random random = {.seed = 20, .stream = 1};
    if (prepare(&c, program)) {
        memcpy(c.z, z, sizeof *z * (size_t)c.n);
        for (int r = 0; r < c.m; r++) c.multiplier[r] = crm_random_between(&random, -1.0, 1.0);
        CHECK(crm_evaluate_hessian(&c.evaluator, c.z, objective_weight, c.multiplier, c.hessian));
        for (int j = 0; j < c.n; j++) compare_column(&c, z, j);
        CHECK_NEAR(c.worst_first, 0.0, tolerance);
        CHECK_NEAR(c.worst_second, 0.0, tolerance);
    }
    crm_arena_free(&c.arena);
}
