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

// A plane between two boxes: along `normal` they are `gap` apart, and so apart at least that far.
typedef struct crm_box_plane {
    carom_vec3 normal; // unit, from A to B, world
    double gap;        // m; negative: the boxes overlap along it
} crm_box_plane;

// Whether two views can be given to crm_list_box_events: boxes, seen from a point inside of them.
bool crm_are_boxes(const carom_view *a, const carom_view *b);

// carom_find_events for two boxes at poses that have been checked (crm_check_view), with valid options. Without a ray:
// the boxes' own axes and those across their edges tell its value.
//
// First asks whether an axis has them farther apart than `near`, m. Then it returns false, with that axis in `plane`
// and no events. Otherwise returns true: `count` gets how many events there are, the first `capacity` of them are
// written, and `plane` is that of the centre ray: of all planes the one with the largest gap over the distance of the
// centres along it, which is negative if and only if the boxes overlap. With an infinite `near` the events are always
// listed. At least as large as the gap_tolerance, `near` hides no events but those of boxes that are farther apart than
// it, which no step within the tolerance brings together.
bool crm_list_box_events(const carom_view *a, const carom_view *b, double near, const carom_event_options *options,
                         int capacity, carom_event *out, int *count, crm_box_plane *plane);

#endif
