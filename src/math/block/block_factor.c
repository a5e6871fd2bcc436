// SPDX-License-Identifier: MIT
// Left-looking factorization by panels: load a panel, take off what every earlier panel contributes, factor it. The
// three kinds differ only in what stands on the right of the product,
//   L_t -= L_s L_s^T (Cholesky),  L_t -= L_s (L_s D)^T (LDL^T),  L_t -= L_s (U_s^T)^T and U_t^T -= U_s^T L_s^T (LU),
// and in how a diagonal tile is factored.
#include "math/block/block_factor.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/fail.h"
#include "base/limits/limit.h"
#include "math/block/tile_factor.h"

// The estimated error of a pivot is right to a small factor, as the terms' own errors partly cancel and the estimate
// leaves out what reaches a pivot by way of off-diagonal entries.
static const double default_certainty = 16.0;

// An interrupt is asked for before so many products of panels, each of microseconds, of the largest matrices of 20 ms.
enum { PRODUCTS_A_LOOK = 4 };

// Doubles of scratch for one product or one tile.
static ptrdiff_t scratch_count(const crm_block_symbolic *symbolic, crm_block_factor_kind kind) {
    if (kind == CRM_BLOCK_LDLT)
        return (ptrdiff_t)symbolic->widest_panel * symbolic->widest_panel;   // strips times pivots
    return kind == CRM_BLOCK_LU ? 2 * (ptrdiff_t)symbolic->largest_size : 0; // sizes of rows and columns; a row
}

carom_status crm_block_factor_create(const crm_block_symbolic *symbolic, crm_block_factor_kind kind, crm_arena *arena,
                                     crm_block_factor *factor, carom_error *error) {
    crm_mark mark = crm_arena_mark(arena);
    bool is_lu = kind == CRM_BLOCK_LU, is_ldlt = kind == CRM_BLOCK_LDLT;
    ptrdiff_t values = symbolic->value_count, scalars = symbolic->scalar_count;
    crm_block_factor f = {.kind = kind, .symbolic = symbolic, .kernels = crm_tile_kernels_best()};
    f.certainty = default_certainty;
    f.lower = CRM_ARENA_ARRAY(arena, double, values);
    f.upper = is_lu ? CRM_ARENA_ARRAY(arena, double, values) : f.lower;
    f.lower_reciprocal = CRM_ARENA_ARRAY(arena, double, scalars);
    f.upper_reciprocal = is_lu ? CRM_ARENA_ARRAY(arena, double, scalars) : f.lower_reciprocal;
    f.pivot = CRM_ARENA_ARRAY(arena, double, is_ldlt ? scalars : 0);
    f.pivot_reciprocal = CRM_ARENA_ARRAY(arena, double, is_ldlt ? scalars : 0);
    f.row_taken = CRM_ARENA_ARRAY(arena, int, is_lu ? scalars : 0);
    f.errors.magnitude = CRM_ARENA_ARRAY(arena, double, scalars);
    f.errors.inherited = CRM_ARENA_ARRAY(arena, double, scalars);
    f.errors.uncertainty = CRM_ARENA_ARRAY(arena, double, scalars);
    f.errors.row_probe = CRM_ARENA_ARRAY(arena, double, scalars);
    f.errors.column_probe = is_lu ? CRM_ARENA_ARRAY(arena, double, scalars) : f.errors.row_probe;
    f.scratch = CRM_ARENA_ARRAY(arena, double, scratch_count(symbolic, kind));
    if (f.lower == NULL || f.upper == NULL || f.lower_reciprocal == NULL || f.upper_reciprocal == NULL ||
        f.pivot == NULL || f.pivot_reciprocal == NULL || f.row_taken == NULL || f.errors.magnitude == NULL ||
        f.errors.inherited == NULL || f.errors.uncertainty == NULL || f.errors.row_probe == NULL ||
        f.errors.column_probe == NULL || f.scratch == NULL) {
        crm_arena_release(arena, mark);
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "block factor: no memory for %td values", values);
    }
    if (kind != CRM_BLOCK_CHOLESKY)
        for (ptrdiff_t i = 0; i < scalars; i++) f.lower_reciprocal[i] = 1.0; // L has a unit diagonal
    *factor = f;
    return CAROM_OK;
}

// to (rows x columns) = from^T
static void copy_transposed(int rows, int columns, const double *from, double *to) {
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) to[i + (ptrdiff_t)rows * j] = from[j + (ptrdiff_t)columns * i];
}

static void copy_block(int rows, int columns, const double *from, double *to) {
    memcpy(to, from, (size_t)rows * (size_t)columns * sizeof(double));
}

static void load_panel(const crm_block_factor *f, const crm_panel *panel, const crm_block_matrix *matrix) {
    const crm_block_symbolic *s = f->symbolic;
    double *lower = f->lower + panel->values, *upper = f->upper + panel->values;
    memset(lower, 0, (size_t)panel->value_count * sizeof(double));
    if (f->kind == CRM_BLOCK_LU) memset(upper, 0, (size_t)panel->value_count * sizeof(double));

    for (int k = panel->first; k < panel->end; k++) {
        int size = s->size[k], start = s->start[k];
        const double *block = matrix->diagonal + matrix->node_block[s->order[k]];
        int strip = s->strip_offset[panel->strip_begin + k - panel->first];
        copy_block(size, size, block, lower + strip + (ptrdiff_t)(start - s->start[panel->first]) * size);
        for (int j = 0; j < size; j++) {
            f->errors.magnitude[start + j] = fabs(block[j + (ptrdiff_t)size * j]);
            f->errors.inherited[start + j] = f->errors.row_probe[start + j] = f->errors.column_probe[start + j] = 0.0;
        }
    }

    for (int l = panel->load_begin; l < panel->load_end; l++) {
        const crm_block_load *load = &s->load[l];
        crm_block_edge edge = matrix->graph.edge[load->edge];
        int row_size = matrix->graph.node_size[edge.row], column_size = matrix->graph.node_size[edge.column];
        const double *block = matrix->edges + matrix->edge_block[load->edge];
        if (f->kind != CRM_BLOCK_LU) {
            if (load->row_is_late)
                copy_block(row_size, column_size, block, lower + load->tile);
            else
                copy_transposed(column_size, row_size, block, lower + load->tile);
            continue;
        }
        // A symmetric matrix has its mirror blocks implied: the block itself, transposed, which is what U^T stores.
        const double *mirror = matrix->mirror == NULL ? NULL : matrix->mirror + matrix->edge_block[load->edge];
        double *direct = load->row_is_late ? lower : upper, *opposite = load->row_is_late ? upper : lower;
        if (load->row_is_late) {
            copy_block(row_size, column_size, block, direct + load->tile);
            if (mirror == NULL)
                copy_block(row_size, column_size, block, opposite + load->tile);
            else
                copy_transposed(row_size, column_size, mirror, opposite + load->tile);
        } else {
            copy_transposed(column_size, row_size, block, direct + load->tile);
            if (mirror == NULL)
                copy_transposed(column_size, row_size, block, opposite + load->tile);
            else
                copy_block(column_size, row_size, mirror, opposite + load->tile);
        }
    }
}

// What one panel, the source, takes off another, the target, or off itself.
typedef struct panel_product {
    const crm_panel *source, *target;
    int first;             // first strip of the source that takes part, as a row and as a column
    int row_count;         // strips from `first` on that are rows
    int column_count;      // strips from `first` on that are columns; they are rows too
    int depth;             // columns of the source that take part
    const int *row_offset; // place in the target panel, per row
} panel_product;

// Takes left * right^T off the target's values, tiles from `below` block rows under the diagonal on. `left` and `right`
// are the source's strips from `first` on, both as the source stores them.
static void take_off(const crm_block_factor *f, const panel_product *p, const double *left, const double *right,
                     int below, double *target) {
    const crm_block_symbolic *s = f->symbolic;
    const int *node = s->strip_row + p->first;
    int target_start = s->start[p->target->first];
    if (s->common_size == 6 || s->common_size == 3) {
        int size = s->common_size, column_offset[CRM_PANEL_NODES];
        for (int j = 0; j < p->column_count; j++) column_offset[j] = size * (s->start[node[j]] - target_start);
        (size == 6 ? f->kernels->update6 : f->kernels->update3)(p->row_count, p->column_count, below, p->depth, left,
                                                                right, size * (ptrdiff_t)p->source->width, target,
                                                                p->row_offset, column_offset);
        return;
    }
    const int *strip_offset = s->strip_offset + p->first;
    for (int i = below; i < p->row_count; i++) {
        int rows = s->size[node[i]];
        for (int j = 0; j < p->column_count && j <= i - below; j++) {
            ptrdiff_t column = s->start[node[j]] - target_start;
            f->kernels->update(rows, s->size[node[j]], p->depth, left + (strip_offset[i] - strip_offset[0]),
                               right + (strip_offset[j] - strip_offset[0]), target + p->row_offset[i] + column * rows);
        }
    }
}

// The strips of L that stand as columns, each times D, in the layout of the source.
static const double *strips_times_pivots(const crm_block_factor *f, const panel_product *p, const double *left) {
    const crm_block_symbolic *s = f->symbolic;
    const double *pivot = f->pivot + s->start[p->source->first];
    for (int j = p->first; j < p->first + p->column_count; j++) {
        int rows = s->size[s->strip_row[j]];
        ptrdiff_t strip = s->strip_offset[j] - s->strip_offset[p->first];
        for (int k = 0; k < p->depth; k++)
            for (int i = 0; i < rows; i++)
                f->scratch[strip + i + (ptrdiff_t)rows * k] = left[strip + i + (ptrdiff_t)rows * k] * pivot[k];
    }
    return f->scratch;
}

// Adds the terms that are about to be taken off the diagonal to the error analysis of the pivots.
static void add_to_errors(const crm_block_factor *f, const panel_product *p, const double *left, const double *right) {
    const crm_block_symbolic *s = f->symbolic;
    for (int j = p->first; j < p->first + p->column_count; j++) {
        int node = s->strip_row[j];
        ptrdiff_t strip = s->strip_offset[j] - s->strip_offset[p->first];
        crm_pivot_errors_add(s->size[node], p->depth, left + strip, right + strip, &f->errors,
                             s->start[p->source->first], s->start[node]);
    }
}

static void apply_product(const crm_block_factor *f, const panel_product *p) {
    ptrdiff_t strip = p->source->values + f->symbolic->strip_offset[p->first];
    const double *lower = f->lower + strip, *upper = f->upper + strip;
    if (f->kind == CRM_BLOCK_LDLT) upper = strips_times_pivots(f, p, lower);
    add_to_errors(f, p, lower, upper);
    take_off(f, p, lower, upper, 0, f->lower + p->target->values);
    // U's strips start below the diagonal tile, which L's strips carry.
    if (f->kind == CRM_BLOCK_LU) take_off(f, p, upper, lower, 1, f->upper + p->target->values);
}

static bool is_exchanged(int n, const int *taken) {
    for (int i = 0; i < n; i++)
        if (taken[i] != i) return true;
    return false;
}

// Column j of X becomes its old column taken[j]. `row` is scratch for one row.
static void exchange_columns(int rows, int columns, const int *taken, double *row, double *x) {
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) row[j] = x[i + (ptrdiff_t)rows * taken[j]];
        for (int j = 0; j < columns; j++) x[i + (ptrdiff_t)rows * j] = row[j];
    }
}

static void solve_below(const crm_block_factor *f, const crm_panel *panel, int first, double *values, int column,
                        int columns, const double *tile, const double *reciprocal) {
    const crm_block_symbolic *s = f->symbolic;
    if (first == panel->strip_end) return;
    if (s->common_size == 6) {
        f->kernels->solve6(panel->strip_end - first, tile, reciprocal, values + s->strip_offset[first] + 6 * column,
                           6 * (ptrdiff_t)panel->width);
        return;
    }
    for (int i = first; i < panel->strip_end; i++) {
        int rows = s->size[s->strip_row[i]];
        f->kernels->solve(rows, columns, tile, reciprocal, values + s->strip_offset[i] + (ptrdiff_t)column * rows);
    }
}

static void factor_cholesky_column(const crm_block_factor *f, const crm_panel *panel, int j, int column, double *tile,
                                   crm_pivot_tally *tally) {
    const crm_block_symbolic *s = f->symbolic;
    int node = s->strip_row[j], start = s->start[node];
    double *reciprocal = f->lower_reciprocal + start;
    crm_tile_cholesky(s->size[node], tile, reciprocal, &f->errors, start, tally);
    solve_below(f, panel, j + 1, f->lower + panel->values, column, s->size[node], tile, reciprocal);
}

static void factor_ldlt_column(const crm_block_factor *f, const crm_panel *panel, int j, int column, double *tile,
                               crm_pivot_tally *tally) {
    const crm_block_symbolic *s = f->symbolic;
    int node = s->strip_row[j], start = s->start[node], columns = s->size[node];
    double *values = f->lower + panel->values;
    crm_tile_ldlt(columns, tile, f->pivot + start, f->pivot_reciprocal + start, &f->errors, start, tally);
    solve_below(f, panel, j + 1, values, column, columns, tile, f->lower_reciprocal + start);
    for (int i = j + 1; i < panel->strip_end; i++) {
        int rows = s->size[s->strip_row[i]];
        double *x = values + s->strip_offset[i] + (ptrdiff_t)column * rows;
        for (int c = 0; c < columns; c++)
            for (int r = 0; r < rows; r++) x[r + (ptrdiff_t)rows * c] *= f->pivot_reciprocal[start + c];
    }
}

static void factor_lu_column(const crm_block_factor *f, const crm_panel *panel, int j, int column, double *tile,
                             crm_pivot_tally *tally) {
    const crm_block_symbolic *s = f->symbolic;
    int node = s->strip_row[j], start = s->start[node], columns = s->size[node];
    double *lower = f->lower + panel->values, *upper = f->upper + panel->values;
    double *upper_tile = upper + (tile - lower);
    crm_tile_lu(columns, tile, f->row_taken + start, f->upper_reciprocal + start, &f->errors, start, f->scratch, tally);
    copy_transposed(columns, columns, tile, upper_tile);
    // L_i = A_i U^-1 and U_i^T = (P A_i)^T L^-T: both are X T^-T with T lower triangular.
    solve_below(f, panel, j + 1, lower, column, columns, upper_tile, f->upper_reciprocal + start);
    for (int i = j + 1; i < panel->strip_end && is_exchanged(columns, f->row_taken + start); i++) {
        int rows = s->size[s->strip_row[i]];
        exchange_columns(rows, columns, f->row_taken + start, f->scratch,
                         upper + s->strip_offset[i] + (ptrdiff_t)column * rows);
    }
    solve_below(f, panel, j + 1, upper, column, columns, tile, f->lower_reciprocal + start);
}

static void factor_panel(const crm_block_factor *f, const crm_panel *panel, crm_pivot_tally *tally) {
    const crm_block_symbolic *s = f->symbolic;
    for (int k = panel->first; k < panel->end; k++) {
        int j = panel->strip_begin + k - panel->first, column = s->start[k] - s->start[panel->first];
        if (column > 0)
            apply_product(f, &(panel_product){.source = panel,
                                              .target = panel,
                                              .first = j,
                                              .row_count = panel->strip_end - j,
                                              .column_count = 1,
                                              .depth = column,
                                              .row_offset = s->strip_offset + j});
        double *tile = f->lower + panel->values + s->strip_offset[j] + (ptrdiff_t)column * s->size[k];
        switch (f->kind) {
        case CRM_BLOCK_CHOLESKY:
            factor_cholesky_column(f, panel, j, column, tile, tally);
            break;
        case CRM_BLOCK_LDLT:
            factor_ldlt_column(f, panel, j, column, tile, tally);
            break;
        case CRM_BLOCK_LU:
            factor_lu_column(f, panel, j, column, tile, tally);
            break;
        }
    }
}

// The matrix's own number of a scalar given in elimination order.
static int original_scalar(const crm_block_symbolic *s, int scalar) {
    int low = 0, high = s->node_count - 1;
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (s->start[middle] <= scalar)
            low = middle;
        else
            high = middle - 1;
    }
    return s->original[low] + scalar - s->start[low];
}

static crm_pivot_tally factor_panels(crm_block_factor *f, const crm_block_matrix *matrix) {
    const crm_block_symbolic *s = f->symbolic;
    f->ended = false;
    crm_pivot_tally tally = {.certainty = f->certainty, .first_left_out = -1, .finite = true};
    for (int p = 0; p < s->panel_count; p++) {
        const crm_panel *panel = &s->panel[p];
        load_panel(f, panel, matrix);
        for (int u = panel->update_begin; u < panel->update_end; u++) {
            if ((u - panel->update_begin) % PRODUCTS_A_LOOK == 0 && crm_interrupted(&f->interrupt)) {
                f->ended = true;
                tally.finite = false;
                return tally;
            }
            const crm_panel_update *update = &s->update[u];
            const crm_panel *source = &s->panel[update->source];
            apply_product(f, &(panel_product){.source = source,
                                              .target = panel,
                                              .first = update->strip_begin,
                                              .row_count = source->strip_end - update->strip_begin,
                                              .column_count = update->strip_end - update->strip_begin,
                                              .depth = source->width,
                                              .row_offset = s->row_offset + update->map});
        }
        factor_panel(f, panel, &tally);
    }
    return tally;
}

void crm_block_factor_compute(crm_block_factor *f, const crm_block_matrix *matrix, crm_block_factor_report *report) {
    const crm_block_symbolic *s = f->symbolic;
    CRM_ASSERT(matrix->graph.node_count == s->node_count && matrix->graph.edge_count == s->edge_count);
    f->errors.probing = false;
    crm_pivot_tally tally = factor_panels(f, matrix);
    if (tally.doubtful > 0 && tally.finite) {
        f->errors.probing = true;
        tally = factor_panels(f, matrix);
    }
    *report = (crm_block_factor_report){
        .rank = tally.kept,
        .left_out = tally.left_out,
        .first_left_out = tally.first_left_out < 0 ? -1 : original_scalar(s, tally.first_left_out),
        .negative = tally.negative,
        .uncertainty = tally.largest_uncertainty,
        .finite = tally.finite,
    };
}
