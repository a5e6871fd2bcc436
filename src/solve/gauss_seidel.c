// SPDX-License-Identifier: MIT
// Nonsmooth Gauss-Seidel: group after group is solved exactly, with all others held.
//
// With nodes it keeps v and touches no more than a group's own nodes; with W it goes along rows of W. Cheap per sweep
// and slow to converge: hopeless for high mass ratios, good for a start (docs/solvers.md).
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "math/dense_lu.h"
#include "solve/group_solve.h"
#include "solve/residual.h"
#include "solve/state.h"

static const int default_sweeps = 10000;
// The judge costs about two sweeps. It is asked at least this often, also to keep the best and to remove the rounding
// that v collects, ...
static const int judge_every = 50;
// ... and, between, when a sweep moves no group by more than this share of the tolerance, but not at once again.
static const double small_change = 0.5;
static const int judge_apart = 5;

typedef struct sweep_state {
    const crm_operator *op;
    crm_csr w;          // W for forms that have no response
    double *v;          // velocities that belong to r, for forms that have
    double *r;          // impulses (rows)
    double *multiplier; // of cones (groups)
    double *factor;     // LU of the blocks of equalities, in the places of op->block
    int *pivots;        // (rows)
    bool *spatial;      // three rows on nodes of six velocities each, the common case (groups)
} sweep_state;

// u' of a group from v. The sizes are arguments so that the common ones become constants.
static inline void add_links(const sweep_state *s, int g, int rows, int fixed_size, double *u) {
    const crm_operator *op = s->op;
    for (int k = op->link_start[g]; k < op->link_start[g + 1]; k++) {
        int at = op->velocity_start[op->link_node[k]];
        int size = fixed_size > 0 ? fixed_size : op->velocity_start[op->link_node[k] + 1] - at;
        const double *jacobian = op->jacobian + op->link_at[k], *v = s->v + at;
        for (int i = 0; i < rows; i++) {
            double sum = 0.0;
            for (int j = 0; j < size; j++) sum += jacobian[i * size + j] * v[j];
            u[i] += sum;
        }
    }
}

static inline void push_links(const sweep_state *s, int g, int rows, int fixed_size, const double *change) {
    const crm_operator *op = s->op;
    for (int k = op->link_start[g]; k < op->link_start[g + 1]; k++) {
        int at = op->velocity_start[op->link_node[k]];
        int size = fixed_size > 0 ? fixed_size : op->velocity_start[op->link_node[k] + 1] - at;
        const double *response = op->response + op->link_at[k];
        double *v = s->v + at;
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < size; j++) v[j] += response[i * size + j] * change[i];
        }
    }
}

static void read_velocity(const sweep_state *s, int g, double *u) {
    const crm_operator *op = s->op;
    int rows = op->groups[g].rows, first = op->row_start[g];
    for (int i = 0; i < rows; i++) u[i] = op->offset[first + i] + op->compliance[first + i] * s->r[first + i];
    if (op->response != NULL) {
        if (s->spatial[g])
            add_links(s, g, 3, 6, u);
        else
            add_links(s, g, rows, 0, u);
        return;
    }
    for (int i = 0; i < rows; i++) {
        double sum = 0.0;
        for (int k = s->w.starts[first + i]; k < s->w.starts[first + i + 1]; k++)
            sum += s->w.values[k] * s->r[s->w.columns[k]];
        u[i] = s->op->q[first + i] + op->compliance[first + i] * s->r[first + i] + sum;
    }
}

// Solves group g alone and gives its change as a velocity, s |dr|.
static double relax_group(const sweep_state *s, int g) {
    const crm_operator *op = s->op;
    const carom_group *group = &op->groups[g];
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
    if (op->response != NULL && square > 0.0) {
        if (s->spatial[g])
            push_links(s, g, 3, 6, change);
        else
            push_links(s, g, rows, 0, change);
    }
    return op->scale[g] * sqrt(square);
}

static double sweep(const sweep_state *s) {
    double largest = 0.0;
    for (int g = 0; g < s->op->group_count; g++) {
        double change = relax_group(s, g);
        if (!(change <= largest)) largest = change;
    }
    return largest;
}

static bool is_spatial(const crm_operator *op, int g) {
    int first = op->link_start[g], last = op->link_start[g + 1];
    for (int k = first; k < last; k++) {
        if (op->link_at[k + 1] - op->link_at[k] != 18) return false;
    }
    return op->groups[g].rows == 3;
}

static carom_status prepare(const crm_operator *op, crm_arena *arena, double *impulse, sweep_state *s,
                            carom_error *error) {
    int blocks = op->block_start[op->group_count];
    *s = (sweep_state){.op = op, .w = op->delassus, .r = impulse};
    s->v = CRM_ARENA_ARRAY(arena, double, op->velocity_count);
    s->multiplier = CRM_ARENA_ZEROED(arena, double, op->group_count);
    s->factor = CRM_ARENA_ARRAY(arena, double, blocks);
    s->pivots = CRM_ARENA_ARRAY(arena, int, op->row_count);
    s->spatial = CRM_ARENA_ARRAY(arena, bool, op->group_count);
    if (s->spatial == NULL || s->v == NULL || s->multiplier == NULL || s->factor == NULL || s->pivots == NULL)
        return crm_fail_memory(error, "Gauss-Seidel", sizeof(double) * (size_t)blocks);
    for (int g = 0; g < op->group_count; g++) {
        int rows = op->groups[g].rows, at = op->block_start[g];
        s->spatial[g] = op->response != NULL && is_spatial(op, g);
        if (op->groups[g].law != CAROM_LAW_EQUALITY) continue;
        memcpy(s->factor + at, op->block + at, sizeof(double) * (size_t)(rows * rows));
        crm_lu_factor(rows, s->factor + at, rows, s->pivots + op->row_start[g]);
    }
    return op->form == CAROM_FORM_MOBILITY ? crm_operator_form_delassus(op, arena, &s->w, error) : CAROM_OK;
}

carom_status crm_gauss_seidel(const crm_operator *op, const carom_solve_options *options, crm_arena *arena,
                              double *impulse, crm_stage *stage, carom_error *error) {
    sweep_state s;
    carom_status status = prepare(op, arena, impulse, &s, error);
    if (status != CAROM_OK) return status;
    size_t bytes = sizeof(double) * (size_t)op->row_count;
    double *work = CRM_ARENA_ARRAY(arena, double, crm_residual_work(op));
    double *u = CRM_ARENA_ARRAY(arena, double, op->row_count), *best = CRM_ARENA_ARRAY(arena, double, op->row_count);
    if (work == NULL || u == NULL || best == NULL) return crm_fail_memory(error, "Gauss-Seidel", bytes);

    int limit = options->iterations > 0 ? options->iterations : default_sweeps, done = 0;
    stage->residual.residual = INFINITY;
    for (;; done++) {
        carom_residual_report report;
        crm_residual_of(op, options->velocity_scale, impulse, work, u, &report);
        if (done == 0 || report.residual < stage->residual.residual) {
            stage->residual = report;
            memcpy(best, impulse, bytes);
        }
        if (report.residual <= fmax(options->tolerance, report.floor) || done >= limit) break;
        if (op->response != NULL) crm_operator_velocity(op, impulse, work, s.v);

        double scale = options->velocity_scale;
        for (int g = 0; g < op->group_count; g++) {
            for (int i = op->row_start[g]; i < op->row_start[g + 1]; i++)
                scale = fmax(scale, fmax(fabs(op->q[i]), op->scale[g] * fabs(impulse[i])));
        }
        int apart = done > 0 ? judge_apart : 0, judged = done;
        while (done + 1 < limit) { // all but the last of the sweeps before the judge is asked again
            double change = sweep(&s);
            done++;
            if (done - judged >= judge_every) break;
            if (change <= small_change * options->tolerance * scale && done - judged >= apart) break;
        }
        sweep(&s);
    }
    memcpy(impulse, best, bytes);
    stage->iterations = done;
    stage->outcome = crm_residual_outcome(&stage->residual, options->tolerance);
    return CAROM_OK;
}
