// SPDX-License-Identifier: MIT
// Which joints make trees and which close loops: made when a model is frozen.
//
// This folder sees all joints of a model together: the graph, the linear system of bodies and joints, what is redundant
// in it, how far joints are open, and projections that close them. Poses and velocities enter, motions and forces
// leave; methods with joints call it, and states when they are made.
//
// Every body that can move is a link of a tree; the world and fixed bodies together are the ground. A link hangs on its
// parent by a joint, or is a root with the freedom of its kind. Joints of no tree that block something are closing
// joints; those that block nothing carry only springs, limits and motors.
//
// Planar bodies are links under the ground or another planar body when the joint keeps them in their plane (a hinge
// about z, a slider along x); otherwise they are roots, and their joints close loops. A mass point never carries a body
// that has an extension. Distance joints always close.
#ifndef CRM_MODEL_JOINT_GRAPH_H
#define CRM_MODEL_JOINT_GRAPH_H

#include <stdbool.h>

#include "base/arena.h"
#include "carom/status.h"
#include "carom/types.h"

typedef struct crm_tree_link {
    int body;
    int parent;    // link, smaller than this one's index; -1: the ground
    int joint;     // to the parent; -1: a root, with a free joint of its kind
    bool reversed; // the parent is the joint's b, and this body its a
    int free;      // columns of its motion: the joint's coordinates, or 6, 3 (planar), 3 (point) for a root
    int first;     // number of its first velocity coordinate in the whole system
    int depth;     // links above it
} crm_tree_link;

typedef struct crm_joint_graph {
    int link_count;
    crm_tree_link *link; // parents first (link_count)
    int *link_of_body;   // -1 for fixed bodies (body_count)
    int free_count;      // velocity coordinates of all trees together
    int row_count;       // rows of all joints
    int *first_row;      // of each joint (joint_count)
    bool *in_tree;       // (joint_count)
    int closing_count;
    int *closing;     // joints that close loops (closing_count)
    int closing_rows; // rows of them
    int longest;      // the largest depth
    // Mechanisms: joints that bodies which can move connect.
    int mechanism_count;
    int *mechanism_start; // in mechanism_joint, of each (mechanism_count + 1)
    int *mechanism_joint; // joints by mechanism, ascending in each (joint_count)
    int *mechanism;       // of a joint (joint_count)
    crm_arena arena;      // owns the arrays
} crm_joint_graph;

typedef struct carom_model carom_model;

// Fills model->graph. Without memory the graph stays empty.
carom_status crm_joint_graph_create(carom_model *model, carom_error *error);
void crm_joint_graph_free(crm_joint_graph *graph);

// The same with the links of these bodies alone, each with its parent among them or on the ground; what is not of links
// is the model's own. From the arena; not to be freed. False: no memory.
bool crm_joint_graph_of(const carom_model *model, const bool *bodies, crm_arena *arena, crm_joint_graph *out);

#endif
