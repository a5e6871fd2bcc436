// SPDX-License-Identifier: MIT
// The first zero of a function of time of which one evaluates values, and knows how fast it may fall and bend.
//
// A function is *limited* by `fall` and `bend` when it falls by at most `fall` per second, and value - bend t^2/2 is
// concave. Minima of smooth functions are such: with y'' <= bend each, kinks and all. Between two times l apart, with
// values p and q, it is then nowhere below the parabola
//     P(x) = p (1 - x/l) + q x/l - bend x (l - x)/2,
// which proves that there is no zero where P is positive, and converges to the first zero where it is not.
#ifndef CRM_DISTANCE_FIRST_ROOT_H
#define CRM_DISTANCE_FIRST_ROOT_H

#include <stdbool.h>

typedef struct crm_limited {
    double (*value)(void *context, double time);
    void *context;
    double fall;   // per s, not negative
    double bend;   // per s^2, not negative
    double clear;  // no zero before this time
    double accept; // positive: as small as this counts as zero
} crm_limited;

typedef struct crm_first_root {
    double time;
    bool free;       // no zero up to `end`, which is `time`
    bool found;      // the value at `time` counts as zero, or the next time that doubles know is beyond the zero
    int evaluations; // of `value`
} crm_first_root;

// From `start`, where the value is `at_start` > accept, to `end`. Neither free nor found after `limit` evaluations;
// there is no zero before `time` then, either.
crm_first_root crm_find_first_root(const crm_limited *f, double start, double at_start, double end, int limit);

#endif
