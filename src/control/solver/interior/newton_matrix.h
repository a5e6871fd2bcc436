// SPDX-License-Identifier: MIT
// The matrix of a Newton step, [H + X, A^T; A, -R] with diagonal X and R >= 0, as its inequality rows are condensed.
//
// A row with r > 0 can be eliminated: y = (A x - b)/r, which adds A^T A/r to H. Inequality rows always have r > 0, the
// inverse of their slack's curvature; there are many of them with few unknowns each (corners of bodies on their side of
// a plane), so that the matrix of equations alone is a tenth of the whole. Long ones stay rows, lest they fill it up.
// Rows with the same unknowns are condensed together, as a product of small dense matrices.
#ifndef CRM_CONTROL_NEWTON_MATRIX_H
#define CRM_CONTROL_NEWTON_MATRIX_H

#include "control/program/program.h"
#include "math/frontal/front_factor.h"

// What the matrix is made of. Both patterns stay as they are. All arrays are borrowed.
typedef struct crm_newton_pattern {
    int unknowns, rows;
    const bool *inequality;                             // (rows)
    const int32_t *jacobian_start, *jacobian_column;    // A by rows, columns ascending
    int hessian_count;                                  //
    const int32_t *hessian_row, *hessian_column;        // of H's lower triangle, each pair once
    const crm_place *unknown_place, *row_place;         // (unknowns), (rows)
} crm_newton_pattern;

// Condensed rows with the same unknowns.
typedef struct crm_row_bundle {
    int columns;
    int row_begin, row_end; // into bundled_row
    int entry_begin;        // into bundled_entry: lower triangle by rows, columns (columns + 1) / 2
} crm_row_bundle;

typedef struct crm_newton_matrix {
    crm_newton_pattern pattern;
    int kept;                  // rows that are not condensed
    int32_t *kept_row;         // (kept)
    int32_t *kept_number;      // of rows; -1 of condensed ones (rows)
    int bundle_count;
    crm_row_bundle *bundle;
    int32_t *bundled_row, *bundled_entry;
    int32_t *hessian_entry;    // (hessian_count)
    int32_t *jacobian_entry;   // of kept rows, by entries of A; -1 of condensed ones
    int32_t *diagonal_entry;   // of unknowns, then kept rows (unknowns + kept)
    int entry_count;
    double *value;             // of the condensed matrix (entry_count)
    double *tile;              // largest bundle, squared
    double *right;             // (unknowns + kept)
    crm_front_symbolic symbolic;
    crm_front_factor factor;
    crm_front_report report;
    const double *jacobian, *row_diagonal; // of the last factorization, borrowed
} crm_newton_matrix;

carom_status crm_newton_matrix_create(const crm_newton_pattern *pattern, crm_arena *arena, crm_newton_matrix *matrix,
                                      carom_error *error);

// Condenses and factors. `hessian` may be NULL: 0. The inertia is right, that of a matrix whose H is positive definite
// on the null space of the equations, when report.negative = kept and report.zero = 0. The Jacobian and the rows'
// diagonal must stay until the last solution.
carom_status crm_newton_matrix_factor(crm_newton_matrix *matrix, const double *hessian, const double *jacobian,
                                      const double *unknown_diagonal, const double *row_diagonal, carom_error *error);

// [x; y] <- M^-1 [x; y], to the accuracy of the condensed factorization.
void crm_newton_matrix_solve(crm_newton_matrix *matrix, double *x, double *y);

// Which unknowns and kept rows are eliminated together, `*count` groups in `group` (unknowns + kept), and in which stage
// each group is: planes, intervals, node after node, the whole.
bool crm_newton_groups(const crm_newton_pattern *pattern, int kept, const int32_t *kept_row, crm_arena *scratch,
                       int *group, int *stage, int *count);

#endif
