// SPDX-License-Identifier: MIT
// What a run is between two of its steps, where these miss the common times of a study.
#ifndef CLI_BETWEEN_H
#define CLI_BETWEEN_H

#include "carom/step.h"
#include "study/hermite.h"

// The sums that are compared beside the bodies.
typedef struct moment {
    carom_energy energy;
    carom_momentum momentum;
} moment;

// A run after its last steps, and as it was at a common time during the last of all.
typedef struct between {
    int body_count;
    carom_body_state *node[MOST_NODES], *now; // the last node is the end of the last step
    moment node_moment[MOST_NODES], now_moment;
} between;

// The exit code, after a sentence if it is not EXIT_GOOD; to be ended in any case.
int begin_between(between *b, int body_count);
void end_between(between *b);

// Keeps what a run is as the last node, one step after what was kept before.
void keep_node(between *b, const carom_state *state, moment sums);
// At the `share` of the last step, from the last `count` nodes.
void place_between(between *b, int count, double step, double share);

#endif
