// SPDX-License-Identifier: MIT
// What a step costs when bodies have come to rest and nothing has to be solved.
#ifndef BENCH_HEAPS_HEAP_REST_H
#define BENCH_HEAPS_HEAP_REST_H

typedef struct bench_heap_rest {
    double seconds, contacts;         // of a step, processor time; mean of the last steps of the scene
    double detection, solution, rest; // of it, s
} bench_heap_rest;

// At default settings, after all of the scene's time.
bench_heap_rest bench_heap_at_rest(const char *file);

#endif
