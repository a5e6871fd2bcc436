// SPDX-License-Identifier: MIT
// carom_find_events for callers who have the ray already.
#ifndef CRM_DISTANCE_EVENTS_H
#define CRM_DISTANCE_EVENTS_H

#include "carom/events.h"
#include "distance/side.h"

// Events of two sides with polytopes, with valid options and any optimal ray of the same sides that looks from centre
// to centre. Returns how many there are; the first `capacity` of them are written.
int crm_list_events(const crm_side *a, const crm_side *b, const carom_ray_witness *ray,
                    const carom_event_options *options, int capacity, carom_event *out);

#endif
