// SPDX-License-Identifier: MIT
// Factorization of one diagonal tile (n x n, column-major) in place, with the rule for pivots that are rounding only.
#ifndef CRM_MATH_TILE_FACTOR_H
#define CRM_MATH_TILE_FACTOR_H

#include <stdbool.h>

// Which pivots are no more than rounding? A running error analysis tells. Every pivot is a difference: an entry of the
// matrix less the terms |l_jk u_kj| that earlier pivots take off it. Its rounding error is of the size
//   e_j = eps m_j + sum over k of |l_jk u_kj| e_k / |d_k|,
// eps times all that cancels in it plus what it inherits from the errors of earlier pivots d_k (first order, diagonal
// only). A pivot that does not exceed its error by a factor `certainty` is left out. No bare n * eps will do: in a
// chain of springs whose stiffnesses differ by 1e4 the last pivot, zero in truth, is 1e-12 of its neighbours.
typedef struct crm_pivot_errors {
    double *magnitude;   // m: sum of the magnitudes of the terms so far
    double *inherited;   // the sum over k so far
    double *uncertainty; // e / |d| of finished pivots, 0 of those left out
} crm_pivot_errors;

// What was seen so far.
typedef struct crm_pivot_tally {
    double certainty;
    int kept;
    int left_out;
    int first_left_out; // scalar in elimination order, or -1
    int negative;
    double largest_uncertainty; // among those kept
    bool finite;
} crm_pivot_tally;

// Adds the terms of n diagonal entries: left and right are n x depth, the uncertainties those of the depth pivots.
void crm_pivot_errors_add(int n, int depth, const double *left, const double *right, const double *uncertainty,
                          double *magnitude, double *inherited);

// `errors` points at the tile's first scalar, whose number is `scalar`.

// Lower triangle L of T = L L^T; reciprocals of its diagonal, 0 where left out.
void crm_tile_cholesky(int n, double *t, double *reciprocal, crm_pivot_errors errors, int scalar,
                       crm_pivot_tally *tally);

// Unit lower triangle L of T = L D L^T (its diagonal of ones is stored), D and the reciprocals of D.
void crm_tile_ldlt(int n, double *t, double *pivot, double *reciprocal, crm_pivot_errors errors, int scalar,
                   crm_pivot_tally *tally);

// P T = L U with row exchanges: L strictly below the diagonal, U on and above it; row_taken[j] is the row of T that
// became row j; reciprocals of U's diagonal. Rows are compared relative to their sizes, so that the choice does not
// depend on the units of the unknowns (T to D T D) as long as columns have entries on the diagonal. `scratch` holds 2 n
// numbers.
void crm_tile_lu(int n, double *t, int *row_taken, double *reciprocal, crm_pivot_errors errors, int scalar,
                 double *scratch, crm_pivot_tally *tally);

#endif
