// SPDX-License-Identifier: MIT
// Contact problems of stacked unit boxes with redundant contacts on every face: columns, walls and blocks of boxes.
#ifndef TEST_SUPPORT_CONTACT_STACKS_H
#define TEST_SUPPORT_CONTACT_STACKS_H

#include "carom/solve.h"

typedef struct stack_def {
    int size[3];       // boxes along x, y and z (up)
    bool staggered;    // a wall: every other layer is shifted by half a box along x
    bool sideways;     // contacts between neighbours in a layer, too
    bool heavy_on_top; // masses grow upwards from 1 / sqrt(ratio) to sqrt(ratio); else they are random in between
    int per_edge;      // contacts on a face: per_edge^2
    double ratio;      // largest to smallest mass
    double friction;   // in [0, friction] at random when `mixed`, else this everywhere
    bool mixed;
    bool relaxed;
    double tilt; // of gravity about y, rad
    double push; // random velocities up to this, m/s
    unsigned seed;
} stack_def;

typedef struct contact_stack {
    carom_problem problem;
    int rows;
    carom_row_group *groups;
    carom_problem_node *nodes;
    carom_entry *entries;
    double *offset;
} contact_stack;

// Gravity 9.81 m/s^2 over a step of 10 ms. Aborts without memory.
contact_stack stack_create(const stack_def *def);
void stack_destroy(contact_stack *stack);

#endif
