// SPDX-License-Identifier: MIT
// Views of solids in a few words, and their events. A call that should not fail and does fails the test.
#ifndef TEST_SUPPORT_FEATURE_CASES_H
#define TEST_SUPPORT_FEATURE_CASES_H

#include "carom/features.h"
#include "support/geometry/convex_shapes.h"

enum { MOST_EVENTS = 1024 };

typedef struct found_events {
    int count;
    carom_event event[MOST_EVENTS];
} found_events;

extern const carom_quat no_turn;

// A box, prism, pyramid or hull of up to `most` points (at most 64), of size about 1.
carom_shape *random_solid(sampler *s, int most);

carom_view view_at(const carom_shape *shape, double x, double y, double z, carom_quat attitude);
carom_quat turn_about(double x, double y, double z, double degrees);
// B moved along the line of centres until the ray's value is `value`.
carom_view brought_to(const carom_view *a, const carom_view *b, double value);

// B lowered along z until it touches A, when it does.
carom_view lowered_onto(const carom_view *a, const carom_view *b);

carom_event_options events_within(double gap_tolerance, double reach);
void find_all_events(const carom_view *a, const carom_view *b, const carom_event_options *options, found_events *found);
int count_events(const found_events *found, carom_event_kind kind);

#endif
