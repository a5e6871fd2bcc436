// SPDX-License-Identifier: MIT
// Polytopes from points: both representations, symmetric and degenerate sets.
#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "support/geometry/polytopes.h"
#include "support/harness/check.h"

static void check_counts(const carom_shape *shape, int vertices, int edges, int facets) {
    CHECK_INT(carom_shape_vertex_count(shape), vertices);
    CHECK_INT(carom_shape_edge_count(shape), edges);
    CHECK_INT(carom_shape_facet_count(shape), facets);
}

TEST(cube_from_eight_corners_has_six_squares) {
    carom_vec3 points[400];
    sampler s = {.seed = 1};
    for (int rotated = 0; rotated < 200; rotated++) {
        int count = 0;
        carom_quat q = sample_attitude(&s);
        for (int i = 0; i < 8; i++) {
            carom_vec3 p = {i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5};
            points[count++] = rotated > 0 ? crm_quat_rotate(q, p) : p;
        }
        carom_shape *shape = polytope_of_points(count, points);
        check_counts(shape, 8, 12, 6);
        check_polytope(shape, count, points, 1e-12);
        for (int f = 0; f < 6; f++) {
            carom_facet facet;
            carom_shape_get_facet(shape, f, &facet, NULL);
            CHECK_INT(facet.vertex_count, 4);
            CHECK_NEAR(facet.offset, 0.5, rotated ? 1e-15 : 0.0);
        }
        for (int i = 0; i < 8; i++) CHECK_INT(carom_shape_input_map(shape, NULL)[i], i);
        carom_shape_destroy(shape);
    }
}

TEST(points_on_faces_and_edges_are_dropped) {
    carom_vec3 points[400];
    sampler s = {.seed = 2};
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
        sampler s = {.seed = 100 + (uint64_t)kind};
        bool good = true;
        int coarse = 0;
        for (int round = 0; round < 1000 && good; round++) {
            int count = sample_points(kind, &s, round % 2, points);
            carom_shape *shape = polytope_of_points(count, points);
            good = check_polytope(shape, count, points, 2e-12) && check_point_map(shape, count, points, 2e-12);
            coarse += carom_shape_flatness(shape) > 1e-11;
            if (!good) print_message("kind %d round %d\n", kind, round);
            if (kind == POINTS_SPHERE) good &= CHECK_INT(carom_shape_vertex_count(shape), count);
            carom_shape_destroy(shape);
        }
        CHECK_INT(coarse, 0);
    }
}

// The six numbers of a plane through each triple of points that has all others on one side: what a hull's facets are.
static int brute_force_facets(int count, const carom_vec3 *p, double tolerance, carom_half_space *planes, int most) {
    int found = 0;
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++)
            for (int c = b + 1; c < count; c++) {
                carom_vec3 n;
                if (crm_normalise(crm_cross(crm_sub(p[b], p[a]), crm_sub(p[c], p[a])), &n) < 1e-9) continue;
                int above = 0, below = 0;
                for (int i = 0; i < count; i++) {
                    double side = crm_dot(n, crm_sub(p[i], p[a]));
                    above += side > tolerance;
                    below += side < -tolerance;
                }
                if (above > 0 && below > 0) continue;
                if (above > 0) n = crm_negate(n);
                int known = 0;
                while (known < found && crm_distance(planes[known].normal, n) > 1e-6) known++;
                if (known == found && found < most) planes[found++] = (carom_half_space){n, crm_dot(n, p[a])};
            }
    return found;
}

TEST(facets_are_the_planes_that_a_search_of_all_triples_finds) {
    carom_vec3 points[400];
    carom_half_space planes[400];
    for (int kind = 0; kind < POINTS_TWINS; kind++) {
        sampler s = {.seed = 300 + (uint64_t)kind};
        for (int round = 0; round < 60; round++) {
            int count = sample_points(kind, &s, round % 2, points);
            if (count > 60) continue;
            carom_shape *shape = polytope_of_points(count, points);
            int found = brute_force_facets(count, points, 1e-11, planes, 400), matched = 0;
            CHECK_INT(carom_shape_facet_count(shape), found);
            for (int f = 0; f < carom_shape_facet_count(shape); f++) {
                carom_facet facet;
                carom_shape_get_facet(shape, f, &facet, NULL);
                for (int i = 0; i < found; i++)
                    matched += crm_distance(facet.normal, planes[i].normal) < 1e-8 &&
                               fabs(facet.offset - planes[i].offset) < 1e-8;
            }
            CHECK_INT(matched, found);
            carom_shape_destroy(shape);
        }
    }
}

TEST(a_hull_of_its_own_vertices_is_itself_to_the_bit) {
    carom_vec3 points[400];
    for (int kind = 0; kind < POINT_KINDS; kind++) {
        sampler s = {.seed = 400 + (uint64_t)kind};
        for (int round = 0; round < 50; round++) {
            int count = sample_points(kind, &s, round % 2, points);
            carom_shape *first = polytope_of_points(count, points), *second;
            carom_shape_def def;
            carom_shape_get_def(first, &def);
            assert_int_equal(carom_shape_create(&def, NULL, &second, NULL), CAROM_OK);
            int vertices = carom_shape_vertex_count(first), facets = carom_shape_facet_count(first);
            CHECK_INT(carom_shape_vertex_count(second), vertices);
            CHECK_INT(memcmp(carom_shape_vertices(first), carom_shape_vertices(second),
                             (size_t)vertices * sizeof(carom_vec3)),
                      0);
            CHECK_INT(carom_shape_facet_count(second), facets);
            for (int f = 0; f < facets && facets == carom_shape_facet_count(second); f++) {
                carom_facet a, b;
                carom_shape_get_facet(first, f, &a, NULL);
                carom_shape_get_facet(second, f, &b, NULL);
                CHECK_INT(a.vertex_count, b.vertex_count);
                CHECK_INT(memcmp(a.vertices, b.vertices, (size_t)a.vertex_count * sizeof(int)), 0);
            }
            carom_shape_destroy(first);
            carom_shape_destroy(second);
        }
    }
}

TEST(units_and_places_change_nothing_but_numbers) {
    carom_vec3 points[400], moved[400];
    static const double scales[] = {1e-6, 1e-3, 1e3, 1e6};
    for (int kind = 0; kind < POINTS_TWINS; kind++) {
        sampler s = {.seed = 500 + (uint64_t)kind};
        for (int round = 0; round < 40; round++) {
            int count = sample_points(kind, &s, true, points);
            double scale = scales[round % 4];
            carom_vec3 shift = crm_scale(round % 3 == 0 ? 500.0 * scale : scale, sample_unit(&s));
            for (int i = 0; i < count; i++) moved[i] = crm_madd(shift, scale, points[i]);
            carom_shape *one = polytope_of_points(count, points), *other = polytope_of_points(count, moved);
            CHECK_INT(carom_shape_vertex_count(one), carom_shape_vertex_count(other));
            CHECK_INT(carom_shape_facet_count(one), carom_shape_facet_count(other));
            check_polytope(other, count, moved, round % 3 == 0 ? 1e-10 : 2e-12);
            CHECK_NEAR(carom_shape_bounding_radius(other), scale * carom_shape_bounding_radius(one), 1e-11 * scale);
            CHECK_NEAR(carom_shape_in_radius(other), scale * carom_shape_in_radius(one), 1e-10 * scale);
            carom_shape_destroy(one);
            carom_shape_destroy(other);
        }
    }
}

TEST(duplicates_share_a_vertex_and_inner_points_have_none) {
    carom_vec3 points[20];
    for (int i = 0; i < 20; i++) {
        int corner = i % 8;
        points[i] = crm_vec3(corner & 1 ? 1.0 : 0.0, corner & 2 ? 1.0 : 0.0, corner & 4 ? 1.0 : 0.0);
    }
    points[16] = crm_vec3(0.5, 0.5, 0.5);
    points[17] = crm_vec3(0.5, 0.5, 1.0);
    points[18] = crm_vec3(0.0, 0.5, 1.0);
    points[19] = crm_vec3(1.0, 1.0 - 1e-14, 1.0);
    carom_shape *shape = polytope_of_points(20, points);
    check_counts(shape, 8, 12, 6);
    int count;
    const int *map = carom_shape_input_map(shape, &count);
    CHECK_INT(count, 20);
    for (int i = 0; i < 16; i++) CHECK_INT(map[i], i % 8);
    for (int i = 16; i < 19; i++) CHECK_INT(map[i], -1);
    CHECK_INT(map[19], 7);
    CHECK(carom_shape_vertices(shape)[7].y == 1.0);
    carom_shape_destroy(shape);
}

TEST(named_polytopes_have_their_faces_and_symmetry) {
    carom_shape *shape = named_polytope(CAROM_POLYTOPE_TETRAHEDRON, 0, 2.0, 0.0);
    check_counts(shape, 4, 6, 4);
    for (int e = 0; e < 6; e++) {
        carom_edge edge;
        carom_shape_get_edge(shape, e, &edge, NULL);
        const carom_vec3 *v = carom_shape_vertices(shape);
        CHECK_NEAR(crm_distance(v[edge.vertices[0]], v[edge.vertices[1]]), 2.0, 1e-15);
    }
    CHECK_NEAR(carom_shape_in_radius(shape), 2.0 / sqrt(24.0), 1e-15);
    CHECK_NEAR(carom_shape_bounding_radius(shape), 2.0 * sqrt(3.0 / 8.0), 1e-15);
    CHECK(carom_shape_input_map(shape, NULL) == NULL);
    carom_shape_destroy(shape);
    static const int sides[] = {3, 4, 5, 6, 7, 8, 12, 100, 1000, 3000};
    for (int i = 0; i < 10; i++) {
        int n = sides[i];
        shape = named_polytope(CAROM_POLYTOPE_PRISM, n, 0.7, 0.4);
        check_counts(shape, 2 * n, 3 * n, n + 2);
        if (n <= 100) check_polytope(shape, 2 * n, carom_shape_vertices(shape), 1e-12);
        CHECK_NEAR(crm_length(carom_shape_centre(shape)), 0.0, 1e-15);
        carom_shape_destroy(shape);
        shape = named_polytope(CAROM_POLYTOPE_PYRAMID, n, 0.7, 0.4);
        check_counts(shape, n + 1, 2 * n, n + 1);
        if (n <= 100) check_polytope(shape, n + 1, carom_shape_vertices(shape), 1e-12);
        carom_mass mass;
        CHECK_INT(carom_shape_get_mass(shape, 1.0, &mass, NULL), CAROM_OK);
        CHECK_NEAR(crm_length(mass.centre), 0.0, 1e-15);
        carom_shape_destroy(shape);
    }
    // Mirror images to the bit: a square prism is the box.
    shape = named_polytope(CAROM_POLYTOPE_PRISM, 8, 1.0, 1.0);
    const carom_vec3 *v = carom_shape_vertices(shape);
    CHECK(v[0].x == 1.0 && v[0].y == 0.0 && v[2].x == 0.0 && v[2].y == 1.0 && v[1].x == v[1].y && v[5].x == -v[1].x);
    carom_shape_destroy(shape);
}

TEST(centre_is_the_chosen_interior_point) {
    carom_vec3 points[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-3, -3, -3}};
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
    def.polytope.vertex_count = 5;
    def.polytope.vertices = points;
    for (int choice = 0; choice < 2; choice++) {
        def.polytope.centre = choice ? CAROM_CENTRE_OF_MASS : CAROM_CENTRE_VERTEX_MEAN;
        carom_shape *shape;
        assert_int_equal(carom_shape_create(&def, NULL, &shape, NULL), CAROM_OK);
        carom_mass mass;
        carom_shape_get_mass(shape, 1.0, &mass, NULL);
        carom_vec3 mean = crm_vec3(-0.5, -0.5, -0.5); // of the four hull vertices; the origin is inside
        CHECK_INT(carom_shape_vertex_count(shape), 4);
        CHECK_NEAR(crm_distance(carom_shape_centre(shape), choice ? mass.centre : mean), 0.0, 1e-15);
        CHECK(carom_shape_in_radius(shape) > 0.0);
        carom_shape_destroy(shape);
    }
}

TEST_MAIN(CASE(cube_from_eight_corners_has_six_squares), CASE(points_on_faces_and_edges_are_dropped),
          CASE(ten_thousand_random_hulls_hold_their_points),
          CASE(facets_are_the_planes_that_a_search_of_all_triples_finds),
          CASE(a_hull_of_its_own_vertices_is_itself_to_the_bit), CASE(units_and_places_change_nothing_but_numbers),
          CASE(duplicates_share_a_vertex_and_inner_points_have_none),
          CASE(named_polytopes_have_their_faces_and_symmetry), CASE(centre_is_the_chosen_interior_point))
