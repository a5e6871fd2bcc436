// SPDX-License-Identifier: MIT
// carom's own ways of measuring the pairs of narrow.h, through its public functions and with complete witnesses.
#ifndef BENCH_SUPPORT_NARROW_CAROM_H
#define BENCH_SUPPORT_NARROW_CAROM_H

#include "support/narrow.h"

typedef enum bench_carom_way {
    BENCH_CAROM_GAP, // the first optimal answer, as the peers give it
    BENCH_CAROM_GAP_SETTLED,
    BENCH_CAROM_RAY,
    BENCH_CAROM_RAY_SETTLED,
    BENCH_CAROM_BATCH, // gaps, 64 pairs a call
    BENCH_CAROM_WAYS
} bench_carom_way;

typedef struct bench_carom bench_carom;

// NULL when a shape cannot be made. Keeps the set.
bench_carom *bench_carom_make(const bench_pair_set *set);
void bench_carom_free(bench_carom *carom);

// Pairs that a function refuses count as missing. On moving sets every track has a cache.
bench_narrow_result bench_carom_run(bench_carom *carom, bench_carom_way way);

// Support points per pair of the last run, the mean and the most.
void bench_carom_supports(const bench_carom *carom, double *mean, int *most);

#endif
