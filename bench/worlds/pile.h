// SPDX-License-Identifier: MIT
// Matrices like those of a contact solver's Newton step on a pile of bodies: K = M + sum of J^T C J over the contacts,
// 6 unknowns a body, one block for every pair that touches.
#ifndef BENCH_SUPPORT_PILE_H
#define BENCH_SUPPORT_PILE_H

#include <stdint.h>

#include "base/arena.h"
#include "math/block/block_matrix.h"

// Bodies on a cubic lattice, each displaced at random by up to 0.35 of the spacing; the `contact_count` closest pairs
// touch. Symmetric, or with an unsymmetric 3 x 3 block C in every contact. Memory from `arena`; exits when there is
// none.
crm_block_matrix bench_pile_matrix(int body_count, int contact_count, bool symmetric, uint64_t seed, crm_arena *arena);

#endif
