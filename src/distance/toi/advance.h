// SPDX-License-Identifier: MIT
// Conservative advancement: from a time with a gap above the target to one until which it stays there for sure.
//
// Along a unit vector n the *separation* of convex bodies is s(t) = n.(x_b - x_a) - h_a(n, t) - h_b(-n, t), with their
// pivots x and their extents h; it is never more than the gap, and equal to it where n is the gap's normal. So from a
// time with a gap above the target it stays there until s, along the normal of that time, has come down to it, which
// first_root.h finds with no chance to pass over it. As s touches the gap from below, the times converge like Newton's
// method where the bodies approach, and like its halving where they just graze. Where facets or edges meet that needs a
// direction that goes with them (approach.h): any direction is safe. All of this holds for overlaps, too, whose gap is
// the separation along the normal of the shortest translation, and for targets below zero.
#ifndef CRM_DISTANCE_ADVANCE_H
#define CRM_DISTANCE_ADVANCE_H

#include "distance/toi/approach.h"

// Takes the normal of the gap at a time as the direction. Returns what is proved to be left above the target: of the
// gap all but the error of its normal, m.
double crm_face(crm_approach *p, const carom_gap_witness *w, double time);

// Until when the gap stays above the target for sure, from a time when that much is left, which crm_face has told.
crm_first_root crm_advance(crm_approach *p, const carom_gap_witness *w, double left, double time, double end);

#endif
