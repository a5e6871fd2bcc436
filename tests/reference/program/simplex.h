// SPDX-License-Identifier: MIT
// Small linear programs in long double, by the two-phase revised simplex method with Bland's rule.
#ifndef TEST_REFERENCE_SIMPLEX_H
#define TEST_REFERENCE_SIMPLEX_H

#include "reference/program/wide.h"

enum { LP_ROWS_MAX = 12, LP_COLUMNS_MAX = 1024 };

// Minimise cost.x subject to matrix x = rhs, x >= 0 but for the free ones.
typedef struct linear_program {
    int rows, columns;
    const wide *matrix;  // by columns (rows x columns)
    const wide *rhs;     // (rows)
    const wide *cost;    // (columns)
    const bool *is_free; // (columns), NULL when none is
} linear_program;

typedef enum lp_status {
    LP_OPTIMAL,
    LP_UNBOUNDED,  // x is a ray: matrix x = 0, x >= 0, cost.x < 0
    LP_INFEASIBLE, // y proves it: matrix^T y <= 0 (= 0 for the free ones), rhs.y > 0
    LP_STALLED     // the iteration limit; never seen
} lp_status;

typedef struct lp_solution {
    lp_status status;
    wide value;
    wide x[LP_COLUMNS_MAX];
    wide y[LP_ROWS_MAX];          // multipliers: matrix^T y <= cost, rhs.y = value
    wide reduced[LP_COLUMNS_MAX]; // cost - matrix^T y, nonnegative
    int basis[LP_ROWS_MAX];       // columns; -1 where a redundant row keeps its artificial variable
    int iterations;               // of both phases
} lp_solution;

void lp_solve(const linear_program *program, lp_solution *solution);

#endif
