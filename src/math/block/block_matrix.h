// SPDX-License-Identifier: MIT
// Sparse matrices made of small dense blocks, on an undirected graph: bodies are nodes, what couples two bodies is an
// edge. Node i owns the diagonal block (i, i); edge e = {row, column} owns block (row, column), and in an unsymmetric
// matrix its mirror block (column, row) too. Blocks are dense and column-major, sizes may differ from node to node.
//
// The room block/: a graph with dense blocks enters; its factors (Cholesky, LDL^T, LU) and solutions leave. Called by
// solve/newton, step/ and model/; tile_kernels.h are its inner loops, once per instruction set. docs/linear-algebra.md
// has the whole.
#ifndef CRM_MATH_BLOCK_MATRIX_H
#define CRM_MATH_BLOCK_MATRIX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "carom/status.h"

typedef struct crm_block_edge {
    int row, column; // nodes, different; either may be the larger
} crm_block_edge;

// The pattern. The arrays are borrowed.
typedef struct crm_block_graph {
    int node_count;
    const int *node_size; // scalars of each node, >= 1 (node_count)
    int edge_count;
    const crm_block_edge *edge; // each pair of nodes at most once (edge_count)
} crm_block_graph;

// Refuses sizes below 1, edges that name no node, join a node to itself or stand twice, and more than INT_MAX scalars.
carom_status crm_block_graph_check(const crm_block_graph *graph, crm_arena *scratch, carom_error *error);

typedef struct crm_block_matrix {
    crm_block_graph graph;
    int scalar_count;
    const int *node_start;       // first scalar of each node (node_count)
    const ptrdiff_t *node_block; // offset of each node's block in `diagonal` (node_count + 1)
    const ptrdiff_t *edge_block; // offset of each edge's block in `edges` and `mirror` (edge_count + 1)
    double *diagonal;
    double *edges;
    double *mirror; // NULL for a symmetric matrix
} crm_block_matrix;

// A zero matrix on the graph, all its memory from `arena`. The graph must have passed its check. Without memory
// `matrix` stays as it was.
carom_status crm_block_matrix_create(const crm_block_graph *graph, bool symmetric, crm_arena *arena,
                                     crm_block_matrix *matrix, carom_error *error);

void crm_block_matrix_clear(crm_block_matrix *matrix);

// result = matrix * vector. Of a symmetric matrix whole diagonal blocks are read, both their triangles.
void crm_block_matrix_apply(const crm_block_matrix *matrix, const double *vector, double *result);

#endif
