// SPDX-License-Identifier: MIT
// One engine's run through a heap: what its steps cost, and how wrong they are.
#ifndef BENCH_HEAPS_HEAP_RUN_H
#define BENCH_HEAPS_HEAP_RUN_H

#include "heaps/heap.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_heap_engine {
    void *engine;
    bool (*step)(void *engine); // false when the engine gives up; what is timed
    // Fills everything of the view but `before`; `made` is the number of steps: 0 asks for states alone.
    void (*read)(void *engine, int made, bench_heap_view *view);
} bench_heap_engine;

typedef struct bench_heap_result {
    int steps;                         // that were made
    bool ended;                        // all of them
    double mean, median, worst;        // processor time of a step, s
    double contacts;                   // mean of a step
    double overlap;                    // largest, of the size of the smaller body
    double residual, largest_residual; // median and largest of all steps
    // Of carom alone, by its own certificates and clocks.
    int above;                 // steps above the tolerance
    double largest_stated;     // residual
    double detection, solving; // s, mean of a step; what is left of the mean is the rest
    double budget;             // largest share of a step's budget that was taken, by work units
} bench_heap_result;

typedef struct bench_heap_run {
    const bench_heap *heap;
    bench_heap_engine engine;
    int steps;    // that shall be made
    double limit; // of processor time, s
    bool alive;
    int made;
    double spent;                // s
    double *seconds, *residuals; // (steps)
    double contacts, overlap;
    bench_heap_state *before;
    bench_heap_view view;
    bench_heap_overlaps *overlaps;
} bench_heap_run;

bench_heap_run bench_heap_run_begin(const bench_heap *heap, bench_heap_engine engine, int steps, double limit);
// At most so many steps further; false at the end.
bool bench_heap_run_on(bench_heap_run *run, int steps);
// Concludes, and gives back all memory.
bench_heap_result bench_heap_run_end(bench_heap_run *run);

// The one line that a peer prints, and back.
void bench_heap_print(const bench_heap_result *result);
bench_heap_result bench_heap_read(const char *line);

#ifdef __cplusplus
}
#endif

#endif
