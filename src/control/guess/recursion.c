// SPDX-License-Identifier: MIT
// Controls by recursion: none in the first interval; then those of interval k, with the impulses of node k, from the
// balance at node k, those before being known. Least squares with the least norm at each node. They alternate, which is
// what they are compared with.
#include "base/fail.h"
#include "control/guess/guess_forces.h"
#include "math/dense/dense_qr.h"

typedef struct node_system {
    int rows, cols;
    int32_t *column; // unknowns (cols)
    double *a, *b;   // rows x cols by columns; right side
} node_system;

static bool belongs(const crm_program *p, const crm_force_rows *rows, int32_t unknown, int node) {
    const crm_place *place = &p->unknown_place[unknown];
    if (rows->force[unknown] == CRM_FORCE_CONTROL) return place->kind == CRM_PLACE_INTERVAL && place->index == node;
    return rows->force[unknown] == CRM_FORCE_IMPULSE && place->kind == CRM_PLACE_NODE && place->index == node;
}

static void gather(const crm_evaluator *e, const crm_force_rows *rows, int node, const double *jacobian,
                   const double *residual, node_system *s) {
    s->rows = rows->start[node + 1] - rows->start[node];
    s->cols = 0;
    for (int i = 0; i < s->rows; i++) {
        int r = rows->row[rows->start[node] + i];
        for (int p = e->jacobian_start[r]; p < e->jacobian_start[r + 1]; p++) {
            int32_t unknown = e->jacobian_column[p];
            int c = 0;
            if (!belongs(e->program, rows, unknown, node)) continue;
            while (c < s->cols && s->column[c] != unknown) c++;
            if (c == s->cols) {
                s->column[s->cols++] = unknown;
                for (int k = 0; k < s->rows; k++) s->a[k + c * s->rows] = 0.0;
            }
            s->a[i + c * s->rows] = jacobian[p];
        }
        s->b[i] = -residual[r];
    }
}

static carom_status solve(const node_system *s, crm_arena *arena, double *z, carom_error *error) {
    crm_mark mark = crm_arena_mark(arena);
    int least = s->rows < s->cols ? s->rows : s->cols;
    crm_qr qr = {.rows = s->rows, .cols = s->cols, .lda = s->rows, .a = s->a};
    qr.tau = CRM_ARENA_ARRAY(arena, double, least);
    qr.row_tau = CRM_ARENA_ARRAY(arena, double, least);
    qr.pivots = CRM_ARENA_ARRAY(arena, int, s->cols);
    double *work = CRM_ARENA_ARRAY(arena, double, 2 * s->cols);
    if (crm_arena_refused(arena)) return crm_fail_memory(error, "the guess of a plan", 0);
    if (crm_qr_factor(&qr, 1e-10, work).finite) {
        crm_qr_solve(&qr, 1, s->b, s->rows > s->cols ? s->rows : s->cols, work);
        for (int c = 0; c < s->cols; c++) z[s->column[c]] = s->b[c];
    }
    crm_arena_release(arena, mark);
    return CAROM_OK;
}

carom_status crm_guess_recursion(const crm_draft *draft, const crm_evaluator *evaluator, double *z, crm_arena *arena,
                                 carom_error *error) {
    const crm_program *p = evaluator->program;
    crm_mark mark = crm_arena_mark(arena);
    crm_force_rows rows;
    carom_status status = crm_force_rows_find(draft, p, arena, &rows, error);
    int most_rows = 6 * draft->moving_count, most_cols = draft->control_numbers;
    for (int j = 0; j < draft->model->joints.count; j++) most_cols += draft->impulse_size[j];
    node_system s = {.column = CRM_ARENA_ARRAY(arena, int32_t, most_cols)};
    s.a = CRM_ARENA_ARRAY(arena, double, (ptrdiff_t)most_rows *most_cols);
    s.b = CRM_ARENA_ARRAY(arena, double, most_rows + most_cols);
    double *jacobian = CRM_ARENA_ARRAY(arena, double, evaluator->jacobian_count);
    double *residual = CRM_ARENA_ARRAY(arena, double, p->row_count);
    if (crm_arena_refused(arena)) status = crm_fail_memory(error, "the guess of a plan", 0);
    if (status == CAROM_OK) {
        for (int i = 0; i < p->unknown_count; i++)
            if (rows.force[i] != CRM_FORCE_NONE) z[i] = 0.0;
        // Balances are linear in forces: the derivatives stay.
        bool good = crm_evaluate_jacobian(evaluator, z, jacobian);
        for (int node = 1; node < draft->intervals && good && status == CAROM_OK; node++) {
            good = crm_evaluate_rows(evaluator, z, residual);
            gather(evaluator, &rows, node, jacobian, residual, &s);
            if (good && s.rows > 0 && s.cols > 0) status = solve(&s, arena, z, error);
        }
    }
    crm_arena_release(arena, mark);
    return status;
}
