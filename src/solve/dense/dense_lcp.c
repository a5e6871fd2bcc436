// SPDX-License-Identifier: MIT
// The calls for dense complementarity problems: checks, equilibration, and the cascade of methods.
#include "solve/dense/dense_lcp.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "math/dense/dense.h"

const char *carom_dense_lcp_outcome_name(carom_dense_lcp_outcome outcome) {
    switch (outcome) {
    case CAROM_DENSE_LCP_SOLVED:
        return "solved";
    case CAROM_DENSE_LCP_INFEASIBLE:
        return "infeasible";
    case CAROM_DENSE_LCP_UNSOLVABLE:
        return "unsolvable";
    case CAROM_DENSE_LCP_RAY:
        return "ray";
    case CAROM_DENSE_LCP_GAVE_UP:
        return "gave up";
    }
    return "?";
}

// ---- equilibration

typedef struct equilibrated {
    carom_dense_lcp lcp;
    double *row, *column; // powers of two
    double size;          // of q's negative part: another one
} equilibrated;

static double power_of_two(double x) {
    return exp2(rint(log2(x)));
}

// Largest entry of a line of |R A C|; `stride` 1 along a row, n along a column.
static double largest_entry(const double *line, ptrdiff_t stride, int n, const double *across) {
    double largest = 0.0;
    for (int k = 0; k < n; k++) largest = fmax(largest, fabs(line[k * stride]) * across[k]);
    return largest;
}

// Ruiz (2001): divide rows and columns by the roots of their largest entries until these are near 1. Lines that are
// nothing but rounding beside the rest stay as small as they are.
static void find_scales(const carom_dense_lcp *lcp, const carom_interrupt *interrupt, double *row, double *column) {
    ptrdiff_t n = lcp->size;
    double all = 0.0;
    for (ptrdiff_t k = 0; k < n * n; k++) all = fmax(all, fabs(lcp->matrix[k]));
    for (int i = 0; i < n; i++) row[i] = column[i] = all > 0.0 ? 1.0 / sqrt(all) : 1.0;
    for (int round = 0; round < 8 && all > 0.0; round++) {
        for (int i = 0; i < n && !crm_interrupted(interrupt); i++) {
            double most = row[i] * largest_entry(lcp->matrix + i * n, 1, lcp->size, column);
            if (most > 1e-14) row[i] /= sqrt(most);
        }
        for (int j = 0; j < n && !crm_interrupted(interrupt); j++) {
            double most = column[j] * largest_entry(lcp->matrix + j, n, lcp->size, row);
            if (most > 1e-14) column[j] /= sqrt(most);
        }
    }
    for (int i = 0; i < n; i++) {
        row[i] = power_of_two(row[i]);
        column[i] = power_of_two(column[i]);
    }
}

static bool equilibrate(const carom_dense_lcp *lcp, const carom_interrupt *interrupt, crm_arena *arena,
                        equilibrated *out) {
    ptrdiff_t n = lcp->size;
    double *a = CRM_ARENA_ARRAY(arena, double, n *n), *q = CRM_ARENA_ARRAY(arena, double, n);
    out->row = CRM_ARENA_ARRAY(arena, double, n);
    out->column = CRM_ARENA_ARRAY(arena, double, n);
    if (a == NULL || q == NULL || out->row == NULL || out->column == NULL) return false;
    find_scales(lcp, interrupt, out->row, out->column);
    double size = 0.0;
    for (int i = 0; i < n; i++) size = fmax(size, -out->row[i] * lcp->offset[i]);
    out->size = size > 0.0 ? power_of_two(size) : 1.0;
    for (ptrdiff_t i = 0; i < n; i++) {
        q[i] = out->row[i] * lcp->offset[i] / out->size;
        for (ptrdiff_t j = 0; j < n; j++) a[i * n + j] = out->row[i] * lcp->matrix[i * n + j] * out->column[j];
    }
    out->lcp = (carom_dense_lcp){.size = lcp->size, .matrix = a, .offset = q};
    return true;
}

// ---- the cascade

// Where Newton's method does not get there from zero, and with digits to spare, Lemke's is the better one by far;
// other starts of Newton's solved nothing that it had left.
carom_status crm_dense_lcp_cascade(const carom_dense_lcp *lcp, double tolerance, crm_arena *arena,
                                   crm_dense_lcp_result *result, carom_error *error) {
    const struct {
        crm_dense_lcp_method *method;
        carom_solver solver;
        double share; // of the tolerance
    } stages[] = {{crm_dense_lcp_min_map_from_zero, CAROM_SOLVER_MIN_MAP, 0.01},
                  {crm_dense_lcp_lemke, CAROM_SOLVER_LEMKE, 1.0},
                  {crm_dense_lcp_branch, CAROM_SOLVER_AUTO, 1.0}};
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < sizeof stages / sizeof stages[0] && status == CAROM_OK; i++) {
        if (crm_interrupted(&result->interrupt)) break;
        result->solver = stages[i].solver;
        status = stages[i].method(lcp, stages[i].share * tolerance, arena, result, error);
        if (result->outcome == CAROM_DENSE_LCP_SOLVED || result->outcome == CAROM_DENSE_LCP_INFEASIBLE) break;
    }
    return status;
}

// ---- the call

static carom_status check_finite(const carom_dense_lcp *lcp, carom_error *error) {
    for (ptrdiff_t i = 0; i < lcp->size; i++) {
        const double *row = lcp->matrix + i * lcp->size;
        for (int j = 0; j < lcp->size; j++)
            if (!isfinite(row[j])) return crm_refuse(error, "row %td of the matrix is not finite", i);
        if (!isfinite(lcp->offset[i])) return crm_refuse(error, "entry %td of the offset is not finite", i);
    }
    return CAROM_OK;
}

static carom_status check(const carom_dense_lcp *lcp, crm_dense_lcp_method *method, double tolerance, const double *z,
                          const carom_dense_lcp_report *report, carom_error *error) {
    if (lcp == NULL || z == NULL || report == NULL)
        return crm_refuse(error, "carom_dense_lcp_solve needs a problem, z and a report");
    if (lcp->size < 0) return crm_refuse(error, "the problem's size is %d", lcp->size);
    if (lcp->size > 0 && (lcp->matrix == NULL || lcp->offset == NULL))
        return crm_refuse(error, "the problem has no matrix or no offset");
    if (lcp->size > 20000) return crm_fail(error, CAROM_ERR_TOO_LARGE, "%d unknowns are too many here", lcp->size);
    if (method == NULL)
        return crm_fail(error, CAROM_ERR_UNSUPPORTED, "dense problems are for the solvers auto, lemke and min-map");
    if (!(tolerance > 0.0)) return crm_refuse(error, "the tolerance is %g, must be positive", tolerance);
    return check_finite(lcp, error);
}

static crm_dense_lcp_method *method_of(carom_solver solver) {
    switch (solver) {
    case CAROM_SOLVER_AUTO:
        return crm_dense_lcp_cascade;
    case CAROM_SOLVER_LEMKE:
        return crm_dense_lcp_lemke;
    case CAROM_SOLVER_MIN_MAP:
        return crm_dense_lcp_min_map;
    default:
        return NULL;
    }
}

// Plain, of the problem as given.
static double plain_residual(const carom_dense_lcp *lcp, const double *z) {
    double worst = 0.0;
    for (ptrdiff_t i = 0; i < lcp->size; i++) {
        double w = crm_dense_dot(lcp->size, lcp->matrix + i * lcp->size, z) + lcp->offset[i];
        double least = fabs(z[i] < w ? z[i] : w);
        if (!(least <= worst)) worst = least; // NaN stays
    }
    return worst;
}

// Scales, and looks at z = 0.
static carom_status open_problem(const carom_dense_lcp *lcp, crm_arena *arena, equilibrated *scaled,
                                 crm_dense_lcp_result *result, carom_error *error) {
    double *w = CRM_ARENA_ARRAY(arena, double, lcp->size);
    result->z = CRM_ARENA_ZEROED(arena, double, lcp->size);
    result->proof = CRM_ARENA_ZEROED(arena, double, lcp->size);
    if (w == NULL || result->z == NULL || result->proof == NULL || !equilibrate(lcp, &result->interrupt, arena, scaled))
        return crm_fail_memory(error, "a complementarity problem",
                               (size_t)lcp->size * (size_t)lcp->size * sizeof(double));
    result->residual = crm_dense_lcp_residual(&scaled->lcp, result->z, w);
    return CAROM_OK;
}

static void close_problem(const equilibrated *scaled, const crm_dense_lcp_result *result, double *z) {
    for (int i = 0; i < scaled->lcp.size; i++) z[i] = scaled->size * scaled->column[i] * result->z[i];
}

static carom_status run(const carom_dense_lcp *lcp, crm_dense_lcp_method *method, double tolerance, crm_arena *arena,
                        crm_dense_lcp_result *result, double *z, double *proof, carom_error *error) {
    equilibrated scaled;
    carom_status status = open_problem(lcp, arena, &scaled, result, error);
    if (status == CAROM_OK && result->residual > 0.0) status = method(&scaled.lcp, tolerance, arena, result, error);
    if (status != CAROM_OK) return status;
    close_problem(&scaled, result, z);
    for (int i = 0; i < lcp->size && proof != NULL; i++) proof[i] = scaled.row[i] * result->proof[i];
    return CAROM_OK;
}

static carom_status solve_near(const carom_dense_lcp *lcp, double tolerance, carom_interrupt interrupt,
                               crm_arena *arena, double *z, bool *solved, carom_error *error) {
    equilibrated scaled;
    crm_dense_lcp_result result = {.outcome = CAROM_DENSE_LCP_SOLVED, .interrupt = interrupt};
    carom_status status = open_problem(lcp, arena, &scaled, &result, error);
    if (status != CAROM_OK) return status;
    *solved = result.residual == 0.0;
    for (int i = 0; i < lcp->size; i++) z[i] /= scaled.size * scaled.column[i];
    if (!*solved) status = crm_dense_lcp_offer(&scaled.lcp, z, tolerance, arena, &result, solved, error);
    if (status == CAROM_OK && !*solved) {
        status = crm_dense_lcp_lemke(&scaled.lcp, tolerance, arena, &result, error);
        *solved = result.outcome == CAROM_DENSE_LCP_SOLVED;
    }
    close_problem(&scaled, &result, z);
    return status;
}

carom_status crm_dense_lcp_solve_near(const carom_dense_lcp *lcp, double tolerance, carom_interrupt interrupt,
                                      crm_arena *arena, double *z, bool *solved, carom_error *error) {
    *solved = false;
    if (check_finite(lcp, NULL) != CAROM_OK) return CAROM_OK;
    crm_mark mark = crm_arena_mark(arena);
    carom_status status = solve_near(lcp, tolerance, interrupt, arena, z, solved, error);
    crm_arena_release(arena, mark);
    return status;
}

carom_status crm_dense_lcp_solve(const carom_dense_lcp *lcp, carom_solver solver, double tolerance,
                                 carom_interrupt interrupt, const carom_allocator *allocator, double *z, double *proof,
                                 carom_dense_lcp_report *report, carom_error *error) {
    crm_dense_lcp_method *method = method_of(solver);
    carom_status status = check(lcp, method, tolerance, z, report, error);
    if (status != CAROM_OK) return status;
    crm_arena arena;
    crm_arena_init(&arena, allocator);
    crm_dense_lcp_result result = {.outcome = CAROM_DENSE_LCP_SOLVED, .solver = solver, .interrupt = interrupt};
    status = run(lcp, method, tolerance, &arena, &result, z, proof, error);
    crm_arena_free(&arena);
    if (status != CAROM_OK) return status;
    *report = (carom_dense_lcp_report){.outcome = result.outcome,
                                       .solver = result.solver,
                                       .residual = plain_residual(lcp, z),
                                       .relative = result.residual,
                                       .pivots = result.pivots,
                                       .steps = result.steps,
                                       .cases = result.cases};
    if (!isfinite(report->residual)) report->outcome = CAROM_DENSE_LCP_GAVE_UP; // beyond the range of a double
    return CAROM_OK;
}

carom_status carom_dense_lcp_solve(const carom_dense_lcp *lcp, carom_solver solver, double tolerance,
                                   const carom_allocator *allocator, double *z, double *proof,
                                   carom_dense_lcp_report *report, carom_error *error) {
    return crm_dense_lcp_solve(lcp, solver, tolerance, (carom_interrupt){NULL, NULL}, allocator, z, proof, report,
                               error);
}
