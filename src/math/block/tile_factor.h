// SPDX-License-Identifier: MIT
// Factorization of one diagonal tile (n x n, column-major) in place, with the rule for pivots that are rounding only.
#ifndef CRM_MATH_TILE_FACTOR_H
#define CRM_MATH_TILE_FACTOR_H

#include <stdbool.h>

// Which pivots are no more than rounding? A running error analysis tells. Every pivot is a difference: an entry of the
// matrix less the terms l_jk u_kj that earlier pivots take off it, whose magnitudes add up to m_j with the entry's own.
// It has rounding errors of the size eps m_j, and those of earlier pivots reach it by all paths of elimination: a
// relative change of the matrix' entries by eps changes the pivot by some
//   e_j = eps sum over k of (L^-1)_jk m_k (U^-1 diag d)_kj,   for symmetric matrices eps sum (L^-1)_jk^2 m_k.
// Two estimates of that.
// - By terms: e_j = eps m_j + sum over k of |l_jk u_kj| e_k / |d_k|. A sum of squares over all paths stands for the
//   square of their sum, so that nothing can cancel. Good for chains; where paths do cancel it grows without reason, by
//   a factor of two with each pivot of the matrix min(i, j).
// - By a probe: solve L y = z along with the elimination, where z_k is a rounding error of the size sqrt(eps m_k) and
//   has the sign that makes y_k larger; then y_j^2 samples e_j. For LU, a second probe with U^T.
// The first is nearly free. Only when it leaves out a pivot that a probe might keep, the factorization is repeated with
// probes, and the smaller estimate counts. A pivot that does not exceed its error by a factor `certainty` is left out.
// No bare n * eps will do: in a chain of springs whose stiffnesses differ by 1e4 the last pivot, zero in truth, is
// 1e-12 of its neighbours.
typedef struct crm_pivot_errors {
    double *magnitude;    // m: sum of the magnitudes of the terms so far
    double *inherited;    // the sum over k, by terms, so far
    double *uncertainty;  // e / |d| of finished pivots, 0 of those left out
    double *row_probe;    // of finished pivots the probe, as column k of L multiplies it; of others the sum so far
    double *column_probe; // the same for U^T; the same array as row_probe for symmetric matrices
    bool probing;         // whether the probes are used
} crm_pivot_errors;

// What was seen so far.
typedef struct crm_pivot_tally {
    double certainty;
    int kept;
    int left_out;
    int first_left_out; // scalar in elimination order, or -1
    int negative;
    int doubtful;               // left out, but a probe might tell otherwise
    double largest_uncertainty; // among those kept
    bool finite;
} crm_pivot_tally;

// Adds the terms that pivots `from` ... from + depth - 1 take off the n diagonal entries from `to` on: left and right
// are n x depth.
void crm_pivot_errors_add(int n, int depth, const double *left, const double *right, const crm_pivot_errors *errors,
                          int from, int to);

// `scalar` is the number of the tile's first scalar.

// Lower triangle L of T = L L^T; reciprocals of its diagonal, 0 where left out.
void crm_tile_cholesky(int n, double *t, double *reciprocal, const crm_pivot_errors *errors, int scalar,
                       crm_pivot_tally *tally);

// Unit lower triangle L of T = L D L^T (its diagonal of ones is stored), D and the reciprocals of D.
void crm_tile_ldlt(int n, double *t, double *pivot, double *reciprocal, const crm_pivot_errors *errors, int scalar,
                   crm_pivot_tally *tally);

// P T = L U with row exchanges: L strictly below the diagonal, U on and above it; row_taken[j] is the row of T that
// became row j; reciprocals of U's diagonal. Rows are compared relative to their sizes, so that the choice does not
// depend on the units of the unknowns (T to D T D) as long as columns have entries on the diagonal. `scratch` holds 2 n
// numbers.
void crm_tile_lu(int n, double *t, int *row_taken, double *reciprocal, const crm_pivot_errors *errors, int scalar,
                 double *scratch, crm_pivot_tally *tally);

#endif
