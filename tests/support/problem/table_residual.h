// SPDX-License-Identifier: MIT
// The residual of the impulses in a table of contacts, found without the problem that the step was made with: from
// poses and velocities before it, contacts that were looked for anew at these poses, and the forces that acted. For
// models without joints and restitution whose bodies have their centres and principal axes as origins and axes.
#ifndef TEST_SUPPORT_TABLE_RESIDUAL_H
#define TEST_SUPPORT_TABLE_RESIDUAL_H

#include "carom/carom.h"
#include "solve/rigid/rigid_problem.h"

typedef struct table_step {
    const carom_model *model;
    double step; // s
    carom_vec3 gravity;
    const carom_body_state *before; // (bodies of the model)
    const carom_wrench *push;       // about the centres; one at most for each body
    int push_count;
    const carom_contact_state *found; // at these poses
    int found_count;
    const carom_contact_state *taken; // with the impulses of the step
    int taken_count;
} table_step;

typedef struct table_verdict {
    double residual; // the largest of all islands, each relative to its own scale
    int lost;        // impulses of pairs that are not among those found
} table_verdict;

// Impulses go to the nearest contact of their pair.
table_verdict table_residual(crm_rigid_solver *solver, const table_step *of);

#endif
