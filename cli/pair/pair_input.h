// SPDX-License-Identifier: MIT
// The two shapes that a verb is about: from a file, or from words such as "box:1,1,1" and "sphere:0.5@2,0,0".
//
// cli/pair: two shapes, or a collision of two bodies, enter; every measure of the pair, or the impulse of every law,
// leaves as text or JSON. `carom distance`, `carom impact` and the gallery call it.
#ifndef CLI_PAIR_INPUT_H
#define CLI_PAIR_INPUT_H

#include "carom/tools.h"

typedef struct pair_input {
    carom_view a, b;
    carom_distance_options options;
    // What they live on:
    carom_scene_pair *file;
    carom_shape *shape_a, *shape_b;
} pair_input;

// Reads one word, a file, or two, a shape each; `direction` ("x,y,z") may be NULL. Returns an exit code, after a
// sentence when it is not EXIT_GOOD. Freed in any case.
int read_pair(int word_count, char **words, const char *direction, pair_input *pair);
void free_pair(pair_input *pair);

#endif
