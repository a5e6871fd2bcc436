// SPDX-License-Identifier: MIT
// The least gap of two bodies on their ways: how near they come to each other in a time, proved, not sampled.
//
//   enters    two views, the points of the bodies that move at constant velocity and about which they rotate, motions
//   leaves    a number that no gap on the way is below, and a gap that is there, with its time and place
//   callers   the certificate of plans
#ifndef CRM_DISTANCE_LEAST_GAP_H
#define CRM_DISTANCE_LEAST_GAP_H

#include "carom/time_of_impact.h"

// A body on its way.
typedef struct crm_way {
    carom_view view;     // at time 0
    carom_vec3 pivot;    // world, at time 0, m: motion.velocity is its velocity, and the body rotates about it
    carom_motion motion; // constant
} crm_way;

typedef struct crm_least_gap_options {
    double duration; // s
    double accuracy; // m: `gap` is not farther below `seen` than this, or than what doubles can tell
    double enough;   // m: gaps above this need not be known; INFINITY: all
    int limit;       // queries for each pair of parts, at most
} crm_least_gap_options;

typedef struct crm_least_gap {
    double gap;         // no gap is less, m. Where all gaps are above `enough`: that, or more
    double seen;        // the least gap that was seen, m; INFINITY: nothing was near enough to look
    double time;        // of that, s
    int part_a, part_b; // of compounds
    int queries;
} crm_least_gap;

// Of two bounded shapes or one and static geometry; overlaps count negative. Fails as carom_gap_find does.
carom_status crm_least_gap_find(const crm_way *a, const crm_way *b, const crm_least_gap_options *options,
                                crm_least_gap *out, carom_error *error);

#endif
