// SPDX-License-Identifier: MIT
// Compounds have no contacts inside: bodies move over the internal edges of tiled floors and feel the floor alone.
#include <math.h>
#include <stdlib.h>

#include "math/quat.h"
#include "support/geometry/contact_world.h"
#include "support/geometry/convex_shapes.h"
#include "support/geometry/tiled_floors.h"
#include "support/harness/check.h"

// ---- bodies on their way

typedef struct walker {
    const carom_shape *shape;
    carom_quat attitude;
} walker;

// The lowest point of the body above its position, m: minus its support function along -z.
static double lowest_of(const walker *w) {
    carom_vec3 point, down = crm_quat_rotate_inverse(w->attitude, crm_vec3(0, 0, -1));
    if (carom_shape_get_support(w->shape, down, &point, NULL, NULL) != CAROM_OK) return 0.0;
    return crm_quat_rotate(w->attitude, point).z;
}

// Moves the body over the floor at a gap, along a line that is not parallel to the internal edges, and once right along
// one; checks that all contacts have the floor's normal and that the nearest one has the right gap. `first` of the two
// ids tells which one is A.
static void walk_over(const carom_shape *floor, const walker *w, double gap, int steps, int32_t floor_id,
                      carom_contact_measure measure, const carom_pose *world) {
    carom_contact_options options = carom_contact_options_default();
    options.measure = measure;
    carom_contact_set *set = contact_set_of(&options);
    carom_vec3 up = crm_quat_rotate(world->attitude, crm_vec3(0, 0, floor_id == 0 ? 1.0 : -1.0));
    bool good = true;
    for (int line = 0; line < 3 && good; line++) {
        carom_vec3 from = line == 0   ? crm_vec3(-1.4, -1.3, 0)
                          : line == 1 ? crm_vec3(-1.5, 0.5, 0)
                                      : crm_vec3(0.3, -1.5, 0);
        carom_vec3 to = line == 0 ? crm_vec3(1.3, 1.45, 0) : line == 1 ? crm_vec3(1.5, 0.5, 0) : crm_vec3(0.3, 1.5, 0);
        for (int i = 0; i <= steps && good; i++) {
            carom_vec3 x = crm_madd(from, (double)i / steps, crm_sub(to, from));
            x.z = gap - lowest_of(w);
            carom_proxy proxies[2] = {proxy_of(floor_id, place(floor, 0, 0, 0), 0.0),
                                      proxy_of(1, carom_view_of(w->shape, (carom_pose){x, w->attitude}), 0.02)};
            proxies[0].fixed = true;
            for (int k = 0; k < 2; k++) proxies[k].view = moved_view(proxies[k].view, world->attitude, world->position);
            update_contacts(set, 2, proxies, NULL);
            int count;
            const carom_contact *list = carom_contact_set_list(set, &count);
            good = CHECK(count > 0);
            double least = INFINITY;
            for (int k = 0; k < count && good; k++) {
                good &= CHECK_NEAR(crm_distance(list[k].normal, up), 0.0, 1e-12);
                least = fmin(least, list[k].gap);
            }
            good &= CHECK_NEAR(least, gap, 1e-12);
            if (!good) print_error("line %d step %d of %d at %g %g, gap %g\n", line, i, steps, x.x, x.y, gap);
        }
    }
    carom_contact_set_destroy(set);
}

static void walk_over_all(const walker *w, int steps) {
    sampler s = {.seed = 61};
    const carom_pose here = {.attitude = crm_quat_identity()};
    const carom_pose there = {.position = sample_vec3(&s, 5.0), .attitude = sample_attitude(&s)};
    for (int kind = 0; kind < FLOOR_KINDS; kind++) {
        carom_shape *floor = tiled_floor(kind);
        walk_over(floor, w, 1e-3, steps, 0, CAROM_MEASURE_FEATURES, &here);
        walk_over(floor, w, -1e-3, steps, 0, CAROM_MEASURE_FEATURES, &here);
        walk_over(floor, w, 0.0, steps, 2, CAROM_MEASURE_FEATURES, &here);
        walk_over(floor, w, 0.0199, steps / 4, 0, CAROM_MEASURE_FEATURES, &here);
        walk_over(floor, w, 2e-3, steps / 2, 0, CAROM_MEASURE_FEATURES, &there);
        walk_over(floor, w, -2e-3, steps / 2, 2, CAROM_MEASURE_FEATURES, &there);
        walk_over(floor, w, -1e-4, steps / 4, 2, CAROM_MEASURE_GAP, &here);
        carom_shape_destroy(floor);
    }
}

static void walk(carom_shape *shape, carom_quat attitude, int steps) {
    walker w = {shape, attitude};
    walk_over_all(&w, steps);
    carom_shape_destroy(shape);
}

TEST(sphere_rolls_over_internal_edges) {
    walk(sphere_of(0.3), crm_quat_identity(), 300);
}

TEST(capsule_lies_across_internal_edges) {
    walk(capsule_of(0.2, 0.8), crm_quat_from_axis_angle(crm_vec3(0, 1, 0), 0.5 * 3.14159265358979323846), 120);
}

TEST(tilted_capsule_moves_over_internal_edges) {
    walk(capsule_of(0.2, 0.8), crm_quat_from_axis_angle(crm_vec3(0.6, 0.8, 0), 0.7), 120);
}

TEST(ellipsoid_moves_over_internal_edges) {
    walk(ellipsoid_of(0.4, 0.25, 0.3), crm_quat_from_axis_angle(crm_vec3(0.6, 0.8, 0), 0.4), 120);
}

TEST(box_slides_over_internal_edges) {
    walk(box_of(0.7, 0.5, 0.4), crm_quat_identity(), 120);
    walk(box_of(0.7, 0.5, 0.4), crm_quat_from_axis_angle(crm_vec3(0, 0, 1), 0.3), 120);
}

TEST(tilted_box_slides_over_internal_edges) {
    walk(box_of(0.7, 0.5, 0.4), crm_quat_from_axis_angle(crm_vec3(0, 1, 0), 0.2), 120);         // on an edge
    walk(box_of(0.7, 0.5, 0.4), crm_quat_from_axis_angle(crm_vec3(0.6, 0.64, 0.48), 0.6), 120); // on a corner
}

// ---- what is no internal edge stays

// How many contacts a fixed compound (A) has with a body at this pose, and how many of these have this normal.
static int count_contacts(const carom_shape *compound, const carom_shape *body, carom_vec3 at, double margin,
                          carom_vec3 normal, int *along) {
    carom_contact_set *set = contact_set_of(NULL);
    carom_proxy proxies[2] = {proxy_of(0, place(compound, 0, 0, 0), 0.0),
                              proxy_of(1, place(body, at.x, at.y, at.z), margin)};
    proxies[0].fixed = true;
    update_contacts(set, 2, proxies, NULL);
    int count;
    const carom_contact *list = carom_contact_set_list(set, &count);
    *along = 0;
    for (int k = 0; k < count; k++) *along += crm_distance(list[k].normal, normal) < 1e-12;
    carom_contact_set_destroy(set);
    return count;
}

// Two tiles side by side, the second one higher by `step`.
static carom_shape *stepped_floor(double step) {
    const box_part parts[] = {{{1, 1, 0.5}, {-0.5, 0, -0.25}}, {{1, 1, 0.5}, {0.5, 0, step - 0.25}}};
    return compound_of_boxes(2, parts);
}

TEST(outer_edges_and_corners_keep_their_normals) {
    carom_shape *floor = stepped_floor(0.0), *ball = sphere_of(0.3);
    int along;
    // Over the outer edge at the end of the internal edge, over an outer edge far from it, over a corner.
    const carom_vec3 out[] = {{0, 0.6, 0.8}, {0, 0.6, 0.8}, {0.48, 0.64, 0.6}};
    const carom_vec3 foot[] = {{0.0, 0.5, 0.0}, {0.7, 0.5, 0.0}, {1.0, 0.5, 0.0}};
    for (int i = 0; i < 3; i++) {
        int count = count_contacts(floor, ball, crm_madd(foot[i], 0.305, out[i]), 0.01, out[i], &along);
        CHECK_INT(along, 1);
        CHECK_INT(count, 1);
    }
    carom_shape_destroy(floor);
    carom_shape_destroy(ball);
}

TEST(real_steps_keep_their_edge) {
    carom_shape *ball = sphere_of(0.3);
    const carom_vec3 out = {-0.6, 0, 0.8};
    int along;
    for (double step = 1e-4; step < 0.2; step *= 10.0) { // far above what counts as joined
        carom_shape *floor = stepped_floor(step);
        CHECK(count_contacts(floor, ball, crm_madd(crm_vec3(0, 0, step), 0.301, out), 0.01, out, &along) >= 1);
        CHECK_INT(along, 1);
        carom_shape_destroy(floor);
    }
    carom_shape *floor = stepped_floor(1e-8); // none
    count_contacts(floor, ball, crm_madd(crm_vec3(0, 0, 1e-8), 0.301, out), 0.01, out, &along);
    CHECK_INT(along, 0);
    carom_shape_destroy(floor);
    carom_shape_destroy(ball);
}

TEST(inward_corner_keeps_both_normals) {
    carom_shape *angle = stepped_floor(0.4), *box = box_of(0.2, 0.2, 0.2), *ball = sphere_of(0.1);
    const carom_vec3 up = {0, 0, 1}, left = {-1, 0, 0};
    for (int apart = 0; apart < 2; apart++) { // flush in the corner, and just off both walls
        double off = 1e-3 * apart;
        int from_floor, from_wall;
        int count = count_contacts(angle, box, crm_vec3(-0.1 - off, 0, 0.1 + off), 0.01, up, &from_floor);
        count_contacts(angle, box, crm_vec3(-0.1 - off, 0, 0.1 + off), 0.01, left, &from_wall);
        CHECK_INT(from_floor, 4);
        CHECK_INT(from_wall, 4);
        CHECK_INT(count, 8);
        count = count_contacts(angle, ball, crm_vec3(-0.1 - off, 0, 0.1 + off), 0.01, up, &from_floor);
        count_contacts(angle, ball, crm_vec3(-0.1 - off, 0, 0.1 + off), 0.01, left, &from_wall);
        CHECK_INT(from_floor, 1);
        CHECK_INT(from_wall, 1);
        CHECK_INT(count, 2);
    }
    carom_shape_destroy(angle);
    carom_shape_destroy(box);
    carom_shape_destroy(ball);
}

// Inside by part of the thickness, near an internal edge, each tile by itself is left fastest through its inner wall.
TEST(deep_penetration_is_lifted_by_the_floor) {
    carom_shape *floor = tiled_floor(FLOOR_SQUARES);
    carom_shape *bodies[] = {sphere_of(0.3), box_of(0.3, 0.3, 0.3), capsule_of(0.2, 0.4),
                             ellipsoid_of(0.3, 0.25, 0.35)};
    const double half[] = {0.3, 0.15, 0.4, 0.35};
    for (int b = 0; b < 4; b++)
        for (double depth = 0.02; depth < 0.45; depth += 0.03)
            for (double x = -0.6; x <= 0.6; x += 0.07) {
                if (depth > 0.5 * (0.5 + 2.0 * half[b])) continue; // out through the bottom would be shorter
                int up, count = count_contacts(floor, bodies[b], crm_vec3(x, 0.43, half[b] - depth), 0.01,
                                               crm_vec3(0, 0, 1), &up);
                if (!CHECK(count > 0) || !CHECK_INT(up, count)) print_error("body %d at %g, depth %g\n", b, x, depth);
            }
    for (int b = 0; b < 4; b++) carom_shape_destroy(bodies[b]);
    carom_shape_destroy(floor);
}

// Both are compounds: a slab of two halves slides over tiles.
TEST(compound_slides_over_compound) {
    carom_shape *floor = tiled_floor(FLOOR_SQUARES);
    const box_part halves[] = {{{0.4, 0.5, 0.2}, {-0.2, 0, 0}}, {{0.4, 0.5, 0.2}, {0.2, 0, 0}}};
    carom_shape *slab = compound_of_boxes(2, halves);
    for (int i = 0; i <= 200; i++) {
        double x = -1.2 + 2.4 * i / 200;
        for (int sign = -1; sign <= 1; sign++) {
            int up, count = count_contacts(floor, slab, crm_vec3(x, 0.3 * x, 0.1 + 1e-3 * sign), 0.01,
                                           crm_vec3(0, 0, 1), &up);
            if (!CHECK_INT(count, 4) || !CHECK_INT(up, 4)) print_error("at %g\n", x); // the corners of the slab
        }
    }
    carom_shape_destroy(slab);
    carom_shape_destroy(floor);
}

// Two balls and a capsule that overlap, and a small ball near them: its gap is the least of the three, in closed form,
// and no contact is on a part where a sibling holds it.
TEST(round_parts_have_no_contacts_in_each_other) {
    const carom_vec3 centre[] = {{0, 0, 0}, {0.6, 0, 0.1}, {0.3, 0.5, 0}};
    const double radius[] = {0.5, 0.4, 0.3}, half_length = 0.4, probe_radius = 0.1, margin = 0.2;
    carom_shape_def defs[3];
    carom_compound_part parts[3];
    for (int i = 0; i < 3; i++) {
        defs[i] = carom_shape_def_default(i < 2 ? CAROM_SHAPE_SPHERE : CAROM_SHAPE_CAPSULE);
        if (i < 2)
            defs[i].sphere.radius = radius[i];
        else
            defs[i].capsule = (carom_capsule_def){.radius = radius[i], .length = 2.0 * half_length};
        parts[i] = carom_compound_part_default();
        parts[i].shape = &defs[i];
        parts[i].pose.position = centre[i];
    }
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_COMPOUND);
    def.compound = (carom_compound_def){.part_count = 3, .parts = parts};
    carom_shape *compound, *probe = sphere_of(probe_radius);
    assert_int_equal(carom_shape_create(&def, NULL, &compound, NULL), CAROM_OK);
    carom_contact_set *set = contact_set_of(NULL);
    sampler s = {.seed = 62};
    int dropped = 0, met = 0;
    for (int trial = 0; trial < 6000; trial++) {
        carom_vec3 x = sample_vec3(&s, 1.2);
        double gap[3], least = INFINITY;
        for (int i = 0; i < 3; i++) {
            carom_vec3 arm = crm_sub(x, centre[i]);
            if (i == 2) arm.z -= fmin(fmax(arm.z, -half_length), half_length);
            gap[i] = crm_length(arm) - radius[i] - probe_radius;
            least = fmin(least, gap[i]);
        }
        if (least > margin || least < -probe_radius) continue; // its centre is outside of all
        carom_proxy proxies[2] = {proxy_of(0, place(compound, 0, 0, 0), 0),
                                  proxy_of(1, place(probe, x.x, x.y, x.z), margin)};
        carom_contact_report report;
        update_contacts(set, 2, proxies, &report);
        int count;
        const carom_contact *list = carom_contact_set_list(set, &count);
        double found = INFINITY;
        for (int k = 0; k < count; k++) {
            found = fmin(found, list[k].gap);
            for (int i = 0; i < 3; i++) {
                carom_vec3 arm = crm_sub(list[k].point_a, centre[i]);
                if (i == 2) arm.z -= fmin(fmax(arm.z, -half_length), half_length);
                CHECK(i == list[k].part_a || crm_length(arm) > radius[i] - 1e-12);
            }
        }
        if (!CHECK_NEAR(found, least, 1e-12)) break;
        dropped += report.left_out > 0;
        met++;
    }
    CHECK(met > 1000 && dropped > 20);
    carom_contact_set_destroy(set);
    carom_shape_destroy(compound);
    carom_shape_destroy(probe);
}

TEST_MAIN(CASE(sphere_rolls_over_internal_edges), CASE(capsule_lies_across_internal_edges),
          CASE(tilted_capsule_moves_over_internal_edges), CASE(ellipsoid_moves_over_internal_edges),
          CASE(box_slides_over_internal_edges), CASE(tilted_box_slides_over_internal_edges),
          CASE(outer_edges_and_corners_keep_their_normals), CASE(real_steps_keep_their_edge),
          CASE(inward_corner_keeps_both_normals), CASE(deep_penetration_is_lifted_by_the_floor),
          CASE(compound_slides_over_compound), CASE(round_parts_have_no_contacts_in_each_other))
