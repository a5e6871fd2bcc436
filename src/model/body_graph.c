// SPDX-License-Identifier: MIT
#include "model/body_graph.h"

#include "base/fail.h"

static carom_status no_memory(int node_count, int count, carom_error *error) {
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for the graph of %d bodies and %d pairs", node_count, count);
}

carom_status crm_body_graph_join(int count, const crm_block_edge *ends, int node_count, crm_arena *arena,
                                 crm_block_graph *graph, int *edge_of, carom_error *error) {
    int edge_count = 0;
    int *size = CRM_ARENA_ARRAY(arena, int, node_count);
    crm_block_edge *edges = CRM_ARENA_ARRAY(arena, crm_block_edge, count);
    // Edges of a node to smaller ones, as linked lists.
    int *head = CRM_ARENA_ARRAY(arena, int, node_count), *next = CRM_ARENA_ARRAY(arena, int, count);
    if (size == NULL || edges == NULL || head == NULL || next == NULL) return no_memory(node_count, count, error);
    for (int i = 0; i < node_count; i++) {
        size[i] = 6;
        head[i] = -1;
    }
    for (int p = 0; p < count; p++) {
        int a = ends[p].row, b = ends[p].column;
        edge_of[p] = -1;
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
        edge_of[p] = e;
    }
    *graph = (crm_block_graph){node_count, size, edge_count, edges};
    return CAROM_OK;
}

static int node_of(const int *node_of_body, crm_point point) {
    return point.body < 0 ? -1 : node_of_body[point.body];
}

carom_status crm_body_graph_create(const carom_model *model, const int *node_of_body, int node_count, crm_arena *arena,
                                   crm_block_graph *graph, int *pair_edge, carom_error *error) {
    int pairs = model->pairs.count;
    crm_block_edge *ends = CRM_ARENA_ARRAY(arena, crm_block_edge, pairs);
    if (ends == NULL) return no_memory(node_count, pairs, error);
    for (int p = 0; p < pairs; p++)
        ends[p] = (crm_block_edge){node_of(node_of_body, model->pairs.items[p].a),
                                   node_of(node_of_body, model->pairs.items[p].b)};
    return crm_body_graph_join(pairs, ends, node_count, arena, graph, pair_edge, error);
}
