// SPDX-License-Identifier: MIT
// Sparse matrices of numbers by compressed rows.
//
// The columns of a row are in increasing order and occur once. Sums run along a row (or down the rows, transposed) in
// that order: the same matrix gives the same bits.
#ifndef CRM_MATH_CSR_H
#define CRM_MATH_CSR_H

#include <stddef.h>

#include "base/arena.h"
#include "carom/status.h"

// One term of a matrix in the making. Terms at the same place are added.
typedef struct crm_triplet {
    int row, col;
    double value;
} crm_triplet;

typedef struct crm_csr {
    int rows, cols;
    int *starts;    // entries of row i are starts[i] .. starts[i + 1] - 1 (rows + 1)
    int *columns;   // (starts[rows])
    double *values; // (starts[rows])
} crm_csr;

// Builds a matrix from triplets in any order. Triplets at the same place are added in the order in which they are
// given; a sum of zero stays an entry, so that the pattern does not depend on values. The arrays live in `arena`.
//
// CAROM_ERR_BAD_INPUT for a negative size, an index out of range, a value or a sum that is not finite, with a sentence
// that names the first offender; CAROM_ERR_TOO_LARGE beyond the range of int; CAROM_ERR_NO_MEMORY. On failure neither
// `arena` nor `out` is changed.
carom_status crm_csr_build(int rows, int cols, const crm_triplet *triplets, ptrdiff_t count, crm_arena *arena,
                           crm_csr *out, carom_error *error);

// Whether a matrix from elsewhere keeps the rules above (sizes, starts, order and range of columns, finite values).
carom_status crm_csr_check(const crm_csr *a, carom_error *error);

// The transpose, in new arrays from `arena`. CAROM_ERR_NO_MEMORY leaves `arena` and `out` unchanged.
carom_status crm_csr_transpose(const crm_csr *a, crm_arena *arena, crm_csr *out, carom_error *error);

// y = A x and y = A^T x; y does not overlap x.
void crm_csr_multiply(const crm_csr *a, const double *x, double *y);
void crm_csr_multiply_transposed(const crm_csr *a, const double *x, double *y);

// The entry at (row, col), by bisection; NULL when the pattern has none there or the indices are out of range.
double *crm_csr_find(const crm_csr *a, int row, int col);

// Same as crm_csr_multiply, in the form that krylov.h asks for: `context` is a square crm_csr.
void crm_csr_apply(void *context, const double *x, double *y);

#endif
