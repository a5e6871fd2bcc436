// SPDX-License-Identifier: MIT
// P A = L U with partial pivoting for a square matrix, in place.
//
// L is unit lower triangular, U upper. A pivot that is nothing but round-off is set to zero and its unknown is zero in
// every solve: answers stay finite, but they solve nothing; a singular system belongs to dense_qr.h.
#ifndef CRM_MATH_DENSE_LU_H
#define CRM_MATH_DENSE_LU_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/limits.h"

typedef struct crm_lu_report {
    int singular_pivots; // set to zero; 0 for a matrix that is regular in double precision
    int first_singular;  // index of the first, -1 if none
    // Least |pivot| / sum of the |terms| it was computed from, zeroed ones excluded: the share of digits that
    // cancellation has left in the worst pivot (1 if none).
    double smallest_ratio;
    double growth; // largest |u_ij| / largest |a_ij|: backward errors are about growth * n * eps
    bool finite;   // no NaN or infinity was met; otherwise nothing else here means anything
} crm_lu_report;

// O(2 n^3 / 3). `pivots` (n): row k was exchanged with row pivots[k] >= k, in this order.
crm_lu_report crm_lu_factor(int n, double *a, ptrdiff_t lda, int *pivots);
// The same for large matrices: asked before every column, an interrupt ends it early, and the report is not finite
// then.
crm_lu_report crm_lu_factor_until(int n, double *a, ptrdiff_t lda, int *pivots, const carom_interrupt *interrupt);

// Solves A X = B, or A^T X = B, in place for `count` right-hand sides, the columns of b.
void crm_lu_solve(int n, const double *lu, ptrdiff_t ld, const int *pivots, int count, double *b, ptrdiff_t ldb);
void crm_lu_solve_transposed(int n, const double *lu, ptrdiff_t ld, const int *pivots, int count, double *b,
                             ptrdiff_t ldb);

#endif
