// SPDX-License-Identifier: MIT
// Fast pairs, measures, and memory that runs out.
#include "contact/narrow_pair.h"
#include "support/geometry/feature_cases.h"
#include "support/geometry/polytopes.h"
#include "support/harness/probe_allocator.h"
#include "support/harness/small_compare.h"

static const crm_narrow_options on_the_way = {.measure = CAROM_MEASURE_FEATURES, .continuous = true, .duration = 0.1};

static double margin_of(const moving_body *m, double size, double duration) {
    double angle = fmin(acos(-1.0), crm_length(m->motion.spin) * duration);
    return crm_length(m->motion.velocity) * duration + 2.0 * sin(0.5 * angle) * size;
}

// A ball of 5 cm flies with 60 m/s through a plate of 2 cm, from 3 m above it: it would be gone within the step.
TEST(a_bullet_meets_the_plate_that_it_would_pass) {
    carom_shape *plate = box_of(2.0, 2.0, 0.02), *ball = sphere_of(0.05);
    moving_body a = {.view = view_at(plate, 0.0, 0.0, -0.01, no_rotation)};
    moving_body b = {.view = view_at(ball, 0.1, 0.2, 3.05, no_rotation), .motion = {.velocity = {6.0, 0.0, -60.0}}};
    b.margin = margin_of(&b, 0.05, 0.1);
    found_contacts found;
    find_contacts_of(&a, &b, &on_the_way, NULL, &found);
    CHECK_INT(found.count, 1);
    const carom_contact *c = &found.at[0];
    CHECK_INT(c->kind, CAROM_CONTACT_KIND_CONTINUOUS);
    CHECK_NEAR(c->gap, 3.0, 1e-9);
    CHECK_NEAR(vec3_gap(c->normal, crm_vec3(0.0, 0.0, 1.0)), 0.0, 1e-9);
    CHECK_NEAR(vec3_gap(c->point_a, crm_vec3(0.4, 0.2, 0.0)), 0.0, 1e-9);
    CHECK_NEAR(vec3_gap(c->point_b, crm_vec3(0.1, 0.2, 3.0)), 0.0, 1e-9);
    check_contacts(&found, b.margin, 3.0);
    // Not continuous, or slow, it has its nearest points.
    find_contacts_of(&a, &b, &by_features, NULL, &found);
    CHECK_INT(found.count, 1);
    CHECK_INT(found.at[0].kind, CAROM_CONTACT_KIND_NEAREST);
    b.view.pose.position.z = 0.051;
    b.margin = 0.004;
    find_contacts_of(&a, &b, &on_the_way, NULL, &found);
    CHECK_INT(found.count, 1);
    CHECK_INT(found.at[0].kind, CAROM_CONTACT_KIND_NEAREST);
    carom_shape_destroy(plate);
    carom_shape_destroy(ball);
}

// A bar rotates about its middle over a floor; docs/distance.md has the time. Its corner is carried back to where it
// is.
TEST(a_rotating_bar_meets_the_floor_with_its_corner) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    carom_shape *floor, *bar = box_of(1.0, 0.1, 0.1);
    carom_error error;
    if (carom_shape_create(&def, NULL, &floor, &error) != CAROM_OK) fail_msg("%s", error.text);
    moving_body a = {.view = view_at(floor, 0.0, 0.0, 0.0, no_rotation)};
    moving_body b = {.view = view_at(bar, 0.0, 0.0, 0.4, no_rotation), .motion = {.spin = {0.0, 2.0, 0.0}}};
    b.margin = margin_of(&b, 0.51, 0.5);
    crm_narrow_options options = on_the_way;
    options.duration = 0.5;
    found_contacts found;
    find_contacts_of(&a, &b, &options, NULL, &found);
    CHECK_INT(found.count, 1);
    CHECK_INT(found.at[0].kind, CAROM_CONTACT_KIND_CONTINUOUS);
    CHECK_NEAR(found.at[0].point_b.x, 0.5, 1e-9);
    CHECK_NEAR(found.at[0].point_b.z, 0.35, 1e-9);
    CHECK_NEAR(found.at[0].gap, 0.35, 1e-9);
    check_contacts(&found, b.margin, 2.0);
    carom_shape_destroy(floor);
    carom_shape_destroy(bar);
}

// Who touches already, and who only might if something pushed it, keeps the contacts of the start.
TEST(pairs_that_touch_or_pass_keep_their_contacts_at_the_start) {
    carom_shape *cube = box_of(1.0, 1.0, 1.0);
    moving_body a = {.view = view_at(cube, 0.0, 0.0, 0.0, no_rotation)};
    moving_body b = {.view = view_at(cube, 0.0, 0.0, 1.0, no_rotation), .motion = {.velocity = {0.0, 0.0, -10.0}}};
    b.margin = 1.0;
    found_contacts found;
    find_contacts_of(&a, &b, &on_the_way, NULL, &found);
    CHECK_INT(found.count, 4);
    CHECK_INT(found.at[0].kind, CAROM_CONTACT_KIND_CORNER_A);
    b.view.pose.position.z = 1.5;
    b.motion.velocity = crm_vec3(10.0, 0.0, 0.0);
    find_contacts_of(&a, &b, &on_the_way, NULL, &found);
    CHECK_INT(found.count, 4);
    CHECK_INT(found.at[0].kind, CAROM_CONTACT_KIND_CORNER_A);
    CHECK_INT(found.counts.undecided, 0);
    carom_shape_destroy(cube);
}

// A part of a compound rotates about the compound's position, not about its own.
TEST(a_part_moves_about_its_compound) {
    carom_shape_def hand_def = carom_shape_def_default(CAROM_SHAPE_SPHERE);
    hand_def.sphere.radius = 0.1;
    carom_compound_part parts[2] = {{&hand_def, {{0.0, 0.0, 0.0}, no_rotation}, 1.0},
                                    {&hand_def, {{1.0, 0.0, 0.0}, no_rotation}, 1.0}};
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_COMPOUND);
    def.compound.part_count = 2;
    def.compound.parts = parts;
    carom_shape *club, *wall = box_of(0.5, 0.02, 0.5), *hand = sphere_of(0.1);
    carom_error error;
    if (carom_shape_create(&def, NULL, &club, &error) != CAROM_OK) fail_msg("%s", error.text);
    // The hand on the arm of 1 m rotates about z with 20 rad/s. It hits the wall, whose side is at y = 0.99, with its
    // centre 0.1 m in front of it: when the sine of the angle is 0.89.
    double quarter = asin(0.89);
    carom_proxy proxy[2] = {{.id = 0, .view = view_at(wall, sqrt(1.0 - 0.89 * 0.89), 1.0, 0.0, no_rotation)},
                            {.id = 1,
                             .view = view_at(club, 0.0, 0.0, 0.0, no_rotation),
                             .motion = {.spin = {0.0, 0.0, 20.0}},
                             .margin = 1.6}};
    crm_item items[2] = {
        {.proxy = &proxy[0], .place = 0, .view = proxy[0].view},
        {.proxy = &proxy[1], .place = 1, .part = 1, .view = view_at(hand, 1.0, 0.0, 0.0, no_rotation)}};
    for (int i = 0; i < 2; i++) crm_make_item_ready(&items[i]);
    crm_item_pair pair = {0, 1};
    pair_memory memory = {0};
    crm_contact_array out = {0};
    carom_allocator allocator = carom_allocator_default();
    int count;
    crm_narrow_counts counts;
    CHECK(crm_narrow_phase(items, 1, &pair, &memory.memory, &memory.cache, &on_the_way, &allocator, &out, &count,
                           &counts));
    if (CHECK_INT(count, 1)) {
        const carom_contact *c = &out.items[0];
        CHECK_INT(c->kind, CAROM_CONTACT_KIND_CONTINUOUS);
        CHECK_INT(c->part_b, 1);
        CHECK_NEAR(vec3_gap(c->normal, crm_vec3(0.0, -1.0, 0.0)), 0.0, 1e-9);
        // The point of the hand that hits, rotated back by the angle.
        carom_vec3 hit = crm_vec3(cos(quarter), 0.99, 0.0);
        carom_quat back = crm_quat_from_axis_angle(crm_vec3(0.0, 0.0, 1.0), -quarter);
        CHECK_NEAR(vec3_gap(c->point_b, crm_quat_rotate(back, hit)), 0.0, 1e-9);
        CHECK_NEAR(vec3_gap(c->point_a, hit), 0.0, 1e-9);
    }
    CRM_ARRAY_FREE(&allocator, &out);
    carom_shape_destroy(club);
    carom_shape_destroy(wall);
    carom_shape_destroy(hand);
}

// ---- measures

TEST(other_measures_have_one_contact_with_their_own_gap) {
    carom_shape *low = box_of(2.0, 2.0, 1.0), *high = box_of(0.5, 0.5, 0.5);
    moving_body a = {.view = view_at(low, 0.0, 0.0, 0.0, no_rotation), .margin = 0.1};
    moving_body b = {.view = view_at(high, 0.5, 0.0, 0.76, rotation_about(1.0, 1.0, 0.0, 1.0))};
    crm_narrow_options options = {.measure = CAROM_MEASURE_GAP};
    found_contacts found;
    find_contacts_of(&a, &b, &options, NULL, &found);
    carom_gap_witness gap;
    carom_ray_witness ray;
    carom_error error;
    CHECK_INT(carom_gap_find(&a.view, &b.view, NULL, NULL, &gap, &error), CAROM_OK);
    CHECK_INT(carom_ray_find(&a.view, &b.view, NULL, NULL, &ray, &error), CAROM_OK);
    CHECK_INT(found.count, 1);
    CHECK_NEAR(found.at[0].gap, gap.gap, 1e-15);
    CHECK_NEAR(vec3_gap(found.at[0].point_a, gap.point_a), 0.0, 1e-15);
    options.measure = CAROM_MEASURE_RAY;
    find_contacts_of(&a, &b, &options, NULL, &found);
    CHECK_INT(found.count, 1);
    check_contacts(&found, 0.1, 2.0);
    CHECK_NEAR(found.at[0].gap, ray.plane_gap, 1e-15);
    CHECK_NEAR(crm_dot(ray.normal, crm_sub(found.at[0].point_a, ray.point_a)), 0.0, 1e-14);
    CHECK_NEAR(crm_dot(ray.normal, crm_sub(found.at[0].point_b, ray.point_b)), 0.0, 1e-14);
    carom_shape_destroy(low);
    carom_shape_destroy(high);
}

// ---- memory

// Prisms of 40 sides, rotated by half a side: 80 crossings, more than are kept in place.
TEST(many_contacts_need_memory_and_say_so) {
    carom_shape *prism = named_polytope(CAROM_POLYTOPE_PRISM, 40, 0.5, 1.0);
    carom_proxy proxy[2] = {{.id = 0, .view = view_at(prism, 0.0, 0.0, 0.0, no_rotation)},
                            {.id = 1, .view = view_at(prism, 0.0, 0.0, 1.0, rotation_about(0.0, 0.0, 1.0, 4.5))}};
    crm_item items[2] = {{.proxy = &proxy[0], .view = proxy[0].view}, {.proxy = &proxy[1], .view = proxy[1].view}};
    for (int i = 0; i < 2; i++) crm_make_item_ready(&items[i]);
    crm_item_pair pair = {0, 1};
    for (int refused = 0; refused < 20; refused++) {
        probe_allocator probe = {.refused_call = refused};
        carom_allocator allocator = probe_allocator_hook(&probe);
        pair_memory memory = {0};
        crm_contact_array out = {0};
        int count;
        crm_narrow_counts counts;
        bool done = crm_narrow_phase(items, 1, &pair, &memory.memory, &memory.cache, &by_features, &allocator, &out,
                                     &count, &counts);
        CHECK(done == (refused == 0 || probe.calls < refused));
        if (done) CHECK_INT(count, 80);
        CRM_ARRAY_FREE(&allocator, &out);
        CHECK_INT(probe.live_blocks, 0);
        if (done && refused > 0) break;
    }
    carom_shape_destroy(prism);
}

TEST_MAIN(CASE(a_bullet_meets_the_plate_that_it_would_pass), CASE(a_rotating_bar_meets_the_floor_with_its_corner),
          CASE(pairs_that_touch_or_pass_keep_their_contacts_at_the_start), CASE(a_part_moves_about_its_compound),
          CASE(other_measures_have_one_contact_with_their_own_gap), CASE(many_contacts_need_memory_and_say_so))
