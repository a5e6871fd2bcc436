// SPDX-License-Identifier: MIT
// Loops, redundant rows, all kinds of bodies, and the cost of long chains under the method multiplier.
#include <math.h>

#include "math/quat.h"
#include "model/mechanism/joint_system.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/model/joints.h"

static const carom_vec3 down = {0.0, 0.0, -9.81}, y_axis = {0.0, 1.0, 0.0};
static const double g = 9.81, bar_mass = 2.0, bar_across = 2.0 * 1.01 / 12.0;

// A parallelogram in the x-z plane: two cranks of length 1 hang from (0,0,0) and (1,0,0), a coupler joins their ends.
// The coupler does not rotate, so that this is a pendulum of length 1 with the inertia 2 I + m, I of a crank about its
// end, and the moment 2 m g/2 + m g.
static carom_model *parallelogram(double angle) {
    carom_model *model = world_model(down, 0.0);
    carom_vec3 along = crm_vec3(sin(angle), 0.0, -cos(angle));
    carom_body crank[2];
    for (int i = 0; i < 2; i++) {
        carom_body_def bar = joints_bar(crm_madd(crm_vec3(i, 0.0, 0.0), 0.5, along));
        bar.attitude = crm_quat_between(crm_vec3(1.0, 0.0, 0.0), along);
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

// Small swings: the period of the linear pendulum, but for the known term a^2/16.
TEST(a_redundant_four_bar_linkage_swings_like_a_pendulum) {
    double inertia = 2.0 * (bar_across + 0.25 * bar_mass) + bar_mass, moment = 2.0 * bar_mass * g, a = 0.05;
    double period = 2.0 * acos(-1.0) * sqrt(inertia / moment) * (1.0 + a * a / 16.0 + 11.0 / 3072.0 * pow(a, 4.0));
    carom_method_def method = joints_method(CAROM_INTEGRATOR_DP54, period / 50.0, 1e-12);
    carom_state *state = joints_state(parallelogram(a), &method);
    CHECK_INT(carom_state_assembly(state)->redundant_rows, 3);
    double energy = world_energy(state);
    carom_step_report report = {0};
    for (int i = 0; i < 50; i++) {
        report = world_run(state, 1);
        if (!CHECK_INT(report.redundant_rows, 3)) break;
    }
    // At the end of the swing the angle is flat in time: an error of the period shows in the rate.
    CHECK_NEAR(joints_get(state, 0).coordinate[0], 0.0, 1e-9);
    CHECK_NEAR(joints_get(state, 0).rate[0], 0.0, 1e-7);
    CHECK(report.joint_drift < 1e-13);
    CHECK_NEAR(world_energy(state), energy, 1e-10);
    // However the loads are shared: both pivots together bear the weight, as the linkage is at rest at its height but
    // for the acceleration along the arc.
    carom_vec3 sum = crm_add(joints_get(state, 0).end_force, joints_get(state, 2).end_force);
    double arc = moment * sin(a) / inertia; // of the angle
    carom_vec3 along = crm_vec3(-cos(a), 0.0, -sin(a));
    carom_vec3 wanted = crm_vec3(0.0, 0.0, 3.0 * bar_mass * g);
    wanted = crm_madd(wanted, arc * (2.0 * bar_mass * 0.5 + bar_mass), along);
    CHECK_NEAR(crm_length(crm_sub(sum, wanted)), 0.0, 1e-6);
    world_destroy(state);
}

// A ring of bars with ball joints rotates freely: momenta, energy and drift.
TEST(a_floating_ring_keeps_what_it_should) {
    enum { BARS = 6 };
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    sampler s = {.seed = 5};
    double step = 2.0 * acos(-1.0) / BARS;
    for (int i = 0; i < BARS; i++) {
        double middle = (i + 0.5) * step;
        carom_body_def bar = joints_bar(crm_scale(cos(0.5 * step), crm_vec3(cos(middle), sin(middle), 0.0)));
        bar.attitude = crm_quat_from_axis_angle(crm_vec3(0.0, 0.0, 1.0), middle + 0.5 * acos(-1.0));
        bar.spin =
            crm_vec3(sample_between(&s, -1.0, 1.0), sample_between(&s, -1.0, 1.0), sample_between(&s, -1.0, 1.0));
        world_add(model, &bar);
    }
    for (int i = 0; i < BARS; i++) {
        carom_vec3 corner = crm_vec3(cos(i * step), sin(i * step), 0.0);
        carom_joint_def def =
            joints_def(model, CAROM_JOINT_BALL, (carom_body){(i + BARS - 1) % BARS}, (carom_body){i}, corner, y_axis);
        joints_add(model, &def);
    }
    carom_method_def method = joints_method(CAROM_INTEGRATOR_DP54, 0.05, 1e-11);
    carom_state *state = joints_state(model, &method);
    CHECK(carom_state_assembly(state)->velocity_gap > 0.1);
    carom_momentum before = carom_state_momentum(state);
    double energy = world_energy(state);
    CHECK(energy > 0.05);
    carom_step_report report = world_run(state, 40);
    CHECK_INT(report.redundant_rows, 0);
    CHECK(report.joint_drift < 1e-14);
    CHECK_NEAR(crm_length(crm_sub(carom_state_momentum(state).linear, before.linear)), 0.0, 1e-13);
    CHECK_NEAR(crm_length(crm_sub(carom_state_momentum(state).angular, before.angular)), 0.0, 1e-9);
    CHECK_NEAR(world_energy(state), energy, 1e-9);
    world_destroy(state);
}

// A planar bar on a hinge is the same pendulum as a free one, with three rows that block what it cannot do anyway; a
// mass point on a rod is a pendulum too, and a point on a ball joint hangs still.
TEST(planar_bodies_and_points_in_joints) {
    carom_model *model = world_model(crm_vec3(0.0, -g, 0.0), 0.0);
    for (int i = 0; i < 2; i++) {
        carom_body_def bar = joints_bar(crm_vec3(0.5, 0.0, 0.0));
        bar.kind = i == 0 ? CAROM_BODY_FREE : CAROM_BODY_PLANAR;
        carom_body body = world_add(model, &bar);
        // Upright but for rounding: rows that planar bodies feel nothing of but that.
        carom_vec3 axis = crm_vec3(1e-16, -2e-16, 1.0);
        carom_joint_def def = joints_def(model, CAROM_JOINT_HINGE, CAROM_WORLD, body, crm_vec3_zero(), axis);
        joints_add(model, &def);
    }
    carom_body_def point = carom_body_def_default();
    point.kind = CAROM_BODY_POINT;
    point.mass = 1.5;
    point.position = crm_vec3(1.0, 0.0, 0.0);
    carom_body rod = world_add(model, &point);
    carom_joint_def def = carom_joint_def_default();
    def.kind = CAROM_JOINT_DISTANCE;
    def.b = rod;
    def.a = CAROM_WORLD;
    def.length = 1.0;
    joints_add(model, &def);
    carom_method_def method = joints_method(CAROM_INTEGRATOR_DP54, 0.02, 1e-12);
    carom_state *state = joints_state(model, &method);
    carom_step_report report = {0};
    for (int i = 0; i < 50; i++) {
        report = world_run(state, 1);
        CHECK_NEAR(joints_get(state, 1).coordinate[0], joints_get(state, 0).coordinate[0], 1e-11);
        CHECK_NEAR(crm_length(crm_sub(joints_get(state, 1).end_force, joints_get(state, 0).end_force)), 0.0, 1e-8);
        // The rod pulls with 3 m g cos of the angle from below.
        carom_vec3 x = world_body(state, 2).position;
        CHECK_NEAR(crm_length(joints_get(state, 2).end_force), fabs(3.0 * 1.5 * g * x.y), 1e-8);
    }
    CHECK_INT(report.redundant_rows, 3);
    CHECK_NEAR(crm_length(world_body(state, 2).position), 1.0, 1e-13);
    world_destroy(state);
}

// Operations of one factorization, from the analysis of its pattern: so many per link, whatever their number.
static double operations(carom_model *model, int *left_out) {
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_joint_system system;
    CHECK_INT(crm_joint_system_create(model, &arena, &system, NULL), CAROM_OK);
    int bodies = model->bodies.count;
    crm_motion *motions = CRM_ARENA_ZEROED(&arena, crm_motion, bodies);
    crm_joint_config *configs = CRM_ARENA_ZEROED(&arena, crm_joint_config, model->joints.count);
    crm_vec6 *t = CRM_ARENA_ZEROED(&arena, crm_vec6, bodies);
    double *lambda = CRM_ARENA_ZEROED(&arena, double, system.row_count);
    for (int b = 0; b < bodies; b++) {
        motions[b] = crm_motion_initial(&model->bodies.items[b]);
        t[b].linear = crm_vec3(0.0, 0.0, -bar_mass * g);
    }
    crm_joint_system_evaluate(&system, motions, configs);
    crm_joint_system_solve(&system, t, lambda);
    *left_out = system.redundant;
    // M t = f + J^T lambda and J t = 0, whatever the condition of a long chain.
    double worst = 0.0;
    for (int j = 0; j < model->joints.count; j++) {
        const crm_joint *joint = &model->joints.items[j];
        crm_joint_twists twists = {crm_vec6_zero(), crm_vec6_zero()};
        if (joint->a.body >= 0) twists.a = t[joint->a.body];
        if (joint->b.body >= 0) twists.b = t[joint->b.body];
        for (int r = system.first_row[j]; r < system.first_row[j + 1]; r++)
            worst = fmax(worst, fabs(crm_joint_row_rate(&system.row[r], &twists)));
    }
    CHECK(worst < 1e-9 * g);
    double flops = system.symbolic.flop_count;
    crm_arena_free(&arena);
    carom_model_destroy(model);
    return flops;
}

TEST(the_cost_of_a_chain_is_linear_in_its_links) {
    static const carom_joint_kind kinds[] = {CAROM_JOINT_BALL, CAROM_JOINT_HINGE, CAROM_JOINT_FIXED};
    for (int k = 0; k < 3; k++) {
        int left_out;
        double per_link = operations(joints_chain(100, kinds[k], down), &left_out) / 100.0;
        CHECK_INT(left_out, 0);
        double many = operations(joints_chain(3000, kinds[k], down), &left_out) / 3000.0;
        CHECK_INT(left_out, 0);
        CHECK_NEAR(many / per_link, 1.0, 0.02);
    }
}

// A body with very many joints is no worse than a chain: leaves go first.
TEST(the_cost_of_a_star_is_linear_in_its_arms) {
    double per_arm[2];
    for (int run = 0; run < 2; run++) {
        int arms = run == 0 ? 100 : 1000, left_out;
        carom_model *model = world_model(down, 0.0);
        carom_body_def bar = joints_bar(crm_vec3_zero());
        carom_body hub = world_add(model, &bar);
        for (int i = 0; i < arms; i++) {
            carom_body_def arm = joints_bar(crm_vec3(0.5, i, 0.0));
            carom_body body = world_add(model, &arm);
            carom_joint_def def = joints_def(model, CAROM_JOINT_HINGE, hub, body, crm_vec3(0.0, i, 0.0), y_axis);
            joints_add(model, &def);
        }
        per_arm[run] = operations(model, &left_out) / arms;
        CHECK_INT(left_out, 0);
    }
    CHECK_NEAR(per_arm[1] / per_arm[0], 1.0, 0.02);
}

TEST_MAIN(CASE(a_redundant_four_bar_linkage_swings_like_a_pendulum), CASE(a_floating_ring_keeps_what_it_should),
          CASE(planar_bodies_and_points_in_joints), CASE(the_cost_of_a_chain_is_linear_in_its_links),
          CASE(the_cost_of_a_star_is_linear_in_its_arms))
