// SPDX-License-Identifier: MIT
// Lists of feature contacts: what one costs, how many contacts it has, and how many of them could be spared. Bodies 1 m
// wide that touch, facet on facet or in any attitude; the tolerance is that along the normal and across it.
//
// Not implied by others: without the rest the list allows the same motions (exact/needed_features.h).
// Corners of their hull: seen along the normal of the ray, which is enough where the bodies touch in a plane.
// Best four: the area of the largest quadrilateral of such corners, beside that of all.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/random.h"
#include "carom/features.h"
#include "exact/needed_features.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "support/report.h"
#include "support/timing.h"

enum { SHAPES = 16, PAIRS = 100, ROUNDS = 11, MOST_POINTS = 128, MOST_FEATURES = BENCH_NEEDED_MOST };

static const struct solids {
    const char *name;
    carom_shape_kind kind;
    int points; // random ones on a sphere; 0: boxes, and prisms of 8 sides
} solids[] = {
    {"boxes", CAROM_SHAPE_BOX, 0},
    {"prisms", CAROM_SHAPE_POLYTOPE, 0},
    {"32 vertices", CAROM_SHAPE_POLYTOPE, 32},
    {"128 vertices", CAROM_SHAPE_POLYTOPE, 128},
};
enum { KINDS = sizeof solids / sizeof solids[0] };

static const double tolerances[] = {0.0, 0.01, 0.1}; // m, of bodies 1 m wide

static void stop(const char *why) {
    fprintf(stderr, "carom: %s\n", why);
    exit(3);
}

// ---- pairs that touch

static carom_shape *make_solid(const struct solids *solids, crm_random *random) {
    carom_vec3 points[MOST_POINTS];
    carom_shape_def def = carom_shape_def_default(solids->kind);
    if (solids->kind == CAROM_SHAPE_BOX) {
        def.box.size = (carom_vec3){1.0, 1.0, 1.0};
    } else if (solids->points == 0) {
        def.polytope.form = CAROM_POLYTOPE_PRISM;
        def.polytope.sides = 8;
    } else {
        for (int i = 0; i < solids->points; i++) points[i] = crm_scale(0.5, crm_random_direction(random));
        def.polytope.vertex_count = solids->points;
        def.polytope.vertices = points;
    }
    carom_shape *shape;
    carom_error error;
    if (carom_shape_create(&def, NULL, &shape, &error) != CAROM_OK) stop(error.text);
    return shape;
}

// With a random facet across z, its mean at the origin, the body on the side of `into`; how far the facet's corners are
// from that mean, m.
static carom_view view_on_facet(const carom_shape *shape, double into, crm_random *random, double *width) {
    carom_facet facet;
    if (carom_shape_get_facet(shape, (int)crm_random_below(random, (uint64_t)carom_shape_facet_count(shape)), &facet,
                              NULL) != CAROM_OK)
        stop("a shape without facets");
    const carom_vec3 *vertices = carom_shape_vertices(shape);
    carom_vec3 mean = crm_vec3_zero();
    for (int i = 0; i < facet.vertex_count; i++)
        mean = crm_madd(mean, 1.0 / facet.vertex_count, vertices[facet.vertices[i]]);
    *width = crm_length(crm_sub(vertices[facet.vertices[0]], mean));
    carom_vec3 outward = {0.0, 0.0, -into};
    carom_quat spin = crm_quat_from_axis_angle(outward, crm_random_between(random, -3.0, 3.0));
    carom_quat attitude = crm_quat_normalised(crm_quat_mul(spin, crm_quat_between(facet.normal, outward)));
    return carom_view_of(shape, (carom_pose){crm_scale(-1.0, crm_quat_rotate(attitude, mean)), attitude});
}

typedef struct pair {
    carom_view a, b;
    carom_vec3 normal; // of the ray
} pair;

static carom_ray_witness ray_of(const pair *p) {
    carom_ray_witness ray;
    carom_error error;
    if (carom_ray_find(&p->a, &p->b, NULL, NULL, &ray, &error) != CAROM_OK) stop(error.text);
    return ray;
}

static void fill_pair(carom_shape *const shapes[SHAPES], bool on_facets, crm_random *random, pair *p) {
    const carom_shape *a = shapes[crm_random_below(random, SHAPES)], *b = shapes[crm_random_below(random, SHAPES)];
    if (on_facets) {
        double width_a, width_b, angle = crm_random_between(random, -3.0, 3.0);
        p->a = view_on_facet(a, -1.0, random, &width_a);
        p->b = view_on_facet(b, 1.0, random, &width_b);
        double shift = crm_random_between(random, 0.0, 0.4) * fmin(width_a, width_b);
        p->b.pose.position = crm_madd(p->b.pose.position, shift, crm_vec3(cos(angle), sin(angle), 0.0));
    } else {
        p->a = carom_view_of(a, (carom_pose){crm_vec3_zero(), crm_random_rotation(random)});
        p->b =
            carom_view_of(b, (carom_pose){crm_scale(2.0, crm_random_direction(random)), crm_random_rotation(random)});
        for (int i = 0; i < 2; i++) { // the second time takes away rounding
            carom_ray_witness ray = ray_of(p);
            p->b.pose.position = crm_madd(p->b.pose.position, -ray.value, ray.beta);
        }
    }
    p->normal = ray_of(p).normal;
}

// ---- how many feature contacts, and which of them matter

typedef struct point2 {
    double x, y;
} point2;

// Twice the area, positive when a, b, c go to the left.
static double twice_area(point2 a, point2 b, point2 c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static int by_x_then_y(const void *left, const void *right) {
    const point2 *a = left, *b = right;
    if (a->x != b->x) return a->x < b->x ? -1 : 1;
    return (a->y > b->y) - (a->y < b->y);
}

// The corners of the convex hull, counter-clockwise, by Andrew's monotone chain; sorts the points. Points on edges, to
// 1e-9 m^2, are no corners.
static int hull_of(int count, point2 *points, point2 *hull) {
    const double flat = 1e-9;
    int size = 0, lower = 1;
    qsort(points, (size_t)count, sizeof *points, by_x_then_y);
    for (int pass = 0; pass < 2; pass++) {
        for (int k = pass; k < count; k++) {
            point2 next = points[pass == 0 ? k : count - 1 - k];
            while (size > lower && twice_area(hull[size - 2], hull[size - 1], next) < flat) size--;
            hull[size++] = next;
        }
        lower = size;
    }
    // The chain has closed on its first point.
    return size > 1 ? size - 1 : size;
}

static double area_of(int count, const point2 *hull) {
    double twice = 0.0;
    for (int i = 2; i < count; i++) twice += twice_area(hull[0], hull[i - 1], hull[i]);
    return 0.5 * twice;
}

// Of the largest quadrilateral: on both sides of each diagonal the farthest corner.
static double best_four(int count, const point2 *hull) {
    double best = 0.0;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++) {
            double left = 0.0, right = 0.0;
            for (int k = 0; k < count; k++) {
                double twice = twice_area(hull[i], hull[j], hull[k]);
                left = fmax(left, twice);
                right = fmax(right, -twice);
            }
            best = fmax(best, 0.5 * (left + right));
        }
    return best;
}

typedef struct tally {
    double features, needed, corners; // means
    double area, area_of_four;        // sums, m^2
    double largest_gap, seconds;      // m; s a list
} tally;

static void count_pair(const pair *p, int count, const carom_feature_contact *features, tally *sum) {
    static point2 points[MOST_FEATURES], hull[2 * MOST_FEATURES];
    carom_vec3 x = crm_any_normal(p->normal), y = crm_cross(p->normal, x);
    for (int i = 0; i < count; i++) {
        points[i] = (point2){crm_dot(x, features[i].point_a), crm_dot(y, features[i].point_a)};
        sum->largest_gap = fmax(sum->largest_gap, fabs(features[i].gap));
    }
    int corners = hull_of(count, points, hull), needed = bench_needed_features(count, features);
    if (needed < 0) stop("the exact test cannot tell which feature contacts are needed");
    sum->features += (double)count / PAIRS;
    sum->needed += (double)needed / PAIRS;
    sum->corners += (double)corners / PAIRS;
    sum->area += area_of(corners, hull);
    sum->area_of_four += best_four(corners, hull);
}

static tally measure(const pair pairs[PAIRS], double tolerance) {
    static carom_feature_contact features[MOST_FEATURES];
    carom_feature_options options = carom_feature_options_default();
    options.gap_tolerance = options.margin = tolerance;
    tally sum = {0};
    double seconds[ROUNDS];
    for (int round = 0; round <= ROUNDS; round++) { // the first only counts
        double start = crm_clock_thread_seconds();
        for (int i = 0; i < PAIRS; i++) {
            int count;
            carom_error error;
            if (carom_features_find(&pairs[i].a, &pairs[i].b, &options, MOST_FEATURES, features, &count, &error) !=
                CAROM_OK)
                stop(error.text);
            if (count > MOST_FEATURES) stop("more feature contacts than there is room for");
            if (round == 0) count_pair(&pairs[i], count, features, &sum);
        }
        if (round > 0) seconds[round - 1] = crm_clock_thread_seconds() - start;
    }
    sum.seconds = bench_median(seconds, ROUNDS) / PAIRS;
    return sum;
}

// ---- rows

static void print_case(bool json, const char *name, bool on_facets, double tolerance, const tally *sum) {
    char title[96];
    bench_row row = bench_row_of("events", name, "ns");
    row.carom = 1e9 * sum->seconds;
    if (tolerance == 0.0) row.error = sum->largest_gap; // they touch
    bench_print_row(json, &row);

    snprintf(title, sizeof title, "%s: number", name);
    row = bench_row_of("events", title, "mean");
    row.carom = sum->features;
    row.peer = "not implied by others";
    row.peer_value = sum->needed;
    bench_print_row(json, &row);
    row.peer = "corners of their hull";
    row.peer_value = sum->corners;
    bench_print_row(json, &row);

    if (!on_facets) return;
    snprintf(title, sizeof title, "%s: area", name);
    row = bench_row_of("events", title, "m^2");
    row.carom = sum->area / PAIRS;
    row.peer = "best four";
    row.peer_value = sum->area_of_four / PAIRS;
    bench_print_row(json, &row);
}

int main(int argc, char **argv) {
    bool json = bench_wants_json(argc, argv);
    bench_print_heading(json, "events: lists of bodies 1 m wide that touch, processor time of one thread");
    for (int k = 0; k < KINDS; k++) {
        crm_random random = {.seed = 17, .stream = (uint32_t)k};
        carom_shape *shapes[SHAPES];
        for (int i = 0; i < SHAPES; i++) shapes[i] = make_solid(&solids[k], &random);
        for (int on_facets = 1; on_facets >= 0; on_facets--) {
            static pair pairs[PAIRS];
            for (int i = 0; i < PAIRS; i++) fill_pair(shapes, on_facets, &random, &pairs[i]);
            for (int t = 0; t < (int)(sizeof tolerances / sizeof tolerances[0]); t++) {
                char name[64];
                snprintf(name, sizeof name, "%s, %s, %g %%", solids[k].name, on_facets ? "facets" : "any attitude",
                         100.0 * tolerances[t]);
                tally sum = measure(pairs, tolerances[t]);
                print_case(json, name, on_facets, tolerances[t], &sum);
            }
        }
        for (int i = 0; i < SHAPES; i++) carom_shape_destroy(shapes[i]);
    }
    return 0;
}
