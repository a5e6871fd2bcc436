// SPDX-License-Identifier: MIT
#include "reference/program/wide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void wide3_tangents(wide3 n, wide3 *u, wide3 *v) {
    wide3 axis = fabsl(n.x) < 0.6L ? (wide3){1, 0, 0} : (wide3){0, 1, 0};
    *u = wide3_unit(wide3_cross(axis, n));
    *v = wide3_cross(n, *u);
}

wide_rotation wide_rotation_of(const double *q) {
    wide w = q[0], x = q[1], y = q[2], z = q[3];
    wide s = 2.0L / (w * w + x * x + y * y + z * z);
    return (wide_rotation){{1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
                           {s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)},
                           {s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)}};
}

wide *wide_zeros(int count) {
    wide *block = calloc((size_t)(count > 0 ? count : 1), sizeof(wide));
    if (block == NULL) {
        fprintf(stderr, "no memory for %d numbers\n", count);
        abort();
    }
    return block;
}

// In place; `row` lists the order in which rows were chosen.
static bool eliminate(int n, wide *lu, int *row, wide least_pivot) {
    wide largest = 0.0L;
    for (int k = 0; k < n * n; k++) largest = fmaxl(largest, fabsl(lu[k]));
    for (int i = 0; i < n; i++) row[i] = i;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            if (fabsl(lu[i + n * k]) > fabsl(lu[best + n * k])) best = i;
        if (!(fabsl(lu[best + n * k]) > least_pivot * largest)) return false;
        int name = row[k];
        row[k] = row[best];
        row[best] = name;
        for (int j = 0; j < n; j++) {
            wide entry = lu[k + n * j];
            lu[k + n * j] = lu[best + n * j];
            lu[best + n * j] = entry;
        }
        for (int i = k + 1; i < n; i++) {
            wide factor = lu[i + n * k] /= lu[k + n * k];
            for (int j = k + 1; j < n; j++) lu[i + n * j] -= factor * lu[k + n * j];
        }
    }
    return true;
}

static void substitute(int n, const wide *lu, const int *row, const wide *b, wide *x) {
    for (int i = 0; i < n; i++) {
        x[i] = b[row[i]];
        for (int j = 0; j < i; j++) x[i] -= lu[i + n * j] * x[j];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) x[i] -= lu[i + n * j] * x[j];
        x[i] /= lu[i + n * i];
    }
}

bool wide_solve(int n, const wide *a, bool transposed, const wide *b, wide least_pivot, wide *x) {
    if (n == 0) return true;
    wide *matrix = wide_zeros(2 * n * n + 3 * n), *lu = matrix + n * n;
    wide *first = lu + n * n, *rest = first + n, *correction = rest + n;
    int *row = calloc((size_t)n, sizeof(int));
    if (row == NULL) abort();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) matrix[i + n * j] = transposed ? a[j + n * i] : a[i + n * j];
    memcpy(lu, matrix, (size_t)(n * n) * sizeof(wide));
    bool solved = eliminate(n, lu, row, least_pivot);
    if (solved) {
        substitute(n, lu, row, b, first);
        for (int i = 0; i < n; i++) {
            rest[i] = b[i];
            for (int j = 0; j < n; j++) rest[i] -= matrix[i + n * j] * first[j];
        }
        substitute(n, lu, row, rest, correction);
        for (int i = 0; i < n; i++) x[i] = first[i] + correction[i];
    }
    free(matrix);
    free(row);
    return solved;
}

static wide dot(int n, const wide *a, const wide *b) {
    wide sum = 0.0L;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// v loses its part along the first `count` columns of q, twice, so that it ends orthogonal to rounding.
static void take_off(int n, int count, const wide *q, wide *v) {
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < count; k++) {
            wide part = dot(n, q + n * k, v);
            for (int i = 0; i < n; i++) v[i] -= part * q[i + n * k];
        }
}

// The column of `left` (space x count) with the largest norm; gives the norm.
static int longest(int space, int count, const wide *left, wide *norm) {
    int best = -1;
    *norm = 0.0L;
    for (int k = 0; k < count; k++) {
        wide square = dot(space, left + space * k, left + space * k);
        if (best < 0 || square > *norm) best = k, *norm = square;
    }
    *norm = sqrtl(*norm);
    return best;
}

// Orthonormal vectors that span the rows, by Gram-Schmidt with the longest remaining row first. `order` names them.
static int span_of_rows(int rows, int space, const wide *a, wide tolerance, wide *q, int *order) {
    wide *left = wide_zeros(rows * space), norm, first = 0.0L;
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < space; i++) left[i + space * r] = a[r + rows * i];
    int rank = 0;
    while (rank < space && rank < rows) {
        int best = longest(space, rows, left, &norm);
        if (rank == 0) first = norm;
        if (!(norm > tolerance * first)) break;
        for (int i = 0; i < space; i++) q[i + space * rank] = left[i + space * best] / norm;
        order[rank++] = best;
        memset(left + space * best, 0, (size_t)space * sizeof(wide));
        for (int r = 0; r < rows; r++) take_off(space, rank, q, left + space * r);
    }
    free(left);
    return rank;
}

affine_set affine_set_solve(int rows, int space, const wide *a, const wide *b, wide tolerance) {
    affine_set set = {.space = space, .point = wide_zeros(space)};
    wide *q = wide_zeros(space * space), *coordinate = wide_zeros(space), norm;
    int *order = calloc((size_t)space + 1, sizeof(int));
    if (order == NULL) abort();
    int rank = set.rank = span_of_rows(rows, space, a, tolerance, q, order);
    // The row order[k] has no part along q beyond the k-th: forward substitution.
    for (int k = 0; k < rank; k++) {
        coordinate[k] = b[order[k]];
        wide diagonal = 0.0L;
        for (int j = 0; j <= k; j++) {
            wide entry = 0.0L;
            for (int i = 0; i < space; i++) entry += a[order[k] + rows * i] * q[i + space * j];
            if (j < k)
                coordinate[k] -= entry * coordinate[j];
            else
                diagonal = entry;
        }
        coordinate[k] /= diagonal;
        for (int i = 0; i < space; i++) set.point[i] += coordinate[k] * q[i + space * k];
    }
    // Complete the basis with what is left of the unit vectors, always the longest.
    wide *left = wide_zeros(space * space);
    for (int i = 0; i < space; i++) left[i + space * i] = 1.0L;
    for (int k = rank; k < space; k++) {
        for (int i = 0; i < space; i++) take_off(space, k, q, left + space * i);
        int best = longest(space, space, left, &norm);
        for (int i = 0; i < space; i++) q[i + space * k] = left[i + space * best] / norm;
    }
    set.directions = wide_zeros(space * (space - rank));
    memcpy(set.directions, q + space * rank, (size_t)(space * (space - rank)) * sizeof(wide));
    for (int r = 0; r < rows; r++) {
        wide rest = -b[r];
        for (int i = 0; i < space; i++) rest += a[r + rows * i] * set.point[i];
        set.residual = fmaxl(set.residual, fabsl(rest));
    }
    free(left);
    free(order);
    free(coordinate);
    free(q);
    return set;
}

void affine_set_free(affine_set *set) {
    free(set->point);
    free(set->directions);
    *set = (affine_set){0};
}
