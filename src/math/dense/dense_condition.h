// SPDX-License-Identifier: MIT
// A cheap lower bound of |A^-1| in the 1-norm from a few solves with A's factors; seldom more than three times too low.
#ifndef CRM_MATH_DENSE_CONDITION_H
#define CRM_MATH_DENSE_CONDITION_H

#include <stdbool.h>

// Something that solves A x = b or A^T x = b in place, usually a factorization.
typedef struct crm_inverse {
    void (*solve)(const void *factor, bool transposed, double *x);
    const void *factor;
    int size;
} crm_inverse;

// 1 / (norm * estimate of |A^-1|), where `norm` is the 1-norm of A: near 1 is well conditioned, 0 is singular or not
// finite. `work` holds 2 * size doubles.
double crm_reciprocal_condition(const crm_inverse *inverse, double norm, double *work);

#endif
