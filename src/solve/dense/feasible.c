// SPDX-License-Identifier: MIT
// Minimises t over x >= 0, t >= 0, G x + t + h >= 0 by the simplex method. Where t > 0 is the least, its dual y is the
// proof: 0 <= y.(G x + h) would be h.y = -t < 0 plus something that is not positive.
#include "solve/dense/feasible.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "math/dense/dense.h"
#include "solve/dense/tableau.h"

static const double rounding = 1e-12;     // t below it is none
static const double least_gap = 1e-9;     // -h.y at least, for a proof, ...
static const double gap_per_error = 1e10; // ... and this many times the largest entry of G^T y, which ought to be <= 0

// The column that lets t, basic in `row`, shrink fastest; -1 when none does.
static int steepest(const crm_tableau *tableau, int row) {
    int best = -1;
    double most = 1e-11;
    for (int j = 0; j < tableau->columns; j++) {
        double rate = tableau->table[row + (ptrdiff_t)j * tableau->rows];
        if (rate <= most) continue;
        most = rate;
        best = j;
    }
    return best;
}

static bool minimise(crm_tableau *tableau, int t) {
    int limit = 1000 + 20 * (tableau->rows + tableau->columns);
    int row = crm_tableau_cover(tableau, t), column = -1 - tableau->place[t];
    while (row >= 0 && tableau->exchanges < limit && !crm_interrupted(&tableau->interrupt)) {
        crm_tableau_exchange(tableau, row, column);
        if (!crm_tableau_is_basic(tableau, t)) return true;
        column = steepest(tableau, tableau->place[t]);
        if (column < 0) return true;
        row = crm_tableau_leaving(tableau, column, t);
    }
    return tableau->exchanges == 0;
}

// y_i is the rate at which slack i adds to t. Clipped to y >= 0, then checked by G and h alone.
static bool read_proof(const crm_tableau *tableau, int t, double *y) {
    int m = tableau->rows, row = tableau->place[t];
    double sum = 0.0;
    for (int i = 0; i < m; i++) {
        int place = tableau->place[tableau->columns + i];
        y[i] = place < 0 ? fmax(0.0, -tableau->table[row + (ptrdiff_t)(-1 - place) * m]) : 0.0;
        sum += y[i];
    }
    double worst = 0.0;
    for (int i = 0; i < m; i++) y[i] /= sum;
    for (int j = 0; j < t; j++) worst = fmax(worst, crm_dense_dot(m, tableau->g + (ptrdiff_t)j * m, y));
    double gap = -crm_dense_dot(m, tableau->h, y);
    return gap >= least_gap && gap >= gap_per_error * worst;
}

carom_status crm_feasible(int rows, int columns, const double *g, const double *h, const carom_interrupt *interrupt,
                          crm_arena *arena, double *x, double *y, int *pivots, crm_feasibility *verdict,
                          carom_error *error) {
    crm_mark mark = crm_arena_mark(arena);
    ptrdiff_t m = rows, n = columns;
    double *covered = CRM_ARENA_ARRAY(arena, double, m *(n + 1));
    if (covered == NULL) return crm_fail_memory(error, "a linear program", (size_t)(m * (n + 1)) * sizeof(double));
    memcpy(covered, g, (size_t)(m * n) * sizeof *g);
    for (int i = 0; i < rows; i++) covered[i + m * n] = 1.0;
    crm_tableau tableau;
    carom_status status = crm_tableau_init(&tableau, rows, columns + 1, covered, h, arena, error);
    if (status == CAROM_OK) {
        tableau.interrupt = *interrupt;
        bool finished = minimise(&tableau, columns);
        (void)crm_tableau_refresh(&tableau);
        for (int j = 0; j < columns; j++) x[j] = crm_tableau_value(&tableau, j);
        for (int i = 0; i < rows; i++) y[i] = 0.0;
        *pivots += tableau.exchanges;
        *verdict = CRM_UNDECIDED;
        if (crm_tableau_value(&tableau, columns) <= rounding)
            *verdict = CRM_FEASIBLE;
        else if (finished && read_proof(&tableau, columns, y))
            *verdict = CRM_INFEASIBLE;
    }
    crm_arena_release(arena, mark);
    return status;
}
