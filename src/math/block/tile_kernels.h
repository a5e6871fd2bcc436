// SPDX-License-Identifier: MIT
// The inner loops of the block factorizations, on tiles: dense column-major blocks whose leading dimension is their
// number of rows. One table per instruction set; all of them round alike, so that every machine gives the same bits:
// each entry is a sum over the depth in ascending order, started from zero, taken off the target at the end.
#ifndef CRM_MATH_TILE_KERNELS_H
#define CRM_MATH_TILE_KERNELS_H

#include <stddef.h>

typedef struct crm_tile_kernels {
    const char *name;

    // C -= A B^T. A: rows x depth, B: columns x depth, C: rows x columns.
    void (*update)(int rows, int columns, int depth, const double *a, const double *b, double *c);

    // The same for a grid of 6 x 6 tiles: A_i at a + i * stride for i < rows, B_j at b + j * stride for j < columns,
    // C_ij at c + row_offset[i] + column_offset[j]; only the tiles with i >= j + below.
    void (*update6)(int rows, int columns, int below, int depth, const double *a, const double *b, ptrdiff_t stride,
                    double *c, const int *row_offset, const int *column_offset);

    // The same for a grid of 3 x 3 tiles.
    void (*update3)(int rows, int columns, int below, int depth, const double *a, const double *b, ptrdiff_t stride,
                    double *c, const int *row_offset, const int *column_offset);

    // X <- X T^-T for X: rows x columns and T lower triangular. The reciprocals of T's diagonal are given, a zero
    // among them makes that column of X zero.
    void (*solve)(int rows, int columns, const double *t, const double *reciprocal, double *x);

    // The same for `count` tiles of 6 x 6: X_i at x + i * x_stride.
    void (*solve6)(int count, const double *t, const double *reciprocal, double *x, ptrdiff_t x_stride);

    // Of strips A_i of 3 x columns, one behind the other: y_i -= A_i x, and, the last strip first, x -= A_i^T y_i, with
    // y_i at y + 3 row[i].
    void (*forward3)(int count, int columns, const double *a, const int *row, const double *x, double *y);
    void (*backward3)(int count, int columns, const double *a, const int *row, const double *y, double *x);
} crm_tile_kernels;

// The fastest table for the processor this runs on.
const crm_tile_kernels *crm_tile_kernels_best(void);

// All tables that this processor can run, for tests and benchmarks; NULL past the last.
const crm_tile_kernels *crm_tile_kernels_variant(int index);

#endif
