// SPDX-License-Identifier: MIT
// The time that reactions of joints belong to (carom_joint_state, docs/recording.md), of every method that has joints.
// The force of a pendulum's hinge, which is known at every angle, is of second order there and of first elsewhere.
#include <math.h>

#include "carom/carom.h"
#include "math/vec3.h"
#include "support/harness/check.h"
#include "support/model/joints.h"

static const carom_vec3 down = {0.0, 0.0, -9.81}, origin = {0.0, 0.0, 0.0}, along_y = {0.0, 1.0, 0.0};
static const double g = 9.81, inertia = 1.01; // about the hinge: 1 kg at 1 m, and 0.01 kg m^2 of its own

// Let go level. `damping` too small to be seen, but a force beside gravity.
static carom_state *pendulum(carom_method method, double damping, double step) {
    carom_model *model = world_model(down, 0.0);
    carom_body_def def = world_body_def(1.0, crm_vec3(0.01, 0.01, 0.01));
    def.position = crm_vec3(1.0, 0.0, 0.0);
    carom_body bob = world_add(model, &def);
    carom_joint_def hinge = joints_def(model, CAROM_JOINT_HINGE, CAROM_WORLD, bob, origin, along_y);
    hinge.coordinate[0].damping = damping;
    joints_add(model, &hinge);
    return world_state(model, method, step);
}

// What the hinge bears of the weight when nothing moves yet, and of the rotation.
static carom_vec3 of_weight(double angle) {
    double growth = g * cos(angle) / inertia;
    return crm_sub(crm_scale(growth, crm_vec3(-sin(angle), 0.0, -cos(angle))), down);
}

static carom_vec3 of_rotation(double angle, double spin) {
    return crm_scale(-spin * spin, crm_vec3(cos(angle), 0.0, -sin(angle)));
}

// inertia w^2 / 2 = m g sin(angle)
static carom_vec3 exact_reaction(double angle) {
    return crm_add(of_weight(angle), of_rotation(angle, sqrt(2.0 * g * sin(angle) / inertia)));
}

// The last step on the way to 0.3 s.
typedef struct last_step {
    double before, after; // angles
    carom_joint_state hinge;
} last_step;

static last_step last_of(carom_method method, double damping, int steps) {
    carom_state *state = pendulum(method, damping, 0.3 / steps);
    world_run(state, steps - 1);
    last_step last = {.before = joints_get(state, 0).coordinate[0]};
    world_run(state, 1);
    last.hinge = joints_get(state, 0);
    last.after = last.hinge.coordinate[0];
    world_destroy(state);
    return last;
}

// How fast the difference to the exact force falls with the step, that of an angle on the way of the step.
static double order_at(carom_method method, double share, bool at_end) {
    double error[2];
    for (int k = 0; k < 2; k++) {
        last_step last = last_of(method, 0.0, 60 << k);
        carom_vec3 force = at_end ? last.hinge.end_force : last.hinge.force;
        error[k] = crm_distance(force, exact_reaction(last.before + share * (last.after - last.before)));
    }
    return log2(error[0] / error[1]);
}

static const carom_method of_means[] = {CAROM_METHOD_LCP,       CAROM_METHOD_IMPULSE, CAROM_METHOD_VARIATIONAL,
                                        CAROM_METHOD_POTENTIAL, CAROM_METHOD_EXACT,   CAROM_METHOD_DCR};
static const carom_method of_ends[] = {CAROM_METHOD_MULTIPLIER, CAROM_METHOD_REDUCED};

TEST(means_belong_to_the_middle_of_the_step) {
    for (size_t i = 0; i < sizeof of_means / sizeof of_means[0]; i++) {
        CHECK_NEAR(order_at(of_means[i], 0.0, false), 1.0, 0.1);
        CHECK_NEAR(order_at(of_means[i], 0.5, false), 2.0, 0.1);
        CHECK_NEAR(order_at(of_means[i], 1.0, false), 1.0, 0.1);
        CHECK_NEAR(order_at(of_means[i], 0.5, true), 2.0, 0.1); // they know no others
    }
    for (size_t i = 0; i < sizeof of_ends / sizeof of_ends[0]; i++) {
        CHECK_NEAR(order_at(of_ends[i], 0.5, false), 2.0, 0.1);
        CHECK_NEAR(order_at(of_ends[i], 1.0, false), 1.0, 0.1);
    }
}

TEST(ends_of_multiplier_and_reduced_belong_to_the_end) {
    for (size_t i = 0; i < sizeof of_ends / sizeof of_ends[0]; i++) {
        last_step last = last_of(of_ends[i], 0.0, 60);
        CHECK(crm_distance(last.hinge.end_force, exact_reaction(last.after)) < 1e-9);
        CHECK_NEAR(order_at(of_ends[i], 0.5, true), 1.0, 0.1);
    }
}

// With a force beside gravity the steps of lcp and impulse are of first order, and reactions are of no one time: what
// forces cause is that of the start of the step, what rotation causes is that of its middle, at the speed of its end.
TEST(reactions_of_driven_mechanisms_are_of_start_and_middle) {
    for (int m = 0; m < 2; m++) {
        double parts[2], middle[2];
        for (int k = 0; k < 2; k++) {
            last_step last = last_of(of_means[m], 1e-9, 60 << k);
            double angle = 0.5 * (last.before + last.after);
            carom_vec3 of_both = crm_add(of_weight(last.before), of_rotation(angle, last.hinge.rate[0]));
            parts[k] = crm_distance(last.hinge.force, of_both);
            middle[k] = crm_distance(last.hinge.force, exact_reaction(angle));
        }
        CHECK(parts[0] < 1e-2);
        CHECK(log2(parts[0] / parts[1]) > 1.8);
        CHECK_NEAR(log2(middle[0] / middle[1]), 1.0, 0.1);
    }
}

TEST_MAIN(CASE(means_belong_to_the_middle_of_the_step), CASE(ends_of_multiplier_and_reduced_belong_to_the_end),
          CASE(reactions_of_driven_mechanisms_are_of_start_and_middle))
