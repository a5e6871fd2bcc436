// SPDX-License-Identifier: MIT
// Shapes of bodies as plans see them: convex parts, each the hull of vertices with a ball about every one of them, or a
// half-space.
//
// The room touch/: shapes and what is asked of contacts enter; rows leave, of planes that keep bodies apart (avoid.h)
// and of contacts that are planned (planned_contacts.h). Called by rows/layout.c when all else is there.
#ifndef CRM_CONTROL_CONVEX_PARTS_H
#define CRM_CONTROL_CONVEX_PARTS_H

#include "model/motion.h"

typedef struct crm_convex_part {
    int body;
    int vertex_count;
    const carom_vec3 *vertex; // from the centre of mass, principal axes, m (vertex_count)
    double radius;            // m
    double arm;               // length of the longest vertex, m
    bool half_space;          // of a body that does not move: normal . y <= offset is solid
    carom_vec3 normal;        // world, unit
    double offset;            // m
} crm_convex_part;

typedef struct crm_convex_parts {
    int count;
    const crm_convex_part *part;
    const int *first; // of body b: part[first[b]] .. part[first[b + 1]] - 1 (body_count + 1)
} crm_convex_parts;

// Of all bodies with shapes; `start` are their poses, of which those that do not move keep theirs. Refuses ellipsoids
// and containers with a sentence, of bodies for which `needed` says so (NULL: all).
carom_status crm_convex_parts_find(const carom_model *model, const crm_motion *start, const bool *needed,
                                   crm_arena *arena, crm_convex_parts *out, carom_error *error);

#endif
