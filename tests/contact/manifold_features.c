// SPDX-License-Identifier: MIT
// Contacts of polytopes in cases that can be drawn.
#include "contact/narrow_pair.h"
#include "support/geometry/feature_cases.h"
#include "support/geometry/polytopes.h"
#include "support/harness/small_compare.h"

static int count_kind(const found_contacts *found, carom_contact_kind kind) {
    int count = 0;
    for (int i = 0; i < found->count; i++) count += found->at[i].kind == kind;
    return count;
}

static bool has_point(const found_contacts *found, carom_vec3 point, double tolerance) {
    for (int i = 0; i < found->count; i++)
        if (vec3_gap(found->at[i].point_b, point) <= tolerance) return true;
    return false;
}

// Every attitude and place of the pair as a whole must see the same.
typedef void check_drawing(const found_contacts *found, carom_quat rotation, carom_vec3 shift);
static void check_everywhere(const carom_view *a, const carom_view *b, double margin, check_drawing *check) {
    sampler s = {.seed = 71};
    for (int i = 0; i < 50; i++) {
        carom_quat rotation = i == 0 ? no_rotation : sample_attitude(&s);
        carom_vec3 shift = i == 0 ? crm_vec3_zero() : sample_vec3(&s, i % 2 ? 1.0 : 100.0);
        carom_view of_a = moved_view(*a, rotation, shift), of_b = moved_view(*b, rotation, shift);
        static found_contacts found;
        find_contacts(&of_a, &of_b, margin, &found);
        check_contacts(&found, margin, i % 2 ? 2.0 : 200.0);
        check(&found, rotation, shift);
    }
}

static void is_a_square(const found_contacts *found, carom_quat rotation, carom_vec3 shift) {
    CHECK_INT(found->count, 4);
    CHECK_INT(count_kind(found, CAROM_CONTACT_KIND_CORNER_A), 4);
    carom_vec3 up = crm_quat_rotate(rotation, crm_vec3(0.0, 0.0, 1.0));
    for (int i = 0; i < found->count; i++) {
        carom_vec3 corner = crm_vec3(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, 0.5);
        CHECK(has_point(found, crm_add(shift, crm_quat_rotate(rotation, corner)), 1e-12));
        CHECK_NEAR(found->at[i].gap, 0.0, 1e-12);
        CHECK_NEAR(vec3_gap(found->at[i].normal, up), 0.0, 1e-13);
    }
}

TEST(cubes_face_to_face_touch_in_four_corners) {
    carom_shape *cube = box_of(1.0, 1.0, 1.0);
    carom_view a = view_at(cube, 0.0, 0.0, 0.0, no_rotation), b = view_at(cube, 0.0, 0.0, 1.0, no_rotation);
    check_everywhere(&a, &b, 0.0, is_a_square);
    check_everywhere(&a, &b, 0.01, is_a_square);
    check_everywhere(&a, &b, 5.0, is_a_square); // however fast: no other faces join
    carom_shape_destroy(cube);
}

static void is_an_octagon(const found_contacts *found, carom_quat rotation, carom_vec3 shift) {
    CHECK_INT(found->count, 8);
    CHECK_INT(count_kind(found, CAROM_CONTACT_KIND_EDGES), 8);
    double half = 0.5, other = sqrt(0.5) - 0.5; // of the octagon's corners: the edges of one are |x| + |y| = sqrt(1/2)
    for (int i = 0; i < 8; i++) {
        double x = i & 1 ? half : -half, y = i & 2 ? other : -other;
        carom_vec3 corner = i & 4 ? crm_vec3(x, y, 0.5) : crm_vec3(y, x, 0.5);
        CHECK(has_point(found, crm_add(shift, crm_quat_rotate(rotation, corner)), 1e-12));
    }
}

TEST(cubes_rotated_by_an_eighth_touch_in_eight_points) {
    carom_shape *cube = box_of(1.0, 1.0, 1.0);
    carom_view a = view_at(cube, 0.0, 0.0, 0.0, no_rotation);
    carom_view b = view_at(cube, 0.0, 0.0, 1.0, rotation_about(0.0, 0.0, 1.0, 45.0));
    check_everywhere(&a, &b, 1e-3, is_an_octagon);
    carom_shape_destroy(cube);
}

static void is_one_crossing(const found_contacts *found, carom_quat rotation, carom_vec3 shift) {
    CHECK_INT(found->count, 1);
    CHECK_INT(found->at[0].kind, CAROM_CONTACT_KIND_EDGES);
    CHECK_NEAR(found->at[0].gap, 0.01, 1e-12);
    CHECK_NEAR(vec3_gap(found->at[0].point_a, crm_add(shift, crm_quat_rotate(rotation, crm_vec3(0.1, 0.0, 0.0)))), 0.0,
               1e-12);
}

TEST(crossed_edges_touch_in_one_point) {
    carom_shape *cube = box_of(1.0, 1.0, 1.0);
    double half = sqrt(0.5);
    carom_view a = view_at(cube, 0.0, 0.0, -half, rotation_about(1.0, 0.0, 0.0, 45.0));
    carom_view b = view_at(cube, 0.1, 0.0, half + 0.01, rotation_about(0.0, 1.0, 0.0, 45.0));
    check_everywhere(&a, &b, 0.02, is_one_crossing);
    carom_shape_destroy(cube);
}

static void is_one_corner(const found_contacts *found, carom_quat rotation, carom_vec3 shift) {
    CHECK_INT(found->count, 1);
    CHECK_INT(found->at[0].kind, CAROM_CONTACT_KIND_CORNER_B);
    CHECK_NEAR(vec3_gap(found->at[0].point_b, crm_add(shift, crm_quat_rotate(rotation, crm_vec3(0.1, 0.2, 0.51)))), 0.0,
               1e-12);
}

// A tetrahedron's corner points down.
TEST(a_corner_on_a_face_is_one_contact) {
    const carom_vec3 points[] = {{0.0, 0.0, 0.0}, {0.4, 0.0, 0.5}, {-0.2, 0.35, 0.5}, {-0.2, -0.35, 0.5}};
    carom_shape *cube = box_of(1.0, 1.0, 1.0), *spike = polytope_of_points(4, points);
    carom_view a = view_at(cube, 0.0, 0.0, 0.0, no_rotation), b = view_at(spike, 0.1, 0.2, 0.51, no_rotation);
    check_everywhere(&a, &b, 0.02, is_one_corner);
    carom_shape_destroy(cube);
    carom_shape_destroy(spike);
}

static void is_one_nearest(const found_contacts *found, carom_quat rotation, carom_vec3 shift) {
    (void)rotation, (void)shift;
    CHECK_INT(found->count, 1);
    CHECK_INT(found->at[0].kind, CAROM_CONTACT_KIND_NEAREST);
    CHECK_NEAR(found->at[0].gap, 0.3, 1e-12);
}

// The joint margin does not bring the corners over a facet: 0.3 apart, and 0.06 of it to the side.
TEST(corners_that_stand_apart_have_their_nearest_points) {
    const carom_vec3 points[] = {
        {0.0, 0.0, 0.0}, {0.1, 0.02, 0.5}, {-0.1, 0.02, 0.5}, {0.0, -0.09, 0.5}, {0.0, 0.0, 0.6}};
    carom_shape *spike = polytope_of_points(5, points);
    carom_view a = view_at(spike, 0.0, 0.0, 0.0, rotation_about(1.0, 0.0, 0.0, 180.0));
    carom_view b = view_at(spike, 0.0, 0.0, 0.3, no_rotation);
    check_everywhere(&a, &b, 0.3 + 1e-9, is_one_nearest);
    carom_shape_destroy(spike);
}

// A stack of equal boxes that stands askew by less than it moves: the set has the symmetry of the stack.
TEST(stacked_boxes_are_held_alike_from_both_sides) {
    carom_shape *box = box_of(1.0, 2.0, 0.5);
    carom_view low = view_at(box, 0.0, 0.0, -0.5, no_rotation), middle = view_at(box, 0.0, 0.0, 0.0, no_rotation),
               high = view_at(box, 0.0, 0.0, 0.5, no_rotation);
    found_contacts below, above;
    find_contacts(&low, &middle, 1e-3, &below);
    find_contacts(&middle, &high, 1e-3, &above);
    CHECK_INT(below.count, 4);
    CHECK_INT(above.count, 4);
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(fabs(below.at[i].point_a.x), 0.5, 1e-12);
        CHECK_NEAR(fabs(below.at[i].point_a.y), 1.0, 1e-12);
        CHECK(has_point(&above, crm_add(below.at[i].point_b, crm_vec3(0.0, 0.0, 0.5)), 1e-12));
    }
    carom_shape_destroy(box);
}

// Above a table by half the joint margin, tilted by a little: all four corners are there, each with its own gap, but
// not those that hang over the table's edge by more than the margin.
TEST(a_tilted_box_lists_every_corner_within_its_margin) {
    carom_shape *table = box_of(2.0, 2.0, 0.1), *box = box_of(0.4, 0.4, 0.4);
    carom_view a = view_at(table, 0.0, 0.0, -0.05, no_rotation);
    for (int hangs = 0; hangs < 2; hangs++) {
        carom_view b = view_at(box, hangs ? 0.9 : 0.3, 0.0, 0.205, rotation_about(0.0, 1.0, 0.0, 0.5));
        found_contacts found;
        find_contacts(&a, &b, 0.01, &found);
        CHECK_INT(count_kind(&found, CAROM_CONTACT_KIND_CORNER_B), hangs ? 2 : 4);
        CHECK_INT(count_kind(&found, CAROM_CONTACT_KIND_EDGES), hangs ? 2 : 0);
        double tilt = 0.5 * acos(-1.0) / 180.0;
        CHECK_NEAR(lowest_gap(&found),
                   hangs ? 0.205 - 0.2 / cos(tilt) - 0.1 * tan(tilt) : 0.205 - 0.2 * cos(tilt) - 0.2 * sin(tilt), 1e-5);
    }
    carom_shape_destroy(table);
    carom_shape_destroy(box);
}

// Next to each other, 1 mm apart and one 1 mm higher than the other, on their way with 5 mm a step: nothing pushes them
// up or down.
TEST(rows_of_bodies_apart_push_nothing) {
    carom_shape *cube = box_of(1.0, 1.0, 1.0);
    sampler s = {.seed = 5};
    for (int i = 0; i < 200; i++) {
        carom_view a = view_at(cube, 0.0, 0.0, 0.0, no_rotation);
        carom_view b = view_at(cube, 1.001, sample_between(&s, -1.0, 1.0), sample_between(&s, -1.0, 1.0), no_rotation);
        if (i % 2) b.pose.attitude = rotation_about(0.0, 1.0, 0.0, sample_between(&s, -0.01, 0.01));
        found_contacts found;
        find_contacts(&a, &b, 0.005, &found);
        CHECK(found.count > 0);
        CHECK(lowest_gap(&found) > -1e-5);
    }
    carom_shape_destroy(cube);
}

// Deep in a wide thin floor by a twentieth of its height, out to where it stands on its last fifth.
TEST(a_box_at_the_rim_of_a_wide_floor_is_pushed_up) {
    carom_shape *floor = box_of(100.0, 100.0, 0.1), *box = box_of(0.2, 0.2, 0.2);
    carom_view a = view_at(floor, 0.0, 0.0, -0.05, no_rotation);
    for (int i = 0; i < 40; i++) {
        carom_view b = view_at(box, 50.06 - 0.01 * i * i, 0.03, 0.09, no_rotation);
        found_contacts found;
        find_contacts(&a, &b, 1e-3, &found);
        CHECK_INT(found.count, 4);
        for (int k = 0; k < found.count; k++) CHECK(found.at[k].normal.z > 0.999 && found.at[k].gap > -0.0101);
    }
    carom_shape_destroy(floor);
    carom_shape_destroy(box);
}

TEST_MAIN(CASE(cubes_face_to_face_touch_in_four_corners), CASE(cubes_rotated_by_an_eighth_touch_in_eight_points),
          CASE(crossed_edges_touch_in_one_point), CASE(a_corner_on_a_face_is_one_contact),
          CASE(corners_that_stand_apart_have_their_nearest_points), CASE(stacked_boxes_are_held_alike_from_both_sides),
          CASE(a_tilted_box_lists_every_corner_within_its_margin), CASE(rows_of_bodies_apart_push_nothing),
          CASE(a_box_at_the_rim_of_a_wide_floor_is_pushed_up))
