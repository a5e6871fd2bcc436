// SPDX-License-Identifier: MIT
// Draws the pairs of narrow.h and measures them exactly, by the slow references of the tests.
#ifndef BENCH_EXACT_PAIR_SOURCE_H
#define BENCH_EXACT_PAIR_SOURCE_H

#include "support/narrow.h"

// Hulls of points that are uniform on the unit sphere, boxes with edges of 0.5 to 1.5 m, or one ellipsoid. A and B have
// any attitude; the distance of their centres is uniform about the mean one at which they touch.
typedef struct bench_pair_recipe {
    bench_solid_kind kind;
    int vertex_count;  // of hulls
    int solid_count;   // to choose from
    double touching;   // mean distance of the centres of solids that touch, m
    double spread;     // to both sides of it, m
    int pair_count;    // of a cold set
    int track_count;   // of a moving set, BENCH_TRACK_STEPS pairs each
    int checked_count; // so many pairs of a cold set, and that share of the tracks, have exact values
} bench_pair_recipe;

// From step to step B moves and rotates by this, m and rad, along and about axes that do not change.
#define BENCH_TRACK_STEP 0.005
enum { BENCH_TRACK_STEPS = 21 }; // the first is not timed

typedef struct bench_pair_source bench_pair_source;

// NULL when there is no memory or a solid cannot be made. The same solids and pairs every time.
bench_pair_source *bench_source_make(const bench_pair_recipe *recipe);
void bench_source_free(bench_pair_source *source);

// Pairs that all are in this state, and stay in it when they move. Those without exact values are sure to be by the
// balls around and inside of the solids; touching pairs all have them, and are no more than that. The solids are the
// source's: free `pairs` only.
bench_pair_set bench_source_draw(bench_pair_source *source, bench_pair_state state, bool moving);

#endif
