// SPDX-License-Identifier: MIT
// The centre ray of round pairs: closed forms, and proofs in long double that need no reference.
#include <math.h>
#include <stdio.h>

#include "distance/measure.h"
#include "math/quat.h"
#include "reference/polytope/convex_body.h"
#include "support/geometry/convex_shapes.h"
#include "support/harness/check.h"

// Along `direction`, or from centre to centre when that is NULL. The cache may be NULL.
static carom_ray_witness cast(const carom_view *a, const carom_view *b, const carom_vec3 *direction,
                              carom_distance_cache *cache) {
    crm_side side_a, side_b;
    crm_side_of(a, 0, CRM_FROM_VIEW, &side_a);
    crm_side_of(b, 0, CRM_FROM_VIEW, &side_b);
    carom_vec3 beta;
    crm_normalise(direction != NULL ? *direction : crm_sub(side_b.centre, side_a.centre), &beta);
    carom_ray_witness w = {.beta_moves = direction == NULL};
    crm_round_ray(&side_a, &side_b, beta, cache, &w);
    return w;
}

static double size_of(const carom_view *a, const carom_view *b) {
    return carom_shape_bounding_radius(a->shape) + carom_shape_bounding_radius(b->shape) +
           crm_distance(a->pose.position, b->pose.position);
}

// alpha proves the value from below, the points from above. A long |alpha| magnifies the rounding of the points.
static bool check_proof(const carom_view *a, const carom_view *b, const carom_ray_witness *w, double tolerance) {
    double size = size_of(a, b);
    bool good = CHECK_INT(w->outcome, CAROM_RAY_MEETS);
    good &= CHECK_NEAR(crm_dot(w->alpha, w->beta), 1.0, 1e-13 * crm_length(w->alpha));
    good &= CHECK_NEAR(crm_distance(w->normal, crm_scale(1.0 / crm_length(w->alpha), w->alpha)), 0.0, 1e-14);
    good &= CHECK_NEAR(w->plane_gap * crm_length(w->alpha), w->value, 1e-14 * size);
    good &= CHECK_NEAR(proof_defect(prove_ray(a, b, w)), 0.0, tolerance * size * crm_length(w->alpha));
    return good && CHECK(w->accuracy <= tolerance * size * crm_length(w->alpha));
}

TEST(spheres_have_their_closed_form) {
    carom_shape *small = sphere_of(0.5), *large = sphere_of(2.0);
    carom_view a = place(small, 1.0, 2.0, 3.0), b = place(large, 4.0, 6.0, 15.0);
    carom_ray_witness w = cast(&a, &b, NULL, NULL);
    CHECK_NEAR(w.value, 13.0 - 2.5, 1e-14);
    CHECK_NEAR(crm_distance(w.alpha, w.beta), 0.0, 1e-15);
    check_proof(&a, &b, &w, 1e-15);
    // Along x, 1.5 aside: the chord from the centre to the sphere of both radii is 2.
    b = place(large, 7.0, 3.5, 3.0);
    carom_vec3 x = {1.0, 0.0, 0.0};
    w = cast(&a, &b, &x, NULL);
    CHECK_NEAR(w.value, 6.0 - 2.0, 1e-14);
    check_proof(&a, &b, &w, 1e-15);
    b = place(large, 7.0, 4.6, 3.0); // 2.6 aside
    w = cast(&a, &b, &x, NULL);
    CHECK_INT(w.outcome, CAROM_RAY_MISSES);
    CHECK_NEAR(crm_distance(w.normal, crm_vec3(0.0, 1.0, 0.0)), 0.0, 1e-14);
    carom_shape_destroy(small);
    carom_shape_destroy(large);
}

TEST(sphere_meets_faces_edges_and_corners_of_a_box) {
    carom_shape *sphere = sphere_of(0.25), *box = box_of(1.0, 1.0, 1.0);
    carom_view b = place(box, 0.0, 0.0, 0.0);
    for (double distance = 0.1; distance < 3.0; distance += 0.29) {
        carom_view a = place(sphere, 0.0, 0.0, -distance);
        CHECK_NEAR(cast(&a, &b, NULL, NULL).value, distance - 0.5 - 0.25, 1e-14);
        a = place(sphere, distance * sqrt(0.5), 0.0, distance * sqrt(0.5));
        CHECK_NEAR(cast(&a, &b, NULL, NULL).value, distance - sqrt(0.5) - 0.25 * 1.0, 1e-14);
        a = place(sphere, distance / sqrt(3.0), distance / sqrt(3.0), -distance / sqrt(3.0));
        CHECK_NEAR(cast(&a, &b, NULL, NULL).value, distance - sqrt(0.75) - 0.25, 1e-14);
    }
    // Along z, 0.1 beyond the edge x = 0.5, and beyond the corner as well.
    carom_vec3 z = {0.0, 0.0, 1.0};
    carom_view a = place(sphere, 0.6, 0.2, -2.0);
    carom_ray_witness w = cast(&a, &b, &z, NULL);
    CHECK_NEAR(w.value, 1.5 - sqrt(0.0625 - 0.01), 1e-14);
    CHECK_INT(w.b.vertex_count, 2);
    a = place(sphere, 0.6, -0.7, -2.0);
    w = cast(&a, &b, &z, NULL);
    CHECK_NEAR(w.value, 1.5 - sqrt(0.0625 - 0.05), 1e-14);
    CHECK_INT(w.b.vertex_count, 1);
    // Touching a face: a value of nothing but rounding.
    a = place(sphere, 0.0, 0.0, -0.75);
    CHECK_NEAR(cast(&a, &b, NULL, NULL).value, 0.0, 1e-15);
    carom_shape_destroy(sphere);
    carom_shape_destroy(box);
}

TEST(capsules_and_ellipsoids_have_their_closed_forms) {
    carom_shape *capsule = capsule_of(0.2, 1.0), *ellipsoid = ellipsoid_of(1.0, 0.5, 0.25),
                *slab = box_of(9.0, 9.0, 1.0);
    carom_vec3 x = {1.0, 0.0, 0.0}, z = {0.0, 0.0, 1.0};
    // Crossed at right angles, each off its middle: axes along z and y.
    carom_view a = place(capsule, 0.0, 0.3, 0.1), b = place(capsule, 2.0, 0.0, 0.0);
    b.pose.attitude = crm_quat_from_axis_angle(x, 1.5707963267948966);
    carom_ray_witness w = cast(&a, &b, &x, NULL);
    CHECK_NEAR(w.value, 2.0 - 0.4, 1e-14);
    CHECK_NEAR(crm_distance(w.point_a, crm_vec3(0.2, 0.3, 0.0)), 0.0, 1e-14);
    CHECK_NEAR(crm_distance(w.point_b, crm_vec3(1.8, 0.3, 0.0)), 0.0, 1e-14);
    // A rotated ellipsoid over a facet, looking straight down: the half-height is sqrt(z.Q z).
    carom_quat rotation = crm_quat_from_axis_angle(crm_vec3(1.0, 0.0, 0.0), 0.7);
    a = place(slab, 0.0, 0.0, 0.0);
    b = place(ellipsoid, 1.0, -0.5, 2.0);
    b.pose.attitude = rotation;
    w = cast(&a, &b, &z, NULL);
    CHECK_NEAR(w.value, 1.5 - hypot(0.5 * sin(0.7), 0.25 * cos(0.7)), 1e-14);
    CHECK_NEAR(crm_distance(w.alpha, z), 0.0, 1e-14);
    CHECK_INT(w.b.vertex_count, 1);
    CHECK_INT(w.b.vertices[0], 0);
    carom_shape_destroy(capsule);
    carom_shape_destroy(ellipsoid);
    carom_shape_destroy(slab);
}

static const carom_shape_kind kinds[] = {CAROM_SHAPE_SPHERE, CAROM_SHAPE_ELLIPSOID, CAROM_SHAPE_CAPSULE,
                                         CAROM_SHAPE_BOX, CAROM_SHAPE_POLYTOPE};
enum { KINDS = 5, ROUND_KINDS = 3 };

static void check_random_pairs(int pairs, double ratio, double least_size, double most_size, double tolerance) {
    sampler s = {.seed = 71};
    for (int i = 0; i < pairs; i++) {
        double size = least_size * pow(most_size / least_size, sample_between(&s, 0.0, 1.0));
        carom_shape *first = sample_shape(&s, kinds[i % ROUND_KINDS], size, ratio);
        carom_shape *second = sample_shape(&s, kinds[i / ROUND_KINDS % KINDS], size, ratio);
        double distance = 2.5 * size * sample_between(&s, 0.01, 1.0);
        carom_vec3 there = crm_scale(distance, sample_unit(&s));
        carom_view a = sample_view(&s, first, crm_vec3_zero()), b = sample_view(&s, second, there);
        carom_ray_witness w = cast(&a, &b, NULL, NULL);
        if (!check_proof(&a, &b, &w, tolerance)) fprintf(stderr, "pair %d of ratio %g, size %g\n", i, ratio, size);
        carom_shape_destroy(first);
        carom_shape_destroy(second);
    }
}

TEST(random_pairs_are_proved) {
    check_random_pairs(1500, 3.0, 1.0, 1.0, 1e-14);
}

TEST(flat_and_long_pairs_of_all_sizes_are_proved) {
    check_random_pairs(1500, 1000.0, 1e-6, 1e6, 1e-12);
}

// Any direction: it meets with a proof, or misses with a plane that contains it and separates.
TEST(given_directions_meet_or_miss_with_a_proof) {
    sampler s = {.seed = 72};
    int misses = 0;
    for (int i = 0; i < 1500; i++) {
        carom_shape *first = sample_shape(&s, kinds[i % ROUND_KINDS], 1.0, 10.0);
        carom_shape *second = sample_shape(&s, kinds[i / ROUND_KINDS % KINDS], 1.0, 10.0);
        carom_view a = sample_view(&s, first, crm_vec3_zero()), b = sample_view(&s, second, sample_vec3(&s, 2.0));
        carom_vec3 direction = crm_add(b.pose.position, sample_vec3(&s, 2.0));
        carom_ray_witness w = cast(&a, &b, &direction, NULL);
        if (w.outcome == CAROM_RAY_MISSES) {
            misses++;
            convex_body body_a = convex_body_of(&a), body_b = convex_body_of(&b);
            CHECK_NEAR(crm_dot(w.normal, w.beta), 0.0, 1e-14);
            CHECK_NEAR(crm_length(w.normal), 1.0, 1e-14);
            if (!CHECK(convex_separation(&body_a, &body_b, w.normal) > 0.0L)) fprintf(stderr, "pair %d\n", i);
            convex_body_free(&body_a);
            convex_body_free(&body_b);
        } else if (!check_proof(&a, &b, &w, 1e-12)) {
            fprintf(stderr, "pair %d\n", i);
        }
        carom_shape_destroy(first);
        carom_shape_destroy(second);
    }
    CHECK(misses > 150 && misses < 1350);
}

// A line that passes at a distance from grazing to none: the switch comes where it should.
TEST(line_that_grazes_is_told_from_one_that_misses) {
    carom_shape *capsule = capsule_of(0.3, 1.0), *box = box_of(1.0, 1.0, 1.0);
    carom_view b = place(box, 3.0, 0.0, 0.0);
    carom_vec3 x = {1.0, 0.0, 0.0};
    for (int k = 1; k <= 12; k++) {
        double aside = pow(10.0, -k);
        carom_view a = place(capsule, 0.0, 0.8 - aside, 0.0);
        carom_ray_witness w = cast(&a, &b, &x, NULL);
        CHECK_INT(w.outcome, CAROM_RAY_MEETS);
        CHECK_NEAR(w.value, 2.5 - sqrt(0.09 - (0.3 - aside) * (0.3 - aside)), 1e-15 / sqrt(aside));
        a = place(capsule, 0.0, 0.8 + aside, 0.0);
        CHECK_INT(cast(&a, &b, &x, NULL).outcome, CAROM_RAY_MISSES);
    }
    carom_shape_destroy(capsule);
    carom_shape_destroy(box);
}

TEST(swap_motion_and_start_change_nothing) {
    sampler s = {.seed = 73};
    long cold = 0, warm = 0;
    for (int i = 0; i < 1500; i++) {
        carom_shape *first = sample_shape(&s, kinds[i % ROUND_KINDS], 1.0, 5.0);
        carom_shape *second = sample_shape(&s, kinds[i / ROUND_KINDS % KINDS], 1.0, 5.0);
        carom_view a = sample_view(&s, first, crm_vec3_zero()), b = sample_view(&s, second, sample_vec3(&s, 1.5));
        double size = size_of(&a, &b);
        carom_distance_cache cache = {0};
        carom_ray_witness w = cast(&a, &b, NULL, &cache), swapped = cast(&b, &a, NULL, NULL);
        double tolerance = 1e-13 * size * crm_length(w.alpha);
        CHECK_NEAR(swapped.value, w.value, tolerance);
        CHECK_NEAR(crm_distance(swapped.normal, crm_negate(w.normal)), 0.0, 1e-7);
        carom_quat rotation = sample_attitude(&s);
        carom_vec3 shift = sample_vec3(&s, 3.0);
        carom_view moved_a = moved_view(a, rotation, shift), moved_b = moved_view(b, rotation, shift);
        carom_ray_witness moved = cast(&moved_a, &moved_b, NULL, NULL);
        CHECK_NEAR(moved.value, w.value, 10.0 * tolerance);
        CHECK_NEAR(crm_distance(moved.normal, crm_quat_rotate(rotation, w.normal)), 0.0, 1e-7);
        b.pose.position = crm_add(b.pose.position, sample_vec3(&s, 1e-3));
        carom_ray_witness near = cast(&a, &b, NULL, &cache), plain = cast(&a, &b, NULL, NULL);
        CHECK_NEAR(near.value, plain.value, tolerance);
        cold += plain.supports;
        warm += near.supports;
        carom_shape_destroy(first);
        carom_shape_destroy(second);
    }
    CHECK(3 * warm < 2 * cold);
}

// For a direction that stays, the value changes with B by alpha and arm x alpha, with A by the opposite.
TEST(gradient_is_alpha_at_the_points) {
    sampler s = {.seed = 74};
    const double h = 1e-5;
    int checked = 0;
    for (int i = 0; i < 600; i++) {
        carom_shape *first = sample_shape(&s, kinds[i % ROUND_KINDS], 1.0, 2.0);
        carom_shape *second = sample_shape(&s, kinds[i / ROUND_KINDS % 2], 1.0, 2.0); // smooth: no change of vertices
        carom_view a = sample_view(&s, first, crm_vec3_zero()), b = sample_view(&s, second, sample_vec3(&s, 1.5));
        carom_vec3 direction = b.pose.position, axis = sample_unit(&s);
        carom_ray_witness w = cast(&a, &b, &direction, NULL);
        if (crm_length(w.alpha) < 3.0 && w.a.vertex_count == 1) { // the others are curved too much for differences
            carom_view up = b, down = b;
            up.pose.position = crm_madd(b.pose.position, h, axis);
            down.pose.position = crm_madd(b.pose.position, -h, axis);
            double slope =
                (cast(&a, &up, &direction, NULL).value - cast(&a, &down, &direction, NULL).value) / (2.0 * h);
            CHECK_NEAR(slope, crm_dot(w.alpha, axis), 1e-7);
            up = down = a;
            up.pose.attitude = crm_quat_mul(crm_quat_from_axis_angle(axis, h), a.pose.attitude);
            down.pose.attitude = crm_quat_mul(crm_quat_from_axis_angle(axis, -h), a.pose.attitude);
            slope = (cast(&up, &b, &direction, NULL).value - cast(&down, &b, &direction, NULL).value) / (2.0 * h);
            CHECK_NEAR(slope, -crm_dot(axis, crm_cross(crm_sub(w.point_a, a.pose.position), w.alpha)), 1e-7);
            checked++;
        }
        carom_shape_destroy(first);
        carom_shape_destroy(second);
    }
    CHECK(checked > 300);
}

// Centres that coincide, and on faces, edges and corners: along any direction there is an answer with a proof.
TEST(centres_in_bad_places_are_proved) {
    sampler s = {.seed = 75};
    carom_shape *box = box_of(1.0, 2.0, 0.02),
                *round[] = {sphere_of(0.1), capsule_of(0.1, 0.5), ellipsoid_of(0.5, 0.5, 0.001),
                            ellipsoid_of(2.0, 0.002, 0.002)};
    const carom_vec3 centres[] = {{0, 0, 0}, {0.5, 0, 0}, {0.5, 1, 0}, {0.5, 1, 0.01}, {0, 0, 0.01}};
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < 5; j++)
            for (int i = 0; i < 12; i++) {
                carom_view a = place(round[k], centres[j].x, centres[j].y, centres[j].z), b = place(box, 0, 0, 0);
                carom_vec3 direction = sample_unit(&s);
                if (i < 3) direction = crm_with_component(crm_vec3_zero(), i, 1.0); // along the symmetry
                if (i > 5) a.pose.attitude = sample_attitude(&s);
                carom_ray_witness w = cast(&a, &b, &direction, NULL);
                if (!check_proof(&a, &b, &w, 1e-12)) fprintf(stderr, "shape %d place %d direction %d\n", k, j, i);
            }
    for (int k = 0; k < 4; k++) carom_shape_destroy(round[k]);
    carom_shape_destroy(box);
}

TEST_MAIN(CASE(spheres_have_their_closed_form), CASE(sphere_meets_faces_edges_and_corners_of_a_box),
          CASE(capsules_and_ellipsoids_have_their_closed_forms), CASE(random_pairs_are_proved),
          CASE(flat_and_long_pairs_of_all_sizes_are_proved), CASE(given_directions_meet_or_miss_with_a_proof),
          CASE(line_that_grazes_is_told_from_one_that_misses), CASE(swap_motion_and_start_change_nothing),
          CASE(gradient_is_alpha_at_the_points), CASE(centres_in_bad_places_are_proved))
