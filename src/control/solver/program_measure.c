// SPDX-License-Identifier: MIT
// How good a point is, by the program alone.
#include <math.h>

#include "base/fail.h"
#include "control/solver/program_solver.h"

carom_status crm_program_point_create(const crm_program *p, crm_arena *arena, crm_program_point *out,
                                      carom_error *error) {
    out->z = CRM_ARENA_ZEROED(arena, double, p->unknown_count);
    out->multiplier = CRM_ARENA_ZEROED(arena, double, p->row_count);
    out->bound_lower = CRM_ARENA_ZEROED(arena, double, p->unknown_count);
    out->bound_upper = CRM_ARENA_ZEROED(arena, double, p->unknown_count);
    if (!crm_arena_refused(arena)) return CAROM_OK;
    return crm_fail_memory(error, "a point of a program", sizeof(double) * (size_t)p->unknown_count);
}

// Multipliers beyond this mean size take the errors that they make with them, as in Ipopt's scaling.
static const double usual_multiplier = 100.0;

static double scale_of(const crm_program *p, const crm_program_point *point) {
    double sum = 0.0;
    for (int r = 0; r < p->row_count; r++) sum += fabs(point->multiplier[r]);
    for (int i = 0; i < p->unknown_count; i++) sum += point->bound_lower[i] + point->bound_upper[i];
    double mean = sum / fmax(1.0, (double)p->row_count + 2.0 * p->unknown_count);
    return fmax(usual_multiplier, mean) / usual_multiplier;
}

// A multiplier times the distance from its bound; one of a bound that is not there, or with the wrong sign, counts
// itself.
static double product(double multiplier, double distance) {
    if (multiplier < 0.0 || !isfinite(distance)) return fabs(multiplier);
    return multiplier * fabs(distance);
}

bool crm_program_measure(const crm_evaluator *e, const crm_program_point *point, crm_arena *arena,
                         crm_program_result *result) {
    const crm_program *p = e->program;
    crm_mark mark = crm_arena_mark(arena);
    double *row = CRM_ARENA_ARRAY(arena, double, p->row_count);
    double *gradient = CRM_ARENA_ARRAY(arena, double, p->unknown_count);
    double *jacobian = CRM_ARENA_ARRAY(arena, double, e->jacobian_count);
    bool good = row != NULL && gradient != NULL && jacobian != NULL &&
                crm_evaluate_objective(e, point->z, &result->objective) &&
                crm_evaluate_gradient(e, point->z, gradient) && crm_evaluate_rows(e, point->z, row) &&
                crm_evaluate_jacobian(e, point->z, jacobian);
    if (good) {
        result->violation = crm_program_violation(p, point->z, row, NULL);
        double optimality = 0.0, complementarity = 0.0, scale = scale_of(p, point);
        for (int r = 0; r < p->row_count; r++) {
            double y = point->multiplier[r];
            for (int k = e->jacobian_start[r]; k < e->jacobian_start[r + 1]; k++)
                gradient[e->jacobian_column[k]] += y * jacobian[k];
            if (p->row_lower[r] == p->row_upper[r]) continue;
            double from = y > 0.0 ? p->row_upper[r] - row[r] : row[r] - p->row_lower[r];
            complementarity = fmax(complementarity, product(fabs(y), from));
        }
        for (int i = 0; i < p->unknown_count; i++) {
            if (p->lower[i] == p->upper[i]) continue;
            double lower = point->bound_lower[i], upper = point->bound_upper[i];
            optimality = fmax(optimality, fabs(gradient[i] - lower + upper));
            complementarity = fmax(complementarity, product(lower, point->z[i] - p->lower[i]));
            complementarity = fmax(complementarity, product(upper, p->upper[i] - point->z[i]));
        }
        result->optimality = optimality / scale;
        result->complementarity = complementarity / scale;
    }
    crm_arena_release(arena, mark);
    return good;
}
