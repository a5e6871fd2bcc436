// SPDX-License-Identifier: MIT
#include "control/solver/interior/newton_matrix.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

// A condensed row of so many unknowns adds a square of as many entries; longer ones stay rows.
enum { LONGEST_CONDENSED = 48 };

static int row_length(const crm_newton_pattern *p, int row) {
    return p->jacobian_start[row + 1] - p->jacobian_start[row];
}

static carom_status no_memory(const crm_newton_pattern *p, carom_error *error) {
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for the matrix of a program of %d unknowns and %d rows",
                    p->unknowns, p->rows);
}

// ---- bundles of rows

typedef struct sorted_row {
    const crm_newton_pattern *pattern;
    int32_t row;
} sorted_row;

// By their columns, then by number.
static int compare_rows(const void *a, const void *b) {
    const sorted_row *x = a, *y = b;
    const crm_newton_pattern *p = x->pattern;
    int length = row_length(p, x->row), other = row_length(p, y->row);
    if (length != other) return (length > other) - (length < other);
    const int32_t *i = p->jacobian_column + p->jacobian_start[x->row];
    const int32_t *j = p->jacobian_column + p->jacobian_start[y->row];
    for (int k = 0; k < length; k++)
        if (i[k] != j[k]) return (i[k] > j[k]) - (i[k] < j[k]);
    return (x->row > y->row) - (x->row < y->row);
}

static bool same_columns(const crm_newton_pattern *p, int row, int other) {
    int length = row_length(p, row);
    return length == row_length(p, other) &&
           memcmp(p->jacobian_column + p->jacobian_start[row], p->jacobian_column + p->jacobian_start[other],
                  (size_t)length * sizeof(int32_t)) == 0;
}

static bool bundle_rows(crm_newton_matrix *m, crm_arena *arena, crm_arena *scratch, int *entries, int *widest) {
    const crm_newton_pattern *p = &m->pattern;
    sorted_row *sorted = CRM_ARENA_ARRAY(scratch, sorted_row, p->rows);
    m->kept_row = CRM_ARENA_ARRAY(arena, int32_t, p->rows);
    m->kept_number = CRM_ARENA_ARRAY(arena, int32_t, p->rows);
    m->bundled_row = CRM_ARENA_ARRAY(arena, int32_t, p->rows);
    m->bundle = CRM_ARENA_ARRAY(arena, crm_row_bundle, p->rows);
    if (crm_arena_refused(arena) || sorted == NULL) return false;
    int condensed = 0;
    for (int r = 0; r < p->rows; r++) {
        bool keep = !p->inequality[r] || row_length(p, r) > LONGEST_CONDENSED;
        m->kept_number[r] = keep ? m->kept : -1;
        if (keep)
            m->kept_row[m->kept++] = r;
        else
            sorted[condensed++] = (sorted_row){p, r};
    }
    qsort(sorted, (size_t)condensed, sizeof *sorted, compare_rows);
    *entries = 0;
    *widest = 0;
    for (int i = 0; i < condensed; i++) {
        m->bundled_row[i] = sorted[i].row;
        if (i == 0 || !same_columns(p, sorted[i - 1].row, sorted[i].row)) {
            int columns = row_length(p, sorted[i].row);
            m->bundle[m->bundle_count++] = (crm_row_bundle){.columns = columns, .row_begin = i, .entry_begin = *entries};
            *entries += columns * (columns + 1) / 2;
            if (columns > *widest) *widest = columns;
        }
        m->bundle[m->bundle_count - 1].row_end = i + 1;
    }
    return true;
}

// ---- the condensed pattern

// Entries are listed by rows, sorted, freed from doubles, then found again: the same walk three times.
typedef struct entry_walk {
    enum { COUNT, LIST, FIND } pass;
    int64_t *next;
    int *column; // by rows
    int *start;
    int32_t found;
} entry_walk;

static void visit(entry_walk *w, int row, int column) {
    if (w->pass == COUNT) {
        w->next[row + 1]++;
    } else if (w->pass == LIST) {
        w->column[w->next[row]++] = column;
    } else {
        int low = w->start[row], high = w->start[row + 1] - 1;
        while (low < high) {
            int middle = low + (high - low) / 2;
            if (w->column[middle] < column)
                low = middle + 1;
            else
                high = middle;
        }
        w->found = low;
    }
}

static void walk_entries(crm_newton_matrix *m, entry_walk *w) {
    const crm_newton_pattern *p = &m->pattern;
    bool find = w->pass == FIND;
    for (int i = 0; i < p->unknowns + m->kept; i++) {
        visit(w, i, i);
        if (find) m->diagonal_entry[i] = w->found;
    }
    for (int h = 0; h < p->hessian_count; h++) {
        visit(w, p->hessian_row[h], p->hessian_column[h]);
        if (find) m->hessian_entry[h] = w->found;
    }
    for (int r = 0; r < p->rows; r++) {
        for (int e = p->jacobian_start[r]; e < p->jacobian_start[r + 1]; e++) {
            if (m->kept_number[r] >= 0) visit(w, p->unknowns + m->kept_number[r], p->jacobian_column[e]);
            if (find) m->jacobian_entry[e] = m->kept_number[r] >= 0 ? w->found : -1;
        }
    }
    for (int b = 0; b < m->bundle_count; b++) {
        const crm_row_bundle *bundle = &m->bundle[b];
        const int32_t *column = p->jacobian_column + p->jacobian_start[m->bundled_row[bundle->row_begin]];
        int32_t *entry = m->bundled_entry + bundle->entry_begin;
        for (int i = 0; i < bundle->columns; i++) {
            for (int j = 0; j <= i; j++, entry++) {
                visit(w, column[i], column[j]);
                if (find) *entry = w->found;
            }
        }
    }
}

static int compare_columns(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

// Sorts the lists of all rows, leaves each column once, and closes the gaps.
static void compress(entry_walk *w, int rows) {
    int64_t from = 0;
    int count = 0;
    for (int r = 0; r < rows; r++) {
        int64_t end = w->next[r];
        qsort(w->column + from, (size_t)(end - from), sizeof *w->column, compare_columns);
        w->start[r] = count;
        for (int64_t i = from; i < end; i++)
            if (i == from || w->column[i] != w->column[i - 1]) w->column[count++] = w->column[i];
        from = end;
    }
    w->start[rows] = count;
}

// Rows and columns of all entries, in the arena; the lists themselves in scratch.
static bool find_entries(crm_newton_matrix *m, crm_arena *arena, crm_arena *scratch, int **row, int **column) {
    int size = m->pattern.unknowns + m->kept;
    entry_walk w = {.pass = COUNT, .next = CRM_ARENA_ZEROED(scratch, int64_t, (ptrdiff_t)size + 2)};
    w.start = CRM_ARENA_ARRAY(scratch, int, (ptrdiff_t)size + 1);
    if (w.next == NULL || w.start == NULL) return false;
    walk_entries(m, &w);
    for (int r = 0; r < size; r++) w.next[r + 1] += w.next[r];
    w.column = CRM_ARENA_ARRAY(scratch, int, w.next[size]);
    if (w.column == NULL) return false;
    w.pass = LIST;
    walk_entries(m, &w);
    compress(&w, size);
    w.pass = FIND;
    walk_entries(m, &w);
    m->entry_count = w.start[size];
    *row = CRM_ARENA_ARRAY(arena, int, m->entry_count);
    *column = CRM_ARENA_ARRAY(arena, int, m->entry_count);
    if (*row == NULL || *column == NULL) return false;
    for (int r = 0; r < size; r++)
        for (int e = w.start[r]; e < w.start[r + 1]; e++) (*row)[e] = r;
    memcpy(*column, w.column, (size_t)m->entry_count * sizeof **column);
    return true;
}

static carom_status create(crm_newton_matrix *m, crm_arena *arena, crm_arena *scratch, carom_error *error) {
    const crm_newton_pattern *p = &m->pattern;
    int bundled = 0, widest = 0, groups = 0, *row = NULL, *column = NULL;
    if (!bundle_rows(m, arena, scratch, &bundled, &widest)) return no_memory(p, error);
    int size = p->unknowns + m->kept;
    m->bundled_entry = CRM_ARENA_ARRAY(arena, int32_t, bundled);
    m->hessian_entry = CRM_ARENA_ARRAY(arena, int32_t, p->hessian_count);
    m->jacobian_entry = CRM_ARENA_ARRAY(arena, int32_t, p->jacobian_start[p->rows]);
    m->diagonal_entry = CRM_ARENA_ARRAY(arena, int32_t, size);
    m->tile = CRM_ARENA_ARRAY(arena, double, (ptrdiff_t)widest * widest);
    m->right = CRM_ARENA_ARRAY(arena, double, size);
    int *group = CRM_ARENA_ARRAY(scratch, int, size), *stage = CRM_ARENA_ARRAY(scratch, int, size);
    if (crm_arena_refused(arena) || group == NULL || stage == NULL || !find_entries(m, arena, scratch, &row, &column))
        return no_memory(p, error);
    m->value = CRM_ARENA_ARRAY(arena, double, m->entry_count);
    if (m->value == NULL || !crm_newton_groups(p, m->kept, m->kept_row, scratch, group, stage, &groups))
        return no_memory(p, error);
    crm_front_pattern pattern = {size, m->entry_count, row, column, groups, group, stage};
    carom_status status = crm_front_analyse(&pattern, arena, scratch, &m->symbolic, error);
    return status == CAROM_OK ? crm_front_factor_create(&m->symbolic, arena, &m->factor, error) : status;
}

carom_status crm_newton_matrix_create(const crm_newton_pattern *pattern, crm_arena *arena, crm_newton_matrix *matrix,
                                      carom_error *error) {
    *matrix = (crm_newton_matrix){.pattern = *pattern};
    crm_arena scratch;
    crm_arena_init(&scratch, &arena->allocator);
    carom_status status = create(matrix, arena, &scratch, error);
    crm_arena_free(&scratch);
    return status;
}

// ---- values

// Adds A^T A / r of a bundle: its sum as a dense triangle first, so that each entry is looked up once.
static void add_bundle(crm_newton_matrix *m, const crm_row_bundle *bundle) {
    const crm_newton_pattern *p = &m->pattern;
    int columns = bundle->columns;
    double *restrict tile = m->tile;
    memset(tile, 0, (size_t)columns * (size_t)columns * sizeof *tile);
    for (int k = bundle->row_begin; k < bundle->row_end; k++) {
        int row = m->bundled_row[k];
        double weight = 1.0 / m->row_diagonal[row];
        const double *restrict a = m->jacobian + p->jacobian_start[row];
        for (int i = 0; i < columns; i++) {
            double factor = weight * a[i];
            for (int j = 0; j <= i; j++) tile[(ptrdiff_t)columns * i + j] += factor * a[j];
        }
    }
    const int32_t *entry = m->bundled_entry + bundle->entry_begin;
    for (int i = 0; i < columns; i++)
        for (int j = 0; j <= i; j++) m->value[*entry++] += tile[(ptrdiff_t)columns * i + j];
}

carom_status crm_newton_matrix_factor(crm_newton_matrix *m, const double *hessian, const double *jacobian,
                                      const double *unknown_diagonal, const double *row_diagonal, carom_error *error) {
    const crm_newton_pattern *p = &m->pattern;
    m->jacobian = jacobian;
    m->row_diagonal = row_diagonal;
    memset(m->value, 0, (size_t)m->entry_count * sizeof *m->value);
    for (int h = 0; hessian != NULL && h < p->hessian_count; h++) m->value[m->hessian_entry[h]] = hessian[h];
    for (int i = 0; i < p->unknowns; i++) m->value[m->diagonal_entry[i]] += unknown_diagonal[i];
    for (int k = 0; k < m->kept; k++) {
        int row = m->kept_row[k];
        m->value[m->diagonal_entry[p->unknowns + k]] = -row_diagonal[row];
        for (int e = p->jacobian_start[row]; e < p->jacobian_start[row + 1]; e++)
            m->value[m->jacobian_entry[e]] = jacobian[e];
    }
    for (int b = 0; b < m->bundle_count; b++) add_bundle(m, &m->bundle[b]);
    return crm_front_factor_compute(&m->factor, m->value, &m->report, error);
}

void crm_newton_matrix_solve(crm_newton_matrix *m, double *x, double *y) {
    const crm_newton_pattern *p = &m->pattern;
    double *right = m->right;
    memcpy(right, x, (size_t)p->unknowns * sizeof *x);
    for (int r = 0; r < p->rows; r++) {
        if (m->kept_number[r] >= 0) {
            right[p->unknowns + m->kept_number[r]] = y[r];
            continue;
        }
        double weighted = y[r] / m->row_diagonal[r];
        for (int e = p->jacobian_start[r]; e < p->jacobian_start[r + 1]; e++)
            right[p->jacobian_column[e]] += weighted * m->jacobian[e];
    }
    crm_front_factor_solve(&m->factor, right);
    memcpy(x, right, (size_t)p->unknowns * sizeof *x);
    for (int r = 0; r < p->rows; r++) {
        if (m->kept_number[r] >= 0) {
            y[r] = right[p->unknowns + m->kept_number[r]];
            continue;
        }
        double sum = -y[r];
        for (int e = p->jacobian_start[r]; e < p->jacobian_start[r + 1]; e++)
            sum += m->jacobian[e] * x[p->jacobian_column[e]];
        y[r] = sum / m->row_diagonal[r];
    }
}
