// SPDX-License-Identifier: MIT
// Polytopes from half-spaces, and the way there and back.
#include <math.h>

#include "math/quat.h"
#include "support/geometry/polytopes.h"
#include "support/harness/check.h"

enum { MOST = 400 };

static int facets_of(const carom_shape *shape, carom_half_space *out) {
    int count = carom_shape_facet_count(shape);
    for (int f = 0; f < count; f++) {
        carom_facet facet;
        carom_shape_get_facet(shape, f, &facet, NULL);
        out[f] = (carom_half_space){facet.normal, facet.offset};
    }
    return count;
}

// The vertex nearest to a point, as a distance.
static double nearest_vertex(const carom_shape *shape, carom_vec3 point) {
    double least = HUGE_VAL;
    for (int i = 0; i < carom_shape_vertex_count(shape); i++)
        least = fmin(least, crm_distance(carom_shape_vertices(shape)[i], point));
    return least;
}

TEST(a_box_from_six_half_spaces_is_exact) {
    carom_half_space walls[6] = {{{1, 0, 0}, 1},   {{-2, 0, 0}, 4}, {{0, 1, 0}, 3},
                                 {{0, -1, 0}, -1}, {{0, 0, 3}, 3},  {{0, 0, -1}, 0}};
    carom_shape *shape = polytope_of_half_spaces(6, walls);
    CHECK_INT(carom_shape_vertex_count(shape), 8);
    CHECK_INT(carom_shape_facet_count(shape), 6);
    for (int i = 0; i < 8; i++) {
        carom_vec3 corner = {i & 1 ? 1.0 : -2.0, i & 2 ? 3.0 : 1.0, i & 4 ? 1.0 : 0.0};
        CHECK_NEAR(nearest_vertex(shape, corner), 0.0, 0.0);
    }
    int count;
    const int *map = carom_shape_input_map(shape, &count);
    CHECK_INT(count, 6);
    for (int i = 0; i < count; i++) {
        carom_facet facet;
        CHECK_INT(carom_shape_get_facet(shape, map[i], &facet, NULL), CAROM_OK);
        CHECK_NEAR(crm_dot(facet.normal, walls[i].normal), crm_length(walls[i].normal), 1e-15);
    }
    carom_shape_destroy(shape);
}

TEST(redundant_and_repeated_half_spaces_are_told_apart) {
    carom_half_space walls[10] = {{{1, 0, 0}, 1},  {{-1, 0, 0}, 1}, {{0, 1, 0}, 1}, {{0, -1, 0}, 1}, {{0, 0, 1}, 1},
                                  {{0, 0, -1}, 1}, {{1, 1, 1}, 9},  {{2, 0, 0}, 2}, {{1, 1, 1}, 3},  {{1, 1, 0}, 2}};
    carom_shape *shape = polytope_of_half_spaces(10, walls);
    CHECK_INT(carom_shape_vertex_count(shape), 8); // (1,1,1).y <= 3 and (1,1,0).y <= 2 only touch the cube
    CHECK_INT(carom_shape_facet_count(shape), 6);
    const int *map = carom_shape_input_map(shape, NULL);
    for (int i = 0; i < 6; i++) CHECK(map[i] >= 0);
    CHECK_INT(map[7], map[0]);
    CHECK_INT(map[6], -1);
    CHECK_INT(map[8], -1);
    CHECK_INT(map[9], -1);
    carom_shape_destroy(shape);
}

// Points -> facets -> vertices -> facets: the same solid both times.
static void round_trip(int kind, int round, sampler *s, double tolerance) {
    carom_vec3 points[MOST];
    carom_half_space there[4 * MOST], back[4 * MOST];
    int count = sample_points(kind, s, round % 2, points);
    carom_shape *first = polytope_of_points(count, points);
    int facets = facets_of(first, there);
    carom_shape *second = polytope_of_half_spaces(facets, there);
    bool good = CHECK_INT(carom_shape_vertex_count(second), carom_shape_vertex_count(first)) &&
                CHECK_INT(carom_shape_facet_count(second), facets) &&
                check_polytope(second, count, points, 10.0 * tolerance);
    for (int i = 0; i < carom_shape_vertex_count(first) && good; i++)
        good = CHECK_NEAR(nearest_vertex(second, carom_shape_vertices(first)[i]), 0.0, tolerance);
    facets_of(second, back);
    const int *map = carom_shape_input_map(second, NULL);
    for (int f = 0; f < facets && good; f++)
        good = CHECK(map[f] >= 0) &&
               CHECK_NEAR(crm_distance(back[map[f]].normal, there[f].normal), 0.0, 1e3 * tolerance) &&
               CHECK_NEAR(back[map[f]].offset, there[f].offset, tolerance);
    if (!good) print_message("kind %d, round %d\n", kind, round);
    carom_shape_destroy(first);
    carom_shape_destroy(second);
}

TEST(facets_give_back_the_polytope_they_came_from) {
    for (int kind = 0; kind <= POINTS_LATITUDES; kind++) {
        sampler s = {.seed = 40 + (uint64_t)kind};
        for (int round = 0; round < 200; round++) round_trip(kind, round, &s, 1e-11);
    }
}

TEST(random_planes_around_a_ball_meet_in_their_vertices) {
    sampler s = {.seed = 50};
    for (int round = 0; round < 400; round++) {
        carom_half_space planes[60];
        carom_vec3 shift = sample_vec3(&s, 3.0);
        int count = 8 + (int)crm_random_below(&s, 50);
        for (int i = 0; i < count; i++) {
            carom_vec3 n = sample_unit(&s);
            double length = sample_between(&s, 0.1, 10.0);
            planes[i] =
                (carom_half_space){crm_scale(length, n), length * (sample_between(&s, 0.5, 1.0) + crm_dot(n, shift))};
        }
        carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
        def.polytope.form = CAROM_POLYTOPE_HALF_SPACES;
        def.polytope.half_space_count = count;
        def.polytope.half_spaces = planes;
        carom_shape *shape;
        carom_error error;
        if (carom_shape_create(&def, NULL, &shape, &error) != CAROM_OK) { // few planes may leave it open
            CHECK_CONTAINS(error.text, "do not close");
            continue;
        }
        for (int v = 0; v < carom_shape_vertex_count(shape); v++) {
            int through = 0;
            for (int i = 0; i < count; i++) {
                double length = crm_length(planes[i].normal);
                double room = (planes[i].offset - crm_dot(planes[i].normal, carom_shape_vertices(shape)[v])) / length;
                CHECK(room >= -1e-11 * carom_shape_bounding_radius(shape));
                through += fabs(room) < 1e-11 * carom_shape_bounding_radius(shape);
            }
            CHECK(through >= 3);
        }
        CHECK_INT(carom_shape_vertex_count(shape) - carom_shape_edge_count(shape) + carom_shape_facet_count(shape), 2);
        carom_shape_destroy(shape);
    }
}

TEST(thin_and_far_boxes_come_out_as_given) {
    sampler s = {.seed = 60};
    static const double thin[] = {1.0, 1e-2, 1e-4, 1e-5};
    for (int round = 0; round < 200; round++) {
        carom_mat3 r = crm_quat_to_mat3(sample_attitude(&s));
        carom_vec3 half = crm_vec3(1.0, sample_between(&s, 0.3, 1.0), thin[round % 4]),
                   x = sample_vec3(&s, round % 8 < 4 ? 1.0 : 100.0);
        carom_half_space walls[6];
        for (int i = 0; i < 6; i++) {
            carom_vec3 n = i / 2 == 0 ? r.x : i / 2 == 1 ? r.y : r.z;
            if (i % 2) n = crm_negate(n);
            walls[i] = (carom_half_space){n, crm_component(half, i / 2) + crm_dot(n, x)};
        }
        carom_shape *shape = polytope_of_half_spaces(6, walls);
        CHECK_INT(carom_shape_vertex_count(shape), 8);
        CHECK_INT(carom_shape_facet_count(shape), 6);
        for (int i = 0; i < 8; i++) {
            carom_vec3 arm = {i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z};
            CHECK_NEAR(nearest_vertex(shape, crm_add(x, crm_mat3_apply(r, arm))), 0.0, round % 8 < 4 ? 1e-14 : 1e-12);
        }
        carom_shape_destroy(shape);
    }
}

TEST_MAIN(CASE(a_box_from_six_half_spaces_is_exact), CASE(redundant_and_repeated_half_spaces_are_told_apart),
          CASE(facets_give_back_the_polytope_they_came_from), CASE(random_planes_around_a_ball_meet_in_their_vertices),
          CASE(thin_and_far_boxes_come_out_as_given))
