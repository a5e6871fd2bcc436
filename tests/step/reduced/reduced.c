// SPDX-License-Identifier: MIT
// What reduced has of its own: joints closed by construction, conservation, long chains, refusals.
#include <math.h>

#include "math/quat.h"
#include "support/harness/check.h"
#include "support/model/joints.h"
#include "support/model/random_tree.h"

static const carom_vec3 down = {0.0, 0.0, -9.81};

static carom_method_def by_reduced(carom_integrator integrator, double step, double tolerance) {
    return joints_method_by(CAROM_METHOD_REDUCED, integrator, step, tolerance);
}

// No force from outside: momenta and energy stay, within the tolerance, and joints are closed to rounding.
TEST(floating_trees_keep_momenta_and_energy) {
    sampler s = {.seed = 81};
    for (int i = 0; i < 6; i++) {
        carom_model *model = random_tree(&s, &(random_tree_def){.links = 3 + 2 * i, .floating = true});
        carom_method_def method = by_reduced(CAROM_INTEGRATOR_DP54, 0.02, 1e-11);
        carom_state *state = joints_state(model, &method);
        carom_momentum before = carom_state_momentum(state);
        double energy = world_energy(state);
        for (int k = 0; k < 25; k++)
            if (!CHECK(world_run(state, 1).joint_drift < 1e-14)) break;
        carom_momentum after = carom_state_momentum(state);
        CHECK_NEAR(crm_length(crm_sub(after.linear, before.linear)), 0.0, 1e-8);
        CHECK_NEAR(crm_length(crm_sub(after.angular, before.angular)), 0.0, 1e-8);
        CHECK_NEAR(world_energy(state), energy, 1e-8);
        world_destroy(state);
    }
}

// All that can act in trees of all bodies and joints: the certificate's balances close, as the forces' work and
// impulses are added up by themselves.
TEST(balances_of_driven_trees_close) {
    sampler s = {.seed = 82};
    for (int i = 0; i < 6; i++) {
        carom_model *model = random_tree(&s, &(random_tree_def){.links = 12, .all_kinds = true, .driven = true});
        carom_method_def method = by_reduced(CAROM_INTEGRATOR_DP54, 0.02, 1e-11);
        carom_state *state = joints_state(model, &method);
        for (int k = 0; k < 10; k++) {
            carom_step_report report = world_run(state, 1);
            if (!CHECK(report.momentum_balance < 1e-10 && fabs(report.energy_balance) < 1e-8)) break;
        }
        world_destroy(state);
    }
}

// The same motion by multiplier, which knows nothing of coordinates, where limits are hit and motors run.
TEST(trees_with_limits_and_motors_move_as_by_multiplier) {
    sampler s = {.seed = 83};
    for (int i = 0; i < 4; i++) {
        carom_model *model = random_tree(&s, &(random_tree_def){.links = 6, .bounded = true});
        carom_method_def method = by_reduced(CAROM_INTEGRATOR_DP54, 0.02, 1e-11);
        carom_state *reduced = joints_state(model, &method);
        method.method = CAROM_METHOD_MULTIPLIER;
        carom_state *multiplier = joints_state(model, &method);
        world_run(reduced, 10);
        world_run(multiplier, 10);
        for (int b = 0; b < 6; b++) {
            carom_body_state one = world_body(reduced, b), other = world_body(multiplier, b);
            CHECK_NEAR(crm_length(crm_sub(one.position, other.position)), 0.0, 1e-8);
            CHECK_NEAR(crm_length(crm_sub(one.velocity, other.velocity)), 0.0, 1e-7);
            CHECK_NEAR(crm_quat_angle(one.attitude, other.attitude), 0.0, 1e-7);
        }
        for (int j = 0; j < 6; j++) {
            carom_joint_state one = joints_get(reduced, j), other = joints_get(multiplier, j);
            double size = 1.0 + crm_length(other.force) + crm_length(other.torque);
            CHECK_NEAR(crm_length(crm_sub(one.force, other.force)), 0.0, 1e-6 * size);
            CHECK_NEAR(crm_length(crm_sub(one.torque, other.torque)), 0.0, 1e-6 * size);
        }
        carom_state_destroy(multiplier);
        world_destroy(reduced);
    }
}

// Semi-implicit Euler is of order 1 on a chain, too.
TEST(a_chain_has_order_one_with_euler) {
    double error[2];
    carom_vec3 wanted = {0.0, 0.0, 0.0};
    for (int run = -1; run < 2; run++) {
        carom_method_def def = run < 0 ? by_reduced(CAROM_INTEGRATOR_DP54, 0.05, 1e-12)
                                       : by_reduced(CAROM_INTEGRATOR_EULER, run == 0 ? 1e-3 : 5e-4, 1e-9);
        carom_state *state = joints_state(joints_chain(3, CAROM_JOINT_HINGE, down), &def);
        world_run(state, (int)lround(0.4 / def.step));
        carom_vec3 last = world_body(state, 2).position;
        if (run < 0)
            wanted = last;
        else
            error[run] = crm_length(crm_sub(last, wanted));
        world_destroy(state);
    }
    CHECK_NEAR(log2(error[0] / error[1]), 1.0, 0.1);
}

// Thin bars of 0.1 m and 0.1 kg on ball joints, let go level.
static carom_model *hanging_chain(int links) {
    carom_model *model = world_model(down, 0.0);
    const double length = 0.1, thick = 0.01, mass = 0.1;
    double across = mass * (length * length + thick * thick) / 12.0, along = mass * thick * thick / 6.0;
    carom_body last = CAROM_WORLD;
    for (int i = 0; i < links; i++) {
        carom_body_def bar = world_body_def(mass, crm_vec3(along, across, across));
        bar.position = crm_vec3(length * (i + 0.5), 0.0, 0.0);
        carom_body body = world_add(model, &bar);
        carom_joint_def def = carom_joint_def_default();
        def.kind = CAROM_JOINT_BALL;
        def.a = last;
        def.b = body;
        def.point_a.x = i == 0 ? 0.0 : 0.5 * length;
        def.point_b.x = -0.5 * length;
        joints_add(model, &def);
        last = body;
    }
    return model;
}

TEST(a_long_chain_keeps_its_energy) {
    carom_method_def method = by_reduced(CAROM_INTEGRATOR_DP54, 1.0 / 240.0, 1e-7);
    method.absolute_tolerance = 1e-10;
    carom_state *state = joints_state(hanging_chain(100), &method);
    double energy = world_energy(state), largest = 0.0, drift = 0.0;
    for (int i = 0; i < 120; i++) {
        carom_step_report report = world_run(state, 1);
        largest = fmax(largest, report.energy.kinetic);
        drift = fmax(drift, fabs(report.energy.kinetic + report.energy.potential - energy));
        if (!CHECK(report.joint_drift < 1e-14)) break;
    }
    CHECK(largest > 50.0);
    CHECK(drift < 1e-5 * largest);
    world_destroy(state);
}

// A chain of any length is solved in one pass each way: what is not linear would show as a wrong acceleration at the
// far end, where a level chain let go falls freely.
TEST(the_far_end_of_a_level_chain_falls_freely) {
    carom_method_def method = by_reduced(CAROM_INTEGRATOR_RK4, 1e-4, 1e-9);
    carom_state *state = joints_state(hanging_chain(3000), &method);
    world_run(state, 1);
    CHECK_NEAR(world_body(state, 2999).velocity.z, -9.81e-4, 1e-12);
    CHECK_NEAR(joints_get(state, 2999).end_force.z, 0.0, 1e-9);
    CHECK_NEAR(world_body(state, 0).velocity.x, 0.0, 1e-9);
    world_destroy(state);
}

TEST(loops_are_refused_with_the_method_that_takes_them) {
    carom_model *model = joints_chain(3, CAROM_JOINT_BALL, down);
    carom_joint_def def =
        joints_def(model, CAROM_JOINT_BALL, CAROM_WORLD, (carom_body){2}, crm_vec3(3.0, 0.0, 0.0), crm_vec3(0, 1, 0));
    joints_add(model, &def);
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    carom_method_def method = by_reduced(CAROM_INTEGRATOR_DP54, 0.01, 1e-9);
    carom_state *state;
    carom_error error;
    CHECK_INT(carom_state_create(model, &method, &state, &error), CAROM_ERR_UNSUPPORTED);
    CHECK_CONTAINS(error.text, "the method reduced has no joints that close loops");
    CHECK_CONTAINS(error.text, "multiplier");
    carom_model_destroy(model);
}

// A body whose inertia is lost in the roundings of its arm: its rotation about the arm would be anything.
TEST(a_body_without_inertia_about_a_free_axis_is_refused) {
    carom_model *model = world_model(down, 0.0);
    carom_body_def needle = world_body_def(1.0, crm_vec3(1e-20, 1e-20, 1e-20));
    needle.position = crm_vec3(1.0, 1.0, 1.0);
    needle.name = "needle";
    carom_body body = world_add(model, &needle);
    carom_joint_def def =
        joints_def(model, CAROM_JOINT_BALL, CAROM_WORLD, body, crm_vec3_zero(), crm_vec3(0.0, 0.0, 1.0));
    joints_add(model, &def);
    carom_method_def method = by_reduced(CAROM_INTEGRATOR_RK4, 0.01, 1e-9);
    carom_state *state = joints_state(model, &method);
    uint64_t before = carom_state_hash(state);
    carom_step_report report;
    CHECK_INT(carom_step(model, state, NULL, &report, NULL), CAROM_OK);
    CHECK_INT(report.outcome, CAROM_STEP_IMPOSSIBLE);
    CHECK_INT(report.body.index, 0);
    CHECK_CONTAINS(report.text, "body 'needle' and what hangs on it have no inertia against a free motion");
    CHECK(carom_state_hash(state) == before);
    world_destroy(state);
}

TEST(no_bit_depends_on_the_threads) {
    sampler s = {.seed = 84};
    carom_model *model = random_tree(&s, &(random_tree_def){.links = 30, .all_kinds = true, .driven = true});
    uint64_t hash = 0;
    for (int threads = 1; threads <= 4; threads *= 2) {
        carom_method_def method = by_reduced(CAROM_INTEGRATOR_DP54, 0.02, 1e-9);
        method.threads = threads;
        carom_state *state = joints_state(model, &method);
        world_run(state, 5);
        if (threads == 1) hash = carom_state_hash(state);
        CHECK(carom_state_hash(state) == hash);
        carom_state_destroy(state);
    }
    carom_model_destroy(model);
}

TEST_MAIN(CASE(floating_trees_keep_momenta_and_energy), CASE(balances_of_driven_trees_close),
          CASE(trees_with_limits_and_motors_move_as_by_multiplier), CASE(a_chain_has_order_one_with_euler),
          LONG_CASE(a_long_chain_keeps_its_energy), CASE(the_far_end_of_a_level_chain_falls_freely),
          CASE(loops_are_refused_with_the_method_that_takes_them),
          CASE(a_body_without_inertia_about_a_free_axis_is_refused), CASE(no_bit_depends_on_the_threads))
