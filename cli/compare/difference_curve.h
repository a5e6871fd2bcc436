// SPDX-License-Identifier: MIT
// How far two motions are from each other at each of the times at which they were compared.
#ifndef CLI_DIFFERENCE_CURVE_H
#define CLI_DIFFERENCE_CURVE_H

#include "compare/difference.h"

typedef struct difference_curve {
    int64_t count, capacity;
    double *time;                    // s
    double *largest[QUANTITY_COUNT]; // over the bodies
} difference_curve;

// The exit code, after a sentence without memory.
int add_difference(difference_curve *curve, double time, int body_count, const carom_body_state *a,
                   const carom_body_state *b);
void free_difference_curve(difference_curve *curve);

#endif
