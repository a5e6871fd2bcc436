// SPDX-License-Identifier: MIT
// The exact overlaps of a bed, and how an engine's contacts compare with them.
#ifndef BENCH_EXACT_BED_EXACT_H
#define BENCH_EXACT_BED_EXACT_H

#include "worlds/bed_run.h"

// Pairs of boxes, pairs of ellipsoids and everything on the floor that overlap at this time, with their exact gaps,
// ordered. All with the floor, and those of the first `bodies` of the bed with any. A box and an ellipsoid, which have
// no closed form, are not among them.
bench_bed_list bench_bed_overlaps(const bench_bed *bed, double time, int bodies);

typedef struct bench_bed_verdict {
    int overlaps; // that were checked
    int missed;   // of these, without a contact
    double error; // largest of the others, m: how far the pair's best contact is from the exact gap
} bench_bed_verdict;

// Sorts `found`.
bench_bed_verdict bench_bed_compare(const bench_bed_list *overlaps, bench_bed_list *found);

#endif
