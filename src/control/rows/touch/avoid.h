// SPDX-License-Identifier: MIT
// Avoided contact by planes (docs/math.md 16.8): which pairs of convex parts there are, and in which intervals a plane
// is between them.
#ifndef CRM_CONTROL_AVOID_H
#define CRM_CONTROL_AVOID_H

#include "control/rows/draft.h"
#include "control/rows/touch/convex_parts.h"

// Two convex parts of different bodies; of half-spaces `a` is one.
typedef struct crm_avoided_pair {
    const crm_convex_part *a, *b;
} crm_avoided_pair;

// A plane in an interval (or, at nodes only, at a node): alpha . y = o between the parts, alpha from a to b. Of
// half-spaces the plane is theirs and not unknown.
typedef struct crm_avoiding_plane {
    int pair, at;    // interval or node
    bool wanted;     // it gets rows when the program is written
    bool active;     // it has rows
    int32_t unknown; // alpha, then o; -1: the half-space's own, or not active
} crm_avoiding_plane;

struct crm_avoided {
    bool between_nodes;
    double margin; // m
    crm_convex_parts parts;
    int pair_count;
    const crm_avoided_pair *pair;
    int places;                // intervals, or nodes
    crm_avoiding_plane *plane; // [place * pair_count + pair]
    int32_t *bulge;            // q of a body in an interval, -1: none [interval * moving_count + slot]
};

// All pairs that the definition asks for, no plane wanted. NULL in `*out` where nothing is avoided.
carom_status crm_avoided_create(const carom_model *model, const carom_plan_def *def, int intervals,
                                const crm_motion *start, crm_arena *arena, crm_avoided **out, carom_error *error);

// Adds unknowns and rows of the planes that are wanted. Called when all that is given is known.
void crm_avoid_add(crm_draft *draft);

// The nodes at which both parts are to be on their sides of a plane: not those where the two bodies touch because their
// poses are given so. Beside such a node nothing holds between nodes by planes.
typedef struct crm_plane_nodes {
    int first, count; // 0 to 2
    bool bulges;
} crm_plane_nodes;
crm_plane_nodes crm_avoid_nodes(const crm_draft *draft, const crm_avoiding_plane *plane);

// The deepest overlap of avoided bodies at nodes where the poses of both are given, m; 0 without any.
typedef struct crm_given_overlap {
    double depth;
    int node, a, b;
} crm_given_overlap;
crm_given_overlap crm_avoid_given_overlap(const crm_draft *draft);

// q of a body that rotates from one attitude to the next.
double crm_avoid_bulge(carom_quat from, carom_quat to);

#endif
