// SPDX-License-Identifier: MIT
// The ellipsoid kernels against stored cases, the dense search and the enumeration of stationary points.
#include "distance/ellipsoid/ellipsoid.h"

#include <string.h>

#include "carom/distance.h"
#include "math/quat.h"
#include "reference/ellipsoid/ellipsoid_brute.h"
#include "reference/ellipsoid/ellipsoid_cases.h"
#include "reference/ellipsoid/ellipsoid_in_sphere.h"

static carom_vec3 vector(const double *v) {
    return crm_vec3(v[0], v[1], v[2]);
}

static crm_ellipsoid kernel_ellipsoid(const ellipsoid *e) {
    carom_quat q = crm_quat_normalised((carom_quat){e->attitude[0], e->attitude[1], e->attitude[2], e->attitude[3]});
    return crm_ellipsoid_of(vector(e->centre), vector(e->axes), crm_quat_to_mat3(q));
}

static double pair_size(const ellipsoid *a, const ellipsoid *b) {
    return fmax(fmax(ellipsoid_size(a), ellipsoid_size(b)), distance_between(a->centre, b->centre));
}

static double list_gap(const json_t *object, const char *name, carom_vec3 v) {
    return oracle_gap(object, name, (double[]){v.x, v.y, v.z}, 3);
}

TEST(stored_pairs_agree) {
    json_t *file = oracle_open("ellipsoid_ellipsoid.json");
    for (int i = 0; i < oracle_count(file); i++) {
        oracle_case c = oracle_at(file, i);
        ellipsoid e1 = read_ellipsoid(c.input, "c1", "a1", "q1"), e2 = read_ellipsoid(c.input, "c2", "a2", "q2");
        crm_ellipsoid a = kernel_ellipsoid(&e1), b = kernel_ellipsoid(&e2);
        crm_ellipsoid_witness w = crm_ellipsoid_pair(&a, &b, NULL);
        double size = fmax(1.0, pair_size(&e1, &e2));
        check_error(c.id, "gap", fabs(w.gap - oracle_number(c.expected, "distance")),
                    size * oracle_tolerance(file, "distance"));
        if (!CHECK(w.normal_unique == oracle_bool(c.expected, "normal_unique"))) fprintf(stderr, "%s\n", c.id);
        if (!oracle_bool(c.expected, "normal_unique")) continue;
        double sensitivity = 1e-14 * size;
        double normal =
            fmax(oracle_tolerance(file, "normal"), sensitivity * oracle_number(c.expected, "normal_sensitivity"));
        double point =
            fmax(oracle_tolerance(file, "points"), sensitivity * oracle_number(c.expected, "point_sensitivity"));
        check_error(c.id, "normal", list_gap(c.expected, "normal", w.normal), normal);
        check_error(c.id, "point 1", list_gap(c.expected, "point1", w.point_a), size * point);
        check_error(c.id, "point 2", list_gap(c.expected, "point2", w.point_b), size * point);
    }
    json_decref(file);
}

// Of an ellipsoid over the half-space n.y <= offset.
static carom_gap_witness plane_gap(const ellipsoid *e, carom_vec3 normal, double offset) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_ELLIPSOID);
    carom_shape *body = NULL, *floor = NULL;
    carom_quat q = crm_quat_normalised((carom_quat){e->attitude[0], e->attitude[1], e->attitude[2], e->attitude[3]});
    carom_gap_witness w = {.gap = NAN};
    def.ellipsoid.half_axes = vector(e->axes);
    CHECK_INT(carom_shape_create(&def, NULL, &body, NULL), CAROM_OK);
    def = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    def.half_space = (carom_half_space){normal, offset};
    CHECK_INT(carom_shape_create(&def, NULL, &floor, NULL), CAROM_OK);
    carom_view a = carom_view_of(floor, (carom_pose){{0.0, 0.0, 0.0}, crm_quat_identity()});
    carom_view b = carom_view_of(body, (carom_pose){vector(e->centre), q});
    CHECK_INT(carom_gap_find(&a, &b, NULL, NULL, &w, NULL), CAROM_OK);
    carom_shape_destroy(body);
    carom_shape_destroy(floor);
    return w;
}

TEST(stored_planes_agree) {
    json_t *file = oracle_open("ellipsoid_plane.json");
    for (int i = 0; i < oracle_count(file); i++) {
        oracle_case c = oracle_at(file, i);
        ellipsoid e = read_ellipsoid(c.input, "c", "a", "q");
        double n[3], size = fmax(1.0, ellipsoid_size(&e));
        CHECK_INT(oracle_numbers(c.input, "plane_normal", n, 3), 3);
        carom_gap_witness w = plane_gap(&e, vector(n), oracle_number(c.input, "plane_offset"));
        check_error(c.id, "gap", fabs(w.gap - oracle_number(c.expected, "distance")), 1e-12 * size);
        check_error(c.id, "point", list_gap(c.expected, "point", w.point_b), 1e-9 * size);
        check_error(c.id, "plane point", list_gap(c.expected, "plane_point", w.point_a), 1e-9 * size);
    }
    json_decref(file);
}

static const char *family_name(crm_farthest_family family) {
    static const char *const names[] = {"unique", "two_points", "circle", "sphere"};
    return names[family];
}

TEST(stored_ellipsoids_in_spheres_agree) {
    json_t *file = oracle_open("ellipsoid_in_sphere.json");
    for (int i = 0; i < oracle_count(file); i++) {
        oracle_case c = oracle_at(file, i);
        ellipsoid e = read_ellipsoid(c.input, "c", "a", "q");
        crm_ellipsoid k = kernel_ellipsoid(&e);
        double centre[3], radius = oracle_number(c.input, "sphere_radius"),
                          size = fmax(1.0, fmax(radius, ellipsoid_size(&e)));
        CHECK_INT(oracle_numbers(c.input, "sphere_centre", centre, 3), 3);
        crm_inside_witness w = crm_ellipsoid_in_sphere(&k, vector(centre), radius);
        check_error(c.id, "gap", fabs(w.gap - oracle_number(c.expected, "distance")), 1e-12 * size);
        CHECK_TEXT(family_name(w.family), oracle_text(c.expected, "family"));
        if (w.family != CRM_FARTHEST_UNIQUE) continue;
        check_error(c.id, "point", list_gap(c.expected, "point", w.point), 1e-9 * size);
        check_error(c.id, "normal", list_gap(c.expected, "outward_normal", w.normal), 1e-9);
        check_error(c.id, "sphere point", list_gap(c.expected, "sphere_point", w.sphere_point), 1e-9 * size);
        double multiplier = oracle_number(c.expected, "multiplier");
        check_error(c.id, "multiplier", fabs(w.multiplier - multiplier), 1e-9 * fmax(1.0, fabs(multiplier)));
    }
    json_decref(file);
}

// Random pairs, apart and overlapping, round and not: the dense search may never find a higher maximum.
static void check_random_pairs(int pairs, double ratio, int starts) {
    sampler s = {.seed = 61};
    for (int i = 0; i < pairs; i++) {
        ellipsoid e1 = sample_ellipsoid(&s, ratio, 0.0), e2 = sample_ellipsoid(&s, ratio, sample_between(&s, 0.1, 2.0));
        crm_ellipsoid a = kernel_ellipsoid(&e1), b = kernel_ellipsoid(&e2);
        crm_ellipsoid_witness w = crm_ellipsoid_pair(&a, &b, NULL);
        ellipsoid_result r;
        ellipsoid_brute_distance(&e1, &e2, starts, &r);
        double size = pair_size(&e1, &e2);
        if (!CHECK_NEAR(w.gap, r.distance, 1e-12 * size)) fprintf(stderr, "pair %d of ratio %g\n", i, ratio);
        // The witness proves itself: points on the surfaces, a gap along the normal.
        CHECK_NEAR(crm_distance(crm_sub(w.point_b, w.point_a), crm_scale(w.gap, w.normal)), 0.0, 1e-9 * size);
    }
}

TEST(random_round_pairs_agree_with_the_dense_search) {
    check_random_pairs(60, 3.0, 300);
}

TEST(random_flat_and_long_pairs_agree_with_the_dense_search) {
    check_random_pairs(200, 20.0, 600);
}

// Swapping reverses the normal; a motion of both and a change of unit change nothing but rounding; a good start
// saves iterations and changes nothing.
TEST(swap_motion_unit_and_start_change_nothing) {
    sampler s = {.seed = 62};
    for (int i = 0; i < 20000; i++) {
        ellipsoid e1 = sample_ellipsoid(&s, 5.0, 0.0), e2 = sample_ellipsoid(&s, 5.0, 2.0);
        crm_ellipsoid a = kernel_ellipsoid(&e1), b = kernel_ellipsoid(&e2);
        double size = pair_size(&e1, &e2);
        crm_ellipsoid_witness w = crm_ellipsoid_pair(&a, &b, NULL), swapped = crm_ellipsoid_pair(&b, &a, NULL);
        CHECK_NEAR(swapped.gap, w.gap, 1e-13 * size);
        double unit = ldexp(1.0, (int)sample_between(&s, -20.0, 20.0));
        crm_ellipsoid large_a = crm_ellipsoid_of(crm_scale(unit, a.centre), crm_scale(unit, a.half_axes), a.axes);
        crm_ellipsoid large_b = crm_ellipsoid_of(crm_scale(unit, b.centre), crm_scale(unit, b.half_axes), b.axes);
        CHECK_NEAR(crm_ellipsoid_pair(&large_a, &large_b, NULL).gap, unit * w.gap, 1e-13 * unit * size);
        carom_mat3 rotation = crm_quat_to_mat3(sample_attitude(&s));
        carom_vec3 shift = sample_vec3(&s, 3.0);
        crm_ellipsoid moved_a = crm_ellipsoid_of(crm_add(shift, crm_mat3_apply(rotation, a.centre)), a.half_axes,
                                                 crm_mat3_mul(rotation, a.axes));
        crm_ellipsoid moved_b = crm_ellipsoid_of(crm_add(shift, crm_mat3_apply(rotation, b.centre)), b.half_axes,
                                                 crm_mat3_mul(rotation, b.axes));
        CHECK_NEAR(crm_ellipsoid_pair(&moved_a, &moved_b, NULL).gap, w.gap, 1e-13 * (size + 3.0));
        crm_ellipsoid_witness warm = crm_ellipsoid_pair(&a, &b, &w.normal);
        CHECK_NEAR(warm.gap, w.gap, 1e-13 * size);
        if (w.gap > 0.0) CHECK(warm.supports <= 3);
    }
}

// The support function, and the support point from the centre.
static double support_of(const crm_ellipsoid *e, carom_vec3 n, carom_vec3 *arm) {
    carom_vec3 stretched = crm_vec3_mul(e->half_axes, crm_mat3_apply_t(e->axes, n));
    double h = crm_length(stretched);
    *arm = crm_mat3_apply(e->axes, crm_scale(1.0 / h, crm_vec3_mul(e->half_axes, stretched)));
    return h;
}

// Posed so that the answer is known: along n, both support points lie on a line at this gap. Any gap above 0 is the
// true one; a depth of at most a^2/h of both is, see ellipsoid_newton_body.h.
static void check_posed_pairs(int pairs, double ratio, double unit, double gap, double tolerance) {
    sampler s = {.seed = 66};
    for (int i = 0; i < pairs; i++) {
        ellipsoid e1 = sample_ellipsoid(&s, ratio, 0.0), e2 = sample_ellipsoid(&s, ratio, 0.0);
        crm_ellipsoid a = kernel_ellipsoid(&e1), b = kernel_ellipsoid(&e2);
        a.half_axes = crm_scale(unit, a.half_axes);
        b.half_axes = crm_scale(unit, b.half_axes);
        carom_vec3 n = sample_unit(&s);
        carom_vec3 arm_a, arm_b;
        double of_a = support_of(&a, n, &arm_a), of_b = support_of(&b, n, &arm_b);
        double size = unit * 2.0, least_a = unit, least_b = unit;
        for (int k = 0; k < 3; k++) {
            least_a = fmin(least_a, crm_component(a.half_axes, k));
            least_b = fmin(least_b, crm_component(b.half_axes, k));
        }
        double known = gap * unit;
        if (gap < 0.0) known = 0.99 * gap * (least_a * least_a / of_a + least_b * least_b / of_b);
        b.centre = crm_madd(crm_add(arm_a, arm_b), known, n);
        crm_ellipsoid_witness w = crm_ellipsoid_pair(&a, &b, NULL);
        CHECK(w.global && w.normal_unique);
        CHECK_NEAR(w.gap, known, 1e-14 * size);
        CHECK(fabs(w.gap - known) <= w.accuracy + 1e-15 * size);
        CHECK_NEAR(crm_distance(w.normal, n), 0.0, tolerance);
        CHECK_NEAR(crm_distance(crm_sub(w.point_b, w.point_a), crm_scale(w.gap, w.normal)), 0.0, tolerance * size);
    }
}

TEST(posed_pairs_have_their_gap) {
    const double gaps[] = {1.0, 1e-2, 1e-8, 0.0, -1e-2, -0.5, -1.0};
    for (int i = 0; i < 7; i++) {
        check_posed_pairs(2000, 3.0, 1.0, gaps[i], 1e-12);
        check_posed_pairs(2000, 3.0, 1e-6, gaps[i], 1e-12);
        check_posed_pairs(2000, 3.0, 1e6, gaps[i], 1e-12);
        check_posed_pairs(2000, 50.0, 1.0, gaps[i], 1e-9);
    }
}

// Rounding of the input alone tilts the normal of a flat one by the square of the aspect.
TEST(posed_pairs_of_aspect_1000_have_their_gap) {
    check_posed_pairs(2000, 1000.0, 1.0, 1.0, 1e-7);
    check_posed_pairs(2000, 1000.0, 1.0, 1e-8, 1e-7);
    check_posed_pairs(2000, 1000.0, 1e-6, 1e-8, 1e-7);
    check_posed_pairs(2000, 1000.0, 1e6, 1e-8, 1e-7);
}

// Deep overlaps: what is said to be proved is never beaten, nor, here, what is not.
static int check_deep_pairs(int pairs, double ratio, int starts) {
    sampler s = {.seed = 67};
    int proved = 0;
    for (int i = 0; i < pairs; i++) {
        ellipsoid e1 = sample_ellipsoid(&s, ratio, 0.0), e2 = sample_ellipsoid(&s, ratio, sample_between(&s, 0.0, 0.6));
        crm_ellipsoid a = kernel_ellipsoid(&e1), b = kernel_ellipsoid(&e2);
        crm_ellipsoid_witness w = crm_ellipsoid_pair(&a, &b, NULL);
        ellipsoid_result r;
        ellipsoid_brute_distance(&e1, &e2, starts, &r);
        if (!CHECK_NEAR(w.gap, r.distance, 1e-12)) fprintf(stderr, "pair %d of ratio %g\n", i, ratio);
        proved += w.global;
    }
    return proved;
}

TEST(deep_pairs_agree_with_the_dense_search) {
    CHECK(check_deep_pairs(100, 3.0, 100) >= 50);
    CHECK(check_deep_pairs(100, 10.0, 100) >= 50);
}

TEST(many_deep_pairs_agree_with_the_dense_search) {
    check_deep_pairs(150, 3.0, 200);
    check_deep_pairs(150, 10.0, 300);
    check_deep_pairs(150, 50.0, 400);
}

// A start from the far side, where a separated pair may have another stationary point, must not be believed.
TEST(start_from_behind_finds_the_true_gap) {
    sampler s = {.seed = 63};
    for (int i = 0; i < 5000; i++) {
        ellipsoid e1 = sample_ellipsoid(&s, 30.0, 0.0), e2 = sample_ellipsoid(&s, 30.0, 3.0);
        crm_ellipsoid a = kernel_ellipsoid(&e1), b = kernel_ellipsoid(&e2);
        crm_ellipsoid_witness w = crm_ellipsoid_pair(&a, &b, NULL);
        if (w.gap <= 0.0) continue;
        carom_vec3 behind = crm_negate(w.normal);
        CHECK_NEAR(crm_ellipsoid_pair(&a, &b, &behind).gap, w.gap, 1e-12 * pair_size(&e1, &e2));
    }
}

TEST(second_maximum_in_a_sphere_agrees_with_the_enumeration) {
    sampler s = {.seed = 64};
    int seconds = 0;
    for (int i = 0; i < 3000; i++) {
        ellipsoid e = sample_ellipsoid(&s, 4.0, 0.3);
        crm_ellipsoid k = kernel_ellipsoid(&e);
        double centre[3] = {0.0, 0.0, 0.0}, radius = 3.0;
        stationary_point list[STATIONARY_MAX];
        int count = ellipsoid_stationary_points(&e, centre, list);
        crm_inside_witness w = crm_ellipsoid_in_sphere(&k, crm_vec3_zero(), radius);
        CHECK_NEAR(w.gap, radius - list[0].distance, 1e-13 * radius);
        int second = 1;
        while (second < count && list[second].kind != STATIONARY_MAXIMUM) second++;
        if (!CHECK(w.has_second == (second < count))) continue;
        seconds += w.has_second;
        if (w.has_second) CHECK_NEAR(w.second_gap, radius - list[second].distance, 1e-12 * radius);
    }
    CHECK(seconds > 1000); // most small offsets leave both
}

// Sizes from micrometres to thousands of kilometres and aspects to 1:1000: nothing that is not finite.
TEST(extreme_sizes_and_aspects_stay_finite) {
    sampler s = {.seed = 65};
    for (int i = 0; i < 20000; i++) {
        double unit = pow(10.0, sample_between(&s, -6.0, 6.0));
        ellipsoid e1 = sample_ellipsoid(&s, 1000.0, 0.0), e2 = sample_ellipsoid(&s, 1000.0, 1.5);
        crm_ellipsoid a = kernel_ellipsoid(&e1), b = kernel_ellipsoid(&e2);
        a = crm_ellipsoid_of(crm_scale(unit, a.centre), crm_scale(unit, a.half_axes), a.axes);
        b = crm_ellipsoid_of(crm_scale(unit, b.centre), crm_scale(unit, b.half_axes), b.axes);
        crm_ellipsoid_witness w = crm_ellipsoid_pair(&a, &b, NULL);
        CHECK(isfinite(w.gap) && crm_vec3_finite(w.point_a) && crm_vec3_finite(w.point_b));
        CHECK_NEAR(crm_length(w.normal), 1.0, 1e-14);
        // psi is at least its value along the line of centres, whatever the maximum.
        carom_vec3 line;
        if (crm_normalise(crm_sub(b.centre, a.centre), &line) == 0.0) continue;
        carom_vec3 arm;
        double along =
            crm_dot(line, crm_sub(b.centre, a.centre)) - support_of(&a, line, &arm) - support_of(&b, line, &arm);
        CHECK(w.gap >= along - 1e-12 * unit * 3.0);
    }
}

TEST_MAIN(CASE(stored_pairs_agree), CASE(stored_planes_agree), CASE(stored_ellipsoids_in_spheres_agree),
          CASE(random_round_pairs_agree_with_the_dense_search),
          LONG_CASE(random_flat_and_long_pairs_agree_with_the_dense_search), CASE(posed_pairs_have_their_gap),
          CASE(posed_pairs_of_aspect_1000_have_their_gap), CASE(deep_pairs_agree_with_the_dense_search),
          LONG_CASE(many_deep_pairs_agree_with_the_dense_search), CASE(swap_motion_unit_and_start_change_nothing),
          CASE(start_from_behind_finds_the_true_gap), CASE(second_maximum_in_a_sphere_agrees_with_the_enumeration),
          CASE(extreme_sizes_and_aspects_stay_finite))
