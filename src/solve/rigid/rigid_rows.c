// SPDX-License-Identifier: MIT
#include "solve/rigid/rigid_rows.h"

#include <math.h>
#include <string.h>

#include "math/dense/dense_cholesky.h"

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
        out->compliance[i] = of->compliance[i];
        out->compliant |= of->compliance[i] > 0.0;
        out->impulse[i] = out->before[i] = impulse[i];
    }
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++)
            out->own[i * rows + j] =
                product(out->row_a + 6 * i, out->row_a + 6 * j) + product(out->row_b + 6 * i, out->row_b + 6 * j);
        out->own[i * (rows + 1)] += of->compliance[i];
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

static double projected(const crm_rigid_rows *k, double x) {
    if (k->law == CAROM_LAW_EQUALITY) return x;
    return x < k->lower ? k->lower : x > k->upper ? k->upper : x;
}

void crm_rigid_rows_residual(const crm_rigid_system *system, crm_rigid_sums *sums) {
    for (int i = 0; i < system->rows_count; i++) {
        const crm_rigid_rows *k = &system->rows[i];
        double u[6], wrong = 0.0, impulse = 0.0, s = k->scale;
        crm_rigid_rows_velocity(k, system->z, u);
        for (int m = 0; k->compliant && m < k->rows; m++) u[m] += k->compliance[m] * k->impulse[m];
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
