// SPDX-License-Identifier: MIT
// Small dense complementarity problems with a symmetric positive definite matrix: 0 <= x, w = A x + b >= 0, x.w = 0.
#ifndef CRM_SOLVE_PIVOTING_H
#define CRM_SOLVE_PIVOTING_H

#include <stdbool.h>
#include <stddef.h>

// How many numbers of scratch a problem of n unknowns needs.
ptrdiff_t crm_pivoting_scratch(int n);

// Block principal pivoting, with single exchanges by the least index where blocks do not lead on, so that it ends
// (Judice and Pires 1994). x comes in as a guess of what is positive. `a` is n x n. False: a number is not finite, or
// too many exchanges were made.
bool crm_pivoting_solve(int n, const double *a, const double *b, double *x, double *scratch);

#endif
