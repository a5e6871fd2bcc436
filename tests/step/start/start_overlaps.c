// SPDX-License-Identifier: MIT
// Bodies that start inside each other: closed forms of the nearest poses apart, what stays as it was, that nothing
// moves afterwards, joints, choices, crowds and squeezes.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/distance.h"
#include "math/quat.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"
#include "support/harness/refused_allocations.h"
#include "support/harness/sample.h"
#include "support/model/joints.h"

static const carom_vec3 down = {0.0, 0.0, -9.81}, origin = {0.0, 0.0, 0.0};
static const double step = 0.005;
// How far apart pairs are put, of their size.
static const double clearance = 2e-9;

static carom_state *state_of(carom_model *model) {
    return world_state(model, CAROM_METHOD_LCP, step);
}

// A cube of this mass and edge 1 m at x.
static void add_cube(carom_model *model, double mass, double x) {
    touching_add(model, touching_box(model, 1.0, 1.0, 1.0), (carom_material){-1}, mass, crm_vec3(x, 0.0, 0.0));
}

static double largest_speed(const carom_state *state) {
    double most = 0.0;
    for (int b = 0; b < carom_model_body_count(carom_state_model(state)); b++) {
        carom_body_state body = world_body(state, b);
        most = fmax(most, fmax(crm_length(body.velocity), crm_length(body.spin)));
    }
    return most;
}

// ---- closed forms

// d = depth m_b / (m_a + m_b) of a, the rest of b: least in the metric of the masses.
TEST(two_cubes_share_the_way_by_their_masses) {
    const double ratio[] = {1.0, 3.0, 100.0, 1e-3}, depth[] = {0.3, 1e-3, 5e-6};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            carom_model *model = world_model(origin, 0.0);
            add_cube(model, ratio[i], 0.0);
            add_cube(model, 1.0, 1.0 - depth[k]);
            carom_state *state = state_of(model);
            double share = 1.0 / (1.0 + ratio[i]);
            CHECK_NEAR(world_body(state, 0).position.x, -share * depth[k], clearance);
            CHECK_NEAR(world_body(state, 1).position.x, 1.0 - depth[k] + (1.0 - share) * depth[k], clearance);
            CHECK_NEAR(ratio[i] * world_body(state, 0).position.x + world_body(state, 1).position.x - 1.0 + depth[k],
                       0.0, 1e-15 * (1.0 + ratio[i]));
            const carom_start_report *start = carom_state_start(state);
            CHECK_INT(start->pairs, 1);
            CHECK_INT(start->a.index, 0);
            CHECK_INT(start->b.index, 1);
            CHECK_NEAR(start->overlap, depth[k], 1e-12);
            CHECK_NEAR(start->moved, fmax(share, 1.0 - share) * depth[k], clearance);
            CHECK_INT(start->moved_most.index, share > 0.5 ? 0 : i == 0 ? start->moved_most.index : 1);
            CHECK_INT(start->left_pairs, 0);
            CHECK(start->rotated <= 1e-9);
            world_destroy(state);
        }
    }
}

TEST(what_overlaps_a_fixed_body_goes_all_the_way) {
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 0.5, 0.0);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    touching_add(model, touching_box(model, 1.0, 1.0, 1.0), material, 2.0, crm_vec3(0.0, 0.0, -4.0));
    touching_add(model, touching_sphere(model, 0.5), material, 2.0, crm_vec3(3.0, 0.0, 0.1));
    touching_add(model, touching_box(model, 2.0, 2.0, 2.0), material, 0.0, crm_vec3(9.0, 0.0, 5.0));
    touching_add(model, touching_sphere(model, 0.5), material, 2.0, crm_vec3(9.2, 0.0, 6.25));
    carom_state *state = state_of(model);
    carom_body_state box = world_body(state, 1), ball = world_body(state, 2), high = world_body(state, 4);
    CHECK_NEAR(box.position.z, 0.5, clearance);
    CHECK_NEAR(hypot(box.position.x, box.position.y), 0.0, clearance);
    CHECK_NEAR(ball.position.z, 0.5, clearance);
    CHECK_NEAR(high.position.z, 6.5, clearance);
    CHECK_NEAR(high.position.x, 9.2, clearance);
    CHECK_NEAR(crm_distance(world_body(state, 3).position, crm_vec3(9.0, 0.0, 5.0)), 0.0, 0.0);
    // The box and the ball on the floor rest; they have no energy to lose but that of the clearance.
    world_run(state, 40);
    CHECK_NEAR(world_body(state, 1).position.z, 0.5, 1e-6);
    CHECK_NEAR(world_body(state, 2).position.z, 0.5, 1e-6);
    CHECK(crm_length(world_body(state, 1).velocity) < 1e-5 && crm_length(world_body(state, 2).velocity) < 1e-5);
    world_destroy(state);
}

// ---- rest

TEST(bodies_in_the_same_place_end_apart_and_at_rest) {
    for (int kind = 0; kind < 4; kind++) {
        for (int count = 2; count <= 10; count += 4) {
            carom_model *model = world_model(origin, 0.0);
            carom_model_shape shape = kind == 0   ? touching_box(model, 1.0, 1.0, 1.0)
                                      : kind == 1 ? touching_sphere(model, 0.5)
                                      : kind == 2 ? touching_ellipsoid(model, 0.3, 0.4, 0.6)
                                                  : touching_box(model, 2.0, 0.5, 0.1);
            for (int i = 0; i < count; i++) touching_add(model, shape, (carom_material){-1}, 1.0 + i, origin);
            carom_state *state = state_of(model);
            CHECK_INT(carom_state_start(state)->pairs, count * (count - 1) / 2);
            CHECK_INT(carom_state_start(state)->left_pairs, 0);
            carom_vec3 moment = origin;
            for (int i = 0; i < count; i++) moment = crm_madd(moment, 1.0 + i, world_body(state, i).position);
            CHECK_NEAR(crm_length(moment), 0.0, 1e-12 * count * count);
            carom_step_report report = world_run(state, 20);
            CHECK(largest_speed(state) <= 1e-9);
            CHECK(world_energy(state) <= 1e-18);
            CHECK(report.infeasibility <= 1e-9);
            world_destroy(state);
        }
    }
}

TEST(what_moves_keeps_its_velocity_and_its_spin) {
    carom_model *model = world_model(origin, 0.0);
    carom_body_def def = touching_def(model, touching_box(model, 1.0, 0.5, 0.25), (carom_material){-1}, 2.0, origin);
    def.velocity = crm_vec3(1.0, -2.0, 3.0);
    def.spin = crm_vec3(0.4, 0.5, -0.6);
    world_add(model, &def);
    def.position = crm_vec3(0.5, 0.4, 0.05);
    world_add(model, &def);
    carom_state *state = state_of(model);
    CHECK(carom_state_start(state)->rotated > 0.01);
    for (int b = 0; b < 2; b++) {
        CHECK_NEAR(crm_distance(world_body(state, b).velocity, def.velocity), 0.0, 1e-14);
        CHECK_NEAR(crm_distance(world_body(state, b).spin, def.spin), 0.0, 1e-14);
    }
    world_destroy(state);
}

// ---- heaps

// An angle of two bars.
static carom_model_shape angle_shape(carom_model *model) {
    carom_shape_def bar[2] = {carom_shape_def_default(CAROM_SHAPE_BOX), carom_shape_def_default(CAROM_SHAPE_BOX)};
    carom_compound_part parts[2] = {carom_compound_part_default(), carom_compound_part_default()};
    bar[0].box.size = crm_vec3(0.3, 0.1, 0.1);
    bar[1].box.size = crm_vec3(0.1, 0.1, 0.3);
    parts[0].shape = &bar[0];
    parts[1].shape = &bar[1];
    parts[1].pose.position = crm_vec3(0.1, 0.0, 0.2);
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_COMPOUND);
    def.compound.part_count = 2;
    def.compound.parts = parts;
    return touching_shape(model, &def);
}

static carom_model_shape polytope(carom_model *model, carom_polytope_form form) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
    def.polytope.form = form;
    def.polytope.edge = 0.3;
    def.polytope.radius = 0.15;
    def.polytope.height = 0.2;
    return touching_shape(model, &def);
}

static carom_model_shape capsule(carom_model *model) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_CAPSULE);
    def.capsule.radius = 0.1;
    def.capsule.length = 0.2;
    return touching_shape(model, &def);
}

static carom_model_shape some_shape(carom_model *model, sampler *s) {
    switch ((int)sample_between(s, 0.0, 9.0)) {
    case 0:
        return touching_box(model, 0.2, 0.2, 0.2);
    case 1:
        return touching_box(model, 0.4, 0.3, 0.02);
    case 2:
        return touching_ellipsoid(model, 0.15, 0.1, 0.08);
    case 3:
        return touching_box(model, 0.6, 0.5, 0.7);
    case 4:
        return capsule(model);
    case 5:
        return polytope(model, CAROM_POLYTOPE_TETRAHEDRON);
    case 6:
        return polytope(model, CAROM_POLYTOPE_PRISM);
    case 7:
        return angle_shape(model);
    default:
        return touching_sphere(model, 0.1);
    }
}

static carom_view view_of(const carom_state *state, int body) {
    const carom_model *model = carom_state_model(state);
    carom_body_def def;
    CHECK_INT(carom_model_get_body(model, (carom_body){body}, &def, NULL), CAROM_OK);
    carom_body_state at = world_body(state, body);
    return carom_view_of(carom_model_get_shape(model, def.shape), (carom_pose){at.position, at.attitude});
}

// The least gap of all pairs over the smaller body's size, by the Euclidean search.
static double least_gap(const carom_state *state) {
    int count = carom_model_body_count(carom_state_model(state));
    double least = INFINITY;
    for (int a = 0; a < count; a++) {
        for (int b = a + 1; b < count; b++) {
            carom_view view_a = view_of(state, a), view_b = view_of(state, b);
            carom_gap_witness gap;
            if (carom_gap_find(&view_a, &view_b, NULL, NULL, &gap, NULL) != CAROM_OK) continue;
            double size =
                2.0 * fmin(carom_shape_bounding_radius(view_a.shape), carom_shape_bounding_radius(view_b.shape));
            least = fmin(least, gap.gap / size);
        }
    }
    return least;
}

typedef enum ground { NOTHING, A_FLOOR, A_CONTAINER } ground;

static carom_model *heap(sampler *s, int count, double width, ground ground) {
    carom_model *model = world_model(origin, 0.0);
    carom_shape_def container = carom_shape_def_default(CAROM_SHAPE_CONTAINER);
    container.container.radius = 1.0;
    if (ground != NOTHING)
        touching_add(model, ground == A_FLOOR ? touching_floor(model) : touching_shape(model, &container),
                     (carom_material){-1}, 0.0, ground == A_FLOOR ? origin : crm_vec3(0.9, 0.0, 0.0));
    for (int i = 0; i < count; i++) {
        carom_vec3 at = sample_vec3(s, width);
        double mass = exp(sample_between(s, -2.0, 2.0));
        carom_body_def def = touching_def(model, some_shape(model, s), (carom_material){-1}, mass, at);
        def.attitude = sample_attitude(s);
        world_add(model, &def);
    }
    return model;
}

// The centre of mass stays where no fixed body is; nothing overlaps, and nothing begins to move.
TEST(random_heaps_end_apart_and_at_rest) {
    for (int i = 0; i < 100; i++) {
        sampler s = {.seed = 4000 + (uint64_t)i};
        ground ground = (enum ground)(i % 3);
        bool floor = ground != NOTHING;
        int count = 2 + i % 11;
        carom_model *model = heap(&s, count, 0.25, ground);
        carom_state *state = state_of(model);
        const carom_start_report *start = carom_state_start(state);
        CHECK_INT(start->left_pairs, 0);
        CHECK(least_gap(state) >= -1e-9);
        carom_vec3 moment = origin;
        double mass = 0.0;
        for (int b = floor; b < count + floor; b++) {
            carom_body_def def;
            CHECK_INT(carom_model_get_body(model, (carom_body){b}, &def, NULL), CAROM_OK);
            carom_body_state at = world_body(state, b);
            carom_vec3 before = crm_add(def.position, crm_quat_rotate(def.attitude, def.centre));
            carom_vec3 after = crm_add(at.position, crm_quat_rotate(at.attitude, def.centre));
            moment = crm_madd(moment, def.mass, crm_sub(after, before));
            mass += def.mass;
        }
        if (!floor) CHECK_NEAR(crm_length(moment) / mass, 0.0, 1e-9);
        world_run(state, 5);
        CHECK(largest_speed(state) <= 1e-7);
        world_destroy(state);
    }
}

TEST(planar_bodies_stay_in_their_plane) {
    for (int i = 0; i < 20; i++) {
        sampler s = {.seed = 4500 + (uint64_t)i};
        carom_model *model = world_model(origin, 0.0);
        for (int b = 0; b < 6; b++) {
            carom_vec3 at = sample_vec3(&s, i == 0 ? 0.0 : 0.3);
            at.z = 0.0;
            carom_body_def def =
                touching_def(model, b % 2 ? touching_box(model, 0.4, 0.3, 0.05) : touching_sphere(model, 0.2),
                             (carom_material){-1}, 1.0 + b, at);
            def.kind = CAROM_BODY_PLANAR;
            world_add(model, &def);
        }
        carom_state *state = state_of(model);
        CHECK_INT(carom_state_start(state)->left_pairs, 0);
        CHECK(least_gap(state) >= -1e-9);
        for (int b = 0; b < 6; b++) CHECK_NEAR(world_body(state, b).position.z, 0.0, 0.0);
        world_run(state, 5);
        CHECK(largest_speed(state) <= 1e-7);
        world_destroy(state);
    }
}

// Far fewer pairs are looked at than there are.
TEST(a_thousand_bodies_in_one_place_are_spread_out) {
    for (int kind = 0; kind < 3; kind++) {
        carom_model *model = world_model(origin, 0.0);
        carom_model_shape shape = kind == 0 ? touching_box(model, 1.0, 1.0, 1.0) : touching_sphere(model, 0.5);
        sampler s = {.seed = 4600};
        for (int i = 0; i < 1000; i++)
            touching_add(model, shape, (carom_material){-1}, 1.0, kind == 2 ? sample_vec3(&s, 0.1) : origin);
        carom_state *state = state_of(model);
        const carom_start_report *start = carom_state_start(state);
        CHECK(start->pairs > 1000 && start->overlap > 0.5);
        CHECK_INT(start->left_pairs, 0);
        CHECK(start->moved < 15.0);
        world_run(state, 2);
        CHECK(largest_speed(state) <= 1e-9);
        world_destroy(state);
    }
}

// ---- joints

// Two bars on a hinge, of which one is in a wall, and a chain that lies in a floor.
TEST(joints_stay_closed) {
    carom_model *model = world_model(origin, 0.0);
    carom_model_shape bar = touching_box(model, 1.0, 0.1, 0.1), wall = touching_box(model, 0.2, 2.0, 2.0);
    touching_add(model, wall, (carom_material){-1}, 0.0, crm_vec3(1.9, 0.0, 0.0));
    carom_body_def def = touching_def(model, bar, (carom_material){-1}, 2.0, crm_vec3(0.5, 0.0, 0.02));
    carom_body first = world_add(model, &def);
    def.position = crm_vec3(1.5, 0.0, 0.02);
    carom_body second = world_add(model, &def);
    carom_joint_def hinge =
        joints_def(model, CAROM_JOINT_HINGE, CAROM_WORLD, first, crm_vec3(0.0, 0.0, 0.0), crm_vec3(0.0, 1.0, 0.0));
    joints_add(model, &hinge);
    hinge = joints_def(model, CAROM_JOINT_HINGE, first, second, crm_vec3(1.0, 0.0, 0.0), crm_vec3(0.0, 1.0, 0.0));
    joints_add(model, &hinge);
    carom_state *state = state_of(model);
    CHECK_INT(carom_state_start(state)->pairs, 1);
    CHECK_INT(carom_state_start(state)->left_pairs, 0);
    for (int j = 0; j < 2; j++) {
        carom_joint_state joint = joints_get(state, j);
        CHECK(joint.linear_drift <= 1e-10 && joint.angular_drift <= 1e-10);
        CHECK(fabs(joint.coordinate[0]) > 0.1); // the chain is folded
    }
    world_run(state, 20);
    CHECK(largest_speed(state) <= 1e-8);
    world_destroy(state);
}

// A bar on a hinge that may not rotate down, and a ball above that it would make way for: the ball goes all the way.
TEST(limits_hold) {
    for (int limited = 0; limited < 2; limited++) {
        carom_model *model = world_model(origin, 0.0);
        carom_body_def def =
            touching_def(model, touching_box(model, 1.0, 0.1, 0.1), (carom_material){-1}, 2.0, crm_vec3(0.5, 0.0, 0.0));
        carom_body bar = world_add(model, &def);
        touching_add(model, touching_sphere(model, 0.2), (carom_material){-1}, 1.0, crm_vec3(0.8, 0.0, 0.2));
        carom_joint_def hinge = joints_def(model, CAROM_JOINT_HINGE, CAROM_WORLD, bar, origin, crm_vec3(0.0, 1.0, 0.0));
        if (limited) hinge.coordinate[0].lower = -1.0, hinge.coordinate[0].upper = 0.0;
        joints_add(model, &hinge);
        carom_state *state = state_of(model);
        double angle = joints_get(state, 0).coordinate[0], height = world_body(state, 1).position.z;
        CHECK_INT(carom_state_start(state)->left_pairs, 0);
        if (limited) CHECK_NEAR(angle, 0.0, 1e-9);
        if (limited) CHECK_NEAR(height, 0.25, clearance);
        if (!limited) CHECK(angle > 0.01 && height < 0.24);
        world_destroy(state);
    }
}

// ---- choices

static carom_model *two_cubes(carom_start_overlaps choice) {
    carom_model *model = world_starting(origin, choice);
    add_cube(model, 1.0, 0.0);
    add_cube(model, 1.0, 0.75);
    return model;
}

TEST(overlaps_are_kept_or_refused_on_request) {
    carom_state *state = state_of(two_cubes(CAROM_START_KEEP));
    CHECK_NEAR(world_body(state, 1).position.x, 0.75, 0.0);
    CHECK_INT(carom_state_start(state)->pairs, 1);
    CHECK_INT(carom_state_start(state)->left_pairs, 1);
    CHECK_NEAR(carom_state_start(state)->left_overlap, 0.25, 1e-12);
    CHECK_NEAR(carom_state_start(state)->moved, 0.0, 0.0);
    CHECK(strstr(carom_state_start(state)->text, "keep") != NULL);
    world_destroy(state);

    carom_model *model = two_cubes(CAROM_START_REFUSE);
    carom_error error;
    carom_method_def def = carom_method_def_default();
    CHECK_INT(carom_model_freeze(model, &error), CAROM_OK);
    CHECK_INT(carom_state_create(model, &def, &state, &error), CAROM_ERR_BAD_INPUT);
    CHECK(state == NULL);
    CHECK_TEXT(error.text,
               "body 0 and body 1 overlap at the start by 0.25 m; start_overlaps is \"refuse\": move them apart, "
               "or take \"project\", which does so, or \"keep\"");
    carom_model_destroy(model);
}

TEST(methods_without_contact_name_overlaps_and_move_nothing) {
    for (int choice = 0; choice < CAROM_START_COUNT; choice++) {
        carom_state *state = world_state(two_cubes((carom_start_overlaps)choice), CAROM_METHOD_VARIATIONAL, step);
        CHECK_NEAR(world_body(state, 1).position.x, 0.75, 0.0);
        CHECK_INT(carom_state_start(state)->pairs, 1);
        CHECK(strstr(carom_state_start(state)->text, "no contacts") != NULL);
        world_destroy(state);
    }
}

TEST(all_methods_with_contact_start_apart) {
    for (int method = 0; method < CAROM_METHOD_COUNT; method++) {
        if (!carom_method_has_contact((carom_method)method)) continue;
        carom_state *state = world_state(two_cubes(CAROM_START_PROJECT), (carom_method)method, step);
        CHECK_NEAR(world_body(state, 1).position.x - world_body(state, 0).position.x, 1.0, clearance);
        world_run(state, 10);
        CHECK(largest_speed(state) <= 1e-9);
        world_destroy(state);
    }
}

TEST(a_choice_that_is_none_is_refused) {
    carom_model_def def = carom_model_def_default();
    carom_model *model;
    carom_error error;
    def.start_overlaps = (carom_start_overlaps)7;
    CHECK_INT(carom_model_create(&def, &model, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "start_overlaps is 7, must be one of carom_start_overlaps");
}

// Touching bodies, those that overlap by less than is named and those that do not meet keep their bits.
TEST(what_does_not_overlap_keeps_its_bits) {
    carom_model *model = world_model(origin, 0.0);
    add_cube(model, 1.0, 0.1);
    add_cube(model, 1.0, 1.1 - 1e-6);
    carom_body_def def =
        touching_def(model, touching_sphere(model, 1.0), (carom_material){-1}, 1.0, crm_vec3(9.0, 0.0, 0.0));
    def.groups = 2;
    def.meets = 1;
    for (int i = 0; i < 40; i++) world_add(model, &def);
    carom_state *state = state_of(model);
    CHECK_TEXT(carom_state_start(state)->text, "");
    CHECK_INT(carom_state_start(state)->pairs, 0);
    CHECK_INT(carom_state_start(state)->a.index, -1);
    CHECK_NEAR(world_body(state, 0).position.x, 0.1, 0.0);
    CHECK_NEAR(world_body(state, 1).position.x, 1.1 - 1e-6, 0.0);
    CHECK_NEAR(world_body(state, 20).position.x, 9.0, 0.0);
    world_destroy(state);
}

// ---- no way out

// A cube of 1 m in a slot of 0.9 m that is closed on all sides.
TEST(a_squeeze_is_named) {
    carom_model *model = world_model(origin, 0.0);
    carom_model_shape wall = touching_box(model, 2.0, 2.0, 2.0);
    for (int k = 0; k < 6; k++) {
        double at = k % 2 ? 1.45 : -1.45;
        touching_add(model, wall, (carom_material){-1}, 0.0,
                     crm_vec3(k / 2 == 0 ? at : 0.0, k / 2 == 1 ? at : 0.0, k / 2 == 2 ? at : 0.0));
    }
    add_cube(model, 1.0, 0.0);
    carom_state *state = state_of(model);
    const carom_start_report *start = carom_state_start(state);
    CHECK_INT(start->pairs, 6);
    CHECK(start->left_pairs >= 1 && start->left_overlap > 0.0);
    CHECK_INT(start->left_b.index, 6);
    CHECK(strstr(start->text, "still overlap") != NULL);
    world_destroy(state);
}

// ---- again

static carom_model *overlapping_boxes(const carom_allocator *hook, bool jointed) {
    carom_model_def def = carom_model_def_default();
    def.gravity = origin;
    def.allocator = hook;
    carom_model *model;
    CHECK_INT(carom_model_create(&def, &model, NULL), CAROM_OK);
    carom_model_shape box = touching_box(model, 0.3, 0.2, 0.25);
    carom_body bodies[3];
    for (int i = 0; i < 3; i++)
        bodies[i] = touching_add(model, box, (carom_material){-1}, 1.0, crm_vec3(0.2 * i, 0.03 * i, 0.0));
    if (jointed) {
        carom_joint_def ball =
            joints_def(model, CAROM_JOINT_BALL, bodies[1], bodies[2], crm_vec3(0.3, 0.0, 0.0), crm_vec3(0.0, 0.0, 1.0));
        joints_add(model, &ball);
    }
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    return model;
}

TEST(any_refused_allocation_is_said_and_leaks_nothing) {
    carom_method_def method = carom_method_def_default();
    for (int jointed = 0; jointed < 2; jointed++) check_refused_allocations(&method, overlapping_boxes, jointed == 1);
}

TEST(the_same_start_has_the_same_bits_for_any_threads) {
    uint64_t hash[2];
    for (int i = 0; i < 2; i++) {
        sampler s = {.seed = 4700};
        carom_model *model = heap(&s, 12, 0.2, A_FLOOR);
        CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
        carom_method_def def = carom_method_def_default();
        def.threads = i == 0 ? 1 : 3;
        carom_state *state = touching_state(model, &def);
        world_run(state, 3);
        hash[i] = carom_state_hash(state);
        world_destroy(state);
    }
    CHECK(hash[0] == hash[1]);
}

// What a state was saved at is where it goes on, whatever its start was.
TEST(a_loaded_state_is_not_moved_again) {
    carom_state *state = state_of(two_cubes(CAROM_START_PROJECT)), *kept = state_of(two_cubes(CAROM_START_KEEP));
    world_run(state, 3);
    size_t size = carom_state_size(state);
    void *bytes = malloc(size);
    carom_error error;
    carom_state_save(state, bytes);
    CHECK_INT(carom_state_load(kept, bytes, size, &error), CAROM_OK);
    CHECK(carom_state_hash(kept) == carom_state_hash(state));
    free(bytes);
    world_destroy(state);
    world_destroy(kept);
}

TEST_MAIN(CASE(two_cubes_share_the_way_by_their_masses), CASE(what_overlaps_a_fixed_body_goes_all_the_way),
          CASE(bodies_in_the_same_place_end_apart_and_at_rest), CASE(what_moves_keeps_its_velocity_and_its_spin),
          CASE(random_heaps_end_apart_and_at_rest), CASE(planar_bodies_stay_in_their_plane),
          CASE(a_thousand_bodies_in_one_place_are_spread_out), CASE(joints_stay_closed), CASE(limits_hold),
          CASE(overlaps_are_kept_or_refused_on_request), CASE(methods_without_contact_name_overlaps_and_move_nothing),
          CASE(all_methods_with_contact_start_apart), CASE(a_choice_that_is_none_is_refused),
          CASE(what_does_not_overlap_keeps_its_bits), CASE(a_squeeze_is_named),
          CASE(the_same_start_has_the_same_bits_for_any_threads), CASE(a_loaded_state_is_not_moved_again),
          CASE(any_refused_allocation_is_said_and_leaks_nothing))
