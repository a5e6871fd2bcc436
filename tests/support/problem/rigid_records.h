// SPDX-License-Identifier: MIT
// A contact problem of bodies as one island of packed records, whether or not it falls into several.
#ifndef TEST_SUPPORT_RIGID_RECORDS_H
#define TEST_SUPPORT_RIGID_RECORDS_H

#include "solve/rigid/newton/rigid_newton.h"

typedef struct rigid_island {
    const carom_problem *problem;
    crm_rigid_system system;
    crm_rigid_members members;
    int batch_count;
    int *row_start; // of the problem's groups
    int *place;     // of a group: batch * lanes + lane of a contact, or -1 - number of a block
    int rows;
} rigid_island;

// Groups must act on one or two nodes; cones have three rows and one friction law, exact or relaxed. Contacts of no
// friction are unilateral groups of one row. False for a problem that is otherwise. Aborts without memory.
bool rigid_island_create(const carom_problem *problem, rigid_island *island);
void rigid_island_destroy(rigid_island *island);

// Sets impulses (rows of the problem) and the velocities that go with them; reads the impulses.
void rigid_island_set(rigid_island *island, const double *impulse);
void rigid_island_get(const rigid_island *island, double *impulse);

#endif
