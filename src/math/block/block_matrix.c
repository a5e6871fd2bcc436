// SPDX-License-Identifier: MIT
#include "math/block/block_matrix.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"

static carom_status check_sizes(const crm_block_graph *graph, carom_error *error) {
    if (graph->node_count < 0 || graph->edge_count < 0)
        return crm_refuse(error, "block graph: %d nodes and %d edges; neither can be negative", graph->node_count,
                          graph->edge_count);
    long long scalars = 0;
    for (int i = 0; i < graph->node_count; i++) {
        if (graph->node_size[i] < 1)
            return crm_refuse(error, "block graph: node %d has size %d, must be at least 1", i, graph->node_size[i]);
        scalars += graph->node_size[i];
    }
    if (scalars > INT_MAX)
        return crm_fail(error, CAROM_ERR_TOO_LARGE, "block graph: %lld scalars, at most %d can be numbered", scalars,
                        INT_MAX);
    return CAROM_OK;
}

carom_status crm_block_graph_check(const crm_block_graph *graph, crm_arena *scratch, carom_error *error) {
    carom_status status = check_sizes(graph, error);
    if (status != CAROM_OK) return status;

    for (int e = 0; e < graph->edge_count; e++) {
        crm_block_edge edge = graph->edge[e];
        if (edge.row < 0 || edge.row >= graph->node_count || edge.column < 0 || edge.column >= graph->node_count)
            return crm_refuse(error, "block graph: edge %d joins nodes %d and %d, there are %d", e, edge.row,
                              edge.column, graph->node_count);
        if (edge.row == edge.column)
            return crm_refuse(error,
                              "block graph: edge %d joins node %d to itself; its values belong to the diagonal block",
                              e, edge.row);
    }

    // Sort the edges into lists by their smaller end; a second edge to the same larger end is then seen at once.
    crm_mark mark = crm_arena_mark(scratch);
    int *head = CRM_ARENA_ARRAY(scratch, int, graph->node_count);
    int *next = CRM_ARENA_ARRAY(scratch, int, graph->edge_count);
    int *seen = CRM_ARENA_ARRAY(scratch, int, graph->node_count);
    if (head == NULL || next == NULL || seen == NULL) {
        crm_arena_release(scratch, mark);
        return crm_fail_memory(error, "block graph check",
                               sizeof(int) * (2 * (size_t)graph->node_count + (size_t)graph->edge_count));
    }
    for (int i = 0; i < graph->node_count; i++) head[i] = seen[i] = -1;
    for (int e = graph->edge_count - 1; e >= 0; e--) {
        crm_block_edge edge = graph->edge[e];
        int smaller = edge.row < edge.column ? edge.row : edge.column;
        next[e] = head[smaller];
        head[smaller] = e;
    }
    for (int i = 0; i < graph->node_count && status == CAROM_OK; i++) {
        for (int e = head[i]; e >= 0; e = next[e]) {
            int larger = graph->edge[e].row == i ? graph->edge[e].column : graph->edge[e].row;
            if (seen[larger] == i) {
                status =
                    crm_refuse(error, "block graph: edge %d joins nodes %d and %d a second time; add their blocks up",
                               e, graph->edge[e].row, graph->edge[e].column);
                break;
            }
            seen[larger] = i;
        }
    }
    crm_arena_release(scratch, mark);
    return status;
}

carom_status crm_block_matrix_create(const crm_block_graph *graph, bool symmetric, crm_arena *arena,
                                     crm_block_matrix *matrix, carom_error *error) {
    crm_mark mark = crm_arena_mark(arena);
    int *node_start = CRM_ARENA_ARRAY(arena, int, graph->node_count);
    ptrdiff_t *node_block = CRM_ARENA_ARRAY(arena, ptrdiff_t, (ptrdiff_t)graph->node_count + 1);
    ptrdiff_t *edge_block = CRM_ARENA_ARRAY(arena, ptrdiff_t, (ptrdiff_t)graph->edge_count + 1);
    if (node_start == NULL || node_block == NULL || edge_block == NULL) goto no_memory;

    int scalars = 0;
    node_block[0] = 0;
    for (int i = 0; i < graph->node_count; i++) {
        int size = graph->node_size[i];
        node_start[i] = scalars;
        scalars += size;
        node_block[i + 1] = node_block[i] + (ptrdiff_t)size * size;
    }
    edge_block[0] = 0;
    for (int e = 0; e < graph->edge_count; e++) {
        ptrdiff_t rows = graph->node_size[graph->edge[e].row], columns = graph->node_size[graph->edge[e].column];
        edge_block[e + 1] = edge_block[e] + rows * columns;
    }

    crm_block_matrix zero = {
        .graph = *graph,
        .scalar_count = scalars,
        .node_start = node_start,
        .node_block = node_block,
        .edge_block = edge_block,
        .diagonal = CRM_ARENA_ARRAY(arena, double, node_block[graph->node_count]),
        .edges = CRM_ARENA_ARRAY(arena, double, edge_block[graph->edge_count]),
        .mirror = symmetric ? NULL : CRM_ARENA_ARRAY(arena, double, edge_block[graph->edge_count]),
    };
    if (zero.diagonal == NULL || zero.edges == NULL || (!symmetric && zero.mirror == NULL)) goto no_memory;
    crm_block_matrix_clear(&zero);
    *matrix = zero;
    return CAROM_OK;

no_memory:
    crm_arena_release(arena, mark);
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "block matrix: no memory for %d nodes and %d edges", graph->node_count,
                    graph->edge_count);
}

void crm_block_matrix_clear(crm_block_matrix *matrix) {
    size_t diagonal = (size_t)matrix->node_block[matrix->graph.node_count];
    size_t edges = (size_t)matrix->edge_block[matrix->graph.edge_count];
    memset(matrix->diagonal, 0, diagonal * sizeof(double));
    memset(matrix->edges, 0, edges * sizeof(double));
    if (matrix->mirror != NULL) memset(matrix->mirror, 0, edges * sizeof(double));
}

// y += B x
static void add_product(int rows, int columns, const double *block, const double *x, double *y) {
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) y[i] += block[i + (ptrdiff_t)rows * j] * x[j];
}

// y += B^T x
static void add_transposed_product(int rows, int columns, const double *block, const double *x, double *y) {
    for (int j = 0; j < columns; j++) {
        double sum = 0.0;
        for (int i = 0; i < rows; i++) sum += block[i + (ptrdiff_t)rows * j] * x[i];
        y[j] += sum;
    }
}

void crm_block_matrix_apply(const crm_block_matrix *matrix, const double *vector, double *result) {
    const crm_block_graph *graph = &matrix->graph;
    memset(result, 0, (size_t)matrix->scalar_count * sizeof(double));
    for (int i = 0; i < graph->node_count; i++) {
        int start = matrix->node_start[i], size = graph->node_size[i];
        add_product(size, size, matrix->diagonal + matrix->node_block[i], vector + start, result + start);
    }
    for (int e = 0; e < graph->edge_count; e++) {
        int row = graph->edge[e].row, column = graph->edge[e].column;
        int rows = graph->node_size[row], columns = graph->node_size[column];
        const double *x_row = vector + matrix->node_start[row], *x_column = vector + matrix->node_start[column];
        double *y_row = result + matrix->node_start[row], *y_column = result + matrix->node_start[column];
        const double *block = matrix->edges + matrix->edge_block[e];
        add_product(rows, columns, block, x_column, y_row);
        if (matrix->mirror == NULL)
            add_transposed_product(rows, columns, block, x_row, y_column);
        else
            add_product(columns, rows, matrix->mirror + matrix->edge_block[e], x_row, y_column);
    }
}
