// SPDX-License-Identifier: MIT
// Which bodies act on each other: edges for a block matrix.
#ifndef CRM_MODEL_BODY_GRAPH_H
#define CRM_MODEL_BODY_GRAPH_H

#include "math/block_matrix.h"
#include "model/model.h"

// An edge for every two nodes that something joins: `ends` are the two nodes of each of `count` things, -1 for none.
// Several share an edge. Its row is the larger node. edge_of[i] is the edge of thing i, or -1 when it has not two
// nodes. Memory from `arena`: the nodes' sizes (6 each) and the edges.
carom_status crm_body_graph_join(int count, const crm_block_edge *ends, int node_count, crm_arena *arena,
                                 crm_block_graph *graph, int *edge_of, carom_error *error);

// The same for the pairs of a model. `node_of_body` gives the node of each body, -1 for bodies that have none.
carom_status crm_body_graph_create(const carom_model *model, const int *node_of_body, int node_count, crm_arena *arena,
                                   crm_block_graph *graph, int *pair_edge, carom_error *error);

#endif
