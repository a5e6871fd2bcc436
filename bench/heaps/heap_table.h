// SPDX-License-Identifier: MIT
// What a contest came to, as a table or as lines of JSON, and what all of them come to beside their targets.
#ifndef BENCH_HEAPS_HEAP_TABLE_H
#define BENCH_HEAPS_HEAP_TABLE_H

#include "heaps/heap_contest.h"

void bench_heap_print_contest(bool json, const bench_heap_contest *contest);

// The figures of one setting over several heaps, against Bullet with 10 iterations.
typedef struct bench_heap_tally {
    int heaps, compared; // compared: with Bullet
    double log_ratio;    // summed over those
    double largest_ratio;
    int steps, above;
    double largest_above;   // share of the steps of one heap
    double largest_overlap; // over Bullet's; of the column apart, as its grains are spun fast
    double column_overlap;
    bool has_column;
    double largest_stated; // residual
    double budget;         // largest share that a step has taken of its own
    bool cut;              // of some heap not all steps were made
} bench_heap_tally;

void bench_heap_tally_add(bench_heap_tally *tally, const bench_heap_contest *contest, int setting);

// Rows with targets. `name` stands before what the row is about.
typedef struct bench_heap_targets {
    double mean, most;   // ratio to Bullet: geometric mean, of each; NaN: none
    double above, total; // share of the steps above the tolerance: of each heap, of all; NaN: none
    double overlap;      // over Bullet's, but for the column; NaN: none
    double column;       // that of the column; NaN: none
    double stated;       // residual of any step; NaN: none
} bench_heap_targets;

void bench_heap_print_tally(bool json, const char *name, const bench_heap_tally *tally, bench_heap_targets targets);

#endif
