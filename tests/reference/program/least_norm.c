// SPDX-License-Identifier: MIT
#include "reference/program/least_norm.h"

#include <stdlib.h>
#include <string.h>

// Relative to the largest entry of E: a gradient below this is rounding.
static const wide gradient_tolerance = 1e-16L;

// Least squares on the chosen columns, through the augmented system [1 E; E^T 0] (r, w) = (f, 0), which does not square
// the condition number.
static bool solve_chosen(int rows, int columns, const wide *e, const wide *f, const bool *chosen, wide *w) {
    int count = 0;
    for (int j = 0; j < columns; j++) count += chosen[j];
    int n = rows + count, k = rows;
    wide *a = wide_zeros(n * n), *b = wide_zeros(n), *x = wide_zeros(n);
    for (int i = 0; i < rows; i++) {
        a[i + n * i] = 1.0L;
        b[i] = f[i];
    }
    for (int j = 0; j < columns; j++) {
        if (!chosen[j]) continue;
        for (int i = 0; i < rows; i++) a[i + n * k] = a[k + n * i] = e[i + rows * j];
        k++;
    }
    bool solved = wide_solve(n, a, false, b, 1e-25L, x);
    k = rows;
    for (int j = 0; j < columns; j++) w[j] = chosen[j] && solved ? x[k++] : 0.0L;
    free(a);
    free(b);
    free(x);
    return solved;
}

// The column along whose gradient the residual falls fastest, -1 when along none.
static int best_column(int rows, int columns, const wide *e, const wide *f, const wide *w, const bool *chosen,
                       const bool *refused) {
    wide best = 0.0L, size = 0.0L, *rest = wide_zeros(rows);
    for (int i = 0; i < rows; i++) {
        rest[i] = f[i];
        for (int j = 0; j < columns; j++) {
            rest[i] -= e[i + rows * j] * w[j];
            size = fmaxl(size, fabsl(e[i + rows * j]));
        }
    }
    int column = -1;
    for (int j = 0; j < columns; j++) {
        wide gradient = 0.0L;
        for (int i = 0; i < rows; i++) gradient += e[i + rows * j] * rest[i];
        if (!chosen[j] && !refused[j] && gradient > fmaxl(best, gradient_tolerance * size)) best = gradient, column = j;
    }
    free(rest);
    return column;
}

// Goes from w towards the least squares of the chosen columns; what becomes negative on the way is given up.
static bool refine(int rows, int columns, const wide *e, const wide *f, bool *chosen, wide *w, wide *aim) {
    for (int pass = 0; pass <= columns; pass++) {
        if (!solve_chosen(rows, columns, e, f, chosen, aim)) return false;
        wide step = 1.0L;
        for (int j = 0; j < columns; j++)
            if (chosen[j] && aim[j] <= 0.0L) step = fminl(step, w[j] / (w[j] - aim[j]));
        bool whole = true;
        for (int j = 0; j < columns; j++) whole = whole && !(chosen[j] && aim[j] <= 0.0L);
        for (int j = 0; j < columns; j++) w[j] = whole ? aim[j] : w[j] + step * (aim[j] - w[j]);
        if (whole) return true;
        for (int j = 0; j < columns; j++)
            if (chosen[j] && aim[j] <= 0.0L && w[j] <= 1e-18L) chosen[j] = false, w[j] = 0.0L;
    }
    return false;
}

bool nonnegative_least_squares(int rows, int columns, const wide *e, const wide *f, wide *w) {
    bool *chosen = calloc((size_t)columns * 2 + 1, sizeof(bool)), *refused = chosen + columns;
    wide *aim = wide_zeros(columns);
    if (chosen == NULL) abort();
    memset(w, 0, (size_t)columns * sizeof(wide));
    int column = 0, limit = 30 * (columns + 1);
    while (limit-- > 0 && (column = best_column(rows, columns, e, f, w, chosen, refused)) >= 0) {
        chosen[column] = true;
        bool refined = refine(rows, columns, e, f, chosen, w, aim);
        // A column that comes back at once had a gradient of rounding only.
        if (!refined || !chosen[column]) {
            chosen[column] = false;
            w[column] = 0.0L;
            refused[column] = true;
        } else {
            memset(refused, 0, (size_t)columns);
        }
    }
    free(chosen);
    free(aim);
    return column < 0;
}

// Least norm on the columns where x is positive, the others exactly zero: takes off what rounding the search left.
static void polish(int rows, int columns, const wide *a, const wide *b, wide tolerance, wide *x) {
    wide *kept = wide_zeros(rows * columns);
    int *name = calloc((size_t)columns + 1, sizeof(int)), count = 0;
    if (name == NULL) abort();
    for (int j = 0; j < columns; j++) {
        if (!(x[j] > tolerance)) continue;
        memcpy(kept + rows * count, a + rows * j, (size_t)rows * sizeof(wide));
        name[count++] = j;
    }
    affine_set set = affine_set_solve(rows, count, kept, b, tolerance);
    bool inside = set.residual <= tolerance;
    for (int k = 0; k < count; k++) inside = inside && set.point[k] >= 0.0L;
    for (int j = 0; j < columns && inside; j++) x[j] = 0.0L;
    for (int k = 0; k < count && inside; k++) x[name[k]] = set.point[k];
    affine_set_free(&set);
    free(name);
    free(kept);
}

// Lawson and Hanson's least distance program: min |u| with Z u >= -x0 is a nonnegative least squares of [Z^T; -x0^T].
static bool push_inside(const affine_set *set, wide *x) {
    int n = set->space, k = n - set->rank, rows = k + 1;
    wide *e = wide_zeros(rows * n), *f = wide_zeros(rows), *w = wide_zeros(n), *rest = wide_zeros(rows);
    f[k] = 1.0L;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < k; i++) e[i + rows * j] = set->directions[j + n * i];
        e[k + rows * j] = -set->point[j];
    }
    bool found = nonnegative_least_squares(rows, n, e, f, w);
    for (int i = 0; i < rows; i++) {
        rest[i] = -f[i];
        for (int j = 0; j < n; j++) rest[i] += e[i + rows * j] * w[j];
    }
    found = found && rest[k] < -1e-12L;
    for (int j = 0; j < n && found; j++) {
        x[j] = set->point[j];
        for (int i = 0; i < k; i++) x[j] -= set->directions[j + n * i] * rest[i] / rest[k];
    }
    free(e);
    free(f);
    free(w);
    free(rest);
    return found;
}

bool least_norm_nonnegative(int rows, int columns, const wide *a, const wide *b, wide tolerance, wide *x, wide *plain) {
    affine_set set = affine_set_solve(rows, columns, a, b, tolerance);
    wide size = 1.0L, worst = 0.0L;
    for (int r = 0; r < rows; r++) size = fmaxl(size, fabsl(b[r]));
    bool found = set.residual <= tolerance * size;
    for (int j = 0; j < columns; j++) {
        worst = fmaxl(worst, -set.point[j]);
        x[j] = set.point[j];
        if (plain != NULL) plain[j] = set.point[j];
    }
    if (found && worst > 0.0L && !push_inside(&set, x)) found = worst <= tolerance; // a rounding outside is inside
    for (int j = 0; j < columns; j++) found = found && x[j] >= -tolerance;
    if (found) polish(rows, columns, a, b, tolerance, x);
    for (int j = 0; j < columns; j++) x[j] = fmaxl(x[j], 0.0L);
    affine_set_free(&set);
    return found;
}
