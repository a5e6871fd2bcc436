// SPDX-License-Identifier: MIT
// All solutions of a small linear program and of its dual, not just the one the simplex method stops at.
#ifndef TEST_REFERENCE_OPTIMAL_FACE_H
#define TEST_REFERENCE_OPTIMAL_FACE_H

#include "reference/program/simplex.h"

enum { FACE_EXTREMES_MAX = 64 };

// Below these, numbers count as zero: absolute, in the units of each.
typedef struct face_tolerance {
    wide slack;  // reduced costs
    wide weight; // entries of x
    wide rank;   // of sets of columns, relative to the longest row
} face_tolerance;

typedef struct optimal_face {
    face_tolerance tolerance;
    // Positive in some optimal x, or free. These are also the constraints of the dual that are active at every optimal
    // y (strict complementarity, Goldman and Tucker 1956).
    bool carries[LP_COLUMNS_MAX];
    int x_dimension, y_dimension; // of the sets of optimal x and y; 0 where there is only one
    int extreme_count; // optimal y that are no mixtures of others; -1 when y_dimension > 3 or they are too many
    wide extreme[FACE_EXTREMES_MAX][LP_ROWS_MAX];
} optimal_face;

// `solution` must be optimal.
void optimal_face_find(const linear_program *program, const lp_solution *solution, face_tolerance tolerance,
                       optimal_face *face);

// The optimal y with the least |W y|, W by columns (count x rows) and one to one on the optimal face. False when
// y_dimension is above 3. `plain` (NULL allowed) gets the minimiser over the active constraints as equations, others
// left aside.
bool optimal_face_least_y(const linear_program *program, const optimal_face *face, int count, const wide *w, wide *y,
                          wide *plain);

// The optimal x with the least sum of squares of its nonnegative variables; the free ones follow. `plain` as above
// without x >= 0.
bool optimal_face_least_x(const linear_program *program, const optimal_face *face, wide *x, wide *plain);

#endif
