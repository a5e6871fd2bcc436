// SPDX-License-Identifier: MIT
#include "solve/sweeps/group_sweep.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "math/dense/dense_lu.h"
#include "math/dense/dense_triangle.h"
#include "solve/incidence.h"
#include "solve/sweeps/group_solve.h"

// ---- one group

// u += W r of some rows. Three of equal length side by side: each is a sum that waits for itself.
static void add_rows_of_w(const crm_sweep *s, int first, int rows, double *u) {
    const int *start = s->w.starts + first;
    int count = start[1] - start[0];
    if (rows == 3 && start[2] - start[1] == count && start[3] - start[2] == count) {
        double sum[3] = {0.0};
        for (int k = 0; k < count; k++)
            for (int i = 0; i < 3; i++) sum[i] += s->w.values[start[i] + k] * s->r[s->w.columns[start[i] + k]];
        for (int i = 0; i < 3; i++) u[i] += sum[i];
        return;
    }
    for (int i = 0; i < rows; i++) {
        double sum = 0.0;
        for (int k = start[i]; k < start[i + 1]; k++) sum += s->w.values[k] * s->r[s->w.columns[k]];
        u[i] += sum;
    }
}

static void read_velocity(const crm_sweep *s, int g, double *u) {
    const crm_operator *op = s->op;
    int rows = op->groups[g].rows, first = op->row_start[g];
    if (s->by_nodes) {
        for (int i = 0; i < rows; i++) u[i] = op->offset[first + i] + op->compliance[first + i] * s->r[first + i];
        for (int k = op->incidence_start[g]; k < op->incidence_start[g + 1]; k++) {
            int size = (op->incidence_at[k + 1] - op->incidence_at[k]) / rows;
            crm_incidence_add_rows(rows, size, s->jacobian + op->incidence_at[k],
                                   s->z + CRM_SWEEP_STRIDE * op->incidence_node[k], u);
        }
        return;
    }
    for (int i = 0; i < rows; i++) u[i] = op->q[first + i] + op->compliance[first + i] * s->r[first + i];
    add_rows_of_w(s, first, rows, u);
}

static void push(const crm_sweep *s, int g, const double *change) {
    const crm_operator *op = s->op;
    int rows = op->groups[g].rows;
    for (int k = op->incidence_start[g]; k < op->incidence_start[g + 1]; k++) {
        int size = (op->incidence_at[k + 1] - op->incidence_at[k]) / rows;
        crm_incidence_add_columns(rows, size, s->jacobian + op->incidence_at[k], change,
                                  s->z + CRM_SWEEP_STRIDE * op->incidence_node[k]);
    }
}

// Solves group g alone and gives its change as a velocity, s |dr|.
static double relax_group(const crm_sweep *s, int g) {
    const crm_operator *op = s->op;
    const carom_row_group *group = &op->groups[g];
    int rows = group->rows;
    const double *a = op->block + op->block_start[g];
    double *r = s->r + op->row_start[g];
    double u[CAROM_GROUP_ROWS], change[CAROM_GROUP_ROWS], fresh[CAROM_GROUP_ROWS];
    read_velocity(s, g, u);
    if (group->law == CAROM_LAW_EQUALITY) {
        for (int i = 0; i < rows; i++) change[i] = -u[i];
        // The block is stored by rows, its factor is that of the transpose.
        crm_lu_solve_transposed(rows, s->factor + op->block_start[g], rows, s->pivots + op->row_start[g], 1, change,
                                rows);
        for (int i = 0; i < rows; i++) fresh[i] = r[i] + change[i];
    } else {
        double b[3];
        for (int i = 0; i < rows; i++) {
            b[i] = u[i];
            for (int j = 0; j < rows; j++) b[i] -= a[i * rows + j] * r[j];
        }
        if (group->law == CAROM_LAW_CONE)
            crm_cone_solve(group, a, b, fresh, &s->multiplier[g]);
        else
            fresh[0] = crm_row_solve(group, a[0], b[0], r[0]);
        for (int i = 0; i < rows; i++) change[i] = fresh[i] - r[i];
    }
    double square = 0.0;
    for (int i = 0; i < rows; i++) {
        r[i] = fresh[i];
        square += change[i] * change[i];
    }
    if (s->by_nodes && square > 0.0) push(s, g, change);
    return op->scale[g] * sqrt(square);
}

double crm_sweep_once(crm_sweep *s) {
    double largest = 0.0;
    for (int k = 0; k < s->run_count; k++) {
        const crm_sweep_run *run = &s->run[k];
        if (run->contact >= 0) {
            double change = sqrt(crm_sweep_contacts(s->contact + run->contact, run->last - run->first, s->z,
                                                    s->r + s->op->row_start[run->first]));
            if (!(change <= largest)) largest = change;
            continue;
        }
        for (int g = run->first; g < run->last; g++) {
            double change = relax_group(s, g);
            if (!(change <= largest)) largest = change;
        }
    }
    return largest;
}

void crm_sweep_refresh(crm_sweep *s) {
    const crm_operator *op = s->op;
    if (!s->by_nodes) return;
    memset(s->z, 0, sizeof(double) * CRM_SWEEP_STRIDE * ((size_t)op->node_count + 1));
    for (int n = 0; n < op->node_count; n++) {
        int size = op->velocity_start[n + 1] - op->velocity_start[n];
        const double *l = op->factor + op->mass_start[n], *v = op->free + op->velocity_start[n];
        double *z = s->z + (ptrdiff_t)CRM_SWEEP_STRIDE * n; // L^T v, L by columns
        for (int j = 0; j < size; j++)
            for (int i = j; i < size; i++) z[j] += l[i + j * size] * v[i];
    }
    for (int g = 0; g < op->group_count; g++) push(s, g, s->r + op->row_start[g]);
}

// ---- set-up

// Whether the inner loop takes it: exact friction in space, one or two bodies, a normal that something can move along.
static bool is_inner(const crm_sweep *s, int g) {
    const crm_operator *op = s->op;
    const carom_row_group *group = &op->groups[g];
    if (!s->by_nodes || group->law != CAROM_LAW_CONE || group->rows != 3 || group->relaxed) return false;
    if (!(group->friction > 0.0) || !(op->block[op->block_start[g]] > 0.0)) return false;
    int first = op->incidence_start[g], incidences = op->incidence_start[g + 1] - first;
    if (incidences != 1 && incidences != 2) return false;
    return op->incidence_at[first + incidences] - op->incidence_at[first] == 18 * incidences;
}

static void pack_contact(const crm_sweep *s, int g, crm_sweep_contact *k) {
    const crm_operator *op = s->op;
    int first = op->incidence_start[g], incidences = op->incidence_start[g + 1] - first;
    const double *a = op->block + op->block_start[g];
    *k = (crm_sweep_contact){.friction = op->groups[g].friction, .scale_squared = op->scale[g] * op->scale[g]};
    memcpy(k->rows_a, s->jacobian + op->incidence_at[first], sizeof k->rows_a);
    if (incidences == 2) memcpy(k->rows_b, s->jacobian + op->incidence_at[first + 1], sizeof k->rows_b);
    k->a = CRM_SWEEP_STRIDE * op->incidence_node[first];
    k->b = CRM_SWEEP_STRIDE * (incidences == 2 ? op->incidence_node[first + 1] : op->node_count);
    memcpy(k->own, a, sizeof k->own);
    for (int i = 0; i < 3; i++) {
        k->own[4 * i] -= op->compliance[op->row_start[g] + i];
        k->offset[i] = op->offset[op->row_start[g] + i];
    }
    k->normal_inverse = 1.0 / a[0];
    k->coupling[0] = a[1] / a[0], k->coupling[1] = a[2] / a[0];
    k->lean[0] = a[3], k->lean[1] = a[6];
    k->s00 = a[4] - a[3] * k->coupling[0], k->s01 = a[5] - a[3] * k->coupling[1];
    k->s10 = a[7] - a[6] * k->coupling[0], k->s11 = a[8] - a[6] * k->coupling[1];
    // What rounding has left of a semidefinite S is no stiffness.
    double least = 4.0 * DBL_EPSILON * (a[4] + a[8]), det = k->s00 * k->s11 - k->s01 * k->s10;
    if (!(det > least * (k->s00 + k->s11))) {
        k->s00 += least, k->s11 += least;
        det = k->s00 * k->s11 - k->s01 * k->s10;
    }
    k->stick[0] = k->s11 / det, k->stick[1] = -k->s01 / det;
    k->stick[2] = -k->s10 / det, k->stick[3] = k->s00 / det;
}

// H^T L^-T, row by row: L x = h.
static void scale_rows(crm_sweep *s) {
    const crm_operator *op = s->op;
    memcpy(s->jacobian, op->jacobian, sizeof(double) * (size_t)op->incidence_at[op->incidence_count]);
    for (int g = 0; g < op->group_count; g++)
        for (int k = op->incidence_start[g]; k < op->incidence_start[g + 1]; k++) {
            int node = op->incidence_node[k], size = op->velocity_start[node + 1] - op->velocity_start[node];
            for (int i = 0; i < op->groups[g].rows; i++)
                crm_lower_solve(size, op->factor + op->mass_start[node], size, CRM_DIAGONAL_STORED,
                                s->jacobian + op->incidence_at[k] + i * size);
        }
}

static bool find_runs(crm_sweep *s, crm_arena *arena) {
    const crm_operator *op = s->op;
    int contacts = 0;
    s->run = CRM_ARENA_ARRAY(arena, crm_sweep_run, op->group_count);
    for (int g = 0; g < op->group_count; g++) contacts += is_inner(s, g);
    s->contact = CRM_ARENA_ARRAY(arena, crm_sweep_contact, contacts);
    if (s->run == NULL || s->contact == NULL) return false;
    contacts = 0;
    for (int g = 0; g < op->group_count; g++) {
        bool inner = is_inner(s, g);
        if (s->run_count == 0 || (s->run[s->run_count - 1].contact >= 0) != inner)
            s->run[s->run_count++] = (crm_sweep_run){g, g, inner ? contacts : -1};
        s->run[s->run_count - 1].last = g + 1;
        if (inner) pack_contact(s, g, &s->contact[contacts++]);
    }
    return true;
}

carom_status crm_sweep_prepare(const crm_operator *op, crm_arena *arena, double *impulse, crm_sweep *s,
                               carom_error *error) {
    int blocks = op->block_start[op->group_count];
    *s = (crm_sweep){.op = op, .w = op->delassus, .r = impulse, .by_nodes = op->form == CAROM_FORM_BODIES};
    s->z = CRM_ARENA_ARRAY(arena, double, s->by_nodes ? CRM_SWEEP_STRIDE *((ptrdiff_t)op->node_count + 1) : 0);
    s->jacobian = CRM_ARENA_ARRAY(arena, double, s->by_nodes ? op->incidence_at[op->incidence_count] : 0);
    s->multiplier = CRM_ARENA_ZEROED(arena, double, op->group_count);
    s->factor = CRM_ARENA_ARRAY(arena, double, blocks);
    s->pivots = CRM_ARENA_ARRAY(arena, int, op->row_count);
    if (s->z == NULL || s->jacobian == NULL || s->multiplier == NULL || s->factor == NULL || s->pivots == NULL)
        return crm_fail_memory(error, "Gauss-Seidel", sizeof(double) * (size_t)blocks);
    for (int g = 0; g < op->group_count; g++) {
        int rows = op->groups[g].rows, at = op->block_start[g];
        if (op->groups[g].law != CAROM_LAW_EQUALITY) continue;
        memcpy(s->factor + at, op->block + at, sizeof(double) * (size_t)(rows * rows));
        crm_lu_factor(rows, s->factor + at, rows, s->pivots + op->row_start[g]);
    }
    if (s->by_nodes) scale_rows(s);
    if (!find_runs(s, arena)) return crm_fail_memory(error, "Gauss-Seidel", sizeof(crm_sweep_contact));
    return op->form == CAROM_FORM_MOBILITY ? crm_operator_form_delassus(op, arena, &s->w, error) : CAROM_OK;
}
