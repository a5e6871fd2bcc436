// SPDX-License-Identifier: MIT
// One group alone: its law for u' = A r + b, with A the group's own block. What Gauss-Seidel repeats.
#ifndef CRM_SOLVE_GROUP_SOLVE_H
#define CRM_SOLVE_GROUP_SOLVE_H

#include "carom/solve.h"

// One row: unilateral or box. Where A is not positive the row cannot be moved, and r is the bound that the law asks
// for, or `r` itself.
double crm_row_solve(const carom_row_group *group, double a, double b, double r);

// A cone of 2 or 3 rows, A row by row and positive definite (a semidefinite one is met by the least shift that rounding
// allows). Exact: r satisfies the law to rounding. `multiplier` is lambda >= 0 of u'_t = -lambda r_t, an inverse mass:
// 0 when the contact sticks or opens; its old value starts the search for the new one.
void crm_cone_solve(const carom_row_group *group, const double *a, const double *b, double *r, double *multiplier);

#endif
