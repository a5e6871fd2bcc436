// SPDX-License-Identifier: MIT
// carom as an engine of heaps. A call that should not fail and does ends the program.
#ifndef BENCH_HEAPS_HEAP_CAROM_H
#define BENCH_HEAPS_HEAP_CAROM_H

#include "carom/tools.h"
#include "heaps/heap_run.h"

typedef struct bench_heap_carom {
    const bench_heap *heap;
    carom_state *state;
    carom_step_report report; // of the last step
    double tolerance;         // that steps are held against
    int made, above;          // steps; those of them whose certificate is above it
    double residual;          // largest that was stated
    double budget;            // largest share that a step has taken of its own
    carom_step_phases phases; // summed over some of the steps
} bench_heap_carom;

bench_heap_carom bench_heap_carom_make(const bench_heap *heap, const carom_lcp_def *settings);
void bench_heap_carom_free(bench_heap_carom *carom);

bench_heap_engine bench_heap_carom_engine(bench_heap_carom *carom);
// Adds what its certificates say.
void bench_heap_carom_conclude(const bench_heap_carom *carom, bench_heap_result *result);

#endif
