// SPDX-License-Identifier: MIT
// Repeated measurements on a shared, noisy machine.
#ifndef BENCH_SUPPORT_TIMING_H
#define BENCH_SUPPORT_TIMING_H

// Median of `count` values; sorts them.
double bench_median(double *values, int count);

#endif
