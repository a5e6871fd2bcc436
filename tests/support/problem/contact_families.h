// SPDX-License-Identifier: MIT
// Contact problems by the thousand, in four families of boxes at rest on each other and on the ground:
//
//     stack   columns of boxes of different widths; every column is an island
//     wall    a wall of bricks, every other layer shifted by half a brick; one island
//     grid    a block of boxes side by side and on top of each other, contacts on all faces; one island
//     pile    irregular heaps: boxes of any size and attitude, normals in any direction, 1 to 8 contacts a pair
//
// One step of gravity, tilted, and random pushes set them in motion, so that many contacts slide. Gaps are zero and
// rest is feasible: every problem has a solution. The same definition gives the same bits on every machine.
#ifndef TEST_SUPPORT_CONTACT_FAMILIES_H
#define TEST_SUPPORT_CONTACT_FAMILIES_H

#include "support/problem/contact_stacks.h"

typedef enum contact_family { FAMILY_STACK, FAMILY_WALL, FAMILY_GRID, FAMILY_PILE, FAMILY_COUNT } contact_family;

typedef enum family_law { FAMILY_EXACT, FAMILY_RELAXED, FAMILY_FRICTIONLESS } family_law;

typedef struct family_def {
    contact_family family;
    int contacts;      // about so many
    int columns;       // stack: how many columns; pile: how many heaps; 0 for one
    int per_edge;      // contacts on a face: per_edge^2 (not for piles)
    double ratio;      // largest to smallest mass
    bool heavy_on_top; // masses grow upwards from 1 / sqrt(ratio) to sqrt(ratio); else they are random in between
    double friction;   // everywhere, or in [0, friction] at random, exactly 0 for some, when `mixed`
    bool mixed;
    bool relaxed;
    double tilt; // of gravity about y, rad
    double push; // random velocities up to this, m/s and rad/s
    unsigned seed;
} family_def;

extern const char *const family_names[FAMILY_COUNT];

// What these five say, and all the rest at random from the seed: friction up to 2, tilts up to 0.8 rad, pushes, 4 to 16
// contacts on a face, masses at random or heavy on top.
family_def family_sample(contact_family family, int contacts, double ratio, family_law law, unsigned seed);

// Gravity 9.81 m/s^2 over a step of 10 ms. To be destroyed by stack_destroy. Aborts without memory.
contact_stack family_create(const family_def *def);

#endif
