// SPDX-License-Identifier: MIT
// Contact laws as a dense complementarity problem, with pyramids in place of cones.
//
// Every unknown of the problem is an impulse >= 0 along a direction of one group's rows, or a multiplier that couples
// such impulses: r = base + sum of z_j direction_j. A cone with k sides becomes (docs/math.md 6.7)
//
//     0 <= c_n _|_ u_n,    0 <= beta_j _|_ lambda + d_j.u_t,    0 <= lambda _|_ mu c_n - sum beta,
//
// d_j at the angles 2 pi j / k, which lies inside the round cone; a relaxed one the edges n + mu d_j. A unilateral row
// stands as it is; a row of an equality is split, r = z_+ - z_-; a box counts from its lower bound and has a multiplier
// for its upper one. Unknowns come in the order: one of each group, the further impulses, the multipliers; for cones
// (c_n of all, beta contact after contact, lambda of all).
#ifndef CRM_SOLVE_PYRAMID_H
#define CRM_SOLVE_PYRAMID_H

#include "base/arena.h"
#include "carom/solve.h"

typedef struct crm_pyramid_unknown {
    int row, rows; // of the impulse that it adds to; rows = 0 for a multiplier
    double along[3];
} crm_pyramid_unknown;

typedef struct crm_pyramid {
    carom_dense_lcp lcp;           // on the arena
    int rows;                      // of the impulse
    crm_pyramid_unknown *unknowns; // (lcp.size)
    double *base;                  // impulse at z = 0 (rows)
} crm_pyramid;

// Unknowns of the problem below.
long long crm_pyramid_size(int group_count, const carom_row_group *groups, int sides);

// u = W r + q with W (rows * rows) by rows, compliances on its diagonal included. `sides` is even and at least 4; a
// planar cone has two. CAROM_ERR_BAD_INPUT for other numbers of sides, CAROM_ERR_TOO_LARGE, CAROM_ERR_NO_MEMORY.
carom_status crm_pyramid_build(int group_count, const carom_row_group *groups, const double *w, const double *q,
                               int sides, crm_arena *arena, crm_pyramid *out, carom_error *error);

// r (rows) of a solution z.
void crm_pyramid_impulse(const crm_pyramid *pyramid, const double *z, double *r);

#endif
