// SPDX-License-Identifier: MIT
// A = L D L^T for symmetric indefinite matrices, in place, given by the lower triangle. Two ways:
//
// crm_ldlt_*            no pivoting, D diagonal. For quasi-definite matrices [M H; H^T -T] with M and T positive
//                       definite, which have this factorization for every order of the unknowns (Vanderbei 1995).
// crm_bunch_kaufman_*   partial pivoting, D with 1x1 and 2x2 blocks. For any symmetric matrix.
//
// The inertia of A is that of D (Sylvester). A pivot that is nothing but round-off is counted as zero, its column of L
// is zeroed and its unknown is zero in every solve.
#ifndef CRM_MATH_DENSE_LDLT_H
#define CRM_MATH_DENSE_LDLT_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/limits.h"

typedef struct crm_ldlt_report {
    int positive, negative, zero; // inertia; zero counts the dropped pivots
    int first_dropped;            // index of the first dropped pivot (in pivoted order), -1 if none
    // Least |pivot| / sum of the |terms| it was computed from, dropped ones excluded: the share of digits that
    // cancellation has left in the worst pivot. 1 if none; 2x2 pivots are not counted.
    double smallest_ratio;
    // Largest such sum / largest |a_ij|: backward errors are below growth * n * eps. Harmless up to 1e3; beyond 1e6
    // refine the answer or pivot.
    double growth;
    bool finite; // no NaN or infinity was met; otherwise nothing else here means anything
} crm_ldlt_report;

// O(n^3 / 3). Reads the lower triangle; afterwards the strict lower part holds L (its ones are not stored), the
// diagonal D, and the strict upper part D L^T, which lets both sweeps of a solve run down columns.
crm_ldlt_report crm_ldlt_factor(int n, double *a, ptrdiff_t lda);
// The same for large matrices: asked before every column, an interrupt ends it early, and the report is not finite
// then.
crm_ldlt_report crm_ldlt_factor_until(int n, double *a, ptrdiff_t lda, const carom_interrupt *interrupt);

// Solves A X = B in place for `count` right-hand sides, the columns of b.
void crm_ldlt_solve(int n, const double *ldl, ptrdiff_t ld, int count, double *b, ptrdiff_t ldb);

// O(n^3 / 3). Reads and writes the lower triangle only. `pivots` (n) receives the exchanges: p >= 0 at k says that D
// has a 1x1 block at k and rows k and p were exchanged; -1 - p at both k and k + 1, a 2x2 block and rows k + 1 and p
// exchanged. `work` holds 2n doubles. Inertia of D: its 2x2 blocks have one positive and one negative eigenvalue.
crm_ldlt_report crm_bunch_kaufman_factor(int n, double *a, ptrdiff_t lda, int *pivots, double *work);
void crm_bunch_kaufman_solve(int n, const double *ldl, ptrdiff_t ld, const int *pivots, int count, double *b,
                             ptrdiff_t ldb);
double crm_bunch_kaufman_condition(int n, const double *ldl, ptrdiff_t ld, const int *pivots, double norm,
                                   double *work);

#endif
