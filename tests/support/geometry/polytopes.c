// SPDX-License-Identifier: MIT
#include "support/geometry/polytopes.h"

#include <math.h>
#include <stdio.h>

#include "math/quat.h"
#include "support/harness/check.h"

carom_shape *polytope_of_points(int count, const carom_vec3 *points) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
    def.polytope.vertex_count = count;
    def.polytope.vertices = points;
    carom_shape *shape;
    carom_error error = {0};
    if (carom_shape_create(&def, NULL, &shape, &error) != CAROM_OK) fail_msg("%s", error.text);
    return shape;
}

carom_shape *polytope_of_half_spaces(int count, const carom_half_space *half_spaces) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
    def.polytope.form = CAROM_POLYTOPE_HALF_SPACES;
    def.polytope.half_space_count = count;
    def.polytope.half_spaces = half_spaces;
    carom_shape *shape;
    carom_error error = {0};
    if (carom_shape_create(&def, NULL, &shape, &error) != CAROM_OK) fail_msg("%s", error.text);
    return shape;
}

carom_shape *named_polytope(carom_polytope_form form, int sides, double radius, double height) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
    def.polytope.form = form;
    def.polytope.edge = radius;
    def.polytope.sides = sides;
    def.polytope.radius = radius;
    def.polytope.height = height;
    carom_shape *shape;
    carom_error error = {0};
    if (carom_shape_create(&def, NULL, &shape, &error) != CAROM_OK) fail_msg("%s", error.text);
    return shape;
}

// ---- point sets

static int grid(int steps, bool solid, carom_vec3 *points) {
    int count = 0;
    for (int i = 0; i <= steps; i++)
        for (int j = 0; j <= steps; j++)
            for (int k = 0; k <= steps; k++) {
                bool on_face = i % steps == 0 || j % steps == 0 || k % steps == 0;
                if (solid || on_face)
                    points[count++] =
                        crm_vec3((double)i / steps - 0.5, (double)j / steps - 0.5, (double)k / steps - 0.5);
            }
    return count;
}

static int prism(sampler *s, carom_vec3 *points) {
    int sides = 3 + (int)crm_random_below(s, 9), count = 0;
    for (int i = 0; i < 2 * sides; i++) {
        double angle = 3.14159265358979323846 * i / sides, r = i % 2 ? cos(3.14159265358979323846 / sides) : 1.0;
        for (int level = -1; level <= 1; level++)
            points[count++] = crm_vec3(0.5 * r * cos(angle), 0.5 * r * sin(angle), 0.4 * level);
    }
    for (int level = -1; level <= 1; level++) points[count++] = crm_vec3(0.0, 0.0, 0.4 * level);
    return count;
}

static int icosahedron(carom_vec3 *points) {
    const double g = 0.5 * (1.0 + sqrt(5.0));
    int count = 0;
    for (int i = 0; i < 4; i++) {
        double a = i & 1 ? 0.5 : -0.5, b = i & 2 ? 0.5 * g : -0.5 * g;
        points[count++] = crm_vec3(0.0, a, b);
        points[count++] = crm_vec3(a, b, 0.0);
        points[count++] = crm_vec3(b, 0.0, a);
    }
    return count;
}

static int latitudes(sampler *s, carom_vec3 *points) {
    int rings = 2 + (int)crm_random_below(s, 5), around = 3 + (int)crm_random_below(s, 12), count = 0;
    for (int ring = 1; ring <= rings; ring++)
        for (int k = 0; k < around; k++) {
            double polar = 3.14159265358979323846 * ring / (rings + 1), angle = 6.28318530717958647692 * k / around;
            points[count++] = crm_vec3(sin(polar) * cos(angle), sin(polar) * sin(angle), cos(polar));
        }
    points[count++] = crm_vec3(0.0, 0.0, 1.0);
    points[count++] = crm_vec3(0.0, 0.0, -1.0);
    return count;
}

int sample_points(int kind, sampler *s, bool rotated, carom_vec3 *points) {
    int count = 4 + (int)crm_random_below(s, 40);
    switch (kind) {
    case POINTS_CUBE_GRID:
        count = grid(1 + (int)crm_random_below(s, 5), false, points);
        break;
    case POINTS_SOLID_GRID:
        count = grid(1 + (int)crm_random_below(s, 5), true, points);
        break;
    case POINTS_PRISM:
        count = prism(s, points);
        break;
    case POINTS_ICOSAHEDRON:
        count = icosahedron(points);
        break;
    case POINTS_LATITUDES:
        count = latitudes(s, points);
        break;
    default:
        for (int i = 0; i < count; i++) {
            points[i] = sample_unit(s);
            if (kind == POINTS_BALL) points[i] = crm_scale(cbrt(sample_between(s, 0.0, 1.0)), points[i]);
            if (kind == POINTS_FLAT) points[i].z *= 1e-5;
            if (kind == POINTS_NEEDLE) points[i].x *= 3e-5, points[i].y *= 1e-4;
        }
    }
    if (kind == POINTS_FLAT || kind == POINTS_NEEDLE)
        for (int i = 0; i < 8; i++) // so that it is not thinner still
            points[count++] = crm_vec3(i & 1 ? 1e-6 : -1e-6, i & 2 ? 1e-6 : -1e-6, i & 4 ? 1e-6 : -1e-6);
    if (kind == POINTS_TWINS) {
        int single = count;
        for (int i = 0; i < single; i++) {
            double offset = pow(10.0, sample_between(s, -17.0, -8.0));
            points[count++] = crm_madd(points[i], offset, sample_unit(s));
        }
    }
    if (rotated) {
        carom_quat q = sample_attitude(s);
        carom_vec3 shift = sample_vec3(s, 1.0);
        for (int i = 0; i < count; i++) points[i] = crm_add(shift, crm_quat_rotate(q, points[i]));
    }
    return count;
}

// ---- checks

static double size_of(int count, const carom_vec3 *points) {
    double size = 0.0;
    for (int i = 0; i < count; i++) size = fmax(size, crm_distance(points[i], points[0]));
    return size;
}

static bool check_edges(const carom_shape *shape) {
    bool good = true;
    for (int e = 0; e < carom_shape_edge_count(shape) && good; e++) {
        carom_edge edge;
        good &= CHECK_INT(carom_shape_get_edge(shape, e, &edge, NULL), CAROM_OK);
        good &= CHECK(edge.vertices[0] < edge.vertices[1] && edge.facets[0] != edge.facets[1]);
        for (int side = 0; side < 2; side++) {
            carom_facet facet;
            good &= CHECK_INT(carom_shape_get_facet(shape, edge.facets[side], &facet, NULL), CAROM_OK);
            int found = 0;
            for (int k = 0; k < facet.vertex_count; k++)
                found += facet.vertices[k] == edge.vertices[side] &&
                         facet.vertices[(k + 1) % facet.vertex_count] == edge.vertices[1 - side];
            good &= CHECK_INT(found, 1);
        }
    }
    return good;
}

static bool check_facet(const carom_shape *shape, int f, int count, const carom_vec3 *points, double length) {
    const carom_vec3 *vertices = carom_shape_vertices(shape);
    carom_facet facet;
    bool good = CHECK_INT(carom_shape_get_facet(shape, f, &facet, NULL), CAROM_OK);
    good &= CHECK_NEAR(crm_length(facet.normal), 1.0, 4e-16) && CHECK(facet.vertex_count >= 3);
    double highest = -HUGE_VAL;
    for (int i = 0; i < count && good; i++) good &= CHECK(crm_dot(facet.normal, points[i]) <= facet.offset + length);
    for (int i = 0; i < carom_shape_vertex_count(shape); i++)
        highest = fmax(highest, crm_dot(facet.normal, vertices[i]));
    good &= CHECK_NEAR(facet.offset, highest, 0.01 * length);
    for (int k = 0; k < facet.vertex_count && good; k++) {
        carom_vec3 a = vertices[facet.vertices[k]], b = vertices[facet.vertices[(k + 1) % facet.vertex_count]];
        good &= CHECK_NEAR(crm_dot(facet.normal, a), facet.offset, length);
        // Counter-clockwise and convex: the others are left of every edge. As areas, since short edges hardly know
        // where they look.
        carom_vec3 left = crm_cross(facet.normal, crm_sub(b, a));
        for (int j = 0; j < facet.vertex_count && good; j++)
            good &= CHECK(crm_dot(left, crm_sub(vertices[facet.vertices[j]], a)) >=
                          -10.0 * length * carom_shape_bounding_radius(shape));
    }
    return good;
}

bool check_point_map(const carom_shape *shape, int count, const carom_vec3 *points, double tolerance) {
    double length = tolerance * size_of(count, points);
    int mapped;
    const int *map = carom_shape_input_map(shape, &mapped);
    const carom_vec3 *vertices = carom_shape_vertices(shape);
    bool good = CHECK(map != NULL) && CHECK_INT(mapped, count);
    int met = 0;
    for (int i = 0; i < count && good; i++) {
        good &= CHECK(map[i] >= -1 && map[i] < carom_shape_vertex_count(shape));
        if (!good || map[i] < 0) continue;
        good &= CHECK(crm_distance(vertices[map[i]], points[i]) <= length);
        met +=
            vertices[map[i]].x == points[i].x && vertices[map[i]].y == points[i].y && vertices[map[i]].z == points[i].z;
    }
    return good && CHECK(met >= carom_shape_vertex_count(shape));
}

bool check_polytope(const carom_shape *shape, int count, const carom_vec3 *points, double tolerance) {
    double length = tolerance * size_of(count, points);
    bool good =
        CHECK_INT(carom_shape_vertex_count(shape) - carom_shape_edge_count(shape) + carom_shape_facet_count(shape), 2);
    good = good && check_edges(shape);
    for (int f = 0; f < carom_shape_facet_count(shape) && good; f++)
        good = check_facet(shape, f, count, points, length);
    carom_vec3 centre = carom_shape_centre(shape);
    double in = HUGE_VAL;
    for (int f = 0; f < carom_shape_facet_count(shape) && good; f++) {
        carom_facet facet;
        carom_shape_get_facet(shape, f, &facet, NULL);
        in = fmin(in, facet.offset - crm_dot(facet.normal, centre));
    }
    return good && CHECK(in > 0.0) && CHECK_NEAR(carom_shape_in_radius(shape), in, length);
}
