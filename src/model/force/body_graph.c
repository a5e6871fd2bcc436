// SPDX-License-Identifier: MIT
#include "model/force/body_graph.h"

#include "base/fail.h"
#include "model/force/system_callback.h"

static int node_of(const int *node_of_body, crm_point point) {
    return point.body < 0 ? -1 : node_of_body[point.body];
}

// Edges as they are found; those of a node to smaller ones are linked lists.
typedef struct edge_list {
    crm_block_edge *edge;
    int count;
    int *head, *next; // (node_count), (edges)
} edge_list;

// The edge between two nodes, made where there is none yet; -1 where one of them is no node, or they are the same.
static int edge_between(edge_list *list, int a, int b) {
    if (a < 0 || b < 0 || a == b) return -1;
    int late = a > b ? a : b, early = a > b ? b : a;
    int e = list->head[late];
    while (e >= 0 && list->edge[e].column != early) e = list->next[e];
    if (e >= 0) return e;
    e = list->count++;
    list->edge[e] = (crm_block_edge){late, early};
    list->next[e] = list->head[late];
    list->head[late] = e;
    return e;
}

static void add_system_callbacks(const carom_model *model, const int *node_of_body, int *system_edge, edge_list *list) {
    int64_t pair = 0;
    for (int c = 0; c < model->system_callbacks.count; c++) {
        const crm_system_callback *callback = &model->system_callbacks.items[c];
        for (int i = 0; i < callback->count; i++)
            for (int j = 0; j < i; j++, pair++) {
                int edge = edge_between(list, node_of_body[callback->body[i]], node_of_body[callback->body[j]]);
                system_edge[pair] = edge;
            }
    }
}

static void add_elements(const carom_model *model, const int *node_of_body, int *flex_edge, edge_list *list) {
    for (int f = 0; f < model->flexes.count; f++) {
        const crm_flex *flex = &model->flexes.items[f];
        const int *node = node_of_body + flex->first_body;
        for (int e = 0; e < flex->graph.edge_count; e++)
            *flex_edge++ = edge_between(list, node[flex->graph.edge[e].row], node[flex->graph.edge[e].column]);
    }
}

int crm_flex_edge_count(const carom_model *model) {
    int count = 0;
    for (int f = 0; f < model->flexes.count; f++) count += model->flexes.items[f].graph.edge_count;
    return count;
}

carom_status crm_body_graph_create(const carom_model *model, const int *node_of_body, int node_count, crm_arena *arena,
                                   crm_block_graph *graph, int *pair_edge, int *system_edge, int *flex_edge,
                                   carom_error *error) {
    int pairs = model->pair_potentials.count;
    ptrdiff_t most = pairs + (ptrdiff_t)crm_system_pair_count(model) + crm_flex_edge_count(model);
    int *size = CRM_ARENA_ARRAY(arena, int, node_count);
    edge_list list = {CRM_ARENA_ARRAY(arena, crm_block_edge, most), 0, CRM_ARENA_ARRAY(arena, int, node_count),
                      CRM_ARENA_ARRAY(arena, int, most)};
    if (crm_arena_refused(arena))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for the graph of %d bodies and %d pair potentials",
                        node_count, pairs);
    for (int i = 0; i < node_count; i++) {
        size[i] = 6;
        list.head[i] = -1;
    }
    for (int p = 0; p < pairs; p++) {
        const crm_pair_potential *pair = &model->pair_potentials.items[p];
        pair_edge[p] = edge_between(&list, node_of(node_of_body, pair->a), node_of(node_of_body, pair->b));
    }
    add_system_callbacks(model, node_of_body, system_edge, &list);
    add_elements(model, node_of_body, flex_edge, &list);
    *graph = (crm_block_graph){node_count, size, list.count, list.edge};
    return CAROM_OK;
}
