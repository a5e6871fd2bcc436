// SPDX-License-Identifier: MIT
#include "solve/rigid/rigid_rows.h"

#include <math.h>
#include <string.h>

#include "math/dense/dense_cholesky.h"
#include "solve/sweeps/group_solve.h"

void crm_rigid_scale_row(const crm_rigid_body *body, crm_vec6 row, double out[6]) {
    out[0] = body->linear.x * row.linear.x;
    out[1] = body->linear.y * row.linear.y;
    out[2] = body->linear.z * row.linear.z;
    for (int i = 0; i < 3; i++) out[3 + i] = crm_dot(body->angular[i], row.angular);
}

static double product(const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < 6; i++) sum += a[i] * b[i];
    return sum;
}

// By columns of the identity; a row that depends on those before it keeps its impulse.
static void invert(int rows, const double *own, double *inverse) {
    double factor[36];
    memcpy(factor, own, sizeof(double) * (size_t)(rows * rows));
    memset(inverse, 0, sizeof(double) * (size_t)(rows * rows));
    for (int i = 0; i < rows; i++) inverse[i * rows + i] = 1.0;
    crm_cholesky_factor(rows, factor, rows);
    crm_cholesky_solve(rows, factor, rows, rows, inverse, rows);
}

void crm_rigid_pack_rows(const crm_rigid_problem *problem, int block, int a, int b, int island, const double *impulse,
                         crm_rigid_rows *out) {
    const crm_rigid_block *of = &problem->blocks[block];
    int rows = of->rows;
    double trace = 0.0;
    *out = (crm_rigid_rows){.law = of->law, .rows = rows, .a = a, .b = b, .block = block, .island = island};
    out->lower = of->law == CAROM_LAW_BOX ? of->lower : 0.0;
    out->upper = of->law == CAROM_LAW_BOX ? of->upper : INFINITY;
    for (int i = 0; i < rows; i++) {
        if (of->a >= 0) crm_rigid_scale_row(&problem->bodies[of->a], of->on_a[i], out->row_a + 6 * i);
        if (of->b >= 0) crm_rigid_scale_row(&problem->bodies[of->b], of->on_b[i], out->row_b + 6 * i);
        out->offset[i] = of->offset[i];
        out->impulse[i] = out->before[i] = impulse[i];
    }
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++)
            out->own[i * rows + j] =
                product(out->row_a + 6 * i, out->row_a + 6 * j) + product(out->row_b + 6 * i, out->row_b + 6 * j);
        trace += out->own[i * rows + i];
    }
    out->scale = trace / rows;
    if (of->law == CAROM_LAW_EQUALITY) invert(rows, out->own, out->inverse);
}

void crm_rigid_rows_velocity(const crm_rigid_rows *k, const double *z, double *u) {
    const double *za = z + (ptrdiff_t)CRM_RIGID_STRIDE * k->a, *zb = z + (ptrdiff_t)CRM_RIGID_STRIDE * k->b;
    for (int i = 0; i < k->rows; i++)
        u[i] = product(k->row_a + 6 * i, za) + product(k->row_b + 6 * i, zb) + k->offset[i];
}

void crm_rigid_rows_push(const crm_rigid_rows *k, const double *d, double *z) {
    double *za = z + (ptrdiff_t)CRM_RIGID_STRIDE * k->a, *zb = z + (ptrdiff_t)CRM_RIGID_STRIDE * k->b;
    for (int i = 0; i < k->rows; i++) {
        for (int m = 0; m < 6; m++) {
            za[m] += k->row_a[6 * i + m] * d[i];
            zb[m] += k->row_b[6 * i + m] * d[i];
        }
    }
}

// d = fresh - start. Rows of limits and motors one after the other: a block of them has one as a rule.
static void solve_rows(const crm_rigid_rows *k, const double *start, double *u, double *d) {
    if (k->law == CAROM_LAW_EQUALITY) {
        for (int i = 0; i < k->rows; i++) {
            d[i] = 0.0;
            for (int j = 0; j < k->rows; j++) d[i] -= k->inverse[i * k->rows + j] * u[j];
        }
        return;
    }
    carom_row_group group = {.law = k->law, .rows = 1, .lower = k->lower, .upper = k->upper};
    for (int i = 0; i < k->rows; i++) {
        double own = k->own[i * k->rows + i];
        d[i] = crm_row_solve(&group, own, u[i] - own * start[i], start[i]) - start[i];
        for (int j = i + 1; j < k->rows; j++) u[j] += k->own[j * k->rows + i] * d[i];
    }
}

double crm_rigid_rows_sweep(const crm_rigid_system *system, double momentum) {
    double largest = 0.0;
    for (int i = 0; i < system->rows_count; i++) {
        crm_rigid_rows *k = &system->rows[i];
        double u[6], d[6], start[6], square = 0.0;
        crm_rigid_rows_velocity(k, system->z, u);
        for (int m = 0; m < k->rows; m++) start[m] = k->impulse[m] + momentum * (k->impulse[m] - k->before[m]);
        solve_rows(k, start, u, d);
        for (int m = 0; m < k->rows; m++) {
            k->before[m] = k->impulse[m];
            k->impulse[m] = start[m] + d[m];
            square += d[m] * d[m];
        }
        crm_rigid_rows_push(k, d, system->z);
        square *= k->scale * k->weight * (k->scale * k->weight);
        if (!(square <= largest)) largest = square;
    }
    return largest;
}

static double projected(const crm_rigid_rows *k, double x) {
    if (k->law == CAROM_LAW_EQUALITY) return x;
    return x < k->lower ? k->lower : x > k->upper ? k->upper : x;
}

void crm_rigid_rows_residual(const crm_rigid_system *system, crm_rigid_sums *sums) {
    for (int i = 0; i < system->rows_count; i++) {
        const crm_rigid_rows *k = &system->rows[i];
        double u[6], wrong = 0.0, impulse = 0.0, s = k->scale;
        crm_rigid_rows_velocity(k, system->z, u);
        for (int m = 0; m < k->rows; m++) {
            double e = s * (k->impulse[m] - projected(k, k->impulse[m] - u[m] / s));
            wrong += e * e;
            impulse += s * k->impulse[m] * (s * k->impulse[m]);
        }
        crm_rigid_sums *of = &sums[k->island];
        if (!(wrong <= of->wrong)) of->wrong = wrong;
        if (!(impulse <= of->impulse)) of->impulse = impulse;
        of->energy += wrong / s;
        of->energy_impulse += impulse / s;
    }
}
