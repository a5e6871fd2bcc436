// SPDX-License-Identifier: MIT
// Two pieces that overlap: the value t < 0 of their centre ray, beta between the means of the nodes, and how it changes
// with every node (docs/math.md 3.5, 15.5).
#ifndef CRM_STEP_FLEX_PIECE_TOUCH_H
#define CRM_STEP_FLEX_PIECE_TOUCH_H

#include "step/flex/pieces/piece_search.h"

// How an overlap changes with small motions of one body about its centre of mass; of a node its velocity alone counts.
typedef struct crm_touch_row {
    int body;
    crm_vec6 row;
} crm_touch_row;

typedef struct crm_piece_touch {
    crm_piece_couple couple;
    int body_a, body_b; // the nodes that carry most of it, or the body with a shape
    int first_row, row_count;
    double value;             // t, m
    double plane_gap;         // m
    double stiffness;         // C, N/m
    double force;             // N along the rows, damping included; of the last time that forces were asked for
    carom_vec3 normal, point; // from a to b; in the middle between both, m
} crm_piece_touch;

typedef struct crm_piece_touches {
    CRM_ARRAY(crm_piece_touch) list;
    CRM_ARRAY(crm_touch_row) rows;
    crm_piece_search search;
    CRM_ARRAY(carom_vec3) vertex_a, vertex_b; // of the couple that is looked at
    CRM_ARRAY(double) weight_a, weight_b;
} crm_piece_touches;

void crm_piece_touches_release(const carom_allocator *allocator, crm_piece_touches *touches);

// All overlaps at these motions. `stiffness` is that of two owners.
carom_status crm_piece_touches_find(const carom_state *state, const crm_pieces *pieces, const crm_motion *motions,
                                    crm_piece_touches *out, carom_error *error);

// Sum of C/2 t^2; each is added to a body that moves: *(of_body + body * stride bytes); of_body may be NULL.
double crm_piece_touches_energy(const carom_model *model, const crm_piece_touches *touches, double *of_body,
                                size_t stride);

#endif
