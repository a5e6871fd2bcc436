// SPDX-License-Identifier: MIT
// Partial elimination of one dense front by pivots of its own: the inner loop of the frontal factorization.
//
// A front is a symmetric matrix of which only the first `candidates` rows are complete: these may be pivots, 1 x 1 or
// 2 x 2, in any order. A pivot is taken when no entry of its columns of L exceeds 1 / threshold (Duff and Reid, The
// multifrontal solution of indefinite sparse symmetric linear equations, 1983). What finds none stays.
#ifndef CRM_MATH_FRONT_ELIMINATE_H
#define CRM_MATH_FRONT_ELIMINATE_H

#include <stdbool.h>
#include <stddef.h>

// Columns start on a cache line, and hold zeros below their last row: no loop has a remainder.
enum { CRM_FRONT_LANES = 8 };

static inline ptrdiff_t crm_front_stride(int size) {
    return (size + CRM_FRONT_LANES - 1) / CRM_FRONT_LANES * CRM_FRONT_LANES;
}

typedef struct crm_front_block {
    int size;         // rows and columns
    int candidates;   // the first ones may be pivots
    bool forced;      // nobody comes after: every candidate is eliminated, what is zero as a zero
    ptrdiff_t stride; // crm_front_stride(size)
    double *a;        // lower triangle by columns (stride * size), zeros below it; what stands above the
                      // diagonal is of no use; afterwards columns of L, then what is left
    int *row;         // which unknown each row is, exchanged along (size)
    // D^-1 by eliminated pivots (2 each): (1/d, 0) for a 1 x 1; (i11, i12), (i22, 0) for a 2 x 2 with i12 != 0; (0, 0)
    // for a zero.
    double *inverse;
    double *work; // columns of L D while they are needed (stride * candidates)
} crm_front_block;

typedef struct crm_front_pivots {
    int eliminated; // the first so many rows
    int positive, negative, zero;
} crm_front_pivots;

typedef struct crm_front_kernels {
    const char *name;
    void (*eliminate)(const crm_front_block *front, crm_front_pivots *pivots);
} crm_front_kernels;

// The fastest for the processor this runs on; all round alike.
const crm_front_kernels *crm_front_kernels_best(void);

// All that this processor can run, for tests; NULL past the last.
const crm_front_kernels *crm_front_kernels_variant(int index);

#endif
