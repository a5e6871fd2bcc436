// SPDX-License-Identifier: MIT
// Joints under Newmark's family: trees and loops against integrators with an error of 1e-12, both momenta, energy,
// joints closed to rounding, what is refused.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/quat.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"
#include "support/model/joints.h"

enum { MOST_BODIES = 12 };
static const double betas[] = {0.0, 1.0 / 12.0, 1.0 / 6.0, 0.25};
enum { BETAS = 4 };

static carom_method_def newmark_by(double beta, double step) {
    carom_method_def def = carom_method_def_default();
    def.method = CAROM_METHOD_NEWMARK;
    def.potential.beta = beta;
    def.step = step;
    return def;
}

// ---- mechanisms

typedef carom_model *make_function(void);

static carom_coordinate_def *drive(carom_joint_def *joint, double stiffness, double damping) {
    joint->coordinate[0].stiffness = stiffness;
    joint->coordinate[0].rest = 0.2;
    joint->coordinate[0].damping = damping;
    return &joint->coordinate[0];
}

static void add_spring(carom_model *model, carom_body a, carom_body b) {
    carom_spring_def def = carom_spring_def_default();
    def.a = a;
    def.b = b;
    def.point_a = crm_vec3(0.3, 0.1, -0.2);
    def.stiffness = 6.0;
    def.rest_length = 0.8;
    CHECK_INT(carom_model_add_spring(model, &def, NULL), CAROM_OK);
}

// A chain of a ball joint, a hinge, a slider and a universal joint, from the world or in the air, with springs,
// dampers and motors in joints on request.
static carom_model *chain(bool floats, double stiffness, bool driven) {
    static const carom_joint_kind kinds[] = {CAROM_JOINT_BALL, CAROM_JOINT_HINGE, CAROM_JOINT_SLIDER,
                                             CAROM_JOINT_UNIVERSAL};
    carom_model *model = world_model(floats ? crm_vec3_zero() : crm_vec3(0.1, 0.3, -2.0), 0.0);
    carom_body last = CAROM_WORLD;
    for (int i = 0; i < 4 + floats; i++) {
        carom_body_def def = world_body_def(1.0 + 0.2 * i, crm_vec3(0.4, 0.6, 0.9));
        def.position = crm_vec3(i + 0.5, 0.0, 0.0);
        if (floats) def.velocity = crm_vec3(0.3, 0.2 * i, -0.1 * i);
        if (floats) def.spin = crm_vec3(0.4, -0.7, 0.3 + 0.2 * i);
        carom_body body = world_add(model, &def);
        if (!floats || i > 0) {
            int kind = floats ? i - 1 : i;
            carom_joint_def joint =
                joints_def(model, kinds[kind], last, body, crm_vec3(i, 0.0, 0.0), crm_vec3(0.0, 0.6, 0.8));
            if (stiffness > 0.0 && kind > 0) drive(&joint, stiffness, 0.0);
            if (driven && kind > 0) {
                carom_coordinate_def *c = drive(&joint, 3.0, 0.4);
                c->motor.kind = kind == 1 ? CAROM_MOTOR_FORCE : CAROM_MOTOR_POSITION;
                c->motor.force = 0.3;
                c->motor.target = 0.1;
                c->motor.stiffness = kind == 1 ? 0.0 : 2.0;
                c->motor.damping = kind == 1 ? 0.0 : 0.5;
            }
            joints_add(model, &joint);
        }
        last = body;
    }
    if (stiffness > 0.0) add_spring(model, last, (carom_body){0});
    return model;
}

static carom_model *driven_chain(void) {
    return chain(false, 5.0, true);
}

// A loop in space: four bars joined by a hinge, a universal joint, a ball joint and a hinge again, with a spring in one
// of them; one way left to move.
static carom_model *loop(double damping) {
    carom_model *model = world_model(crm_vec3(0.2, 0.1, -3.0), 0.0);
    const carom_vec3 corner[4] = {{0.0, 0.0, 0.0}, {0.0, 0.0, -1.0}, {1.5, 0.4, -0.8}, {1.2, 0.0, 0.3}};
    const carom_joint_kind kinds[4] = {CAROM_JOINT_HINGE, CAROM_JOINT_UNIVERSAL, CAROM_JOINT_BALL, CAROM_JOINT_HINGE};
    carom_body last = CAROM_WORLD;
    for (int i = 0; i < 4; i++) {
        carom_body next = CAROM_WORLD;
        if (i < 3) {
            carom_body_def def = world_body_def(1.0 + 0.3 * i, crm_vec3(0.1, 0.2, 0.15));
            def.position = crm_scale(0.5, crm_add(corner[i], corner[i + 1]));
            next = world_add(model, &def);
        }
        carom_joint_def joint = joints_def(model, kinds[i], last, next, corner[i], crm_vec3(0.1, 1.0, 0.0));
        if (i == 0) drive(&joint, 4.0, damping);
        joints_add(model, &joint);
        last = next;
    }
    return model;
}

static carom_model *damped_loop(void) {
    return loop(0.1);
}

// Two cranks and a coupler in one plane: three rows say what others say.
static carom_model *parallelogram(void) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -9.81), 0.0);
    const carom_vec3 x_axis = {1.0, 0.0, 0.0}, y_axis = {0.0, 1.0, 0.0}, along = {0.6, 0.0, -0.8};
    carom_body crank[2];
    for (int i = 0; i < 2; i++) {
        carom_body_def bar = joints_bar(crm_madd(crm_vec3(i, 0.0, 0.0), 0.5, along));
        bar.attitude = crm_quat_between(x_axis, along);
        crank[i] = world_add(model, &bar);
    }
    carom_body_def bar = joints_bar(crm_add(along, crm_vec3(0.5, 0.0, 0.0)));
    carom_body coupler = world_add(model, &bar);
    for (int i = 0; i < 2; i++) {
        carom_vec3 top = crm_vec3(i, 0.0, 0.0);
        carom_joint_def def = joints_def(model, CAROM_JOINT_HINGE, CAROM_WORLD, crank[i], top, y_axis);
        joints_add(model, &def);
        def = joints_def(model, CAROM_JOINT_HINGE, crank[i], coupler, crm_add(top, along), y_axis);
        joints_add(model, &def);
    }
    return model;
}

// ---- order

static double error_of(carom_model *model, const carom_method_def *def, int steps, const carom_body_state *wanted) {
    carom_state *state = joints_state(model, def);
    double balance = 0.0, drift = 0.0, off = 0.0;
    for (int i = 0; i < steps; i++) {
        carom_step_report report = world_run(state, 1);
        balance = fmax(balance, report.momentum_balance);
        drift = fmax(drift, report.joint_drift);
    }
    CHECK(balance < 1e-13);
    CHECK(drift < 1e-14);
    for (int b = 0; b < carom_model_body_count(model); b++) {
        carom_body_state got = world_body(state, b);
        off += crm_distance(got.position, wanted[b].position) + crm_quat_angle(got.attitude, wanted[b].attitude) +
               crm_distance(got.velocity, wanted[b].velocity) + crm_distance(got.spin, wanted[b].spin);
    }
    world_destroy(state);
    return off;
}

static void check_order(const char *what, make_function *make, carom_method by, double time, int steps) {
    carom_method_def best = joints_method_by(by, CAROM_INTEGRATOR_DP54, time, 1e-12);
    carom_state *state = joints_state(make(), &best);
    world_run(state, 1);
    carom_body_state wanted[MOST_BODIES];
    for (int b = 0; b < carom_model_body_count(carom_state_model(state)); b++) wanted[b] = world_body(state, b);
    world_destroy(state);
    for (int i = 0; i < BETAS; i++) {
        double last = 0.0;
        for (int k = 0; k < 4; k++) {
            carom_method_def def = newmark_by(betas[i], time / (steps << k));
            double off = error_of(make(), &def, steps << k, wanted);
            if (k > 1 && !CHECK_NEAR(log2(last / off), 2.0, 0.1))
                printf("%s, beta %g: %g then %g\n", what, betas[i], last, off);
            last = off;
        }
    }
}

TEST(trees_have_order_2) {
    check_order("chain", driven_chain, CAROM_METHOD_REDUCED, 1.5, 200);
}

TEST(loops_have_order_2) {
    check_order("loop", damped_loop, CAROM_METHOD_MULTIPLIER, 1.0, 200);
    check_order("parallelogram", parallelogram, CAROM_METHOD_MULTIPLIER, 1.0, 200);
}

// ---- what is kept

static double size_of_angular(const carom_state *state) {
    double size = 0.0;
    for (int b = 0; b < carom_model_body_count(carom_state_model(state)); b++) {
        carom_body_state at = world_body(state, b);
        size += crm_length(at.position) * crm_length(at.velocity) + crm_length(at.spin);
    }
    return size;
}

// Momenta of a chain in the air: joints keep both under every member, springs where beta = 0.
static void check_momenta(double beta, bool springs) {
    carom_method_def def = newmark_by(beta, 0.005);
    carom_state *state = joints_state(chain(true, springs ? 5.0 : 0.0, false), &def);
    carom_momentum start = carom_state_momentum(state);
    double p = 0.0, l = 0.0, size = 0.0;
    for (int k = 0; k < 1000; k++) {
        world_run(state, 1);
        carom_momentum now = carom_state_momentum(state);
        p = fmax(p, crm_distance(now.linear, start.linear) / crm_length(start.linear));
        l = fmax(l, crm_distance(now.angular, start.angular));
        size = fmax(size, size_of_angular(state));
    }
    if (!CHECK(p < 1e-13) || !CHECK(l < 1e-13 * size)) printf("beta %g: P %g, L %g of %g\n", beta, p, l, size);
    world_destroy(state);
}

TEST(joints_keep_both_momenta) {
    for (int i = 0; i < BETAS; i++) check_momenta(betas[i], false);
    check_momenta(0.0, true);
}

// Three bars that hang, on hinges with three axes and springs that bend them: swings that stay regular.
static carom_model *elastic_chain(void) {
    static const carom_vec3 axes[] = {{0.0, 1.0, 0.0}, {0.0, 0.6, 0.8}, {0.0, 0.0, 1.0}};
    carom_model *model = world_model(crm_vec3(5.0, 0.0, 0.0), 0.0);
    carom_body last = CAROM_WORLD;
    for (int i = 0; i < 3; i++) {
        carom_body_def def = joints_bar(crm_vec3(i + 0.5, 0.0, 0.0));
        carom_body body = world_add(model, &def);
        carom_joint_def joint = joints_def(model, CAROM_JOINT_HINGE, last, body, crm_vec3(i, 0.0, 0.0), axes[i]);
        drive(&joint, 20.0, 0.0);
        joints_add(model, &joint);
        last = body;
    }
    return model;
}

// Mechanisms with springs, in swings that are regular: the largest and the mean error of the energy in both halves of a
// long run, and with half the step.
static void check_energy(const char *what, carom_model *model, double beta, double step, double *most) {
    enum { HALF = 5000 };
    carom_method_def def = newmark_by(beta, step);
    carom_state *state = joints_state(model, &def);
    double start = world_energy(state), mean[2] = {0.0, 0.0}, largest[2] = {0.0, 0.0};
    for (int k = 0; k < 2 * HALF; k++) {
        world_run(state, 1);
        double off = world_energy(state) - start;
        mean[k / HALF] += off / HALF;
        largest[k / HALF] = fmax(largest[k / HALF], fabs(off));
    }
    if (!CHECK(largest[1] < 1.2 * largest[0]) || !CHECK(fabs(mean[1] - mean[0]) < 0.02 * largest[0]))
        printf("%s, beta %g: energy off by %g and %g, on average %g and %g of %g\n", what, beta, largest[0], largest[1],
               mean[0], mean[1], start);
    *most = largest[0];
    world_destroy(state);
}

TEST(the_energy_of_an_elastic_mechanism_does_not_drift) {
    for (int i = 0; i < BETAS; i += BETAS - 1) {
        double coarse, fine;
        check_energy("chain", elastic_chain(), betas[i], 0.01, &coarse);
        check_energy("chain", elastic_chain(), betas[i], 0.005, &fine);
        CHECK_NEAR(log2(coarse / fine), 2.0, 0.1);
        check_energy("loop", loop(0.0), betas[i], 0.01, &coarse);
        check_energy("loop", loop(0.0), betas[i], 0.005, &fine);
        CHECK_NEAR(log2(coarse / fine), 2.0, 0.1);
    }
}

TEST(joints_are_closed_and_at_rest_where_they_block) {
    carom_method_def def = newmark_by(0.25, 0.02);
    carom_state *state = joints_state(loop(0.0), &def);
    for (int k = 0; k < 200; k++) {
        carom_step_report report = world_run(state, 1);
        CHECK(report.joint_drift < 1e-14);
    }
    CHECK_INT(carom_state_assemble(state, NULL), CAROM_OK);
    CHECK(carom_state_assembly(state)->velocity_gap < 1e-13);
    world_destroy(state);
}

static carom_model *probed_pendulum(const carom_allocator *hook) {
    carom_model_def of = carom_model_def_default();
    of.allocator = hook;
    of.gravity = crm_vec3(0.0, 0.0, -9.81);
    carom_model *model = NULL;
    CHECK_INT(carom_model_create(&of, &model, NULL), CAROM_OK);
    carom_body last = CAROM_WORLD;
    for (int i = 0; i < 3; i++) {
        carom_body_def def = joints_bar(crm_vec3(i + 0.5, 0.0, 0.0));
        carom_body body = world_add(model, &def);
        carom_joint_def joint =
            joints_def(model, CAROM_JOINT_HINGE, last, body, crm_vec3(i, 0.0, 0.0), crm_vec3(0.0, 1.0, 0.0));
        drive(&joint, 1.0, 0.1);
        joints_add(model, &joint);
        last = body;
    }
    return model;
}

TEST(steps_with_joints_allocate_nothing_once_warm) {
    for (int i = 0; i < BETAS; i++) {
        probe_allocator probe = {0};
        carom_allocator hook = probe_allocator_hook(&probe);
        carom_method_def def = newmark_by(betas[i], 0.005);
        carom_state *state = joints_state(probed_pendulum(&hook), &def);
        world_run(state, 20);
        long long calls = probe.calls;
        world_run(state, 200);
        CHECK(probe.calls == calls);
        world_destroy(state);
        CHECK(probe.live_blocks == 0);
    }
}

// ---- stability

// A disc on an axle with a spring of the rate w: h w = 2 is the limit.
static carom_model *balance_wheel(double stiffness) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_body_def def = world_body_def(1.0, crm_vec3(0.5, 0.5, 1.0));
    def.spin = crm_vec3(0.0, 0.0, 1.0);
    carom_joint_def joint =
        joints_def(model, CAROM_JOINT_HINGE, CAROM_WORLD, world_add(model, &def), crm_vec3_zero(), crm_vec3(0, 0, 1));
    joint.coordinate[0].stiffness = stiffness;
    joints_add(model, &joint);
    return model;
}

TEST(springs_of_joints_have_a_limit_and_none_with_a_quarter) {
    carom_method_def def = newmark_by(0.0, 0.0201);
    carom_state *state = NULL;
    carom_error error = {.text = ""};
    carom_model *model = balance_wheel(1e4);
    CHECK_INT(carom_model_freeze(model, &error), CAROM_OK);
    CHECK_INT(carom_state_create(model, &def, &state, &error), CAROM_ERR_BAD_INPUT);
    CHECK(strstr(error.text, "unstable beyond steps of 0.02 s") != NULL);
    carom_model_destroy(model);

    def = newmark_by(0.25, 0.05);
    state = joints_state(balance_wheel(1e4), &def);
    double start = world_energy(state);
    for (int k = 0; k < 2000; k++) world_run(state, 1);
    CHECK(fabs(world_energy(state) - start) < 0.02 * start); // rotations are of order 2, not linear
    world_destroy(state);
}

// ---- what is refused

TEST(limits_and_velocity_motors_are_refused_by_name) {
    for (int k = 0; k < 2; k++) {
        carom_model *model = balance_wheel(0.0);
        carom_body_def def = world_body_def(1.0, crm_vec3(0.5, 0.5, 1.0));
        def.position = crm_vec3(3.0, 0.0, 0.0);
        carom_joint_def joint = joints_def(model, CAROM_JOINT_HINGE, CAROM_WORLD, world_add(model, &def),
                                           crm_vec3(3.0, 0.0, 0.0), crm_vec3(0, 0, 1));
        if (k == 0) joint.coordinate[0].upper = 1.0;
        if (k == 1) joint.coordinate[0].motor.kind = CAROM_MOTOR_VELOCITY;
        joints_add(model, &joint);
        carom_error error = {.text = ""};
        carom_state *state = NULL;
        carom_method_def method = newmark_by(0.0, 0.01);
        CHECK_INT(carom_model_freeze(model, &error), CAROM_OK);
        CHECK_INT(carom_state_create(model, &method, &state, &error), CAROM_ERR_UNSUPPORTED);
        CHECK(strstr(error.text, k == 0 ? "joint limits" : "velocity motors") != NULL);
        carom_model_destroy(model);
    }
}

TEST_MAIN(CASE(trees_have_order_2), CASE(loops_have_order_2), CASE(joints_keep_both_momenta),
          CASE(the_energy_of_an_elastic_mechanism_does_not_drift), CASE(joints_are_closed_and_at_rest_where_they_block),
          CASE(steps_with_joints_allocate_nothing_once_warm),
          CASE(springs_of_joints_have_a_limit_and_none_with_a_quarter),
          CASE(limits_and_velocity_motors_are_refused_by_name))
