// SPDX-License-Identifier: MIT
// Least gaps on the way: closed forms, dense sampling, what is far away.
#include "distance/toi/least_gap.h"

#include <math.h>
#include <stdio.h>

#include "math/quat.h"
#include "support/geometry/convex_shapes.h"
#include "support/harness/check.h"

static carom_shape *make(const carom_shape_def *def) {
    carom_shape *shape;
    carom_error error = {0};
    if (carom_shape_create(def, NULL, &shape, &error) != CAROM_OK) fail_msg("%s", error.text);
    return shape;
}

static carom_shape *floor_shape(void) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    def.half_space = (carom_half_space){{0.0, 0.0, 1.0}, 0.0};
    return make(&def);
}

// An L of two boxes, a ball at its end.
static carom_shape *hook(void) {
    carom_shape_def box = carom_shape_def_default(CAROM_SHAPE_BOX), ball = carom_shape_def_default(CAROM_SHAPE_SPHERE);
    box.box.size = crm_vec3(1.0, 0.2, 0.3);
    ball.sphere.radius = 0.2;
    carom_compound_part part[3] = {{.shape = &box, .pose = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}}, .density = 1.0},
                                   {.shape = &box, .pose = {{0.5, 0.5, 0.0}, {0.0, 0.0, 0.0, 1.0}}, .density = 1.0},
                                   {.shape = &ball, .pose = {{0.5, 1.1, 0.1}, {1.0, 0.0, 0.0, 0.0}}, .density = 1.0}};
    part[1].pose.attitude = crm_quat_from_axis_angle(crm_vec3(0.0, 0.0, 1.0), 0.5 * acos(-1.0));
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_COMPOUND);
    def.compound.part_count = 3;
    def.compound.parts = part;
    return make(&def);
}

static carom_view at_time(const crm_way *way, double time) {
    carom_view view = way->view;
    double angle = time * crm_length(way->motion.spin);
    carom_vec3 axis;
    carom_quat rotation =
        crm_normalise(way->motion.spin, &axis) > 0.0 ? crm_quat_from_axis_angle(axis, angle) : crm_quat_identity();
    carom_vec3 arm = crm_quat_rotate(rotation, crm_sub(way->view.pose.position, way->pivot));
    view.pose.position = crm_add(crm_madd(way->pivot, time, way->motion.velocity), arm);
    view.pose.attitude = crm_quat_normalised(crm_quat_mul(rotation, way->view.pose.attitude));
    return view;
}

static double gap_at(const crm_way *a, const crm_way *b, double time) {
    carom_view at_a = at_time(a, time), at_b = at_time(b, time);
    carom_gap_witness w;
    CHECK_INT(carom_gap_find(&at_a, &at_b, NULL, NULL, &w, NULL), CAROM_OK);
    return w.gap;
}

static crm_least_gap least_gap(const crm_way *a, const crm_way *b, double duration, double accuracy, double enough) {
    const crm_least_gap_options options = {duration, accuracy, enough, 100000};
    crm_least_gap found;
    carom_error error = {0};
    if (crm_least_gap_find(a, b, &options, &found, &error) != CAROM_OK) fail_msg("%s", error.text);
    return found;
}

static crm_way way_of(const carom_shape *shape, carom_vec3 position, carom_quat attitude, carom_vec3 velocity,
                      carom_vec3 spin) {
    return (crm_way){carom_view_of(shape, (carom_pose){position, attitude}), position, {velocity, spin}};
}

// ---- closed forms

TEST(balls_that_pass_are_nearest_where_the_geometry_says) {
    carom_shape *ball = sphere_of(0.3);
    crm_way a = way_of(ball, crm_vec3(0.0, 0.0, 0.0), crm_quat_identity(), crm_vec3(0.5, 0.0, 0.0), crm_vec3_zero());
    crm_way b = way_of(ball, crm_vec3(4.0, 1.0, 0.0), crm_quat_identity(), crm_vec3(-1.5, 0.0, 0.0), crm_vec3_zero());
    crm_least_gap found = least_gap(&a, &b, 5.0, 1e-12, INFINITY);
    CHECK_NEAR(found.seen, 0.4, 1e-12);
    CHECK_NEAR(found.gap, 0.4, 3e-12);
    CHECK(found.gap <= found.seen);
    CHECK_NEAR(found.time, 2.0, 1e-5);
    found = least_gap(&a, &b, 1.0, 1e-12, INFINITY); // they do not get there
    CHECK_NEAR(found.seen, sqrt(5.0) - 0.6, 1e-12);
    CHECK_NEAR(found.time, 1.0, 0.0);
    carom_shape_destroy(ball);
}

// A rod of half length 1 whose middle stays 1.5 above the floor is nearest when it stands.
TEST(the_tip_of_a_rod_that_rotates_comes_down_between_its_ends) {
    carom_shape *rod = capsule_of(0.1, 2.0), *floor = floor_shape();
    carom_quat leaning = crm_quat_from_axis_angle(crm_vec3(0.0, 1.0, 0.0), -0.5);
    crm_way a = way_of(floor, crm_vec3_zero(), crm_quat_identity(), crm_vec3_zero(), crm_vec3_zero());
    crm_way b = way_of(rod, crm_vec3(0.0, 0.0, 1.5), leaning, crm_vec3(0.2, 0.0, 0.0), crm_vec3(0.0, 1.2, 0.0));
    crm_least_gap found = least_gap(&a, &b, 1.0, 1e-12, INFINITY);
    CHECK(gap_at(&a, &b, 0.0) > 0.5 && gap_at(&a, &b, 1.0) > 0.6);
    CHECK_NEAR(found.seen, 0.4, 1e-12);
    CHECK(found.gap <= found.seen && found.seen - found.gap < 1e-11);
    CHECK_NEAR(found.time, 0.5 / 1.2, 1e-5);
    carom_shape_destroy(rod);
    carom_shape_destroy(floor);
}

// Clear at both ends of the way, and through the peg between them.
TEST(a_bar_that_rotates_past_a_peg_is_seen_to_hit_it) {
    carom_shape *bar = box_of(4.0, 0.2, 0.2), *peg = capsule_of(0.1, 2.0);
    crm_way a = way_of(bar, crm_vec3_zero(), crm_quat_from_axis_angle(crm_vec3(0.0, 0.0, 1.0), -0.5), crm_vec3_zero(),
                       crm_vec3(0.0, 0.0, 1.0));
    crm_way b = way_of(peg, crm_vec3(1.5, 0.0, 0.0), crm_quat_identity(), crm_vec3_zero(), crm_vec3_zero());
    CHECK(gap_at(&a, &b, 0.0) > 0.4 && gap_at(&a, &b, 1.0) > 0.4);
    crm_least_gap found = least_gap(&a, &b, 1.0, 1e-12, INFINITY);
    CHECK_NEAR(found.seen, -0.2, 1e-11); // half of the bar and the peg's radius, when it points at the peg
    CHECK(found.gap <= found.seen && found.seen - found.gap < 1e-11);
    CHECK_NEAR(found.time, 0.5, 1e-4);
    found = least_gap(&a, &b, 0.2, 1e-12, INFINITY);
    CHECK(found.gap > 0.1);
    carom_shape_destroy(bar);
    carom_shape_destroy(peg);
}

// A body that rotates about a point of its own: the pivot counts, not the shape's origin.
TEST(the_pivot_is_what_moves_on_a_line) {
    carom_shape *ball = sphere_of(0.1), *floor = floor_shape();
    crm_way a = way_of(floor, crm_vec3_zero(), crm_quat_identity(), crm_vec3_zero(), crm_vec3_zero());
    crm_way b = way_of(ball, crm_vec3(1.0, 0.0, 2.0), crm_quat_identity(), crm_vec3_zero(), crm_vec3(0.0, 2.0, 0.0));
    b.pivot = crm_vec3(0.0, 0.0, 2.0); // at the end of an arm of 1 m, which goes down to the vertical
    crm_least_gap found = least_gap(&a, &b, 1.5, 1e-12, INFINITY);
    CHECK_NEAR(found.seen, 0.9, 1e-12);
    CHECK_NEAR(found.time, 0.25 * acos(-1.0), 1e-5);
    carom_shape_destroy(ball);
    carom_shape_destroy(floor);
}

// ---- random ways

enum { KINDS = 6, SAMPLES = 400 };

static carom_shape *random_shape(sampler *s, int kind) {
    static const carom_shape_kind kinds[] = {CAROM_SHAPE_SPHERE, CAROM_SHAPE_CAPSULE, CAROM_SHAPE_ELLIPSOID,
                                             CAROM_SHAPE_BOX, CAROM_SHAPE_POLYTOPE};
    return kind == KINDS - 1 ? hook() : sample_shape(s, kinds[kind], 0.5, 4.0);
}

static crm_way random_way(sampler *s, const carom_shape *shape, carom_vec3 position) {
    crm_way way = way_of(shape, position, sample_attitude(s), sample_vec3(s, 1.0),
                         crm_scale(sample_between(s, 0.0, 1.2), sample_unit(s)));
    way.pivot = crm_add(way.pivot, sample_vec3(s, 0.3));
    return way;
}

// How far the gap can be below what samples show.
static double between_samples(const crm_way *a, const crm_way *b, double step) {
    double speed = crm_length(crm_sub(a->motion.velocity, b->motion.velocity));
    speed += 2.0 * (crm_length(a->motion.spin) + crm_length(b->motion.spin));
    return 0.5 * step * speed;
}

static void check_way(const crm_way *a, const crm_way *b, double accuracy, long *queries) {
    crm_least_gap found = least_gap(a, b, 1.0, accuracy, INFINITY);
    double sampled = INFINITY;
    for (int i = 0; i <= SAMPLES; i++) sampled = fmin(sampled, gap_at(a, b, i / (double)SAMPLES));
    CHECK(found.gap <= found.seen && found.seen - found.gap <= 2.0 * accuracy);
    CHECK(found.gap <= sampled + 1e-12);                                // nothing is lower
    CHECK(found.gap >= sampled - between_samples(a, b, 1.0 / SAMPLES)); // nor is it made up
    CHECK_NEAR(gap_at(a, b, found.time), found.seen, 1e-12);
    *queries += found.queries;
}

TEST(sampling_sees_nothing_lower_than_the_least_gap) {
    sampler s = {.seed = 2501};
    long queries = 0;
    int ways = 0, overlaps = 0, inside = 0;
    for (int i = 0; i < 300; i++) {
        carom_shape *of_a = random_shape(&s, i % KINDS), *of_b = random_shape(&s, (i / KINDS) % KINDS);
        crm_way a = random_way(&s, of_a, crm_vec3_zero());
        carom_vec3 from = crm_scale(sample_between(&s, 0.8, 1.8), sample_unit(&s));
        crm_way b = random_way(&s, of_b, from);
        if (i % 4 == 0) b.motion.velocity = crm_madd(b.motion.velocity, -2.0, from); // through A to its other side
        double first = gap_at(&a, &b, 0.0), last = gap_at(&a, &b, 1.0);
        if (fmin(first, last) > 0.0) {
            check_way(&a, &b, 1e-10, &queries);
            crm_least_gap found = least_gap(&a, &b, 1.0, 1e-10, INFINITY);
            ways++;
            overlaps += found.seen < 0.0;
            inside += found.time > 0.0 && found.time < 1.0;
        }
        carom_shape_destroy(of_a);
        carom_shape_destroy(of_b);
    }
    bool enough = CHECK(ways > 200 && overlaps > 20 && inside > 60);
    if (!CHECK(queries < 40L * ways) || !enough)
        printf("%ld queries on %d ways: %d overlap, %d are nearest on the way\n", queries, ways, overlaps, inside);
}

TEST(overlaps_all_along_have_their_depth) {
    sampler s = {.seed = 2502};
    long queries = 0;
    for (int i = 0; i < 60; i++) {
        carom_shape *of_a = random_shape(&s, i % (KINDS - 1)), *of_b = random_shape(&s, (i / 5) % (KINDS - 1));
        crm_way a = random_way(&s, of_a, crm_vec3_zero()), b = random_way(&s, of_b, crm_scale(0.4, sample_unit(&s)));
        a.motion.velocity = crm_scale(0.1, a.motion.velocity);
        b.motion.velocity = crm_scale(0.1, b.motion.velocity);
        check_way(&a, &b, 1e-7, &queries);
        carom_shape_destroy(of_a);
        carom_shape_destroy(of_b);
    }
}

TEST(static_geometry_has_least_gaps) {
    sampler s = {.seed = 2503};
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_CONTAINER);
    def.container.radius = 4.0;
    carom_shape *around[2] = {floor_shape(), make(&def)};
    long queries = 0;
    for (int i = 0; i < 60; i++) {
        carom_shape *shape = random_shape(&s, i % KINDS);
        crm_way a = way_of(around[i % 2], crm_vec3_zero(), crm_quat_identity(), crm_vec3_zero(), crm_vec3_zero());
        crm_way b = random_way(&s, shape, crm_vec3(0.3, 0.2, i % 2 == 0 ? 1.3 : 0.5));
        check_way(&a, &b, 1e-9, &queries);
        check_way(&b, &a, 1e-9, &queries);
        carom_shape_destroy(shape);
    }
    carom_shape_destroy(around[0]);
    carom_shape_destroy(around[1]);
}

// ---- what need not be known

TEST(what_is_far_enough_costs_nothing) {
    carom_shape *box = box_of(1.0, 1.0, 1.0);
    crm_way a = way_of(box, crm_vec3_zero(), crm_quat_identity(), crm_vec3(0.1, 0.0, 0.0), crm_vec3(0.0, 0.3, 0.4));
    crm_way b = way_of(box, crm_vec3(5.0, 0.0, 0.0), crm_quat_identity(), crm_vec3(-1.0, 0.0, 0.0), crm_vec3_zero());
    crm_least_gap found = least_gap(&a, &b, 1.0, 1e-10, 0.5);
    CHECK_INT(found.queries, 0);
    CHECK(found.gap > 0.5 && isinf(found.seen));
    found = least_gap(&a, &b, 2.7, 1e-10, 0.5); // balls about them meet, the boxes do not come within 0.5
    double true_least = least_gap(&a, &b, 2.7, 1e-10, INFINITY).gap;
    CHECK(found.queries > 0 && found.gap >= 0.5 && found.gap <= true_least && true_least > 0.5);
    carom_shape_destroy(box);
}

// With too few queries the bound is poor, never wrong.
TEST(a_search_that_ends_early_still_tells_a_bound) {
    sampler s = {.seed = 2504};
    for (int i = 0; i < 100; i++) {
        carom_shape *of_a = random_shape(&s, i % KINDS), *of_b = random_shape(&s, (i / KINDS) % KINDS);
        crm_way a = random_way(&s, of_a, crm_vec3_zero());
        crm_way b = random_way(&s, of_b, crm_scale(1.5, sample_unit(&s)));
        crm_least_gap whole = least_gap(&a, &b, 1.0, 1e-10, INFINITY), early;
        const crm_least_gap_options options = {1.0, 1e-10, INFINITY, 3};
        CHECK_INT(crm_least_gap_find(&a, &b, &options, &early, NULL), CAROM_OK);
        CHECK(early.gap <= whole.seen + 1e-12 && early.gap > -20.0 && early.seen >= whole.gap);
        carom_shape_destroy(of_a);
        carom_shape_destroy(of_b);
    }
}

TEST_MAIN(CASE(balls_that_pass_are_nearest_where_the_geometry_says),
          CASE(the_tip_of_a_rod_that_rotates_comes_down_between_its_ends),
          CASE(a_bar_that_rotates_past_a_peg_is_seen_to_hit_it), CASE(the_pivot_is_what_moves_on_a_line),
          CASE(sampling_sees_nothing_lower_than_the_least_gap), CASE(overlaps_all_along_have_their_depth),
          CASE(static_geometry_has_least_gaps), CASE(what_is_far_enough_costs_nothing),
          CASE(a_search_that_ends_early_still_tells_a_bound))
