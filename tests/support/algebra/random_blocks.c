// SPDX-License-Identifier: MIT
#include "support/algebra/random_blocks.h"

#include <math.h>
#include <string.h>

#include "support/harness/check.h"

static int random_int(crm_random *random, int below) {
    return (int)crm_random_below(random, (uint64_t)below);
}

static void *required(void *memory) {
    assert_non_null(memory);
    return memory;
}

// A list of edges without repetition; the table of pairs is as large as the square of the nodes, fine for tests.
typedef struct edge_list {
    int node_count;
    int count;
    crm_block_edge *edges;
    bool *joined;
} edge_list;

static void join(edge_list *list, int a, int b) {
    bool *joined = &list->joined[(ptrdiff_t)(a > b ? a : b) * list->node_count + (a > b ? b : a)];
    if (a == b || *joined) return;
    *joined = true;
    list->edges[list->count++] = (crm_block_edge){a, b};
}

static void join_at_random(edge_list *list, int first, int nodes, int edges, crm_random *random) {
    for (int e = 0; e < edges; e++) join(list, first + random_int(random, nodes), first + random_int(random, nodes));
}

static void fill_edges(graph_kind kind, edge_list *list, crm_random *random) {
    int nodes = list->node_count;
    int side = (int)sqrt((double)nodes);
    switch (kind) {
    case GRAPH_SPARSE:
        join_at_random(list, 0, nodes, 2 * nodes, random);
        break;
    case GRAPH_PATH:
        for (int i = 1; i < nodes; i++) join(list, i, i - 1);
        break;
    case GRAPH_TREE:
        for (int i = 1; i < nodes; i++) join(list, i, random_int(random, i));
        break;
    case GRAPH_GRID:
        for (int i = 0; i < nodes; i++) {
            if (i % side != 0) join(list, i, i - 1);
            if (i >= side) join(list, i, i - side);
        }
        break;
    case GRAPH_STAR:
        for (int i = 1; i < nodes; i++) join(list, i, 0);
        break;
    case GRAPH_COMPLETE:
        for (int i = 1; i < nodes; i++)
            for (int j = 0; j < i; j++) join(list, i, j);
        break;
    case GRAPH_ISLANDS:
        for (int first = 0, size; first < nodes; first += size) {
            size = 1 + random_int(random, 12);
            if (size > nodes - first) size = nodes - first;
            join_at_random(list, first, size, 2 * (size - 1), random);
        }
        break;
    case GRAPH_KINDS:
        break;
    }
}

static int random_size(int common_size, crm_random *random) {
    if (common_size > 0) return common_size;
    if (common_size == SIZES_WIDE && random_int(random, 4) == 0) return 1 + random_int(random, LARGEST_NODE);
    static const int sizes[] = {6, 6, 6, 6, 3, 3, 3, 1, 2, 4, 5, 7, 8, 9};
    return sizes[random_int(random, sizeof sizes / sizeof sizes[0])];
}

crm_block_graph random_block_graph(graph_kind kind, int node_count, int common_size, crm_random *random,
                                   crm_arena *arena) {
    ptrdiff_t pairs = (ptrdiff_t)node_count * node_count;
    ptrdiff_t most = kind == GRAPH_COMPLETE ? pairs : 2 * (ptrdiff_t)node_count;
    edge_list list = {.node_count = node_count,
                      .edges = required(CRM_ARENA_ARRAY(arena, crm_block_edge, most)),
                      .joined = required(CRM_ARENA_ZEROED(arena, bool, pairs))};
    fill_edges(kind, &list, random);

    int *size = required(CRM_ARENA_ARRAY(arena, int, node_count));
    int *name = required(CRM_ARENA_ARRAY(arena, int, node_count));
    for (int i = 0; i < node_count; i++) {
        size[i] = random_size(common_size, random);
        int other = random_int(random, i + 1);
        name[i] = name[other];
        name[other] = i;
    }
    for (int e = 0; e < list.count; e++) {
        crm_block_edge renamed = {name[list.edges[e].row], name[list.edges[e].column]};
        if (random_int(random, 2) == 1) renamed = (crm_block_edge){renamed.column, renamed.row};
        list.edges[e] = renamed;
    }
    return (crm_block_graph){node_count, size, list.count, list.edges};
}

static crm_block_matrix zero_matrix(const crm_block_graph *graph, bool symmetric, crm_arena *arena) {
    crm_block_matrix matrix;
    assert_int_equal(crm_block_matrix_create(graph, symmetric, arena, &matrix, NULL), CAROM_OK);
    return matrix;
}

// block += J_a^T J_b, J: 3 x size
static void add_gram(int rows, int columns, const double *j_a, const double *j_b, double *block) {
    for (int c = 0; c < columns; c++)
        for (int r = 0; r < rows; r++)
            for (int k = 0; k < 3; k++) block[r + rows * c] += j_a[k + 3 * r] * j_b[k + 3 * c];
}

crm_block_matrix random_definite_matrix(const crm_block_graph *graph, double mass_ratio, crm_random *random,
                                        crm_arena *arena) {
    crm_block_matrix matrix = zero_matrix(graph, true, arena);
    for (int i = 0; i < graph->node_count; i++) {
        int size = graph->node_size[i];
        for (int k = 0; k < size; k++)
            matrix.diagonal[matrix.node_block[i] + (size + 1) * k] = pow(mass_ratio, crm_random_uniform(random));
    }
    for (int e = 0; e < graph->edge_count; e++) {
        int row = graph->edge[e].row, column = graph->edge[e].column;
        int rows = graph->node_size[row], columns = graph->node_size[column];
        double j_row[3 * LARGEST_NODE], j_column[3 * LARGEST_NODE];
        for (int k = 0; k < 3 * rows; k++) j_row[k] = 0.3 * crm_random_normal(random);
        for (int k = 0; k < 3 * columns; k++) j_column[k] = 0.3 * crm_random_normal(random);
        add_gram(rows, rows, j_row, j_row, matrix.diagonal + matrix.node_block[row]);
        add_gram(columns, columns, j_column, j_column, matrix.diagonal + matrix.node_block[column]);
        add_gram(rows, columns, j_row, j_column, matrix.edges + matrix.edge_block[e]);
    }
    return matrix;
}

crm_block_matrix random_unsymmetric_matrix(const crm_block_graph *graph, crm_random *random, crm_arena *arena) {
    crm_block_matrix matrix = zero_matrix(graph, false, arena);
    ptrdiff_t edge_values = matrix.edge_block[graph->edge_count];
    for (ptrdiff_t k = 0; k < edge_values; k++) matrix.edges[k] = 0.2 * crm_random_normal(random);
    for (ptrdiff_t k = 0; k < edge_values; k++) matrix.mirror[k] = 0.2 * crm_random_normal(random);
    int *degree = required(CRM_ARENA_ZEROED(arena, int, graph->node_count));
    for (int e = 0; e < graph->edge_count; e++) {
        degree[graph->edge[e].row]++;
        degree[graph->edge[e].column]++;
    }
    for (int i = 0; i < graph->node_count; i++) {
        // A cyclic shift times a large number: its own diagonal is small unless the block is 1 x 1.
        int size = graph->node_size[i];
        double *block = matrix.diagonal + matrix.node_block[i];
        for (int k = 0; k < size * size; k++) block[k] = 0.2 * crm_random_normal(random);
        for (int c = 0; c < size; c++) block[(c + 1) % size + size * c] += 2.0 + 2.0 * degree[i];
    }
    return matrix;
}

// block <- D_row block D_column
static void scale_block(int rows, int columns, const double *d_row, const double *d_column, double *block) {
    for (int c = 0; c < columns; c++)
        for (int r = 0; r < rows; r++) block[r + rows * c] *= d_row[r] * d_column[c];
}

void change_units(crm_block_matrix *matrix, const double *d) {
    const crm_block_graph *graph = &matrix->graph;
    for (int i = 0; i < graph->node_count; i++) {
        const double *d_i = d + matrix->node_start[i];
        scale_block(graph->node_size[i], graph->node_size[i], d_i, d_i, matrix->diagonal + matrix->node_block[i]);
    }
    for (int e = 0; e < graph->edge_count; e++) {
        int row = graph->edge[e].row, column = graph->edge[e].column;
        int rows = graph->node_size[row], columns = graph->node_size[column];
        const double *d_row = d + matrix->node_start[row], *d_column = d + matrix->node_start[column];
        scale_block(rows, columns, d_row, d_column, matrix->edges + matrix->edge_block[e]);
        if (matrix->mirror != NULL) scale_block(columns, rows, d_column, d_row, matrix->mirror + matrix->edge_block[e]);
    }
}

double *dense_copy(const crm_block_matrix *matrix, crm_arena *arena) {
    ptrdiff_t n = matrix->scalar_count;
    double *dense = required(CRM_ARENA_ZEROED(arena, double, n *n));
    const crm_block_graph *graph = &matrix->graph;
    for (int i = 0; i < graph->node_count; i++) {
        int size = graph->node_size[i], start = matrix->node_start[i];
        for (int c = 0; c < size; c++)
            for (int r = 0; r < size; r++)
                dense[start + r + n * (start + c)] = matrix->diagonal[matrix->node_block[i] + r + size * c];
    }
    for (int e = 0; e < graph->edge_count; e++) {
        int row = graph->edge[e].row, column = graph->edge[e].column;
        int rows = graph->node_size[row], columns = graph->node_size[column];
        int row_start = matrix->node_start[row], column_start = matrix->node_start[column];
        for (int c = 0; c < columns; c++)
            for (int r = 0; r < rows; r++) {
                double value = matrix->edges[matrix->edge_block[e] + r + rows * c];
                dense[row_start + r + n * (column_start + c)] = value;
                dense[column_start + c + n * (row_start + r)] =
                    matrix->mirror == NULL ? value : matrix->mirror[matrix->edge_block[e] + c + columns * r];
            }
    }
    return dense;
}

double *random_vector(int count, crm_random *random, crm_arena *arena) {
    double *values = required(CRM_ARENA_ARRAY(arena, double, count));
    for (int i = 0; i < count; i++) values[i] = crm_random_normal(random);
    return values;
}

double *copy_of(int count, const double *values, crm_arena *arena) {
    double *copy = required(CRM_ARENA_ARRAY(arena, double, count));
    memcpy(copy, values, (size_t)count * sizeof(double));
    return copy;
}

double largest_magnitude(int count, const double *values) {
    double largest = 0.0;
    for (int i = 0; i < count; i++) {
        if (isnan(values[i])) return NAN;
        if (fabs(values[i]) > largest) largest = fabs(values[i]);
    }
    return largest;
}

double largest_difference(int count, const double *a, const double *b) {
    double largest = 0.0;
    for (int i = 0; i < count; i++) {
        if (isnan(a[i] - b[i])) return NAN;
        if (fabs(a[i] - b[i]) > largest) largest = fabs(a[i] - b[i]);
    }
    return largest;
}

// sums[i] += magnitudes of row i of the block
static void add_row_sums(int rows, int columns, const double *block, double *sums) {
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) sums[i] += fabs(block[i + (ptrdiff_t)rows * j]);
}

static void add_column_sums(int rows, int columns, const double *block, double *sums) {
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) sums[j] += fabs(block[i + (ptrdiff_t)rows * j]);
}

double block_matrix_norm(const crm_block_matrix *matrix, double *scratch) {
    const crm_block_graph *graph = &matrix->graph;
    memset(scratch, 0, (size_t)matrix->scalar_count * sizeof(double));
    for (int i = 0; i < graph->node_count; i++)
        add_row_sums(graph->node_size[i], graph->node_size[i], matrix->diagonal + matrix->node_block[i],
                     scratch + matrix->node_start[i]);
    for (int e = 0; e < graph->edge_count; e++) {
        int row = graph->edge[e].row, column = graph->edge[e].column;
        int rows = graph->node_size[row], columns = graph->node_size[column];
        double *of_row = scratch + matrix->node_start[row], *of_column = scratch + matrix->node_start[column];
        const double *block = matrix->edges + matrix->edge_block[e];
        add_row_sums(rows, columns, block, of_row);
        if (matrix->mirror == NULL)
            add_column_sums(rows, columns, block, of_column);
        else
            add_row_sums(columns, rows, matrix->mirror + matrix->edge_block[e], of_column);
    }
    double largest = 0.0;
    for (int i = 0; i < matrix->scalar_count; i++) {
        if (isnan(scratch[i])) return NAN;
        if (scratch[i] > largest) largest = scratch[i];
    }
    return largest;
}
