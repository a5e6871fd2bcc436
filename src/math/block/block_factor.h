// SPDX-License-Identifier: MIT
// Numerical factorization of block-sparse matrices, three kinds on one symbolic analysis:
//   Cholesky  A = L L^T for symmetric positive-definite matrices, semidefinite ones included;
//   LDL^T     A = L D L^T, D diagonal with entries of either sign, for quasi-definite matrices [M H; H^T -C].
//             Where C is small and contacts are eliminated before their bodies, errors grow to eps |H|^2 / |M| |C|; an
//             order with the bodies first avoids it;
//   LU        A = L U for unsymmetric matrices on a symmetric pattern, rows exchanged inside diagonal blocks only.
//
// None of them fails: a pivot that is no more than rounding is left out (its unknown becomes zero) and the report says
// how many. Of a semidefinite system with a right-hand side in its range this gives a solution.
//
// The factorization itself runs on one thread; different factors may be used on different threads at once.
#ifndef CRM_MATH_BLOCK_FACTOR_H
#define CRM_MATH_BLOCK_FACTOR_H

#include <stdbool.h>

#include "base/arena.h"
#include "carom/limits.h"
#include "carom/status.h"
#include "math/block/block_matrix.h"
#include "math/block/block_symbolic.h"
#include "math/block/tile_factor.h"
#include "math/block/tile_kernels.h"

typedef enum crm_block_factor_kind { CRM_BLOCK_CHOLESKY, CRM_BLOCK_LDLT, CRM_BLOCK_LU } crm_block_factor_kind;

typedef struct crm_block_factor {
    crm_block_factor_kind kind;
    const crm_block_symbolic *symbolic; // borrowed
    const crm_tile_kernels *kernels;
    // A pivot is kept when it exceeds the estimate of its rounding error by this factor. Set by create to 16; may be
    // changed between computations. 0 keeps every pivot that is not zero, for matrices known to be regular; the
    // report's uncertainty is then that of each pivot by itself.
    double certainty;
    // Asked during computations, which end early when it says yes: the report's `finite` is false then. Also during
    // solutions, which then give nothing of use. Nobody at first; may be changed between computations.
    carom_interrupt interrupt;
    bool ended;    // the last computation was: there is no factor
    double *lower; // L by panels (symbolic->value_count)
    double *upper; // U^T in the same layout; the same array as `lower` unless the kind is LU
    // By scalar in elimination order (scalar_count each):
    double *lower_reciprocal; // of L's diagonal; all ones where L has a unit diagonal
    double *upper_reciprocal; // of U's diagonal; the same array as lower_reciprocal unless the kind is LU
    double *pivot;            // LDL^T: the diagonal of D, 0 where left out
    double *pivot_reciprocal; // LDL^T
    int *row_taken;           // LU: which row of its block became this row
    crm_pivot_errors errors;  // running error analysis of the pivots
    double *scratch;          // LDL^T: strips of a panel times its pivots. LU: sizes of a tile's rows and columns
} crm_block_factor;

typedef struct crm_block_factor_report {
    int rank;           // pivots kept
    int left_out;       // pivots that were rounding only
    int first_left_out; // scalar in the matrix's own numbering, or -1
    int negative;       // pivots below zero: of a symmetric matrix as many as negative eigenvalues
    double uncertainty; // estimated relative error of the least certain pivot kept: 1e-16 is best, 1/16 is worst
    bool finite;        // false when the matrix, and so the factor, has a NaN or an infinity, or is not there as the
                        // computation was interrupted
} crm_block_factor_report;

// Memory for a factor of that kind, from `arena`. The symbolic analysis must live as long.
carom_status crm_block_factor_create(const crm_block_symbolic *symbolic, crm_block_factor_kind kind, crm_arena *arena,
                                     crm_block_factor *factor, carom_error *error);

// Factors the matrix, whose graph must be the one that was analysed; allocates nothing, may be repeated. Takes twice
// the time when a pivot that would be left out needs a closer look (tile_factor.h). Symmetric kinds read the lower
// triangles of the diagonal blocks and no mirror blocks. Cholesky of a matrix that has a clearly negative pivot leaves
// that one out too and counts it under `negative`: then the matrix was not semidefinite.
void crm_block_factor_compute(crm_block_factor *factor, const crm_block_matrix *matrix,
                              crm_block_factor_report *report);

// Doubles of scratch that crm_block_factor_solve needs.
ptrdiff_t crm_block_factor_solve_scratch(const crm_block_factor *factor);

// Solves A X = B in place for `count` right-hand sides, columns of x at distance `stride` >= scalar_count. Each column
// gets the same bits whether it is solved alone or with others. Reads the factor only; where there is none, as its
// computation was interrupted, leaves X as it is.
void crm_block_factor_solve(const crm_block_factor *factor, int count, double *x, ptrdiff_t stride, double *scratch);

#endif
