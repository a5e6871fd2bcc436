// SPDX-License-Identifier: MIT
// Springs, dampers and motors of joints: energies, powers, targets.
#include <math.h>

#include "model/force/evaluate.h"
#include "support/harness/check.h"
#include "support/model/jointed_pair.h"

static const double dt = 1e-3;

// A pair moving freely along its coordinates, both bodies at random twists that keep the joint closed.
typedef struct moving_pair {
    carom_model *model;
    const crm_joint *joint;
    crm_motion at[2];
    crm_joint_config config;
    double rate[6];
    crm_joint_twists twists;
} moving_pair;

static void set_momenta(const moving_pair *pair, const crm_joint_twists *t, crm_motion motions[2]) {
    const crm_vec6 twist[2] = {t->a, t->b};
    for (int b = 0; b < 2; b++) {
        const crm_body *body = &pair->model->bodies.items[b];
        motions[b].p = crm_scale(body->mass, twist[b].linear);
        motions[b].l = crm_motion_angular_momentum(body, motions[b].q, twist[b].angular);
    }
}

static void pair_after(const moving_pair *pair, double time, crm_motion to[2]) {
    double step[6];
    for (int k = 0; k < pair->joint->free; k++) step[k] = time * pair->rate[k];
    to[0] = pair->at[0];
    to[1] = pair->at[1];
    to[0].x = crm_madd(pair->at[0].x, time, pair->twists.a.linear);
    to[0].q = crm_quat_step(pair->at[0].q, pair->twists.a.angular, time);
    crm_joint_config config = crm_joint_config_step(pair->joint, &pair->config, step);
    crm_joint_put_child(pair->joint, &config, false, to);
}

static moving_pair start(sampler *s, const carom_joint_def *def) {
    moving_pair pair = {.model = jointed_pair(s, def, PAIR_BOTH_MOVE)};
    pair.joint = pair_joint(pair.model);
    pair_poses(s, pair.at);
    pair.config = pair_config(s, pair.joint);
    crm_joint_put_child(pair.joint, &pair.config, false, pair.at);
    crm_joint_pose pose = crm_joint_evaluate(pair.joint, pair.at);
    crm_vec6 column[6];
    crm_joint_motion(pair.joint, &pose, false, column);
    pair.twists.a = crm_vec6_of(sample_vec3(s, 1.0), sample_vec3(s, 1.0));
    pair.twists.b = crm_motion_shift(pair.twists.a, crm_sub(pair.at[1].x, pair.at[0].x));
    for (int k = 0; k < pair.joint->free; k++) {
        pair.rate[k] = sample_between(s, -1.0, 1.0);
        pair.twists.b = crm_vec6_madd(pair.twists.b, pair.rate[k], column[k]);
    }
    set_momenta(&pair, &pair.twists, pair.at);
    return pair;
}

// Power of the wrenches on both bodies, and how far they are from balance about the origin.
static double power(const moving_pair *pair, const crm_vec6 wrench[2], double *imbalance) {
    crm_vec6 sum = crm_vec6_add(crm_force_shift(wrench[0], crm_negate(pair->at[0].x)),
                                crm_force_shift(wrench[1], crm_negate(pair->at[1].x)));
    *imbalance = crm_length(sum.linear) + crm_length(sum.angular);
    return crm_vec6_dot(wrench[0], pair->twists.a) + crm_vec6_dot(wrench[1], pair->twists.b);
}

TEST(springs_do_the_work_that_their_energy_loses) {
    sampler s = {.seed = 1};
    for (int sort = 0; sort < JOINT_SORTS - 1; sort++) {
        carom_joint_def def = sorted_joint_def(sort);
        for (int k = 0; k < def.linear_free + def.angular_free; k++) {
            def.coordinate[k].stiffness = sample_between(&s, 1.0, 3.0);
            def.coordinate[k].rest = sample_between(&s, -1.0, 1.0);
        }
        moving_pair pair = start(&s, &def);
        double energy[5], imbalance;
        for (int i = 0; i < 5; i++) {
            crm_motion at[2];
            pair_after(&pair, (i - 2) * dt, at);
            energy[i] = crm_joints_energy(pair.model, at, &pair.config, NULL, 0);
        }
        double rate = (8.0 * (energy[3] - energy[1]) - (energy[4] - energy[0])) / (12.0 * dt);
        crm_vec6 wrench[2] = {crm_vec6_zero(), crm_vec6_zero()}, active[2] = {crm_vec6_zero(), crm_vec6_zero()};
        crm_vec6 passive[2] = {crm_vec6_zero(), crm_vec6_zero()};
        crm_joints_add_forces(pair.model, pair.at, &pair.config, NULL, wrench, active, passive);
        CHECK_NEAR(power(&pair, wrench, &imbalance), -rate, 1e-9);
        CHECK_NEAR(imbalance, 0.0, 1e-13);
        CHECK_NEAR(power(&pair, active, &imbalance), 0.0, 0.0);
        carom_model_destroy(pair.model);
    }
}

TEST(dampers_take_damping_times_the_square_of_the_rate) {
    sampler s = {.seed = 2};
    for (int sort = 0; sort < JOINT_SORTS - 1; sort++) {
        carom_joint_def def = sorted_joint_def(sort);
        for (int k = 0; k < def.linear_free + def.angular_free; k++)
            def.coordinate[k].damping = sample_between(&s, 1.0, 3.0);
        moving_pair pair = start(&s, &def);
        double taken = 0.0, imbalance;
        for (int k = 0; k < pair.joint->free; k++) taken += def.coordinate[k].damping * pair.rate[k] * pair.rate[k];
        crm_vec6 wrench[2] = {crm_vec6_zero(), crm_vec6_zero()}, active[2] = {crm_vec6_zero(), crm_vec6_zero()};
        crm_vec6 passive[2] = {crm_vec6_zero(), crm_vec6_zero()};
        crm_joints_add_forces(pair.model, pair.at, &pair.config, NULL, wrench, active, passive);
        CHECK_NEAR(power(&pair, active, &imbalance), -taken, 1e-12);
        CHECK_NEAR(imbalance, 0.0, 1e-13);
        carom_model_destroy(pair.model);
    }
}

// A spring on an angle pulls back through full rotations, not to the nearest one.
TEST(spring_counts_full_rotations) {
    sampler s = {.seed = 3};
    carom_joint_def def = carom_joint_def_default();
    def.kind = CAROM_JOINT_HINGE;
    def.coordinate[0].stiffness = 2.0;
    moving_pair pair = start(&s, &def);
    double angle = pair.config.angle[0] + 4.0 * 3.14159265358979323846;
    pair.config.angle[0] = angle;
    CHECK_NEAR(crm_joints_energy(pair.model, pair.at, &pair.config, NULL, 0), angle * angle, 1e-11);
    carom_model_destroy(pair.model);
}

static double motor(carom_motor_def def, double value, double rate) {
    carom_coordinate_def coordinate = carom_coordinate_def_default();
    return crm_joint_coordinate_force(&coordinate, &def, value, rate).active;
}

TEST(motors_follow_their_law_within_their_bound) {
    carom_motor_def def = {.kind = CAROM_MOTOR_FORCE, .force = 3.0, .max_force = INFINITY, .stiffness = 9.0};
    CHECK_NEAR(motor(def, 0.3, 0.2), 3.0, 0.0);
    def.max_force = 2.0;
    CHECK_NEAR(motor(def, 0.3, 0.2), 2.0, 0.0);
    def = (carom_motor_def){CAROM_MOTOR_POSITION, 1.0, 0.5, -0.25, 8.0, 2.0, INFINITY};
    CHECK_NEAR(motor(def, 0.75, 1.0), 8.0 * 0.25 + 2.0 * -0.5 - 0.25, 1e-15);
    def.max_force = 0.5;
    CHECK_NEAR(motor(def, 2.0, 1.0), -0.5, 0.0);
    def.kind = CAROM_MOTOR_VELOCITY;
    CHECK_NEAR(motor(def, 2.0, 1.0), 0.0, 0.0); // is a row, not a force
    def.kind = CAROM_MOTOR_NONE;
    CHECK_NEAR(motor(def, 2.0, 1.0), 0.0, 0.0);
}

// What the input says replaces the targets of the motors it names, and of no others.
TEST(input_sets_targets_of_motors) {
    sampler s = {.seed = 4};
    carom_joint_def def = carom_joint_def_default();
    def.linear_free = 3;
    def.angular_free = 1;
    for (int k = 0; k < 4; k++)
        def.coordinate[k].motor = (carom_motor_def){CAROM_MOTOR_FORCE, 0.0, 0.0, 1.0 + k, 0.0, 0.0, INFINITY};
    def.coordinate[2].motor.kind = CAROM_MOTOR_NONE;
    moving_pair pair = start(&s, &def);
    const carom_motor_input entries[] = {{{0}, 1, 0.0, 0.0, 20.0}, {{0}, 3, 7.0, 8.0, 40.0}};
    const carom_input input = {.motor_count = 2, .motor = entries};
    static const double wanted[4] = {1.0, 20.0, 3.0, 40.0};
    double work = 0.0, imbalance;
    for (int k = 0; k < 4; k++) {
        carom_motor_def got = crm_joint_motor(pair.model, 0, k, &input);
        CHECK_NEAR(got.force, wanted[k], 0.0);
        if (k != 2) work += wanted[k] * pair.rate[k];
    }
    CHECK_NEAR(crm_joint_motor(pair.model, 0, 3, &input).target_rate, 8.0, 0.0);
    CHECK_NEAR(crm_joint_motor(pair.model, 0, 3, NULL).force, 4.0, 0.0);
    crm_vec6 wrench[2], active[2], passive[2];
    crm_forces_evaluate(pair.model, 0.0, pair.at, &pair.config, &input, wrench, active, passive);
    CHECK_NEAR(power(&pair, active, &imbalance), work, 1e-12);
    carom_model_destroy(pair.model);
}

TEST_MAIN(CASE(springs_do_the_work_that_their_energy_loses), CASE(dampers_take_damping_times_the_square_of_the_rate),
          CASE(spring_counts_full_rotations), CASE(motors_follow_their_law_within_their_bound),
          CASE(input_sets_targets_of_motors))
