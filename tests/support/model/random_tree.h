// SPDX-License-Identifier: MIT
// Models of random trees of joints, for tests: every kind of joint and of body, either way round.
#ifndef TEST_SUPPORT_RANDOM_TREE_H
#define TEST_SUPPORT_RANDOM_TREE_H

#include "support/harness/sample.h"
#include "support/model/world.h"

typedef struct random_tree_def {
    int links;
    bool all_kinds; // planar bodies and mass points too
    bool driven;    // springs, dampers, motors of force and position; springs between bodies; drag
    bool bounded;   // limits that are touched, velocity motors
    bool floating;  // the first body is a root and the others hang on it, directly or not; no gravity
} random_tree_def;

// Open; the joints are closed, velocities are random and not yet what the joints allow.
carom_model *random_tree(sampler *s, const random_tree_def *def);

#endif
