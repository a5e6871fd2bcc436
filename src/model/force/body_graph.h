// SPDX-License-Identifier: MIT
// Which bodies act on each other: edges for a block matrix.
#ifndef CRM_MODEL_BODY_GRAPH_H
#define CRM_MODEL_BODY_GRAPH_H

#include "math/block/block_matrix.h"
#include "model/model.h"

// An edge for every two nodes that a pair potential, a system callback or an element joins; several of these share one.
// Its row is the larger node. `node_of_body` gives the node of each body, -1 for bodies that have none. pair_edge[p] is
// the edge of pair potential p, or -1; system_edge[s] that of the s-th pair of bodies in the lists of system callbacks
// (crm_system_pair_count), flex_edge[e] that of the e-th edge in the graphs of flexible bodies (crm_flex_edge_count).
// Memory from `arena`: the nodes' sizes (6 each) and the edges.
carom_status crm_body_graph_create(const carom_model *model, const int *node_of_body, int node_count, crm_arena *arena,
                                   crm_block_graph *graph, int *pair_edge, int *system_edge, int *flex_edge,
                                   carom_error *error);

// Edges of all flexible bodies.
int crm_flex_edge_count(const carom_model *model);

#endif
