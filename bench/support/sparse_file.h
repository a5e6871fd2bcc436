// SPDX-License-Identifier: MIT
// A symmetric sparse matrix and a right-hand side in a file, to hand the same problem to a peer's program.
#ifndef BENCH_SUPPORT_SPARSE_FILE_H
#define BENCH_SUPPORT_SPARSE_FILE_H

#include <stdbool.h>

#include "math/block/block_matrix.h"

// The entries of the lower triangle, in no particular order.
typedef struct bench_sparse {
    int size;
    int entry_count;
    int *row, *column;
    double *value;
    double *right_side; // (size)
} bench_sparse;

bool bench_sparse_write(const char *path, const crm_block_matrix *matrix, const double *right_side);
bool bench_sparse_read(const char *path, bench_sparse *sparse);
void bench_sparse_free(bench_sparse *sparse);

#endif
