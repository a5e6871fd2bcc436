// SPDX-License-Identifier: MIT
// Masses of blocks on a graph, factored once and used until they change, in a solution or in many.
//
// The room coupled/: a mass whose nodes are coupled, and a problem on it, enter; the same problem in terms of its
// impulses alone leaves, W = H^T M^-1 H, and velocities come back from impulses. Nodes that nothing acts on are
// eliminated in the factorization and never met again. Called by solve.c and, with masses kept from step to step, by
// step/flex. docs/solvers.md.
#ifndef CRM_SOLVE_COUPLED_MASS_H
#define CRM_SOLVE_COUPLED_MASS_H

#include "base/arena.h"
#include "math/block/block_factor.h"

typedef struct crm_coupled_mass {
    crm_arena pattern, touched_arena, scratch;
    crm_block_symbolic symbolic;
    crm_block_factor factor;
    double *work;  // of a solution, and a vector
    bool factored; // there are numbers
    // M^-1 between the nodes that something acts on, all rows of the first one first.
    int touched_count, inverse_size;
    int *touched;    // (touched_count)
    int *first;      // row of a node in `inverse`; -1: nothing acts on it (nodes)
    double *inverse; // (inverse_size * inverse_size)
    int inversions;  // how often that was made
} crm_coupled_mass;

void crm_coupled_mass_init(crm_coupled_mass *mass, const carom_allocator *allocator);
void crm_coupled_mass_free(crm_coupled_mass *mass); // one of zero bytes is empty already

// Everything that depends on the graph alone. Nodes that are `late` (nodes) are eliminated last: those between which
// the inverse will be asked for. The graph is not kept.
carom_status crm_coupled_mass_analyse(crm_coupled_mass *mass, const crm_block_graph *graph, const bool *late,
                                      carom_error *error);

// Factors a matrix on that graph. False: it is not positive definite, or not finite, and there is no factor.
bool crm_coupled_mass_factor(crm_coupled_mass *mass, const crm_block_matrix *matrix);

// Sees to it that the inverse is there between these nodes, each named once, and those asked for since the
// factorization.
carom_status crm_coupled_mass_touch(crm_coupled_mass *mass, int count, const int *nodes, carom_error *error);

// Block of the inverse between two touched nodes: its first number; rows are inverse_size apart.
static inline const double *crm_coupled_mass_between(const crm_coupled_mass *mass, int a, int b) {
    return mass->inverse + (ptrdiff_t)mass->first[a] * mass->inverse_size + mass->first[b];
}

// x = M^-1 x, in place.
void crm_coupled_mass_divide(const crm_coupled_mass *mass, double *x);

#endif
