// SPDX-License-Identifier: MIT
// Convex pieces of flexible bodies, for the contact potential (docs/math.md 15.5): hulls of nodes, of every element at
// the surface or of the whole body. They are there once a state is made; where their nodes are is asked every time.
#ifndef CRM_STEP_FLEX_PIECES_H
#define CRM_STEP_FLEX_PIECES_H

#include "model/model_state.h"

// The hull of `count` nodes.
typedef struct crm_piece_nodes {
    int first, count; // in crm_pieces.node
} crm_piece_nodes;

// What pieces belong to, or touch: a flexible body, or a body with a shape.
typedef struct crm_piece_owner {
    int flex;         // -1: a body with a shape
    int body;         // that; of a flexible body its first node
    int first, count; // its pieces; of a body with a shape none
    double mass;      // that a corner in contact has, kg: of the lightest node; infinite of what cannot move
    double size;      // mean edge of its mesh, or diameter, m
} crm_piece_owner;

typedef struct crm_pieces {
    int owner_count;
    crm_piece_owner *owner; // flexible bodies first, in their order
    int flex_count;         // of them
    int piece_count;
    crm_piece_nodes *piece;
    int node_count;
    int32_t *node;  // bodies
    int most_nodes; // of a piece
} crm_pieces;

// Memory from `arena`. Containers touch no pieces, and are left out.
carom_status crm_pieces_create(const carom_model *model, crm_arena *arena, crm_pieces *out, carom_error *error);

// Whether anything of two owners may touch; of one and the same, whether it touches itself.
bool crm_piece_owners_meet(const carom_model *model, const crm_pieces *pieces, int a, int b);

#endif
