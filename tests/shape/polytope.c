// SPDX-License-Identifier: MIT
// Polytopes from points: both representations, symmetric and degenerate sets.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"
#include "support/check.h"
#include "support/polytopes.h"

static void check_counts(const carom_shape *shape, int vertices, int edges, int facets) {
    CHECK_INT(carom_shape_vertex_count(shape), vertices);
    CHECK_INT(carom_shape_edge_count(shape), edges);
    CHECK_INT(carom_shape_facet_count(shape), facets);
}

TEST(cube_from_eight_corners_has_six_squares) {
    carom_vec3 points[400];
    sampler s = {1};
    for (int turned = 0; turned < 200; turned++) {
        int count = 0;
        carom_quat q = sample_attitude(&s);
        for (int i = 0; i < 8; i++) {
            carom_vec3 p = {i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5};
            points[count++] = turned > 0 ? crm_quat_rotate(q, p) : p;
        }
        carom_shape *shape = polytope_of_points(count, points);
        check_counts(shape, 8, 12, 6);
        check_polytope(shape, count, points, 1e-12);
        for (int f = 0; f < 6; f++) {
            carom_facet facet;
            carom_shape_get_facet(shape, f, &facet, NULL);
            CHECK_INT(facet.vertex_count, 4);
            CHECK_NEAR(facet.offset, 0.5, turned ? 1e-15 : 0.0);
        }
        for (int i = 0; i < 8; i++) CHECK_INT(carom_shape_input_map(shape, NULL)[i], i);
        carom_shape_destroy(shape);
    }
}

TEST(points_on_faces_and_edges_are_dropped) {
    carom_vec3 points[400];
    sampler s = {2};
    for (int round = 0; round < 300; round++)
        for (int kind = POINTS_CUBE_GRID; kind <= POINTS_SOLID_GRID; kind++) {
            int count = sample_points(kind, &s, round > 0, points);
            carom_shape *shape = polytope_of_points(count, points);
            check_counts(shape, 8, 12, 6);
            check_polytope(shape, count, points, 1e-12);
            carom_shape_destroy(shape);
        }
    for (int round = 0; round < 300; round++) {
        int count = sample_points(POINTS_PRISM, &s, round > 0, points), sides = (count - 3) / 6;
        carom_shape *shape = polytope_of_points(count, points);
        check_counts(shape, 2 * sides, 3 * sides, sides + 2);
        check_polytope(shape, count, points, 1e-12);
        carom_shape_destroy(shape);
    }
}

TEST(ten_thousand_random_hulls_hold_their_points) {
    carom_vec3 points[400];
    for (int kind = 0; kind < POINT_KINDS; kind++) {
        sampler s = {100 + (uint64_t)kind};
        bool good = true;
        for (int round = 0; round < 1000 && good; round++) {
            int count = sample_points(kind, &s, round % 2, points);
            carom_shape *shape = polytope_of_points(count, points);
            good = check_polytope(shape, count, points, 1e-12);
            if (!good) print_message("kind %d round %d\n", kind, round);
            if (kind == POINTS_SPHERE) good &= CHECK_INT(carom_shape_vertex_count(shape), count);
            carom_shape_destroy(shape);
        }
    }
}

TEST_MAIN(CASE(cube_from_eight_corners_has_six_squares), CASE(points_on_faces_and_edges_are_dropped),
          CASE(ten_thousand_random_hulls_hold_their_points))
