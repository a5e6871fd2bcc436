// SPDX-License-Identifier: MIT
// W = H^T M^-1 H + C of a contact problem in blocks of 3 x 3, as other solvers want it.
#ifndef BENCH_SUPPORT_DELASSUS_BLOCKS_H
#define BENCH_SUPPORT_DELASSUS_BLOCKS_H

#include <stdbool.h>

#include "carom/solve.h"

typedef struct bench_block {
    int row, column; // groups
    double value[9]; // column by column
} bench_block;

typedef struct bench_blocks {
    bench_block *block; // by ascending row and column; every diagonal one is there
    int count, room;
    double *q;
} bench_blocks;

// For a problem whose groups have three rows each. False with a sentence when it cannot be packed.
bool bench_blocks_create(const carom_problem *problem, bench_blocks *out, carom_error *error);
void bench_blocks_destroy(bench_blocks *blocks);

#endif
