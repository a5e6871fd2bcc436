// SPDX-License-Identifier: MIT
// Factorization of one diagonal tile (n x n, column-major) in place, with the rule for pivots that are rounding only.
#ifndef CRM_MATH_TILE_FACTOR_H
#define CRM_MATH_TILE_FACTOR_H

#include <stdbool.h>

// Which pivots to leave out, and what was seen so far.
typedef struct crm_pivot_tally {
    double tolerance; // a pivot of at most tolerance * magnitude is rounding
    int kept;
    int left_out;
    int first_left_out; // scalar in elimination order, or -1
    int negative;
    double least; // smallest |pivot| / magnitude among those kept
    bool finite;
} crm_pivot_tally;

// magnitude[j]: sum of the magnitudes of the terms that make up diagonal entry j, original entry included.
// `scalar` is the number of the tile's first scalar, for the tally.

// Lower triangle L of T = L L^T; reciprocals of its diagonal, 0 where left out.
void crm_tile_cholesky(int n, double *t, const double *magnitude, double *reciprocal, int scalar,
                       crm_pivot_tally *tally);

// Unit lower triangle L of T = L D L^T (its diagonal of ones is stored), D and the reciprocals of D.
void crm_tile_ldlt(int n, double *t, const double *magnitude, double *pivot, double *reciprocal, int scalar,
                   crm_pivot_tally *tally);

// P T = L U with row exchanges: L strictly below the diagonal, U on and above it; row_taken[j] is the row of T that
// became row j; reciprocals of U's diagonal. Rows are compared after scaling by the root of their magnitude, so that
// the choice does not depend on units.
void crm_tile_lu(int n, double *t, const double *magnitude, int *row_taken, double *reciprocal, int scalar,
                 crm_pivot_tally *tally);

#endif
