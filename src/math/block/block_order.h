// SPDX-License-Identifier: MIT
// The order in which the nodes of a block graph are eliminated, and the elimination tree that follows from it.
#ifndef CRM_MATH_BLOCK_ORDER_H
#define CRM_MATH_BLOCK_ORDER_H

#include "base/arena.h"
#include "carom/status.h"
#include "math/block/block_matrix.h"

// Neighbours of every node: those of node i are neighbour[start[i]] .. neighbour[start[i + 1] - 1].
typedef struct crm_block_adjacency {
    int *start;     // (node_count + 1)
    int *neighbour; // (2 edge_count)
} crm_block_adjacency;

typedef struct crm_block_order {
    int *order;    // order[k]: node that is eliminated as the k-th (node_count)
    int *position; // position[node] = k (node_count)
    int *parent;   // parent in the elimination tree, both by position; -1 for a root (node_count)
} crm_block_order;

carom_status crm_block_adjacency_create(const crm_block_graph *graph, crm_arena *arena, crm_block_adjacency *adjacency,
                                        carom_error *error);

// Orders the nodes by approximate minimum degree, or takes the caller's `given` order, then makes the order a postorder
// of its elimination tree, which changes neither fill nor work but puts what belongs together side by side.
//
// `order` and its arrays come from `arena`; `scratch` is used and released. The graph must have passed its check.
carom_status crm_block_order_create(const crm_block_graph *graph, const crm_block_adjacency *adjacency,
                                    const int *given, crm_arena *arena, crm_arena *scratch, crm_block_order *order,
                                    carom_error *error);

#endif
