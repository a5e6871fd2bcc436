// SPDX-License-Identifier: MIT
// Collision types and contact points from the weights of the centre ray: the eight ways in which two tetrahedra meet
// (docs/math.md 3.7; [S] there, figure 2.12), by bare vertices and by polytopes, touching, apart and overlapping.
#include "carom/features.h"

#include <stdio.h>

#include "math/quat.h"
#include "reference/program/ssh_program.h"
#include "support/geometry/convex_shapes.h"
#include "support/geometry/polytopes.h"
#include "support/harness/check.h"
#include "support/harness/small_compare.h"

// Two tetrahedra that touch in z = 0, the first below. Moving the second along the line of the means of the vertices
// leaves that line, the normals and the weights as they are, and makes the value what it is moved by.
typedef struct tetrahedron_pair {
    char figure; // of 2.12
    carom_collision_type type;
    bool several_normals, several_weights;
    int weighted_a, weighted_b; // how many vertices have weight
    carom_vec3 contact;
    carom_vec3 a[4], b[4];
} tetrahedron_pair;

static const tetrahedron_pair pairs[] = {
    // A vertex of B inside a facet of A, and the other way round: one normal, one set of weights.
    {'a',
     CAROM_COLLISION_VERTEX_FACET,
     false,
     false,
     3,
     1,
     {0.1, 0.05, 0.0},
     {{-1.0, -0.6, 0.0}, {1.0, -0.6, 0.0}, {0.0, 1.2, 0.0}, {0.0, 0.0, -1.5}},
     {{0.1, 0.05, 0.0}, {-0.7, -0.6, 1.4}, {0.9, -0.5, 1.5}, {0.1, 0.9, 1.3}}},
    {'b',
     CAROM_COLLISION_VERTEX_FACET,
     false,
     false,
     1,
     3,
     {-0.2, 0.1, 0.0},
     {{-0.2, 0.1, 0.0}, {-0.9, -0.6, -1.3}, {0.7, -0.5, -1.4}, {0.0, 0.8, -1.5}},
     {{-1.0, -0.6, 0.0}, {1.0, -0.6, 0.0}, {0.0, 1.2, 0.0}, {0.1, 0.0, 1.6}}},
    // Facets that make a star: all six corners the same, about the middle.
    {'c',
     CAROM_COLLISION_FACET_FACET,
     false,
     true,
     3,
     3,
     {0.0, 0.0, 0.0},
     {{-1.0, -0.6, 0.0}, {1.0, -0.6, 0.0}, {0.0, 1.2, 0.0}, {0.0, 0.0, -1.5}},
     {{-1.0, 0.6, 0.0}, {1.0, 0.6, 0.0}, {0.0, -1.2, 0.0}, {0.2, 0.1, 1.5}}},
    // An edge of B in a facet of A: the middle of both.
    {'d',
     CAROM_COLLISION_EDGE_FACET,
     false,
     true,
     3,
     2,
     {0.0, 0.0, 0.0},
     {{-1.0, -0.6, 0.0}, {1.0, -0.6, 0.0}, {0.0, 1.2, 0.0}, {0.0, 0.0, -1.5}},
     {{-0.4, 0.0, 0.0}, {0.4, 0.0, 0.0}, {0.1, -0.7, 1.2}, {-0.1, 0.8, 1.3}}},
    {'e',
     CAROM_COLLISION_VERTEX_VERTEX,
     true,
     false,
     1,
     1,
     {0.0, 0.0, 0.0},
     {{0.0, 0.0, 0.0}, {-0.9, -0.6, -1.3}, {0.7, -0.5, -1.4}, {0.1, 0.8, -1.5}},
     {{0.0, 0.0, 0.0}, {-0.7, -0.6, 1.4}, {0.9, -0.5, 1.5}, {0.1, 0.9, 1.3}}},
    // A vertex of B on an edge of A, at five eighths of it.
    {'f',
     CAROM_COLLISION_VERTEX_EDGE,
     true,
     false,
     2,
     1,
     {0.25, 0.0, 0.0},
     {{-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, -0.8, -1.0}, {0.0, 0.8, -1.1}},
     {{0.25, 0.0, 0.0}, {-0.3, -0.5, 1.5}, {0.8, -0.4, 1.4}, {0.3, 0.6, 1.6}}},
    {'g',
     CAROM_COLLISION_EDGE_EDGE,
     false,
     false,
     2,
     2,
     {0.2, 0.0, 0.0},
     {{-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, -0.8, -1.0}, {0.0, 0.8, -1.1}},
     {{0.2, -0.9, 0.0}, {0.2, 1.1, 0.0}, {-0.6, 0.1, 1.2}, {1.0, 0.0, 1.3}}},
    // Edges along x that share -0.5 ... 1: the middle of that.
    {'h',
     CAROM_COLLISION_EDGE_EDGE_PARALLEL,
     true,
     true,
     2,
     2,
     {0.25, 0.0, 0.0},
     {{-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, -0.8, -1.0}, {0.0, 0.8, -1.1}},
     {{-0.5, 0.0, 0.0}, {1.5, 0.0, 0.0}, {0.5, -0.3, 1.2}, {0.5, 0.35, 1.3}}},
};
enum { PAIRS = sizeof pairs / sizeof pairs[0] };

static carom_vec3 mean_of(const carom_vec3 *v) {
    return crm_scale(0.25, crm_add(crm_add(v[0], v[1]), crm_add(v[2], v[3])));
}

static void check_pair(const tetrahedron_pair *pair, const carom_view *a, const carom_view *b, double value,
                       carom_vec3 contact) {
    carom_ray_witness ray;
    carom_error error = {0};
    if (carom_ray_find(a, b, NULL, NULL, &ray, &error) != CAROM_OK) fail_msg("%s", error.text);
    carom_vec3 point;
    carom_collision_type type = carom_collision_of(a, b, &ray, &point);
    bool good = CHECK_TEXT(carom_collision_type_name(type), carom_collision_type_name(pair->type)) &
                CHECK_NEAR(vec3_gap(point, contact), 0.0, 1e-12) & CHECK_NEAR(ray.value, value, 1e-13) &
                CHECK_INT(ray.a.vertex_count, pair->weighted_a) & CHECK_INT(ray.b.vertex_count, pair->weighted_b) &
                CHECK(ray.alpha_unique == !pair->several_normals) & CHECK(ray.weights_unique == !pair->several_weights);
    if (!good) fprintf(stderr, "figure 2.12%c at value %g\n", pair->figure, value);
}

TEST(eight_ways_of_two_tetrahedra_are_told_apart) {
    static const double values[] = {0.0, 0.2, -0.05};
    sampler s = {.seed = 91};
    for (int i = 0; i < PAIRS; i++)
        for (int j = 0; j < 60; j++) {
            const tetrahedron_pair *pair = &pairs[i];
            double value = values[j % 3];
            carom_vec3 beta, mean_a = mean_of(pair->a), mean_b = mean_of(pair->b);
            crm_normalise(crm_sub(mean_b, mean_a), &beta);
            carom_quat rotation = j < 3 ? (carom_quat){1.0, 0.0, 0.0, 0.0} : sample_attitude(&s);
            carom_vec3 shift = j < 3 ? crm_vec3_zero() : sample_vec3(&s, 1.0);
            carom_vec3 moved_a[4], moved_b[4];
            for (int k = 0; k < 4; k++) {
                moved_a[k] = crm_add(shift, crm_quat_rotate(rotation, pair->a[k]));
                moved_b[k] = crm_add(shift, crm_quat_rotate(rotation, crm_madd(pair->b[k], value, beta)));
            }
            carom_vec3 contact = crm_add(shift, crm_quat_rotate(rotation, crm_madd(pair->contact, 0.5 * value, beta)));
            carom_view bare_a = carom_view_of_vertices(4, moved_a), bare_b = carom_view_of_vertices(4, moved_b);
            check_pair(pair, &bare_a, &bare_b, value, contact);

            carom_shape *shape_a = polytope_of_points(4, pair->a), *shape_b = polytope_of_points(4, pair->b);
            carom_view a = moved_view(place(shape_a, 0.0, 0.0, 0.0), rotation, shift);
            carom_view b = moved_view(place(shape_b, value * beta.x, value * beta.y, value * beta.z), rotation, shift);
            check_pair(pair, &a, &b, value, contact);
            carom_shape_destroy(shape_a);
            carom_shape_destroy(shape_b);
        }
}

// The cases themselves, by the slow program: what is degenerate in them, and the contact point from its weights.
TEST(eight_ways_are_what_they_are_said_to_be) {
    for (int i = 0; i < PAIRS; i++) {
        const tetrahedron_pair *pair = &pairs[i];
        double k1[12], k2[12], beta[3], distance; // K1 is B: its alpha points from K2 to K1
        for (int k = 0; k < 4; k++) {
            const carom_vec3 *v[] = {&pair->b[k], &pair->a[k]};
            for (int side = 0; side < 2; side++) {
                double *to = (side == 0 ? k1 : k2) + 3 * k;
                to[0] = v[side]->x;
                to[1] = v[side]->y;
                to[2] = v[side]->z;
            }
        }
        CHECK(ssh_mean_direction(4, k1, 4, k2, beta, &distance));
        ssh_result r;
        ssh_program_solve(4, k1, 4, k2, beta, &r);
        CHECK_INT(r.status, SSH_OPTIMAL);
        CHECK_NEAR(r.value, 0.0, 1e-15);
        CHECK(r.alpha_unique == !pair->several_normals && r.dual_unique == !pair->several_weights);
        CHECK_NEAR(vec3_gap(crm_vec3(r.point1[0], r.point1[1], r.point1[2]), pair->contact), 0.0, 1e-14);
        int weighted_a = 0, weighted_b = 0;
        for (int k = 0; k < 4; k++) weighted_a += r.dual2[k] > 1e-12, weighted_b += r.dual1[k] > 1e-12;
        CHECK_INT(weighted_a, pair->weighted_a);
        CHECK_INT(weighted_b, pair->weighted_b);
    }
}

// What the parts of a contact are called when boxes meet, whose facets have diagonals.
TEST(boxes_meet_by_vertices_edges_and_facets) {
    carom_shape *cube = box_of(1.0, 1.0, 1.0);
    const double edge_up = 0.78539816339744831; // rad
    carom_quat none = {1.0, 0.0, 0.0, 0.0}, about_x = crm_quat_from_axis_angle(crm_vec3(1.0, 0.0, 0.0), edge_up),
               about_y = crm_quat_from_axis_angle(crm_vec3(0.0, 1.0, 0.0), edge_up),
               corner = crm_quat_between(crm_vec3(-sqrt(1.0 / 3.0), -sqrt(1.0 / 3.0), -sqrt(1.0 / 3.0)),
                                         crm_vec3(0.0, 0.0, -1.0));
    const double half = 0.5, root2 = sqrt(0.5), root3 = sqrt(0.75);
    const struct {
        carom_quat a, b;
        double x, y, z;
        carom_collision_type type;
    } cases[] = {
        {none, none, 0.0, 0.0, half + half, CAROM_COLLISION_FACET_FACET},
        {none, none, 0.3, 0.2, half + half, CAROM_COLLISION_FACET_FACET},
        {none, about_x, 0.0, 0.1, half + root2, CAROM_COLLISION_EDGE_FACET},
        {about_x, none, 0.0, 0.1, root2 + half, CAROM_COLLISION_EDGE_FACET},
        {about_x, about_x, 0.4, 0.0, root2 + root2, CAROM_COLLISION_EDGE_EDGE_PARALLEL},
        {about_x, about_y, 0.1, 0.1, root2 + root2, CAROM_COLLISION_EDGE_EDGE},
        {none, corner, 0.0, 0.0, half + root3, CAROM_COLLISION_VERTEX_FACET}, // on the middle of the facet's diagonals
        {none, corner, 0.2, 0.2, half + root3, CAROM_COLLISION_VERTEX_FACET}, // on a diagonal
        {none, corner, 0.1, -0.3, half + root3, CAROM_COLLISION_VERTEX_FACET},
        {about_x, corner, 0.2, 0.0, root2 + root3, CAROM_COLLISION_VERTEX_EDGE},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof cases[0]); i++)
        for (int swapped = 0; swapped < 2; swapped++) {
            carom_view a = place(cube, 0.0, 0.0, 0.0), b = place(cube, cases[i].x, cases[i].y, cases[i].z);
            a.pose.attitude = cases[i].a;
            b.pose.attitude = cases[i].b;
            const carom_view *first = swapped ? &b : &a, *second = swapped ? &a : &b;
            carom_ray_witness ray;
            CHECK_INT(carom_ray_find(first, second, NULL, NULL, &ray, NULL), CAROM_OK);
            carom_collision_type type = carom_collision_of(first, second, &ray, NULL);
            if (!CHECK_TEXT(carom_collision_type_name(type), carom_collision_type_name(cases[i].type)))
                fprintf(stderr, "case %d\n", i);
        }
    carom_shape_destroy(cube);
}

TEST(types_have_names) {
    CHECK_TEXT(carom_collision_type_name(CAROM_COLLISION_VERTEX_VERTEX), "vertex-vertex");
    CHECK_TEXT(carom_collision_type_name(CAROM_COLLISION_FACET_FACET), "facet-facet");
    CHECK_TEXT(carom_collision_type_name((carom_collision_type)7), "?");
    CHECK_TEXT(carom_collision_type_name((carom_collision_type)-1), "?");
}

TEST_MAIN(CASE(eight_ways_of_two_tetrahedra_are_told_apart), CASE(eight_ways_are_what_they_are_said_to_be),
          CASE(boxes_meet_by_vertices_edges_and_facets), CASE(types_have_names))
