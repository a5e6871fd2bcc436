// SPDX-License-Identifier: MIT
// What `variational` promises of mechanisms: closed forms, momenta, energy, reactions, a step or a sentence.
#include <math.h>
#include <string.h>

#include "math/so3.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"
#include "support/harness/sample.h"
#include "support/model/joints.h"

static const carom_vec3 weightless = {0.0, 0.0, 0.0}, falling = {0.0, 0.0, -9.81};
static const double pi = 3.14159265358979323846;

// Joins two bodies where they stand: frames at `point`, z along `axis`.
static carom_joint_def placed(const carom_model *model, carom_joint_kind kind, int a, int b, carom_vec3 point,
                              carom_vec3 axis) {
    carom_joint_def def = carom_joint_def_default();
    def.kind = kind;
    def.a = (carom_body){a};
    def.b = (carom_body){b};
    carom_joint_placing placing = carom_joint_placing_default();
    placing.point = point;
    placing.axis = axis;
    carom_error error = {.text = ""};
    if (carom_model_place_joint(model, &placing, &def, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
    return def;
}

static void add(carom_model *model, const carom_joint_def *def) {
    carom_error error = {.text = ""};
    if (carom_model_add_joint(model, def, NULL, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
}

static void join(carom_model *model, carom_joint_kind kind, int a, int b, carom_vec3 point, carom_vec3 axis) {
    carom_joint_def def = placed(model, kind, a, b, point, axis);
    add(model, &def);
}

static carom_joint_state joint_of(const carom_state *state, int joint) {
    carom_joint_state js = {0};
    CHECK_INT(carom_state_get_joint(state, (carom_joint){joint}, &js, NULL), CAROM_OK);
    return js;
}

static double worst_drift(const carom_state *state) {
    double worst = 0.0;
    for (int j = 0; j < carom_model_joint_count(carom_state_model(state)); j++) {
        carom_joint_state js = joint_of(state, j);
        worst = fmax(worst, fmax(js.linear_drift, js.angular_drift));
    }
    return worst;
}

// Rods of length l along x from the origin, joined end to end; the first hangs on the world unless it floats.
static carom_model *chain(int links, carom_joint_kind kind, carom_vec3 gravity, bool floats) {
    const double length = 0.5;
    carom_model *model = world_model(gravity, 1.0);
    for (int i = 0; i < links; i++) {
        carom_body_def def = world_body_def(0.4 + 0.1 * (i % 3), (carom_vec3){0.004, 0.01, 0.011});
        def.position = (carom_vec3){length * (i + 0.5), 0.0, 0.0};
        world_add(model, &def);
        carom_vec3 end = {length * i, 0.0, 0.0}, axis = {0.0, 1.0, 0.0};
        if (i > 0 || !floats) join(model, kind, i - 1, i, end, axis);
    }
    return model;
}

// ---- closed forms

// A body on a slider falls as a free point does along it, to rounding: constant forces are exact at the nodes.
TEST(a_body_slides_down_an_incline_exactly) {
    carom_model *model = world_model(falling, 0.0);
    carom_body_def def = world_body_def(2.0, (carom_vec3){0.1, 0.2, 0.3});
    world_add(model, &def);
    join(model, CAROM_JOINT_SLIDER, -1, 0, (carom_vec3){0.3, 0.1, 0.0}, (carom_vec3){4.0, 0.0, -3.0});
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.01);
    world_run(state, 100);
    carom_body_state body = world_body(state, 0);
    carom_vec3 wanted = crm_scale(0.5 * 9.81 * 0.6, (carom_vec3){0.8, 0.0, -0.6});
    CHECK_NEAR(crm_distance(body.position, wanted), 0.0, 1e-12);
    CHECK_NEAR(crm_distance(body.velocity, crm_scale(2.0, wanted)), 0.0, 1e-12);
    CHECK_NEAR(joint_of(state, 0).coordinate[0], 0.5 * 9.81 * 0.6, 1e-12);
    // The rail bears the rest of the weight, 0.8 m g along its normal, at the body's centre.
    carom_joint_state js = joint_of(state, 0);
    carom_vec3 bears = crm_scale(0.8 * 2.0 * 9.81, (carom_vec3){0.6, 0.0, 0.8});
    CHECK_NEAR(crm_distance(js.force, bears), 0.0, 1e-11);
    carom_vec3 arm = crm_sub(body.position, js.point);
    CHECK_NEAR(crm_distance(js.torque, crm_cross(arm, bears)), 0.0, 1e-11);
    world_destroy(state);
}

static double quarter_period(double frequency, double amplitude) {
    double a = 1.0, b = cos(0.5 * amplitude); // K(k) = pi / 2 agm(1, sqrt(1 - k^2)), k = sin(amplitude/2)
    for (int i = 0; i < 20; i++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 0.5 * pi / (a * frequency);
}

// By which angle a physical pendulum misses its lowest point after a quarter of its period.
static double pendulum_miss(carom_joint_kind kind, bool reversed, int steps) {
    const double mass = 1.3, length = 0.4, moment = 0.05, amplitude = 1.2;
    carom_model *model = world_model(falling, 0.0);
    carom_body_def def = world_body_def(mass, (carom_vec3){0.03, moment, 0.06});
    def.position = (carom_vec3){length * sin(amplitude), 0.0, -length * cos(amplitude)};
    def.attitude = crm_so3_exp((carom_vec3){0.0, -amplitude, 0.0});
    world_add(model, &def);
    join(model, kind, reversed ? 0 : -1, reversed ? -1 : 0, (carom_vec3){0.0, 0.0, 0.0}, (carom_vec3){0.0, 1.0, 0.0});
    double frequency = sqrt(mass * 9.81 * length / (moment + mass * length * length));
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, quarter_period(frequency, amplitude) / steps);
    world_run(state, steps);
    carom_vec3 x = world_body(state, 0).position;
    CHECK_NEAR(worst_drift(state), 0.0, 1e-15);
    CHECK_NEAR(crm_length(x), length, 1e-15);
    world_destroy(state);
    return atan2(x.x, -x.z);
}

TEST(a_pendulum_keeps_its_period_to_second_order) {
    static const carom_joint_kind kinds[] = {CAROM_JOINT_HINGE, CAROM_JOINT_BALL, CAROM_JOINT_UNIVERSAL};
    for (int k = 0; k < 3; k++) {
        double coarse = pendulum_miss(kinds[k], false, 50), fine = pendulum_miss(kinds[k], true, 100);
        CHECK_NEAR(log2(coarse / fine), 2.0, 0.01);
        CHECK_NEAR(fine, 0.0, 1e-3);
    }
}

// A spring on a slider is the midpoint rule, whose nodes are on A cos(k phi) with tan(phi/2) = h sqrt(K/m)/2; a damper
// alone shrinks the velocity by (1 - c h/2 m)/(1 + c h/2 m) a step.
TEST(springs_and_dampers_on_a_slider_have_their_discrete_closed_form) {
    const double mass = 2.0, stiffness = 50.0, damping = 3.0, h = 0.05;
    for (int damped = 0; damped < 2; damped++) {
        carom_model *model = world_model(weightless, 0.0);
        carom_body_def def = world_body_def(mass, (carom_vec3){0.1, 0.2, 0.3});
        if (damped) def.velocity = (carom_vec3){0.0, 0.7, 0.0};
        world_add(model, &def);
        carom_joint_def joint =
            placed(model, CAROM_JOINT_SLIDER, -1, 0, (carom_vec3){0.2, 0.1, 0.3}, (carom_vec3){0.0, 1.0, 0.0});
        joint.coordinate[0].stiffness = damped ? 0.0 : stiffness;
        joint.coordinate[0].rest = -0.25;
        joint.coordinate[0].damping = damped ? damping : 0.0;
        add(model, &joint);
        carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, h);
        carom_step_report report = {0};
        double phase = 2.0 * atan(0.5 * h * sqrt(stiffness / mass)), lost = 0.0;
        double shrink = (1.0 - 0.5 * damping * h / mass) / (1.0 + 0.5 * damping * h / mass);
        for (int i = 1; i <= 60; i++) {
            report = world_run(state, 1);
            lost += report.energy_balance;
            carom_joint_state js = joint_of(state, 0);
            if (damped)
                CHECK_NEAR(js.rate[0], 0.7 * pow(shrink, i), 1e-13);
            else
                CHECK_NEAR(js.coordinate[0], -0.25 + 0.25 * cos(i * phase), 1e-13);
            CHECK_NEAR(crm_length(js.force), 0.0, 1e-12); // springs and dampers are not the joint's reaction
        }
        CHECK_NEAR(lost, 0.0, 1e-13);
        world_destroy(state);
    }
}

TEST(motors_push_and_hold) {
    carom_model *model = world_model(weightless, 0.0);
    for (int i = 0; i < 2; i++) {
        carom_body_def def = world_body_def(2.0, (carom_vec3){0.1, 0.2, 0.3});
        def.position = (carom_vec3){0.0, 2.0 * i, 0.0};
        world_add(model, &def);
        carom_joint_def joint = placed(model, i == 0 ? CAROM_JOINT_SLIDER : CAROM_JOINT_HINGE, -1, i, def.position,
                                       (carom_vec3){0.0, 0.0, 1.0});
        joint.coordinate[0].motor.kind = i == 0 ? CAROM_MOTOR_FORCE : CAROM_MOTOR_POSITION;
        joint.coordinate[0].motor.force = i == 0 ? 5.0 : 0.0;
        joint.coordinate[0].motor.max_force = i == 0 ? 3.0 : 10.0; // the first is held back
        joint.coordinate[0].motor.stiffness = 20.0;
        joint.coordinate[0].motor.damping = 4.0;
        joint.coordinate[0].motor.target = 2.5;
        add(model, &joint);
    }
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.01);
    carom_step_report report = world_run(state, 100);
    CHECK_NEAR(joint_of(state, 0).coordinate[0], 0.5 * 3.0 / 2.0, 1e-12);
    CHECK_NEAR(joint_of(state, 0).rate[0], 3.0 / 2.0, 1e-12);
    CHECK_NEAR(report.energy_balance, 0.0, 1e-4);
    // An input takes the place of the definition.
    carom_motor_input motor = {.joint = {0}, .force = -3.0};
    carom_input input = {.motor_count = 1, .motor = &motor};
    for (int i = 0; i < 100; i++) CHECK_INT(carom_step(model, state, &input, &report, NULL), CAROM_OK);
    CHECK_NEAR(joint_of(state, 0).rate[0], 0.0, 1e-12);
    world_run(state, 400);
    CHECK_NEAR(joint_of(state, 1).coordinate[0], 2.5, 1e-6);
    world_destroy(state);
}

// ---- reactions

TEST(joints_bear_the_weight_below_them) {
    carom_model *model = world_model(falling, 0.0);
    double below = 0.0, mass[4] = {1.0, 2.0, 0.5, 0.7};
    for (int i = 0; i < 4; i++) {
        carom_body_def def = world_body_def(mass[i], (carom_vec3){0.01, 0.01, 0.002});
        def.position = (carom_vec3){0.0, 0.0, -0.5 * i - 0.25};
        world_add(model, &def);
        join(model, i == 2 ? CAROM_JOINT_FIXED : CAROM_JOINT_BALL, i % 2 == 0 ? i - 1 : i, i % 2 == 0 ? i : i - 1,
             (carom_vec3){0.0, 0.0, -0.5 * i}, (carom_vec3){1.0, 2.0, 3.0});
    }
    // A shelf: a body to the side, held by a fixed joint, needs a torque.
    carom_body_def shelf = world_body_def(3.0, (carom_vec3){0.1, 0.1, 0.1});
    shelf.position = (carom_vec3){5.4, 0.0, 1.0};
    world_add(model, &shelf);
    join(model, CAROM_JOINT_FIXED, 4, -1, (carom_vec3){5.0, 0.0, 1.0}, (carom_vec3){0.0, 0.0, 1.0});
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.01);
    carom_step_report report = world_run(state, 3);
    for (int i = 3; i >= 0; i--) {
        below += mass[i];
        carom_vec3 up = {0.0, 0.0, (i % 2 == 0 ? 1.0 : -1.0) * below * 9.81};
        CHECK_NEAR(crm_distance(joint_of(state, i).force, up), 0.0, 1e-11);
        CHECK_NEAR(crm_length(joint_of(state, i).torque), 0.0, 1e-11);
    }
    // On the world, its b: the weight, and its moment about the joint.
    CHECK_NEAR(crm_distance(joint_of(state, 4).force, (carom_vec3){0.0, 0.0, -3.0 * 9.81}), 0.0, 1e-11);
    CHECK_NEAR(crm_distance(joint_of(state, 4).torque, (carom_vec3){0.0, 0.4 * 3.0 * 9.81, 0.0}), 0.0, 1e-11);
    CHECK_NEAR(report.momentum_balance, 0.0, 1e-14);
    world_destroy(state);
}

// A stone on a string: m w^2 r towards the hinge, to second order in the step.
TEST(a_spinning_arm_pulls_at_its_hinge) {
    double off[2];
    for (int i = 0; i < 2; i++) {
        carom_model *model = world_model(weightless, 0.0);
        carom_body_def def = world_body_def(2.0, (carom_vec3){0.01, 0.02, 0.03});
        def.position = (carom_vec3){0.5, 0.0, 0.0};
        def.spin = (carom_vec3){0.0, 0.0, 3.0};
        def.velocity = (carom_vec3){0.0, 1.5, 0.0};
        world_add(model, &def);
        join(model, CAROM_JOINT_HINGE, -1, 0, (carom_vec3){0.0, 0.0, 0.0}, (carom_vec3){0.0, 0.0, 1.0});
        carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, i == 0 ? 0.02 : 0.01);
        world_run(state, 10);
        off[i] = crm_length(joint_of(state, 0).force) - 2.0 * 9.0 * 0.5;
        CHECK_NEAR(off[i], 0.0, 0.02);
        CHECK_NEAR(joint_of(state, 0).rate[0], 3.0, 1e-13); // and the spin stays to rounding
        world_destroy(state);
    }
    CHECK_NEAR(log2(off[0] / off[1]), 2.0, 0.05);
}

// ---- momenta and energy

static void set_swinging(carom_model *model, sampler *s, carom_state *state) {
    for (int b = 0; b < carom_model_body_count(model); b++) {
        carom_body_state body = world_body(state, b);
        body.velocity = sample_vec3(s, 1.0);
        body.spin = sample_vec3(s, 3.0);
        CHECK_INT(carom_state_set_body(state, (carom_body){b}, &body, NULL), CAROM_OK);
    }
    CHECK_INT(carom_state_assemble(state, NULL), CAROM_OK);
}

TEST(a_floating_chain_keeps_its_momenta) {
    static const carom_joint_kind kinds[] = {CAROM_JOINT_BALL, CAROM_JOINT_HINGE, CAROM_JOINT_CYLINDRICAL};
    sampler s = {.seed = 51};
    for (int k = 0; k < 3; k++) {
        carom_model *model = chain(5, kinds[k], weightless, true);
        // A spring and charges between links that are not neighbours act inside as well.
        carom_spring_def spring = carom_spring_def_default();
        spring.a = (carom_body){0};
        spring.b = (carom_body){3};
        spring.point_a = (carom_vec3){0.1, 0.2, 0.0};
        spring.stiffness = 5.0;
        spring.rest_length = 1.0;
        CHECK_INT(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
        // So does a joint that blocks nothing, with springs on all its coordinates.
        carom_joint_def slack = carom_joint_def_default();
        slack.linear_free = slack.angular_free = 3;
        slack.a = (carom_body){4};
        slack.b = (carom_body){1};
        for (int c = 0; c < 6; c++) slack.coordinate[c].stiffness = c < 3 ? 3.0 : 0.5;
        add(model, &slack);
        carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.005);
        set_swinging(model, &s, state);
        carom_momentum first = carom_state_momentum(state);
        double energy = world_energy(state), worst = 0.0;
        for (int i = 0; i < 500; i++) {
            carom_step_report report = world_run(state, 1);
            worst = fmax(worst, fabs(world_energy(state) - energy));
            CHECK_NEAR(report.momentum_balance, 0.0, 1e-14);
        }
        carom_momentum last = carom_state_momentum(state);
        CHECK_NEAR(crm_distance(first.linear, last.linear) / crm_length(first.linear), 0.0, 1e-12);
        CHECK_NEAR(crm_distance(first.angular, last.angular) / crm_length(first.angular), 0.0, 1e-12);
        CHECK_NEAR(worst / energy, 0.0, 0.02);
        CHECK_NEAR(worst_drift(state), 0.0, 1e-14);
        world_destroy(state);
    }
}

// Self-convergence of a swinging chain of five links with everything that can act on its joints.
static carom_vec3 tip_after(int steps) {
    carom_model *model = chain(4, CAROM_JOINT_BALL, falling, false);
    carom_body_def def = world_body_def(0.6, (carom_vec3){0.01, 0.02, 0.025});
    def.position = (carom_vec3){2.2, 0.1, 0.0};
    world_add(model, &def);
    carom_joint_def last =
        placed(model, CAROM_JOINT_CYLINDRICAL, 4, 3, (carom_vec3){2.0, 0.0, 0.0}, (carom_vec3){0.3, 1.0, 0.2});
    last.coordinate[0].stiffness = 40.0;
    last.coordinate[0].damping = 0.5;
    last.coordinate[1].stiffness = 2.0;
    last.coordinate[1].motor.kind = CAROM_MOTOR_POSITION;
    last.coordinate[1].motor.target = 0.7;
    last.coordinate[1].motor.stiffness = 1.0;
    last.coordinate[1].motor.damping = 0.1;
    add(model, &last);
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.6 / steps);
    sampler s = {.seed = 54};
    set_swinging(model, &s, state);
    CHECK_INT(world_run(state, steps).substeps, 1);
    carom_vec3 tip = world_body(state, 4).position;
    world_destroy(state);
    return tip;
}

// Two bodies rotate against each other about a joint between them: their momenta pass through zero, those that their
// spins have about the joint do not. What is left of a sum of both is rounding, and no broken promise.
TEST(momenta_that_pass_through_zero_are_balanced) {
    const double arm = 0.3, tilt = 0.1;
    carom_model *model = world_model(weightless, 1.0);
    for (int i = 0; i < 2; i++) {
        double side = i == 0 ? -1.0 : 1.0;
        carom_body_def def = world_body_def(7.0, (carom_vec3){0.3, 0.4, 0.5});
        def.attitude = crm_quat_from_axis_angle(crm_vec3(0.0, 0.0, 1.0), tilt * (i + 1));
        def.position = crm_vec3(0.0, 0.0, side * arm);
        def.spin = crm_vec3(0.0, -side, 0.0);
        world_add(model, &def);
    }
    join(model, CAROM_JOINT_BALL, 0, 1, weightless, (carom_vec3){0.0, 0.0, 1.0});
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 1e-6);
    carom_step_report report;
    for (int i = 0; i < 30; i++) {
        report = world_run(state, 1);
        CHECK_NEAR(report.momentum_balance, 0.0, 1e-14);
    }
    world_destroy(state);
}

// A hinge between planar bodies at two heights: their planes bear what it would tilt them by.
TEST(planes_bear_what_joints_between_two_heights_would_tilt) {
    static const carom_method methods[] = {CAROM_METHOD_VARIATIONAL, CAROM_METHOD_MULTIPLIER, CAROM_METHOD_LCP,
                                           CAROM_METHOD_EXACT,       CAROM_METHOD_DCR,        CAROM_METHOD_POTENTIAL,
                                           CAROM_METHOD_IMPULSE};
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        carom_model *model = world_model(weightless, 1.0);
        for (int i = 0; i < 2; i++) {
            carom_body_def def = world_body_def(2.0 - i, (carom_vec3){1.0, 1.0, 1.0});
            def.kind = CAROM_BODY_PLANAR;
            def.position = crm_vec3(i, 0.0, 0.3 * i);
            def.spin = crm_vec3(0.0, 0.0, 1.0 - 3.0 * i);
            world_add(model, &def);
        }
        join(model, CAROM_JOINT_HINGE, 0, 1, crm_vec3(0.5, 0.0, 0.1), (carom_vec3){0.0, 0.0, 1.0});
        carom_state *state = world_state(model, methods[m], 0.01);
        double rotating = carom_state_momentum(state).angular.z;
        world_run(state, 50);
        CHECK_NEAR(carom_state_momentum(state).angular.z, rotating, 1e-8);
        world_destroy(state);
    }
}

TEST(a_chain_of_five_links_converges_at_second_order) {
    carom_vec3 coarse = tip_after(300), middle = tip_after(600), fine = tip_after(1200);
    CHECK_NEAR(log2(crm_distance(coarse, middle) / crm_distance(middle, fine)), 2.0, 0.05);
    CHECK_NEAR(crm_distance(middle, fine), 0.0, 1e-3);
}

// Velocities that are reported satisfy the joints: points of both bodies at a ball joint move alike.
TEST(reported_twists_satisfy_the_joints) {
    sampler s = {.seed = 52};
    carom_model *model = chain(4, CAROM_JOINT_BALL, falling, false);
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.01);
    set_swinging(model, &s, state);
    for (int i = 0; i < 100; i++) {
        world_run(state, 1);
        for (int b = 1; b < 4; b++) {
            carom_body_state up = world_body(state, b - 1), low = world_body(state, b);
            carom_vec3 end = {0.25, 0.0, 0.0};
            carom_vec3 a = crm_add(up.velocity, crm_cross(up.spin, crm_quat_rotate(up.attitude, end)));
            carom_vec3 c = crm_sub(low.velocity, crm_cross(low.spin, crm_quat_rotate(low.attitude, end)));
            CHECK_NEAR(crm_distance(a, c), 0.0, 1e-13);
        }
    }
    world_destroy(state);
}

// Of a double pendulum on hinges the energy error stays where it was in the first thousand steps.
TEST(the_energy_of_a_chain_does_not_drift_over_a_hundred_thousand_steps) {
    carom_model *model = chain(3, CAROM_JOINT_HINGE, falling, false);
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.002);
    carom_body_state body;
    for (int b = 0; b < 3; b++) { // from 60 degrees below the horizontal
        carom_vec3 way = {0.5, 0.0, -0.86602540378443865};
        body = world_body(state, b);
        body.position = crm_scale(0.5 * (b + 0.5), way);
        body.attitude = crm_so3_exp((carom_vec3){0.0, pi / 3.0, 0.0});
        CHECK_INT(carom_state_set_body(state, (carom_body){b}, &body, NULL), CAROM_OK);
    }
    CHECK_INT(carom_state_assemble(state, NULL), CAROM_OK);
    double energy = world_energy(state), early = 0.0, late = 0.0;
    int most_substeps = 0;
    for (int i = 0; i < 100000; i++) {
        carom_step_report report = world_run(state, 1);
        double off = fabs(report.energy.kinetic + report.energy.potential - energy);
        if (i < 10000) early = fmax(early, off);
        if (i >= 90000) late = fmax(late, off);
        if (report.substeps > most_substeps) most_substeps = report.substeps;
    }
    CHECK_INT(most_substeps, 1);
    CHECK(late < 1.5 * early);
    CHECK_NEAR(early, 0.0, 2e-3);
    CHECK_NEAR(worst_drift(state), 0.0, 1e-14);
    world_destroy(state);
}

// A chain of a hundred links swings from the horizontal and whips.
TEST(a_hundred_links_whip_for_ten_seconds) {
    const double length = 0.1, mass = 0.1;
    enum { LINKS = 100 };
    carom_model *model = world_model(falling, 0.0);
    for (int i = 0; i < LINKS; i++) {
        carom_body_def def = world_body_def(mass, (carom_vec3){5e-6, 8.583e-5, 8.583e-5});
        def.position = (carom_vec3){length * (i + 0.5), 0.0, 0.0};
        world_add(model, &def);
        join(model, CAROM_JOINT_BALL, i - 1, i, (carom_vec3){length * i, 0.0, 0.0}, (carom_vec3){0.0, 0.0, 1.0});
    }
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 1.0 / 240.0);
    double energy = world_energy(state), worst = 0.0, balance = 0.0, drift = 0.0;
    int divided = 0;
    for (int i = 0; i < 2400; i++) {
        carom_step_report report = world_run(state, 1);
        balance += report.energy_balance;
        worst = fmax(worst, fabs(report.energy.kinetic + report.energy.potential - energy));
        drift = fmax(drift, worst_drift(state));
        divided += report.substeps > 1;
    }
    double swing = LINKS * mass * 9.81 * 0.5 * LINKS * length; // from the horizontal to hanging, J
    CHECK_NEAR(worst / swing, 0.0, 0.05);
    CHECK_NEAR(balance, world_energy(state) - energy, 1e-9 * swing); // the certificates tell all of it
    CHECK_NEAR(drift, 0.0, 1e-10);
    CHECK(divided > 0 && divided < 2400);
    world_destroy(state);
}

// ---- one and the same thing in several ways

// Bodies that are planar, or free on hinges; links joined from either side.
TEST(the_same_chain_built_in_other_ways_moves_alike) {
    carom_body_state wanted[3];
    for (int way = 0; way < 3; way++) {
        carom_model *model = world_model((carom_vec3){1.0, -9.0, 0.0}, 0.0);
        for (int i = 0; i < 3; i++) {
            carom_body_def def = world_body_def(1.0 + i, (carom_vec3){0.05, 0.06, 0.07});
            def.position = (carom_vec3){0.4 * i + 0.2, 0.0, 0.5};
            if (way == 1) def.kind = CAROM_BODY_PLANAR;
            world_add(model, &def);
            bool rotated = way == 2 && i != 1;
            join(model, CAROM_JOINT_HINGE, rotated ? i : i - 1, rotated ? i - 1 : i, (carom_vec3){0.4 * i, 0.0, 0.5},
                 (carom_vec3){0.0, 0.0, 1.0});
        }
        carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.005);
        carom_step_report report = world_run(state, 300);
        CHECK_NEAR(report.momentum_balance, 0.0, 1e-14);
        for (int b = 0; b < 3; b++) {
            carom_body_state body = world_body(state, b);
            if (way == 0) wanted[b] = body;
            CHECK_NEAR(crm_distance(body.position, wanted[b].position), 0.0, 1e-9);
            CHECK_NEAR(crm_quat_angle(body.attitude, wanted[b].attitude), 0.0, 1e-9);
            CHECK_NEAR(crm_distance(body.spin, wanted[b].spin), 0.0, 1e-8);
        }
        world_destroy(state);
    }
}

// A point on a ball joint is a body without inertia; here one on a plane, one on an arm.
TEST(points_are_carried_and_slide) {
    carom_model *model = world_model(falling, 0.0);
    carom_body_def point = carom_body_def_default(), arm = world_body_def(1.0, (carom_vec3){0.1, 0.1, 0.1});
    point.kind = CAROM_BODY_POINT;
    point.mass = 0.5;
    point.position = (carom_vec3){0.0, 3.0, 0.0};
    world_add(model, &point);
    join(model, CAROM_JOINT_POINT_ON_PLANE, -1, 0, point.position, (carom_vec3){0.6, 0.0, 0.8});
    arm.position = (carom_vec3){0.3, 0.0, 0.0};
    world_add(model, &arm);
    join(model, CAROM_JOINT_BALL, -1, 1, (carom_vec3){0.0, 0.0, 0.0}, (carom_vec3){0.0, 0.0, 1.0});
    point.position = (carom_vec3){0.7, 0.0, 0.0};
    world_add(model, &point);
    join(model, CAROM_JOINT_BALL, 1, 2, point.position, (carom_vec3){0.0, 0.0, 1.0});
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.005);
    double energy = world_energy(state);
    carom_step_report report = world_run(state, 200);
    CHECK_NEAR(report.momentum_balance, 0.0, 1e-14);
    CHECK_NEAR(world_energy(state), energy, 2e-3);
    CHECK_NEAR(worst_drift(state), 0.0, 1e-14);
    // Down the plane by g sin a t^2 / 2 = 9.81 * 0.6 / 2.
    carom_vec3 down = crm_scale(0.5 * 9.81 * 0.6, (carom_vec3){0.8, 0.0, -0.6});
    CHECK_NEAR(crm_distance(world_body(state, 0).position, crm_add(down, (carom_vec3){0.0, 3.0, 0.0})), 0.0, 1e-12);
    CHECK_NEAR(crm_length(world_body(state, 2).position), 0.7, 1e-14);
    world_destroy(state);
}

// A body that no joint touches moves beside a mechanism as it does alone.
TEST(a_free_body_does_not_feel_a_mechanism_beside_it) {
    carom_body_state alone = {0};
    for (int i = 0; i < 2; i++) {
        carom_model *model = i == 0 ? world_model(falling, 0.0) : chain(3, CAROM_JOINT_BALL, falling, false);
        carom_body_def def = world_body_def(1.0, (carom_vec3){1.0, 2.0, 2.5});
        def.spin = (carom_vec3){1.0, 2.0, 3.0};
        def.velocity = (carom_vec3){0.3, 0.2, 9.0};
        carom_body body = world_add(model, &def);
        carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.01);
        world_run(state, 200);
        carom_body_state got = world_body(state, body.index);
        if (i == 0) alone = got;
        CHECK_NEAR(crm_distance(got.position, alone.position), 0.0, 1e-12);
        CHECK_NEAR(crm_quat_angle(got.attitude, alone.attitude), 0.0, 1e-12);
        world_destroy(state);
    }
}

// ---- states and memory

TEST(a_saved_state_goes_on_with_the_same_bits) {
    sampler s = {.seed = 53};
    carom_model *model = chain(6, CAROM_JOINT_BALL, falling, false);
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.02), *other;
    set_swinging(model, &s, state);
    world_run(state, 50);
    CHECK_INT(carom_state_create(model, carom_state_method(state), &other, NULL), CAROM_OK);
    unsigned char bytes[8192];
    CHECK(carom_state_size(state) <= sizeof bytes);
    carom_state_save(state, bytes);
    CHECK_INT(carom_state_load(other, bytes, carom_state_size(state), NULL), CAROM_OK);
    world_run(state, 50);
    world_run(other, 50);
    CHECK(carom_state_hash(state) == carom_state_hash(other));
    carom_state_destroy(other);
    world_destroy(state);
}

TEST(steps_allocate_nothing_once_warm) {
    probe_allocator probe = {0};
    carom_model_def def = carom_model_def_default();
    carom_allocator hook = probe_allocator_hook(&probe);
    def.allocator = &hook;
    carom_model *model;
    CHECK_INT(carom_model_create(&def, &model, NULL), CAROM_OK);
    for (int i = 0; i < 5; i++) {
        carom_body_def body = world_body_def(1.0, (carom_vec3){0.1, 0.2, 0.25});
        body.position = (carom_vec3){0.5 * i + 0.25, 0.0, 0.0};
        world_add(model, &body);
        join(model, CAROM_JOINT_BALL, i - 1, i, (carom_vec3){0.5 * i, 0.0, 0.0}, (carom_vec3){0.0, 0.0, 1.0});
    }
    carom_spring_def spring = carom_spring_def_default();
    spring.a = (carom_body){0};
    spring.b = (carom_body){4};
    spring.stiffness = 10.0;
    CHECK_INT(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.01);
    world_run(state, 2);
    long long calls = probe.calls;
    world_run(state, 100);
    CHECK(probe.calls == calls);
    world_destroy(state);
    CHECK(probe.live_blocks == 0);
}

// ---- large steps and what is refused

// A wheel on a hinge that rotates too far for one step is stepped in parts, and the report says so.
TEST(fast_wheels_are_stepped_in_substeps) {
    carom_model *model = world_model(weightless, 0.0);
    carom_body_def def = world_body_def(1.0, (carom_vec3){0.1, 0.1, 0.2});
    def.spin = (carom_vec3){0.0, 0.0, 20.0};
    def.name = "wheel";
    world_add(model, &def);
    join(model, CAROM_JOINT_HINGE, -1, 0, (carom_vec3){0.0, 0.0, 0.0}, (carom_vec3){0.0, 0.0, 1.0});
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.1);
    carom_step_report report = world_run(state, 10);
    CHECK_INT(report.substeps, 4);
    // Each part rotates by arcsin(h w).
    CHECK_NEAR(joint_of(state, 0).coordinate[0], 40.0 * asin(0.025 * 20.0), 1e-12);
    CHECK_NEAR(joint_of(state, 0).rate[0], 20.0, 1e-12);
    world_destroy(state);
}

// By whole steps the arms of a pendulum are where the undivided equations put them, or nowhere.
TEST(steps_are_made_whole_where_that_is_asked) {
    for (int whole = 0; whole < 2; whole++) {
        carom_model *model = joints_chain(2, CAROM_JOINT_HINGE, (carom_vec3){0.0, 0.0, -9.81});
        carom_method_def def = carom_method_def_default();
        def.method = CAROM_METHOD_VARIATIONAL;
        def.variational.whole_steps = whole == 1;
        def.step = 0.08;
        carom_state *state = joints_state(model, &def);
        int most = 0;
        for (int i = 0; i < 12; i++) {
            carom_step_report report = world_run(state, 1);
            if (report.substeps > most) most = report.substeps;
        }
        CHECK(whole == 1 ? most == 1 : most > 1);
        world_destroy(state);
    }
    carom_model *model = world_model(weightless, 0.0);
    carom_body_def body = world_body_def(1.0, (carom_vec3){0.1, 0.1, 0.2});
    body.spin = (carom_vec3){0.0, 0.0, 20.0};
    world_add(model, &body);
    join(model, CAROM_JOINT_HINGE, -1, 0, (carom_vec3){0.0, 0.0, 0.0}, (carom_vec3){0.0, 0.0, 1.0});
    carom_method_def def = carom_method_def_default();
    def.method = CAROM_METHOD_VARIATIONAL;
    def.variational.whole_steps = true;
    def.step = 0.1;
    carom_state *state = joints_state(model, &def);
    carom_step_report report;
    CHECK_INT(carom_step(model, state, NULL, &report, NULL), CAROM_OK);
    CHECK_INT(report.outcome, CAROM_STEP_IMPOSSIBLE);
    CHECK_CONTAINS(report.text, "would rotate by more than 90 degrees in the step after t = 0 s");
    world_destroy(state);
}

TEST(more_than_half_a_rotation_about_a_hinge_is_refused) {
    carom_model *model = world_model(weightless, 0.0);
    carom_body_def def = world_body_def(1.0, (carom_vec3){0.1, 0.1, 0.2});
    def.spin = (carom_vec3){0.0, 0.0, 40.0};
    def.name = "wheel";
    world_add(model, &def);
    join(model, CAROM_JOINT_HINGE, -1, 0, (carom_vec3){0.0, 0.0, 0.0}, (carom_vec3){0.0, 0.0, 1.0});
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.1);
    uint64_t hash = carom_state_hash(state);
    carom_step_report report;
    CHECK_INT(carom_step(model, state, NULL, &report, NULL), CAROM_OK);
    CHECK_INT(report.outcome, CAROM_STEP_IMPOSSIBLE);
    // Eight parts of asin(0.5).
    CHECK_CONTAINS(report.text, "body 'wheel' rotates by 4.19 rad about joint 0");
    CHECK_CONTAINS(report.text, "make method.step of 0.1 s smaller");
    CHECK(carom_state_hash(state) == hash);
    world_destroy(state);
}

static void check_refused(carom_model *model, const char *what) {
    carom_error error = {.text = ""};
    CHECK_INT(carom_model_freeze(model, &error), CAROM_OK);
    carom_method_def def = carom_method_def_default();
    def.method = CAROM_METHOD_VARIATIONAL;
    CHECK_INT(carom_method_supports(model, &def, &error), CAROM_ERR_UNSUPPORTED);
    CHECK_CONTAINS(error.text, what);
    carom_model_destroy(model);
}

TEST(what_it_cannot_do_is_refused) {
    carom_model *model = chain(2, CAROM_JOINT_HINGE, falling, false);
    join(model, CAROM_JOINT_BALL, -1, 1, (carom_vec3){1.0, 0.0, 0.0}, (carom_vec3){0.0, 0.0, 1.0});
    check_refused(model, "the method variational has no joints that close loops");
    for (int i = 0; i < 2; i++) {
        model = chain(1, CAROM_JOINT_HINGE, falling, true);
        carom_joint_def def =
            placed(model, CAROM_JOINT_HINGE, -1, 0, (carom_vec3){0.0, 0.0, 0.0}, (carom_vec3){0.0, 1.0, 0.0});
        if (i == 0) def.coordinate[0].upper = 1.0;
        if (i == 1) def.coordinate[0].motor.kind = CAROM_MOTOR_VELOCITY;
        add(model, &def);
        check_refused(model, i == 0 ? "the method variational has no joint limits" : "has no velocity motors");
    }
}

TEST_MAIN(CASE(a_body_slides_down_an_incline_exactly), CASE(a_pendulum_keeps_its_period_to_second_order),
          CASE(springs_and_dampers_on_a_slider_have_their_discrete_closed_form), CASE(motors_push_and_hold),
          CASE(joints_bear_the_weight_below_them), CASE(a_spinning_arm_pulls_at_its_hinge),
          CASE(a_floating_chain_keeps_its_momenta), CASE(momenta_that_pass_through_zero_are_balanced),
          CASE(planes_bear_what_joints_between_two_heights_would_tilt),
          CASE(a_chain_of_five_links_converges_at_second_order), CASE(reported_twists_satisfy_the_joints),
          LONG_CASE(the_energy_of_a_chain_does_not_drift_over_a_hundred_thousand_steps),
          LONG_CASE(a_hundred_links_whip_for_ten_seconds), CASE(the_same_chain_built_in_other_ways_moves_alike),
          CASE(points_are_carried_and_slide), CASE(a_free_body_does_not_feel_a_mechanism_beside_it),
          CASE(a_saved_state_goes_on_with_the_same_bits), CASE(steps_allocate_nothing_once_warm),
          CASE(fast_wheels_are_stepped_in_substeps), CASE(steps_are_made_whole_where_that_is_asked),
          CASE(more_than_half_a_rotation_about_a_hinge_is_refused), CASE(what_it_cannot_do_is_refused))
