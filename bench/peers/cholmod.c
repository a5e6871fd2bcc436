// SPDX-License-Identifier: MIT
// CHOLMOD's refactorization of a matrix in a file: simplicial and supernodal, ordered by AMD and by its own choice.
//
//   cholmod FILE REPETITIONS
#include <cholmod.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "support/sparse_file.h"
#include "support/timing.h"

static cholmod_sparse *to_cholmod(const bench_sparse *sparse, cholmod_common *common) {
    size_t size = (size_t)sparse->size, entries = (size_t)sparse->entry_count;
    cholmod_triplet triplets = {.nrow = size,
                                .ncol = size,
                                .nzmax = entries,
                                .nnz = entries,
                                .i = sparse->row,
                                .j = sparse->column,
                                .x = sparse->value,
                                .stype = -1,
                                .itype = CHOLMOD_INT,
                                .xtype = CHOLMOD_REAL,
                                .dtype = CHOLMOD_DOUBLE};
    return cholmod_triplet_to_sparse(&triplets, entries, common);
}

// Largest entry of A x - b over the largest of b.
static double residual(cholmod_sparse *matrix, cholmod_factor *factor, const bench_sparse *sparse,
                       cholmod_common *common) {
    cholmod_dense *b = cholmod_allocate_dense((size_t)sparse->size, 1, (size_t)sparse->size, CHOLMOD_REAL, common);
    for (int i = 0; i < sparse->size; i++) ((double *)b->x)[i] = sparse->right_side[i];
    double scale = cholmod_norm_dense(b, 0, common), one[2] = {1, 0}, minus_one[2] = {-1, 0};
    cholmod_dense *x = cholmod_solve(CHOLMOD_A, factor, b, common);
    cholmod_sdmult(matrix, 0, one, minus_one, x, b, common);
    double error = cholmod_norm_dense(b, 0, common) / scale;
    cholmod_free_dense(&b, common);
    cholmod_free_dense(&x, common);
    return error;
}

// Median seconds of a numerical factorization whose analysis is done.
static double time_factorization(cholmod_sparse *matrix, const bench_sparse *sparse, bool supernodal, int repetitions,
                                 double *error) {
    cholmod_common common;
    cholmod_start(&common);
    common.supernodal = supernodal ? CHOLMOD_SUPERNODAL : CHOLMOD_SIMPLICIAL;
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_AMD;
    common.final_ll = 1;
    cholmod_factor *factor = cholmod_analyze(matrix, &common);
    cholmod_factorize(matrix, factor, &common); // warm
    double *seconds = malloc((size_t)repetitions * sizeof(double));
    for (int i = 0; i < repetitions; i++) {
        double start = crm_clock_thread_seconds();
        cholmod_factorize(matrix, factor, &common);
        seconds[i] = crm_clock_thread_seconds() - start;
    }
    double median = common.status == CHOLMOD_OK ? bench_median(seconds, repetitions) : NAN;
    *error = residual(matrix, factor, sparse, &common);
    free(seconds);
    cholmod_free_factor(&factor, &common);
    cholmod_finish(&common);
    return median;
}

int main(int argc, char **argv) {
    bench_sparse sparse;
    if (argc != 3 || !bench_sparse_read(argv[1], &sparse)) {
        fprintf(stderr, "usage: cholmod FILE REPETITIONS\n");
        return 2;
    }
    int repetitions = atoi(argv[2]);
    cholmod_common common;
    cholmod_start(&common);
    cholmod_sparse *matrix = to_cholmod(&sparse, &common);
    double simplicial_error, supernodal_error;
    double simplicial = time_factorization(matrix, &sparse, false, repetitions, &simplicial_error);
    double supernodal = time_factorization(matrix, &sparse, true, repetitions, &supernodal_error);
    printf("{\"simplicial\":%.9g,\"simplicial_error\":%.3g,\"supernodal\":%.9g,\"supernodal_error\":%.3g}\n",
           simplicial, simplicial_error, supernodal, supernodal_error);
    cholmod_free_sparse(&matrix, &common);
    cholmod_finish(&common);
    bench_sparse_free(&sparse);
    return 0;
}
