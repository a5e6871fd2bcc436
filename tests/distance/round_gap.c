// SPDX-License-Identifier: MIT
// The gap between an ellipsoid and what is none: closed forms, proofs in long double where the bodies are apart, and
// searches that may never find a shorter way out where they overlap.
#include <math.h>
#include <stdio.h>

#include "distance/measure.h"
#include "math/quat.h"
#include "reference/ellipsoid/ellipsoid_brute.h"
#include "reference/polytope/convex_body.h"
#include "support/geometry/convex_shapes.h"
#include "support/harness/check.h"

static carom_gap_witness measure(const carom_view *a, const carom_view *b, carom_distance_cache *cache) {
    crm_side side_a, side_b;
    crm_side_of(a, 0, CRM_FROM_INSIDE, &side_a);
    crm_side_of(b, 0, CRM_FROM_INSIDE, &side_b);
    carom_gap_witness w;
    crm_round_gap(&side_a, &side_b, cache, &w);
    return w;
}

static double size_of(const carom_view *a, const carom_view *b) {
    return carom_shape_bounding_radius(a->shape) + carom_shape_bounding_radius(b->shape) +
           crm_distance(a->pose.position, b->pose.position);
}

// Apart this is all there is to prove. Overlapping it proves a stationary point: the translation of this length along
// the normal separates, and leaves the bodies touching at the points.
static bool check_proof(const carom_view *a, const carom_view *b, const carom_gap_witness *w, double tolerance) {
    bool good = CHECK_NEAR(crm_length(w->normal), 1.0, 1e-14);
    good &= CHECK_NEAR(proof_defect(prove_gap(a, b, w)), 0.0, tolerance * size_of(a, b));
    good &= CHECK(w->accuracy <= tolerance * size_of(a, b));
    return good && CHECK(w->global || w->gap <= 0.0);
}

// Equal axes make a ball: its distance from a box has closed forms.
TEST(ball_meets_faces_edges_and_corners_of_a_box) {
    carom_shape *ball = ellipsoid_of(0.25, 0.25, 0.25), *box = box_of(1.0, 2.0, 4.0);
    carom_view a = place(box, 0.0, 0.0, 0.0), b;
    for (double d = -0.2; d < 1.0; d += 0.11) {
        b = place(ball, 0.5 + d, 0.1, -0.2); // beyond a face, or behind it: still the nearest face
        carom_gap_witness w = measure(&a, &b, NULL);
        CHECK_NEAR(w.gap, d - 0.25, 1e-14);
        CHECK_NEAR(crm_distance(w.normal, crm_vec3(1.0, 0.0, 0.0)), 0.0, 1e-13);
        CHECK(w.normal_unique);
        CHECK(w.global || d < 0.0); // deeper than the radius nothing is proved
        if (d < 0.0) continue;
        b = place(ball, 0.5 + 0.6 * d, 0.3, 2.0 + 0.8 * d);
        CHECK_NEAR(measure(&a, &b, NULL).gap, d - 0.25, 1e-14);
        b = place(ball, 0.5 + 2.0 / 7.0 * d, -1.0 - 3.0 / 7.0 * d, 2.0 + 6.0 / 7.0 * d);
        CHECK_NEAR(measure(&a, &b, NULL).gap, d - 0.25, 1e-14);
    }
    carom_shape_destroy(ball);
    carom_shape_destroy(box);
}

TEST(ellipsoid_over_a_facet_is_a_plane_problem) {
    sampler s = {.seed = 81};
    carom_shape *slab = box_of(20.0, 20.0, 20.0);
    for (int i = 0; i < 500; i++) {
        carom_shape *e = sample_shape(&s, CAROM_SHAPE_ELLIPSOID, 1.0, 30.0);
        double height = sample_between(&s, -1.0, 2.0);
        carom_view a = place(slab, 0.0, 0.0, 0.0), b = sample_view(&s, e, crm_vec3(0.5, 0.3, 10.0 + height));
        convex_body body = convex_body_of(&b);
        double wanted = (double)(-convex_body_support(&body, (wide3){0, 0, -1}) - 10.0L);
        carom_gap_witness w = measure(&a, &b, NULL);
        CHECK_NEAR(w.gap, wanted, 1e-13);
        CHECK_NEAR(crm_distance(w.normal, crm_vec3(0.0, 0.0, 1.0)), 0.0, 1e-13);
        CHECK(w.normal_unique);
        convex_body_free(&body);
        carom_shape_destroy(e);
    }
    carom_shape_destroy(slab);
}

static ellipsoid as_ellipsoid(const carom_view *view) {
    carom_shape_def def;
    carom_shape_get_def(view->shape, &def);
    carom_vec3 p = view->pose.position, r = def.ellipsoid.half_axes;
    if (def.kind == CAROM_SHAPE_SPHERE) r.x = r.y = r.z = def.sphere.radius;
    carom_quat q = view->pose.attitude;
    return (ellipsoid){{p.x, p.y, p.z}, {r.x, r.y, r.z}, {q.w, q.x, q.y, q.z}};
}

TEST(spheres_agree_with_the_dense_search_for_ellipsoids) {
    sampler s = {.seed = 82};
    for (int i = 0; i < 80; i++) {
        carom_shape *first = sample_shape(&s, CAROM_SHAPE_ELLIPSOID, 1.0, i % 2 == 0 ? 3.0 : 20.0);
        carom_shape *second = sample_shape(&s, CAROM_SHAPE_SPHERE, 1.0, 10.0);
        carom_view a = sample_view(&s, first, crm_vec3_zero()), b = sample_view(&s, second, sample_vec3(&s, 1.0));
        ellipsoid e1 = as_ellipsoid(&a), e2 = as_ellipsoid(&b);
        ellipsoid_result r;
        ellipsoid_brute_distance(&e1, &e2, 300, &r);
        carom_gap_witness w = measure(&a, &b, NULL);
        if (!CHECK_NEAR(w.gap, r.distance, 1e-12 * size_of(&a, &b))) fprintf(stderr, "pair %d\n", i);
        carom_shape_destroy(first);
        carom_shape_destroy(second);
    }
}

static const carom_shape_kind kinds[] = {CAROM_SHAPE_SPHERE, CAROM_SHAPE_CAPSULE, CAROM_SHAPE_BOX,
                                         CAROM_SHAPE_POLYTOPE};
enum { KINDS = 4 };

static void check_random_pairs(int pairs, double ratio, double least_size, double most_size, double tolerance) {
    sampler s = {.seed = 83};
    for (int i = 0; i < pairs; i++) {
        double size = least_size * pow(most_size / least_size, sample_between(&s, 0.0, 1.0));
        carom_shape *first = sample_shape(&s, CAROM_SHAPE_ELLIPSOID, size, ratio);
        carom_shape *second = sample_shape(&s, kinds[i % KINDS], size, ratio);
        carom_vec3 there = crm_scale(2.5 * size * sample_between(&s, 0.0, 1.0), sample_unit(&s));
        carom_view a = sample_view(&s, first, crm_vec3_zero()), b = sample_view(&s, second, there);
        carom_gap_witness w = measure(&a, &b, NULL);
        if (!check_proof(&a, &b, &w, tolerance)) fprintf(stderr, "pair %d of ratio %g, size %g\n", i, ratio, size);
        carom_shape_destroy(first);
        carom_shape_destroy(second);
    }
}

TEST(random_pairs_are_proved) {
    check_random_pairs(1500, 3.0, 1.0, 1.0, 1e-13);
}

TEST(flat_and_long_pairs_of_all_sizes_are_proved) {
    check_random_pairs(1500, 1000.0, 1e-6, 1e6, 1e-12);
}

// Overlapping pairs: no direction may be found along which they can be separated by less.
static void check_overlaps(int pairs, double ratio, int samples) {
    sampler s = {.seed = 84};
    int proved = 0, found = 0;
    for (int i = 0; i < pairs; i++) {
        carom_shape *first = sample_shape(&s, CAROM_SHAPE_ELLIPSOID, 1.0, ratio);
        carom_shape *second = sample_shape(&s, kinds[i % KINDS], 1.0, ratio);
        carom_vec3 there = crm_scale(sample_between(&s, 0.0, 0.5), sample_unit(&s));
        carom_view a = sample_view(&s, first, crm_vec3_zero()), b = sample_view(&s, second, there);
        carom_gap_witness w = measure(&a, &b, NULL);
        double best = convex_gap_search(&a, &b, samples), size = size_of(&a, &b);
        if (!CHECK(w.gap >= best - 1e-12 * size)) fprintf(stderr, "pair %d: %g, found %g\n", i, w.gap, best);
        found += best >= w.gap - 1e-4 * size; // a ridge slows the search down
        proved += w.global;
        carom_shape_destroy(first);
        carom_shape_destroy(second);
    }
    CHECK(found >= pairs * 9 / 10);
    CHECK(proved >= pairs / 20);
}

TEST(no_search_separates_overlaps_by_less) {
    check_overlaps(60, 3.0, 600);
}

TEST(no_search_separates_flat_and_long_overlaps_by_less) {
    check_overlaps(600, 20.0, 2000);
}

// Bodies of 20 cm, 2 mm apart and 2 mm deep.
TEST(near_and_shallow_pairs_are_exact_and_certain) {
    sampler s = {.seed = 85};
    for (int i = 0; i < 1000; i++) {
        carom_shape *first = sample_shape(&s, CAROM_SHAPE_ELLIPSOID, 0.1, 4.0);
        carom_shape *second = sample_shape(&s, kinds[i % KINDS], 0.1, 4.0);
        carom_view a = sample_view(&s, first, crm_vec3_zero()), b = sample_view(&s, second, sample_unit(&s));
        // Moved along the normal of the separated pair, its gap becomes whatever is wanted.
        carom_gap_witness far = measure(&a, &b, NULL);
        CHECK(far.gap > 0.0);
        for (int sign = -1; sign <= 1; sign++) {
            double wanted = 0.002 * sign;
            carom_view near = b;
            near.pose.position = crm_madd(b.pose.position, wanted - far.gap, far.normal);
            carom_gap_witness w = measure(&a, &near, NULL);
            CHECK_NEAR(w.gap, wanted, 1e-13);
            CHECK_NEAR(crm_distance(w.normal, far.normal), 0.0, 1e-11);
            CHECK(w.global);
            check_proof(&a, &near, &w, 1e-12);
        }
        carom_shape_destroy(first);
        carom_shape_destroy(second);
    }
}

TEST(swap_motion_and_start_change_nothing) {
    sampler s = {.seed = 86};
    for (int i = 0; i < 1000; i++) {
        carom_shape *first = sample_shape(&s, CAROM_SHAPE_ELLIPSOID, 1.0, 5.0);
        carom_shape *second = sample_shape(&s, kinds[i % KINDS], 1.0, 5.0);
        carom_view a = sample_view(&s, first, crm_vec3_zero()), b = sample_view(&s, second, sample_vec3(&s, 1.5));
        double tolerance = 1e-12 * size_of(&a, &b);
        carom_distance_cache cache = {0};
        carom_gap_witness w = measure(&a, &b, &cache), swapped = measure(&b, &a, NULL);
        CHECK_NEAR(swapped.gap, w.gap, tolerance);
        if (w.normal_unique) CHECK_NEAR(crm_distance(swapped.normal, crm_negate(w.normal)), 0.0, 1e-7);
        carom_quat rotation = sample_attitude(&s);
        carom_vec3 shift = sample_vec3(&s, 3.0);
        carom_view moved_a = moved_view(a, rotation, shift), moved_b = moved_view(b, rotation, shift);
        CHECK_NEAR(measure(&moved_a, &moved_b, NULL).gap, w.gap, 10.0 * tolerance);
        b.pose.position = crm_add(b.pose.position, sample_vec3(&s, 1e-3));
        carom_gap_witness near = measure(&a, &b, &cache), plain = measure(&a, &b, NULL);
        CHECK_NEAR(near.gap, plain.gap, tolerance);
        // A start from behind must not be believed, nor vertices that do not exist.
        cache = (carom_distance_cache){.gap_count = 3, .gap = {{0, 0}, {0, 1}, {1, 99}}};
        cache.gap_normal = crm_negate(plain.normal);
        CHECK_NEAR(measure(&a, &b, &cache).gap, plain.gap, tolerance);
        carom_shape_destroy(first);
        carom_shape_destroy(second);
    }
}

// A start that is off by little: the first step knows no weights, and is short for the wrong reason where the bodies
// overlap. The accuracy must be that of the answer.
TEST(starts_that_are_nearly_right_end_as_accurate_as_others) {
    sampler s = {.seed = 88};
    for (int i = 0; i < 600; i++) {
        carom_shape *first = sample_shape(&s, CAROM_SHAPE_ELLIPSOID, 1.0, 10.0);
        carom_shape *second = sample_shape(&s, kinds[i % KINDS], 1.0, 10.0);
        carom_view a = sample_view(&s, first, crm_vec3_zero()), b = sample_view(&s, second, sample_vec3(&s, 0.3));
        carom_distance_cache cache = {0};
        carom_gap_witness cold = measure(&a, &b, &cache);
        carom_vec3 off = sample_vec3(&s, pow(10.0, sample_between(&s, -11.0, -8.0)));
        crm_normalise(crm_add(cache.gap_normal, off), &cache.gap_normal);
        carom_gap_witness warm = measure(&a, &b, &cache);
        CHECK_NEAR(warm.gap, cold.gap, 1e-13);
        if (!check_proof(&a, &b, &warm, 1e-12)) fprintf(stderr, "pair %d\n", i);
        carom_shape_destroy(first);
        carom_shape_destroy(second);
    }
}

// The gap changes by the contact row of the witness: n and arm x n.
TEST(gradient_is_the_normal_at_the_points) {
    sampler s = {.seed = 87};
    const double h = 1e-5;
    for (int i = 0; i < 400; i++) {
        carom_shape *first = sample_shape(&s, CAROM_SHAPE_ELLIPSOID, 1.0, 2.0);
        carom_shape *second = sample_shape(&s, CAROM_SHAPE_SPHERE, 1.0, 2.0);
        carom_view a = sample_view(&s, first, crm_vec3_zero());
        carom_view b = sample_view(&s, second, crm_scale(sample_between(&s, 1.0, 3.0), sample_unit(&s)));
        carom_gap_witness w = measure(&a, &b, NULL);
        carom_vec3 axis = sample_unit(&s);
        if (w.global) {
            carom_view up = a, down = a;
            up.pose.attitude = crm_quat_mul(crm_quat_from_axis_angle(axis, h), a.pose.attitude);
            down.pose.attitude = crm_quat_mul(crm_quat_from_axis_angle(axis, -h), a.pose.attitude);
            double slope = (measure(&up, &b, NULL).gap - measure(&down, &b, NULL).gap) / (2.0 * h);
            CHECK_NEAR(slope, -crm_dot(axis, crm_cross(crm_sub(w.point_a, a.pose.position), w.normal)), 1e-7);
            up = down = b;
            up.pose.position = crm_madd(b.pose.position, h, axis);
            down.pose.position = crm_madd(b.pose.position, -h, axis);
            slope = (measure(&a, &up, NULL).gap - measure(&a, &down, NULL).gap) / (2.0 * h);
            CHECK_NEAR(slope, crm_dot(w.normal, axis), 1e-7);
        }
        carom_shape_destroy(first);
        carom_shape_destroy(second);
    }
}

TEST(symmetric_and_flat_pairs_have_the_right_flags_and_gaps) {
    carom_shape *cube = box_of(1.0, 1.0, 1.0), *plate = box_of(1.0, 1.0, 0.001), *egg = ellipsoid_of(0.3, 0.2, 0.1);
    carom_shape *needle = ellipsoid_of(2.0, 0.002, 0.002), *disc = ellipsoid_of(0.5, 0.5, 0.001);
    carom_view a = place(cube, 0.0, 0.0, 0.0), b = place(egg, 0.0, 0.0, 0.0);
    carom_gap_witness w = measure(&a, &b, NULL); // concentric: out along z, up or down
    CHECK_NEAR(w.gap, -0.6, 1e-14);
    CHECK_NEAR(fabs(w.normal.z), 1.0, 1e-14);
    CHECK(!w.normal_unique);
    const carom_vec3 places[] = {{0.5, 0, 0}, {0.5, 0.5, 0}, {0.5, 0.5, 0.5}, {0, 0, -0.5}};
    const double gaps[] = {-0.3, -0.2, -0.1, -0.1}; // out across the nearest face
    for (int i = 0; i < 4; i++) {
        b = place(egg, places[i].x, places[i].y, places[i].z);
        w = measure(&a, &b, NULL);
        CHECK_NEAR(w.gap, gaps[i], 1e-14);
        check_proof(&a, &b, &w, 1e-14);
    }
    // A needle upright through a plate leaves sideways, over the near edge; lying on it, upwards.
    a = place(plate, 0.0, 0.0, 0.0);
    b = place(needle, 0.3, 0.0, 0.0);
    b.pose.attitude = crm_quat_from_axis_angle(crm_vec3(0.0, 1.0, 0.0), 1.5707963267948966);
    w = measure(&a, &b, NULL);
    CHECK_NEAR(w.gap, -0.2 - 0.002, 1e-14);
    b = place(needle, 0.3, 0.0, 0.0005 + 0.002 + 1e-4);
    w = measure(&a, &b, NULL);
    CHECK_NEAR(w.gap, 1e-4, 1e-15);
    b = place(disc, 0.1, 0.1, 0.0005 + 0.001); // flat on the plate, touching exactly
    w = measure(&a, &b, NULL);
    CHECK_NEAR(w.gap, 0.0, 1e-15);
    check_proof(&a, &b, &w, 1e-14);
    carom_shape_destroy(cube);
    carom_shape_destroy(plate);
    carom_shape_destroy(egg);
    carom_shape_destroy(needle);
    carom_shape_destroy(disc);
}

TEST_MAIN(CASE(ball_meets_faces_edges_and_corners_of_a_box), CASE(ellipsoid_over_a_facet_is_a_plane_problem),
          CASE(spheres_agree_with_the_dense_search_for_ellipsoids), CASE(random_pairs_are_proved),
          CASE(flat_and_long_pairs_of_all_sizes_are_proved), CASE(no_search_separates_overlaps_by_less),
          LONG_CASE(no_search_separates_flat_and_long_overlaps_by_less),
          CASE(near_and_shallow_pairs_are_exact_and_certain), CASE(swap_motion_and_start_change_nothing),
          CASE(starts_that_are_nearly_right_end_as_accurate_as_others), CASE(gradient_is_the_normal_at_the_points),
          CASE(symmetric_and_flat_pairs_have_the_right_flags_and_gaps))
