// SPDX-License-Identifier: MIT
#include "support/sparse_file.h"

#include <stdio.h>
#include <stdlib.h>

static void add_entry(bench_sparse *sparse, int row, int column, double value) {
    int e = sparse->entry_count++;
    sparse->row[e] = row > column ? row : column;
    sparse->column[e] = row > column ? column : row;
    sparse->value[e] = value;
}

static bool allocate_entries(bench_sparse *sparse, size_t entries) {
    sparse->row = malloc(entries * sizeof(int));
    sparse->column = malloc(entries * sizeof(int));
    sparse->value = malloc(entries * sizeof(double));
    return sparse->row != NULL && sparse->column != NULL && sparse->value != NULL;
}

static void collect_entries(const crm_block_matrix *matrix, bench_sparse *sparse) {
    const crm_block_graph *graph = &matrix->graph;
    for (int i = 0; i < graph->node_count; i++) {
        int size = graph->node_size[i], start = matrix->node_start[i];
        for (int column = 0; column < size; column++)
            for (int row = column; row < size; row++)
                add_entry(sparse, start + row, start + column,
                          matrix->diagonal[matrix->node_block[i] + row + size * column]);
    }
    for (int e = 0; e < graph->edge_count; e++) {
        int row_node = graph->edge[e].row, column_node = graph->edge[e].column, rows = graph->node_size[row_node];
        for (int column = 0; column < graph->node_size[column_node]; column++)
            for (int row = 0; row < rows; row++)
                add_entry(sparse, matrix->node_start[row_node] + row, matrix->node_start[column_node] + column,
                          matrix->edges[matrix->edge_block[e] + row + rows * column]);
    }
}

bool bench_sparse_write(const char *path, const crm_block_matrix *matrix, const double *right_side) {
    bench_sparse sparse = {.size = matrix->scalar_count};
    size_t most =
        (size_t)matrix->node_block[matrix->graph.node_count] + (size_t)matrix->edge_block[matrix->graph.edge_count];
    bool done = false;
    FILE *file = NULL;
    if (allocate_entries(&sparse, most) && (file = fopen(path, "wb")) != NULL) {
        collect_entries(matrix, &sparse);
        size_t entries = (size_t)sparse.entry_count, size = (size_t)sparse.size;
        done = fwrite(&sparse.size, sizeof(int), 1, file) == 1 &&
               fwrite(&sparse.entry_count, sizeof(int), 1, file) == 1 &&
               fwrite(sparse.row, sizeof(int), entries, file) == entries &&
               fwrite(sparse.column, sizeof(int), entries, file) == entries &&
               fwrite(sparse.value, sizeof(double), entries, file) == entries &&
               fwrite(right_side, sizeof(double), size, file) == size;
    }
    if (file != NULL && fclose(file) != 0) done = false;
    bench_sparse_free(&sparse);
    return done;
}

bool bench_sparse_read(const char *path, bench_sparse *sparse) {
    *sparse = (bench_sparse){0};
    FILE *file = fopen(path, "rb");
    if (file == NULL) return false;
    bool done = fread(&sparse->size, sizeof(int), 1, file) == 1 &&
                fread(&sparse->entry_count, sizeof(int), 1, file) == 1 && sparse->size > 0 && sparse->entry_count > 0;
    size_t entries = (size_t)sparse->entry_count, size = (size_t)sparse->size;
    done = done && allocate_entries(sparse, entries) && (sparse->right_side = malloc(size * sizeof(double))) != NULL &&
           fread(sparse->row, sizeof(int), entries, file) == entries &&
           fread(sparse->column, sizeof(int), entries, file) == entries &&
           fread(sparse->value, sizeof(double), entries, file) == entries &&
           fread(sparse->right_side, sizeof(double), size, file) == size;
    fclose(file);
    if (!done) bench_sparse_free(sparse);
    return done;
}

void bench_sparse_free(bench_sparse *sparse) {
    free(sparse->row);
    free(sparse->column);
    free(sparse->value);
    free(sparse->right_side);
    *sparse = (bench_sparse){0};
}
