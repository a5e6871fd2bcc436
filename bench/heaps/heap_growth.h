// SPDX-License-Identifier: MIT
// What a contact costs as a heap grows: time and memory.
#ifndef BENCH_HEAPS_HEAP_GROWTH_H
#define BENCH_HEAPS_HEAP_GROWTH_H

#include <stdbool.h>

typedef struct bench_heap_growth {
    int bodies, steps;
    double seconds; // of processor time a contact in the second half of the run
    double bytes;   // of memory that the state holds at the end, over the most contacts of a step
    bool ended;
} bench_heap_growth;

// A lattice of so many of the scene's second body, in a cube, at default settings but with every step solved, also of
// what stands still; at most `limit` seconds of processor time.
bench_heap_growth bench_heap_grow(const char *file, int bodies, double limit);

#endif
