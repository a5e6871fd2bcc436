// SPDX-License-Identifier: MIT
// Events against the enumeration of all pairs of features, against clipped polygons, and in cases that can be drawn.
#include "carom/events.h"

#include <stdio.h>
#include <string.h>

#include "math/quat.h"
#include "reference/event_enumeration.h"
#include "support/check.h"
#include "support/polytopes.h"
#include "support/small_compare.h"

enum { MOST_EVENTS = 1024 };

typedef struct found_events {
    int count;
    carom_event event[MOST_EVENTS];
} found_events;

static const carom_quat upright = {1.0, 0.0, 0.0, 0.0};

static carom_shape *box(double x, double y, double z) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_BOX);
    def.box.edges = crm_vec3(x, y, z);
    carom_shape *shape;
    carom_error error = {0};
    if (carom_shape_create(&def, NULL, &shape, &error) != CAROM_OK) fail_msg("%s", error.text);
    return shape;
}

static carom_view at(const carom_shape *shape, double x, double y, double z, carom_quat attitude) {
    return carom_view_of(shape, (carom_pose){{x, y, z}, attitude});
}

static carom_quat turned(double x, double y, double z, double degrees) {
    carom_vec3 axis;
    crm_normalise(crm_vec3(x, y, z), &axis);
    return crm_quat_from_axis_angle(axis, degrees * (3.14159265358979323846 / 180.0));
}

static carom_event_options within(double gap_tolerance, double reach) {
    carom_event_options options = carom_event_options_default();
    options.gap_tolerance = gap_tolerance;
    options.reach = reach;
    return options;
}

static void find(const carom_view *a, const carom_view *b, const carom_event_options *options, found_events *found) {
    carom_error error = {0};
    carom_status status = carom_find_events(a, b, options, MOST_EVENTS, found->event, &found->count, &error);
    if (status != CAROM_OK) fail_msg("%s", error.text);
    CHECK(found->count <= MOST_EVENTS);
}

static int count_kind(const found_events *found, carom_event_kind kind) {
    int count = 0;
    for (int i = 0; i < found->count; i++) count += found->event[i].kind == kind;
    return count;
}

// The pair moved as one.
static carom_view moved(const carom_view *view, carom_quat turn, carom_vec3 shift) {
    carom_view result = *view;
    result.pose.position = crm_add(shift, crm_quat_rotate(turn, view->pose.position));
    result.pose.attitude = crm_quat_normalised(crm_quat_mul(turn, view->pose.attitude));
    return result;
}

// B moved along the line of centres until the ray's value is `value`.
static carom_view brought_to(const carom_view *a, const carom_view *b, double value) {
    carom_view result = *b;
    for (int i = 0; i < 2; i++) { // the second one takes away rounding
        carom_ray_witness ray;
        carom_error error = {0};
        if (carom_find_ray(a, &result, NULL, NULL, &ray, &error) != CAROM_OK) fail_msg("%s", error.text);
        result.pose.position = crm_madd(result.pose.position, value - ray.value, ray.beta);
    }
    return result;
}

// ---- drawn cases

// Every attitude of the pair as a whole must see the same.
static void check_all_attitudes(const carom_view *a, const carom_view *b, const carom_event_options *options,
                                void (*check)(const found_events *found, carom_quat turn, carom_vec3 shift)) {
    sampler s = {.seed = 71};
    for (int i = 0; i < 200; i++) {
        carom_quat turn = i == 0 ? upright : sample_attitude(&s);
        carom_vec3 shift = i == 0 ? crm_vec3_zero() : sample_vec3(&s, i % 2 ? 1.0 : 100.0);
        carom_view view_a = moved(a, turn, shift), view_b = moved(b, turn, shift);
        found_events found;
        find(&view_a, &view_b, options, &found);
        check(&found, turn, shift);
    }
}

static bool has_point(const found_events *found, carom_vec3 point, double tolerance) {
    for (int i = 0; i < found->count; i++)
        if (vec3_gap(found->event[i].point_b, point) <= tolerance) return true;
    return false;
}

static void is_a_square_of_corners(const found_events *found, carom_quat turn, carom_vec3 shift) {
    CHECK_INT(found->count, 4);
    CHECK_INT(count_kind(found, CAROM_EVENT_EDGES), 0);
    carom_vec3 up = crm_quat_rotate(turn, crm_vec3(0.0, 0.0, 1.0));
    for (int i = 0; i < 4; i++) {
        carom_vec3 corner = crm_vec3(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, 0.5);
        CHECK(has_point(found, crm_add(shift, crm_quat_rotate(turn, corner)), 1e-12));
        CHECK_NEAR(found->event[i].gap, 0.0, 1e-13);
        CHECK_NEAR(vec3_gap(found->event[i].normal, up), 0.0, 1e-13);
    }
}

TEST(equal_cubes_face_to_face_have_four_corners) {
    carom_shape *cube = box(1.0, 1.0, 1.0);
    carom_view a = at(cube, 0.0, 0.0, 0.0, upright), b = at(cube, 0.0, 0.0, 1.0, upright);
    carom_view quarter = at(cube, 0.0, 0.0, 1.0, turned(0.0, 0.0, 1.0, 90.0));
    carom_event_options exact = within(0.0, 0.0), wide = within(0.3, 0.0), near_outlines = within(0.01, 0.01);
    check_all_attitudes(&a, &b, &exact, is_a_square_of_corners);
    check_all_attitudes(&a, &b, &wide, is_a_square_of_corners);
    check_all_attitudes(&a, &b, &near_outlines, is_a_square_of_corners);
    check_all_attitudes(&a, &quarter, &exact, is_a_square_of_corners);
    carom_shape_destroy(cube);
}

static void is_one_crossing(const found_events *found, carom_quat turn, carom_vec3 shift) {
    CHECK_INT(found->count, 1);
    const carom_event *e = &found->event[0];
    CHECK_INT(e->kind, CAROM_EVENT_EDGES);
    CHECK_NEAR(e->gap, 0.01, 1e-12);
    CHECK_NEAR(vec3_gap(e->normal, crm_quat_rotate(turn, crm_vec3(0.0, 0.0, 1.0))), 0.0, 1e-12);
    CHECK_NEAR(vec3_gap(e->point_a, crm_add(shift, crm_quat_rotate(turn, crm_vec3(0.1, 0.0, 0.0)))), 0.0, 1e-12);
    CHECK_NEAR(vec3_gap(e->point_b, crm_add(shift, crm_quat_rotate(turn, crm_vec3(0.1, 0.0, 0.01)))), 0.0, 1e-12);
    CHECK_NEAR(e->rho, 0.01 / (sqrt(2.0) + 0.01), 1e-12);
}

// Two cubes with an edge up and an edge down, along x and along y.
TEST(crossed_edges_have_one_event) {
    carom_shape *cube = box(1.0, 1.0, 1.0);
    double half = sqrt(0.5);
    carom_view a = at(cube, 0.0, 0.0, -half, turned(1.0, 0.0, 0.0, 45.0));
    carom_view b = at(cube, 0.1, 0.0, half + 0.01, turned(0.0, 1.0, 0.0, 45.0));
    carom_event_options exact = within(0.0, 0.0), wide = within(0.2, 0.0);
    check_all_attitudes(&a, &b, &exact, is_one_crossing);
    check_all_attitudes(&a, &b, &wide, is_one_crossing);
    carom_shape_destroy(cube);
}

static void is_the_shared_segment(const found_events *found, carom_quat turn, carom_vec3 shift) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < found->count; i++) {
        carom_vec3 p = crm_quat_rotate(crm_quat_conjugate(turn), crm_sub(found->event[i].point_a, shift));
        CHECK_NEAR(found->event[i].gap, 0.0, 1e-12);
        CHECK_NEAR(p.y, 0.0, 1e-12);
        CHECK_NEAR(p.z, 0.0, 1e-12);
        low = fmin(low, p.x);
        high = fmax(high, p.x);
    }
    CHECK_NEAR(low, -0.2, 1e-12);
    CHECK_NEAR(high, 0.5, 1e-12);
}

// Edge along edge, both along x, shifted by 0.3: the ends of what they share, and no crossing of the two.
TEST(parallel_edges_meet_in_their_corners) {
    carom_shape *cube = box(1.0, 1.0, 1.0);
    double half = sqrt(0.5);
    carom_view a = at(cube, 0.0, 0.0, -half, turned(1.0, 0.0, 0.0, 45.0));
    carom_view b = at(cube, 0.3, 0.0, half, turned(1.0, 0.0, 0.0, 45.0));
    carom_event_options exact = within(0.0, 0.0);
    check_all_attitudes(&a, &b, &exact, is_the_shared_segment);
    // Turned by less than the least sine and within the tolerance of that, still no crossing.
    carom_view skew = at(cube, 0.3, 0.0, half, crm_quat_mul(turned(0.0, 0.0, 1.0, 0.03), turned(1.0, 0.0, 0.0, 45.0)));
    carom_event_options near = within(1e-3, 1e-3);
    found_events found;
    find(&a, &skew, &near, &found);
    CHECK(found.count >= 2);
    for (int i = 0; i < found.count; i++)
        if (found.event[i].kind == CAROM_EVENT_EDGES) CHECK(fabs(found.event[i].point_a.x - 0.15) > 0.3);
    near.least_sine = 1e-5;
    find(&a, &skew, &near, &found);
    int crossings = 0;
    for (int i = 0; i < found.count; i++)
        crossings += found.event[i].kind == CAROM_EVENT_EDGES && fabs(found.event[i].point_a.x - 0.15) < 0.3;
    CHECK(crossings > 0);
    carom_shape_destroy(cube);
}

TEST(box_tilted_by_half_a_degree_keeps_all_four_corners) {
    carom_shape *floor = box(4.0, 4.0, 1.0), *cube = box(1.0, 1.0, 1.0);
    carom_quat tilt = turned(0.0, 1.0, 0.0, 0.5);
    double lift = sin(0.5 * 3.14159265358979323846 / 180.0);
    carom_view a = at(floor, 0.0, 0.0, -0.5, upright), b = at(cube, 0.3, 0.2, 1.0, tilt);
    b = brought_to(&a, &b, 0.0);
    carom_event_options covers = within(1.01 * lift, 0.0), falls_short = within(0.99 * lift, 0.0);
    found_events found;
    find(&a, &b, &covers, &found);
    CHECK_INT(found.count, 4);
    CHECK_INT(count_kind(&found, CAROM_EVENT_CORNER_B), 4);
    int low = 0, high = 0;
    for (int i = 0; i < found.count; i++) {
        CHECK_NEAR(found.event[i].gap, found.event[i].point_b.z, 1e-14); // the floor's top is z = 0
        low += fabs(found.event[i].gap) < 1e-13;
        high += fabs(found.event[i].gap - lift) < 1e-13;
    }
    CHECK_INT(low, 2);
    CHECK_INT(high, 2);
    find(&a, &b, &falls_short, &found);
    CHECK_INT(found.count, 2);
    carom_shape_destroy(floor);
    carom_shape_destroy(cube);
}

// A box on a larger one, its side in the plane of the larger one's side: corners of the upper side lie on the lower
// one's side, with a gap of 0 that means nothing.
TEST(flush_side_makes_no_ghost) {
    carom_shape *below = box(2.0, 2.0, 1.0), *above = box(1.0, 1.0, 1.0);
    carom_view a = at(below, 0.0, 0.0, 0.0, upright), b = at(above, 0.5, 0.1, 1.0, upright);
    carom_view tilted =
        brought_to(&a, &(carom_view){.shape = above, .pose = {{0.5, 0.1, 1.1}, turned(1, 2, 0, 0.5)}}, 0.0);
    const double tolerances[] = {0.0, 1e-6, 1e-3, 0.1, 0.5, 0.9};
    for (int i = 0; i < 6; i++) {
        carom_event_options options = within(tolerances[i], 0.0);
        found_events found;
        find(&a, &b, &options, &found);
        CHECK_INT(found.count, 4);
        for (int j = 0; j < found.count; j++) {
            CHECK_NEAR(found.event[j].normal.z, 1.0, 1e-15);
            CHECK_NEAR(found.event[j].gap, 0.0, 1e-15);
        }
        find(&a, &tilted, &options, &found);
        CHECK(found.count >= 1);
        for (int j = 0; j < found.count; j++) CHECK(found.event[j].normal.z > 0.99);
    }
    carom_shape_destroy(below);
    carom_shape_destroy(above);
}

// ---- face on face: the clipped polygon

typedef struct polygon {
    int count;
    double x[64], y[64];
} polygon;

// Sutherland and Hodgman: what is left of `p` on the left of the line from (x, y) along (u, v).
static polygon clip(const polygon *p, double x, double y, double u, double v) {
    polygon kept = {0};
    for (int i = 0; i < p->count; i++) {
        int j = (i + 1) % p->count;
        double here = u * (p->y[i] - y) - v * (p->x[i] - x), there = u * (p->y[j] - y) - v * (p->x[j] - x);
        if (here >= 0.0) {
            kept.x[kept.count] = p->x[i];
            kept.y[kept.count++] = p->y[i];
        }
        if ((here > 0.0 && there < 0.0) || (here < 0.0 && there > 0.0)) {
            double t = here / (here - there);
            kept.x[kept.count] = p->x[i] + t * (p->x[j] - p->x[i]);
            kept.y[kept.count++] = p->y[i] + t * (p->y[j] - p->y[i]);
        }
    }
    return kept;
}

static polygon ring(int sides, double radius, double x, double y, double angle) {
    polygon p = {.count = sides};
    for (int i = 0; i < sides; i++) {
        double a = angle + 2.0 * 3.14159265358979323846 * i / sides;
        p.x[i] = x + radius * cos(a);
        p.y[i] = y + radius * sin(a);
    }
    return p;
}

TEST(faces_meet_in_the_corners_of_the_clipped_polygon) {
    sampler s = {.seed = 72};
    int kinds[3] = {0, 0, 0}, empty = 0;
    for (int i = 0; i < 1500; i++) {
        int sides_a = 3 + (int)crm_random_below(&s, 6), sides_b = 3 + (int)crm_random_below(&s, 6);
        double radius_a = sample_between(&s, 0.3, 1.0), radius_b = sample_between(&s, 0.3, 1.0);
        carom_shape *a = named_polytope(CAROM_POLYTOPE_PRISM, sides_a, radius_a, 0.5);
        carom_shape *b = named_polytope(CAROM_POLYTOPE_PRISM, sides_b, radius_b, 0.7);
        double x = sample_between(&s, -1.0, 1.0), y = sample_between(&s, -1.0, 1.0),
               angle = sample_between(&s, 0.0, 7.0);
        double gap = i % 2 ? 0.0 : 1e-3;
        carom_view view_a = at(a, 0.0, 0.0, -0.25, upright);
        carom_view view_b = at(b, x, y, 0.35 + gap, crm_quat_from_axis_angle(crm_vec3(0.0, 0.0, 1.0), angle));
        polygon left = ring(sides_a, radius_a, 0.0, 0.0, 0.0), other = ring(sides_b, radius_b, x, y, angle);
        for (int j = 0; j < sides_b; j++) {
            int k = (j + 1) % sides_b;
            left = clip(&left, other.x[j], other.y[j], other.x[k] - other.x[j], other.y[k] - other.y[j]);
        }
        carom_quat turn = sample_attitude(&s);
        carom_vec3 shift = sample_vec3(&s, 2.0);
        carom_view moved_a = moved(&view_a, turn, shift), moved_b = moved(&view_b, turn, shift);
        found_events found;
        carom_event_options exact = within(0.0, 0.0);
        find(&moved_a, &moved_b, &exact, &found);
        // Beside each other they are apart along another normal.
        empty += left.count == 0;
        if (left.count > 0 && !CHECK_INT(found.count, left.count)) fprintf(stderr, "pair %d\n", i);
        for (int j = 0; j < found.count; j++) kinds[found.event[j].kind]++;
        for (int j = 0; j < left.count; j++)
            CHECK(has_point(&found, crm_add(shift, crm_quat_rotate(turn, crm_vec3(left.x[j], left.y[j], gap))), 1e-11));
        carom_shape_destroy(a);
        carom_shape_destroy(b);
    }
    CHECK(kinds[0] > 500 && kinds[1] > 500 && kinds[2] > 500 && empty < 700);
}

// Outlines that share corners and lines, where most points are met by several pairs of features: each point once, the
// same points from either side, and as many of them on the left as on the right where the pair has a mirror.
TEST(aligned_stacks_have_each_corner_of_the_polygon_once) {
    carom_shape *cube = box(1.0, 1.0, 1.0), *plate = box(2.0, 2.0, 0.5),
                *octagon = named_polytope(CAROM_POLYTOPE_PRISM, 8, 0.5, 1.0);
    const struct {
        const carom_shape *above, *below;
        double x, y, z, degrees;
        int count;
    } stacks[] = {
        {cube, cube, 0.25, 0.0, 1.0, 0.0, 4},      {cube, cube, 0.25, 0.5, 1.0, 0.0, 4},
        {cube, cube, 0.0, 0.0, 1.0, 45.0, 8},      {cube, cube, 1.0, 0.0, 1.0, 0.0, 4},
        {cube, cube, 1.0, 1.0, 1.0, 0.0, 3},       {cube, plate, 0.0, 0.0, 0.75, 0.0, 4},
        {cube, plate, 0.5, 0.5, 0.75, 0.0, 4},     {cube, plate, 0.5, 0.0, 0.75, 0.0, 4},
        {cube, plate, 1.0, 0.0, 0.75, 0.0, 4},     {octagon, cube, 0.0, 0.0, 1.0, 0.0, 8},
        {octagon, octagon, 0.0, 0.0, 1.0, 0.0, 8},
    };
    for (int i = 0; i < (int)(sizeof stacks / sizeof stacks[0]); i++) {
        carom_view a = at(stacks[i].below, 0.0, 0.0, 0.0, upright);
        carom_view b =
            at(stacks[i].above, stacks[i].x, stacks[i].y, stacks[i].z, turned(0.0, 0.0, 1.0, stacks[i].degrees));
        sampler s = {.seed = 73};
        for (int j = 0; j < 50; j++) {
            carom_quat turn = j == 0 ? upright : sample_attitude(&s);
            carom_view moved_a = moved(&a, turn, crm_vec3_zero()), moved_b = moved(&b, turn, crm_vec3_zero());
            carom_event_options exact = within(0.0, 0.0);
            found_events found, swapped;
            find(&moved_a, &moved_b, &exact, &found);
            find(&moved_b, &moved_a, &exact, &swapped);
            if (!CHECK_INT(found.count, stacks[i].count)) fprintf(stderr, "stack %d\n", i);
            CHECK_INT(swapped.count, stacks[i].count);
            for (int k = 0; k < found.count; k++) CHECK(has_point(&swapped, found.event[k].point_a, 1e-12));
        }
    }
    carom_shape_destroy(cube);
    carom_shape_destroy(plate);
    carom_shape_destroy(octagon);
}

// ---- against the enumeration

static void read_solid(const carom_view *view, solid *out) {
    const carom_shape *shape = view->shape;
    const carom_quat q = view->pose.attitude;
    wide_rotation turn = wide_rotation_of((double[]){q.w, q.x, q.y, q.z});
    wide3 x = {view->pose.position.x, view->pose.position.y, view->pose.position.z};
    carom_vec3 c = carom_shape_centre(shape);
    out->centre = wide3_add(x, wide_rotate(turn, (wide3){c.x, c.y, c.z}));
    out->vertex_count = carom_shape_vertex_count(shape);
    out->facet_count = carom_shape_facet_count(shape);
    out->edge_count = carom_shape_edge_count(shape);
    CHECK(out->vertex_count <= SOLID_VERTICES_MAX && out->facet_count <= SOLID_FACETS_MAX &&
          out->edge_count <= SOLID_EDGES_MAX);
    for (int i = 0; i < out->vertex_count; i++) {
        carom_vec3 v = carom_shape_vertices(shape)[i];
        out->vertex[i] = wide3_add(x, wide_rotate(turn, (wide3){v.x, v.y, v.z}));
    }
    out->ring_start[0] = 0;
    for (int i = 0; i < out->facet_count; i++) {
        carom_facet facet;
        carom_shape_get_facet(shape, i, &facet, NULL);
        memcpy(out->ring + out->ring_start[i], facet.vertices, (size_t)facet.vertex_count * sizeof(int));
        out->ring_start[i + 1] = out->ring_start[i] + facet.vertex_count;
    }
    for (int i = 0; i < out->edge_count; i++) {
        carom_edge edge;
        carom_shape_get_edge(shape, i, &edge, NULL);
        memcpy(out->edge[i], edge.vertices, sizeof edge.vertices);
    }
}

static double wide_gap(carom_vec3 a, wide3 b) {
    return (double)wide3_norm(wide3_sub((wide3){a.x, a.y, a.z}, b));
}

static bool same_as_enumerated(const carom_view *a, const carom_view *b, const carom_event_options *options,
                               int *kinds) {
    static solid solid_a, solid_b;
    static solid_event wanted[SOLID_EVENTS_MAX];
    static found_events found;
    read_solid(a, &solid_a);
    read_solid(b, &solid_b);
    solid_rules rules = {options->gap_tolerance, options->reach, options->least_sine};
    int count = enumerate_events(&solid_a, &solid_b, &rules, wanted, NULL);
    find(a, b, options, &found);
    bool same = CHECK_INT(found.count, count);
    for (int i = 0; same && i < count; i++) {
        const carom_event *f = &found.event[i];
        const solid_event *w = &wanted[i];
        kinds[f->kind]++;
        same = CHECK_INT(f->kind, w->kind) && CHECK_INT(f->feature_a, w->a) && CHECK_INT(f->feature_b, w->b);
        // Edges cross at no less than the least sine.
        double loss = f->kind == CAROM_EVENT_EDGES ? 1.0 / options->least_sine : 1.0;
        same = same && CHECK_NEAR(f->gap, (double)w->gap, 1e-14 * loss) &&
               CHECK_NEAR(wide_gap(f->normal, w->normal), 0.0, 1e-14 * loss) &&
               CHECK_NEAR(wide_gap(f->point_a, w->point_a), 0.0, 1e-14 * loss) &&
               CHECK_NEAR(wide_gap(f->point_b, w->point_b), 0.0, 1e-14 * loss) &&
               CHECK_NEAR(f->rho * crm_distance(a->pose.position, b->pose.position),
                          (double)w->rho * crm_distance(a->pose.position, b->pose.position), 1e-10);
    }
    return same;
}

static carom_shape *random_solid(sampler *s, int most) {
    switch (crm_random_below(s, 4)) {
    case 0:
        return box(sample_between(s, 0.3, 1.0), sample_between(s, 0.3, 1.0), sample_between(s, 0.3, 1.0));
    case 1:
        return named_polytope(CAROM_POLYTOPE_PRISM, 3 + (int)crm_random_below(s, 5), 0.6, sample_between(s, 0.3, 1.0));
    case 2:
        return named_polytope(CAROM_POLYTOPE_PYRAMID, 3 + (int)crm_random_below(s, 5), 0.6,
                              sample_between(s, 0.3, 1.0));
    default: {
        carom_vec3 points[64];
        int count = 4 + (int)crm_random_below(s, (uint32_t)most - 3);
        for (int i = 0; i < count; i++) points[i] = crm_scale(0.6, sample_unit(s));
        return polytope_of_points(count, points);
    }
    }
}

static void check_against_enumeration(int pairs, int most, uint64_t seed) {
    sampler s = {.seed = seed};
    int kinds[3] = {0, 0, 0};
    for (int i = 0; i < pairs; i++) {
        carom_shape *shape_a = random_solid(&s, most), *shape_b = random_solid(&s, most);
        carom_view a = carom_view_of(shape_a, (carom_pose){sample_vec3(&s, 1.0), sample_attitude(&s)});
        carom_view b = carom_view_of(shape_b, (carom_pose){sample_vec3(&s, 1.0), sample_attitude(&s)});
        static const double values[] = {0.0, 1e-9, -1e-9, 1e-4, -1e-4, 0.02, -0.02, 0.3, -0.2};
        static const double tolerances[] = {0.0, 1e-6, 1e-3, 0.03, 0.3}, reaches[] = {0.0, 1e-3, 0.05};
        for (int j = 0; j < 4; j++) {
            carom_view near = brought_to(&a, &b, values[crm_random_below(&s, 9)]);
            carom_event_options options = within(tolerances[crm_random_below(&s, 5)], reaches[crm_random_below(&s, 3)]);
            if (!same_as_enumerated(&a, &near, &options, kinds)) fprintf(stderr, "pair %d, try %d\n", i, j);
        }
        carom_shape_destroy(shape_a);
        carom_shape_destroy(shape_b);
    }
    CHECK(kinds[0] > pairs / 2 && kinds[1] > pairs / 2 && kinds[2] > pairs / 2);
}

TEST(random_poses_agree_with_the_enumeration) {
    check_against_enumeration(150, 12, 74);
}

TEST(many_random_poses_agree_with_the_enumeration) {
    check_against_enumeration(4000, 20, 75);
}

// Solids on a grid, turned by multiples of 15 degrees about the vertical: faces on faces, outlines that share lines and
// corners, edges through corners, some slightly tilted.
static void check_degenerate_against_enumeration(int pairs, uint64_t seed) {
    sampler s = {.seed = seed};
    int kinds[3] = {0, 0, 0};
    for (int i = 0; i < pairs; i++) {
        carom_shape *shapes[2];
        for (int j = 0; j < 2; j++) {
            int sides = 3 + (int)crm_random_below(&s, 4);
            double width = 0.5 + 0.25 * (double)crm_random_below(&s, 4);
            shapes[j] = crm_random_below(&s, 3) == 0   ? named_polytope(CAROM_POLYTOPE_PRISM, sides, width, 1.0)
                        : crm_random_below(&s, 2) == 0 ? named_polytope(CAROM_POLYTOPE_TETRAHEDRON, 0, width, 0.0)
                                                       : box(width, 0.5, 1.0);
        }
        carom_quat turns[2];
        for (int j = 0; j < 2; j++) {
            carom_quat about_x = turned(1.0, 0.0, 0.0, 45.0 * (double)crm_random_below(&s, 3));
            turns[j] = crm_quat_mul(turned(0.0, 0.0, 1.0, 15.0 * (double)crm_random_below(&s, 12)), about_x);
        }
        if (i % 5 == 0) turns[1] = crm_quat_mul(turned(1.0, 0.0, 0.0, 1e-4), turns[1]);
        double x = 0.25 * (double)crm_random_below(&s, 5) - 0.5, y = 0.25 * (double)crm_random_below(&s, 5) - 0.5;
        carom_view a = at(shapes[0], 0.0, 0.0, 0.0, turns[0]), b = at(shapes[1], x, y, 2.0, turns[1]);
        // Down along z until they touch: where they do so, the bodies' outlines lie on each other as they were put.
        carom_gap_witness gap;
        for (int j = 0; j < 30; j++) {
            carom_find_gap(&a, &b, NULL, NULL, &gap, NULL);
            if (gap.normal.z < 1e-3) break;
            b.pose.position.z -= gap.gap / gap.normal.z;
        }
        carom_quat turn = i % 2 ? sample_attitude(&s) : upright;
        carom_view moved_a = moved(&a, turn, crm_vec3_zero()), moved_b = moved(&b, turn, crm_vec3_zero());
        carom_event_options options = within(i % 3 == 0 ? 0.01 : 0.0, 0.0);
        if (!same_as_enumerated(&moved_a, &moved_b, &options, kinds)) fprintf(stderr, "stack %d\n", i);
        carom_shape_destroy(shapes[0]);
        carom_shape_destroy(shapes[1]);
    }
    CHECK(kinds[0] > pairs / 4 && kinds[1] > pairs / 4 && kinds[2] > pairs / 4);
}

TEST(degenerate_stacks_agree_with_the_enumeration) {
    check_degenerate_against_enumeration(400, 76);
}

TEST(many_degenerate_stacks_agree_with_the_enumeration) {
    check_degenerate_against_enumeration(8000, 77);
}

// ---- laws

static void check_theorem(const carom_view *a, const carom_view *b, const carom_event_options *options) {
    carom_ray_witness ray;
    carom_find_ray(a, b, NULL, NULL, &ray, NULL);
    found_events found;
    find(a, b, options, &found);
    double largest = -INFINITY;
    for (int i = 0; i < found.count; i++) largest = fmax(largest, found.event[i].rho);
    CHECK_NEAR(largest, ray.rho, 1e-12);
}

// [R]: rho is the largest component function of all events. Those found without a tolerance have it, and there is
// always one: where bodies touch, in the outlines themselves; anywhere else, when outlines do not matter.
TEST(rho_is_the_largest_of_the_active_events) {
    sampler s = {.seed = 78};
    for (int i = 0; i < 3000; i++) {
        carom_shape *shape_a = random_solid(&s, 20), *shape_b = random_solid(&s, 20);
        carom_view a = carom_view_of(shape_a, (carom_pose){sample_vec3(&s, 1.0), sample_attitude(&s)});
        carom_view b = carom_view_of(shape_b, (carom_pose){sample_vec3(&s, 1.0), sample_attitude(&s)});
        carom_event_options exact = within(0.0, 0.0), anywhere = within(0.0, INFINITY);
        check_theorem(&a, &b, &anywhere);
        carom_view touching = brought_to(&a, &b, 0.0);
        check_theorem(&a, &touching, &exact);
        carom_shape_destroy(shape_a);
        carom_shape_destroy(shape_b);
    }
}

static const carom_event *find_like(const found_events *found, carom_event_kind kind, int feature_a, int feature_b) {
    for (int i = 0; i < found->count; i++)
        if (found->event[i].kind == kind && found->event[i].feature_a == feature_a &&
            found->event[i].feature_b == feature_b)
            return &found->event[i];
    return NULL;
}

TEST(swap_and_motion_change_nothing) {
    sampler s = {.seed = 79};
    static const carom_event_kind exchanged[] = {CAROM_EVENT_CORNER_B, CAROM_EVENT_CORNER_A, CAROM_EVENT_EDGES};
    int events = 0;
    for (int i = 0; i < 2000; i++) {
        carom_shape *shape_a = random_solid(&s, 20), *shape_b = random_solid(&s, 20);
        carom_view a = carom_view_of(shape_a, (carom_pose){sample_vec3(&s, 1.0), sample_attitude(&s)});
        carom_view b = carom_view_of(shape_b, (carom_pose){sample_vec3(&s, 1.0), sample_attitude(&s)});
        b = brought_to(&a, &b, i % 2 ? 0.0 : -0.01);
        carom_event_options options = within(0.03, i % 3 ? 0.0 : 0.02);
        carom_quat turn = sample_attitude(&s);
        carom_vec3 shift = sample_vec3(&s, 1.0);
        carom_view moved_a = moved(&a, turn, shift), moved_b = moved(&b, turn, shift);
        found_events found, swapped, elsewhere;
        find(&a, &b, &options, &found);
        find(&b, &a, &options, &swapped);
        find(&moved_a, &moved_b, &options, &elsewhere);
        CHECK_INT(swapped.count, found.count);
        CHECK_INT(elsewhere.count, found.count);
        events += found.count;
        for (int j = 0; j < found.count; j++) {
            const carom_event *e = &found.event[j];
            // Edges cross at more than 1e-2 in nearly all pairs, and lose no more than that.
            double allowed = e->kind == CAROM_EVENT_EDGES ? 1e-11 : 1e-13;
            const carom_event *t = find_like(&swapped, exchanged[e->kind], e->feature_b, e->feature_a);
            const carom_event *m = find_like(&elsewhere, e->kind, e->feature_a, e->feature_b);
            if (!CHECK(t != NULL) || !CHECK(m != NULL)) continue;
            CHECK_NEAR(t->gap, e->gap, allowed);
            CHECK_NEAR(vec3_gap(t->normal, crm_negate(e->normal)), 0.0, allowed);
            CHECK_NEAR(vec3_gap(t->point_a, e->point_b), 0.0, allowed);
            CHECK_NEAR(vec3_gap(t->point_b, e->point_a), 0.0, allowed);
            CHECK_NEAR(m->gap, e->gap, allowed);
            CHECK_NEAR(vec3_gap(m->normal, crm_quat_rotate(turn, e->normal)), 0.0, allowed);
            CHECK_NEAR(vec3_gap(m->point_a, crm_add(shift, crm_quat_rotate(turn, e->point_a))), 0.0, allowed);
        }
        carom_shape_destroy(shape_a);
        carom_shape_destroy(shape_b);
    }
    CHECK(events > 2000);
}

// More features than the sets of near ones hold: nothing is missed.
TEST(polytopes_of_thousands_of_facets_are_searched_completely) {
    sampler s = {.seed = 80};
    static carom_vec3 points[3000];
    for (int i = 0; i < 3000; i++) points[i] = sample_unit(&s);
    carom_shape *large = polytope_of_points(3000, points), *cube = box(0.1, 0.1, 0.1);
    CHECK(carom_shape_edge_count(large) > 8000);
    for (int i = 0; i < 30; i++) {
        carom_view a = carom_view_of(large, (carom_pose){{0.0, 0.0, 0.0}, sample_attitude(&s)});
        carom_view b = carom_view_of(cube, (carom_pose){sample_unit(&s), sample_attitude(&s)});
        b = brought_to(&a, &b, 0.0);
        carom_event_options exact = within(0.0, 0.0), deep = within(0.01, 0.0);
        check_theorem(&a, &b, &exact);
        found_events found, swapped;
        find(&a, &b, &deep, &found);
        find(&b, &a, &deep, &swapped);
        CHECK(found.count > 0);
        CHECK_INT(swapped.count, found.count);
    }
    carom_shape_destroy(large);
    carom_shape_destroy(cube);
}

// ---- the call

TEST(list_is_ordered_and_cut_at_the_capacity) {
    carom_shape *cube = box(1.0, 1.0, 1.0);
    carom_view a = at(cube, 0.0, 0.0, 0.0, upright), b = at(cube, 0.1, 0.2, 1.0, turned(0.0, 0.0, 1.0, 30.0));
    found_events all;
    find(&a, &b, NULL, &all);
    CHECK_INT(all.count, 6);
    for (int i = 1; i < all.count; i++) {
        const carom_event *e = &all.event[i - 1], *f = &all.event[i];
        bool after = f->kind != e->kind             ? f->kind > e->kind
                     : f->feature_a != e->feature_a ? f->feature_a > e->feature_a
                                                    : f->feature_b > e->feature_b;
        CHECK(after);
    }
    for (int capacity = 0; capacity < all.count; capacity++) {
        carom_event part[8];
        memset(part, 0x55, sizeof part);
        carom_event untouched = part[7];
        int count = -1;
        CHECK_INT(carom_find_events(&a, &b, NULL, capacity, capacity == 0 ? NULL : part, &count, NULL), CAROM_OK);
        CHECK_INT(count, all.count);
        for (int i = 0; i < capacity; i++) {
            CHECK_INT(part[i].kind, all.event[i].kind);
            CHECK_INT(part[i].feature_a, all.event[i].feature_a);
            CHECK_INT(part[i].feature_b, all.event[i].feature_b);
        }
        CHECK(memcmp(&part[capacity], &untouched, sizeof untouched) == 0);
    }
    carom_shape_destroy(cube);
}

TEST(bad_calls_are_refused_with_a_sentence) {
    carom_shape *cube = box(1.0, 1.0, 1.0), *ball;
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_SPHERE);
    CHECK_INT(carom_shape_create(&def, NULL, &ball, NULL), CAROM_OK);
    carom_view a = at(cube, 0.0, 0.0, 0.0, upright), b = at(cube, 0.0, 0.0, 1.0, upright),
               round = at(ball, 0.0, 0.0, 1.0, upright);
    carom_view bare = carom_view_of_vertices(8, carom_shape_vertices(cube));
    carom_view nowhere = at(cube, (double)NAN, 0.0, 1.0, upright);
    carom_error error = {0};
    int count = 7;
    CHECK_INT(carom_find_events(&a, &round, NULL, 0, NULL, &count, &error), CAROM_ERR_UNSUPPORTED);
    CHECK_CONTAINS(error.text, "view B");
    CHECK_CONTAINS(error.text, "sphere");
    CHECK_INT(count, 0);
    CHECK_INT(carom_find_events(&bare, &b, NULL, 0, NULL, &count, &error), CAROM_ERR_UNSUPPORTED);
    CHECK_CONTAINS(error.text, "view A");
    CHECK_INT(carom_find_events(&a, &nowhere, NULL, 0, NULL, &count, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "pose.position");
    CHECK_INT(carom_find_events(&a, &b, NULL, 3, NULL, &count, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "capacity is 3");
    CHECK_INT(carom_find_events(&a, &b, NULL, -1, NULL, &count, &error), CAROM_ERR_BAD_INPUT);
    carom_event_options wrong[] = {within(-1.0, 0.0),  within((double)NAN, 0.0), within((double)INFINITY, 0.0),
                                   within(0.0, -1.0),  within(0.0, (double)NAN), {.least_sine = 0.0},
                                   {.least_sine = 2.0}};
    static const char *const names[] = {"gap_tolerance", "gap_tolerance", "gap_tolerance", "reach",
                                        "reach",         "least_sine",    "least_sine"};
    for (int i = 0; i < 7; i++) {
        CHECK_INT(carom_find_events(&a, &b, &wrong[i], 0, NULL, &count, &error), CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, names[i]);
    }
    carom_shape_destroy(cube);
    carom_shape_destroy(ball);
}

// Centres in one point have no direction between them; the search must still end, with finite lengths.
TEST(coincident_centres_give_finite_events) {
    carom_shape *cube = box(1.0, 1.0, 1.0), *small = box(0.5, 0.5, 0.5);
    carom_view a = at(cube, 0.0, 0.0, 0.0, upright), b = at(small, 0.0, 0.0, 0.0, turned(1.0, 1.0, 0.0, 20.0));
    found_events found;
    carom_event_options options = within(0.1, 0.0);
    find(&a, &b, &options, &found);
    for (int i = 0; i < found.count; i++) {
        CHECK(isfinite(found.event[i].gap) && found.event[i].gap < 0.0 && crm_vec3_finite(found.event[i].point_a));
        CHECK_NEAR(crm_length(found.event[i].normal), 1.0, 1e-14);
    }
    carom_shape_destroy(cube);
    carom_shape_destroy(small);
}

TEST_MAIN(CASE(equal_cubes_face_to_face_have_four_corners), CASE(crossed_edges_have_one_event),
          CASE(parallel_edges_meet_in_their_corners), CASE(box_tilted_by_half_a_degree_keeps_all_four_corners),
          CASE(flush_side_makes_no_ghost), CASE(faces_meet_in_the_corners_of_the_clipped_polygon),
          CASE(aligned_stacks_have_each_corner_of_the_polygon_once), CASE(random_poses_agree_with_the_enumeration),
          LONG_CASE(many_random_poses_agree_with_the_enumeration), CASE(degenerate_stacks_agree_with_the_enumeration),
          LONG_CASE(many_degenerate_stacks_agree_with_the_enumeration), CASE(rho_is_the_largest_of_the_active_events),
          CASE(swap_and_motion_change_nothing), CASE(polytopes_of_thousands_of_facets_are_searched_completely),
          CASE(list_is_ordered_and_cut_at_the_capacity), CASE(bad_calls_are_refused_with_a_sentence),
          CASE(coincident_centres_give_finite_events))
