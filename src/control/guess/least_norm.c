// SPDX-License-Identifier: MIT
// Controls and impulses for given poses: balances are linear in them. With A their columns in the balances and r what
// is left without them, u = -W A^T (A W A^T)^-1 r has the least u.W^-1 u of all with A u = -r; where there is none, a
// little on the diagonal makes it nearly one of least |A u + r|. Rows of a node share controls with those of its
// neighbours alone: the matrix is block tridiagonal.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "control/guess/guess_forces.h"
#include "math/block/block_factor.h"

// Of the mean diagonal, added to it: far above rounding, far below what forces are known to.
static const double damping = 1e-10;
// What an impulse of a joint may be larger than a control at the same price: it costs nothing.
static const double cheap = 1e3;

typedef struct least_norm {
    const crm_force_rows *rows;
    const crm_evaluator *evaluator;
    double *jacobian, *weight; // (jacobian_count), by unknown: 0 where it is no force
    crm_block_matrix matrix;
    int *node;          // of the matrix, by node of the plan; -1: no rows
    double *right_side; // by scalar of the matrix
} least_norm;

// Products of the rows of two nodes that share an interval, into a block of rows(a) by rows(b), column-major.
static void add_products(const least_norm *l, int a, int b, double *block) {
    const crm_evaluator *e = l->evaluator;
    int count_a = l->rows->start[a + 1] - l->rows->start[a], count_b = l->rows->start[b + 1] - l->rows->start[b];
    for (int i = 0; i < count_a; i++) {
        for (int j = 0; j < count_b; j++) {
            int r = l->rows->row[l->rows->start[a] + i], s = l->rows->row[l->rows->start[b] + j];
            int p = e->jacobian_start[r], q = e->jacobian_start[s];
            double sum = 0.0;
            while (p < e->jacobian_start[r + 1] && q < e->jacobian_start[s + 1]) {
                int c = e->jacobian_column[p], d = e->jacobian_column[q];
                if (c == d) sum += l->weight[c] * l->jacobian[p] * l->jacobian[q];
                p += c <= d, q += d <= c;
            }
            block[i + j * count_a] = sum;
        }
    }
}

static void assemble(least_norm *l, const double *residual) {
    crm_block_matrix *m = &l->matrix;
    double mean = 0.0;
    for (int k = 0; k < l->rows->nodes; k++) {
        int at = l->node[k];
        if (at < 0) continue;
        add_products(l, k, k, m->diagonal + m->node_block[at]);
        if (at > 0) add_products(l, k, k - 1, m->edges + m->edge_block[at - 1]);
        int size = m->graph.node_size[at];
        for (int i = 0; i < size; i++) {
            mean += m->diagonal[m->node_block[at] + i * (size + 1)] / m->scalar_count;
            l->right_side[m->node_start[at] + i] = -residual[l->rows->row[l->rows->start[k] + i]];
        }
    }
    for (int at = 0; at < m->graph.node_count; at++)
        for (int i = 0, size = m->graph.node_size[at]; i < size; i++)
            m->diagonal[m->node_block[at] + i * (size + 1)] += damping * mean;
}

static void apply(const least_norm *l, double *z) {
    const crm_evaluator *e = l->evaluator;
    for (int k = 0; k < l->rows->nodes; k++) {
        for (int i = l->rows->start[k]; i < l->rows->start[k + 1]; i++) {
            double y = l->right_side[l->matrix.node_start[l->node[k]] + i - l->rows->start[k]];
            int r = l->rows->row[i];
            for (int p = e->jacobian_start[r]; p < e->jacobian_start[r + 1]; p++)
                z[e->jacobian_column[p]] += l->weight[e->jacobian_column[p]] * l->jacobian[p] * y;
        }
    }
}

static carom_status solve(least_norm *l, const double *residual, crm_arena *arena, carom_error *error) {
    int *size = CRM_ARENA_ARRAY(arena, int, l->rows->nodes);
    crm_block_edge *edge = CRM_ARENA_ARRAY(arena, crm_block_edge, l->rows->nodes);
    l->node = CRM_ARENA_ARRAY(arena, int, l->rows->nodes);
    if (crm_arena_refused(arena)) return crm_fail_memory(error, "the guess of a plan", 0);
    crm_block_graph graph = {.node_size = size, .edge = edge};
    for (int k = 0; k < l->rows->nodes; k++) {
        int count = l->rows->start[k + 1] - l->rows->start[k];
        l->node[k] = count > 0 ? graph.node_count : -1;
        if (count == 0) continue;
        if (graph.node_count > 0) edge[graph.edge_count++] = (crm_block_edge){graph.node_count, graph.node_count - 1};
        size[graph.node_count++] = count;
    }
    if (graph.node_count == 0) return CAROM_OK;
    crm_arena scratch;
    crm_arena_init(&scratch, &arena->allocator);
    crm_block_symbolic symbolic;
    crm_block_factor factor;
    carom_status status = crm_block_analyse(&graph, NULL, arena, &scratch, &symbolic, error);
    crm_arena_free(&scratch);
    if (status == CAROM_OK) status = crm_block_matrix_create(&graph, true, arena, &l->matrix, error);
    if (status == CAROM_OK) status = crm_block_factor_create(&symbolic, CRM_BLOCK_CHOLESKY, arena, &factor, error);
    if (status != CAROM_OK) return status;
    l->right_side = CRM_ARENA_ARRAY(arena, double, l->matrix.scalar_count);
    double *work = CRM_ARENA_ARRAY(arena, double, crm_block_factor_solve_scratch(&factor));
    if (crm_arena_refused(arena)) return crm_fail_memory(error, "the guess of a plan", 0);
    assemble(l, residual);
    crm_block_factor_report report;
    crm_block_factor_compute(&factor, &l->matrix, &report);
    if (!report.finite) return CAROM_OK; // a guess without forces
    crm_block_factor_solve(&factor, 1, l->right_side, l->matrix.scalar_count, work);
    return CAROM_OK;
}

carom_status crm_guess_least_norm(const crm_draft *draft, const crm_evaluator *evaluator, double *z, crm_arena *arena,
                                  carom_error *error) {
    const crm_program *p = evaluator->program;
    crm_mark mark = crm_arena_mark(arena);
    crm_force_rows rows;
    carom_status status = crm_force_rows_find(draft, p, arena, &rows, error);
    if (status == CAROM_OK) {
        least_norm l = {.rows = &rows, .evaluator = evaluator};
        l.jacobian = CRM_ARENA_ARRAY(arena, double, evaluator->jacobian_count);
        l.weight = CRM_ARENA_ARRAY(arena, double, p->unknown_count);
        double *residual = CRM_ARENA_ARRAY(arena, double, p->row_count);
        if (crm_arena_refused(arena)) {
            status = crm_fail_memory(error, "the guess of a plan", sizeof(double) * (size_t)p->unknown_count);
        } else if (crm_evaluate_rows(evaluator, z, residual) && crm_evaluate_jacobian(evaluator, z, l.jacobian)) {
            for (int i = 0; i < p->unknown_count; i++)
                l.weight[i] = rows.force[i] == CRM_FORCE_CONTROL   ? 1.0
                              : rows.force[i] == CRM_FORCE_IMPULSE ? cheap
                                                                   : 0.0;
            status = solve(&l, residual, arena, error);
            if (status == CAROM_OK && l.right_side != NULL) apply(&l, z);
            for (int i = 0; i < p->unknown_count; i++) z[i] = fmin(fmax(z[i], p->lower[i]), p->upper[i]);
        }
    }
    crm_arena_release(arena, mark);
    return status;
}
