// SPDX-License-Identifier: MIT
// Joints by impulses, in the fixed steps of the method impulse: what they block and leave free, momenta, reactions,
// loops, limits, motors, and rods that are as short as they are fast.
#include <math.h>
#include <stdio.h>

#include "carom/carom.h"
#include "math/quat.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/model/joints.h"

static const double g = 9.81, pi = 3.14159265358979323846;
static const carom_vec3 down = {0.0, 0.0, -9.81}, none = {0.0, 0.0, 0.0}, y_axis = {0.0, 1.0, 0.0};

static carom_method_def fixed_steps(double step) {
    carom_method_def def = carom_method_def_default();
    def.method = CAROM_METHOD_IMPULSE;
    def.step = step;
    def.impulse.variant = CAROM_IMPULSE_FIXED;
    return def;
}

static carom_method_def both_ways(int together, double step) {
    carom_method_def def = fixed_steps(step);
    def.impulse.law = CAROM_IMPACT_LAW_NEWTON;
    def.impulse.simultaneous = together ? CAROM_SIMULTANEOUS_TOGETHER : CAROM_SIMULTANEOUS_SEQUENCE;
    return def;
}

// ---- what is blocked

// A mix of freedoms between two spinning bodies, the first of which is the world when `grounded`.
static carom_model *mix(int linear_free, int angular_free, bool grounded) {
    sampler s = {.seed = 17 + 4 * (uint64_t)linear_free + (uint64_t)angular_free};
    carom_model *model = world_model(down, 0.0);
    carom_body body[2] = {CAROM_WORLD, CAROM_WORLD};
    for (int b = grounded; b < 2; b++) {
        carom_body_def def = joints_bar(crm_vec3(b - 0.5, 0.1, 0.0));
        def.velocity = sample_vec3(&s, 0.5);
        def.spin = sample_vec3(&s, 2.0);
        body[b] = world_add(model, &def);
    }
    carom_joint_def def = joints_def(model, CAROM_JOINT_MIX, body[0], body[1], none, crm_vec3(0.3, 0.2, 1.0));
    def.linear_free = linear_free;
    def.angular_free = angular_free;
    joints_add(model, &def);
    return model;
}

// Frame B seen from A.
typedef struct seen {
    carom_vec3 offset, z; // B's origin and z axis in A
    carom_vec3 x;         // B's x axis in A
} seen;

static seen look(const carom_state *state) {
    carom_joint_def def;
    CHECK_INT(carom_model_get_joint(carom_state_model(state), (carom_joint){0}, &def, NULL), CAROM_OK);
    carom_body_state a = {.attitude = crm_quat_identity()}, b = a;
    if (def.a.index >= 0) a = world_body(state, def.a.index);
    if (def.b.index >= 0) b = world_body(state, def.b.index);
    carom_vec3 origin_a = crm_add(a.position, crm_quat_rotate(a.attitude, def.point_a));
    carom_vec3 origin_b = crm_add(b.position, crm_quat_rotate(b.attitude, def.point_b));
    carom_quat axes_a = crm_quat_mul(a.attitude, def.attitude_a), axes_b = crm_quat_mul(b.attitude, def.attitude_b);
    return (seen){crm_quat_rotate_inverse(axes_a, crm_sub(origin_b, origin_a)),
                  crm_quat_rotate_inverse(axes_a, crm_quat_rotate(axes_b, crm_vec3(0.0, 0.0, 1.0))),
                  crm_quat_rotate_inverse(axes_a, crm_quat_rotate(axes_b, crm_vec3(1.0, 0.0, 0.0)))};
}

// How far blocked motions have come, by geometry alone.
static double wrong(seen s, int linear_free, int angular_free) {
    double off = 0.0;
    if (linear_free == 0) off = crm_length(s.offset);
    if (linear_free == 1) off = hypot(s.offset.x, s.offset.y);
    if (linear_free == 2) off = fabs(s.offset.z);
    double rotated = 0.0;
    if (angular_free == 0) rotated = fmax(hypot(s.z.x, s.z.y), hypot(s.x.y, s.x.z));
    if (angular_free == 1) rotated = hypot(s.z.x, s.z.y);
    if (angular_free == 2) rotated = fabs(s.x.z);
    return fmax(off, rotated);
}

TEST(every_mix_blocks_what_it_should_and_no_more) {
    for (int linear = 0; linear < 4; linear++) {
        for (int angular = 0; angular < 4; angular++) {
            for (int grounded = 0; grounded < 2; grounded++) {
                carom_method_def method = fixed_steps(0.002);
                carom_state *state = joints_state(mix(linear, angular, grounded), &method);
                double worst = 0.0, slid = 0.0, rotated = 0.0;
                for (int i = 0; i < 500; i++) {
                    carom_step_report report = world_run(state, 1);
                    CHECK(report.momentum_balance < 1e-13);
                    CHECK(report.joint_drift < 1e-8);
                    seen s = look(state);
                    worst = fmax(worst, wrong(s, linear, angular));
                    slid = fmax(slid, crm_length(s.offset));
                    rotated = fmax(rotated, fmax(hypot(s.x.y, s.x.z), hypot(s.z.x, s.z.y)));
                }
                CHECK(worst < 1e-7);
                CHECK(linear == 0 || slid > 0.01);
                CHECK(angular == 0 || rotated > 0.01);
                world_destroy(state);
            }
        }
    }
}

// After each step, too: where bars meet, both have the same velocity.
TEST(no_velocity_is_left_that_joints_block) {
    carom_method_def method = fixed_steps(0.005);
    carom_state *state = joints_state(joints_chain(4, CAROM_JOINT_BALL, down), &method);
    for (int i = 0; i < 100; i++) {
        world_run(state, 1);
        carom_vec3 last = none; // of the world
        for (int b = 0; b < 4; b++) {
            carom_body_state bar = world_body(state, b);
            carom_vec3 half = crm_quat_rotate(bar.attitude, crm_vec3(0.5, 0.0, 0.0));
            carom_vec3 rotating = crm_cross(bar.spin, half);
            CHECK(crm_distance(crm_sub(bar.velocity, rotating), last) < 1e-7); // joints are open by 1e-8
            last = crm_add(bar.velocity, rotating);
        }
    }
    world_destroy(state);
}

TEST(a_distance_is_kept) {
    carom_model *model = world_model(down, 0.0);
    carom_body_def bar = joints_bar(crm_vec3(0.5, 0.0, -0.8));
    bar.spin = crm_vec3(1.0, 2.0, 0.5);
    carom_joint_def def = carom_joint_def_default();
    def.kind = CAROM_JOINT_DISTANCE;
    def.a = CAROM_WORLD;
    def.b = world_add(model, &bar);
    def.point_b = crm_vec3(-0.5, 0.0, 0.0);
    def.length = 0.8;
    joints_add(model, &def);
    carom_method_def method = fixed_steps(0.002);
    carom_state *state = joints_state(model, &method);
    for (int i = 0; i < 1000; i++) {
        world_run(state, 1);
        carom_body_state b = world_body(state, 0);
        carom_vec3 end = crm_add(b.position, crm_quat_rotate(b.attitude, def.point_b));
        CHECK_NEAR(crm_length(end), 0.8, 1e-8);
    }
    world_destroy(state);
}

// ---- momenta and energy

TEST(a_jointed_pair_without_gravity_keeps_its_momenta) {
    for (int together = 0; together < 2; together++) {
        carom_model *model = world_model(none, 0.0);
        carom_body last = CAROM_WORLD;
        for (int i = 0; i < 4; i++) {
            carom_body_def bar = joints_bar(crm_vec3(i + 0.5, 0.0, 0.0));
            bar.spin = crm_vec3(0.3, 0.0, 1.0 - i);
            bar.velocity = crm_vec3(0.2, 0.1 * i, 0.3);
            carom_body body = world_add(model, &bar);
            if (i > 0) {
                carom_joint_def def = joints_def(model, i % 2 ? CAROM_JOINT_BALL : CAROM_JOINT_HINGE, last, body,
                                                 crm_vec3(i, 0.0, 0.0), y_axis);
                joints_add(model, &def);
            }
            last = body;
        }
        carom_method_def method = both_ways(together, 0.005);
        carom_state *state = joints_state(model, &method);
        carom_momentum before = carom_state_momentum(state);
        double energy = world_energy(state);
        world_run(state, 400);
        carom_momentum after = carom_state_momentum(state);
        CHECK(crm_length(crm_sub(after.linear, before.linear)) < 1e-12);
        CHECK(crm_length(crm_sub(after.angular, before.angular)) < 1e-11);
        CHECK_NEAR(world_energy(state) / energy, 1.0, 0.02);
        world_destroy(state);
    }
}

static double elliptic_k(double k) {
    double a = 1.0, b = sqrt(1.0 - k * k);
    for (int i = 0; i < 10; i++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return pi / (2.0 * a);
}

// A bar let go when level is level again after half of 4 sqrt(I / m g l) K(sin 45 degrees). Gravity alone acts on it:
// errors are of order 2.
TEST(a_pendulum_converges_with_order_two) {
    double inertia = 2.0 * 1.01 / 12.0 + 0.5;
    double period = 4.0 * sqrt(inertia / (2.0 * g * 0.5)) * elliptic_k(sin(0.25 * pi));
    double error[3];
    for (int i = 0; i < 3; i++) {
        carom_method_def method = fixed_steps(period / (800 << i));
        carom_state *state = joints_state(joints_chain(1, CAROM_JOINT_HINGE, down), &method);
        world_run(state, 100 << i); // on the way down, where angles change fast
        error[i] = joints_get(state, 0).coordinate[0];
        world_run(state, 700 << i);
        CHECK_NEAR(joints_get(state, 0).coordinate[0], 0.0, 0.05);
        CHECK_NEAR(world_energy(state), 0.0, 0.2);
        world_destroy(state);
    }
    CHECK_NEAR((error[0] - error[1]) / (error[1] - error[2]), 4.0, 0.4);
}

// ---- impulses

// One step of a bar on a ball joint that hangs askew: the joint's impulse is that of the lecture, j = K^-1 d/h, with d
// the error that the free motion would lead to.
TEST(the_impulse_of_a_ball_joint_is_the_collision_matrix_times_the_error) {
    double step = 1e-4;
    carom_model *model = world_model(down, 0.0);
    carom_body_def bar = joints_bar(crm_vec3(0.5, 0.0, 0.0));
    bar.attitude = crm_quat_from_axis_angle(y_axis, 0.6);
    bar.position = crm_quat_rotate(bar.attitude, bar.position);
    carom_body body = world_add(model, &bar);
    carom_joint_def def = joints_def(model, CAROM_JOINT_BALL, CAROM_WORLD, body, none, y_axis);
    joints_add(model, &def);
    carom_method_def method = fixed_steps(step);
    method.impulse.tolerance = 1e-12;
    carom_state *state = joints_state(model, &method);
    world_run(state, 1);
    // K = 1/m - [r]x I^-1 [r]x in the bar's axes, r along its x axis.
    double across = 2.0 * 1.01 / 12.0;
    carom_vec3 k = {1.0 / 2.0, 1.0 / 2.0 + 0.25 / across, 1.0 / 2.0 + 0.25 / across};
    carom_vec3 error = crm_quat_rotate_inverse(bar.attitude, crm_scale(-g * step * step, crm_vec3(0.0, 0.0, 1.0)));
    carom_vec3 impulse = {-error.x / step / k.x, -error.y / step / k.y, -error.z / step / k.z};
    carom_vec3 force = crm_quat_rotate_inverse(bar.attitude, joints_get(state, 0).force);
    CHECK(crm_length(crm_sub(crm_scale(step, force), impulse)) < 1e-6 * crm_length(impulse));
    world_destroy(state);
}

TEST(what_hangs_still_pulls_with_its_weight) {
    for (int together = 0; together < 2; together++) {
        carom_model *model = world_model(down, 0.0);
        carom_body last = CAROM_WORLD;
        for (int i = 0; i < 5; i++) {
            carom_body_def bar = joints_bar(crm_vec3(0.0, 0.0, -0.5 - i));
            bar.attitude = crm_quat_from_axis_angle(y_axis, 0.5 * pi);
            carom_body body = world_add(model, &bar);
            carom_joint_def def = joints_def(model, CAROM_JOINT_BALL, last, body, crm_vec3(0.0, 0.0, -i), y_axis);
            joints_add(model, &def);
            last = body;
        }
        carom_method_def method = both_ways(together, 0.01);
        method.impulse.tolerance = 1e-10;
        carom_state *state = joints_state(model, &method);
        world_run(state, 50);
        for (int i = 0; i < 5; i++) {
            carom_joint_state joint = joints_get(state, i);
            CHECK(crm_length(crm_sub(joint.force, crm_vec3(0.0, 0.0, (5 - i) * 2.0 * g))) < 1e-6);
            CHECK(crm_length(joint.torque) < 1e-6);
        }
        world_destroy(state);
    }
}

// ---- loops, limits, motors

static void run_scene(const char *name, double step, double until, double *drift, double *energy_change) {
    char file[512];
    snprintf(file, sizeof file, CAROM_SOURCE_DIR "/scenes/%s.json", name);
    carom_scene *scene = NULL;
    carom_scene_messages *messages;
    carom_state *state = NULL;
    CHECK_INT(carom_scene_read(&(carom_scene_source){.struct_size = sizeof(carom_scene_source), .file = file}, NULL,
                               &scene, &messages, NULL),
              CAROM_OK);
    carom_scene_messages_destroy(messages);
    carom_method_def method = fixed_steps(step);
    CHECK_INT(carom_state_create(carom_scene_model(scene), &method, &state, NULL), CAROM_OK);
    double first = world_energy(state);
    *drift = 0.0;
    for (int i = 0; i < (int)lround(until / step); i++) {
        carom_step_report report = world_run(state, 1);
        if (!CHECK_INT(report.outcome, CAROM_STEP_GOOD)) break;
        *drift = fmax(*drift, report.joint_drift);
    }
    *energy_change = (world_energy(state) - first) / fabs(first);
    carom_state_destroy(state);
    carom_scene_destroy(scene);
}

TEST(joint_zoo_blocks_what_it_should) {
    double drift, energy;
    run_scene("joint-zoo", 0.005, 0.5, &drift, &energy);
    CHECK(drift <= 1e-8);
    CHECK(energy < 0.0 && energy > -1e-2); // its springs are taken at the end of the step
}

TEST(joint_zoo_blocks_what_it_should_for_a_minute) {
    double drift, energy;
    run_scene("joint-zoo", 0.005, 60.0, &drift, &energy);
    CHECK(drift <= 1e-8);
    CHECK(energy < 0.0);
}

TEST(loops_stay_closed) {
    double drift, energy;
    run_scene("four-bar", 0.002, 1.0, &drift, &energy);
    CHECK(drift <= 1e-8);
    run_scene("tree-and-loop", 0.002, 1.0, &drift, &energy);
    CHECK(drift <= 1e-8);
}

// A bar falls on the stop of its hinge at 1 rad and stays there, carried by a torque of m g l cos(1).
TEST(a_bar_comes_to_rest_at_its_limit) {
    carom_model *model = world_model(down, 0.0);
    carom_body_def bar = joints_bar(crm_vec3(0.5, 0.0, 0.0));
    carom_body body = world_add(model, &bar);
    carom_joint_def def = joints_def(model, CAROM_JOINT_HINGE, CAROM_WORLD, body, none, y_axis);
    def.coordinate[0].upper = 1.0;
    joints_add(model, &def);
    carom_method_def method = fixed_steps(0.005);
    carom_state *state = joints_state(model, &method);
    double most = 0.0;
    for (int i = 0; i < 400; i++) {
        world_run(state, 1);
        most = fmax(most, joints_get(state, 0).coordinate[0]);
    }
    CHECK(most < 1.0 + 1e-6);
    CHECK_NEAR(joints_get(state, 0).coordinate[0], 1.0, 1e-6);
    CHECK_NEAR(joints_get(state, 0).torque.y, -2.0 * g * 0.5 * cos(1.0), 1e-3);
    world_destroy(state);
}

// A velocity motor rotates a bar without gravity at its rate, as fast as its torque allows; its work is the energy.
TEST(a_velocity_motor_drives_and_its_work_is_counted) {
    carom_model *model = world_model(none, 0.0);
    carom_body_def bar = joints_bar(crm_vec3(0.5, 0.0, 0.0));
    carom_body body = world_add(model, &bar);
    carom_joint_def def = joints_def(model, CAROM_JOINT_HINGE, CAROM_WORLD, body, none, y_axis);
    def.coordinate[0].motor.kind = CAROM_MOTOR_VELOCITY;
    def.coordinate[0].motor.target_rate = 2.0;
    def.coordinate[0].motor.max_force = 1.0;
    joints_add(model, &def);
    double inertia = 2.0 * 1.01 / 12.0 + 0.5;
    carom_method_def method = fixed_steps(0.005);
    carom_state *state = joints_state(model, &method);
    for (int i = 0; i < 100; i++) {
        carom_step_report report = world_run(state, 1);
        CHECK_NEAR(report.energy_balance, 0.0, 1e-4);
    }
    CHECK_NEAR(joints_get(state, 0).rate[0], 0.5 / inertia, 1e-3);
    world_run(state, 400);
    CHECK_NEAR(joints_get(state, 0).rate[0], 2.0, 1e-4);
    world_destroy(state);
}

// ---- bits, and what cannot be

TEST(threads_change_no_bit) {
    carom_model *model = joints_chain(12, CAROM_JOINT_HINGE, down);
    carom_method_def method = fixed_steps(0.005);
    carom_state *one = joints_state(model, &method);
    method.threads = 2;
    carom_state *two = joints_state(model, &method);
    world_run(one, 50);
    world_run(two, 50);
    CHECK(carom_state_hash(one) == carom_state_hash(two));
    carom_state_destroy(two);
    world_destroy(one);
}

// A rod of 5 cm at 200 rad/s rotates by 4 rad in a step.
TEST(a_rod_that_is_as_short_as_it_is_fast_stays_closed) {
    carom_model *model = world_model(none, 0.0);
    carom_body_def def = world_body_def(1.0, crm_vec3(0.1, 0.1, 0.1));
    def.position = crm_vec3(0.05, 0.0, 0.0);
    def.velocity = crm_vec3(0.0, 10.0, 0.0);
    carom_joint_def rod = carom_joint_def_default();
    rod.name = "rod";
    rod.kind = CAROM_JOINT_DISTANCE;
    rod.a = CAROM_WORLD;
    rod.b = world_add(model, &def);
    rod.length = 0.05;
    joints_add(model, &rod);
    carom_method_def method = fixed_steps(0.02);
    carom_state *state = joints_state(model, &method);
    double energy = world_energy(state);
    for (int i = 0; i < 200; i++) {
        carom_step_report report = world_run(state, 1);
        CHECK_INT(report.outcome, CAROM_STEP_GOOD);
        CHECK(report.joint_drift < 1e-9);
        CHECK(report.momentum_balance < 1e-12);
        CHECK_NEAR(crm_length(world_body(state, 0).position), 0.05, 1e-10);
    }
    CHECK(world_energy(state) <= energy * (1.0 + 1e-12));
    CHECK(world_energy(state) > energy * (1.0 - 1e-3));
    world_destroy(state);
}

TEST_MAIN(CASE(every_mix_blocks_what_it_should_and_no_more), CASE(no_velocity_is_left_that_joints_block),
          CASE(a_distance_is_kept), CASE(a_jointed_pair_without_gravity_keeps_its_momenta),
          CASE(a_pendulum_converges_with_order_two),
          CASE(the_impulse_of_a_ball_joint_is_the_collision_matrix_times_the_error),
          CASE(what_hangs_still_pulls_with_its_weight), CASE(joint_zoo_blocks_what_it_should),
          LONG_CASE(joint_zoo_blocks_what_it_should_for_a_minute), CASE(loops_stay_closed),
          CASE(a_bar_comes_to_rest_at_its_limit), CASE(a_velocity_motor_drives_and_its_work_is_counted),
          CASE(threads_change_no_bit), CASE(a_rod_that_is_as_short_as_it_is_fast_stays_closed))
