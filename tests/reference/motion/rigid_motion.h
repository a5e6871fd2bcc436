// SPDX-License-Identifier: MIT
// The motion of bodies under springs and charges by the Newton-Euler equations and many small steps of the classical
// Runge-Kutta method: slow, simple, and with none of carom's code for models and steps.
#ifndef TEST_REFERENCE_RIGID_MOTION_H
#define TEST_REFERENCE_RIGID_MOTION_H

#include "carom/step.h"

enum { REFERENCE_BODIES = 4, REFERENCE_PAIRS = 16 };

typedef struct reference_body {
    carom_body_kind kind;
    double mass;
    carom_vec3 moments; // the body frame is the principal one: no centre, diagonal inertia
    carom_body_state start;
} reference_body;

// A spring (stiffness > 0) or two charges (coulomb != 0) between points of two bodies; -1 is the world.
typedef struct reference_pair {
    int a, b;
    carom_vec3 point_a, point_b;
    double stiffness, rest_length;
    double charge_a, charge_b; // unit Coulomb constant
} reference_pair;

typedef struct reference_world {
    carom_vec3 gravity;
    int body_count, pair_count;
    reference_body body[REFERENCE_BODIES];
    reference_pair pair[REFERENCE_PAIRS];
} reference_world;

// The states at `time`, reached in `steps` steps. Planar bodies rotate about z by moments.z.
void reference_move(const reference_world *world, double time, int steps, carom_body_state end[REFERENCE_BODIES]);

// The same world as a model of carom.
carom_model *reference_model(const reference_world *world);

#endif
