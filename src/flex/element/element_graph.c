// SPDX-License-Identifier: MIT
// The graph of nodes that share an element: node by node, the lower neighbours that its elements name.
#include "flex/element/element.h"

#include <stdlib.h>

// The elements of every node: those of node n are element[start[n]] ... element[start[n + 1] - 1].
typedef struct incidence {
    int *start, *element;
} incidence;

static bool find_elements(const crm_elastic *elastic, crm_arena *scratch, incidence *out) {
    const carom_mesh *mesh = elastic->mesh;
    ptrdiff_t count = (ptrdiff_t)mesh->element_count * elastic->nodes;
    int *start = CRM_ARENA_ZEROED(scratch, int, (ptrdiff_t)mesh->node_count + 2);
    int *element = CRM_ARENA_ARRAY(scratch, int, count);
    if (start == NULL || element == NULL) return false;
    // Counted two places further on, so that start[n + 1] can be the place of node n's next element and end as start.
    for (ptrdiff_t i = 0; i < count; i++) start[mesh->element[i] + 2]++;
    for (int n = 0; n < mesh->node_count; n++) start[n + 2] += start[n + 1];
    for (ptrdiff_t i = 0; i < count; i++) element[start[mesh->element[i] + 1]++] = (int)(i / elastic->nodes);
    *out = (incidence){start, element};
    return true;
}

static int ascending(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

// The lower neighbours of a node, ascending; `seen` holds the last node that met each.
static int lower_neighbours(const crm_elastic *elastic, const incidence *of, int node, int *seen, int *out) {
    int count = 0;
    for (int i = of->start[node]; i < of->start[node + 1]; i++) {
        const int32_t *other = crm_mesh_element(elastic->mesh, of->element[i]);
        for (int a = 0; a < elastic->nodes; a++) {
            if (other[a] >= node || seen[other[a]] == node) continue;
            seen[other[a]] = node;
            out[count++] = other[a];
        }
    }
    qsort(out, (size_t)count, sizeof *out, ascending);
    return count;
}

// Notes the edge of every pair of which `node` is the higher one; edge_of[other] is the edge to a neighbour.
static void note_pairs(const crm_elastic *elastic, const incidence *of, int node, const int *edge_of, int *pair_edge) {
    int pairs = elastic->nodes * (elastic->nodes - 1) / 2;
    for (int i = of->start[node]; i < of->start[node + 1]; i++) {
        const int32_t *other = crm_mesh_element(elastic->mesh, of->element[i]);
        int *pair = pair_edge + (ptrdiff_t)of->element[i] * pairs;
        int own = 0;
        while (other[own] != node) own++;
        for (int a = 0; a < elastic->nodes; a++) {
            if (other[a] >= node) continue;
            int high = a > own ? a : own, low = a > own ? own : a;
            pair[high * (high - 1) / 2 + low] = edge_of[other[a]];
        }
    }
}

static bool fill_graph(crm_elastic *elastic, const incidence *of, crm_arena *arena, crm_arena *scratch) {
    int nodes = elastic->mesh->node_count, pairs = elastic->nodes * (elastic->nodes - 1) / 2;
    int *seen = CRM_ARENA_ARRAY(scratch, int, nodes), *near = CRM_ARENA_ARRAY(scratch, int, nodes);
    int *edge_of = CRM_ARENA_ARRAY(scratch, int, nodes), *size = CRM_ARENA_ARRAY(arena, int, nodes);
    int *pair_edge = CRM_ARENA_ARRAY(arena, int, (ptrdiff_t)elastic->mesh->element_count *pairs);
    if (crm_arena_refused(scratch) || size == NULL || pair_edge == NULL) return false;
    int count = 0;
    for (int n = 0; n < nodes; n++) seen[n] = -1;
    for (int n = 0; n < nodes; n++) count += lower_neighbours(elastic, of, n, seen, near);
    crm_block_edge *edge = CRM_ARENA_ARRAY(arena, crm_block_edge, count);
    if (edge == NULL) return false;
    count = 0;
    for (int n = 0; n < nodes; n++) seen[n] = -1;
    for (int n = 0; n < nodes; n++) {
        int lower = lower_neighbours(elastic, of, n, seen, near);
        for (int i = 0; i < lower; i++) {
            edge_of[near[i]] = count;
            edge[count++] = (crm_block_edge){n, near[i]};
        }
        note_pairs(elastic, of, n, edge_of, pair_edge);
        size[n] = 3;
    }
    elastic->graph = (crm_block_graph){nodes, size, count, edge};
    elastic->pair_edge = pair_edge;
    return true;
}

bool crm_element_graph(crm_elastic *elastic, crm_arena *arena) {
    incidence of;
    crm_arena scratch;
    crm_arena_init(&scratch, &arena->allocator);
    bool done = find_elements(elastic, &scratch, &of) && fill_graph(elastic, &of, arena, &scratch);
    crm_arena_free(&scratch);
    return done;
}

crm_block_graph crm_elastic_graph(const crm_elastic *elastic) {
    return elastic->graph;
}
