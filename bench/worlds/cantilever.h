// SPDX-License-Identifier: MIT
// A cantilever of 1 m, 40 x 4 x 4 cells of elements with ten nodes, which bends under its weight by a tenth of its
// length: where it hangs, of Saint-Venant's and Kirchhoff's material.
#ifndef BENCH_WORLDS_CANTILEVER_H
#define BENCH_WORLDS_CANTILEVER_H

#include "carom/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BENCH_CANTILEVER_GRAVITY 9.81
#define BENCH_CANTILEVER_YOUNG 1.55e7
#define BENCH_CANTILEVER_POISSON 0.3

typedef struct bench_cantilever {
    carom_mesh *mesh;
    carom_elastic_def elastic;
    double *masses; // kg (nodes); their weight is all that acts
    int32_t *held;  // nodes that never move (held_count)
    int held_count;
} bench_cantilever;

// Exits without memory.
bench_cantilever bench_cantilever_make(void);
void bench_cantilever_free(bench_cantilever *cantilever);

#ifdef __cplusplus
}
#endif

#endif
