// SPDX-License-Identifier: MIT
// Limits and motors of joints under the methods that integrate them, against closed forms.
#include <math.h>

#include "math/vec3.h"
#include "support/harness/check.h"
#include "support/model/joints.h"

static const double g = 9.81;
static const carom_vec3 down = {0.0, 0.0, -9.81}, y_axis = {0.0, 1.0, 0.0}, z_axis = {0.0, 0.0, 1.0};
static const double bar_mass = 2.0, bar_across = 2.0 * 1.01 / 12.0;

// A bar that slides along z, 1 m above the joint's zero; the coordinate is its height.
static carom_joint_def upright_slider(carom_model *model) {
    carom_body_def bar = joints_bar(crm_vec3(0.0, 0.0, 1.0));
    carom_body body = world_add(model, &bar);
    carom_joint_def def = joints_def(model, CAROM_JOINT_SLIDER, CAROM_WORLD, body, crm_vec3(0.0, 0.0, 1.0), z_axis);
    def.point_a = crm_vec3_zero();
    return def;
}

static carom_state *start(carom_method by, carom_model *model, const carom_joint_def *def, double step) {
    joints_add(model, def);
    carom_method_def method = joints_method_by(by, CAROM_INTEGRATOR_DP54, step, 1e-11);
    return joints_state(model, &method);
}

// Falls freely until z = 0 at t = sqrt(2/g), 0.4515 s, then lies there: its weight is carried, m g 1 m is lost.
BY_BOTH(a_limit_stops_a_falling_slider) {
    carom_model *model = world_model(down, 0.0);
    carom_joint_def def = upright_slider(model);
    def.coordinate[0].lower = 0.0;
    def.coordinate[0].upper = 2.0;
    carom_state *state = start(by, model, &def, 0.1);
    world_run(state, 4);
    CHECK_NEAR(joints_get(state, 0).coordinate[0], 1.0 - 0.5 * g * 0.16, 1e-11);
    CHECK_NEAR(joints_get(state, 0).rate[0], -0.4 * g, 1e-11);
    carom_step_report report = world_run(state, 1);
    double t = sqrt(2.0 / g);
    CHECK_NEAR(joints_get(state, 0).coordinate[0], 0.0, 1e-11);
    CHECK_NEAR(joints_get(state, 0).rate[0], 0.0, 1e-12);
    // The impact took m g t; then the weight for the rest of the step.
    CHECK_NEAR(joints_get(state, 0).force.z, (bar_mass * g * t + bar_mass * g * (0.5 - t)) / 0.1, 1e-7);
    CHECK_NEAR(joints_get(state, 0).end_force.z, bar_mass * g, 1e-9);
    CHECK_NEAR(report.energy_balance, 0.0, 1e-8); // the impact's work is in the balance
    CHECK_NEAR(world_energy(state), 0.0, 1e-9);
    report = world_run(state, 20);
    CHECK_NEAR(joints_get(state, 0).coordinate[0], 0.0, 1e-14);
    CHECK_NEAR(joints_get(state, 0).force.z, bar_mass * g, 1e-9);
    CHECK_NEAR(report.energy_balance, 0.0, 1e-12);
    CHECK_INT(report.iterations, 1); // nothing happens any more: one substep
    world_destroy(state);
}

// Pulled up by an input it leaves the limit, flies to the upper one and stays.
BY_BOTH(a_limit_lets_go) {
    carom_model *model = world_model(down, 0.0);
    carom_joint_def def = upright_slider(model);
    def.coordinate[0].lower = 1.0;
    def.coordinate[0].upper = 1.5;
    carom_state *state = start(by, model, &def, 0.1);
    world_run(state, 3);
    CHECK_NEAR(joints_get(state, 0).coordinate[0], 1.0, 1e-13);
    carom_wrench pull = {{0}, {0.0, 0.0, 2.0 * bar_mass * g}, {0.0, 0.0, 0.0}};
    carom_input input = {.wrench_count = 1, .wrench = &pull};
    carom_step_report report;
    for (int i = 0; i < 3; i++) CHECK_INT(carom_step(model, state, &input, &report, NULL), CAROM_OK);
    CHECK_NEAR(joints_get(state, 0).coordinate[0], 1.0 + 0.5 * g * 0.09, 1e-11);
    CHECK_NEAR(joints_get(state, 0).end_force.z, 0.0, 1e-9);
    for (int i = 0; i < 3; i++) CHECK_INT(carom_step(model, state, &input, &report, NULL), CAROM_OK);
    CHECK_INT(report.outcome, CAROM_STEP_GOOD);
    CHECK_NEAR(joints_get(state, 0).coordinate[0], 1.5, 1e-11);
    CHECK_NEAR(joints_get(state, 0).end_force.z, -bar_mass * g, 1e-9);
    world_run(state, 1);
    CHECK_NEAR(joints_get(state, 0).coordinate[0], 1.5 - 0.5 * g * 0.01, 1e-11);
    world_destroy(state);
}

// A pull that grows with time lifts the slider off its stop in the middle of a step.
static int growing_pull(void *user, const carom_force_sample *sample, carom_force_value *out) {
    (void)user;
    out->force.z = bar_mass * g * 4.0 * sample->time; // the weight at t = 0.25 s
    return 0;
}

BY_BOTH(a_limit_lets_go_inside_a_step) {
    carom_model *model = world_model(down, 0.0);
    carom_joint_def def = upright_slider(model);
    def.coordinate[0].lower = 1.0;
    carom_callback_def callback = carom_callback_def_default();
    callback.body = (carom_body){0};
    callback.function = growing_pull;
    CHECK_INT(carom_model_add_callback(model, &callback, NULL), CAROM_OK);
    carom_state *state = start(by, model, &def, 0.2);
    world_run(state, 1);
    CHECK_NEAR(joints_get(state, 0).coordinate[0], 1.0, 1e-13);
    CHECK_NEAR(joints_get(state, 0).end_force.z, bar_mass * g * 0.2, 1e-9);
    world_run(state, 1);
    // z'' = 4 g (t - 1/4) from there on.
    CHECK_NEAR(joints_get(state, 0).coordinate[0], 1.0 + 4.0 * g / 6.0 * pow(0.15, 3.0), 1e-11);
    CHECK_NEAR(joints_get(state, 0).rate[0], 2.0 * g * 0.15 * 0.15, 1e-10);
    world_destroy(state);
}

// Two bodies on one line, no outside force: when the stop between them is met they move on together, and the momentum
// is kept.
BY_BOTH(a_stop_between_two_bodies_keeps_momentum) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_body_def bar = joints_bar(crm_vec3_zero());
    bar.velocity = crm_vec3(0.0, 0.0, 1.0);
    carom_body a = world_add(model, &bar);
    bar.mass = 3.0;
    bar.velocity = crm_vec3_zero();
    bar.position = crm_vec3(0.0, 0.0, 1.0);
    carom_body b = world_add(model, &bar);
    carom_joint_def def = joints_def(model, CAROM_JOINT_SLIDER, a, b, crm_vec3_zero(), z_axis);
    def.point_b = crm_vec3_zero(); // the coordinate is the distance
    def.coordinate[0].lower = 0.75;
    carom_state *state = start(by, model, &def, 0.1);
    world_run(state, 10);
    CHECK_NEAR(world_body(state, 0).velocity.z, 0.4, 1e-12);
    CHECK_NEAR(world_body(state, 1).velocity.z, 0.4, 1e-12);
    CHECK_NEAR(world_body(state, 0).position.z, 0.25 + 0.4 * 0.75, 1e-10);
    CHECK_NEAR(joints_get(state, 0).coordinate[0], 0.75, 1e-12);
    CHECK_NEAR(joints_get(state, 0).end_force.z, 0.0, 1e-9);
    world_destroy(state);
}

// A stick that falls against the stop of its hinge: it hangs there at 0.5 rad below the level, and the hinge bears the
// torque of its weight.
BY_BOTH(a_hinge_stops_at_its_angle) {
    carom_model *model = world_model(down, 0.0);
    carom_body_def bar = joints_bar(crm_vec3(0.5, 0.0, 0.0));
    carom_body body = world_add(model, &bar);
    carom_joint_def def = joints_def(model, CAROM_JOINT_HINGE, CAROM_WORLD, body, crm_vec3_zero(), y_axis);
    def.coordinate[0].upper = 0.5;
    carom_state *state = start(by, model, &def, 0.02);
    world_run(state, 50);
    CHECK_NEAR(joints_get(state, 0).coordinate[0], 0.5, 1e-12);
    CHECK_NEAR(joints_get(state, 0).end_torque.y, -bar_mass * g * 0.5 * cos(0.5), 1e-9);
    CHECK_NEAR(joints_get(state, 0).end_force.z, bar_mass * g, 1e-9);
    world_destroy(state);
}

// ---- motors

static carom_joint_def turntable(carom_model *model, carom_vec3 axis) {
    carom_body_def bar = joints_bar(crm_vec3(0.5, 0.0, 0.0));
    carom_body body = world_add(model, &bar);
    return joints_def(model, CAROM_JOINT_HINGE, CAROM_WORLD, body, crm_vec3_zero(), axis);
}

// Unlimited: the rate is there from the start, and the torque is that of the weight.
BY_BOTH(a_velocity_motor_without_bound_keeps_its_rate) {
    carom_model *model = world_model(down, 0.0);
    carom_joint_def def = turntable(model, y_axis);
    def.coordinate[0].motor.kind = CAROM_MOTOR_VELOCITY;
    def.coordinate[0].motor.target_rate = -2.0;
    carom_state *state = start(by, model, &def, 0.05);
    double work = -0.5 * (bar_across + 0.25 * bar_mass) * 4.0; // at the start, at once
    for (int i = 1; i <= 40; i++) {
        double before = world_energy(state);
        carom_step_report report = world_run(state, 1);
        CHECK_NEAR(joints_get(state, 0).coordinate[0], -2.0 * 0.05 * i, 1e-11);
        CHECK_NEAR(joints_get(state, 0).rate[0], -2.0, 1e-12);
        CHECK_NEAR(joints_get(state, 0).end_torque.y, -bar_mass * g * 0.5 * cos(0.1 * i), 1e-9);
        CHECK_NEAR(report.energy_balance, 0.0, 1e-10);
        work += world_energy(state) - before;
    }
    CHECK_NEAR(work, bar_mass * g * 0.5 * sin(4.0), 1e-9);
    world_destroy(state);
}

// At most 3 N m: a constant acceleration up to the target, which is met inside a step, then no torque at all.
BY_BOTH(a_velocity_motor_with_a_bound_gets_there_in_time) {
    double inertia = bar_across + 0.25 * bar_mass, rate = 2.0, torque = 3.0, there = rate * inertia / torque;
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_joint_def def = turntable(model, y_axis);
    def.coordinate[0].motor.kind = CAROM_MOTOR_VELOCITY;
    def.coordinate[0].motor.target_rate = rate;
    def.coordinate[0].motor.max_force = torque;
    carom_state *state = start(by, model, &def, 0.1);
    world_run(state, 3);
    CHECK_NEAR(joints_get(state, 0).rate[0], torque / inertia * 0.3, 1e-11);
    CHECK_NEAR(joints_get(state, 0).end_torque.y, torque, 1e-10);
    world_run(state, 7);
    CHECK(there > 0.3 && there < 0.9);
    CHECK_NEAR(joints_get(state, 0).rate[0], rate, 1e-12);
    CHECK_NEAR(joints_get(state, 0).coordinate[0], 0.5 * rate * there + rate * (1.0 - there), 1e-9);
    CHECK_NEAR(joints_get(state, 0).end_torque.y, 0.0, 1e-9);
    // A new target, and a motor that brakes: the same torque the other way.
    carom_motor_input motor = {.joint = {0}, .coordinate = 0, .target_rate = -rate};
    carom_input input = {.motor_count = 1, .motor = &motor};
    carom_step_report report;
    CHECK_INT(carom_step(model, state, &input, &report, NULL), CAROM_OK);
    CHECK_NEAR(joints_get(state, 0).rate[0], rate - torque / inertia * 0.1, 1e-10);
    CHECK_NEAR(report.energy_balance, 0.0, 1e-9);
    world_destroy(state);
}

// A motor that holds the weight of a level bar up to 60 degrees and no further: m g l sin of the angle from above. It
// gives way inside a step where the torque exceeds its bound.
BY_BOTH(a_motor_gives_way_at_its_bound) {
    double l = 0.5, bound = bar_mass * g * l * sin(1.0);
    carom_model *model = world_model(down, 0.0);
    carom_body_def bar = joints_bar(crm_vec3(0.0, 0.0, 0.5));
    bar.attitude = (carom_quat){cos(0.25 * 3.14159265358979323846), 0.0, -sin(0.25 * 3.14159265358979323846), 0.0};
    carom_body body = world_add(model, &bar);
    carom_joint_def def = joints_def(model, CAROM_JOINT_HINGE, CAROM_WORLD, body, crm_vec3_zero(), y_axis);
    def.coordinate[0].motor.kind = CAROM_MOTOR_VELOCITY;
    def.coordinate[0].motor.target_rate = 0.8;
    def.coordinate[0].motor.max_force = bound;
    carom_state *state = start(by, model, &def, 0.1);
    world_run(state, 16); // t = 1.6: past 1 rad, and the run-up
    double angle = joints_get(state, 0).coordinate[0], rate = joints_get(state, 0).rate[0];
    CHECK(angle > 1.0 && rate > 0.8);
    CHECK_NEAR(joints_get(state, 0).end_torque.y, -bound, 1e-9);
    // From 1 rad at the target rate on: 1/2 I (rate^2 - target^2) = m g l (cos 1 - cos angle) - bound (angle - 1).
    double inertia = bar_across + bar_mass * l * l;
    double gained = bar_mass * g * l * (cos(1.0) - cos(angle)) - bound * (angle - 1.0);
    CHECK_NEAR(0.5 * inertia * (rate * rate - 0.64), gained, 1e-9);
    world_destroy(state);
}

// Two balances: a force motor that carries the weight exactly, and a position motor that sags by m g / stiffness.
BY_BOTH(force_and_position_motors_balance_a_weight) {
    for (int position = 0; position < 2; position++) {
        carom_model *model = world_model(down, 0.0);
        carom_joint_def def = upright_slider(model);
        carom_motor_def *motor = &def.coordinate[0].motor;
        motor->kind = position ? CAROM_MOTOR_POSITION : CAROM_MOTOR_FORCE;
        motor->force = position ? 0.0 : bar_mass * g;
        motor->target = 1.0 + bar_mass * g / 200.0;
        motor->stiffness = 200.0;
        motor->damping = 10.0;
        carom_state *state = start(by, model, &def, 0.1);
        world_run(state, 20);
        CHECK_NEAR(joints_get(state, 0).coordinate[0], 1.0, 1e-12);
        CHECK_NEAR(crm_length(joints_get(state, 0).end_force), 0.0, 1e-9);
        world_destroy(state);
    }
}

// Motors on every coordinate of every angular part, between two bodies that tumble, and no stabilisation: that the
// rates stay is the work of the accelerations alone, the moving axes of a universal joint and of A included.
BY_BOTH(velocity_motors_keep_all_rates_without_stabilisation) {
    for (int angular = 1; angular <= 3; angular++) {
        carom_model *model = world_model(crm_vec3(0.3, 0.0, -1.0), 0.0);
        carom_body_def bar = joints_bar(crm_vec3_zero());
        bar.spin = crm_vec3(1.0, -2.0, 0.5);
        carom_body a = world_add(model, &bar);
        bar.position = crm_vec3(1.0, 0.2, 0.0);
        bar.spin = crm_vec3_zero();
        carom_body b = world_add(model, &bar);
        carom_joint_def def =
            joints_def(model, CAROM_JOINT_MIX, a, b, crm_vec3(0.5, 0.1, 0.1), crm_vec3(1.0, 2.0, 3.0));
        def.linear_free = 1;
        def.angular_free = angular;
        for (int k = 0; k < 1 + angular; k++) {
            def.coordinate[k].motor.kind = CAROM_MOTOR_VELOCITY;
            def.coordinate[k].motor.target_rate = k == 0 ? 0.2 : 0.7 * k;
        }
        joints_add(model, &def);
        carom_method_def method = joints_method_by(by, CAROM_INTEGRATOR_DP54, 0.1, 1e-12);
        method.stabilisation = CAROM_STABILISATION_BAUMGARTE;
        method.baumgarte_alpha = method.baumgarte_beta = 0.0;
        carom_state *state = joints_state(model, &method);
        world_run(state, 10);
        carom_joint_state joint = joints_get(state, 0);
        CHECK(joint.linear_drift < 1e-9 && joint.angular_drift < 1e-9);
        CHECK_NEAR(joint.coordinate[0], 0.2, 1e-9);
        for (int k = 0; k < 1 + angular; k++) CHECK_NEAR(joint.rate[k], k == 0 ? 0.2 : 0.7 * k, 1e-9);
        for (int k = 1; angular < 3 && k <= angular; k++) CHECK_NEAR(joint.coordinate[k], 0.7 * k, 1e-9);
        world_destroy(state);
    }
}

// A ball joint whose rotation about z has a limit.
BY_BOTH(a_ball_stops_at_its_angle) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_body_def wheel = joints_bar(crm_vec3(5.0, 0.0, 0.0));
    wheel.spin = crm_vec3(0.0, 0.0, 1.0);
    carom_body rotated = world_add(model, &wheel);
    carom_joint_def ball = joints_def(model, CAROM_JOINT_BALL, CAROM_WORLD, rotated, crm_vec3(5.0, 0.0, 0.0), z_axis);
    ball.attitude_a = ball.attitude_b = (carom_quat){1.0, 0.0, 0.0, 0.0};
    ball.coordinate[2].upper = 0.55;
    carom_state *state = start(by, model, &ball, 0.1);
    world_run(state, 10);
    CHECK_NEAR(joints_get(state, 0).coordinate[2], 0.55, 1e-11);
    CHECK_NEAR(joints_get(state, 0).rate[2], 0.0, 1e-12);
    world_destroy(state);
}

// A joint that blocks nothing, with one limit: a leash of 1 m along x. It is in no tree: held, it closes a loop.
TEST(a_limit_of_a_joint_that_blocks_nothing) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_body_def bar = joints_bar(crm_vec3_zero());
    bar.velocity = crm_vec3(2.0, 0.5, 0.0);
    carom_body thrown = world_add(model, &bar);
    carom_joint_def leash = joints_def(model, CAROM_JOINT_MIX, CAROM_WORLD, thrown, crm_vec3_zero(), z_axis);
    leash.attitude_a = leash.attitude_b = (carom_quat){1.0, 0.0, 0.0, 0.0};
    leash.linear_free = leash.angular_free = 3;
    leash.coordinate[0].upper = 1.0;
    carom_state *state = start(CAROM_METHOD_MULTIPLIER, model, &leash, 0.1), *none;
    world_run(state, 10);
    CHECK_NEAR(world_body(state, 0).position.x, 1.0, 1e-11);
    CHECK_NEAR(world_body(state, 0).velocity.x, 0.0, 1e-12);
    CHECK_NEAR(world_body(state, 0).position.y, 0.5, 1e-11);
    carom_method_def reduced = joints_method_by(CAROM_METHOD_REDUCED, CAROM_INTEGRATOR_DP54, 0.1, 1e-11);
    carom_error error;
    CHECK_INT(carom_state_create(model, &reduced, &none, &error), CAROM_ERR_UNSUPPORTED);
    CHECK_CONTAINS(
        error.text,
        "has no limits and velocity motors of joints that block nothing (joint 0); methods that have all this "
        "model needs: multiplier");
    world_destroy(state);
}

// ---- what cannot be

static void check_impossible(carom_method by, carom_model *model, const carom_joint_def *def, const char *sentence) {
    carom_state *state = start(by, model, def, 0.1);
    uint64_t before = carom_state_hash(state);
    carom_step_report report;
    for (int i = 0; i < 10; i++) {
        CHECK_INT(carom_step(model, state, NULL, &report, NULL), CAROM_OK);
        if (report.outcome == CAROM_STEP_IMPOSSIBLE) break;
        before = carom_state_hash(state);
    }
    CHECK_INT(report.outcome, CAROM_STEP_IMPOSSIBLE);
    CHECK_CONTAINS(report.text, sentence);
    CHECK(carom_state_hash(state) == before);
    world_destroy(state);
}

// By every method that has limits, in the same words; and where a state is put there later, by those that follow limits
// as events.
TEST(a_start_beyond_a_limit_is_refused) {
    static const carom_method by[] = {CAROM_METHOD_MULTIPLIER, CAROM_METHOD_REDUCED, CAROM_METHOD_LCP,
                                      CAROM_METHOD_IMPULSE};
    for (size_t i = 0; i < 2 * sizeof by / sizeof by[0]; i++) {
        carom_model *model = world_model(down, 0.0);
        carom_joint_def def = upright_slider(model);
        def.name = "lift";
        if (i % 2 == 0)
            def.coordinate[0].lower = 1.25;
        else
            def.coordinate[0].upper = 0.5;
        CHECK_INT(carom_model_add_joint(model, &def, NULL, NULL), CAROM_OK);
        CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
        carom_method_def method = joints_method_by(by[i / 2], CAROM_INTEGRATOR_DP54, 0.1, 1e-11);
        carom_state *state;
        carom_error error;
        CHECK_INT(carom_state_create(model, &method, &state, &error), CAROM_ERR_BAD_INPUT);
        CHECK_TEXT(error.text,
                   i % 2 == 0 ? "joint 'lift': coordinate 0 is below its lower limit by 0.25 m, at 1 m instead of 1.25 "
                                "m; start the bodies within the limits, or move the limit"
                              : "joint 'lift': coordinate 0 is beyond its upper limit by 0.5 m, at 1 m instead of 0.5 "
                                "m; start the bodies within the limits, or move the limit");
        carom_model_destroy(model);
    }
}

BY_BOTH(a_state_that_was_put_beyond_a_limit_is_refused) {
    carom_model *model = world_model(down, 0.0);
    carom_joint_def def = upright_slider(model);
    def.name = "lift";
    def.coordinate[0].lower = 0.5;
    carom_state *state = start(by, model, &def, 0.1);
    carom_body_state body = world_body(state, 0);
    body.position.z = 0.25;
    CHECK_INT(carom_state_set_body(state, (carom_body){0}, &body, NULL), CAROM_OK);
    carom_step_report report;
    CHECK_INT(carom_step(model, state, NULL, &report, NULL), CAROM_OK);
    CHECK_INT(report.outcome, CAROM_STEP_IMPOSSIBLE);
    CHECK_CONTAINS(report.text, "joint 'lift': coordinate 0 is below its lower limit by 0.25 m");
    world_destroy(state);
}

BY_BOTH(what_limits_and_motors_cannot_do_is_said) {
    carom_model *model = world_model(down, 0.0);
    carom_joint_def def = upright_slider(model);
    def.name = "lift";
    def.coordinate[0].lower = 0.5;
    def.coordinate[0].motor.kind = CAROM_MOTOR_VELOCITY;
    def.coordinate[0].motor.target_rate = -1.0;
    check_impossible(by, model, &def,
                     "joint 'lift': coordinate 0 has a motor of unlimited force that cannot keep the rate -1 m/s: a "
                     "limit or another joint forbids it; give the motor a max_force");
}

// With a bound on its force the same motor leans against the limit.
BY_BOTH(a_bounded_motor_leans_against_a_limit) {
    carom_model *model = world_model(down, 0.0);
    carom_joint_def def = upright_slider(model);
    def.coordinate[0].lower = 0.5;
    def.coordinate[0].motor.kind = CAROM_MOTOR_VELOCITY;
    def.coordinate[0].motor.target_rate = -1.0;
    def.coordinate[0].motor.max_force = 40.0;
    carom_state *state = start(by, model, &def, 0.1);
    world_run(state, 10);
    CHECK_NEAR(joints_get(state, 0).coordinate[0], 0.5, 1e-12);
    // Weight and motor push down, the limit up: motor and limit together bear the weight.
    CHECK_NEAR(joints_get(state, 0).end_force.z, bar_mass * g, 1e-9);
    world_destroy(state);
}

TEST_MAIN(CASE(a_limit_stops_a_falling_slider), CASE(a_limit_lets_go), CASE(a_limit_lets_go_inside_a_step),
          CASE(a_stop_between_two_bodies_keeps_momentum), CASE(a_hinge_stops_at_its_angle),
          CASE(a_velocity_motor_without_bound_keeps_its_rate), CASE(a_velocity_motor_with_a_bound_gets_there_in_time),
          CASE(a_motor_gives_way_at_its_bound), CASE(velocity_motors_keep_all_rates_without_stabilisation),
          CASE(a_ball_stops_at_its_angle), CASE(a_limit_of_a_joint_that_blocks_nothing),
          CASE(force_and_position_motors_balance_a_weight), CASE(a_start_beyond_a_limit_is_refused),
          CASE(a_state_that_was_put_beyond_a_limit_is_refused), CASE(what_limits_and_motors_cannot_do_is_said),
          CASE(a_bounded_motor_leans_against_a_limit))
