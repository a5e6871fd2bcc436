// SPDX-License-Identifier: MIT
// Newton's method on H(z) = min(z, A z + q), row by row (docs/math.md 6.7), made to survive friction.
//
// A row of H is z_i or (A z + q)_i, so its generalised Jacobian has the row e_i or A_i: with p_i = -z_i on the first
// kind, the step on the second solves the block A_aa p_a = -w_a + A_ab z_b, by GMRES. That block may be singular, as
// the matrices of contact with friction are only copositive; then the step is the regularised least-squares one. Where
// |H|^2 does not fall along a step, Newton's method on the Fischer-Burmeister function, whose square is smooth, takes
// over until it does; where that has a minimum which is none of H, the next start is tried.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "base/random.h"
#include "math/dense/dense.h"
#include "math/krylov/krylov.h"
#include "solve/dense/dense_lcp.h"

enum { STARTS = 4, STEPS_PER_START = 60, HALVINGS = 14, STEPS_OF_FISCHER = 40 };
static const double sufficient = 1e-4;       // Armijo's share of the predicted decrease
static const double inner_tolerance = 1e-11; // of GMRES
static const double singular = 1e-6;         // a residual above it, relative, is an inner system that was not solved
static const double regularisation = 1e-7;   // of the least-squares step
static const double longest = 1e8;           // a step beyond it, beside |z| + 1, is the work of a singular system

typedef struct newton {
    const carom_dense_lcp *lcp;
    crm_arena *arena;
    double *z, *w, *step, *trial, *trial_w, *right, *product, *a, *b; // (size)
    int *active;                                                      // rows of the block (size)
    int active_count;
    double damping;
} newton;

static bool start(newton *newton, const carom_dense_lcp *lcp, crm_arena *arena) {
    ptrdiff_t n = lcp->size;
    *newton = (struct newton){.lcp = lcp, .arena = arena, .damping = regularisation};
    double *block = CRM_ARENA_ZEROED(arena, double, 9 * n);
    newton->active = CRM_ARENA_ARRAY(arena, int, n);
    if (block == NULL || newton->active == NULL) return false;
    double **vectors[] = {&newton->z,     &newton->w,       &newton->step, &newton->trial, &newton->trial_w,
                          &newton->right, &newton->product, &newton->a,    &newton->b};
    for (int k = 0; k < 9; k++) *vectors[k] = block + k * n;
    return true;
}

static double half_square(const newton *newton, const double *z, const double *w) {
    double sum = 0.0;
    for (int i = 0; i < newton->lcp->size; i++) {
        double least = fmin(z[i], w[i]);
        sum += least * least;
    }
    return 0.5 * sum;
}

// z + w - sqrt(z^2 + w^2), without cancellation where both are positive.
static double fischer(double z, double w) {
    double length = hypot(z, w);
    if (z + w <= 0.0) return z + w - length;
    return 2.0 * z * w / (z + w + length);
}

static double half_square_of_fischer(const newton *newton, const double *z, const double *w) {
    double sum = 0.0;
    for (int i = 0; i < newton->lcp->size; i++) {
        double value = fischer(z[i], w[i]);
        sum += value * value;
    }
    return 0.5 * sum;
}

// ---- linear systems

// The block of the active rows and columns.
static void apply_block(void *context, const double *x, double *y) {
    const newton *newton = context;
    for (int k = 0; k < newton->active_count; k++) {
        const double *row = newton->lcp->matrix + (ptrdiff_t)newton->active[k] * newton->lcp->size;
        double sum = 0.0;
        for (int l = 0; l < newton->active_count; l++) sum += row[newton->active[l]] * x[l];
        y[k] = sum;
    }
}

static void apply_block_transposed(const newton *newton, const double *x, double *y) {
    for (int l = 0; l < newton->active_count; l++) y[l] = 0.0;
    for (int k = 0; k < newton->active_count; k++) {
        const double *row = newton->lcp->matrix + (ptrdiff_t)newton->active[k] * newton->lcp->size;
        for (int l = 0; l < newton->active_count; l++) y[l] += row[newton->active[l]] * x[k];
    }
}

// diag(a) + diag(b) A, the Jacobian of the Fischer-Burmeister function.
static void apply_fischer(void *context, const double *x, double *y) {
    const newton *newton = context;
    int n = newton->lcp->size;
    for (int i = 0; i < n; i++)
        y[i] = newton->a[i] * x[i] + newton->b[i] * crm_dense_dot(n, newton->lcp->matrix + (ptrdiff_t)i * n, x);
}

static void apply_fischer_transposed(const newton *newton, const double *x, double *y) {
    int n = newton->lcp->size;
    for (int i = 0; i < n; i++) y[i] = newton->a[i] * x[i];
    for (int i = 0; i < n; i++) crm_dense_add_scaled(n, newton->b[i] * x[i], newton->lcp->matrix + (ptrdiff_t)i * n, y);
}

static void apply_normal_block(void *context, const double *x, double *y) {
    newton *newton = context;
    apply_block(newton, x, newton->product);
    apply_block_transposed(newton, newton->product, y);
    crm_dense_add_scaled(newton->active_count, newton->damping, x, y);
}

static void apply_normal_fischer(void *context, const double *x, double *y) {
    newton *newton = context;
    apply_fischer(newton, x, newton->product);
    apply_fischer_transposed(newton, newton->product, y);
    crm_dense_add_scaled(newton->lcp->size, newton->damping, x, y);
}

// x = J^-1 right, or where J will not have it (J^T J + damping) x = J^T right. `right` is used up.
static carom_status solve(newton *newton, bool of_block, int size, double *right, double *x, carom_error *error) {
    crm_operator direct = {of_block ? apply_block : apply_fischer, newton, size};
    crm_operator normal = {of_block ? apply_normal_block : apply_normal_fischer, newton, size};
    crm_krylov_settings settings = crm_krylov_settings_default();
    settings.tolerance = inner_tolerance;
    settings.restart = size < 200 ? size + 1 : 200;
    settings.iteration_limit = 4 * settings.restart;
    crm_krylov_report report;
    for (int i = 0; i < size; i++) x[i] = 0.0;
    double wanted = crm_dense_norm2(size, right);
    carom_status status = crm_gmres(&direct, NULL, right, x, &settings, newton->arena, &report, error);
    bool solved = report.residual <= singular * wanted &&
                  crm_dense_largest(size, x) <= longest * (1.0 + crm_dense_largest(newton->lcp->size, newton->z));
    if (status != CAROM_OK || solved) return status;
    if (of_block)
        apply_block_transposed(newton, right, newton->trial);
    else
        apply_fischer_transposed(newton, right, newton->trial);
    memcpy(right, newton->trial, (size_t)size * sizeof *right);
    for (int i = 0; i < size; i++) x[i] = 0.0;
    return crm_cg(&normal, NULL, right, x, &settings, newton->arena, &report, error);
}

// ---- steps

// The step of the min map into newton->step.
static carom_status min_step(newton *newton, carom_error *error) {
    int n = newton->lcp->size;
    newton->active_count = 0;
    for (int i = 0; i < n; i++) {
        bool active = newton->w[i] < newton->z[i];
        if (active) newton->active[newton->active_count++] = i;
        newton->step[i] = active ? 0.0 : -newton->z[i];
    }
    for (int k = 0; k < newton->active_count; k++) {
        int i = newton->active[k];
        newton->right[k] = -newton->w[i] - crm_dense_dot(n, newton->lcp->matrix + (ptrdiff_t)i * n, newton->step);
    }
    double *found = newton->trial_w;
    carom_status status = solve(newton, true, newton->active_count, newton->right, found, error);
    for (int k = 0; k < newton->active_count; k++) newton->step[newton->active[k]] = found[k];
    return status;
}

static carom_status fischer_step(newton *newton, carom_error *error) {
    int n = newton->lcp->size;
    for (int i = 0; i < n; i++) {
        double length = hypot(newton->z[i], newton->w[i]);
        newton->a[i] = length > 0.0 ? 1.0 - newton->z[i] / length : 1.0 - sqrt(0.5);
        newton->b[i] = length > 0.0 ? 1.0 - newton->w[i] / length : 1.0 - sqrt(0.5);
        newton->right[i] = -fischer(newton->z[i], newton->w[i]);
    }
    return solve(newton, false, n, newton->right, newton->step, error);
}

typedef double merit(const newton *newton, const double *z, const double *w);

// Halves the step until the merit falls by Armijo's share; false, and no change, when it never does.
static bool descend(newton *newton, merit *merit) {
    int n = newton->lcp->size;
    double before = merit(newton, newton->z, newton->w), length = 1.0;
    for (int halving = 0; halving < HALVINGS; halving++, length *= 0.5) {
        for (int i = 0; i < n; i++) newton->trial[i] = newton->z[i] + length * newton->step[i];
        crm_dense_lcp_slack(newton->lcp, newton->trial, newton->trial_w);
        if (!(merit(newton, newton->trial, newton->trial_w) <= (1.0 - 2.0 * sufficient * length) * before)) continue;
        memcpy(newton->z, newton->trial, (size_t)n * sizeof *newton->z);
        memcpy(newton->w, newton->trial_w, (size_t)n * sizeof *newton->w);
        return true;
    }
    return false;
}

// The smooth detour: down |Fischer-Burmeister|^2 until |H|^2 has halved. False when it is stuck.
static carom_status detour(newton *newton, crm_dense_lcp_result *result, bool *onward, carom_error *error) {
    double aim = 0.5 * half_square(newton, newton->z, newton->w);
    *onward = false;
    for (int k = 0; k < STEPS_OF_FISCHER && !crm_interrupted(&result->interrupt); k++) {
        carom_status status = fischer_step(newton, error);
        result->steps++;
        if (status != CAROM_OK) return status;
        if (!descend(newton, half_square_of_fischer)) {
            // Nearer to steepest descent, which always leads down unless this is a minimum.
            newton->damping *= 100.0;
            if (newton->damping > 1e6) break;
            continue;
        }
        newton->damping = fmax(regularisation, 0.1 * newton->damping);
        if (half_square(newton, newton->z, newton->w) > aim) continue;
        *onward = true;
        break;
    }
    newton->damping = regularisation;
    return CAROM_OK;
}

// z = 0, where Newton's method finds the active rows by itself; what each row would need alone; random points.
static void choose_start(newton *newton, int number) {
    int n = newton->lcp->size;
    crm_random random = {.seed = 0x313A9, .stream = (uint32_t)number};
    for (int i = 0; i < n; i++) {
        double diagonal = newton->lcp->matrix[(ptrdiff_t)i * n + i], need = fmax(0.0, -newton->lcp->offset[i]);
        if (number == 0)
            newton->z[i] = 0.0;
        else if (number == 1)
            newton->z[i] = diagonal > 1e-3 ? need / diagonal : need;
        else
            newton->z[i] = crm_random_between(&random, 0.0, number);
    }
    crm_dense_lcp_slack(newton->lcp, newton->z, newton->w);
}

static carom_status run_from(newton *newton, double tolerance, crm_dense_lcp_result *result, bool *reached,
                             carom_error *error) {
    for (int k = 0; k < STEPS_PER_START && !crm_interrupted(&result->interrupt); k++) {
        double *w = newton->trial_w;
        // A polished point far from convergence would hide that Newton's method is not there yet.
        if (crm_dense_lcp_residual(newton->lcp, newton->z, w) <= fmax(tolerance, 1e-9)) {
            carom_status status =
                crm_dense_lcp_offer(newton->lcp, newton->z, tolerance, newton->arena, result, reached, error);
            if (status != CAROM_OK || *reached) return status;
        }
        carom_status status = min_step(newton, error);
        result->steps++;
        bool onward = status == CAROM_OK && descend(newton, half_square);
        if (status == CAROM_OK && !onward) status = detour(newton, result, &onward, error);
        if (status != CAROM_OK) return status;
        if (!onward) break;
    }
    return crm_dense_lcp_offer(newton->lcp, newton->z, tolerance, newton->arena, result, reached, error);
}

static carom_status run_starts(const carom_dense_lcp *lcp, int starts, double tolerance, crm_arena *arena,
                               crm_dense_lcp_result *result, carom_error *error) {
    crm_mark mark = crm_arena_mark(arena);
    newton newton;
    if (!start(&newton, lcp, arena))
        return crm_fail_memory(error, "Newton's method", 9 * (size_t)lcp->size * sizeof(double));
    result->outcome = CAROM_DENSE_LCP_GAVE_UP;
    carom_status status = CAROM_OK;
    bool reached = false;
    for (int number = 0; number < starts && status == CAROM_OK && !reached && !crm_interrupted(&result->interrupt);
         number++) {
        choose_start(&newton, number);
        status = run_from(&newton, tolerance, result, &reached, error);
    }
    crm_arena_release(arena, mark);
    return status;
}

carom_status crm_dense_lcp_min_map(const carom_dense_lcp *lcp, double tolerance, crm_arena *arena,
                                   crm_dense_lcp_result *result, carom_error *error) {
    return run_starts(lcp, STARTS, tolerance, arena, result, error);
}

carom_status crm_dense_lcp_min_map_from_zero(const carom_dense_lcp *lcp, double tolerance, crm_arena *arena,
                                             crm_dense_lcp_result *result, carom_error *error) {
    return run_starts(lcp, 1, tolerance, arena, result, error);
}
