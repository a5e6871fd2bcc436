// SPDX-License-Identifier: MIT
// Feature contacts in cases that can be drawn, and the call.
#include "carom/features.h"

#include <stdio.h>
#include <string.h>

#include "math/quat.h"
#include "support/geometry/feature_cases.h"
#include "support/geometry/polytopes.h"
#include "support/harness/check.h"
#include "support/harness/small_compare.h"

// ---- drawn cases

// Every attitude of the pair as a whole must see the same.
static void check_all_attitudes(const carom_view *a, const carom_view *b, const carom_feature_options *options,
                                void (*check)(const found_features *found, carom_quat rotation, carom_vec3 shift)) {
    sampler s = {.seed = 71};
    for (int i = 0; i < 200; i++) {
        carom_quat rotation = i == 0 ? no_rotation : sample_attitude(&s);
        carom_vec3 shift = i == 0 ? crm_vec3_zero() : sample_vec3(&s, i % 2 ? 1.0 : 100.0);
        carom_view view_a = moved_view(*a, rotation, shift), view_b = moved_view(*b, rotation, shift);
        found_features found;
        find_all_features(&view_a, &view_b, options, &found);
        check(&found, rotation, shift);
    }
}

static bool has_point(const found_features *found, carom_vec3 point, double tolerance) {
    for (int i = 0; i < found->count; i++)
        if (vec3_gap(found->feature[i].point_b, point) <= tolerance) return true;
    return false;
}

static void is_a_square_of_corners(const found_features *found, carom_quat rotation, carom_vec3 shift) {
    CHECK_INT(found->count, 4);
    CHECK_INT(count_features(found, CAROM_FEATURE_CONTACT_EDGES), 0);
    carom_vec3 up = crm_quat_rotate(rotation, crm_vec3(0.0, 0.0, 1.0));
    for (int i = 0; i < 4; i++) {
        carom_vec3 corner = crm_vec3(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, 0.5);
        CHECK(has_point(found, crm_add(shift, crm_quat_rotate(rotation, corner)), 1e-12));
        CHECK_NEAR(found->feature[i].gap, 0.0, 1e-13);
        CHECK_NEAR(vec3_gap(found->feature[i].normal, up), 0.0, 1e-13);
    }
}

TEST(equal_cubes_face_to_face_have_four_corners) {
    carom_shape *cube = box_of(1.0, 1.0, 1.0);
    carom_view a = view_at(cube, 0.0, 0.0, 0.0, no_rotation), b = view_at(cube, 0.0, 0.0, 1.0, no_rotation);
    carom_view quarter = view_at(cube, 0.0, 0.0, 1.0, rotation_about(0.0, 0.0, 1.0, 90.0));
    carom_feature_options exact = features_within(0.0, 0.0), wide = features_within(0.3, 0.0),
                          near_outlines = features_within(0.01, 0.01);
    check_all_attitudes(&a, &b, &exact, is_a_square_of_corners);
    check_all_attitudes(&a, &b, &wide, is_a_square_of_corners);
    check_all_attitudes(&a, &b, &near_outlines, is_a_square_of_corners);
    check_all_attitudes(&a, &quarter, &exact, is_a_square_of_corners);
    carom_shape_destroy(cube);
}

static void is_one_crossing(const found_features *found, carom_quat rotation, carom_vec3 shift) {
    CHECK_INT(found->count, 1);
    const carom_feature_contact *e = &found->feature[0];
    CHECK_INT(e->kind, CAROM_FEATURE_CONTACT_EDGES);
    CHECK_NEAR(e->gap, 0.01, 1e-12);
    CHECK_NEAR(vec3_gap(e->normal, crm_quat_rotate(rotation, crm_vec3(0.0, 0.0, 1.0))), 0.0, 1e-12);
    CHECK_NEAR(vec3_gap(e->point_a, crm_add(shift, crm_quat_rotate(rotation, crm_vec3(0.1, 0.0, 0.0)))), 0.0, 1e-12);
    CHECK_NEAR(vec3_gap(e->point_b, crm_add(shift, crm_quat_rotate(rotation, crm_vec3(0.1, 0.0, 0.01)))), 0.0, 1e-12);
    CHECK_NEAR(e->rho, 0.01 / (sqrt(2.0) + 0.01), 1e-12);
}

// Two cubes with an edge up and an edge down, along x and along y.
TEST(crossed_edges_have_one_feature) {
    carom_shape *cube = box_of(1.0, 1.0, 1.0);
    double half = sqrt(0.5);
    carom_view a = view_at(cube, 0.0, 0.0, -half, rotation_about(1.0, 0.0, 0.0, 45.0));
    carom_view b = view_at(cube, 0.1, 0.0, half + 0.01, rotation_about(0.0, 1.0, 0.0, 45.0));
    carom_feature_options exact = features_within(0.0, 0.0), wide = features_within(0.2, 0.0);
    check_all_attitudes(&a, &b, &exact, is_one_crossing);
    check_all_attitudes(&a, &b, &wide, is_one_crossing);
    carom_shape_destroy(cube);
}

static void is_the_shared_segment(const found_features *found, carom_quat rotation, carom_vec3 shift) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < found->count; i++) {
        carom_vec3 p = crm_quat_rotate(crm_quat_conjugate(rotation), crm_sub(found->feature[i].point_a, shift));
        CHECK_NEAR(found->feature[i].gap, 0.0, 1e-12);
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
    carom_shape *cube = box_of(1.0, 1.0, 1.0);
    double half = sqrt(0.5);
    carom_view a = view_at(cube, 0.0, 0.0, -half, rotation_about(1.0, 0.0, 0.0, 45.0));
    carom_view b = view_at(cube, 0.3, 0.0, half, rotation_about(1.0, 0.0, 0.0, 45.0));
    carom_feature_options exact = features_within(0.0, 0.0);
    check_all_attitudes(&a, &b, &exact, is_the_shared_segment);
    // Rotated by less than the least sine and within the tolerance of that, still no crossing.
    carom_view skew = view_at(cube, 0.3, 0.0, half,
                              crm_quat_mul(rotation_about(0.0, 0.0, 1.0, 0.03), rotation_about(1.0, 0.0, 0.0, 45.0)));
    carom_feature_options near = features_within(1e-3, 1e-3);
    found_features found;
    find_all_features(&a, &skew, &near, &found);
    CHECK(found.count >= 2);
    for (int i = 0; i < found.count; i++)
        if (found.feature[i].kind == CAROM_FEATURE_CONTACT_EDGES) CHECK(fabs(found.feature[i].point_a.x - 0.15) > 0.3);
    near.least_sine = 1e-5;
    find_all_features(&a, &skew, &near, &found);
    int crossings = 0;
    for (int i = 0; i < found.count; i++)
        crossings +=
            found.feature[i].kind == CAROM_FEATURE_CONTACT_EDGES && fabs(found.feature[i].point_a.x - 0.15) < 0.3;
    CHECK(crossings > 0);
    carom_shape_destroy(cube);
}

TEST(box_tilted_by_half_a_degree_keeps_all_four_corners) {
    carom_shape *floor = box_of(4.0, 4.0, 1.0), *cube = box_of(1.0, 1.0, 1.0);
    carom_quat tilt = rotation_about(0.0, 1.0, 0.0, 0.5);
    double lift = sin(0.5 * 3.14159265358979323846 / 180.0);
    carom_view a = view_at(floor, 0.0, 0.0, -0.5, no_rotation), b = view_at(cube, 0.3, 0.2, 1.0, tilt);
    b = brought_to(&a, &b, 0.0);
    carom_feature_options covers = features_within(1.01 * lift, 0.0), falls_short = features_within(0.99 * lift, 0.0);
    found_features found;
    find_all_features(&a, &b, &covers, &found);
    CHECK_INT(found.count, 4);
    CHECK_INT(count_features(&found, CAROM_FEATURE_CONTACT_CORNER_B), 4);
    int low = 0, high = 0;
    for (int i = 0; i < found.count; i++) {
        CHECK_NEAR(found.feature[i].gap, found.feature[i].point_b.z, 1e-14); // the floor's top is z = 0
        low += fabs(found.feature[i].gap) < 1e-13;
        high += fabs(found.feature[i].gap - lift) < 1e-13;
    }
    CHECK_INT(low, 2);
    CHECK_INT(high, 2);
    find_all_features(&a, &b, &falls_short, &found);
    CHECK_INT(found.count, 2);
    carom_shape_destroy(floor);
    carom_shape_destroy(cube);
}

// A plank that comes down on a narrower block by its end: the block's far corner meets the plank along the plank's own
// normal, which separates the two worse than the block's.
TEST(plank_over_a_narrow_block_sees_its_far_corner) {
    carom_shape *block = box_of(1.0, 1.0, 1.0), *plank = box_of(3.0, 0.5, 0.1);
    carom_view a = view_at(block, 0.0, 0.0, -0.5, no_rotation);
    // Its end is 0.3 m over the block, the rest beyond; raised at the far end by half a degree.
    carom_view b = view_at(plank, 1.7, 0.0, 0.1, rotation_about(0.0, 1.0, 0.0, -0.5));
    b = lowered_onto(&a, &b);
    double slope = 0.5 * 3.14159265358979323846 / 180.0;
    carom_feature_options options = features_within(1.2 * slope, 0.0);
    found_features found;
    find_all_features(&a, &b, &options, &found);
    int over_the_edge = 0;
    for (int i = 0; i < found.count; i++) {
        const carom_feature_contact *e = &found.feature[i];
        if (e->point_a.x < 0.45) continue;
        over_the_edge++;
        CHECK_NEAR(e->point_a.x, 0.5, 1e-4);
        CHECK_NEAR(e->gap, 0.3 * slope, 0.1 * slope);
        CHECK_NEAR(vec3_gap(e->normal, crm_vec3(-sin(slope), 0.0, cos(slope))), 0.0, 1e-12);
    }
    CHECK_INT(over_the_edge, 2);
    carom_shape_destroy(block);
    carom_shape_destroy(plank);
}

// A box over the edge, and over the corner, of a large table, tilted a little: it stands on the table's edges too,
// however far the table's other side rises over the plane of the box's bottom.
TEST(box_over_the_edge_of_a_large_table_stands_on_the_edge) {
    carom_shape *table = box_of(100.0, 100.0, 1.0), *cube = box_of(1.0, 1.0, 1.0);
    for (int over_corner = 0; over_corner < 2; over_corner++) {
        carom_view a = view_at(table, -50.0, over_corner ? -50.0 : 0.0, -0.5, no_rotation);
        carom_view b =
            view_at(cube, -0.1, over_corner ? -0.2 : 0.0, 0.6, rotation_about(1.0, 2.0, 0.0, 1e-4 * 57.29577951308232));
        b = lowered_onto(&a, &b);
        carom_feature_options options = features_within(5e-4, 0.0);
        found_features found;
        find_all_features(&a, &b, &options, &found);
        CHECK_INT(found.count, 4);
        double lowest = INFINITY, farthest = -INFINITY;
        for (int i = 0; i < found.count; i++) {
            CHECK(found.feature[i].normal.z > 0.9999);
            CHECK(found.feature[i].gap >= -1e-12 && found.feature[i].gap < 3e-4);
            lowest = fmin(lowest, found.feature[i].point_a.x);
            farthest = fmax(farthest, found.feature[i].point_a.x);
        }
        CHECK_NEAR(lowest, -0.6, 1e-3);
        CHECK_NEAR(farthest, 0.0, 1e-3);
    }
    carom_shape_destroy(table);
    carom_shape_destroy(cube);
}

// Near the rim of a plate and overlapping, the ray from the plate's middle prefers the rim, 1.5 m off; from a centre
// below the box it sees the face.
TEST(centre_below_the_box_sees_the_face_of_a_plate) {
    carom_shape *plate = box_of(100.0, 100.0, 1.0), *cube = box_of(1.0, 1.0, 1.0);
    carom_view a = view_at(plate, 0.0, 0.0, 0.0, no_rotation), b = view_at(cube, 49.0, 0.0, 0.95, no_rotation);
    found_features found;
    find_all_features(&a, &b, NULL, &found);
    CHECK(found.count > 0);
    for (int i = 0; i < found.count; i++) CHECK_NEAR(found.feature[i].gap, -1.5, 1e-12);
    a.has_centre = true;
    a.centre = crm_vec3(49.0, 0.0, 0.0);
    find_all_features(&a, &b, NULL, &found);
    CHECK_INT(found.count, 4);
    for (int i = 0; i < found.count; i++) CHECK_NEAR(found.feature[i].gap, -0.05, 1e-13);
    carom_shape_destroy(plate);
    carom_shape_destroy(cube);
}

// A long wall on a short block, its side in the plane of the block's: no normal across the wall, which is thin.
TEST(flush_wall_makes_no_ghost) {
    carom_shape *block = box_of(1.0, 1.0, 1.0), *wall = box_of(0.1, 100.0, 3.0);
    carom_view a = view_at(block, 0.0, 0.0, 0.0, no_rotation), b = view_at(wall, 0.45, 3.0, 2.0, no_rotation);
    for (int i = 0; i < 4; i++) {
        const double tolerances[] = {0.0, 1e-3, 0.05, 0.09};
        carom_feature_options options = features_within(tolerances[i], 0.0);
        found_features found;
        find_all_features(&a, &b, &options, &found);
        CHECK_INT(found.count, 4);
        for (int j = 0; j < found.count; j++) CHECK_NEAR(found.feature[j].normal.z, 1.0, 1e-15);
    }
    carom_shape_destroy(block);
    carom_shape_destroy(wall);
}

// A box on a larger one, its side in the plane of the larger one's side: corners of the upper side lie on the lower
// one's side, with a gap of 0 that means nothing.
TEST(flush_side_makes_no_ghost) {
    carom_shape *below = box_of(2.0, 2.0, 1.0), *above = box_of(1.0, 1.0, 1.0);
    carom_view a = view_at(below, 0.0, 0.0, 0.0, no_rotation), b = view_at(above, 0.5, 0.1, 1.0, no_rotation);
    carom_view tilted =
        brought_to(&a, &(carom_view){.shape = above, .pose = {{0.5, 0.1, 1.1}, rotation_about(1, 2, 0, 0.5)}}, 0.0);
    const double tolerances[] = {0.0, 1e-6, 1e-3, 0.1, 0.5, 0.8};
    for (int i = 0; i < 6; i++) {
        carom_feature_options options = features_within(tolerances[i], 0.0);
        found_features found;
        find_all_features(&a, &b, &options, &found);
        CHECK_INT(found.count, 4);
        for (int j = 0; j < found.count; j++) {
            CHECK_NEAR(found.feature[j].normal.z, 1.0, 1e-15);
            CHECK_NEAR(found.feature[j].gap, 0.0, 1e-15);
        }
        find_all_features(&a, &tilted, &options, &found);
        CHECK(found.count >= 1);
        for (int j = 0; j < found.count; j++) CHECK(found.feature[j].normal.z > 0.99);
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
        carom_view view_a = view_at(a, 0.0, 0.0, -0.25, no_rotation);
        carom_view view_b = view_at(b, x, y, 0.35 + gap, crm_quat_from_axis_angle(crm_vec3(0.0, 0.0, 1.0), angle));
        polygon left = ring(sides_a, radius_a, 0.0, 0.0, 0.0), other = ring(sides_b, radius_b, x, y, angle);
        for (int j = 0; j < sides_b; j++) {
            int k = (j + 1) % sides_b;
            left = clip(&left, other.x[j], other.y[j], other.x[k] - other.x[j], other.y[k] - other.y[j]);
        }
        carom_quat rotation = sample_attitude(&s);
        carom_vec3 shift = sample_vec3(&s, 2.0);
        carom_view moved_a = moved_view(view_a, rotation, shift), moved_b = moved_view(view_b, rotation, shift);
        found_features found;
        carom_feature_options exact = features_within(0.0, 0.0);
        find_all_features(&moved_a, &moved_b, &exact, &found);
        // Beside each other they are apart along another normal.
        empty += left.count == 0;
        if (left.count > 0 && !CHECK_INT(found.count, left.count)) fprintf(stderr, "pair %d\n", i);
        for (int j = 0; j < found.count; j++) kinds[found.feature[j].kind]++;
        for (int j = 0; j < left.count; j++)
            CHECK(has_point(&found, crm_add(shift, crm_quat_rotate(rotation, crm_vec3(left.x[j], left.y[j], gap))),
                            1e-11));
        carom_shape_destroy(a);
        carom_shape_destroy(b);
    }
    CHECK(kinds[0] > 500 && kinds[1] > 500 && kinds[2] > 500 && empty < 700);
}

// Outlines that share corners and lines, where most points are met by several pairs of features: each point once, the
// same points from either side, and as many of them on the left as on the right where the pair has a mirror.
TEST(aligned_stacks_have_each_corner_of_the_polygon_once) {
    carom_shape *cube = box_of(1.0, 1.0, 1.0), *plate = box_of(2.0, 2.0, 0.5),
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
        carom_view a = view_at(stacks[i].below, 0.0, 0.0, 0.0, no_rotation);
        carom_view b = view_at(stacks[i].above, stacks[i].x, stacks[i].y, stacks[i].z,
                               rotation_about(0.0, 0.0, 1.0, stacks[i].degrees));
        sampler s = {.seed = 73};
        for (int j = 0; j < 50; j++) {
            carom_quat rotation = j == 0 ? no_rotation : sample_attitude(&s);
            carom_view moved_a = moved_view(a, rotation, crm_vec3_zero()),
                       moved_b = moved_view(b, rotation, crm_vec3_zero());
            carom_feature_options exact = features_within(0.0, 0.0);
            found_features found, swapped;
            find_all_features(&moved_a, &moved_b, &exact, &found);
            find_all_features(&moved_b, &moved_a, &exact, &swapped);
            if (!CHECK_INT(found.count, stacks[i].count)) fprintf(stderr, "stack %d\n", i);
            CHECK_INT(swapped.count, stacks[i].count);
            for (int k = 0; k < found.count; k++) CHECK(has_point(&swapped, found.feature[k].point_a, 1e-12));
        }
    }
    carom_shape_destroy(cube);
    carom_shape_destroy(plate);
    carom_shape_destroy(octagon);
}

// ---- the call

TEST(list_is_ordered_and_cut_at_the_capacity) {
    carom_shape *cube = box_of(1.0, 1.0, 1.0);
    carom_view a = view_at(cube, 0.0, 0.0, 0.0, no_rotation),
               b = view_at(cube, 0.1, 0.2, 1.0, rotation_about(0.0, 0.0, 1.0, 30.0));
    found_features all;
    find_all_features(&a, &b, NULL, &all);
    CHECK_INT(all.count, 6);
    for (int i = 1; i < all.count; i++) {
        const carom_feature_contact *e = &all.feature[i - 1], *f = &all.feature[i];
        bool after = f->kind != e->kind             ? f->kind > e->kind
                     : f->feature_a != e->feature_a ? f->feature_a > e->feature_a
                                                    : f->feature_b > e->feature_b;
        CHECK(after);
    }
    for (int capacity = 0; capacity < all.count; capacity++) {
        carom_feature_contact part[8];
        memset(part, 0x55, sizeof part);
        carom_feature_contact untouched = part[7];
        int count = -1;
        CHECK_INT(carom_features_find(&a, &b, NULL, capacity, capacity == 0 ? NULL : part, &count, NULL), CAROM_OK);
        CHECK_INT(count, all.count);
        for (int i = 0; i < capacity; i++) {
            CHECK_INT(part[i].kind, all.feature[i].kind);
            CHECK_INT(part[i].feature_a, all.feature[i].feature_a);
            CHECK_INT(part[i].feature_b, all.feature[i].feature_b);
        }
        CHECK(memcmp(&part[capacity], &untouched, sizeof untouched) == 0);
    }
    carom_shape_destroy(cube);
}

TEST(bad_calls_are_refused_with_a_sentence) {
    carom_shape *cube = box_of(1.0, 1.0, 1.0), *ball;
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_SPHERE);
    CHECK_INT(carom_shape_create(&def, NULL, &ball, NULL), CAROM_OK);
    carom_view a = view_at(cube, 0.0, 0.0, 0.0, no_rotation), b = view_at(cube, 0.0, 0.0, 1.0, no_rotation),
               round = view_at(ball, 0.0, 0.0, 1.0, no_rotation);
    carom_view bare = carom_view_of_vertices(8, carom_shape_vertices(cube));
    carom_view nowhere = view_at(cube, (double)NAN, 0.0, 1.0, no_rotation);
    carom_error error = {0};
    int count = 7;
    CHECK_INT(carom_features_find(&a, &round, NULL, 0, NULL, &count, &error), CAROM_ERR_UNSUPPORTED);
    CHECK_CONTAINS(error.text, "view B");
    CHECK_CONTAINS(error.text, "sphere");
    CHECK_INT(count, 0);
    CHECK_INT(carom_features_find(&bare, &b, NULL, 0, NULL, &count, &error), CAROM_ERR_UNSUPPORTED);
    CHECK_CONTAINS(error.text, "view A");
    CHECK_INT(carom_features_find(&a, &nowhere, NULL, 0, NULL, &count, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "pose.position");
    CHECK_INT(carom_features_find(&a, &b, NULL, 3, NULL, &count, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "capacity is 3");
    CHECK_INT(carom_features_find(&a, &b, NULL, -1, NULL, &count, &error), CAROM_ERR_BAD_INPUT);
    carom_feature_options wrong[] = {
        features_within(-1.0, 0.0), features_within((double)NAN, 0.0), features_within((double)INFINITY, 0.0),
        features_within(0.0, -1.0), features_within(0.0, (double)NAN), features_within(0.0, 0.0),
        features_within(0.0, 0.0)};
    wrong[5].least_sine = 0.0;
    wrong[6].least_sine = 2.0;
    static const char *const names[] = {"gap_tolerance", "gap_tolerance", "gap_tolerance", "margin",
                                        "margin",        "least_sine",    "least_sine"};
    for (int i = 0; i < 7; i++) {
        CHECK_INT(carom_features_find(&a, &b, &wrong[i], 0, NULL, &count, &error), CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, names[i]);
    }
    carom_shape_destroy(cube);
    carom_shape_destroy(ball);
}

// Centres in one point have no direction between them; the search must still end, with finite lengths.
TEST(coincident_centres_give_finite_features) {
    carom_shape *cube = box_of(1.0, 1.0, 1.0), *small = box_of(0.5, 0.5, 0.5);
    carom_view a = view_at(cube, 0.0, 0.0, 0.0, no_rotation),
               b = view_at(small, 0.0, 0.0, 0.0, rotation_about(1.0, 1.0, 0.0, 20.0));
    found_features found;
    carom_feature_options options = features_within(0.1, 0.0);
    find_all_features(&a, &b, &options, &found);
    for (int i = 0; i < found.count; i++) {
        CHECK(isfinite(found.feature[i].gap) && found.feature[i].gap < 0.0 &&
              crm_vec3_finite(found.feature[i].point_a));
        CHECK_NEAR(crm_length(found.feature[i].normal), 1.0, 1e-14);
    }
    carom_shape_destroy(cube);
    carom_shape_destroy(small);
}

TEST_MAIN(CASE(equal_cubes_face_to_face_have_four_corners), CASE(crossed_edges_have_one_feature),
          CASE(parallel_edges_meet_in_their_corners), CASE(box_tilted_by_half_a_degree_keeps_all_four_corners),
          CASE(plank_over_a_narrow_block_sees_its_far_corner),
          CASE(box_over_the_edge_of_a_large_table_stands_on_the_edge),
          CASE(centre_below_the_box_sees_the_face_of_a_plate), CASE(flush_wall_makes_no_ghost),
          CASE(flush_side_makes_no_ghost), CASE(faces_meet_in_the_corners_of_the_clipped_polygon),
          CASE(aligned_stacks_have_each_corner_of_the_polygon_once), CASE(list_is_ordered_and_cut_at_the_capacity),
          CASE(bad_calls_are_refused_with_a_sentence), CASE(coincident_centres_give_finite_features))
