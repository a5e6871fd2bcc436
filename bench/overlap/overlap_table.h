// SPDX-License-Identifier: MIT
// The test of overlapping oriented simplices beside the centre ray: operations, times, and whether they agree.
#ifndef BENCH_OVERLAP_TABLE_H
#define BENCH_OVERLAP_TABLE_H

#include <stdbool.h>

// Rows as bench/support/report.h prints them. Exits with 1, after a sentence, when the answers of a pair disagree, and
// with 3 without memory.
void bench_print_overlaps(bool json, const char *bench);

#endif
