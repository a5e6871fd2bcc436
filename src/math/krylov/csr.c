// SPDX-License-Identifier: MIT
#include "math/krylov/csr.h"

#include <limits.h>
#include <math.h>

#include "base/fail.h"

static carom_status check_triplets(int rows, int cols, const crm_triplet *triplets, ptrdiff_t count,
                                   carom_error *error) {
    if (rows < 0 || cols < 0 || count < 0)
        return crm_refuse(error, "matrix of %d rows, %d columns and %td triplets: must not be negative", rows, cols,
                          count);
    if (count > INT_MAX || rows == INT_MAX || cols == INT_MAX)
        return crm_fail(error, CAROM_ERR_TOO_LARGE,
                        "matrix of %d rows, %d columns and %td triplets: at most %d of each", rows, cols, count,
                        INT_MAX - 1);
    if (count > 0 && triplets == NULL)
        return crm_refuse(error, "matrix of %td triplets: no triplets given (NULL)", count);
    for (ptrdiff_t k = 0; k < count; k++) {
        crm_triplet t = triplets[k];
        if (t.row < 0 || t.row >= rows || t.col < 0 || t.col >= cols)
            return crm_refuse(error, "triplet %td is at row %d, column %d of a %d x %d matrix", k, t.row, t.col, rows,
                              cols);
        if (!isfinite(t.value))
            return crm_refuse(error, "triplet %td (row %d, column %d) is %g, must be finite", k, t.row, t.col, t.value);
    }
    return CAROM_OK;
}

// Makes starts of counts, starts[i + 1] = number in bin i.
static void counts_to_starts(int bins, int *starts) {
    for (int i = 0; i < bins; i++) starts[i + 1] += starts[i];
}

// After each start has been moved to the end of its bin by filling it: moves all back by one bin.
static void restore_starts(int bins, int *starts) {
    for (int i = bins; i > 0; i--) starts[i] = starts[i - 1];
    starts[0] = 0;
}

// Adds neighbours in the same column of a row and closes the gaps.
static carom_status join_duplicates(crm_csr *a, carom_error *error) {
    int filled = 0, begin = 0;
    for (int i = 0; i < a->rows; i++) {
        int end = a->starts[i + 1], row_start = filled;
        for (int k = begin; k < end; k++) {
            if (filled > row_start && a->columns[filled - 1] == a->columns[k]) {
                a->values[filled - 1] += a->values[k];
                if (!isfinite(a->values[filled - 1]))
                    return crm_refuse(error, "the triplets of row %d, column %d add up to %g", i, a->columns[k],
                                      a->values[filled - 1]);
                continue;
            }
            a->columns[filled] = a->columns[k];
            a->values[filled] = a->values[k];
            filled++;
        }
        begin = end;
        a->starts[i + 1] = filled;
    }
    return CAROM_OK;
}

carom_status crm_csr_build(int rows, int cols, const crm_triplet *triplets, ptrdiff_t count, crm_arena *arena,
                           crm_csr *out, carom_error *error) {
    carom_status status = check_triplets(rows, cols, triplets, count, error);
    if (status != CAROM_OK) return status;

    crm_mark before = crm_arena_mark(arena);
    crm_csr a = {.rows = rows, .cols = cols};
    a.starts = CRM_ARENA_ZEROED(arena, int, (ptrdiff_t)rows + 1);
    a.columns = CRM_ARENA_ARRAY(arena, int, count);
    a.values = CRM_ARENA_ARRAY(arena, double, count);
    crm_mark scratch = crm_arena_mark(arena);
    int *bins = CRM_ARENA_ZEROED(arena, int, (ptrdiff_t)cols + 1);
    int *by_column = CRM_ARENA_ARRAY(arena, int, count);
    if (!a.starts || !a.columns || !a.values || !bins || !by_column) {
        crm_arena_release(arena, before);
        return crm_fail_memory(error, "sparse matrix", (size_t)count * sizeof(crm_triplet));
    }

    // Two stable counting sorts, by column and then by row: equal places keep the order in which they were given.
    for (ptrdiff_t k = 0; k < count; k++) bins[triplets[k].col + 1]++;
    counts_to_starts(cols, bins);
    for (ptrdiff_t k = 0; k < count; k++) by_column[bins[triplets[k].col]++] = (int)k;
    for (ptrdiff_t k = 0; k < count; k++) a.starts[triplets[k].row + 1]++;
    counts_to_starts(rows, a.starts);
    for (ptrdiff_t k = 0; k < count; k++) {
        crm_triplet t = triplets[by_column[k]];
        int place = a.starts[t.row]++;
        a.columns[place] = t.col;
        a.values[place] = t.value;
    }
    restore_starts(rows, a.starts);
    crm_arena_release(arena, scratch);

    status = join_duplicates(&a, error);
    if (status != CAROM_OK) {
        crm_arena_release(arena, before);
        return status;
    }
    *out = a;
    return CAROM_OK;
}

carom_status crm_csr_check(const crm_csr *a, carom_error *error) {
    if (a->rows < 0 || a->cols < 0)
        return crm_refuse(error, "sparse matrix of %d rows and %d columns: must not be negative", a->rows, a->cols);
    if (a->starts == NULL || a->starts[0] != 0)
        return crm_refuse(error, "sparse matrix: the first row must start at entry 0");
    for (int i = 0; i < a->rows; i++)
        if (a->starts[i + 1] < a->starts[i])
            return crm_refuse(error, "sparse matrix: row %d starts at entry %d and ends at %d", i, a->starts[i],
                              a->starts[i + 1]);
    if (a->starts[a->rows] > 0 && (a->columns == NULL || a->values == NULL))
        return crm_refuse(error, "sparse matrix of %d entries: no columns or values given (NULL)", a->starts[a->rows]);
    for (int i = 0; i < a->rows; i++) {
        int last = -1;
        for (int k = a->starts[i]; k < a->starts[i + 1]; k++) {
            int col = a->columns[k];
            if (col < 0 || col >= a->cols)
                return crm_refuse(error, "sparse matrix: entry %d is at row %d, column %d of %d x %d", k, i, col,
                                  a->rows, a->cols);
            if (col <= last)
                return crm_refuse(error,
                                  "sparse matrix: entry %d of row %d has column %d after column %d, must increase", k,
                                  i, col, last);
            if (!isfinite(a->values[k]))
                return crm_refuse(error, "sparse matrix: entry %d (row %d, column %d) is %g", k, i, col, a->values[k]);
            last = col;
        }
    }
    return CAROM_OK;
}

carom_status crm_csr_transpose(const crm_csr *a, crm_arena *arena, crm_csr *out, carom_error *error) {
    int count = a->starts[a->rows];
    crm_mark before = crm_arena_mark(arena);
    crm_csr t = {.rows = a->cols, .cols = a->rows};
    t.starts = CRM_ARENA_ZEROED(arena, int, (ptrdiff_t)t.rows + 1);
    t.columns = CRM_ARENA_ARRAY(arena, int, count);
    t.values = CRM_ARENA_ARRAY(arena, double, count);
    if (!t.starts || !t.columns || !t.values) {
        crm_arena_release(arena, before);
        return crm_fail_memory(error, "transposed sparse matrix", (size_t)count * (sizeof(int) + sizeof(double)));
    }
    for (int k = 0; k < count; k++) t.starts[a->columns[k] + 1]++;
    counts_to_starts(t.rows, t.starts);
    for (int i = 0; i < a->rows; i++)
        for (int k = a->starts[i]; k < a->starts[i + 1]; k++) {
            int place = t.starts[a->columns[k]]++;
            t.columns[place] = i;
            t.values[place] = a->values[k];
        }
    restore_starts(t.rows, t.starts);
    *out = t;
    return CAROM_OK;
}

static void multiply_row(const crm_csr *a, int row, const double *x, double *y) {
    double sum = 0.0;
    for (int k = a->starts[row]; k < a->starts[row + 1]; k++) sum += a->values[k] * x[a->columns[k]];
    y[row] = sum;
}

void crm_csr_multiply(const crm_csr *a, const double *x, double *y) {
    // A sum waits for itself: neighbours of equal length, such as rows of a contact, go side by side.
    enum { ABREAST = 3 };
    for (int i = 0; i < a->rows;) {
        const int *start = a->starts + i;
        int count = start[1] - start[0];
        if (i + ABREAST > a->rows || start[2] - start[1] != count || start[3] - start[2] != count) {
            multiply_row(a, i++, x, y);
            continue;
        }
        double sum[ABREAST] = {0.0};
        for (int k = 0; k < count; k++)
            for (int j = 0; j < ABREAST; j++) sum[j] += a->values[start[j] + k] * x[a->columns[start[j] + k]];
        for (int j = 0; j < ABREAST; j++) y[i++] = sum[j];
    }
}

void crm_csr_multiply_transposed(const crm_csr *a, const double *x, double *y) {
    for (int j = 0; j < a->cols; j++) y[j] = 0.0;
    for (int i = 0; i < a->rows; i++)
        for (int k = a->starts[i]; k < a->starts[i + 1]; k++) y[a->columns[k]] += a->values[k] * x[i];
}

double *crm_csr_find(const crm_csr *a, int row, int col) {
    if (row < 0 || row >= a->rows || col < 0 || col >= a->cols) return NULL;
    int low = a->starts[row], high = a->starts[row + 1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (a->columns[middle] < col)
            low = middle + 1;
        else
            high = middle;
    }
    return low < a->starts[row + 1] && a->columns[low] == col ? &a->values[low] : NULL;
}

void crm_csr_apply(void *context, const double *x, double *y) {
    crm_csr_multiply(context, x, y);
}
