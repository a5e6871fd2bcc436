// SPDX-License-Identifier: MIT
// Cheap proofs that two items cannot touch within the step.
#ifndef CRM_CONTACT_SEPARATING_AXIS_CACHE_H
#define CRM_CONTACT_SEPARATING_AXIS_CACHE_H

#include "contact/item.h"

// No point of a bounded view is farther from the position of its pose; of static geometry the radius, or how far the
// plane is from that position.
double crm_view_extent(const carom_view *view);

// What is between two bounded items along a unit vector from A to B, m: no more than their gap.
double crm_gap_along(const crm_item *a, const crm_item *b, carom_vec3 n);

// No more than the gap between static geometry and a body no point of which is farther than `extent` from the position
// of its pose, m.
double crm_least_wall_gap(const carom_view *around, carom_vec3 position, double extent);

#endif
