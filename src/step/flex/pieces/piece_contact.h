// SPDX-License-Identifier: MIT
// The contact potential of pieces, V = C/2 t^2 of every two that overlap (docs/math.md 15.5), for `newmark`.
//
// Overlaps depend on where bodies are and on nothing else. Those of the last two such places are kept: the end of a
// step is where the next one begins, and its energy is asked for, too. That changes no bit.
#ifndef CRM_STEP_FLEX_PIECE_CONTACT_H
#define CRM_STEP_FLEX_PIECE_CONTACT_H

#include "step/flex/pieces/piece_touch.h"

// Where a body is.
typedef struct crm_piece_place {
    carom_vec3 x;
    carom_quat q;
} crm_piece_place;

typedef struct crm_piece_found {
    bool known;
    crm_piece_place *place; // (body_count)
    crm_piece_touches touches;
} crm_piece_found;

typedef struct crm_piece_contact {
    crm_pieces pieces;
    crm_piece_found found[2];
    int last;         // of both: asked for last
    double *node_sum; // scratch (body_count)
} crm_piece_contact;

carom_status crm_piece_contact_prepare(carom_state *state, crm_piece_contact *contact, carom_error *error);
void crm_piece_contact_release(const carom_state *state, crm_piece_contact *contact);

// Adds the forces at these motions to `wrench`, and half of the step's impulses of damping to `damped` (body_count
// each).
carom_status crm_piece_contact_forces(carom_state *state, crm_piece_contact *contact, const crm_motion *motions,
                                      crm_vec6 *wrench, crm_vec6 *damped, carom_error *error);

// A bound of the square of the largest rate that the overlaps at these motions, which must be those asked for last,
// have without elements, (rad/s)^2.
double crm_piece_contact_rate_square(const carom_state *state, crm_piece_contact *contact);

// V at any motions; infinite for want of memory. Does not change what is kept.
double crm_piece_contact_energy(const carom_state *state, const crm_piece_contact *contact, const crm_motion *motions,
                                double *of_body, size_t stride);

// Adds what touches at these motions, where the step ends, to the table of contacts, overlaps and islands of the step.
// False: no memory.
bool crm_piece_contact_read_out(carom_state *state, crm_piece_contact *contact, const crm_motion *motions,
                                carom_step_report *report);

#endif
