// SPDX-License-Identifier: MIT
// carom_toi_find for one convex part of each view.
//
// The room toi/: two views and their motions enter; the first time leaves at which their gap is down to a target.
// Called by carom_toi_find (the method exact, programs), and by contact/narrow/manifold_continuous.c for pairs that
// move fast.
#ifndef CRM_DISTANCE_TOI_OF_PARTS_H
#define CRM_DISTANCE_TOI_OF_PARTS_H

#include "carom/time_of_impact.h"

// The parts' numbers are 0 for views that are no compounds. Fails, and fills `out`, like carom_toi_find.
carom_status crm_toi_of_parts(const carom_view *a, const carom_motion *motion_a, int part_a, const carom_view *b,
                              const carom_motion *motion_b, int part_b, const carom_toi_options *options,
                              carom_toi_result *out, carom_error *error);

#endif
