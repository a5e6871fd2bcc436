// SPDX-License-Identifier: MIT
// Random models for tests of methods with contact: bodies of every shape in random static geometry, joined by every
// kind of joint with limits, springs and motors.
#ifndef TEST_SUPPORT_RANDOM_SCENE_H
#define TEST_SUPPORT_RANDOM_SCENE_H

#include "support/geometry/touching.h"
#include "support/harness/sample.h"

// Bodies that a test brings along; nothing by default. The first material is there already.
typedef struct scene_guests {
    void (*add)(carom_model *model, void *user);
    void *user;
} scene_guests;

// Open. 10 to 30 bodies that can move, apart from each other at first, masses of 1 to 1,000 kg, friction of 0 to 2;
// every seventh scene has restitution.
carom_model *random_scene(uint64_t seed);
// The same with bodies that are added before all others.
carom_model *random_scene_after(const scene_guests *first, uint64_t seed);

// Any bounded shape within this radius of its origin, m; a compound is a box and a polytope.
carom_model_shape random_shape(carom_model *model, sampler *s, carom_shape_kind kind, double radius);

#endif
