// SPDX-License-Identifier: MIT
// The sets that impulses live in, and projections on them.
//
// A cone's first row is the normal one: K = {r : |r_t| <= mu r_n}, its dual K* = {u : mu |u_t| <= u_n}. mu = 0 makes K
// the half-line of normal impulses and K* a half-space. All projections are Euclidean.
#ifndef CRM_SOLVE_CONE_H
#define CRM_SOLVE_CONE_H

#include <math.h>

#include "carom/solve.h"

// hypot of the C library at a fraction of its price, in all but extreme units.
static inline double crm_hypot(double x, double y) {
    double square = x * x + y * y;
    return square > 1e-280 && square < 1e300 ? sqrt(square) : hypot(x, y);
}

// |x_t| of a cone's 2 or 3 rows.
static inline double crm_cone_slip(int rows, const double *x) {
    return rows == 2 ? fabs(x[1]) : crm_hypot(x[1], x[2]);
}

// The point of K nearest to x; `out` may be x.
void crm_cone_project(double mu, int rows, const double *x, double *out);

// P(x) for the set of the group's law: all numbers, those >= 0, the box, K. `out` may be x.
void crm_law_project(const carom_row_group *group, const double *x, double *out);

// De Saxce's velocity u + mu |u_t| n, with which Coulomb's law reads K* contains it, orthogonal to r in K. Plain u for
// other laws and for relaxed cones. `out` may be u.
void crm_law_velocity(const carom_row_group *group, const double *u, double *out);

#endif
