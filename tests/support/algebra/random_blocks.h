// SPDX-License-Identifier: MIT
// Random block graphs and matrices of the kinds that contact and joint problems have.
#ifndef TEST_SUPPORT_RANDOM_BLOCKS_H
#define TEST_SUPPORT_RANDOM_BLOCKS_H

#include "base/arena.h"
#include "base/random.h"
#include "math/block/block_matrix.h"

typedef enum graph_kind {
    GRAPH_SPARSE,   // random pairs, about two edges a node
    GRAPH_PATH,     // a chain
    GRAPH_TREE,     // every node tied to an earlier one
    GRAPH_GRID,     // a square lattice
    GRAPH_STAR,     // all tied to the first: a big body that many lie on
    GRAPH_COMPLETE, // every pair
    GRAPH_ISLANDS,  // several unconnected random pieces and isolated nodes
    GRAPH_KINDS
} graph_kind;

// Instead of a common size of all nodes.
enum {
    SIZES_MIXED = 0, // 1 ... 9, with 6 and 3 most frequent
    SIZES_WIDE = -1, // the same, and one in four between 1 and LARGEST_NODE
    LARGEST_NODE = 60
};

// Numbers of nodes are shuffled, the two ends of an edge come in either order. Fails the test when there is no memory.
crm_block_graph random_block_graph(graph_kind kind, int node_count, int common_size, crm_random *random,
                                   crm_arena *arena);

// Symmetric positive definite: identity-like masses between 1 and `mass_ratio`, plus J^T J for every edge.
crm_block_matrix random_definite_matrix(const crm_block_graph *graph, double mass_ratio, crm_random *random,
                                        crm_arena *arena);

// Unsymmetric, diagonal blocks dominant but with small entries on their own diagonals, so that rows must be exchanged.
crm_block_matrix random_unsymmetric_matrix(const crm_block_graph *graph, crm_random *random, crm_arena *arena);

// A <- D A D for a diagonal D: the same matrix in other units.
void change_units(crm_block_matrix *matrix, const double *d);

// The whole matrix, dense and column-major.
double *dense_copy(const crm_block_matrix *matrix, crm_arena *arena);

// A vector of normal variates.
double *random_vector(int count, crm_random *random, crm_arena *arena);

double *copy_of(int count, const double *values, crm_arena *arena);

// NaN when there is one among them.
double largest_magnitude(int count, const double *values);
double largest_difference(int count, const double *a, const double *b);

// Largest sum of magnitudes in a row; NaN when the matrix has one. `scratch` holds scalar_count numbers.
double block_matrix_norm(const crm_block_matrix *matrix, double *scratch);

#endif
