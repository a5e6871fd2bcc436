// SPDX-License-Identifier: MIT
#include "support/algebra/block_solver.h"

#include "support/harness/check.h"

void block_solver_init(block_solver *s) {
    crm_arena_init(&s->arena, NULL);
    crm_arena_init(&s->scratch, NULL);
}

void block_solver_free(block_solver *s) {
    crm_arena_free(&s->arena);
    crm_arena_free(&s->scratch);
}

void block_solver_factor_in_order(block_solver *s, crm_block_factor_kind kind, const crm_block_matrix *matrix,
                                  const int *order) {
    crm_arena_reset(&s->arena);
    assert_int_equal(crm_block_analyse(&matrix->graph, order, &s->arena, &s->scratch, &s->symbolic, NULL), CAROM_OK);
    assert_int_equal(crm_block_factor_create(&s->symbolic, kind, &s->arena, &s->factor, NULL), CAROM_OK);
    crm_block_factor_compute(&s->factor, matrix, &s->report);
}

void block_solver_factor(block_solver *s, crm_block_factor_kind kind, const crm_block_matrix *matrix) {
    block_solver_factor_in_order(s, kind, matrix, NULL);
}

void block_solver_solve(block_solver *s, int count, double *x) {
    crm_mark mark = crm_arena_mark(&s->scratch);
    double *scratch = CRM_ARENA_ARRAY(&s->scratch, double, crm_block_factor_solve_scratch(&s->factor));
    assert_non_null(scratch);
    crm_block_factor_solve(&s->factor, count, x, s->symbolic.scalar_count, scratch);
    crm_arena_release(&s->scratch, mark);
}
