// SPDX-License-Identifier: MIT
// Checks of complementarity problems that share nothing with the library: residuals, proofs, enumeration.
#ifndef TEST_SOLVE_DENSE_LCP_CHECK_H
#define TEST_SOLVE_DENSE_LCP_CHECK_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/solve.h"
#include "support/harness/check.h"

// max |min(z, w)|.
static inline double lcp_violation(const carom_dense_lcp *lcp, const double *z) {
    double worst = 0.0;
    for (int i = 0; i < lcp->size; i++) {
        long double w = lcp->offset[i];
        for (int j = 0; j < lcp->size; j++) w += (long double)lcp->matrix[(ptrdiff_t)i * lcp->size + j] * z[j];
        double least = fabs((double)(z[i] < w ? z[i] : w));
        if (!(least <= worst)) worst = least; // NaN stays
    }
    return worst;
}

// The same over max(1, |q|, |z|).
static inline double lcp_residual(const carom_dense_lcp *lcp, const double *z) {
    double scale = 1.0;
    for (int i = 0; i < lcp->size; i++) scale = fmax(scale, fmax(fabs(z[i]), fabs(lcp->offset[i])));
    return lcp_violation(lcp, z) / scale;
}

// y >= 0, A^T y <= 0 to 1e-12 of its terms, q.y < 0 by more than rounding.
static inline bool proves_infeasible(const carom_dense_lcp *lcp, const double *y) {
    double product = 0.0, terms = 0.0;
    for (int j = 0; j < lcp->size; j++) {
        double sum = 0.0, size = 0.0;
        for (int i = 0; i < lcp->size; i++) {
            double term = lcp->matrix[(ptrdiff_t)i * lcp->size + j] * y[i];
            sum += term;
            size += fabs(term);
        }
        if (!(y[j] >= 0.0) || sum > 1e-12 * size) return false;
        product += lcp->offset[j] * y[j];
        terms += fabs(lcp->offset[j] * y[j]);
    }
    return product < -1e-9 * terms;
}

// Gauss-Jordan with full pivoting on the block of a set of indices; false when it is singular.
static inline bool solve_block(const carom_dense_lcp *lcp, int count, const int *index, double *x) {
    double a[8][9];
    int at[8];
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) a[i][j] = lcp->matrix[index[i] * lcp->size + index[j]];
        a[i][count] = -lcp->offset[index[i]];
    }
    bool used[8] = {false};
    for (int k = 0; k < count; k++) {
        int row = -1, column = -1;
        double most = 1e-9;
        for (int i = 0; i < count; i++)
            for (int j = 0; j < count && !used[i]; j++)
                if (fabs(a[i][j]) > most) most = fabs(a[i][j]), row = i, column = j;
        if (row < 0) return false;
        used[row] = true;
        at[row] = column;
        for (int i = 0; i < count; i++) {
            double share = a[i][column] / a[row][column];
            for (int j = 0; j <= count && i != row; j++) a[i][j] -= share * a[row][j];
        }
    }
    for (int i = 0; i < count; i++) x[at[i]] = a[i][count] / a[i][at[i]];
    return true;
}

typedef enum enumerated { NO_SOLUTION, HAS_SOLUTION, NOT_SURE } enumerated;

// Every active set of a problem with at most 8 unknowns. A singular block, or a value within 1e-9 of its bound, leaves
// doubt where no other set gives a solution.
static inline enumerated enumerate(const carom_dense_lcp *lcp) {
    enumerated verdict = NO_SOLUTION;
    for (unsigned set = 0; set < 1u << lcp->size; set++) {
        int index[8], count = 0;
        double x[8], least = INFINITY, z[8] = {0.0};
        for (int i = 0; i < lcp->size; i++)
            if (set >> i & 1) index[count++] = i;
        if (!solve_block(lcp, count, index, x)) {
            verdict = NOT_SURE;
            continue;
        }
        for (int k = 0; k < count; k++) z[index[k]] = x[k];
        for (int i = 0; i < lcp->size; i++) {
            double w = lcp->offset[i];
            for (int j = 0; j < lcp->size; j++) w += lcp->matrix[i * lcp->size + j] * z[j];
            least = fmin(least, set >> i & 1 ? z[i] : w);
        }
        if (least >= 1e-9) return HAS_SOLUTION;
        if (least > -1e-9) verdict = NOT_SURE;
    }
    return verdict;
}

static inline carom_dense_lcp_report solved_by(const carom_dense_lcp *lcp, carom_solver solver, double tolerance,
                                               double *z, double *proof) {
    carom_dense_lcp_report report = {.outcome = CAROM_DENSE_LCP_GAVE_UP};
    carom_error error;
    if (!CHECK_INT(carom_dense_lcp_solve(lcp, solver, tolerance, NULL, z, proof, &report, &error), CAROM_OK))
        fprintf(stderr, "%s\n", error.text);
    return report;
}

// Solved, with a residual that is checked here; false, with a line, when not.
static inline bool check_solved(const carom_dense_lcp *lcp, carom_solver solver, double tolerance, double *z,
                                const char *what) {
    carom_dense_lcp_report report = solved_by(lcp, solver, tolerance, z, NULL);
    double residual = lcp_residual(lcp, z);
    bool good = CHECK_INT(report.outcome, CAROM_DENSE_LCP_SOLVED) & CHECK(residual <= tolerance);
    if (!good)
        fprintf(stderr, "%s of %d by solver %d: %s, residual %.1e\n", what, lcp->size, (int)solver,
                carom_dense_lcp_outcome_name(report.outcome), residual);
    return good;
}

#endif
