// SPDX-License-Identifier: MIT
// Amestoy, Davis, Duff: An approximate minimum degree ordering algorithm (1996), by SuiteSparse's AMD. We call its
// inner routine because that one takes all its memory from the caller. Elimination tree: Liu (1990).
#include "math/block/block_order.h"

#include <amd.h>
#include <limits.h>
#include <string.h>

#include "base/fail.h"

static carom_status no_memory(carom_error *error, int nodes, int edges) {
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "block ordering: no memory for %d nodes and %d edges", nodes, edges);
}

carom_status crm_block_adjacency_create(const crm_block_graph *graph, crm_arena *arena, crm_block_adjacency *adjacency,
                                        carom_error *error) {
    int nodes = graph->node_count, edges = graph->edge_count;
    // AMD works in place on twice the edges and some room; all of it is indexed by int.
    if (edges > INT_MAX / 3 - nodes)
        return crm_fail(error, CAROM_ERR_TOO_LARGE,
                        "block ordering: %d nodes and %d edges; at most %d in all can be ordered", nodes, edges,
                        INT_MAX / 3);
    int *start = CRM_ARENA_ZEROED(arena, int, nodes + 1);
    int *neighbour = CRM_ARENA_ARRAY(arena, int, 2 * (ptrdiff_t)edges);
    if (start == NULL || neighbour == NULL) return no_memory(error, nodes, edges);

    for (int e = 0; e < edges; e++) {
        start[graph->edge[e].row]++;
        start[graph->edge[e].column]++;
    }
    int sum = 0;
    for (int i = 0; i < nodes; i++) {
        sum += start[i];
        start[i] = sum; // end of the list; filled backwards below, it becomes the start
    }
    start[nodes] = sum;
    for (int e = edges - 1; e >= 0; e--) {
        crm_block_edge edge = graph->edge[e];
        neighbour[--start[edge.row]] = edge.column;
        neighbour[--start[edge.column]] = edge.row;
    }
    *adjacency = (crm_block_adjacency){.start = start, .neighbour = neighbour};
    return CAROM_OK;
}

static carom_status order_by_degree(int nodes, const crm_block_adjacency *adjacency, crm_arena *scratch, int *order,
                                    carom_error *error) {
    int entries = adjacency->start[nodes];
    // AMD's own recommendation for the room it works in: a fifth above the entries, and one more per node.
    int room = entries + entries / 5 + nodes + 1;
    int *work[8];
    for (int i = 0; i < 8; i++)
        if ((work[i] = CRM_ARENA_ARRAY(scratch, int, nodes)) == NULL) return no_memory(error, nodes, entries / 2);
    int *lists = CRM_ARENA_ARRAY(scratch, int, room);
    if (lists == NULL) return no_memory(error, nodes, entries / 2);

    int *list_start = work[0], *length = work[1];
    memcpy(lists, adjacency->neighbour, (size_t)entries * sizeof(int));
    for (int i = 0; i < nodes; i++) {
        list_start[i] = adjacency->start[i];
        length[i] = adjacency->start[i + 1] - adjacency->start[i];
    }
    double information[AMD_INFO];
    amd_2(nodes, list_start, lists, length, room, entries, work[2], work[3], order, work[4], work[5], work[6], work[7],
          NULL, information);
    return CAROM_OK;
}

static carom_status take_given_order(int nodes, const int *given, crm_arena *scratch, int *order, carom_error *error) {
    bool *used = CRM_ARENA_ZEROED(scratch, bool, nodes);
    if (used == NULL) return no_memory(error, nodes, 0);
    for (int k = 0; k < nodes; k++) {
        int node = given[k];
        if (node < 0 || node >= nodes || used[node])
            return crm_refuse(
                error, "block ordering: entry %d of the given order is %d; each of the %d nodes must stand in it once",
                k, node, nodes);
        used[node] = true;
        order[k] = node;
    }
    return CAROM_OK;
}

// Parents by position for a given order. `ancestor` is scratch: paths to the root, shortened as they are walked.
static void find_parents(int nodes, const crm_block_adjacency *adjacency, const int *order, const int *position,
                         int *ancestor, int *parent) {
    for (int k = 0; k < nodes; k++) {
        parent[k] = ancestor[k] = -1;
        int node = order[k];
        for (int a = adjacency->start[node]; a < adjacency->start[node + 1]; a++) {
            for (int j = position[adjacency->neighbour[a]]; j < k && j >= 0;) {
                int above = ancestor[j];
                ancestor[j] = k;
                if (above < 0) parent[j] = k;
                j = above;
            }
        }
    }
}

// label[k]: number of k in a postorder of the forest. Children keep their order, roots too.
static void number_in_postorder(int nodes, const int *parent, int *head, int *next, int *stack, int *label) {
    for (int k = 0; k < nodes; k++) head[k] = -1;
    for (int k = nodes - 1; k >= 0; k--) {
        if (parent[k] < 0) continue;
        next[k] = head[parent[k]];
        head[parent[k]] = k;
    }
    int numbered = 0;
    for (int root = 0; root < nodes; root++) {
        if (parent[root] >= 0) continue;
        int depth = 0;
        stack[0] = root;
        while (depth >= 0) {
            int k = stack[depth];
            int child = head[k];
            if (child < 0) {
                label[k] = numbered++;
                depth--;
            } else {
                head[k] = next[child];
                stack[++depth] = child;
            }
        }
    }
}

carom_status crm_block_order_create(const crm_block_graph *graph, const crm_block_adjacency *adjacency,
                                    const int *given, crm_arena *arena, crm_arena *scratch, crm_block_order *result,
                                    carom_error *error) {
    int nodes = graph->node_count;
    crm_mark mark = crm_arena_mark(scratch);
    *result = (crm_block_order){.order = CRM_ARENA_ARRAY(arena, int, nodes),
                                .position = CRM_ARENA_ARRAY(arena, int, nodes),
                                .parent = CRM_ARENA_ARRAY(arena, int, nodes)};
    int *order = CRM_ARENA_ARRAY(scratch, int, nodes);
    int *parent = CRM_ARENA_ARRAY(scratch, int, nodes);
    int *work[4];
    bool enough =
        result->order != NULL && result->position != NULL && result->parent != NULL && order != NULL && parent != NULL;
    for (int i = 0; i < 4; i++) enough = (work[i] = CRM_ARENA_ARRAY(scratch, int, nodes)) != NULL && enough;
    carom_status status = CAROM_OK;
    if (!enough)
        status = no_memory(error, nodes, graph->edge_count);
    else if (nodes > 0)
        status = given != NULL ? take_given_order(nodes, given, scratch, order, error)
                               : order_by_degree(nodes, adjacency, scratch, order, error);
    if (status == CAROM_OK) {
        int *label = work[3];
        for (int k = 0; k < nodes; k++) result->position[order[k]] = k;
        find_parents(nodes, adjacency, order, result->position, work[0], parent);
        number_in_postorder(nodes, parent, work[0], work[1], work[2], label);
        for (int k = 0; k < nodes; k++) {
            result->order[label[k]] = order[k];
            result->position[order[k]] = label[k];
            result->parent[label[k]] = parent[k] < 0 ? -1 : label[parent[k]];
        }
    }
    crm_arena_release(scratch, mark);
    return status;
}
