// SPDX-License-Identifier: MIT
// All settings of carom and all peers on one heap, in one run: they take turns, some steps each.
#ifndef BENCH_HEAPS_HEAP_CONTEST_H
#define BENCH_HEAPS_HEAP_CONTEST_H

#include "heaps/heap_run.h"

enum {
    BENCH_HEAP_SWEEPS,  // 20 sweeps
    BENCH_HEAP_DEFAULT, // as it comes
    BENCH_HEAP_FINE,    // 1e-6 within the default budget
    BENCH_HEAP_PRECISE, // 1e-8
    BENCH_HEAP_SETTINGS
};
enum { BENCH_HEAP_BULLET_10, BENCH_HEAP_BULLET_50, BENCH_HEAP_PEERS };

typedef struct bench_heap_contest {
    bench_heap heap;
    int steps;
    double tolerance[BENCH_HEAP_SETTINGS];
    bench_heap_result ours[BENCH_HEAP_SETTINGS]; // no steps: was not asked for
    bench_heap_result peers[BENCH_HEAP_PEERS];   // of the unit of length in which it is faster; no steps: absent
    int length[BENCH_HEAP_PEERS];                // that unit: so many to a metre
    double least_overlap[BENCH_HEAP_PEERS];      // of all units
} bench_heap_contest;

const char *bench_heap_setting_name(int setting);
const char *bench_heap_peer_name(int peer);

// Whether the peer's program is there.
bool bench_heap_peers_built(void);

// The first `count` settings of carom and all peers. `limit`: processor time that one run may take, s. False with a
// sentence when the heap cannot be read.
bool bench_heap_contest_run(const char *source, int count, int most_steps, double limit, bench_heap_contest *out);

#endif
