// SPDX-License-Identifier: MIT
// Triangular systems with one right-hand side, in place: the solve half of every factorization.
//
// The triangle is the lower or upper part of an n x n matrix stored by columns; the other part is not read. With
// CRM_DIAGONAL_ONE the diagonal is not read either. A diagonal entry that is exactly zero marks an unknown that the
// factorization has dropped: that unknown is set to zero and its equation ignored.
#ifndef CRM_MATH_DENSE_TRIANGLE_H
#define CRM_MATH_DENSE_TRIANGLE_H

#include <stddef.h>

typedef enum crm_diagonal { CRM_DIAGONAL_STORED, CRM_DIAGONAL_ONE } crm_diagonal;

void crm_lower_solve(int n, const double *l, ptrdiff_t ld, crm_diagonal diagonal, double *x);
void crm_lower_solve_transposed(int n, const double *l, ptrdiff_t ld, crm_diagonal diagonal, double *x);
void crm_upper_solve(int n, const double *u, ptrdiff_t ld, double *x);
void crm_upper_solve_transposed(int n, const double *u, ptrdiff_t ld, double *x);

// A unit lower trapezoid, rows x cols with rows >= cols: solves with its top triangle and subtracts the rest of the
// product from the rows below. This is how a left-looking factorization brings its next column up to date.
void crm_trapezoid_solve(int rows, int cols, const double *l, ptrdiff_t ld, double *x);

#endif
