// SPDX-License-Identifier: MIT
#include "support/geometry/feature_cases.h"

#include <math.h>

#include "math/quat.h"
#include "support/geometry/polytopes.h"
#include "support/harness/check.h"

const carom_quat no_rotation = {1.0, 0.0, 0.0, 0.0};

carom_shape *random_solid(sampler *s, int most) {
    double size = sample_between(s, 0.3, 1.0);
    int sides = 3 + (int)crm_random_below(s, 5);
    switch (crm_random_below(s, 4)) {
    case 0:
        // Blocks, plates and rods, some much larger than the rest.
        return box_of(size, 0.1 * pow(50.0, sample_between(s, 0.0, 1.0)), 0.1 * pow(50.0, sample_between(s, 0.0, 1.0)));
    case 1:
        return named_polytope(CAROM_POLYTOPE_PRISM, sides, 0.6, size);
    case 2:
        return named_polytope(CAROM_POLYTOPE_PYRAMID, sides, 0.6, size);
    default: {
        carom_vec3 points[64];
        int count = 4 + (int)crm_random_below(s, (uint32_t)most - 3);
        for (int i = 0; i < count; i++) points[i] = crm_scale(0.6, sample_unit(s));
        return polytope_of_points(count, points);
    }
    }
}

carom_view view_at(const carom_shape *shape, double x, double y, double z, carom_quat attitude) {
    return carom_view_of(shape, (carom_pose){{x, y, z}, attitude});
}

carom_quat rotation_about(double x, double y, double z, double degrees) {
    carom_vec3 axis;
    crm_normalise(crm_vec3(x, y, z), &axis);
    return crm_quat_from_axis_angle(axis, degrees * (3.14159265358979323846 / 180.0));
}

carom_view brought_to(const carom_view *a, const carom_view *b, double value) {
    carom_view result = *b;
    for (int i = 0; i < 2; i++) { // the second one takes away rounding
        carom_ray_witness ray;
        carom_error error = {0};
        if (carom_ray_find(a, &result, NULL, NULL, &ray, &error) != CAROM_OK) fail_msg("%s", error.text);
        result.pose.position = crm_madd(result.pose.position, value - ray.value, ray.beta);
    }
    return result;
}

carom_view lowered_onto(const carom_view *a, const carom_view *b) {
    carom_view result = *b;
    for (int i = 0; i < 30; i++) { // each time until the nearest planes meet
        carom_gap_witness gap;
        carom_error error = {0};
        if (carom_gap_find(a, &result, NULL, NULL, &gap, &error) != CAROM_OK) fail_msg("%s", error.text);
        if (gap.normal.z < 1e-3) break;
        result.pose.position.z -= gap.gap / gap.normal.z;
    }
    return result;
}

carom_feature_options features_within(double gap_tolerance, double margin) {
    carom_feature_options options = carom_feature_options_default();
    options.gap_tolerance = gap_tolerance;
    options.margin = margin;
    return options;
}

void find_all_features(const carom_view *a, const carom_view *b, const carom_feature_options *options,
                       found_features *found) {
    carom_error error = {0};
    carom_status status = carom_features_find(a, b, options, MOST_FEATURES, found->feature, &found->count, &error);
    if (status != CAROM_OK) fail_msg("%s", error.text);
    if (found->count > MOST_FEATURES) fail_msg("%d feature contacts do not fit", found->count);
}

int count_features(const found_features *found, carom_feature_contact_kind kind) {
    int count = 0;
    for (int i = 0; i < found->count; i++) count += found->feature[i].kind == kind;
    return count;
}
