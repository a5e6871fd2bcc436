// SPDX-License-Identifier: MIT
// Which bodies of an island meet, and the symbolic factorization of that graph, kept for islands that come again.
//
// Nodes are the island's bodies in the order of its members, edges their pairs in ascending order, whatever the order
// of contacts: so a pattern is the same as long as the same bodies touch.
#ifndef CRM_SOLVE_RIGID_PATTERN_H
#define CRM_SOLVE_RIGID_PATTERN_H

#include "base/arena.h"
#include "math/block/block_symbolic.h"
#include "solve/rigid/newton/rigid_newton.h"

// How many patterns are kept; the one that was not used for longest makes room.
enum { CRM_RIGID_PATTERNS = 8 };

typedef struct crm_rigid_analysis {
    crm_arena arena;
    int node_count, edge_count;
    const crm_block_edge *edge;  // row < column (edge_count)
    crm_block_symbolic symbolic; // of one that is too dear: flop_count alone
    long long used;              // when last; 0: empty
} crm_rigid_analysis;

typedef struct crm_rigid_patterns {
    crm_rigid_analysis kept[CRM_RIGID_PATTERNS];
    long long clock;
    crm_arena scratch;
} crm_rigid_patterns;

void crm_rigid_patterns_init(crm_rigid_patterns *patterns, const carom_allocator *allocator);
void crm_rigid_patterns_free(crm_rigid_patterns *patterns);

// The analysis of an island's graph, and where things are in it, from `arena`.
typedef struct crm_rigid_pattern {
    const crm_rigid_analysis *analysis;
    int *node;      // of a slot of the island; of slot 0 and others anything (slot_count)
    int *edge_of;   // contacts, then blocks: the edge between its bodies; -1: one of them cannot move
    int *node_size; // six each (node_count)
} crm_rigid_pattern;

// A factorization of more than `most_flops` is not laid out.
carom_status crm_rigid_pattern_find(crm_rigid_patterns *patterns, const crm_rigid_system *system,
                                    const crm_rigid_members *members, double most_flops, crm_arena *arena,
                                    crm_rigid_pattern *pattern, carom_error *error);

#endif
