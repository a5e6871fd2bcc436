// SPDX-License-Identifier: MIT
// Velocity motors and limits of lcp and of impulse with fixed steps: a motor of unlimited force that meets a limit
// ends the run with a sentence, in the step in which both contradict each other; one with a bound leans against it.
#include <math.h>

#include "carom/carom.h"
#include "math/vec3.h"
#include "support/harness/check.h"
#include "support/model/joints.h"

static const carom_vec3 none = {0.0, 0.0, 0.0}, down = {0.0, 0.0, -9.81}, up = {0.0, 0.0, 1.0};
static const carom_method methods[] = {CAROM_METHOD_LCP, CAROM_METHOD_IMPULSE};
enum { METHODS = sizeof methods / sizeof methods[0] };
static const double step = 1.0 / 240;

typedef struct drive {
    carom_joint_kind kind;
    double lower, upper, rate, max_force;
} drive;

// A body of 1 kg and 1 kg m^2 on a joint named "h" about or along z.
static carom_state *driven(carom_method method, carom_vec3 gravity, drive by) {
    carom_model *model = world_model(gravity, 0.0);
    carom_body_def def = world_body_def(1.0, crm_vec3(1.0, 1.0, 1.0));
    carom_body body = world_add(model, &def);
    carom_joint_def joint = joints_def(model, by.kind, CAROM_WORLD, body, none, up);
    joint.name = "h";
    joint.coordinate[0].lower = by.lower;
    joint.coordinate[0].upper = by.upper;
    joint.coordinate[0].motor.kind = CAROM_MOTOR_VELOCITY;
    joint.coordinate[0].motor.target_rate = by.rate;
    joint.coordinate[0].motor.max_force = by.max_force;
    joints_add(model, &joint);
    return world_state(model, method, step);
}

// Steps that were made before one was impossible, at most `most`.
static int steps_made(carom_state *state, int most, carom_step_report *report) {
    for (int i = 0; i < most; i++) {
        CHECK_INT(carom_step(carom_state_model(state), state, NULL, report, NULL), CAROM_OK);
        if (report->outcome == CAROM_STEP_IMPOSSIBLE) return i;
        CHECK_INT(report->outcome, CAROM_STEP_GOOD);
    }
    return most;
}

TEST(a_motor_of_unlimited_force_that_meets_a_limit_is_said) {
    static const struct {
        drive by;
        int steps; // until the limit is reached, and the next one leads beyond
        const char *text;
    } cases[] = {
        {{CAROM_JOINT_HINGE, -0.5, 0.5, 2.0, INFINITY},
         60,
         "joint 'h': coordinate 0 has a motor of unlimited force that cannot keep the rate 2 rad/s: its limit of 0.5 "
         "rad forbids it; give the motor a max_force, or a target_rate that can be kept"},
        {{CAROM_JOINT_SLIDER, -INFINITY, 0.25, 1.0, INFINITY},
         60,
         "joint 'h': coordinate 0 has a motor of unlimited force that cannot keep the rate 1 m/s: its limit of 0.25 m "
         "forbids it; give the motor a max_force, or a target_rate that can be kept"},
        {{CAROM_JOINT_SLIDER, -0.1, 3.0, -3.0, INFINITY}, // in the middle of a step
         8,
         "cannot keep the rate -3 m/s: its limit of -0.1 m forbids it"},
        {{CAROM_JOINT_HINGE, -1.0, 0.0, 1e-3, INFINITY}, 0, "cannot keep the rate 0.001 rad/s: its limit of 0 rad"},
    };
    for (size_t i = 0; i < METHODS * sizeof cases / sizeof cases[0]; i++) {
        const drive *by = &cases[i / METHODS].by;
        carom_state *state = driven(methods[i % METHODS], down, *by);
        carom_step_report report;
        int made = steps_made(state, 100, &report);
        // The angle of Cayley's map is less than h w by the share (h w)^2/12: there may be some way left.
        CHECK(made == cases[i / METHODS].steps);
        CHECK_INT(report.outcome, CAROM_STEP_IMPOSSIBLE);
        CHECK_CONTAINS(report.text, cases[i / METHODS].text);
        CHECK_NEAR(joints_get(state, 0).coordinate[0], step * by->rate * made, 1e-5);
        CHECK(carom_state_time(state) < (made + 0.5) * step); // no step was made
        world_destroy(state);
    }
}

// Away from a limit, and where it is told to stand at one.
TEST(motors_that_leave_a_limit_or_stand_at_it_are_no_contradiction) {
    static const drive drives[] = {{CAROM_JOINT_HINGE, 0.0, 1.0, 0.5, INFINITY},
                                   {CAROM_JOINT_SLIDER, -1.0, 0.0, -0.5, INFINITY},
                                   {CAROM_JOINT_SLIDER, 0.0, 1.0, 0.0, INFINITY},
                                   {CAROM_JOINT_HINGE, -1.0, 0.0, 0.0, INFINITY}};
    for (size_t i = 0; i < METHODS * sizeof drives / sizeof drives[0]; i++) {
        const drive *by = &drives[i / METHODS];
        carom_state *state = driven(methods[i % METHODS], down, *by);
        world_run(state, 120);
        CHECK_NEAR(joints_get(state, 0).coordinate[0], 0.5 * by->rate, 1e-4);
        world_destroy(state);
    }
}

// It comes to rest there, and the limit bears what the motor gives.
TEST(a_motor_of_bounded_force_leans_against_its_limit) {
    static const drive drives[] = {{CAROM_JOINT_HINGE, -0.5, 0.5, 2.0, 50.0},
                                   {CAROM_JOINT_SLIDER, -INFINITY, 0.25, 1.0, 50.0},
                                   {CAROM_JOINT_SLIDER, -0.1, 3.0, -3.0, 200.0}};
    for (size_t i = 0; i < METHODS * sizeof drives / sizeof drives[0]; i++) {
        const drive *by = &drives[i / METHODS];
        carom_state *state = driven(methods[i % METHODS], none, *by);
        world_run(state, 480);
        carom_joint_state joint = joints_get(state, 0);
        CHECK_NEAR(joint.coordinate[0], by->rate > 0.0 ? by->upper : by->lower, 1e-6);
        CHECK_NEAR(joint.rate[0], 0.0, 1e-6);
        // Both act on the body through the joint, and cancel.
        CHECK_NEAR(crm_length(joint.force) + crm_length(joint.torque), 0.0, 2e-3 * by->max_force);
        world_destroy(state);
    }
}

TEST_MAIN(CASE(a_motor_of_unlimited_force_that_meets_a_limit_is_said),
          CASE(motors_that_leave_a_limit_or_stand_at_it_are_no_contradiction),
          CASE(a_motor_of_bounded_force_leans_against_its_limit))
