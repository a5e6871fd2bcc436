// SPDX-License-Identifier: MIT
// Steps against time scales: rates of springs, dampers, drag, motors, charges, rotation and joints in closed form, and
// that a step which is told to be too long is.
#include <math.h>

#include "carom/joint.h"
#include "math/vec3.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"
#include "support/model/joints.h"

static const carom_vec3 nowhere = {0.0, 0.0, 0.0};
static const double step = 0.01;

static double rate_of(const carom_state *state, carom_rule rule) {
    carom_finding finding[CAROM_RULE_COUNT];
    carom_state_findings(state, finding);
    return finding[rule].value;
}

static carom_model *pair_of_bodies(carom_vec3 spin) {
    carom_model *model = world_model(nowhere, 2.0);
    carom_body_def def = world_body_def(2.0, crm_vec3(0.5, 1.0, 1.25));
    def.spin = spin;
    world_add(model, &def);
    def = world_body_def(3.0, crm_vec3(1.0, 1.0, 1.0));
    def.position = crm_vec3(0.0, 0.0, 4.0);
    world_add(model, &def);
    return model;
}

static void add_spring(carom_model *model, double stiffness, double damping, carom_vec3 point_a, carom_vec3 point_b) {
    carom_spring_def spring = carom_spring_def_default();
    spring.a = (carom_body){0}, spring.b = (carom_body){1};
    spring.stiffness = stiffness, spring.damping = damping, spring.rest_length = 1.0;
    spring.point_a = point_a, spring.point_b = point_b;
    carom_error error;
    CHECK_INT(carom_model_add_spring(model, &spring, &error), CAROM_OK);
}

// Along z from (1, 0, 0) of the first body: the arm rotates it about y, 1/m_eff = 1/2 + 1/3 + 1/1.
TEST(a_spring_and_its_damper_are_told_by_what_they_move) {
    carom_model *model = pair_of_bodies(nowhere);
    add_spring(model, 300.0, 40.0, crm_vec3(1.0, 0.0, 0.0), crm_vec3(1.0, 0.0, 0.0));
    carom_state *state = world_state(model, CAROM_METHOD_EULER, step);
    double yield = 0.5 + 1.0 + 1.0 / 3.0 + 1.0;
    CHECK_NEAR(rate_of(state, CAROM_RULE_SPRING_RATE), step * sqrt(300.0 * yield), 1e-12);
    CHECK_NEAR(rate_of(state, CAROM_RULE_DAMPING_RATE), step * 40.0 * yield, 1e-12);
    world_destroy(state);
}

// What rests on one method's stability says nothing of another's: the end of the step, the midpoint rule and dp54 look
// after springs.
TEST(methods_that_take_springs_implicitly_are_not_warned) {
    static const struct {
        carom_method method;
        bool told;
    } methods[] = {{CAROM_METHOD_LCP, false},         {CAROM_METHOD_EULER, true},      {CAROM_METHOD_PENALTY, true},
                   {CAROM_METHOD_NEWMARK, true},      {CAROM_METHOD_IMPULSE, false},   {CAROM_METHOD_EXACT, false},
                   {CAROM_METHOD_VARIATIONAL, false}, {CAROM_METHOD_POTENTIAL, false}, {CAROM_METHOD_DCR, false},
                   {CAROM_METHOD_MULTIPLIER, false},  {CAROM_METHOD_REDUCED, false}};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        carom_model *model = pair_of_bodies(nowhere);
        add_spring(model, 300.0, 0.0, nowhere, nowhere);
        carom_state *state = world_state(model, methods[i].method, step);
        CHECK_NEAR(rate_of(state, CAROM_RULE_SPRING_RATE), methods[i].told ? step * sqrt(300.0 * 5.0 / 6.0) : 0.0,
                   1e-12);
        world_destroy(state);
    }
}

TEST(integrators_with_steps_of_their_own_are_not_warned_and_others_are) {
    for (int fixed = 0; fixed < 2; fixed++) {
        carom_model *model = pair_of_bodies(nowhere);
        add_spring(model, 300.0, 0.0, nowhere, nowhere);
        carom_method_def method = joints_method(fixed != 0 ? CAROM_INTEGRATOR_RK4 : CAROM_INTEGRATOR_DP54, step, 1e-8);
        carom_state *state = joints_state(model, &method);
        CHECK((rate_of(state, CAROM_RULE_SPRING_RATE) > 0.0) == (fixed != 0));
        world_destroy(state);
    }
}

TEST(drag_is_told_by_mass_speed_and_the_axis_of_the_spin) {
    carom_model *model = world_model(nowhere, 0.0);
    carom_body_def def = world_body_def(2.0, crm_vec3(0.5, 1.0, 1.25));
    def.velocity = crm_vec3(0.0, 3.0, 4.0);
    world_add(model, &def);
    carom_drag_def drag = carom_drag_def_default();
    drag.body = (carom_body){0};
    drag.linear = 6.0, drag.quadratic = 2.0;
    carom_error error;
    CHECK_INT(carom_model_add_drag(model, &drag, &error), CAROM_OK);
    carom_state *state = world_state(model, CAROM_METHOD_EULER, step);
    CHECK_NEAR(rate_of(state, CAROM_RULE_DAMPING_RATE), step * (6.0 + 2.0 * 5.0) / 2.0, 1e-12);
    world_destroy(state);
}

// In the middle of a step damping is stable at any rate: above 2 it reverses velocities, and no more is told.
TEST(damping_in_the_middle_of_a_step_is_told_up_to_its_reversal) {
    static const carom_method methods[] = {CAROM_METHOD_VARIATIONAL, CAROM_METHOD_POTENTIAL, CAROM_METHOD_DCR,
                                           CAROM_METHOD_EXACT, CAROM_METHOD_NEWMARK};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        for (double strength = 1.0; strength < 1e6; strength *= 1e5) {
            carom_model *model = pair_of_bodies(nowhere);
            add_spring(model, 0.0, 10.0 * strength, nowhere, nowhere);
            carom_drag_def drag = carom_drag_def_default();
            drag.body = (carom_body){0};
            drag.linear = 12.0 * strength;
            CHECK_INT(carom_model_add_drag(model, &drag, NULL), CAROM_OK);
            carom_state *state = world_state(model, methods[i], step);
            double damper = 10.0 * strength * (1.0 / 2.0 + 1.0 / 3.0), own = 12.0 * strength / 2.0;
            CHECK_NEAR(rate_of(state, CAROM_RULE_DAMPING_RATE), fmin(step * fmax(damper, own), 2.0), 1e-12);
            world_destroy(state);
        }
    }
}

TEST(angular_drag_is_told_about_the_axis_of_the_spin) {
    carom_model *model = pair_of_bodies(crm_vec3(0.0, 7.0, 0.0));
    carom_drag_def drag = carom_drag_def_default();
    drag.body = (carom_body){0};
    drag.angular = 50.0;
    carom_error error;
    CHECK_INT(carom_model_add_drag(model, &drag, &error), CAROM_OK);
    carom_state *state = world_state(model, CAROM_METHOD_EULER, step);
    CHECK_NEAR(rate_of(state, CAROM_RULE_DAMPING_RATE), step * 50.0 / 1.0, 1e-12);
    world_destroy(state);
}

TEST(an_uneven_body_tumbles_and_an_even_one_does_not) {
    carom_model *model = pair_of_bodies(crm_vec3(20.0, 0.0, 0.0));
    carom_state *state = world_state(model, CAROM_METHOD_LCP, step);
    CHECK_NEAR(rate_of(state, CAROM_RULE_GYROSCOPIC_RATE), step * 20.0 * (1.25 - 0.5) / 1.25, 1e-12);
    world_destroy(state);
    model = pair_of_bodies(crm_vec3(20.0, 0.0, 0.0));
    state = world_state(model, CAROM_METHOD_VARIATIONAL, step);
    CHECK(rate_of(state, CAROM_RULE_GYROSCOPIC_RATE) == 0.0);
    world_destroy(state);
}

// Two charges that fall together are told when they come close, not before.
TEST(charges_are_told_by_their_distance) {
    carom_model *model = pair_of_bodies(nowhere);
    carom_error error;
    for (int b = 0; b < 2; b++) {
        carom_charge_def charge = carom_charge_def_default();
        charge.body = (carom_body){b}, charge.charge = b == 0 ? 3.0 : -5.0;
        CHECK_INT(carom_model_add_charge(model, &charge, &error), CAROM_OK);
    }
    carom_state *state = world_state(model, CAROM_METHOD_LCP, step);
    double start = step * sqrt(2.0 * 2.0 * 15.0 * (0.5 + 1.0 / 3.0) / 64.0);
    CHECK_NEAR(rate_of(state, CAROM_RULE_CHARGE_RATE), start, 1e-12);
    world_run(state, 100);
    CHECK(rate_of(state, CAROM_RULE_CHARGE_RATE) > 1.05 * start);
    world_destroy(state);
}

// A bar of 1 m and 2 kg on a hinge at its end has m/4 kg m^2 more about it than about its centre.
static double inverse_moment(void) {
    return 1.0 / (joints_bar(nowhere).inertia.y.y + 2.0 / 4.0);
}

static carom_state *motor_on_bar(double stiffness, double damping, const carom_method_def *method) {
    carom_model *model = world_model(nowhere, 0.0);
    carom_body_def def = joints_bar(crm_vec3(0.5, 0.0, 0.0));
    carom_body bar = world_add(model, &def);
    carom_joint_def joint = joints_def(model, CAROM_JOINT_HINGE, CAROM_WORLD, bar, nowhere, crm_vec3(0.0, 1.0, 0.0));
    joint.coordinate[0].motor = (carom_motor_def){.kind = CAROM_MOTOR_POSITION,
                                                  .target = 1e-3,
                                                  .stiffness = stiffness,
                                                  .damping = damping,
                                                  .max_force = INFINITY};
    joints_add(model, &joint);
    return joints_state(model, method);
}

TEST(gains_are_told_by_what_the_joint_lets_move) {
    carom_method_def method = joints_method(CAROM_INTEGRATOR_RK4, step, 1e-8);
    carom_state *state = motor_on_bar(600.0, 20.0, &method);
    CHECK_NEAR(rate_of(state, CAROM_RULE_SPRING_RATE), step * sqrt(600.0 * inverse_moment()), 1e-9);
    CHECK_NEAR(rate_of(state, CAROM_RULE_DAMPING_RATE), step * 20.0 * inverse_moment(), 1e-9);
    world_destroy(state);
}

static double largest_length(carom_state *state, int steps) {
    double largest = 0.0;
    for (int i = 0; i < steps; i++) {
        world_run(state, 1);
        largest = fmax(largest, fabs(world_body(state, 1).position.z - world_body(state, 0).position.z));
    }
    return largest;
}

// The step of momenta, then poses is stable below a rate of 2, and not above: the finding's red is the method's bound.
// A force of the end of the step is stable at any.
TEST(a_rate_of_two_is_where_a_step_becomes_unstable) {
    for (int above = 0; above < 2; above++) {
        double rate = above != 0 ? 2.05 : 1.95;
        for (int implicit = 0; implicit < 2; implicit++) {
            carom_model *model = pair_of_bodies(nowhere);
            add_spring(model, rate * rate / (step * step * 5.0 / 6.0), 0.0, nowhere, nowhere);
            carom_state *state = world_state(model, implicit != 0 ? CAROM_METHOD_LCP : CAROM_METHOD_PENALTY, step);
            CHECK_NEAR(rate_of(state, CAROM_RULE_SPRING_RATE), implicit != 0 ? 0.0 : rate, 1e-9);
            CHECK(carom_rule_colour(CAROM_RULE_SPRING_RATE, rate) ==
                  (above != 0 ? CAROM_COLOUR_RED : CAROM_COLOUR_AMBER));
            CHECK((largest_length(state, 60) > 100.0) == (above != 0 && implicit == 0));
            world_destroy(state);
        }
    }
}

// A bar that hangs, m g through a joint: by twice its radius of gyration, which is more than its arm.
TEST(a_joint_is_told_by_the_swing_of_what_it_holds) {
    carom_model *model = world_model(crm_vec3(10.0, 0.0, 0.0), 0.0);
    carom_body_def def = joints_bar(crm_vec3(0.5, 0.0, 0.0));
    carom_body bar = world_add(model, &def);
    carom_joint_def joint = joints_def(model, CAROM_JOINT_BALL, CAROM_WORLD, bar, nowhere, crm_vec3(0.0, 0.0, 1.0));
    joints_add(model, &joint);
    carom_method_def method = touching_method(step, 1e-10);
    carom_state *state = touching_state(model, &method);
    CHECK(rate_of(state, CAROM_RULE_JOINT_RATE) == 0.0);
    world_run(state, 1);
    double size = 2.0 * sqrt(joints_bar(nowhere).inertia.y.y / 2.0);
    CHECK_NEAR(rate_of(state, CAROM_RULE_JOINT_RATE), step * sqrt(10.0 / size), 1e-9);
    world_destroy(state);
}

TEST_MAIN(CASE(a_spring_and_its_damper_are_told_by_what_they_move),
          CASE(methods_that_take_springs_implicitly_are_not_warned),
          CASE(integrators_with_steps_of_their_own_are_not_warned_and_others_are),
          CASE(drag_is_told_by_mass_speed_and_the_axis_of_the_spin),
          CASE(damping_in_the_middle_of_a_step_is_told_up_to_its_reversal),
          CASE(angular_drag_is_told_about_the_axis_of_the_spin), CASE(an_uneven_body_tumbles_and_an_even_one_does_not),
          CASE(charges_are_told_by_their_distance), CASE(gains_are_told_by_what_the_joint_lets_move),
          CASE(a_rate_of_two_is_where_a_step_becomes_unstable), CASE(a_joint_is_told_by_the_swing_of_what_it_holds))
