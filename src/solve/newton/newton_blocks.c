// SPDX-License-Identifier: MIT
// The blocks of semismooth and smoothing Newton, and of the path.
#include "solve/newton/newton_blocks.h"

#include <math.h>
#include <string.h>

#include "math/dense/dense_lu.h"
#include "solve/newton/newton_law.h"

enum { N = CAROM_GROUP_ROWS };

int crm_newton_block_size(int rows) {
    return 4 * rows * rows + 2 * rows;
}

crm_newton_block crm_newton_block_place(int rows, double *numbers) {
    int square = rows * rows;
    return (crm_newton_block){.a = numbers,
                              .b = numbers + square,
                              .stiffness = numbers + 2 * square,
                              .inverse = numbers + 3 * square,
                              .c = numbers + 4 * square,
                              .push = numbers + 4 * square + rows};
}

void crm_dual_value(const crm_newton_law *law, const double *u, const double *r, double rounding, double *y) {
    for (int i = 0; i < law->rows; i++) y[i] = u[i] + law->compliance[i] * r[i];
    if (law->law != CAROM_LAW_CONE || law->shift == 0.0 || law->frictionless) return;
    double norm = crm_cone_slip(law->rows, y);
    y[0] += law->shift * (rounding > 0.0 ? norm * norm / (crm_hypot(norm, rounding) + rounding) : norm);
}

// The smooth positive part without its derivative.
static double positive(double x, double smoothing) {
    double sum = crm_hypot(x, 2.0 * smoothing) + fabs(x);
    return x > 0.0 ? 0.5 * sum : 2.0 * smoothing * smoothing / sum;
}

static void project_smoothly(int rows, const double *z, double smoothing, double *point) {
    double norm = crm_cone_slip(rows, z), t[2];
    crm_set_direction(rows, z, norm, t);
    double plus = positive(z[0] + norm, smoothing), minus = positive(z[0] - norm, smoothing);
    point[0] = 0.5 * (plus + minus);
    for (int i = 1; i < rows; i++) point[i] = 0.5 * (plus - minus) * t[i - 1];
}

// r - P(r - y) for the standard cone, the projection itself. Line searches ask for nothing else.
static void cone_map(const crm_newton_law *law, const double *u, const double *r, double smoothing, double *value) {
    double y[CAROM_GROUP_ROWS], z[3], point[3];
    crm_dual_value(law, u, r, law->round_off * smoothing, y);
    for (int i = 0; i < law->rows; i++) z[i] = r[i] - y[i];
    if (smoothing > 0.0)
        project_smoothly(law->rows, z, smoothing, point);
    else
        crm_cone_project(1.0, law->rows, z, point);
    for (int i = 0; i < law->rows; i++) value[i] = r[i] - point[i];
}

void crm_natural_map(const crm_newton_law *law, const double *u, const double *r, double smoothing, double *value) {
    if (crm_has_cone(law)) {
        cone_map(law, u, r, smoothing, value);
        return;
    }
    double y[N] = {0}, z[N] = {0};
    crm_dual_value(law, u, r, law->round_off * smoothing, y);
    for (int i = 0; i < law->rows; i++) z[i] = r[i] - y[i];
    for (int i = 0; i < law->rows; i++) {
        if (law->law == CAROM_LAW_EQUALITY)
            value[i] = y[i];
        else
            value[i] = r[i] - crm_project_row(law, i, z[i], smoothing).value;
    }
}

void crm_block_solve(int rows, crm_newton_block *block) {
    double lu[N * N], x[N * (2 * N + 1)] = {0};
    int pivots[N], square = rows * rows;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            lu[i + j * rows] = block->b[i * rows + j];
            x[i + j * rows] = block->a[i * rows + j];
        }
        x[square + i + i * rows] = 1.0;
        x[2 * square + i] = block->c[i];
    }
    crm_lu_factor(rows, lu, rows, pivots);
    crm_lu_solve(rows, lu, rows, pivots, 2 * rows + 1, x, rows);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            block->stiffness[i * rows + j] = x[i + j * rows];
            block->inverse[i * rows + j] = x[square + i + j * rows];
        }
        block->push[i] = x[2 * square + i];
    }
}

void crm_newton_block_clear(int rows, crm_newton_block *block) {
    memset(block->a, 0, sizeof(double) * (size_t)(rows * rows));
    memset(block->b, 0, sizeof(double) * (size_t)(rows * rows));
    memset(block->stiffness, 0, sizeof(double) * (size_t)(rows * rows));
    memset(block->inverse, 0, sizeof(double) * (size_t)(rows * rows));
}

void crm_natural_rows(const crm_newton_law *law, const double *r, const double *y, double smoothing, double prox,
                      crm_newton_block *block) {
    crm_newton_block_clear(law->rows, block);
    for (int i = 0; i < law->rows; i++) {
        int diagonal = i * law->rows + i;
        crm_positive_part p = crm_project_row(law, i, r[i] - y[i], smoothing);
        block->c[i] = law->law == CAROM_LAW_EQUALITY ? -y[i] : p.value - r[i];
        block->a[diagonal] = p.slope;
        block->b[diagonal] = p.rest + p.slope * (law->compliance[i] + prox);
        block->stiffness[diagonal] = block->a[diagonal] / block->b[diagonal];
        block->inverse[diagonal] = 1.0 / block->b[diagonal];
        block->push[i] = block->c[i] / block->b[diagonal];
    }
}

void crm_cone_block(const crm_newton_law *law, const crm_spectrum *a, const crm_spectrum *b, const double *slope,
                    crm_newton_block *block) {
    int rows = law->rows;
    crm_spectrum_matrix(a, block->a);
    crm_spectrum_matrix(b, block->b);
    crm_multiply_by_dual(rows, slope, block->a);
    if (law->compliant) {
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < rows; j++) block->b[i * rows + j] += block->a[i * rows + j] * law->compliance[j];
        crm_block_solve(rows, block);
        return;
    }
    crm_spectrum stiffness = *b, inverse = *b;
    stiffness.plus = a->plus / b->plus, stiffness.minus = a->minus / b->minus, stiffness.across = a->across / b->across;
    inverse.plus = 1.0 / b->plus, inverse.minus = 1.0 / b->minus, inverse.across = 1.0 / b->across;
    crm_spectrum_matrix(&stiffness, block->stiffness);
    crm_multiply_by_dual(rows, slope, block->stiffness);
    crm_spectrum_apply(&inverse, block->c, block->push);
    crm_spectrum_matrix(&inverse, block->inverse);
}

void crm_natural_block(const crm_newton_law *law, const double *u, const double *r, double smoothing, double prox,
                       crm_newton_block *block) {
    double y[N] = {0};
    crm_dual_value(law, u, r, law->round_off * smoothing, y);
    if (!crm_has_cone(law)) {
        crm_natural_rows(law, r, y, smoothing, prox, block);
        return;
    }
    int rows = law->rows;
    double z[3] = {0}, point[3] = {0}, slope[N];
    crm_spectrum d, rest;
    for (int i = 0; i < rows; i++) z[i] = r[i] - y[i];
    crm_project_onto_cone(rows, z, smoothing, point, &d, &rest);
    for (int i = 0; i < rows; i++) block->c[i] = point[i] - r[i];
    crm_dual_slope(law, y, law->round_off * smoothing, slope);
    crm_spectrum b = rest;
    b.plus += prox * d.plus, b.minus += prox * d.minus, b.across += prox * d.across;
    crm_cone_block(law, &d, &b, slope, block);
}

// ---- the path of zeros

// Derivative of the smooth positive part with respect to its width.
static double widening(double x, double smoothing) {
    return 2.0 * smoothing / crm_hypot(x, 2.0 * smoothing);
}

void crm_natural_path(const crm_newton_law *law, const double *u, const double *r, double smoothing, double width_rate,
                      double shift_rate, crm_newton_block *block) {
    int rows = law->rows;
    double y[N] = {0}, rounding = law->round_off * smoothing;
    crm_dual_value(law, u, r, rounding, y);
    if (crm_has_cone(law)) {
        double z[3] = {0}, point[3] = {0}, change[3] = {0}, norm = crm_cone_slip(rows, y),
               root = crm_hypot(norm, rounding);
        crm_spectrum d, rest;
        for (int i = 0; i < rows; i++) z[i] = r[i] - y[i];
        crm_project_onto_cone(rows, z, smoothing, point, &d, &rest);
        // y's first component is u_n + shift (root - rounding).
        change[0] = norm > 0.0 ? -shift_rate * norm * norm / (root + rounding) : 0.0;
        if (root > 0.0) change[0] += law->shift * law->round_off * width_rate * (1.0 - rounding / root);
        crm_spectrum_apply(&d, change, block->c);
        double span = crm_cone_slip(rows, z);
        double plus = widening(z[0] + span, smoothing), minus = widening(z[0] - span, smoothing);
        block->c[0] += 0.5 * (plus + minus) * width_rate;
        block->c[1] += 0.5 * (plus - minus) * d.t[0] * width_rate;
        if (rows == 3) block->c[2] += 0.5 * (plus - minus) * d.t[1] * width_rate;
    } else {
        for (int i = 0; i < rows; i++) {
            double x = r[i] - y[i], rate = 0.0;
            if (crm_has_barrier(law, i)) rate = widening(x, smoothing);
            if (law->law == CAROM_LAW_BOX && law->lower > -INFINITY) rate += widening(x - law->lower, smoothing);
            if (law->law == CAROM_LAW_BOX && law->upper < INFINITY) rate -= widening(x - law->upper, smoothing);
            block->c[i] = rate * width_rate;
        }
    }
    for (int i = 0; i < rows; i++) {
        block->push[i] = 0.0;
        for (int j = 0; j < rows; j++) block->push[i] += block->inverse[i * rows + j] * block->c[j];
    }
}
