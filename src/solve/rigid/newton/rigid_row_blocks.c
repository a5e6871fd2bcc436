// SPDX-License-Identifier: MIT
#include "solve/rigid/newton/rigid_row_blocks.h"

#include <float.h>
#include <math.h>

#include "solve/newton/newton_law.h"

static double row_velocity(const crm_rigid_rows *rows, int row, const double *z) {
    const double *za = z + CRM_RIGID_STRIDE * rows->a, *zb = z + CRM_RIGID_STRIDE * rows->b;
    double sum = 0.0;
    for (int k = 0; k < 6; k++) sum += rows->row_a[6 * row + k] * za[k] + rows->row_b[6 * row + k] * zb[k];
    return sum;
}

static void pass_on(const crm_rigid_rows *rows, int row, double impulse, double *z) {
    double *za = z + CRM_RIGID_STRIDE * rows->a, *zb = z + CRM_RIGID_STRIDE * rows->b;
    for (int k = 0; k < 6; k++) {
        za[k] += rows->row_a[6 * row + k] * impulse;
        zb[k] += rows->row_b[6 * row + k] * impulse;
    }
}

static void bounds(const crm_rigid_rows *rows, double *lower, double *upper) {
    *lower = rows->law == CAROM_LAW_EQUALITY ? -INFINITY : rows->law == CAROM_LAW_BOX ? rows->lower : 0.0;
    *upper = rows->law == CAROM_LAW_BOX ? rows->upper : INFINITY;
}

static double own_mass(const crm_rigid_rows *rows, int row) {
    double own = rows->own[row * (rows->rows + 1)];
    return own > 0.0 ? own : 1.0; // a row that moves nothing
}

// What a row's law is about, u + c r.
static double law_velocity(const crm_rigid_rows *rows, int row, const double *z, double impulse) {
    double u = row_velocity(rows, row, z) + rows->offset[row];
    return rows->compliant ? u + rows->compliance[row] * impulse : u;
}

// In the scale r' = sigma r, u' = u / sigma: x = r' - u', and its projection.
static crm_positive_part smoothed_row(const crm_rigid_rows *rows, double r, double sigma, double u, double width) {
    double lower, upper;
    bounds(rows, &lower, &upper);
    return crm_take_between(r * sigma - u / sigma, lower * sigma, upper * sigma, width);
}

void crm_rigid_row_linearise(crm_rigid_row_block *block, const crm_rigid_linear *linear, const double *z,
                             double *force) {
    crm_rigid_rows *rows = block->rows;
    for (int i = 0; i < rows->rows; i++) {
        double r = rows->impulse[i], u = law_velocity(rows, i, z, r), own = own_mass(rows, i), sigma = sqrt(own);
        crm_positive_part p = smoothed_row(rows, r, sigma, u, linear->width);
        double soft = rows->compliant ? linear->prox + rows->compliance[i] / own : linear->prox;
        double inverse = 1.0 / (p.rest + soft * p.slope + DBL_MIN);
        block->stiffness[i] = p.slope * inverse / own;
        block->push[i] = (p.value - r * sigma) * inverse / sigma;
        pass_on(rows, i, r + block->push[i], force);
    }
}

// tile += X^T diag(stiffness) Y, by columns.
static void add_tile(const crm_rigid_row_block *block, const double *x, const double *y, double *tile) {
    if (tile == NULL) return;
    for (int k = 0; k < block->rows->rows; k++) {
        if (block->stiffness[k] == 0.0) continue;
        for (int j = 0; j < 6; j++) {
            double factor = block->stiffness[k] * y[6 * k + j];
            for (int i = 0; i < 6; i++) tile[6 * j + i] += x[6 * k + i] * factor;
        }
    }
}

void crm_rigid_row_assemble(const crm_rigid_row_block *block) {
    const double *a = block->rows->row_a, *b = block->rows->row_b;
    add_tile(block, a, a, block->tile_a);
    add_tile(block, b, b, block->tile_b);
    add_tile(block, a, b, block->tile_ab);
    add_tile(block, b, a, block->tile_ba);
}

void crm_rigid_row_direct(crm_rigid_row_block *block, const double *dz) {
    for (int i = 0; i < block->rows->rows; i++)
        block->push[i] -= block->stiffness[i] * row_velocity(block->rows, i, dz);
}

void crm_rigid_row_take(const crm_rigid_row_block *block, double length) {
    for (int i = 0; i < block->rows->rows; i++) block->rows->impulse[i] += length * block->push[i];
}

void crm_rigid_row_confine(const crm_rigid_row_block *block, double *z) {
    crm_rigid_rows *rows = block->rows;
    double lower, upper;
    bounds(rows, &lower, &upper);
    for (int i = 0; i < rows->rows; i++) {
        rows->impulse[i] = fmin(fmax(rows->impulse[i], lower), upper);
        pass_on(rows, i, rows->impulse[i], z);
    }
}

double crm_rigid_row_map_square(const crm_rigid_row_block *block, const crm_rigid_linear *linear, const double *z,
                                double length) {
    const crm_rigid_rows *rows = block->rows;
    double sum = 0.0;
    for (int i = 0; i < rows->rows; i++) {
        double sigma = sqrt(own_mass(rows, i)), r = rows->impulse[i] + length * block->push[i];
        double u = law_velocity(rows, i, z, r);
        double f = r * sigma - smoothed_row(rows, r, sigma, u, linear->width).value;
        sum += f * f;
    }
    return sum;
}
