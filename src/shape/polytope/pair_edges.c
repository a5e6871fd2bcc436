// SPDX-License-Identifier: MIT
// Finds for every directed edge of a closed surface its twin.
#include <stdlib.h>

#include "shape/polytope/hull.h"

typedef struct edge_entry {
    int from, to, entry;
} edge_entry;

static int compare_edges(const void *a, const void *b) {
    const edge_entry *x = a, *y = b;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from) : (x->to > y->to) - (x->to < y->to);
}

crm_hull_outcome crm_pair_edges(const crm_polygons *polygons, crm_arena *arena, int *twin) {
    int corners = polygons->start[polygons->count];
    edge_entry *edge = CRM_ARENA_ARRAY(arena, edge_entry, corners);
    if (edge == NULL) return CRM_HULL_NO_MEMORY;
    for (int p = 0; p < polygons->count; p++)
        for (int k = polygons->start[p]; k < polygons->start[p + 1]; k++)
            edge[k] = (edge_entry){polygons->corner[k], polygons->corner[crm_next_corner(polygons, p, k)], k};
    qsort(edge, (size_t)corners, sizeof *edge, compare_edges);
    for (int i = 0; i < corners; i++) {
        edge_entry wanted = {edge[i].to, edge[i].from, 0};
        if (wanted.from == wanted.to || (i > 0 && compare_edges(&edge[i - 1], &edge[i]) == 0)) return CRM_HULL_FAILED;
        const edge_entry *found = bsearch(&wanted, edge, (size_t)corners, sizeof *edge, compare_edges);
        if (found == NULL) return CRM_HULL_FAILED;
        twin[edge[i].entry] = found->entry;
    }
    return CRM_HULL_GOOD;
}
