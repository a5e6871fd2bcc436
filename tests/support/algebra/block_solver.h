// SPDX-License-Identifier: MIT
// Analysis, factor and memory of one block system, for tests that factor many.
#ifndef TEST_SUPPORT_BLOCK_SOLVER_H
#define TEST_SUPPORT_BLOCK_SOLVER_H

#include "math/block/block_factor.h"

typedef struct block_solver {
    crm_arena arena, scratch;
    crm_block_symbolic symbolic;
    crm_block_factor factor;
    crm_block_factor_report report;
} block_solver;

void block_solver_init(block_solver *s);
void block_solver_free(block_solver *s);

// Both fail the test when there is no memory.
void block_solver_factor(block_solver *s, crm_block_factor_kind kind, const crm_block_matrix *matrix);
void block_solver_factor_in_order(block_solver *s, crm_block_factor_kind kind, const crm_block_matrix *matrix,
                                  const int *order);

// x <- A^-1 x, `count` columns one behind the other.
void block_solver_solve(block_solver *s, int count, double *x);

#endif
