// SPDX-License-Identifier: MIT
// The basis matrix is factored anew in every iteration: nothing accumulates, and the end is as exact as one solve.
#include "reference/program/simplex.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

// Relative to the terms that a reduced cost is the sum of and to the largest cost: above their rounding, far below what
// a test can see. Without the second, multipliers that are rounding themselves would attract columns.
static const wide price_tolerance = 1e-16L;
// A pivot this small relative to its column would make the next basis nearly singular.
static const wide pivot_tolerance = 1e-13L;
// What phase one may leave of the right side and still be called feasible.
static const wide feasible_tolerance = 1e-14L;
static const wide singular_basis = 1e-30L;
enum { ITERATIONS_MAX = 20000 };

// Inner columns: the program's own, then the negatives of its free ones, then one artificial per row.
typedef struct tableau {
    const linear_program *program;
    int rows, count; // count: own columns
    int in_basis[LP_ROWS_MAX];
    wide sign[LP_ROWS_MAX]; // of the artificials
    wide basis_matrix[LP_ROWS_MAX * LP_ROWS_MAX];
    wide level[LP_ROWS_MAX]; // of the basic variables
    bool second_phase;
    int iterations;
} tableau;

static bool is_artificial(const tableau *t, int k) {
    return k >= 2 * t->count;
}

static bool exists(const tableau *t, int k) {
    return k < t->count || is_artificial(t, k) || (t->program->is_free != NULL && t->program->is_free[k - t->count]);
}

static wide entry(const tableau *t, int row, int k) {
    if (is_artificial(t, k)) return k - 2 * t->count == row ? t->sign[row] : 0.0L;
    return k < t->count ? t->program->matrix[row + t->rows * k] : -t->program->matrix[row + t->rows * (k - t->count)];
}

static wide price(const tableau *t, int k) {
    if (is_artificial(t, k)) return t->second_phase ? 0.0L : 1.0L;
    if (!t->second_phase) return 0.0L;
    return k < t->count ? t->program->cost[k] : -t->program->cost[k - t->count];
}

static bool refactor(tableau *t) {
    for (int c = 0; c < t->rows; c++)
        for (int r = 0; r < t->rows; r++) t->basis_matrix[r + t->rows * c] = entry(t, r, t->in_basis[c]);
    return wide_solve(t->rows, t->basis_matrix, false, t->program->rhs, singular_basis, t->level);
}

static bool multipliers(const tableau *t, wide *y) {
    wide basic_price[LP_ROWS_MAX];
    for (int r = 0; r < t->rows; r++) basic_price[r] = price(t, t->in_basis[r]);
    return wide_solve(t->rows, t->basis_matrix, true, basic_price, singular_basis, y);
}

static bool column_in_basis(const tableau *t, int k, wide *u) {
    wide column[LP_ROWS_MAX];
    for (int r = 0; r < t->rows; r++) column[r] = entry(t, r, k);
    return wide_solve(t->rows, t->basis_matrix, false, column, singular_basis, u);
}

static bool is_basic(const tableau *t, int k) {
    for (int r = 0; r < t->rows; r++)
        if (t->in_basis[r] == k) return true;
    return false;
}

// Bland: the first column that gains. -1 when none does.
static int entering(const tableau *t, const wide *y) {
    wide largest = 0.0L;
    for (int k = 0; k < 2 * t->count + t->rows; k++) largest = fmaxl(largest, fabsl(price(t, k)));
    for (int k = 0; k < 2 * t->count; k++) {
        if (!exists(t, k) || is_basic(t, k)) continue;
        wide reduced = price(t, k), size = largest;
        for (int r = 0; r < t->rows; r++) {
            wide term = entry(t, r, k) * y[r];
            reduced -= term;
            size += fabsl(term);
        }
        if (reduced < -price_tolerance * size) return k;
    }
    return -1;
}

// Bland again: among the rows that block first, the one whose variable has the least number. -1: nothing blocks.
static int leaving(const tableau *t, const wide *u) {
    wide largest = 0.0L, least = INFINITY;
    for (int r = 0; r < t->rows; r++) largest = fmaxl(largest, fabsl(u[r]));
    int best = -1;
    for (int r = 0; r < t->rows; r++) {
        if (!(u[r] > pivot_tolerance * largest)) continue;
        if (t->second_phase && is_artificial(t, t->in_basis[r])) continue; // a redundant row: u is rounding there
        wide ratio = fmaxl(t->level[r], 0.0L) / u[r];
        bool tie = best >= 0 && fabsl(ratio - least) <= 1e-18L * fmaxl(1.0L, least);
        if (best < 0 || (!tie && ratio < least) || (tie && t->in_basis[r] < t->in_basis[best])) best = r;
        least = fminl(least, ratio);
    }
    return best;
}

static void write_ray(const tableau *t, int k, const wide *u, wide *x) {
    memset(x, 0, (size_t)t->count * sizeof(wide));
    x[k % t->count] += k < t->count ? 1.0L : -1.0L;
    for (int r = 0; r < t->rows; r++)
        if (!is_artificial(t, t->in_basis[r])) x[t->in_basis[r] % t->count] -= t->in_basis[r] < t->count ? u[r] : -u[r];
}

// Iterates to the optimum of the present phase.
static lp_status run_phase(tableau *t, lp_solution *solution) {
    wide u[LP_ROWS_MAX];
    for (; t->iterations < ITERATIONS_MAX; t->iterations++) {
        if (!refactor(t) || !multipliers(t, solution->y)) return LP_STALLED;
        int k = entering(t, solution->y);
        if (k < 0) return LP_OPTIMAL;
        if (!column_in_basis(t, k, u)) return LP_STALLED;
        int row = leaving(t, u);
        if (row < 0) {
            write_ray(t, k, u, solution->x);
            return LP_UNBOUNDED;
        }
        t->in_basis[row] = k;
    }
    return LP_STALLED;
}

// Artificials that stayed at zero are exchanged for any column with an entry in their row; a row without is redundant.
static bool drive_out_artificials(tableau *t) {
    for (int r = 0; r < t->rows; r++) {
        if (!is_artificial(t, t->in_basis[r])) continue;
        int best = -1;
        wide best_pivot = 1e-12L, u[LP_ROWS_MAX];
        for (int k = 0; k < 2 * t->count; k++) {
            if (!exists(t, k) || is_basic(t, k)) continue;
            if (!column_in_basis(t, k, u)) return false;
            if (fabsl(u[r]) > best_pivot) best = k, best_pivot = fabsl(u[r]);
        }
        if (best < 0) continue;
        t->in_basis[r] = best;
        if (!refactor(t)) return false;
    }
    return true;
}

static void write_solution(const tableau *t, lp_solution *solution) {
    const linear_program *p = t->program;
    memset(solution->x, 0, sizeof solution->x);
    for (int r = 0; r < t->rows; r++) {
        int k = t->in_basis[r];
        solution->basis[r] = is_artificial(t, k) ? -1 : k % t->count;
        if (is_artificial(t, k)) continue;
        solution->x[k % t->count] = k < t->count ? t->level[r] : -t->level[r];
    }
    solution->value = 0.0L;
    for (int k = 0; k < t->count; k++) {
        solution->value += p->cost[k] * solution->x[k];
        solution->reduced[k] = p->cost[k];
        for (int r = 0; r < t->rows; r++) solution->reduced[k] -= p->matrix[r + t->rows * k] * solution->y[r];
    }
}

void lp_solve(const linear_program *program, lp_solution *solution) {
    tableau t = {.program = program, .rows = program->rows, .count = program->columns};
    wide size = 0.0L, infeasibility = 0.0L;
    memset(solution, 0, sizeof *solution);
    if (t.rows > LP_ROWS_MAX || t.count > LP_COLUMNS_MAX) abort();
    for (int r = 0; r < t.rows; r++) {
        t.sign[r] = program->rhs[r] < 0.0L ? -1.0L : 1.0L;
        t.in_basis[r] = 2 * t.count + r;
        size = fmaxl(size, fabsl(program->rhs[r]));
    }
    solution->status = run_phase(&t, solution);
    for (int r = 0; r < t.rows; r++)
        if (is_artificial(&t, t.in_basis[r])) infeasibility += fmaxl(t.level[r], 0.0L);
    if (solution->status == LP_OPTIMAL && infeasibility > feasible_tolerance * size) {
        solution->status = LP_INFEASIBLE;
    } else if (solution->status == LP_OPTIMAL) {
        solution->status = LP_STALLED;
        if (drive_out_artificials(&t)) {
            t.second_phase = true;
            solution->status = run_phase(&t, solution);
        }
    }
    if (solution->status == LP_OPTIMAL) write_solution(&t, solution);
    solution->iterations = t.iterations;
}
