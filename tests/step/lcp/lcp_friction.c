// SPDX-License-Identifier: MIT
// The method lcp against closed forms of dry friction: sliding, rolling, inclines, pushed piles.
#include <math.h>

#include "math/vec3.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"

static const double g = 9.81, pi = 3.14159265358979323846;
static const carom_vec3 down = {0.0, 0.0, -9.81}, origin = {0.0, 0.0, 0.0};

// A sphere thrown along a plane slides until it rolls, with 5/7 of its speed, whoever solves for the friction.
static void throw_sphere(carom_solver solver, carom_friction_model friction) {
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 0.3, 0.0);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    carom_body_def def = touching_def(model, touching_sphere(model, 0.5), material, 2.0, crm_vec3(0.0, 0.0, 0.5));
    def.velocity = crm_vec3(0.8, 0.6, 0.0);
    world_add(model, &def);
    carom_method_def method = touching_method(1e-3, 1e-8);
    method.lcp.solver = solver;
    method.lcp.friction = friction;
    carom_state *state = touching_state(model, &method);
    double lowest = 0.5;
    for (int i = 0; i < 500; i++) {
        world_run(state, 1);
        lowest = fmin(lowest, world_body(state, 1).position.z);
    }
    carom_body_state ball = world_body(state, 1);
    CHECK_NEAR(crm_length(ball.velocity), 5.0 / 7.0, 1e-6);
    CHECK_NEAR(ball.velocity.y / ball.velocity.x, 0.75, 1e-6);
    CHECK_NEAR(crm_length(ball.spin), 2.0 * 5.0 / 7.0, 2e-6);
    CHECK(lowest > 0.5 - 1e-9);
    world_destroy(state);
}

TEST(a_thrown_sphere_ends_rolling_with_five_sevenths_of_its_speed_whoever_solves) {
    for (int solver = 0; solver < CAROM_SOLVER_COUNT; solver++) {
        bool pyramid = solver == CAROM_SOLVER_LEMKE || solver == CAROM_SOLVER_MIN_MAP;
        throw_sphere((carom_solver)solver, pyramid ? CAROM_FRICTION_PYRAMID : CAROM_FRICTION_CONE);
    }
}

// Gravity is tilted instead of the plane, in the direction `rotation` of the plane.
static carom_state *on_incline(double degrees, double friction_degrees, double rotation, carom_method_def method) {
    double tilt = degrees * pi / 180.0;
    carom_vec3 gravity = {g * sin(tilt) * cos(rotation), g * sin(tilt) * sin(rotation), -g * cos(tilt)};
    carom_model *model = world_model(gravity, 0.0);
    carom_material material = touching_material(model, tan(friction_degrees * pi / 180.0), 0.0);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    touching_add(model, touching_box(model, 1.0, 1.0, 1.0), material, 1.0, crm_vec3(0.0, 0.0, 0.5));
    return touching_state(model, &method);
}

// One degree below slipping, ten seconds.
static void check_creep(carom_method_def method, double most) {
    const double rotations[] = {0.0, 0.5 * pi, 0.25 * pi, 1.0};
    for (int i = 0; i < 4; i++) {
        carom_state *state = on_incline(20.0, 21.0, rotations[i], method);
        world_run(state, 2400);
        carom_vec3 x = world_body(state, 1).position;
        CHECK(hypot(x.x, x.y) < most);
        CHECK_NEAR(x.z, 0.5, most);
        world_destroy(state);
    }
}

TEST(a_block_on_an_incline_that_holds_it_does_not_creep) {
    check_creep(touching_method(1.0 / 240.0, 1e-8), 1e-9);
}

TEST(a_block_on_an_incline_that_holds_it_hardly_creeps_by_default) {
    carom_method_def method = carom_method_def_default();
    method.step = 1.0 / 240.0;
    check_creep(method, 1e-6);
}

TEST(a_block_on_an_incline_that_does_not_hold_it_slides_with_the_right_acceleration) {
    const double rotations[] = {0.0, 0.5 * pi, 0.25 * pi, 1.0};
    double tilt = 20.0 * pi / 180.0, wanted = g * (sin(tilt) - tan(19.0 * pi / 180.0) * cos(tilt));
    for (int i = 0; i < 4; i++) {
        carom_state *state = on_incline(20.0, 19.0, rotations[i], touching_method(1.0 / 240.0, 1e-8));
        world_run(state, 240);
        carom_vec3 v = world_body(state, 1).velocity;
        CHECK_NEAR(hypot(v.x, v.y) / wanted, 1.0, 1e-6);
        CHECK_NEAR(atan2(v.y, v.x), rotations[i], 1e-6);
        world_destroy(state);
    }
}

// 25 balls on a box that is pushed along the floor at 60 degrees to its sides. The balls roll without slipping.
static void push_box(int steps) {
    const double force = 150.0, box_mass = 10.0, floor_friction = 0.4, angle = pi / 3.0;
    const int balls = 25;
    carom_error error = {0};
    carom_model *model = world_model(down, 0.0);
    carom_material ground = touching_material(model, floor_friction, 0.0), ball = touching_material(model, 0.8, 0.0);
    CHECK_INT(carom_model_set_material_pair(model, ground, ball, 0.8, 0.0, &error), CAROM_OK);
    touching_add(model, touching_floor(model), ground, 0.0, origin);
    carom_body box = touching_add(model, touching_box(model, 20.0, 20.0, 1.0), ground, box_mass, crm_vec3(0, 0, 0.5));
    carom_model_shape sphere = touching_sphere(model, 0.5);
    for (int i = 0; i < balls; i++)
        touching_add(model, sphere, ball, 1.0, crm_vec3(3.0 * (i % 5 - 2), 3.0 * (i / 5 - 2), 1.5));
    carom_wrench_def push = carom_wrench_def_default();
    push.body = box;
    push.force = crm_vec3(force * cos(angle), force * sin(angle), 0.0);
    CHECK_INT(carom_model_add_wrench(model, &push, &error), CAROM_OK);
    carom_method_def method = touching_method(1e-3, 1e-8);
    carom_state *state = touching_state(model, &method);
    carom_step_report report = world_run(state, steps);
    double f1 = floor_friction * (box_mass + balls) * g;
    double ball_acceleration = (force - f1) / box_mass / (3.5 + balls / box_mass);
    for (int b = 1; b <= balls + 1; b++) {
        carom_vec3 v = world_body(state, b).velocity;
        double wanted = (b == 1 ? 3.5 : 1.0) * ball_acceleration;
        CHECK_NEAR(crm_length(v) / report.time, wanted, 1e-6);
        CHECK_NEAR(atan2(v.y, v.x), angle, 1e-6);
    }
    world_destroy(state);
}

TEST(balls_on_a_pushed_box_roll_with_the_right_accelerations) {
    push_box(300);
}

TEST(balls_on_a_pushed_box_keep_rolling_for_four_seconds) {
    push_box(4000);
}

TEST(a_heavy_cube_stands_on_a_light_one) {
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 0.5, 0.0);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    carom_model_shape cube = touching_box(model, 1.0, 1.0, 1.0);
    touching_add(model, cube, material, 1e-3, crm_vec3(0.0, 0.0, 0.5));
    touching_add(model, cube, material, 1e3, crm_vec3(0.0, 0.0, 1.5));
    carom_method_def method = touching_method(1e-2, 1e-8);
    carom_state *state = touching_state(model, &method);
    carom_step_report report = world_run(state, 1000);
    CHECK(crm_length(crm_sub(world_body(state, 1).position, crm_vec3(0.0, 0.0, 0.5))) < 1e-7);
    CHECK(crm_length(crm_sub(world_body(state, 2).position, crm_vec3(0.0, 0.0, 1.5))) < 1e-7);
    CHECK(report.infeasibility < 1e-9);
    world_destroy(state);
}

// 6 x 6 x 6 frictionless balls fall on a floor and roll apart: how deep they sink into each other on the way.
static void drop_balls(double step, int steps) {
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 0.0, 0.0);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    carom_model_shape sphere = touching_sphere(model, 0.1);
    for (int i = 0; i < 216; i++) {
        // Off the lattice by up to 1e-3 m, the same in every run.
        double jitter[3] = {sin(12.9898 * i), sin(78.233 * i + 1.0), sin(37.719 * i + 2.0)};
        carom_vec3 x = {0.21 * (i % 6) + 1e-3 * jitter[0], 0.21 * (i / 6 % 6) + 1e-3 * jitter[1],
                        0.105 + 0.21 * (i / 36) + 1e-3 * jitter[2]};
        touching_add(model, sphere, material, 10.0, x);
    }
    carom_method_def method = touching_method(step, 1e-8);
    carom_state *state = touching_state(model, &method);
    double sum = 0.0;
    for (int i = 0; i < steps; i++) {
        world_run(state, 1);
        int count;
        const carom_contact_state *contact = carom_state_contacts(state, &count);
        for (int c = 0; c < count; c++) sum += contact[c].gap < 0.0 ? contact[c].gap * contact[c].gap : 0.0;
    }
    CHECK(sum / steps < 1e-10);
    world_destroy(state);
}

TEST(falling_balls_hardly_sink_into_each_other) {
    drop_balls(1e-2, 40);
}

TEST(falling_balls_hardly_sink_into_each_other_for_ten_seconds) {
    drop_balls(1e-2, 1000);
    drop_balls(1e-3, 10000);
}

TEST_MAIN(CASE(a_thrown_sphere_ends_rolling_with_five_sevenths_of_its_speed_whoever_solves),
          CASE(a_block_on_an_incline_that_holds_it_does_not_creep),
          CASE(a_block_on_an_incline_that_holds_it_hardly_creeps_by_default),
          CASE(a_block_on_an_incline_that_does_not_hold_it_slides_with_the_right_acceleration),
          CASE(balls_on_a_pushed_box_roll_with_the_right_accelerations),
          LONG_CASE(balls_on_a_pushed_box_keep_rolling_for_four_seconds), CASE(a_heavy_cube_stands_on_a_light_one),
          CASE(falling_balls_hardly_sink_into_each_other),
          LONG_CASE(falling_balls_hardly_sink_into_each_other_for_ten_seconds))
