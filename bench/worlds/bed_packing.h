// SPDX-License-Identifier: MIT
// Makes beds: a cell of bodies that lie as in a settled pile, and as many copies of it side by side as are wanted.
//
// The cell goes on periodically to its sides. Bodies of random sizes, places and attitudes are pressed together,
// sideways and from above, until they jam: whenever two overlap, both are pushed and rotated apart along the normal of
// carom_gap_find, each by what its mass and inertia leave to it. The order is fixed and no clock is read, so that a
// recipe gives the same cell every time.
#ifndef BENCH_SUPPORT_BED_PACKING_H
#define BENCH_SUPPORT_BED_PACKING_H

#include "worlds/bed.h"

typedef struct bench_bed_recipe {
    double box_share;       // of the number of bodies; the others are ellipsoids
    double smallest, ratio; // largest diameter of the smallest body, m; that of the largest over it
    bool bricks;            // equal bricks in courses instead, face on face
} bench_bed_recipe;

enum { BENCH_CELL_BODIES = 1000 };

typedef struct bench_cell {
    bench_bed_body bodies[BENCH_CELL_BODIES]; // at rest: what they do else is up to the bed
    double smallest;                          // as in the recipe, m
    double length, width;                     // along x and y, m
    double packing;                           // share of the volume that is filled
} bench_cell;

// False with no memory.
bool bench_cell_make(const bench_bed_recipe *recipe, bench_cell *cell);

// `columns` by `rows` copies of the cell, with a motion. No bodies when there is no memory.
bench_bed bench_bed_of(const bench_cell *cell, int columns, int rows);

#endif
