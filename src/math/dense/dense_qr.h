// SPDX-License-Identifier: MIT
// A P = Q [T 0; 0 0] Z: Householder QR with column pivoting, made a complete orthogonal decomposition when the rank is
// less than the number of columns. For least squares, minimum-norm solutions and rank, with any shape of A.
#ifndef CRM_MATH_DENSE_QR_H
#define CRM_MATH_DENSE_QR_H

#include <stdbool.h>
#include <stddef.h>

// The caller owns every array and fills in the sizes and pointers; crm_qr_factor fills the arrays.
typedef struct crm_qr {
    int rows, cols;
    ptrdiff_t lda;   // >= rows
    double *a;       // A, then T above and the vectors of Q below the diagonal, those of Z to the right of T
    double *tau;     // factors of Q's reflections (min(rows, cols))
    double *row_tau; // factors of Z's reflections (min(rows, cols))
    int *pivots;     // column j of A P is column pivots[j] of A (cols)
    int rank;        // order of T; columns beyond it are taken as dependent
} crm_qr;

typedef struct crm_qr_report {
    int rank;
    double smallest_kept;   // |r_kk| / |r_00| of the last column kept: about 1 / condition number (0 for rank 0)
    double largest_dropped; // norm of the largest column left out / |r_00|; a gap to smallest_kept makes the rank sure
    bool finite;            // no NaN or infinity was met; otherwise nothing else here means anything
} crm_qr_report;

// Columns whose remaining norm is at most `tolerance` times the largest of A's column norms are taken as dependent;
// 0 asks for the default max(rows, cols) * eps. `work` holds 2 * cols doubles.
crm_qr_report crm_qr_factor(crm_qr *qr, double tolerance, double *work);

// C = Q^T C, for C rows x count; Q is square, rows x rows. Its first `rank` columns span the range of A.
void crm_qr_apply_q_transposed(const crm_qr *qr, int count, double *c, ptrdiff_t ldc);

// For each column of b the x of least |x| among those of least |A x - b|. b has max(rows, cols) rows (ldb at least
// that): `rows` of them in, `cols` out. `work` holds cols doubles.
void crm_qr_solve(const crm_qr *qr, int count, double *b, ptrdiff_t ldb, double *work);

#endif
