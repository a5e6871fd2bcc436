// SPDX-License-Identifier: MIT
// Scenes that are stepped with an eye on their energy, for the tests of forces that are taken at the end of the step.
#ifndef TEST_STEPPED_SCENE_H
#define TEST_STEPPED_SCENE_H

#include "carom/carom.h"

typedef struct stepped_scene {
    carom_scene *scene;
    carom_state *state;
    double first, scale; // energy at the start; the largest change so far and kinetic energy, J
    double rise;         // of the energy in a step, beyond what motors and what closes joints have done: the largest, J
    double passive;      // the largest work of dampers and drag in a step, J
    double drift;        // of joints, the largest
} stepped_scene;

// A file below the source tree, or a text with ' in place of ", with overrides up to NULL.
stepped_scene stepped_from_file(const char *file, const char *const *overrides);
stepped_scene stepped_from_text(const char *text, const char *const *overrides);

// Steps until a time.
void stepped_go(stepped_scene *s, double until);
void stepped_end(stepped_scene *s);

#endif
