// SPDX-License-Identifier: MIT
// L D L^T x = b by fronts: up the tree with L and D, down with L^T.
#include "math/dense/dense.h"
#include "math/frontal/front_factor.h"

// t <- D^-1 t
static void divide(int pivots, const double *inverse, double *t) {
    for (int q = 0; q < pivots; q++) {
        double i11 = inverse[2 * q], i12 = inverse[2 * q + 1];
        if (i12 == 0.0) {
            t[q] *= i11;
            continue;
        }
        double first = t[q], second = t[q + 1];
        t[q] = i11 * first + i12 * second;
        t[q + 1] = i12 * first + inverse[2 * q + 2] * second;
        q++;
    }
}

static void climb(const crm_front_factor *f, const crm_front_factored *front, double *y) {
    const int *row = f->labels.at + front->labels;
    const double *l = f->values.at + front->values;
    double *t = f->gathered.at;
    int size = front->size, pivots = front->eliminated;
    for (int i = 0; i < size; i++) t[i] = y[row[i]];
    for (int q = 0; q < pivots; q++, l += size)
        if (t[q] != 0.0) crm_dense_add_scaled(size - q - 1, -t[q], l + q + 1, t + q + 1);
    divide(pivots, f->inverses.at + front->inverse, t);
    for (int i = 0; i < size; i++) y[row[i]] = t[i];
}

static void descend(const crm_front_factor *f, const crm_front_factored *front, double *y) {
    const int *row = f->labels.at + front->labels;
    double *t = f->gathered.at;
    int size = front->size, pivots = front->eliminated;
    for (int i = 0; i < size; i++) t[i] = y[row[i]];
    for (int q = pivots - 1; q >= 0; q--) {
        const double *l = f->values.at + front->values + (ptrdiff_t)size * q;
        t[q] -= crm_dense_dot(size - q - 1, l + q + 1, t + q + 1);
        y[row[q]] = t[q];
    }
}

void crm_front_factor_solve(crm_front_factor *f, double *x) {
    const crm_front_symbolic *s = f->symbolic;
    double *y = f->solution;
    for (int p = 0; p < s->size; p++) y[p] = x[s->unknown[p]] * f->scale[s->unknown[p]];
    for (int i = 0; i < s->front_count; i++) climb(f, &f->fronts[i], y);
    for (int i = s->front_count - 1; i >= 0; i--) descend(f, &f->fronts[i], y);
    for (int p = 0; p < s->size; p++) x[s->unknown[p]] = y[p] * f->scale[s->unknown[p]];
}
