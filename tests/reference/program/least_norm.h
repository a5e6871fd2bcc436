// SPDX-License-Identifier: MIT
// Least squares with nonnegative unknowns, and points of least norm of polyhedra.
#ifndef TEST_REFERENCE_LEAST_NORM_H
#define TEST_REFERENCE_LEAST_NORM_H

#include "reference/program/wide.h"

// Minimises |E w - f| over w >= 0 (Lawson and Hanson 1974, chapter 23). E by columns, rows x columns. False at the
// iteration limit.
bool nonnegative_least_squares(int rows, int columns, const wide *e, const wide *f, wide *w);

// The x of least norm with A x = b and x >= 0; A by columns, rows x columns, its rank found with `tolerance`, to which
// x may also be negative. `plain` (NULL allowed) gets the least norm without x >= 0, the Moore-Penrose solution. False
// when there is no such x.
bool least_norm_nonnegative(int rows, int columns, const wide *a, const wide *b, wide tolerance, wide *x, wide *plain);

#endif
