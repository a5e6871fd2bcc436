// SPDX-License-Identifier: MIT
// Heaps from scene files, and how far their bodies get: from where they began, or from those of another run.
//
// A heap is tests/data/heaps/NAME.json or, where there is none, scenes/NAME.json. `settings` is what takes the place of
// the scene's own settings of lcp, as JSON: "{}" are the defaults.
#ifndef TEST_SUPPORT_HEAP_H
#define TEST_SUPPORT_HEAP_H

#include "carom/carom.h"

typedef struct heap {
    carom_scene *scene;
    const carom_model *model;
    carom_state *state;
} heap;

heap heap_begin(const char *name, const char *settings, int threads);
void heap_end(heap *h);

// A step, whatever becomes of it; false when it is impossible.
bool heap_step(heap *h, carom_step_report *report);
// Steps up to a time. Steps may miss their tolerance: how many did.
int heap_go(heap *h, double until);

// How far the farthest body is from where it was in `first`, as a share of its size: its centre, and its corners by
// rotation. `frame`: seen from this body, or from the world where it is CAROM_WORLD.
double heap_creep(const heap *h, const heap *first, carom_body frame);
// Distance of the centres of the bodies that can move to those of another run, m, as a mean.
double heap_distance(const heap *h, const heap *other);

#endif
