// SPDX-License-Identifier: MIT
// Triangular solves with a block factor. Right-hand sides are handled four at a time, one or several in the same order
// of operations, so that the bits of a column do not depend on its company.
#include <string.h>

#include "base/limits/limit.h"
#include "math/block/block_factor.h"

enum { AT_ONCE = 4 };

// An interrupt is asked for before so many panels, each of microseconds: the factors of the largest matrices have
// gigabytes to be read.
enum { PANELS_A_LOOK = 16 };

static bool is_ended(const crm_block_factor *f, int panel) {
    return panel % PANELS_A_LOOK == 0 && crm_interrupted(&f->interrupt);
}

#define INLINED static inline __attribute__((always_inline))

ptrdiff_t crm_block_factor_solve_scratch(const crm_block_factor *factor) {
    return AT_ONCE * ((ptrdiff_t)factor->symbolic->scalar_count + factor->symbolic->largest_size);
}

// Vectors are stored with the `width` right-hand sides of one scalar side by side.

// y -= A x, A: rows x columns
INLINED void take_off_product(int width, int rows, int columns, const double *a, const double *x, double *y) {
    for (int k = 0; k < columns; k++)
        for (int i = 0; i < rows; i++)
            for (int r = 0; r < width; r++) y[width * i + r] -= a[i + (ptrdiff_t)rows * k] * x[width * k + r];
}

// x -= A^T y
INLINED void take_off_transposed_product(int width, int rows, int columns, const double *a, const double *y,
                                         double *x) {
    for (int k = 0; k < columns; k++)
        for (int i = 0; i < rows; i++)
            for (int r = 0; r < width; r++) x[width * k + r] -= a[i + (ptrdiff_t)rows * k] * y[width * i + r];
}

// x <- T^-1 x, T lower triangular n x n
INLINED void solve_lower(int width, int n, const double *t, const double *reciprocal, double *x) {
    for (int j = 0; j < n; j++) {
        for (int r = 0; r < width; r++) x[width * j + r] *= reciprocal[j];
        for (int i = j + 1; i < n; i++)
            for (int r = 0; r < width; r++) x[width * i + r] -= t[i + (ptrdiff_t)n * j] * x[width * j + r];
    }
}

// x <- T^-T x
INLINED void solve_lower_transposed(int width, int n, const double *t, const double *reciprocal, double *x) {
    for (int j = n - 1; j >= 0; j--) {
        for (int i = j + 1; i < n; i++)
            for (int r = 0; r < width; r++) x[width * j + r] -= t[i + (ptrdiff_t)n * j] * x[width * i + r];
        for (int r = 0; r < width; r++) x[width * j + r] *= reciprocal[j];
    }
}

// The sizes that matter get loops of constant length.
#define DISPATCH_ROWS(function, width, rows, ...) \
    do {                                          \
        if ((rows) == 6)                          \
            function(width, 6, __VA_ARGS__);      \
        else if ((rows) == 3)                     \
            function(width, 3, __VA_ARGS__);      \
        else                                      \
            function(width, rows, __VA_ARGS__);   \
    } while (0)

INLINED void exchange_rows(int width, int n, const int *taken, double *x, double *scratch) {
    memcpy(scratch, x, (size_t)(width * n) * sizeof(double));
    for (int i = 0; i < n; i++)
        for (int r = 0; r < width; r++) x[width * i + r] = scratch[width * taken[i] + r];
}

// A single vector on nodes of three scalars is what step/flex solves for, with a kernel of its own for the same bits.
INLINED bool is_kernel_work(const crm_block_factor *f, const crm_panel *panel, int width) {
    return width == 1 && f->symbolic->common_size == 3 &&
           panel->strip_begin + panel->end - panel->first < panel->strip_end;
}

// Rows below the panel less what its own unknowns make of them.
INLINED void take_off_below(const crm_block_factor *f, const crm_panel *panel, int width, double *x) {
    const crm_block_symbolic *s = f->symbolic;
    const double *values = f->lower + panel->values;
    int below = panel->strip_begin + panel->end - panel->first;
    const double *own = x + (ptrdiff_t)width * s->start[panel->first];
    if (is_kernel_work(f, panel, width)) {
        f->kernels->forward3(panel->strip_end - below, panel->width, values + s->strip_offset[below],
                             s->strip_row + below, own, x);
        return;
    }
    for (int i = below; i < panel->strip_end; i++) {
        int row = s->strip_row[i];
        DISPATCH_ROWS(take_off_product, width, s->size[row], panel->width, values + s->strip_offset[i], own,
                      x + (ptrdiff_t)width * s->start[row]);
    }
}

// The panel's own unknowns less what those below make of them.
INLINED void take_off_above(const crm_block_factor *f, const crm_panel *panel, int width, double *x) {
    const crm_block_symbolic *s = f->symbolic;
    const double *values = f->upper + panel->values;
    int below = panel->strip_begin + panel->end - panel->first;
    double *own = x + (ptrdiff_t)width * s->start[panel->first];
    if (is_kernel_work(f, panel, width)) {
        f->kernels->backward3(panel->strip_end - below, panel->width, values + s->strip_offset[below],
                              s->strip_row + below, x, own);
        return;
    }
    for (int i = panel->strip_end - 1; i >= below; i--) {
        int row = s->strip_row[i];
        DISPATCH_ROWS(take_off_transposed_product, width, s->size[row], panel->width, values + s->strip_offset[i],
                      x + (ptrdiff_t)width * s->start[row], own);
    }
}

INLINED void solve_forward(const crm_block_factor *f, int width, double *x, double *scratch) {
    const crm_block_symbolic *s = f->symbolic;
    for (int p = 0; p < s->panel_count && !is_ended(f, p); p++) {
        const crm_panel *panel = &s->panel[p];
        const double *values = f->lower + panel->values;
        int own = panel->end - panel->first, first_scalar = s->start[panel->first];
        for (int k = 0; k < own; k++) {
            int node = panel->first + k, n = s->size[node], column = s->start[node] - first_scalar;
            const double *strip = values + s->strip_offset[panel->strip_begin + k];
            double *x_node = x + (ptrdiff_t)width * s->start[node];
            DISPATCH_ROWS(take_off_product, width, n, column, strip, x + (ptrdiff_t)width * first_scalar, x_node);
            if (f->kind == CRM_BLOCK_LU) exchange_rows(width, n, f->row_taken + s->start[node], x_node, scratch);
            DISPATCH_ROWS(solve_lower, width, n, strip + (ptrdiff_t)n * column, f->lower_reciprocal + s->start[node],
                          x_node);
        }
        take_off_below(f, panel, width, x);
    }
}

INLINED void solve_backward(const crm_block_factor *f, int width, double *x) {
    const crm_block_symbolic *s = f->symbolic;
    for (int p = s->panel_count - 1; p >= 0 && !is_ended(f, p); p--) {
        const crm_panel *panel = &s->panel[p];
        const double *values = f->upper + panel->values;
        int own = panel->end - panel->first, first_scalar = s->start[panel->first];
        take_off_above(f, panel, width, x);
        for (int k = own - 1; k >= 0; k--) {
            int node = panel->first + k, n = s->size[node], column = s->start[node] - first_scalar;
            const double *strip = values + s->strip_offset[panel->strip_begin + k];
            double *x_node = x + (ptrdiff_t)width * s->start[node];
            DISPATCH_ROWS(solve_lower_transposed, width, n, strip + (ptrdiff_t)n * column,
                          f->upper_reciprocal + s->start[node], x_node);
            DISPATCH_ROWS(take_off_transposed_product, width, n, column, strip, x_node,
                          x + (ptrdiff_t)width * first_scalar);
        }
    }
}

INLINED void solve_together(const crm_block_factor *f, int width, double *x, ptrdiff_t stride, double *scratch) {
    const crm_block_symbolic *s = f->symbolic;
    double *ordered = scratch, *block_scratch = scratch + (ptrdiff_t)width * s->scalar_count;
    for (int k = 0; k < s->node_count; k++)
        for (int i = 0; i < s->size[k]; i++)
            for (int r = 0; r < width; r++)
                ordered[width * (ptrdiff_t)(s->start[k] + i) + r] = x[s->original[k] + i + stride * r];

    solve_forward(f, width, ordered, block_scratch);
    if (f->kind == CRM_BLOCK_LDLT)
        for (ptrdiff_t i = 0; i < s->scalar_count; i++)
            for (int r = 0; r < width; r++) ordered[width * i + r] *= f->pivot_reciprocal[i];
    solve_backward(f, width, ordered);

    for (int k = 0; k < s->node_count; k++)
        for (int i = 0; i < s->size[k]; i++)
            for (int r = 0; r < width; r++)
                x[s->original[k] + i + stride * r] = ordered[width * (ptrdiff_t)(s->start[k] + i) + r];
}

void crm_block_factor_solve(const crm_block_factor *factor, int count, double *x, ptrdiff_t stride, double *scratch) {
    int done = factor->ended ? count : 0;
    for (; done + AT_ONCE <= count; done += AT_ONCE)
        solve_together(factor, AT_ONCE, x + stride * done, stride, scratch);
    for (; done < count; done++) solve_together(factor, 1, x + stride * done, stride, scratch);
}
