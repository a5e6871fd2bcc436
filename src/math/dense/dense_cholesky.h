// SPDX-License-Identifier: MIT
// A = L L^T for a symmetric positive semidefinite matrix, in place, without pivoting.
//
// Only the lower triangle of `a` is read and written. A pivot that is not above round-off is dropped: its column of L
// becomes zero and its unknown is zero in every solve, which then solves the system of the unknowns that were kept.
// A consistent semidefinite system is solved that way; nothing fails, the report says what was dropped.
#ifndef CRM_MATH_DENSE_CHOLESKY_H
#define CRM_MATH_DENSE_CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct crm_cholesky_report {
    int rank;          // pivots kept
    int first_dropped; // index of the first pivot dropped, -1 if none
    // Dropped pivots that are too negative for their own round-off: A is not semidefinite, or smallest_kept_ratio is so
    // small that earlier round-off was magnified.
    int negative_pivots;
    double smallest_kept_ratio; // least pivot / original diagonal among those kept, 1 if none: nearly singular if small
    double smallest_ratio;      // the same over all pivots, dropped ones too; clearly negative means indefinite
    // Largest |entry| zeroed with a dropped column, in units of sqrt(a_ii a_jj). Near sqrt(round-off) for a
    // semidefinite A, larger when A is indefinite: L L^T then misses that much of A.
    double discarded;
    bool finite; // no NaN or infinity was met; otherwise nothing else here means anything
} crm_cholesky_report;

// O(n^3 / 3). Without pivoting the rank is only as sure as the leading blocks are well conditioned: round-off of the
// earlier pivots may keep a pivot that exact arithmetic would drop (use dense_qr.h where that matters).
crm_cholesky_report crm_cholesky_factor(int n, double *a, ptrdiff_t lda);

// Solves A X = B in place for `count` right-hand sides, the columns of b.
void crm_cholesky_solve(int n, const double *l, ptrdiff_t ldl, int count, double *b, ptrdiff_t ldb);

// Half a solve each, for one vector: x becomes L^-1 x and L^-T x.
void crm_cholesky_solve_lower(int n, const double *l, ptrdiff_t ldl, double *x);
void crm_cholesky_solve_upper(int n, const double *l, ptrdiff_t ldl, double *x);

#endif
