// SPDX-License-Identifier: MIT
// Views of solids in a few words, and their feature contacts. A call that should not fail and does fails the test.
#ifndef TEST_SUPPORT_FEATURE_CASES_H
#define TEST_SUPPORT_FEATURE_CASES_H

#include "carom/features.h"
#include "support/geometry/convex_shapes.h"

enum { MOST_FEATURES = 1024 };

typedef struct found_features {
    int count;
    carom_feature_contact feature[MOST_FEATURES];
} found_features;

extern const carom_quat no_rotation;

// A box, prism, pyramid or hull of up to `most` points (at most 64), of size about 1.
carom_shape *random_solid(sampler *s, int most);

carom_view view_at(const carom_shape *shape, double x, double y, double z, carom_quat attitude);
carom_quat rotation_about(double x, double y, double z, double degrees);
// B moved along the line of centres until the ray's value is `value`.
carom_view brought_to(const carom_view *a, const carom_view *b, double value);

// B lowered along z until it touches A, when it does.
carom_view lowered_onto(const carom_view *a, const carom_view *b);

carom_feature_options features_within(double gap_tolerance, double margin);
void find_all_features(const carom_view *a, const carom_view *b, const carom_feature_options *options,
                       found_features *found);
int count_features(const found_features *found, carom_feature_contact_kind kind);

#endif
