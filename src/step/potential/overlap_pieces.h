// SPDX-License-Identifier: MIT
#ifndef CRM_STEP_OVERLAP_PIECES_H
#define CRM_STEP_OVERLAP_PIECES_H

#include "step/potential/overlap.h"

// Value and rows of a piece from a ray of these views, at these motions.
void crm_piece_set(const carom_view *a, const carom_view *b, const crm_overlap_pair *pair, const crm_motion *motions,
                   const carom_ray_witness *ray, crm_piece *piece);

// Follows a piece to these views, whose ray is known. False: it is deeper than the ray, so that it bounds the overlap
// no more, or it has lost its meaning.
bool crm_piece_follow(const carom_view *a, const carom_view *b, const crm_overlap_pair *pair, const crm_motion *motions,
                      crm_piece *piece);

// What the ray has found, as pieces to be followed: every corner over a half-space that it lies between, or the
// triangle that it pierced. How many; none of shapes without corners.
int crm_pieces_of_ray(const carom_view *a, const carom_view *b, const crm_overlap_pair *pair,
                      crm_piece out[CAROM_TOUCH_VERTICES]);

#endif
