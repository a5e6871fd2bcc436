// SPDX-License-Identifier: MIT
#include "solve/sweeps/accelerate.h"

#include <math.h>
#include <string.h>

#include "math/dense/dense_cholesky.h"

enum { WINDOW = CRM_ACCELERATE_WINDOW, REFRESH_AFTER = 100 };

// A sweep that changes more than the one before by this factor has left the region of the differences.
static const double leeway = 2.0;
// Of the Gram matrix's diagonal, so that nearly dependent differences do not make coefficients huge.
static const double ridge = 1e-9;

bool crm_accelerate_prepare(crm_sweep *sweep, crm_arena *arena, crm_accelerated_sweep *out) {
    *out = (crm_accelerated_sweep){.sweep = sweep};
    if (!sweep->by_nodes) return true;
    int velocities = CRM_SWEEP_STRIDE * sweep->op->node_count, rows = sweep->op->row_count;
    out->velocities = velocities;
    out->rows = rows;
    double **once[] = {&out->start, &out->wrong, &out->after_z}, **often[] = {&out->d_wrong, &out->d_z};
    for (size_t i = 0; i < sizeof once / sizeof *once; i++)
        if (!(*once[i] = CRM_ARENA_ARRAY(arena, double, velocities))) return false;
    for (size_t i = 0; i < sizeof often / sizeof *often; i++)
        if (!(*often[i] = CRM_ARENA_ARRAY(arena, double, (ptrdiff_t)WINDOW *velocities))) return false;
    out->after_r = CRM_ARENA_ARRAY(arena, double, rows);
    out->d_r = CRM_ARENA_ARRAY(arena, double, (ptrdiff_t)WINDOW *rows);
    return out->after_r != NULL && out->d_r != NULL;
}

void crm_accelerate_restart(crm_accelerated_sweep *a) {
    a->kept = 0;
    a->started = false;
    a->since_refresh = 0;
    crm_sweep_refresh(a->sweep);
}

// In four sums, so that it is as fast as memory allows, in the same order on every machine.
static double dot(int count, const double *restrict x, const double *restrict y) {
    double sum[4] = {0.0};
    int i = 0;
    for (; i + 4 <= count; i += 4)
        for (int k = 0; k < 4; k++) sum[k] += x[i + k] * y[i + k];
    for (; i < count; i++) sum[0] += x[i] * y[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void subtract(int count, double factor, const double *restrict x, double *restrict y) {
    for (int i = 0; i < count; i++) y[i] -= factor * x[i];
}

static void extrapolate(crm_accelerated_sweep *a) {
    double matrix[WINDOW * WINDOW], c[WINDOW];
    int n = a->kept;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) matrix[i * n + j] = a->gram[i * WINDOW + j];
        matrix[i * n + i] *= 1.0 + ridge;
        c[i] = dot(a->velocities, a->d_wrong + (ptrdiff_t)i * a->velocities, a->wrong);
    }
    if (n == 0 || !crm_cholesky_factor(n, matrix, n).finite) return;
    crm_cholesky_solve(n, matrix, n, 1, c, n);
    for (int i = 0; i < n; i++) {
        subtract(a->velocities, c[i], a->d_z + (ptrdiff_t)i * a->velocities, a->sweep->z);
        subtract(a->rows, c[i], a->d_r + (ptrdiff_t)i * a->rows, a->sweep->r);
    }
}

// The differences to the sweep before take the place of the oldest.
static void keep(crm_accelerated_sweep *a) {
    int at = a->kept < WINDOW ? a->kept++ : (a->newest + 1) % WINDOW;
    a->newest = at;
    double *d_wrong = a->d_wrong + (ptrdiff_t)at * a->velocities, *d_z = a->d_z + (ptrdiff_t)at * a->velocities;
    double *d_r = a->d_r + (ptrdiff_t)at * a->rows;
    for (int i = 0; i < a->velocities; i++) {
        double wrong = a->sweep->z[i] - a->start[i];
        d_wrong[i] = wrong - a->wrong[i];
        d_z[i] = a->sweep->z[i] - a->after_z[i];
    }
    for (int i = 0; i < a->rows; i++) d_r[i] = a->sweep->r[i] - a->after_r[i];
    for (int i = 0; i < a->kept; i++)
        a->gram[i * WINDOW + at] = a->gram[at * WINDOW + i] =
            dot(a->velocities, a->d_wrong + (ptrdiff_t)i * a->velocities, d_wrong);
}

double crm_accelerate_once(crm_accelerated_sweep *a) {
    crm_sweep *s = a->sweep;
    if (!s->by_nodes) return crm_sweep_once(s);
    if (a->started) extrapolate(a);
    if (++a->since_refresh == REFRESH_AFTER) { // combinations add up rounding
        a->since_refresh = 0;
        crm_sweep_refresh(s);
    }
    memcpy(a->start, s->z, sizeof(double) * (size_t)a->velocities);
    double change = crm_sweep_once(s), size = 0.0;
    for (int i = 0; i < a->velocities; i++) size += (s->z[i] - a->start[i]) * (s->z[i] - a->start[i]);
    if (a->started && size > leeway * leeway * a->size)
        a->kept = 0;
    else if (a->started)
        keep(a);
    a->size = size;
    a->started = true;
    for (int i = 0; i < a->velocities; i++) a->wrong[i] = s->z[i] - a->start[i];
    memcpy(a->after_z, s->z, sizeof(double) * (size_t)a->velocities);
    memcpy(a->after_r, s->r, sizeof(double) * (size_t)a->rows);
    return change;
}
