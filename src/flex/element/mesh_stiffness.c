// SPDX-License-Identifier: MIT
// carom_mesh_stiffness: the blocks of the graph as compressed rows of numbers.
#include <limits.h>

#include "base/fail.h"
#include "flex/element/mesh_elastic.h"

// Blocks of each row of nodes: edges to the lower neighbours, -1 for the diagonal, edges to the higher ones.
typedef struct block_rows {
    int *start, *block; // of node n: block[start[n]] ... block[start[n + 1] - 1]
} block_rows;

// Edges are sorted by row and column, so that a pass over them in that order finds the columns of all rows ascending.
static bool find_rows(const crm_block_graph *graph, crm_arena *arena, block_rows *out) {
    int nodes = graph->node_count;
    int *start = CRM_ARENA_ZEROED(arena, int, (ptrdiff_t)nodes + 2);
    int *block = CRM_ARENA_ARRAY(arena, int, (ptrdiff_t)nodes + 2 * (ptrdiff_t)graph->edge_count);
    if (start == NULL || block == NULL) return false;
    // Counted two places further on: start[n + 1] is where node n's next block goes, and in the end where they end.
    for (int n = 0; n < nodes; n++) start[n + 2] = 1;
    for (int e = 0; e < graph->edge_count; e++) {
        start[graph->edge[e].row + 2]++;
        start[graph->edge[e].column + 2]++;
    }
    for (int n = 0; n < nodes; n++) start[n + 2] += start[n + 1];
    for (int n = 0, e = 0; n < nodes; n++) {
        for (; e < graph->edge_count && graph->edge[e].row == n; e++) {
            block[start[n + 1]++] = e;
            block[start[graph->edge[e].column + 1]++] = e;
        }
        block[start[n + 1]++] = -1;
    }
    *out = (block_rows){start, block};
    return true;
}

static void write_row(const crm_block_matrix *matrix, const block_rows *rows, int node, int axis, int at, int *column,
                      double *value) {
    for (int b = rows->start[node]; b < rows->start[node + 1]; b++) {
        int e = rows->block[b], other = node;
        const double *block = matrix->diagonal + matrix->node_block[node];
        bool mirrored = false;
        if (e >= 0) {
            block = matrix->edges + matrix->edge_block[e];
            mirrored = matrix->graph.edge[e].column == node;
            other = mirrored ? matrix->graph.edge[e].row : matrix->graph.edge[e].column;
        }
        for (int k = 0; k < 3; k++, at++) {
            column[at] = 3 * other + k;
            value[at] = mirrored ? block[3 * axis + k] : block[3 * k + axis];
        }
    }
}

static carom_status fill_rows(crm_mesh_elastic *open, int *start, int *column, double *value, carom_error *error) {
    crm_block_graph graph = crm_elastic_graph(open->elastic);
    crm_block_matrix matrix;
    block_rows rows;
    carom_status status = crm_block_matrix_create(&graph, true, &open->arena, &matrix, error);
    if (status != CAROM_OK) return status;
    if (!find_rows(&graph, &open->arena, &rows)) return crm_fail_memory(error, "rows of a stiffness matrix", 0);
    crm_elastic_add_stiffness(open->elastic, open->position, 1.0, 0.0, false, (crm_elastic_place){&matrix, 0, 0});
    for (int n = 0; n < graph.node_count; n++) {
        int length = 3 * (rows.start[n + 1] - rows.start[n]);
        for (int axis = 0; axis < 3; axis++) {
            start[3 * n + axis] = 9 * rows.start[n] + axis * length;
            write_row(&matrix, &rows, n, axis, start[3 * n + axis], column, value);
        }
    }
    start[3 * graph.node_count] = 9 * rows.start[graph.node_count];
    return CAROM_OK;
}

carom_status carom_mesh_stiffness(const carom_mesh *mesh, const carom_elastic_def *elastic, const carom_vec3 *positions,
                                  int64_t *count, int *start, int *column, double *value, carom_error *error) {
    CRM_NEED(mesh, error);
    CRM_NEED(positions, error);
    CRM_NEED(count, error);
    crm_mesh_elastic open;
    carom_status status = crm_mesh_elastic_open(mesh, elastic, positions, &open, error);
    if (status != CAROM_OK) return status;
    crm_block_graph graph = crm_elastic_graph(open.elastic);
    *count = 9 * ((int64_t)graph.node_count + 2 * (int64_t)graph.edge_count);
    if (value != NULL && (start == NULL || column == NULL))
        status = crm_refuse(error, "carom_mesh_stiffness: start or column is NULL; give both with value");
    else if (value != NULL && *count > INT_MAX)
        status = crm_fail(error, CAROM_ERR_TOO_LARGE, "the stiffness matrix has %lld numbers, at most %d are possible",
                          (long long)*count, INT_MAX);
    else if (value != NULL)
        status = crm_mesh_elastic_whole(&open, error);
    if (status == CAROM_OK && value != NULL) status = fill_rows(&open, start, column, value, error);
    crm_mesh_elastic_close(&open);
    return status;
}
