// SPDX-License-Identifier: MIT
// Random collisions of two bodies.
#ifndef TEST_SUPPORT_COLLISION_H
#define TEST_SUPPORT_COLLISION_H

#include "carom/impact.h"
#include "support/harness/sample.h"

// Bodies of all proportions, one of them fixed in a third of the collisions; every fifth without a coefficient between
// its bounds: e is 0 or 1, mu is 0. They approach.
carom_impact_pair sample_collision(sampler *s);

// Its matrix and velocity.
carom_impact sample_impact(sampler *s);

static inline double normal_velocity(const carom_impact *impact, carom_vec3 velocity) {
    return impact->normal.x * velocity.x + impact->normal.y * velocity.y + impact->normal.z * velocity.z;
}

// Resolves; an error fails the running test.
carom_impact_result resolved(const carom_impact *impact, carom_impact_law law);

#endif
