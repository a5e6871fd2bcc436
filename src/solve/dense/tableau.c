// SPDX-License-Identifier: MIT
#include "solve/dense/tableau.h"

#include <math.h>

#include "base/fail.h"
#include "math/dense/dense.h"
#include "math/dense/dense_lu.h"

// Entries of the table are of the size of G's, about 1, and carry roundings of about 1e-15 times the growth so far.
static const double least_pivot = 1e-12, least_share = 1e-10; // of a column: absolute, and of its largest entry
static const double least_tied_share = 1e-6;                  // of the largest pivot among those that tie
static const double value_slack = 1e-13;                      // of a value, or of 1: less than that apart is a tie
static const double row_slack = 1e-11;                        // the same for rows of the basis's inverse
static const double rough_share = 1e-5; // a pivot below this share of its column costs too many digits to go on with
enum { EXCHANGES_PER_REFRESH = 64 };

carom_status crm_tableau_init(crm_tableau *tableau, int rows, int columns, const double *g, const double *h,
                              crm_arena *arena, carom_error *error) {
    ptrdiff_t m = rows, n = columns;
    *tableau = (crm_tableau){.rows = rows, .columns = columns, .g = g, .h = h};
    tableau->table = CRM_ARENA_ARRAY(arena, double, m *n);
    tableau->value = CRM_ARENA_ARRAY(arena, double, m);
    tableau->basic = CRM_ARENA_ARRAY(arena, int, m);
    tableau->nonbasic = CRM_ARENA_ARRAY(arena, int, n);
    tableau->place = CRM_ARENA_ARRAY(arena, int, m + n);
    tableau->inverse = CRM_ARENA_ARRAY(arena, double, m *m);
    tableau->pivots = CRM_ARENA_ARRAY(arena, int, m);
    tableau->tied = CRM_ARENA_ARRAY(arena, int, m);
    if (tableau->table == NULL || tableau->value == NULL || tableau->basic == NULL || tableau->nonbasic == NULL ||
        tableau->place == NULL || tableau->inverse == NULL || tableau->pivots == NULL || tableau->tied == NULL)
        return crm_fail_memory(error, "a pivoting table", (size_t)(m * (m + n)) * sizeof(double));
    for (ptrdiff_t k = 0; k < m * n; k++) tableau->table[k] = -g[k];
    for (int i = 0; i < rows; i++) {
        tableau->value[i] = h[i];
        tableau->basic[i] = columns + i;
        tableau->place[columns + i] = i;
    }
    for (int j = 0; j < columns; j++) {
        tableau->nonbasic[j] = j;
        tableau->place[j] = -1 - j;
    }
    return CAROM_OK;
}

double crm_tableau_value(const crm_tableau *tableau, int variable) {
    int row = tableau->place[variable];
    return row >= 0 ? fmax(tableau->value[row], 0.0) : 0.0;
}

// Entry (row, k) of the inverse of the basis: what slack k is in this row.
static double inverse_entry(const crm_tableau *tableau, int row, int k) {
    int place = tableau->place[tableau->columns + k];
    if (place >= 0) return place == row ? 1.0 : 0.0;
    return tableau->table[row + (ptrdiff_t)(-1 - place) * tableau->rows];
}

// Among `count` tied rows the one whose row of the inverse, over its pivot, is least lexicographically.
static int least_row(const crm_tableau *tableau, const double *column, int count) {
    int *tied = tableau->tied;
    for (int k = 0; k < tableau->rows && count > 1; k++) {
        double least = INFINITY, size = 1.0;
        for (int t = 0; t < count; t++) {
            double entry = inverse_entry(tableau, tied[t], k) / column[tied[t]];
            least = fmin(least, entry);
            size = fmax(size, fabs(entry));
        }
        int kept = 0;
        for (int t = 0; t < count; t++) {
            double entry = inverse_entry(tableau, tied[t], k) / column[tied[t]];
            if (entry <= least + row_slack * size) tied[kept++] = tied[t];
        }
        count = kept;
    }
    int best = tied[0];
    for (int t = 1; t < count; t++)
        if (column[tied[t]] > column[best]) best = tied[t];
    return best;
}

int crm_tableau_leaving(const crm_tableau *tableau, int column, int preferred) {
    const double *t = tableau->table + (ptrdiff_t)column * tableau->rows;
    double least = fmax(least_pivot, least_share * crm_dense_largest(tableau->rows, t));
    double ratio = INFINITY;
    for (int i = 0; i < tableau->rows; i++)
        if (t[i] > least) ratio = fmin(ratio, fmax(tableau->value[i], 0.0) / t[i]);
    if (!isfinite(ratio)) return -1;
    int count = 0;
    double largest = 0.0;
    for (int i = 0; i < tableau->rows; i++) {
        if (!(t[i] > least) || tableau->value[i] - ratio * t[i] > value_slack * fmax(1.0, ratio * t[i])) continue;
        if (tableau->basic[i] == preferred) return i;
        tableau->tied[count++] = i;
        largest = fmax(largest, t[i]);
    }
    int kept = 0;
    for (int k = 0; k < count; k++)
        if (t[tableau->tied[k]] >= least_tied_share * largest) tableau->tied[kept++] = tableau->tied[k];
    return least_row(tableau, t, kept);
}

int crm_tableau_cover(const crm_tableau *tableau, int cover) {
    const double *d = tableau->g + (ptrdiff_t)cover * tableau->rows;
    int row = -1;
    double least = 0.0;
    // Of several equal ones the last is the least lexicographically: the inverse is the identity.
    for (int i = 0; i < tableau->rows; i++) {
        if (!(tableau->value[i] < 0.0) || tableau->value[i] / d[i] > least) continue;
        least = tableau->value[i] / d[i];
        row = i;
    }
    return row;
}

void crm_tableau_exchange(crm_tableau *tableau, int row, int column) {
    ptrdiff_t m = tableau->rows;
    double *pivot_column = tableau->table + column * m, pivot = pivot_column[row];
    bool rough = fabs(pivot) < rough_share * crm_dense_largest(tableau->rows, pivot_column);
    for (int j = 0; j < tableau->columns; j++) {
        double *t = tableau->table + j * m;
        if (j == column || t[row] == 0.0) continue;
        double share = t[row] / pivot;
        crm_dense_add_scaled(tableau->rows, -share, pivot_column, t);
        t[row] = share;
    }
    double step = tableau->value[row] / pivot;
    crm_dense_add_scaled(tableau->rows, -step, pivot_column, tableau->value);
    tableau->value[row] = step;
    for (int i = 0; i < tableau->rows; i++) pivot_column[i] /= -pivot;
    pivot_column[row] = 1.0 / pivot;

    int enters = tableau->nonbasic[column], leaves = tableau->basic[row];
    tableau->basic[row] = enters;
    tableau->nonbasic[column] = leaves;
    tableau->place[enters] = row;
    tableau->place[leaves] = -1 - column;
    bool due = ++tableau->exchanges % (EXCHANGES_PER_REFRESH + tableau->rows) == 0;
    if (due || rough) (void)crm_tableau_refresh(tableau);
}

// The column of a variable in s - G x = h.
static void column_of(const crm_tableau *tableau, int variable, double *out) {
    int m = tableau->rows, n = tableau->columns;
    for (int i = 0; i < m; i++) out[i] = variable < n ? -tableau->g[i + (ptrdiff_t)variable * m] : 0.0;
    if (variable >= n) out[variable - n] = 1.0;
}

bool crm_tableau_refresh(crm_tableau *tableau) {
    ptrdiff_t m = tableau->rows;
    for (int i = 0; i < m; i++) column_of(tableau, tableau->basic[i], tableau->inverse + i * m);
    crm_lu_report report = crm_lu_factor_until((int)m, tableau->inverse, m, tableau->pivots, &tableau->interrupt);
    if (!report.finite || report.singular_pivots > 0) return false;
    for (int j = 0; j < tableau->columns; j++) column_of(tableau, tableau->nonbasic[j], tableau->table + j * m);
    for (int i = 0; i < m; i++) tableau->value[i] = tableau->h[i];
    crm_lu_solve((int)m, tableau->inverse, m, tableau->pivots, tableau->columns, tableau->table, m);
    crm_lu_solve((int)m, tableau->inverse, m, tableau->pivots, 1, tableau->value, m);
    return true;
}
