// SPDX-License-Identifier: MIT
#include "model/force/body_graph.h"

#include "base/fail.h"

static int node_of(const int *node_of_body, crm_point point) {
    return point.body < 0 ? -1 : node_of_body[point.body];
}

carom_status crm_body_graph_create(const carom_model *model, const int *node_of_body, int node_count, crm_arena *arena,
                                   crm_block_graph *graph, int *pair_edge, carom_error *error) {
    int pairs = model->pair_potentials.count, edge_count = 0;
    int *size = CRM_ARENA_ARRAY(arena, int, node_count);
    crm_block_edge *edges = CRM_ARENA_ARRAY(arena, crm_block_edge, pairs);
    // Edges of a node to smaller ones, as linked lists.
    int *head = CRM_ARENA_ARRAY(arena, int, node_count), *next = CRM_ARENA_ARRAY(arena, int, pairs);
    if (crm_arena_refused(arena))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for the graph of %d bodies and %d pair potentials",
                        node_count, pairs);
    for (int i = 0; i < node_count; i++) {
        size[i] = 6;
        head[i] = -1;
    }
    for (int p = 0; p < pairs; p++) {
        int a = node_of(node_of_body, model->pair_potentials.items[p].a),
            b = node_of(node_of_body, model->pair_potentials.items[p].b);
        pair_edge[p] = -1;
        if (a < 0 || b < 0) continue;
        int late = a > b ? a : b, early = a > b ? b : a;
        int e = head[late];
        while (e >= 0 && edges[e].column != early) e = next[e];
        if (e < 0) {
            e = edge_count++;
            edges[e] = (crm_block_edge){late, early};
            next[e] = head[late];
            head[late] = e;
        }
        pair_edge[p] = e;
    }
    *graph = (crm_block_graph){node_count, size, edge_count, edges};
    return CAROM_OK;
}
