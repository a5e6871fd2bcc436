// SPDX-License-Identifier: MIT
// Blocks of the inverse of a matrix between some of its nodes.
//
// With A = L L^T in elimination order and E the columns of these nodes, E^T A^-1 E = Y^T Y, Y = L^-1 E. A column of Y
// begins at its node and follows the elimination tree from there: of nodes that are eliminated last there is only the
// corner of L that is theirs.
#ifndef CRM_MATH_BLOCK_INVERSE_H
#define CRM_MATH_BLOCK_INVERSE_H

#include "math/block/block_factor.h"

// Into `inverse`, square and symmetric to the bit, whose rows are the scalars of `nodes`, each named once, in their
// order (count). The factor is a Cholesky one. Scratch is used and released.
carom_status crm_block_inverse_between(const crm_block_factor *factor, int count, const int *nodes, crm_arena *scratch,
                                       double *inverse, carom_error *error);

#endif
