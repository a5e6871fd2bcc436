// SPDX-License-Identifier: MIT
// Splits a problem into islands that do not act on each other.
//
// Two groups are in one island when a node, or an entry of W that is not zero, joins them, or a row of such. What
// cannot move is no node and joins nothing; nodes without a group are in no island. A mobility joins everything.
//
// Order: most rows first, so that threads start with the long ones; equals by their lowest group. Groups and nodes
// ascend within an island. So the order depends on the problem alone.
#ifndef CRM_SOLVE_ISLANDS_H
#define CRM_SOLVE_ISLANDS_H

#include "base/arena.h"
#include "carom/solve.h"
#include "solve/operator.h"
#include "solve/problem.h"

typedef struct crm_islands {
    int count;
    const int *group_start, *groups; // groups of island k at group_start[k] ... (count + 1), (group_count)
    const int *node_start, *nodes;   // (count + 1), (at most node_count)
} crm_islands;

// O(size of the problem), but for sorting the islands. The arrays live in the arena.
carom_status crm_islands_find(const carom_problem *problem, const crm_layout *layout, crm_arena *arena,
                              crm_islands *out, carom_error *error);

crm_selection crm_islands_get(const crm_islands *islands, int k);

#endif
