// SPDX-License-Identifier: MIT
// Many edges of one body against one edge of the other: which lines cross within both? Most do not, and finding that
// out one by one costs more in mispredicted branches than in arithmetic. A block is measured in one loop without any.
#ifndef CRM_DISTANCE_EDGE_BLOCK_H
#define CRM_DISTANCE_EDGE_BLOCK_H

#include "distance/features/feature_rules.h"
#include "distance/features/near_set.h"

enum { CRM_EDGE_BLOCK = 64 };

typedef struct crm_edge_block {
    int count;
    int number[CRM_EDGE_BLOCK];
    double x[CRM_EDGE_BLOCK], y[CRM_EDGE_BLOCK], z[CRM_EDGE_BLOCK]; // first ends, owner's frame, m
    double u[CRM_EDGE_BLOCK], v[CRM_EDGE_BLOCK], w[CRM_EDGE_BLOCK]; // to the second ends, m
    double square[CRM_EDGE_BLOCK], beyond[CRM_EDGE_BLOCK];          // as of crm_guest_edge
    double excess[CRM_EDGE_BLOCK]; // at most 0 where the edges cross as crm_edges_meet asks for
} crm_edge_block;

// Takes members of `near` from number `from` on. Returns where the next block begins: the number of edges after the
// last one.
int crm_edge_block_fill(const crm_feature_frame *frame, const crm_near_set *near, int from, crm_edge_block *block);

// Sets `excess`.
void crm_edge_block_measure(const crm_feature_frame *frame, const crm_guest_edge *guest, crm_edge_block *block);

#endif
