// SPDX-License-Identifier: MIT
// Which pieces can touch at given motions: those whose boxes meet, touching included. Boxes of owners first, then
// pieces of two owners within the meeting of these, both by sorting and sweeping. The couples depend on nothing but the
// motions, and come in the same order always.
#ifndef CRM_STEP_FLEX_PIECE_SEARCH_H
#define CRM_STEP_FLEX_PIECE_SEARCH_H

#include "contact/item.h"
#include "step/flex/pieces/pieces.h"

// Two pieces, or a piece and a body with a shape.
typedef struct crm_piece_couple {
    int owner_a, owner_b; // a's is flexible
    int a, b;             // pieces; b is -1 of a body with a shape
} crm_piece_couple;

typedef CRM_ARRAY(crm_piece_couple) crm_piece_couples;

// Something in a sweep: where it begins along the axis, and which it is.
typedef struct crm_sweep_entry {
    double low;
    int which;
} crm_sweep_entry;

typedef CRM_ARRAY(crm_sweep_entry) crm_sweep_list;

typedef struct crm_piece_search {
    CRM_ARRAY(crm_box) owner_box;
    CRM_ARRAY(crm_box) piece_box;
    CRM_ARRAY(bool) boxed; // owners whose pieces have boxes now
    crm_sweep_list owners, list_a, list_b;
    crm_piece_couples couples; // the answer
} crm_piece_search;

void crm_piece_search_release(const carom_allocator *allocator, crm_piece_search *search);

// False: no memory.
bool crm_piece_search_update(const carom_model *model, const crm_pieces *pieces, const crm_motion *motions,
                             crm_piece_search *search);

#endif
