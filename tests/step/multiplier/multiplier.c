// SPDX-License-Identifier: MIT
// The methods multiplier and reduced against closed forms: motions, reactions, energies; and their certificates.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"
#include "support/model/joints.h"

static const double g = 9.81, pi = 3.14159265358979323846;
static const carom_vec3 down = {0.0, 0.0, -9.81}, z_axis = {0.0, 0.0, 1.0};
static const double tight = 1e-12;

// Of the bars of support/joints.h.
static const double bar_mass = 2.0, bar_across = 2.0 * 1.01 / 12.0;

static double elliptic_k(double k) {
    double a = 1.0, b = sqrt(1.0 - k * k);
    for (int i = 0; i < 10; i++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return pi / (2.0 * a);
}

// A bar let go when level swings back to level after 4 sqrt(I / m g l) K(sin 45 degrees).
BY_BOTH(a_pendulum_has_its_period) {
    double inertia = bar_across + 0.25 * bar_mass;
    double period = 4.0 * sqrt(inertia / (bar_mass * g * 0.5)) * elliptic_k(sin(0.25 * pi));
    carom_model *model = joints_chain(1, CAROM_JOINT_HINGE, down);
    carom_method_def def = joints_method_by(by, CAROM_INTEGRATOR_DP54, period / 40.0, tight);
    carom_state *state = joints_state(model, &def);
    world_run(state, 20);
    CHECK_NEAR(joints_get(state, 0).coordinate[0], pi, 1e-9);
    CHECK_NEAR(joints_get(state, 0).rate[0], 0.0, 1e-9);
    carom_step_report report = world_run(state, 20);
    CHECK_NEAR(joints_get(state, 0).coordinate[0], 0.0, 1e-9);
    CHECK_NEAR(joints_get(state, 0).rate[0], 0.0, 1e-9);
    CHECK_NEAR(world_body(state, 0).position.x, 0.5, 1e-9);
    CHECK(report.joint_drift < 1e-14);
    CHECK_INT(report.redundant_rows, 0);
    CHECK(fabs(world_energy(state)) < 1e-10);
    world_destroy(state);
}

// The pivot bears m g cos + m l w^2 along the bar with w^2 = 2 m g l cos / I at the angle from below, and across it
// what the fall of the middle leaves: m g sin (1 - m l^2 / I).
BY_BOTH(a_pendulum_pulls_at_its_pivot) {
    double inertia = bar_across + 0.25 * bar_mass, l = 0.5, m = bar_mass;
    carom_model *model = joints_chain(1, CAROM_JOINT_HINGE, down);
    carom_method_def def = joints_method_by(by, CAROM_INTEGRATOR_DP54, 0.01, tight);
    carom_state *state = joints_state(model, &def);
    carom_vec3 mean = {0.0, 0.0, 0.0};
    for (int i = 0; i < 30; i++) {
        world_run(state, 1);
        carom_joint_state joint = joints_get(state, 0);
        double rotation = joint.coordinate[0], w2 = 2.0 * m * g * l * sin(rotation) / inertia;
        carom_vec3 along = crm_vec3(cos(rotation), 0.0, -sin(rotation)),
                   across = crm_vec3(-sin(rotation), 0.0, -cos(rotation));
        double pull = m * g * sin(rotation) + m * l * w2, push = m * g * cos(rotation) * (1.0 - m * l * l / inertia);
        carom_vec3 wanted = crm_sub(crm_scale(-pull, along), crm_scale(push, across));
        CHECK_NEAR(crm_length(crm_sub(joint.end_force, wanted)), 0.0, 1e-8);
        CHECK_NEAR(crm_length(joint.end_torque), 0.0, 1e-8);
        mean = crm_madd(mean, 0.01, joint.force);
    }
    // Means add up to the momentum that gravity did not give.
    carom_vec3 momentum = carom_state_momentum(state).linear;
    CHECK_NEAR(crm_length(crm_sub(momentum, crm_madd(mean, 0.3 * m, down))), 0.0, 1e-10);
    world_destroy(state);
}

// A bar that rotates about its end at a constant rate pulls with m w^2 l, at rest under gravity it has the torque m g
// l.
BY_BOTH(reactions_of_steady_states) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_body_def bar = joints_bar(crm_vec3(0.5, 0.0, 0.0));
    bar.spin = crm_vec3(0.0, 0.0, 3.0);
    bar.velocity = crm_vec3(0.0, 1.5, 0.0);
    carom_body body = world_add(model, &bar);
    carom_joint_def def = joints_def(model, CAROM_JOINT_BALL, body, CAROM_WORLD, crm_vec3_zero(), z_axis);
    joints_add(model, &def);
    carom_method_def method = joints_method_by(by, CAROM_INTEGRATOR_DP54, 0.05, tight);
    carom_state *state = joints_state(model, &method);
    world_run(state, 7);
    carom_vec3 outward = crm_vec3(cos(1.05), sin(1.05), 0.0); // on the world, which is b here
    CHECK_NEAR(crm_length(crm_sub(joints_get(state, 0).end_force, crm_scale(bar_mass * 9.0 * 0.5, outward))), 0.0,
               1e-9);
    world_destroy(state);

    model = joints_chain(3, CAROM_JOINT_FIXED, down);
    state = joints_state(model, &method);
    carom_step_report report = world_run(state, 20);
    for (int j = 0; j < 3; j++) {
        double hanging = 3.0 - j;
        carom_joint_state joint = joints_get(state, j);
        CHECK_NEAR(joint.force.z, bar_mass * g * hanging, 1e-9);
        CHECK_NEAR(joint.torque.y, -bar_mass * g * hanging * 0.5 * hanging, 1e-9);
        CHECK_NEAR(joint.end_force.z, bar_mass * g * hanging, 1e-9);
        CHECK_NEAR(crm_length(joint.end_torque), bar_mass * g * hanging * 0.5 * hanging, 1e-9);
    }
    CHECK(report.momentum_balance < 1e-12);
    CHECK_NEAR(world_body(state, 2).position.x, 2.5, 1e-13);
    world_destroy(state);
}

// m x'' = -k x - c x' from x = 0.3: exp(-c t / 2m) (cos + ...) in closed form; the damper's work is all that is lost.
BY_BOTH(a_slider_on_a_spring_with_a_damper) {
    double k = 50.0, c = 3.0, m = bar_mass, decay = 0.5 * c / m, w = sqrt(k / m - decay * decay);
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_body_def bar = joints_bar(crm_vec3(0.0, 0.0, 0.3));
    carom_body body = world_add(model, &bar);
    carom_joint_def def = joints_def(model, CAROM_JOINT_SLIDER, CAROM_WORLD, body, crm_vec3(0.0, 0.0, 0.3), z_axis);
    def.point_a = crm_vec3_zero();
    def.coordinate[0].stiffness = k;
    def.coordinate[0].damping = c;
    joints_add(model, &def);
    carom_method_def method = joints_method_by(by, CAROM_INTEGRATOR_DP54, 0.05, tight);
    carom_state *state = joints_state(model, &method);
    for (int i = 1; i <= 20; i++) {
        carom_step_report report = world_run(state, 1);
        double t = 0.05 * i, wanted = 0.3 * exp(-decay * t) * (cos(w * t) + decay / w * sin(w * t));
        CHECK_NEAR(joints_get(state, 0).coordinate[0], wanted, 1e-11);
        CHECK_NEAR(report.energy_balance, 0.0, 1e-11);
        CHECK_NEAR(crm_length(joints_get(state, 0).end_force), 0.0, 1e-10); // springs are not reactions
    }
    world_destroy(state);
}

// Chaos is not needed to see an order: five links, 0.6 s, against dp54 with tight tolerances.
BY_BOTH(a_chain_of_five_links_has_order_four_with_rk4) {
    double error[2];
    carom_body_state wanted = {0};
    for (int run = -1; run < 2; run++) {
        carom_method_def def = run < 0 ? joints_method_by(by, CAROM_INTEGRATOR_DP54, 0.05, 1e-13)
                                       : joints_method_by(by, CAROM_INTEGRATOR_RK4, run == 0 ? 0.01 : 0.005, 1e-9);
        carom_state *state = joints_state(joints_chain(5, CAROM_JOINT_BALL, crm_vec3(1.0, -3.0, -9.0)), &def);
        world_run(state, (int)lround(0.6 / def.step));
        carom_body_state last = world_body(state, 4);
        if (run < 0)
            wanted = last;
        else
            error[run] = crm_length(crm_sub(last.position, wanted.position)) +
                         crm_quat_angle(last.attitude, wanted.attitude) +
                         crm_length(crm_sub(last.velocity, wanted.velocity));
        world_destroy(state);
    }
    CHECK(error[0] < 1e-3);
    CHECK_NEAR(log2(error[0] / error[1]), 4.0, 0.3);
}

// Without forces from outside a floating chain keeps its momenta, and its energy within the tolerance.
TEST(a_floating_chain_keeps_momenta_and_energy) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_body last = CAROM_WORLD;
    static const carom_joint_kind kinds[] = {CAROM_JOINT_BALL, CAROM_JOINT_UNIVERSAL, CAROM_JOINT_HINGE,
                                             CAROM_JOINT_CYLINDRICAL};
    for (int i = 0; i < 5; i++) {
        carom_body_def bar = joints_bar(crm_vec3(i, 0.0, 0.0));
        bar.velocity = crm_vec3(0.2, i == 0 ? 1.0 : -0.3, 0.1 * i);
        bar.spin = crm_vec3(0.5, 0.2, i == 4 ? 2.0 : -1.0);
        carom_body body = world_add(model, &bar);
        carom_joint_def def = joints_def(model, i > 0 ? kinds[i - 1] : CAROM_JOINT_BALL, last, body,
                                         crm_vec3(i - 0.5, 0.0, 0.0), crm_vec3(0.0, 1.0, i));
        if (i > 0) joints_add(model, &def);
        last = body;
    }
    carom_method_def method = joints_method(CAROM_INTEGRATOR_DP54, 0.02, 1e-11);
    carom_state *state = joints_state(model, &method);
    carom_momentum before = carom_state_momentum(state);
    double energy = world_energy(state);
    for (int i = 0; i < 100; i++) {
        carom_step_report report = world_run(state, 1);
        if (!CHECK(report.joint_drift < 1e-14 && report.momentum_balance < 1e-10)) break;
    }
    carom_momentum after = carom_state_momentum(state);
    CHECK_NEAR(crm_length(crm_sub(after.linear, before.linear)), 0.0, 1e-12);
    CHECK_NEAR(crm_length(crm_sub(after.angular, before.angular)), 0.0, 1e-8);
    CHECK_NEAR(world_energy(state), energy, 1e-8);
    world_destroy(state);
}

// Feedback instead of projection: what is wrong decays by itself, and only so far.
TEST(baumgarte_pulls_joints_together) {
    carom_model *model = joints_chain(2, CAROM_JOINT_HINGE, down);
    carom_method_def method = joints_method(CAROM_INTEGRATOR_RK4, 0.002, 1e-9);
    method.stabilisation = CAROM_STABILISATION_BAUMGARTE;
    carom_state *state = joints_state(model, &method);
    carom_body_state moved = world_body(state, 1);
    moved.position.y += 1e-3;
    CHECK_INT(carom_state_set_body(state, (carom_body){1}, &moved, NULL), CAROM_OK);
    double at_first = joints_get(state, 1).linear_drift;
    world_run(state, 250);
    double later = joints_get(state, 1).linear_drift;
    // c'' + 2 a c' + a^2 c = 0: (1 + a t) exp(-a t) of the start, a = 20, t = 0.5: 5e-4.
    CHECK_NEAR(at_first, 1e-3, 1e-12);
    CHECK(later < 2e-6 && later > 1e-8);
    world_destroy(state);
}

// The state of a run that was stopped goes on with the same bits, dp54's substep included.
BY_BOTH(a_saved_state_goes_on_with_the_same_bits) {
    carom_method_def method = joints_method_by(by, CAROM_INTEGRATOR_DP54, 0.1, 1e-10);
    carom_model *model = joints_chain(3, CAROM_JOINT_BALL, down);
    carom_state *state = joints_state(model, &method), *other = joints_state(model, &method);
    world_run(state, 5);
    size_t size = carom_state_size(state);
    void *bytes = malloc(size);
    carom_state_save(state, bytes);
    CHECK_INT(carom_state_load(other, bytes, size, NULL), CAROM_OK);
    CHECK(carom_state_hash(other) == carom_state_hash(state));
    world_run(state, 5);
    world_run(other, 5);
    CHECK(carom_state_hash(other) == carom_state_hash(state));
    carom_method_def looser = method;
    looser.relative_tolerance = 1e-9;
    carom_state *third = joints_state(model, &looser);
    carom_error error;
    CHECK_INT(carom_state_load(third, bytes, size, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "made with method.relative_tolerance ");
    free(bytes);
    carom_state_destroy(other);
    carom_state_destroy(third);
    world_destroy(state);
}

TEST(bad_settings_are_refused) {
    static const struct {
        carom_method_def def;
        const char *sentence;
    } cases[] = {
        {{.integrator = (carom_integrator)7}, "method.integrator is 7, must be \"dp54\", \"rk4\" or \"euler\""},
        {{.relative_tolerance = 0.0}, "method.relative_tolerance is 0, must be a number from 1e-15 to below 1"},
        {{.absolute_tolerance = -1.0}, "method.absolute_tolerance is -1"},
        {{.substep_limit = -1}, "method.substep_limit is -1"},
        {{.stabilisation = (carom_stabilisation)9}, "method.stabilisation is 9"},
        {{.baumgarte_alpha = -3.0}, "method.baumgarte_alpha is -3 1/s"},
    };
    carom_model *model = joints_chain(1, CAROM_JOINT_BALL, down);
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        carom_method_def def = joints_method(CAROM_INTEGRATOR_DP54, 0.01, 1e-9);
        const carom_method_def *bad = &cases[i].def;
        if (bad->integrator != 0) def.integrator = bad->integrator;
        if (i == 1) def.relative_tolerance = 0.0;
        if (bad->absolute_tolerance != 0.0) def.absolute_tolerance = bad->absolute_tolerance;
        if (bad->substep_limit != 0) def.substep_limit = bad->substep_limit;
        if (bad->stabilisation != 0) def.stabilisation = bad->stabilisation;
        if (bad->baumgarte_alpha != 0.0) def.baumgarte_alpha = bad->baumgarte_alpha;
        carom_state *state;
        carom_error error;
        CHECK_INT(carom_state_create(model, &def, &state, &error), CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, cases[i].sentence);
    }
    carom_model_destroy(model);
}

// Far from the origin positions are rounded more, and nothing else is different.
BY_BOTH(a_system_far_away_moves_as_at_home) {
    carom_vec3 at_home[2];
    for (int far = 0; far < 2; far++) {
        carom_vec3 away = crm_scale(far * 1000.0, crm_vec3(1.0, -2.0, 0.5));
        carom_model *model = world_model(down, 0.0);
        carom_body last = CAROM_WORLD;
        for (int i = 0; i < 3; i++) {
            carom_body_def bar = joints_bar(crm_add(away, crm_vec3(i + 0.5, 0.0, 0.0)));
            carom_body body = world_add(model, &bar);
            carom_joint_def def = joints_def(model, CAROM_JOINT_HINGE, last, body, crm_add(away, crm_vec3(i, 0.0, 0.0)),
                                             crm_vec3(0.0, 1.0, 0.2 * i));
            joints_add(model, &def);
            last = body;
        }
        carom_method_def method = joints_method_by(by, CAROM_INTEGRATOR_RK4, 0.005, 1e-9);
        carom_state *state = joints_state(model, &method);
        carom_step_report report = world_run(state, 100);
        CHECK(report.joint_drift < (far ? 1e-12 : 1e-15));
        carom_vec3 x[2] = {crm_sub(world_body(state, 2).position, away), joints_get(state, 0).end_force};
        for (int k = 0; k < 2; k++) {
            if (far)
                CHECK_NEAR(crm_length(crm_sub(x[k], at_home[k])), 0.0, k == 0 ? 1e-9 : 1e-6);
            else
                at_home[k] = x[k];
        }
        world_destroy(state);
    }
}

// Nothing moves, nothing is there, bodies without joints.
BY_BOTH(models_without_joints_or_without_motion) {
    carom_model *model = world_model(down, 0.0);
    carom_method_def method = joints_method_by(by, CAROM_INTEGRATOR_DP54, 0.1, 1e-10);
    carom_state *state = joints_state(model, &method);
    world_run(state, 3);
    world_destroy(state);
    model = world_model(down, 0.0);
    carom_body_def bar = joints_bar(crm_vec3_zero());
    bar.kind = CAROM_BODY_FIXED;
    world_add(model, &bar);
    state = joints_state(model, &method);
    world_run(state, 3);
    CHECK_NEAR(world_body(state, 0).position.z, 0.0, 0.0);
    world_destroy(state);
    model = world_model(down, 0.0);
    bar.kind = CAROM_BODY_FREE;
    bar.spin = crm_vec3(1.0, 2.0, 3.0);
    world_add(model, &bar);
    state = joints_state(model, &method);
    carom_momentum before = carom_state_momentum(state);
    world_run(state, 10);
    CHECK_NEAR(world_body(state, 0).position.z, -0.5 * g, 1e-12);
    carom_momentum after = carom_state_momentum(state);
    // Multiplier integrates L itself; reduced the spin.
    double tolerance = by == CAROM_METHOD_MULTIPLIER ? 1e-12 : 1e-9;
    CHECK_NEAR(crm_length(crm_sub(after.angular, before.angular)), 0.0, tolerance);
    CHECK_NEAR(world_energy(state), crm_dot(before.angular, bar.spin) * 0.5, 1e-9);
    world_destroy(state);
}

BY_BOTH(any_refused_allocation_is_said_and_leaks_nothing) {
    int calls = 0;
    for (int n = 1; n < 1000; n++) {
        probe_allocator probe = {0};
        carom_allocator hook = probe_allocator_hook(&probe);
        carom_model_def def = carom_model_def_default();
        def.allocator = &hook;
        carom_model *model;
        CHECK_INT(carom_model_create(&def, &model, NULL), CAROM_OK);
        carom_body_def bar = joints_bar(crm_vec3(0.5, 0.0, 0.0));
        carom_body body = world_add(model, &bar);
        carom_joint_def hinge = joints_def(model, CAROM_JOINT_HINGE, CAROM_WORLD, body, crm_vec3_zero(), z_axis);
        hinge.coordinate[0].upper = 1.0;
        joints_add(model, &hinge);
        CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
        probe.refused_call = probe.calls + n;
        carom_method_def method = joints_method_by(by, CAROM_INTEGRATOR_DP54, 0.1, 1e-10);
        carom_state *state = NULL;
        carom_error error = {.text = ""};
        carom_status status = carom_state_create(model, &method, &state, &error);
        bool refused = probe.calls >= probe.refused_call;
        CHECK_INT(status, refused ? CAROM_ERR_NO_MEMORY : CAROM_OK);
        if (refused) CHECK(error.text[0] != '\0' && state == NULL);
        if (!refused) {
            long long before = probe.calls;
            world_run(state, 3);
            CHECK_INT(probe.calls, before); // a step allocates nothing
        }
        carom_state_destroy(state);
        carom_model_destroy(model);
        CHECK_INT(probe.live_blocks, 0);
        if (!refused) break;
        calls = n;
    }
    CHECK(calls >= 3);
}

TEST_MAIN(CASE(a_pendulum_has_its_period), CASE(a_pendulum_pulls_at_its_pivot), CASE(reactions_of_steady_states),
          CASE(a_slider_on_a_spring_with_a_damper), CASE(a_chain_of_five_links_has_order_four_with_rk4),
          CASE(a_floating_chain_keeps_momenta_and_energy), CASE(baumgarte_pulls_joints_together),
          CASE(a_saved_state_goes_on_with_the_same_bits), CASE(bad_settings_are_refused),
          CASE(a_system_far_away_moves_as_at_home), CASE(models_without_joints_or_without_motion),
          CASE(any_refused_allocation_is_said_and_leaks_nothing))
