// SPDX-License-Identifier: MIT
#include "math/block/block_inverse.h"

#include <string.h>

#include "base/fail.h"

// Columns of Y, by the positions of their nodes; one tree of the elimination forest after the other.
typedef struct column_set {
    int count;          // nodes
    int *position;      // ascending (count)
    int *given;         // which of the caller's nodes it is (count)
    int *first;         // first column of each (count + 1)
    int *panel_of;      // of a position (node_count)
    bool *reached;      // panels that have anything (panel_count)
    int *caller_column; // where the caller has each column
} column_set;

// y[j] -= a0 x0[j] + a1 x1[j] + ...: as many terms as come, three at a time.
static void take_off(int columns, int terms, const double *a, ptrdiff_t step, const double *x, ptrdiff_t stride,
                     double *restrict y) {
    int k = 0;
    for (; k + 3 <= terms; k += 3) {
        const double a0 = a[k * step], a1 = a[(k + 1) * step], a2 = a[(k + 2) * step];
        const double *restrict x0 = x + k * stride, *restrict x1 = x0 + stride, *restrict x2 = x1 + stride;
        for (int j = 0; j < columns; j++) y[j] -= a0 * x0[j] + a1 * x1[j] + a2 * x2[j];
    }
    for (; k < terms; k++) {
        const double *restrict x0 = x + k * stride;
        for (int j = 0; j < columns; j++) y[j] -= a[k * step] * x0[j];
    }
}

// The panel's rows of Y become final and are taken off those below. Rows of y are scalars from `low` on.
static void solve_panel(const crm_block_factor *f, const crm_panel *panel, int low, int columns, ptrdiff_t stride,
                        double *y) {
    const crm_block_symbolic *s = f->symbolic;
    const double *values = f->lower + panel->values;
    int own = panel->end - panel->first, first = s->start[panel->first];
    double *top = y + (ptrdiff_t)(first - low) * stride;
    for (int i = panel->strip_begin; i < panel->strip_end; i++) {
        int row = s->strip_row[i], n = s->size[row];
        bool mine = i < panel->strip_begin + own;
        const double *strip = values + s->strip_offset[i];
        for (int r = 0; r < n; r++) {
            int scalar = s->start[row] + r;
            double *to = y + (ptrdiff_t)(scalar - low) * stride;
            take_off(columns, mine ? scalar - first : panel->width, strip + r, n, top, stride, to);
            if (!mine) continue;
            for (int j = 0; j < columns; j++) to[j] *= f->lower_reciprocal[scalar];
        }
    }
}

static void mark_paths(const crm_block_symbolic *s, column_set *set) {
    memset(set->reached, 0, sizeof *set->reached * (size_t)s->panel_count);
    for (int p = 0; p < s->panel_count; p++)
        for (int k = s->panel[p].first; k < s->panel[p].end; k++) set->panel_of[k] = p;
    for (int c = 0; c < set->count; c++) set->reached[set->panel_of[set->position[c]]] = true;
    for (int p = 0; p < s->panel_count; p++) {
        const crm_panel *panel = &s->panel[p];
        int below = panel->strip_begin + panel->end - panel->first;
        if (set->reached[p] && below < panel->strip_end) set->reached[set->panel_of[s->strip_row[below]]] = true;
    }
}

// The last panel of the tree that a panel is in.
static int root_of(const crm_block_symbolic *s, const column_set *set, int p) {
    for (;;) {
        const crm_panel *panel = &s->panel[p];
        int below = panel->strip_begin + panel->end - panel->first;
        if (below >= panel->strip_end) return p;
        p = set->panel_of[s->strip_row[below]];
    }
}

// Columns that have begun before a scalar: a prefix, as they are in the order of their nodes.
static int begun_before(const crm_block_symbolic *s, const column_set *set, int begin, int end, int scalar) {
    int c = begin;
    while (c < end && s->start[set->position[c]] < scalar) c++;
    return set->first[c] - set->first[begin];
}

// c (columns x columns, its lower triangle) += Y^T Y of four rows of Y, or fewer.
static void add_products(int rows, int columns, const double *y, ptrdiff_t stride, double *c) {
    for (int a = 0; a < columns; a++) {
        double *restrict to = c + (ptrdiff_t)a * stride;
        if (rows == 4) {
            const double *restrict y0 = y, *restrict y1 = y0 + stride, *restrict y2 = y1 + stride,
                                   *restrict y3 = y2 + stride;
            const double a0 = y0[a], a1 = y1[a], a2 = y2[a], a3 = y3[a];
            for (int b = 0; b <= a; b++) to[b] += (a0 * y0[b] + a1 * y1[b]) + (a2 * y2[b] + a3 * y3[b]);
            continue;
        }
        for (int r = 0; r < rows; r++) {
            const double *restrict of = y + r * stride;
            for (int b = 0; b <= a; b++) to[b] += of[a] * of[b];
        }
    }
}

// Nodes begin to end - 1 of the set, all those of one tree of the elimination forest.
static carom_status invert_tree(const crm_block_factor *f, const column_set *set, int begin, int end, int root,
                                crm_arena *scratch, int size, double *inverse, carom_error *error) {
    const crm_block_symbolic *s = f->symbolic;
    int columns = set->first[end] - set->first[begin], from = set->panel_of[set->position[begin]];
    int low = s->start[s->panel[from].first], high = s->start[s->panel[root].end];
    ptrdiff_t numbers = (ptrdiff_t)(high - low) * columns;
    double *y = CRM_ARENA_ZEROED(scratch, double, numbers);
    double *c = CRM_ARENA_ZEROED(scratch, double, (ptrdiff_t)columns *columns);
    if (y == NULL || c == NULL) return crm_fail_memory(error, "blocks of an inverse", sizeof(double) * (size_t)numbers);
    for (int k = begin; k < end; k++) {
        int n = set->first[k + 1] - set->first[k], row = s->start[set->position[k]] - low;
        for (int i = 0; i < n; i++) y[(ptrdiff_t)(row + i) * columns + set->first[k] - set->first[begin] + i] = 1.0;
    }
    for (int p = from; p <= root; p++) {
        if (!set->reached[p]) continue;
        int active = begun_before(s, set, begin, end, s->start[s->panel[p].end]);
        solve_panel(f, &s->panel[p], low, active, columns, y);
    }
    // Rows are taken together by their own numbers, so that the bits of a block do not depend on the other nodes.
    for (int row = 0, rows; row < high - low; row += rows) {
        rows = 4 - (low + row) % 4;
        if (rows > high - low - row) rows = high - low - row;
        int active = begun_before(s, set, begin, end, low + row + rows);
        add_products(rows, active, y + (ptrdiff_t)row * columns, columns, c);
    }
    const int *to = set->caller_column + set->first[begin];
    for (int a = 0; a < columns; a++)
        for (int b = 0; b <= a; b++) {
            double value = c[(ptrdiff_t)a * columns + b];
            inverse[(ptrdiff_t)to[a] * size + to[b]] = inverse[(ptrdiff_t)to[b] * size + to[a]] = value;
        }
    return CAROM_OK;
}

// Fills the set; returns how many scalars it has. -1: no memory.
static int make_set(const crm_block_symbolic *s, int count, const int *nodes, crm_arena *scratch, column_set *set) {
    int *place = CRM_ARENA_ZEROED(scratch, int, s->node_count); // of a node among the caller's, from 1
    int *caller_first = CRM_ARENA_ARRAY(scratch, int, (ptrdiff_t)count + 1);
    *set = (column_set){.count = count,
                        .position = CRM_ARENA_ARRAY(scratch, int, count),
                        .given = CRM_ARENA_ARRAY(scratch, int, count),
                        .first = CRM_ARENA_ARRAY(scratch, int, (ptrdiff_t)count + 1),
                        .panel_of = CRM_ARENA_ARRAY(scratch, int, s->node_count),
                        .reached = CRM_ARENA_ARRAY(scratch, bool, s->panel_count)};
    if (place == NULL || caller_first == NULL || !set->position || !set->given || !set->first || !set->panel_of ||
        !set->reached)
        return -1;
    for (int k = 0; k < count; k++) place[nodes[k]] = k + 1;
    int found = 0;
    for (int position = 0; position < s->node_count; position++) {
        int k = place[s->order[position]] - 1;
        if (k < 0) continue;
        set->position[found] = position;
        set->given[found++] = k;
    }
    int total = set->first[0] = 0;
    for (int c = 0; c < count; c++) {
        caller_first[set->given[c]] = s->size[set->position[c]]; // its size, until the offsets are made
        set->first[c + 1] = total += s->size[set->position[c]];
    }
    int next = 0;
    for (int k = 0; k < count; k++) {
        int size = caller_first[k];
        caller_first[k] = next;
        next += size;
    }
    set->caller_column = CRM_ARENA_ARRAY(scratch, int, total);
    if (set->caller_column == NULL) return -1;
    for (int c = 0; c < count; c++)
        for (int i = set->first[c]; i < set->first[c + 1]; i++)
            set->caller_column[i] = caller_first[set->given[c]] + i - set->first[c];
    return total;
}

carom_status crm_block_inverse_between(const crm_block_factor *factor, int count, const int *nodes, crm_arena *scratch,
                                       double *inverse, carom_error *error) {
    const crm_block_symbolic *s = factor->symbolic;
    crm_mark mark = crm_arena_mark(scratch);
    column_set set;
    int size = make_set(s, count, nodes, scratch, &set);
    if (size < 0) {
        crm_arena_release(scratch, mark);
        return crm_fail_memory(error, "blocks of an inverse", sizeof(int) * (size_t)count);
    }
    mark_paths(s, &set);
    carom_status status = CAROM_OK;
    memset(inverse, 0, sizeof(double) * (size_t)size * (size_t)size);
    for (int begin = 0, end; begin < count && status == CAROM_OK; begin = end) {
        int root = root_of(s, &set, set.panel_of[set.position[begin]]);
        for (end = begin + 1; end < count && set.position[end] < s->panel[root].end;) end++;
        crm_mark tree = crm_arena_mark(scratch);
        status = invert_tree(factor, &set, begin, end, root, scratch, size, inverse, error);
        crm_arena_release(scratch, tree);
    }
    crm_arena_release(scratch, mark);
    return status;
}
