// SPDX-License-Identifier: MIT
// Contacts of capsules, spheres and ellipsoids, and of anything with a half-space or in a container.
#include "contact/narrow_pair.h"
#include "support/geometry/feature_cases.h"
#include "support/geometry/polytopes.h"
#include "support/harness/small_compare.h"

static carom_shape *static_geometry_of(carom_shape_kind kind, double radius) {
    carom_shape_def def = carom_shape_def_default(kind);
    if (kind == CAROM_SHAPE_CONTAINER) def.container.radius = radius;
    carom_shape *shape;
    carom_error error;
    if (carom_shape_create(&def, NULL, &shape, &error) != CAROM_OK) fail_msg("%s", error.text);
    return shape;
}

static bool has_points(const found_contacts *found, carom_vec3 point_a, carom_vec3 point_b) {
    for (int i = 0; i < found->count; i++)
        if (vec3_gap(found->at[i].point_a, point_a) + vec3_gap(found->at[i].point_b, point_b) <= 1e-12) return true;
    return false;
}

// ---- half-spaces

TEST(a_box_stands_on_a_plane_by_four_corners) {
    carom_shape *floor = static_geometry_of(CAROM_SHAPE_HALF_SPACE, 0.0), *box = box_of(1.0, 2.0, 3.0);
    carom_view a = view_at(floor, 0.0, 0.0, 0.0, no_rotation), b = view_at(box, 0.0, 0.0, 1.5, no_rotation);
    found_contacts on_a, on_b;
    find_contacts(&a, &b, 0.01, &on_a);
    find_contacts(&b, &a, 0.01, &on_b);
    CHECK_INT(on_a.count, 4);
    CHECK_INT(on_b.count, 4);
    check_contacts(&on_a, 0.01, 4.0);
    check_contacts(&on_b, 0.01, 4.0);
    for (int i = 0; i < 4; i++) {
        carom_vec3 corner = crm_vec3(i & 1 ? 0.5 : -0.5, i & 2 ? 1.0 : -1.0, 0.0);
        CHECK(has_points(&on_a, corner, corner) && has_points(&on_b, corner, corner));
        CHECK_INT(on_a.at[i].kind, CAROM_CONTACT_KIND_CORNER_B);
        CHECK_INT(on_b.at[i].kind, CAROM_CONTACT_KIND_CORNER_A);
        CHECK_INT(on_a.at[i].feature_b, on_b.at[i].feature_a);
        CHECK_NEAR(on_a.at[i].normal.z, 1.0, 1e-15);
        CHECK_NEAR(on_b.at[i].normal.z, -1.0, 1e-15);
    }
    carom_vec3 corners[8];
    for (int i = 0; i < 8; i++) corners[i] = crm_vec3(i & 1 ? 0.5 : -0.5, i & 2 ? 1.0 : -1.0, i & 4 ? 3.0 : 0.0);
    carom_view bare = carom_view_of_vertices(8, corners);
    find_contacts(&a, &bare, 0.01, &on_a);
    CHECK_INT(on_a.count, 4);
    for (int i = 0; i < on_a.count; i++) CHECK_INT(on_a.at[i].feature_b, i);
    carom_shape_destroy(floor);
    carom_shape_destroy(box);
}

TEST(a_capsule_lies_on_a_plane_by_both_ends) {
    carom_shape *floor = static_geometry_of(CAROM_SHAPE_HALF_SPACE, 0.0), *capsule = capsule_of(0.2, 1.0);
    carom_view a = view_at(floor, 0.0, 0.0, 0.0, no_rotation);
    carom_view lies = view_at(capsule, 0.0, 0.0, 0.21, rotation_about(0.0, 1.0, 0.0, 90.0));
    carom_view stands = view_at(capsule, 0.0, 0.0, 0.71, no_rotation);
    found_contacts found;
    find_contacts(&a, &lies, 0.02, &found);
    CHECK_INT(found.count, 2);
    check_contacts(&found, 0.02, 2.0);
    CHECK(has_points(&found, crm_vec3(0.5, 0.0, 0.0), crm_vec3(0.5, 0.0, 0.01)));
    CHECK(has_points(&found, crm_vec3(-0.5, 0.0, 0.0), crm_vec3(-0.5, 0.0, 0.01)));
    find_contacts(&a, &stands, 0.02, &found);
    CHECK_INT(found.count, 1);
    carom_shape_destroy(floor);
    carom_shape_destroy(capsule);
}

// ---- capsules

TEST(parallel_capsules_touch_at_both_ends_of_the_stretch) {
    carom_shape *capsule = capsule_of(0.2, 1.0), *longer = capsule_of(0.1, 3.0);
    found_contacts found;
    // Equal ones, ends over ends; shifted by 0.3; a short one in the middle of a long one.
    const double shift[] = {0.0, 0.3, 0.2}, ends[][2] = {{-0.5, 0.5}, {-0.2, 0.5}, {-0.3, 0.7}};
    sampler s = {.seed = 3};
    for (int i = 0; i < 3; i++) {
        const carom_shape *other = i == 2 ? longer : capsule;
        double radius = i == 2 ? 0.1 : 0.2;
        for (int k = 0; k < 20; k++) {
            carom_quat rotation = k == 0 ? no_rotation : sample_attitude(&s);
            carom_view a = view_at(i == 2 ? other : capsule, 0.0, 0.0, 0.0, no_rotation),
                       b = view_at(i == 2 ? capsule : other, 0.2 + radius + 0.01, 0.0, shift[i], no_rotation);
            a = moved_view(a, rotation, crm_vec3_zero());
            b = moved_view(b, rotation, crm_vec3_zero());
            find_contacts(&a, &b, 0.02, &found);
            CHECK_INT(found.count, 2);
            check_contacts(&found, 0.02, 3.0);
            for (int end = 0; end < 2; end++) {
                carom_vec3 of_a = crm_vec3(radius, 0.0, ends[i][end]), of_b = crm_add(of_a, crm_vec3(0.01, 0.0, 0.0));
                CHECK(has_points(&found, crm_quat_rotate(rotation, of_a), crm_quat_rotate(rotation, of_b)));
            }
        }
    }
    carom_shape_destroy(capsule);
    carom_shape_destroy(longer);
}

TEST(crossed_capsules_and_capsules_in_line_touch_once) {
    carom_shape *capsule = capsule_of(0.2, 1.0);
    carom_view a = view_at(capsule, 0.0, 0.0, 0.0, no_rotation);
    carom_view across = view_at(capsule, 0.41, 0.0, 0.1, rotation_about(1.0, 0.0, 0.0, 60.0));
    carom_view in_line = view_at(capsule, 0.0, 0.0, 1.41, no_rotation);
    found_contacts found;
    find_contacts(&a, &across, 0.02, &found);
    CHECK_INT(found.count, 1);
    CHECK_NEAR(found.at[0].gap, 0.01, 1e-14);
    CHECK(has_points(&found, crm_vec3(0.2, 0.0, 0.1), crm_vec3(0.21, 0.0, 0.1)));
    find_contacts(&a, &in_line, 0.02, &found);
    CHECK_INT(found.count, 1);
    CHECK(has_points(&found, crm_vec3(0.0, 0.0, 0.7), crm_vec3(0.0, 0.0, 0.71)));
    carom_shape_destroy(capsule);
}

// Along x on a box 1 m long: inside, hanging over one end, over both, tilted, and along its edge.
TEST(a_capsule_on_a_box_touches_at_both_ends_of_the_stretch) {
    carom_shape *box = box_of(1.0, 1.0, 1.0), *capsule = capsule_of(0.1, 0.6), *longer = capsule_of(0.1, 2.0);
    carom_quat along_x = rotation_about(0.0, 1.0, 0.0, 90.0);
    carom_view a = view_at(box, 0.0, 0.0, 0.0, no_rotation);
    const double at[] = {0.1, 0.3, 0.2}, ends[][2] = {{-0.2, 0.4}, {0.0, 0.5}, {-0.5, 0.5}};
    found_contacts found;
    for (int i = 0; i < 3; i++) {
        carom_view b = view_at(i == 2 ? longer : capsule, at[i], 0.2, 0.61, along_x);
        find_contacts(&a, &b, 0.02, &found);
        CHECK_INT(found.count, 2);
        check_contacts(&found, 0.02, 3.0);
        for (int end = 0; end < 2; end++)
            CHECK(has_points(&found, crm_vec3(ends[i][end], 0.2, 0.5), crm_vec3(ends[i][end], 0.2, 0.51)));
        find_contacts(&b, &a, 0.02, &found);
        CHECK_INT(found.count, 2);
        check_contacts(&found, 0.02, 3.0);
    }
    // The far end comes within the margin as the capsule tilts back: no contact jumps.
    double last = INFINITY;
    for (int i = 40; i >= 0; i--) {
        double tilt = 0.002 * i;
        carom_view b = view_at(capsule, 0.0, 0.0, 0.61 + 0.3 * sin(tilt),
                               crm_quat_mul(crm_quat_from_axis_angle(crm_vec3(0.0, 1.0, 0.0), tilt), along_x));
        find_contacts(&a, &b, 0.02, &found);
        double high = 0.01 + 0.6 * sin(tilt);
        CHECK_INT(found.count, high <= 0.02 ? 2 : 1);
        CHECK_NEAR(lowest_gap(&found), 0.01, 1e-12);
        if (found.count < 2) continue;
        double gap = fmax(found.at[0].gap, found.at[1].gap);
        CHECK_NEAR(gap, high, 1e-12);
        CHECK(gap < last);
        last = gap;
    }
    double out = (0.1 + 0.01) * sqrt(0.5);
    carom_view on_edge = view_at(capsule, 0.1, 0.5 + out, 0.5 + out, along_x);
    find_contacts(&a, &on_edge, 0.02, &found);
    CHECK_INT(found.count, 2);
    check_contacts(&found, 0.02, 3.0);
    for (int i = 0; i < found.count; i++) {
        CHECK_NEAR(found.at[i].gap, 0.01, 1e-12);
        CHECK_NEAR(fabs(found.at[i].point_a.x - 0.1), 0.3, 1e-12);
    }
    carom_shape_destroy(box);
    carom_shape_destroy(capsule);
    carom_shape_destroy(longer);
}

// ---- smooth ones

TEST(spheres_touch_between_their_centres) {
    carom_shape *small = sphere_of(0.5), *large = sphere_of(1.0);
    carom_view a = view_at(small, 0.0, 0.0, 0.0, no_rotation), b = view_at(large, 0.0, 1.6, 0.0, no_rotation);
    found_contacts found;
    find_contacts(&a, &b, 0.1 + 1e-9, &found);
    CHECK_INT(found.count, 1);
    CHECK_NEAR(found.at[0].gap, 0.1, 1e-15);
    CHECK(has_points(&found, crm_vec3(0.0, 0.5, 0.0), crm_vec3(0.0, 0.6, 0.0)));
    find_contacts(&a, &b, 0.1 - 1e-9, &found);
    CHECK_INT(found.count, 0);
    carom_shape_destroy(small);
    carom_shape_destroy(large);
}

// Half-axes 3, 1, 1 in a sphere of 5 m, its centre at (e, 0, -d). For e = 0 the farthest points are a mirror pair, with
// a small e the farther one and the other local maximum; both are stationary: (y - c) parallel to the surface's normal.
TEST(an_ellipsoid_lies_in_a_bowl_on_both_sides) {
    carom_shape *bowl = static_geometry_of(CAROM_SHAPE_CONTAINER, 5.0), *egg = ellipsoid_of(3.0, 1.0, 1.0);
    carom_view around = view_at(bowl, 0.0, 0.0, 0.0, no_rotation);
    found_contacts found;
    for (int i = 0; i < 3; i++) {
        double aside = 0.01 * i;
        carom_view b = view_at(egg, aside, 0.0, -3.9, no_rotation);
        find_contacts(&around, &b, 0.2, &found);
        CHECK_INT(found.count, 2);
        check_contacts(&found, 0.2, 10.0);
        for (int k = 0; k < found.count; k++) {
            const carom_contact *c = &found.at[k];
            carom_vec3 y = crm_sub(c->point_b, b.pose.position), steep = crm_vec3(y.x / 9.0, y.y, y.z), normal;
            crm_normalise(steep, &normal);
            CHECK_NEAR(vec3_gap(normal, crm_negate(c->normal)), 0.0, 1e-9);
            CHECK_NEAR(y.x * y.x / 9.0 + y.y * y.y + y.z * y.z, 1.0, 1e-12);
            CHECK_NEAR(c->gap, 5.0 - crm_length(c->point_b), 1e-12);
        }
        if (i == 0) CHECK_NEAR(found.at[0].gap, found.at[1].gap, 1e-12);
        if (i == 0) CHECK_NEAR(found.at[0].point_b.x, -found.at[1].point_b.x, 1e-12);
    }
    carom_view end_on = view_at(egg, 1.95, 0.0, 0.0, no_rotation);
    find_contacts(&around, &end_on, 0.1, &found);
    CHECK_INT(found.count, 1);
    CHECK_NEAR(found.at[0].gap, 0.05, 1e-13);
    carom_shape_destroy(bowl);
    carom_shape_destroy(egg);
}

// A disc in the bowl's axis touches in a ring, a ball of the bowl's centre everywhere: what is listed balances.
TEST(rings_and_balls_in_a_container_have_symmetric_sets) {
    carom_shape *bowl = static_geometry_of(CAROM_SHAPE_CONTAINER, 2.0), *disc = ellipsoid_of(1.9, 0.5, 1.9),
                *ball = ellipsoid_of(1.9, 1.9, 1.9);
    carom_view around = view_at(bowl, 0.0, 0.0, 0.0, no_rotation);
    for (int i = 0; i < 2; i++) {
        carom_view inside = view_at(i == 0 ? disc : ball, 0.0, i == 0 ? 0.3 : 0.0, 0.0, no_rotation);
        found_contacts found;
        find_contacts(&inside, &around, 0.2, &found);
        CHECK_INT(found.count, i == 0 ? 4 : 6);
        check_contacts(&found, 0.2, 4.0);
        carom_vec3 push = crm_vec3_zero();
        for (int k = 0; k < found.count; k++) {
            push = crm_add(push, found.at[k].normal);
            CHECK_NEAR(found.at[k].gap, found.at[0].gap, 1e-12);
        }
        CHECK_NEAR(push.x, 0.0, 1e-12);
        CHECK_NEAR(push.z, 0.0, 1e-12);
        if (i == 1) CHECK_NEAR(push.y, 0.0, 1e-12);
    }
    carom_shape_destroy(bowl);
    carom_shape_destroy(disc);
    carom_shape_destroy(ball);
}

TEST(corners_and_ends_touch_a_container_one_by_one) {
    carom_shape *bowl = static_geometry_of(CAROM_SHAPE_CONTAINER, 2.0), *box = box_of(1.0, 2.0, 0.5),
                *capsule = capsule_of(0.2, 2.0), *ball = sphere_of(0.5);
    carom_view around = view_at(bowl, 0.0, 0.0, 0.0, no_rotation);
    carom_view low = view_at(box, 0.0, 0.0, -1.4, no_rotation);
    found_contacts found;
    find_contacts(&around, &low, 0.05, &found);
    CHECK_INT(found.count, 4);
    check_contacts(&found, 0.05, 4.0);
    CHECK_NEAR(lowest_gap(&found), 2.0 - sqrt(0.25 + 1.0 + 1.65 * 1.65), 1e-13);
    carom_view lies = view_at(capsule, 0.0, 0.0, -1.5, rotation_about(0.0, 1.0, 0.0, 90.0));
    find_contacts(&lies, &around, 0.05, &found);
    CHECK_INT(found.count, 2);
    CHECK_NEAR(found.at[0].gap, 2.0 - 0.2 - sqrt(1.0 + 2.25), 1e-13);
    CHECK_NEAR(found.at[0].gap, found.at[1].gap, 1e-13);
    carom_view rests = view_at(ball, 0.0, 1.45, 0.0, no_rotation);
    find_contacts(&rests, &around, 0.1, &found);
    CHECK_INT(found.count, 1);
    CHECK(has_points(&found, crm_vec3(0.0, 1.95, 0.0), crm_vec3(0.0, 2.0, 0.0)));
    carom_shape_destroy(bowl);
    carom_shape_destroy(box);
    carom_shape_destroy(capsule);
    carom_shape_destroy(ball);
}

TEST_MAIN(CASE(a_box_stands_on_a_plane_by_four_corners), CASE(a_capsule_lies_on_a_plane_by_both_ends),
          CASE(parallel_capsules_touch_at_both_ends_of_the_stretch),
          CASE(crossed_capsules_and_capsules_in_line_touch_once),
          CASE(a_capsule_on_a_box_touches_at_both_ends_of_the_stretch), CASE(spheres_touch_between_their_centres),
          CASE(an_ellipsoid_lies_in_a_bowl_on_both_sides), CASE(rings_and_balls_in_a_container_have_symmetric_sets),
          CASE(corners_and_ends_touch_a_container_one_by_one))
