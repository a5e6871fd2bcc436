// SPDX-License-Identifier: MIT
// Bodies at random places and attitudes whose lowest points are at, or next to, internal edges of tiled floors, at
// distances from the internal edges and gaps of all orders of magnitude: they have contacts with the floor's normal
// alone, the nearest of them with the right gap.
#include <math.h>

#include "math/quat.h"
#include "support/geometry/contact_world.h"
#include "support/geometry/convex_shapes.h"
#include "support/geometry/tiled_floors.h"
#include "support/harness/check.h"

static double of_any_size(sampler *s) {
    double size = pow(10.0, sample_between(s, -13.0, -1.0));
    return sample_between(s, -1.0, 1.0) > 0.0 ? size : -size;
}

static double next_to_an_internal_edge(sampler *s) {
    static const double internal_edges[] = {-1.5, -1.0, -0.9, -0.6, -0.5, 0.0, 0.3, 0.5, 1.0};
    return internal_edges[(int)sample_between(s, 0.0, 9.0)] + of_any_size(s);
}

static carom_quat some_attitude(sampler *s, int trial) {
    if (trial % 4 == 0) return crm_quat_identity();
    if (trial % 4 == 1) return crm_quat_from_axis_angle(crm_vec3(0, 1, 0), 0.5 * 3.14159265358979323846);
    return sample_attitude(s);
}

static double some_gap(sampler *s, int trial, double margin) {
    if (trial % 3 == 0) return sample_between(s, 0.0, 0.99 * margin);
    return trial % 3 == 1 ? sample_between(s, -0.05 * margin, 0.0) : 0.01 * of_any_size(s);
}

static bool check_place(sampler *s, int trial, const carom_shape *floor, const carom_shape *body,
                        carom_contact_measure measure) {
    const double margin = 0.02;
    carom_quat attitude = some_attitude(s, trial), rotation = trial % 7 ? crm_quat_identity() : sample_attitude(s);
    carom_vec3 lowest, down = crm_quat_rotate_inverse(attitude, crm_vec3(0, 0, -1));
    if (carom_shape_get_support(body, down, &lowest, NULL, NULL) != CAROM_OK) return CHECK(false);
    lowest = crm_quat_rotate(attitude, lowest);
    double gap = some_gap(s, trial, margin);
    carom_vec3 x = {next_to_an_internal_edge(s), trial % 2 ? next_to_an_internal_edge(s) : sample_between(s, -1.3, 1.3),
                    gap};
    x = crm_sub(x, trial % 5 ? lowest : crm_vec3(0, 0, lowest.z));

    carom_contact_options options = carom_contact_options_default();
    options.measure = measure;
    carom_contact_set *set = contact_set_of(&options);
    bool floor_is_a = trial % 2 == 0;
    carom_proxy proxies[2] = {proxy_of(floor_is_a ? 0 : 2, place(floor, 0, 0, 0), 0.0),
                              proxy_of(1, carom_view_of(body, (carom_pose){x, attitude}), margin)};
    proxies[0].fixed = true;
    for (int k = 0; k < 2; k++) proxies[k].view = moved_view(proxies[k].view, rotation, crm_vec3_zero());
    update_contacts(set, 2, proxies, NULL);
    int count;
    const carom_contact *list = carom_contact_set_list(set, &count);
    carom_vec3 up = crm_quat_rotate(rotation, crm_vec3(0, 0, floor_is_a ? 1.0 : -1.0));
    double least = INFINITY;
    bool good = CHECK(count > 0);
    for (int k = 0; k < count; k++) {
        good &= CHECK_NEAR(crm_distance(list[k].normal, up), 0.0, 1e-12);
        least = fmin(least, list[k].gap);
    }
    // Contacts of capsules may end 1e-9 of their length early.
    good &= CHECK_NEAR(least, gap, 2e-12);
    if (!good) print_error("trial %d, gap %g, at %.17g %.17g\n", trial, gap, x.x, x.y);
    carom_contact_set_destroy(set);
    return good;
}

static void try_places(carom_contact_measure measure, uint64_t seed, int trials) {
    sampler s = {.seed = seed};
    carom_shape *bodies[] = {sphere_of(0.3), capsule_of(0.2, 0.6), ellipsoid_of(0.4, 0.25, 0.3), box_of(0.7, 0.5, 0.4),
                             sample_shape(&s, CAROM_SHAPE_POLYTOPE, 0.4, 1.5)};
    for (int kind = 0; kind < FLOOR_KINDS; kind++) {
        carom_shape *floor = tiled_floor(kind);
        for (int b = 0; b < 5; b++)
            for (int trial = 0; trial < trials; trial++)
                if (!check_place(&s, trial, floor, bodies[b], measure)) {
                    print_error("floor %d, body %d\n", kind, b);
                    break;
                }
        carom_shape_destroy(floor);
    }
    for (int b = 0; b < 5; b++) carom_shape_destroy(bodies[b]);
}

TEST(features_next_to_internal_edges_are_those_of_the_floor) {
    try_places(CAROM_MEASURE_FEATURES, 63, 200);
}

TEST(nearest_points_next_to_internal_edges_are_those_of_the_floor) {
    try_places(CAROM_MEASURE_GAP, 64, 200);
}

TEST(many_places_next_to_internal_edges) {
    try_places(CAROM_MEASURE_FEATURES, 65, 4000);
    try_places(CAROM_MEASURE_GAP, 66, 4000);
}

TEST_MAIN(CASE(features_next_to_internal_edges_are_those_of_the_floor),
          CASE(nearest_points_next_to_internal_edges_are_those_of_the_floor),
          LONG_CASE(many_places_next_to_internal_edges))
