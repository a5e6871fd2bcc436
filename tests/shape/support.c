// SPDX-License-Identifier: MIT
// Support functions: every way to find the farthest vertex gives the same one as a plain search.
#include "shape/support/support.h"

#include <math.h>
#include <stdlib.h>

#include "math/quat.h"
#include "shape/shape.h"
#include "support/geometry/polytopes.h"
#include "support/harness/check.h"

static int plain_search(const crm_polytope *p, carom_vec3 d) {
    int best = 0;
    for (int i = 1; i < p->vertex_count; i++)
        if (crm_dot(d, p->vertex[i]) > crm_dot(d, p->vertex[best])) best = i;
    return best;
}

// All kernels, climbing from everywhere, and the rule that chooses between them.
static bool check_direction(const crm_polytope *p, carom_vec3 d, sampler *s) {
    int wanted = plain_search(p, d);
    bool good = true;
    for (int k = 0; crm_support_kernels_variant(k) != NULL; k++)
        good &= CHECK_INT(crm_support_kernels_variant(k)->scan(p->padded_count, p->x, p->y, p->z, d), wanted);
    int start = (int)crm_random_below(s, (uint64_t)p->vertex_count);
    good &= CHECK_INT(crm_support_climb(p, d, -1), wanted) && CHECK_INT(crm_support_climb(p, d, start), wanted);
    good &= CHECK_INT(crm_support_climb(p, d, wanted), wanted);
    return good && CHECK_INT(crm_support_vertex(p, d, -1), wanted) &&
           CHECK_INT(crm_support_vertex(p, d, start), wanted);
}

// Directions that tie: normals of facets and edges, axes, and those a few roundings beside.
static bool check_hard_directions(const crm_polytope *p, sampler *s) {
    bool good = true;
    for (int f = 0; f < p->facet_count && good; f++) {
        carom_vec3 n = p->normal[f];
        good = check_direction(p, n, s) && check_direction(p, crm_negate(n), s) &&
               check_direction(p, crm_madd(n, 1e-15, sample_unit(s)), s) &&
               check_direction(p, crm_madd(n, 1e-12, sample_unit(s)), s) &&
               check_direction(p, crm_madd(n, 1e-8, sample_unit(s)), s);
    }
    for (int e = 0; e < p->edge_count && good; e++) {
        carom_vec3 between = crm_add(p->normal[p->edge[e].facets[0]], p->normal[p->edge[e].facets[1]]);
        good = check_direction(p, between, s) && check_direction(p, crm_madd(between, 1e-14, sample_unit(s)), s);
    }
    for (int i = 0; i < 27 && good; i++)
        good = check_direction(p, crm_vec3(i % 3 - 1.0, i / 3 % 3 - 1.0, i / 9 - 1.0), s);
    return good;
}

TEST(all_ways_find_the_same_vertex_of_small_hulls) {
    carom_vec3 points[400];
    for (int kind = 0; kind < POINT_KINDS; kind++) {
        sampler s = {.seed = 600 + (uint64_t)kind};
        bool good = true;
        for (int round = 0; round < 100 && good; round++) {
            int count = sample_points(kind, &s, round % 2, points);
            carom_shape *shape = polytope_of_points(count, points);
            good = check_hard_directions(&shape->polytope, &s);
            for (int i = 0; i < 100 && good; i++) good = check_direction(&shape->polytope, sample_unit(&s), &s);
            if (!good) print_message("kind %d, round %d\n", kind, round);
            carom_shape_destroy(shape);
        }
    }
}

static bool check_large(carom_shape *shape, sampler *s) {
    bool good = check_hard_directions(&shape->polytope, s);
    for (int i = 0; i < 3000 && good; i++) good = check_direction(&shape->polytope, sample_unit(s), s);
    carom_shape_destroy(shape);
    return good;
}

TEST(all_ways_find_the_same_vertex_of_large_hulls) {
    sampler s = {.seed = 700};
    enum { MOST = 2000 };
    static carom_vec3 points[MOST];
    for (int round = 0; round < 6; round++) {
        int count = 0;
        for (; count < 300 * (round + 1); count++) points[count] = sample_unit(&s);
        CHECK(check_large(polytope_of_points(count, points), &s));
        // Rings: trapezia all around, and large polygons on both ends.
        int around = 20 + 13 * round, rings = 12;
        carom_quat q = sample_attitude(&s);
        count = 0;
        for (int ring = 1; ring <= rings; ring++)
            for (int k = 0; k < around; k++) {
                double polar = 3.14159265358979323846 * ring / (rings + 1), angle = 6.28318530717958647692 * k / around;
                carom_vec3 p = crm_vec3(sin(polar) * cos(angle), sin(polar) * sin(angle), cos(polar));
                points[count++] = round % 2 ? crm_quat_rotate(q, p) : p;
            }
        CHECK(check_large(polytope_of_points(count, points), &s));
    }
    CHECK(check_large(named_polytope(CAROM_POLYTOPE_PRISM, 500, 1.0, 1.0), &s));
    CHECK(check_large(named_polytope(CAROM_POLYTOPE_PYRAMID, 700, 1.0, 1.0), &s));
}

// A facet of more vertices than the list of ties holds.
TEST(ties_around_a_large_polygon_go_to_the_lowest_number) {
    carom_shape *shape = named_polytope(CAROM_POLYTOPE_PRISM, 400, 1.0, 1.0);
    const crm_polytope *p = &shape->polytope;
    for (int start = 0; start < p->vertex_count; start += 37) {
        CHECK_INT(crm_support_climb(p, crm_vec3(0.0, 0.0, 1.0), start), 400);
        CHECK_INT(crm_support_climb(p, crm_vec3(0.0, 0.0, -1.0), start), 0);
        CHECK_INT(crm_support_vertex(p, crm_vec3(0.0, 0.0, 0.0), start), 0);
    }
    carom_shape_destroy(shape);
}

TEST(scans_agree_for_every_number_of_vertices) {
    enum { MOST = 1040 };
    _Alignas(64) static double x[MOST], y[MOST], z[MOST];
    sampler s = {.seed = 800};
    for (int count = 4; count <= MOST; count += 4)
        for (int round = 0; round < 20; round++) {
            // Few different values, so that ties are the rule.
            for (int i = 0; i < count; i++) {
                x[i] = (double)crm_random_below(&s, 3) - 1.0;
                y[i] = round % 2 ? sample_between(&s, -1.0, 1.0) : 0.0;
                z[i] = (double)crm_random_below(&s, 3) - 1.0;
            }
            carom_vec3 d = round % 3 ? sample_unit(&s) : crm_vec3(1.0, 0.0, -1.0);
            int wanted = crm_support_kernels_variant(0)->scan(count, x, y, z, d);
            for (int k = 1; crm_support_kernels_variant(k) != NULL; k++)
                CHECK_INT(crm_support_kernels_variant(k)->scan(count, x, y, z, d), wanted);
        }
}

// The support value of a convex shape: h(d) = max of d.y, known in closed form; the point must be in the shape.
TEST(smooth_shapes_reach_their_support_values) {
    sampler s = {.seed = 900};
    carom_vec3 a = {0.3, 1.2, 2.5};
    carom_shape_def sphere = carom_shape_def_default(CAROM_SHAPE_SPHERE),
                    box = carom_shape_def_default(CAROM_SHAPE_BOX);
    carom_shape_def ellipsoid = carom_shape_def_default(CAROM_SHAPE_ELLIPSOID);
    carom_shape_def capsule = carom_shape_def_default(CAROM_SHAPE_CAPSULE);
    sphere.sphere.radius = 0.7;
    ellipsoid.ellipsoid.half_axes = a;
    box.box.size = crm_scale(2.0, a);
    capsule.capsule = (carom_capsule_def){.radius = 0.2, .length = 1.4};
    carom_shape *shape[4];
    carom_shape_create(&sphere, NULL, &shape[0], NULL);
    carom_shape_create(&ellipsoid, NULL, &shape[1], NULL);
    carom_shape_create(&capsule, NULL, &shape[2], NULL);
    carom_shape_create(&box, NULL, &shape[3], NULL);
    for (int i = 0; i < 2000; i++) {
        carom_vec3 d = sample_unit(&s), p;
        if (i < 6) d = crm_with_component(crm_vec3_zero(), i % 3, i < 3 ? 1.0 : -1.0);
        carom_vec3 scaled = crm_scale(pow(10.0, sample_between(&s, -200.0, 200.0)), d), ad = crm_vec3_mul(a, d);
        double wanted[4] = {0.7, crm_length(ad), 0.2 + 0.7 * fabs(d.z), fabs(ad.x) + fabs(ad.y) + fabs(ad.z)};
        for (int k = 0; k < 4; k++) {
            int vertex = 5;
            CHECK_INT(carom_shape_get_support(shape[k], scaled, &p, &vertex, NULL), CAROM_OK);
            CHECK_NEAR(crm_dot(d, p), wanted[k], 1e-15 * 8.0);
            CHECK(k == 3 ? vertex >= 0 && vertex < 8 : vertex == -1);
            carom_vec3 unit = crm_vec3(p.x / a.x, p.y / a.y, p.z / a.z);
            if (k == 1) CHECK_NEAR(crm_length(unit), 1.0, 1e-15);
        }
    }
    for (int k = 0; k < 4; k++) carom_shape_destroy(shape[k]);
}

TEST_MAIN(CASE(all_ways_find_the_same_vertex_of_small_hulls), CASE(all_ways_find_the_same_vertex_of_large_hulls),
          CASE(ties_around_a_large_polygon_go_to_the_lowest_number), CASE(scans_agree_for_every_number_of_vertices),
          CASE(smooth_shapes_reach_their_support_values))
