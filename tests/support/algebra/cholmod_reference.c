// SPDX-License-Identifier: MIT
#include "support/algebra/cholmod_reference.h"

#include <cholmod.h>
#include <string.h>

static void add_entry(cholmod_triplet *triplets, int row, int column, double value) {
    ((int *)triplets->i)[triplets->nnz] = row > column ? row : column;
    ((int *)triplets->j)[triplets->nnz] = row > column ? column : row;
    ((double *)triplets->x)[triplets->nnz++] = value;
}

static cholmod_sparse *lower_triangle(const crm_block_matrix *matrix, cholmod_common *common) {
    const crm_block_graph *graph = &matrix->graph;
    size_t n = (size_t)matrix->scalar_count;
    size_t most = (size_t)(matrix->node_block[graph->node_count] + matrix->edge_block[graph->edge_count]);
    cholmod_triplet *triplets = cholmod_allocate_triplet(n, n, most, -1, CHOLMOD_REAL, common);
    for (int i = 0; i < graph->node_count; i++) {
        int size = graph->node_size[i], start = matrix->node_start[i];
        for (int c = 0; c < size; c++)
            for (int r = c; r < size; r++)
                add_entry(triplets, start + r, start + c, matrix->diagonal[matrix->node_block[i] + r + size * c]);
    }
    for (int e = 0; e < graph->edge_count; e++) {
        int row = graph->edge[e].row, column = graph->edge[e].column, rows = graph->node_size[row];
        for (int c = 0; c < graph->node_size[column]; c++)
            for (int r = 0; r < rows; r++)
                add_entry(triplets, matrix->node_start[row] + r, matrix->node_start[column] + c,
                          matrix->edges[matrix->edge_block[e] + r + rows * c]);
    }
    cholmod_sparse *sparse = cholmod_triplet_to_sparse(triplets, triplets->nnz, common);
    cholmod_free_triplet(&triplets, common);
    return sparse;
}

bool cholmod_reference_solve(const crm_block_matrix *matrix, const double *b, double *x) {
    size_t n = (size_t)matrix->scalar_count;
    cholmod_common common;
    cholmod_start(&common);
    common.print = 0;
    cholmod_sparse *sparse = lower_triangle(matrix, &common);
    cholmod_factor *factor = cholmod_analyze(sparse, &common);
    cholmod_factorize(sparse, factor, &common);
    bool definite = common.status == CHOLMOD_OK;
    cholmod_dense *right = cholmod_allocate_dense(n, 1, n, CHOLMOD_REAL, &common);
    memcpy(right->x, b, n * sizeof(double));
    cholmod_dense *solution = cholmod_solve(CHOLMOD_A, factor, right, &common);
    memcpy(x, solution->x, n * sizeof(double));
    cholmod_free_dense(&solution, &common);
    cholmod_free_dense(&right, &common);
    cholmod_free_factor(&factor, &common);
    cholmod_free_sparse(&sparse, &common);
    cholmod_finish(&common);
    return definite;
}
