// SPDX-License-Identifier: MIT
// What is refused and in which words; definitions that come back; memory; threads.
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "math/quat.h"
#include "support/geometry/polytopes.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"

static void refuses(const carom_shape_def *def, const char *sentence) {
    carom_shape *shape = (carom_shape *)&shape;
    carom_error error = {0};
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    CHECK_INT(carom_shape_create(def, &hook, &shape, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, sentence);
    CHECK(shape == NULL);
    CHECK_INT(probe.live_blocks, 0);
    CHECK_INT(carom_shape_create(def, NULL, &shape, NULL), CAROM_ERR_BAD_INPUT);
}

TEST(simple_sizes_are_checked) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_SPHERE);
    def.sphere.radius = 0.0;
    refuses(&def, "sphere.radius is 0 m, must be between 1e-09 and 1e+09 m");
    def.sphere.radius = -1.0;
    refuses(&def, "sphere.radius is -1 m, must be between 1e-09 and 1e+09 m");
    def.sphere.radius = 2e9;
    refuses(&def, "sphere.radius is 2e+09 m, must be between 1e-09 and 1e+09 m");
    def.sphere.radius = NAN;
    refuses(&def, "sphere.radius is nan m, must be between 1e-09 and 1e+09 m");
    def = carom_shape_def_default(CAROM_SHAPE_ELLIPSOID);
    def.ellipsoid.half_axes.y = -2.0;
    refuses(&def, "ellipsoid.half_axes.y is -2 m, must be between 1e-09 and 1e+09 m");
    def.ellipsoid.half_axes.y = 1e-7;
    refuses(&def,
            "ellipsoid.half_axes: the smallest is 1e-07 m and the largest 0.5 m; a solid must be at least 1e-06 of "
            "its extent thick");
    def = carom_shape_def_default(CAROM_SHAPE_BOX);
    def.box.size.z = INFINITY;
    refuses(&def, "box.size.z is inf m, must be between 1e-09 and 1e+09 m");
    def.box.size.z = 3e6;
    refuses(&def, "box.size: the smallest is 1 m and the largest 3e+06 m; a solid must be at least 1e-06 of its extent "
                  "thick");
    def = carom_shape_def_default(CAROM_SHAPE_CAPSULE);
    def.capsule.length = 0.0;
    refuses(&def, "capsule.length is 0 m, must be between 1e-09 and 1e+09 m");
    def.capsule.length = 1e6;
    refuses(&def, "capsule.radius is 0.25 m, must be at least 1e-06 of the length, 1e+06 m");
    def.capsule.radius = -1.0;
    refuses(&def, "capsule.radius is -1 m, must be between 1e-09 and 1e+09 m");
    def = carom_shape_def_default(CAROM_SHAPE_CONTAINER);
    def.container.radius = 1e-10;
    refuses(&def, "container.radius is 1e-10 m, must be between 1e-09 and 1e+09 m");
    def = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    def.half_space.normal.z = 0.0;
    refuses(&def, "half_space.normal is (0, 0, 0), must be finite and have a direction");
    def.half_space.normal.z = NAN;
    refuses(&def, "half_space.normal is (0, 0, nan), must be finite and have a direction");
    def.half_space = (carom_half_space){{0.0, 0.0, 0.5}, 1e9};
    refuses(&def, "half_space.offset puts the plane 2e+09 m from the origin, must be within 1e+09 m");
    def.kind = (carom_shape_kind)17;
    refuses(&def, "kind is 17, must be one of carom_shape_kind");
}

TEST(points_without_a_solid_are_refused) {
    carom_vec3 points[8] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
    def.polytope.vertices = points;
    refuses(&def, "polytope.vertices: 0 points are given, a solid needs at least 4");
    def.polytope.vertex_count = 1;
    refuses(&def, "polytope.vertices: 1 point is given, a solid needs at least 4");
    def.polytope.vertex_count = 8;
    def.polytope.vertices = NULL;
    refuses(&def, "polytope.vertices is NULL, must be an array of 8 points");
    def.polytope.vertices = points;
    points[5].y = NAN;
    refuses(&def, "polytope.vertices[5] is (1, nan, 1) m, must be finite and within 1e+09 m");
    points[5].y = -2e9;
    refuses(&def, "polytope.vertices[5] is (1, -2e+09, 1) m, must be finite and within 1e+09 m");
    for (int i = 0; i < 8; i++) points[i] = (carom_vec3){1.0, 2.0, 3.0};
    refuses(&def, "polytope.vertices: all 8 points are (1, 2, 3) m; a solid needs 4 different ones");
    points[7].x = 2.0;
    refuses(&def, "polytope.vertices: only 2 of the 8 points are different, a solid needs 4");
    for (int i = 0; i < 8; i++) points[i] = (carom_vec3){i, 2.0 * i, -i};
    refuses(&def,
            "polytope.vertices: the points span 14 m but are only 0 m thick; a solid must be at least 1e-06 of its "
            "extent thick");
    for (int i = 0; i < 8; i++) points[i] = (carom_vec3){i, i * i, i == 3 ? 1e-6 : 0.0};
    refuses(&def,
            "polytope.vertices: the points span 49 m but are only 1e-06 m thick; a solid must be at least 1e-06 of "
            "its extent thick");
    for (int i = 0; i < 8; i++) points[i] = (carom_vec3){i & 1 ? 1e-10 : 0, i & 2 ? 1e-10 : 0, i & 4 ? 1e-10 : 0};
    refuses(&def, "polytope.vertices: the points span 1e-10 m, must span 1e-09 to 1e+09 m");
    for (int i = 0; i < 8; i++) points[i] = (carom_vec3){i & 1 ? 1 : 0, i & 2 ? 1 : 0, i & 4 ? 2e6 : 2e6 + 1};
    refuses(&def, "polytope.vertices: the points span 1 m but are 2e+06 m from the origin, which leaves them too few "
                  "digits; move the frame nearer");
    def.polytope.centre = (carom_polytope_centre)5;
    refuses(&def, "polytope.centre is 5, must be one of carom_polytope_centre");
}

TEST(named_polytopes_without_a_solid_are_refused) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
    def.polytope.form = CAROM_POLYTOPE_PRISM;
    def.polytope.sides = 2;
    refuses(&def, "polytope.sides is 2, must be between 3 and 100000");
    def.polytope.sides = 5;
    def.polytope.height = 0.0;
    refuses(&def, "polytope.height is 0 m, must be between 1e-09 and 1e+09 m");
    def.polytope.height = 1.0;
    def.polytope.radius = -1.0;
    refuses(&def, "polytope.radius is -1 m, must be between 1e-09 and 1e+09 m");
    def.polytope.form = CAROM_POLYTOPE_TETRAHEDRON;
    def.polytope.edge = NAN;
    refuses(&def, "polytope.edge is nan m, must be between 1e-09 and 1e+09 m");
    def.polytope.form = (carom_polytope_form)9;
    refuses(&def, "polytope.form is 9, must be one of carom_polytope_form");
}

TEST(half_spaces_without_a_solid_are_refused) {
    carom_half_space walls[6] = {{{1, 0, 0}, 1},  {{-1, 0, 0}, 1}, {{0, 1, 0}, 1},
                                 {{0, -1, 0}, 1}, {{0, 0, 1}, 1},  {{0, 0, -1}, 1}};
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
    def.polytope.form = CAROM_POLYTOPE_HALF_SPACES;
    def.polytope.half_space_count = 3;
    refuses(&def, "polytope.half_spaces is NULL, must be an array of 3 half-spaces");
    def.polytope.half_spaces = walls;
    refuses(&def, "polytope.half_spaces: 3 are given, a solid needs at least 4");
    def.polytope.half_space_count = 4;
    refuses(&def,
            "polytope.half_spaces do not close: what they have in common has no end along (0, 0, 1); add one there");
    def.polytope.half_space_count = 6;
    walls[5] = walls[4];
    refuses(&def,
            "polytope.half_spaces do not close: what they have in common has no end along (0, 0, -1); add one there");
    walls[5] = (carom_half_space){{0, 0, -1}, -2};
    refuses(&def,
            "polytope.half_spaces have nothing in common: every point is outside of one of them by 0.5 m or more");
    walls[5].offset = -1;
    refuses(&def, "polytope.half_spaces have no volume in common: no ball of 1e-12 m fits into all of them");
    walls[5].normal.z = 0;
    refuses(&def, "polytope.half_spaces[5].normal is (0, 0, 0), must be finite and have a direction");
    walls[5].normal.z = INFINITY;
    refuses(&def, "polytope.half_spaces[5].normal is (0, 0, inf), must be finite and have a direction");
    walls[5] = (carom_half_space){{0, 0, -1}, NAN};
    refuses(&def, "polytope.half_spaces[5].offset puts the plane nan m from the origin, must be within 1e+09 m");
    for (int i = 0; i < 6; i++) walls[i].offset = 0.0;
    refuses(&def,
            "polytope.half_spaces: all planes pass through the origin, which leaves a point or something endless");
    // All on one side of the ball, and a wedge.
    for (int i = 0; i < 6; i++) walls[i] = (carom_half_space){{1.0, 0.1 * i, 0.01 * i * i}, 1.0};
    carom_shape *shape;
    carom_error error;
    CHECK_INT(carom_shape_create(&def, NULL, &shape, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "polytope.half_spaces do not close");
}

TEST(compounds_need_convex_parts) {
    carom_shape_def ball = carom_shape_def_default(CAROM_SHAPE_SPHERE),
                    floor = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_COMPOUND);
    carom_compound_part part[3] = {carom_compound_part_default(), carom_compound_part_default(),
                                   carom_compound_part_default()};
    refuses(&def, "compound.parts has 0 entries, must have at least one");
    def.compound.part_count = 3;
    refuses(&def, "compound.parts is NULL, must be an array of 3 parts");
    def.compound.parts = part;
    part[0].shape = part[1].shape = &ball;
    refuses(&def, "compound.parts[2].shape is NULL, must be given");
    part[2].shape = &floor;
    refuses(&def, "compound.parts[2].shape is a half_space, must be a sphere, ellipsoid, box, capsule or polytope");
    part[2].shape = &def;
    refuses(&def, "compound.parts[2].shape is a compound, must be a sphere, ellipsoid, box, capsule or polytope");
    carom_shape_def bad = ball;
    bad.sphere.radius = -3.0;
    part[2].shape = &bad;
    refuses(&def, "compound.parts[2].shape: sphere.radius is -3 m, must be between 1e-09 and 1e+09 m");
    part[2].shape = &ball;
    part[2].density = 0.0;
    refuses(&def, "compound.parts[2].density is 0, must be positive and finite");
    part[2].density = 1.0;
    part[1].pose.attitude.w = 0.0;
    refuses(&def, "compound.parts[1].pose.attitude is (0, 0, 0, 0), must be finite and not zero");
    part[1].pose.attitude.w = 1.0;
    part[1].pose.position.y = NAN;
    refuses(&def, "compound.parts[1].pose.position is (0, nan, 0) m, must be finite and within 1e+09 m");
}

TEST(questions_that_have_no_answer_are_refused) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_BOX);
    carom_shape *shape;
    assert_int_equal(carom_shape_create(&def, NULL, &shape, NULL), CAROM_OK);
    carom_error error;
    carom_vec3 point;
    carom_facet facet;
    carom_edge edge;
    CHECK_INT(carom_shape_get_support(shape, crm_vec3(0.0, 0.0, 0.0), &point, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "the direction is (0, 0, 0), must be finite and not zero");
    CHECK_INT(carom_shape_get_facet(shape, 6, &facet, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "this box has 6 facets, facet 6 is not one of them");
    CHECK_INT(carom_shape_get_edge(shape, -1, &edge, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "this box has 12 edges, edge -1 is not one of them");
    CHECK(carom_shape_part(shape, 0, NULL) == NULL);
    carom_shape_destroy(shape);
    def = carom_shape_def_default(CAROM_SHAPE_CONTAINER);
    assert_int_equal(carom_shape_create(&def, NULL, &shape, NULL), CAROM_OK);
    CHECK_INT(carom_shape_get_support(shape, crm_vec3(1.0, 0.0, 0.0), &point, NULL, &error), CAROM_ERR_UNSUPPORTED);
    CHECK_TEXT(error.text, "a container has no farthest point; only convex bounded shapes do");
    carom_shape_destroy(shape);
    carom_shape_destroy(NULL);
    CHECK_TEXT(carom_shape_kind_name(CAROM_SHAPE_POLYTOPE), "polytope");
    CHECK_TEXT(carom_shape_kind_name((carom_shape_kind)99), "?");
}

// ---- one shape of every kind

static carom_shape_def every_kind(int i) {
    static const carom_vec3 points[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.2, 0.3, 0.1}};
    static const carom_half_space walls[4] = {{{1, 1, 1}, 1}, {{-1, 0, 0}, 0}, {{0, -1, 0}, 0}, {{0, 0, -1}, 0}};
    static carom_shape_def part_shape[2];
    static carom_compound_part part[2];
    carom_shape_def def = carom_shape_def_default((carom_shape_kind)(i < CAROM_SHAPE_COUNT ? i : CAROM_SHAPE_POLYTOPE));
    if (def.kind == CAROM_SHAPE_POLYTOPE) {
        def.polytope.form =
            i < CAROM_SHAPE_COUNT ? CAROM_POLYTOPE_VERTICES : (carom_polytope_form)(i - CAROM_SHAPE_COUNT + 1);
        def.polytope.vertex_count = 5;
        def.polytope.vertices = points;
        def.polytope.half_space_count = 4;
        def.polytope.half_spaces = walls;
    }
    if (def.kind == CAROM_SHAPE_COMPOUND) {
        for (int k = 0; k < 2; k++) {
            part_shape[k] = every_kind(k ? CAROM_SHAPE_CAPSULE : CAROM_SHAPE_POLYTOPE);
            part[k] = carom_compound_part_default();
            part[k].shape = &part_shape[k];
            part[k].pose.position.x = k;
        }
        def.compound = (carom_compound_def){2, part};
    }
    return def;
}
enum { EVERY_KIND = CAROM_SHAPE_COUNT + CAROM_POLYTOPE_FORM_COUNT - 1 };

TEST(a_shape_can_be_made_again_from_its_definition) {
    for (int i = 0; i < EVERY_KIND; i++) {
        carom_shape_def def = every_kind(i), again;
        carom_shape *first, *second;
        assert_int_equal(carom_shape_create(&def, NULL, &first, NULL), CAROM_OK);
        CHECK_INT(carom_shape_get_kind(first), def.kind);
        carom_shape_get_def(first, &again);
        assert_int_equal(carom_shape_create(&again, NULL, &second, NULL), CAROM_OK);
        carom_mass a = {0}, b = {0};
        carom_shape_get_mass(first, 2.0, &a, NULL);
        carom_shape_get_mass(second, 2.0, &b, NULL);
        CHECK_INT(memcmp(&a, &b, sizeof a), 0);
        CHECK(carom_shape_bounding_radius(first) == carom_shape_bounding_radius(second));
        CHECK(carom_shape_in_radius(first) == carom_shape_in_radius(second));
        CHECK_INT(carom_shape_part_count(first), def.kind == CAROM_SHAPE_COMPOUND ? 2 : 0);
        carom_pose pose;
        if (def.kind == CAROM_SHAPE_COMPOUND) {
            CHECK_INT(carom_shape_get_kind(carom_shape_part(second, 1, &pose)), CAROM_SHAPE_CAPSULE);
            CHECK_NEAR(pose.position.x, 1.0, 0.0);
        }
        carom_shape_destroy(first);
        carom_shape_destroy(second);
    }
}

TEST(a_refused_allocation_leaves_nothing_behind) {
    for (int i = 0; i < EVERY_KIND; i++) {
        carom_shape_def def = every_kind(i);
        for (int refused = 1;; refused++) {
            probe_allocator probe = {.refused_call = refused};
            carom_allocator hook = probe_allocator_hook(&probe);
            carom_shape *shape = NULL;
            carom_error error = {0};
            carom_status status = carom_shape_create(&def, &hook, &shape, &error);
            if (status == CAROM_OK) {
                CHECK(refused > 1);
                carom_shape_destroy(shape);
                CHECK_INT(probe.live_blocks, 0);
                CHECK_INT(probe.live_bytes, 0);
                break;
            }
            CHECK_INT(status, CAROM_ERR_NO_MEMORY);
            CHECK(error.text[0] != '\0' && shape == NULL);
            if (!CHECK_INT(probe.live_blocks, 0) || !CHECK(refused < 1000)) break;
        }
    }
}

// ---- threads: hulls are made side by side, one shape is asked by all

typedef struct worker {
    const carom_shape *shared;
    uint64_t seed;
    double sum;
} worker;

static void *work(void *argument) {
    worker *w = argument;
    sampler s = {.seed = w->seed};
    carom_vec3 points[400];
    for (int round = 0; round < 200; round++) {
        int count = sample_points(round % POINT_KINDS, &s, true, points);
        carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
        def.polytope.vertex_count = count;
        def.polytope.vertices = points;
        carom_shape *shape;
        carom_vec3 p;
        int vertex;
        if (carom_shape_create(&def, NULL, &shape, NULL) != CAROM_OK) continue;
        w->sum += carom_shape_in_radius(shape) + carom_shape_facet_count(shape);
        carom_shape_get_support(w->shared, sample_unit(&s), &p, &vertex, NULL);
        w->sum += p.x + vertex;
        carom_shape_destroy(shape);
    }
    return NULL;
}

TEST(threads_make_and_share_shapes) {
    carom_shape *shared = named_polytope(CAROM_POLYTOPE_PRISM, 300, 1.0, 1.0);
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    worker apart[THREADS], together[THREADS];
    for (int i = 0; i < THREADS; i++) {
        apart[i] = together[i] = (worker){shared, 10 + (uint64_t)i, 0.0};
        work(&apart[i]);
    }
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&thread[i], NULL, work, &together[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        CHECK(apart[i].sum == together[i].sum);
    }
    carom_shape_destroy(shared);
}

TEST_MAIN(CASE(simple_sizes_are_checked), CASE(points_without_a_solid_are_refused),
          CASE(named_polytopes_without_a_solid_are_refused), CASE(half_spaces_without_a_solid_are_refused),
          CASE(compounds_need_convex_parts), CASE(questions_that_have_no_answer_are_refused),
          CASE(a_shape_can_be_made_again_from_its_definition), CASE(a_refused_allocation_leaves_nothing_behind),
          CASE(threads_make_and_share_shapes))
