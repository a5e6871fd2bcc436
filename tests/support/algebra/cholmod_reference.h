// SPDX-License-Identifier: MIT
// CHOLMOD as a second opinion on sparse symmetric positive-definite systems.
#ifndef TEST_SUPPORT_CHOLMOD_REFERENCE_H
#define TEST_SUPPORT_CHOLMOD_REFERENCE_H

#include <stdbool.h>

#include "math/block/block_matrix.h"

// Solves A x = b; false when CHOLMOD finds A not positive definite.
bool cholmod_reference_solve(const crm_block_matrix *matrix, const double *b, double *x);

#endif
