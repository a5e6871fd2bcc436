// SPDX-License-Identifier: MIT
// Every joint against finite differences, at random poses and along random motions.
#include "model/joint/joint.h"

#include <math.h>

#include "math/dense/dense_qr.h"
#include "math/so3.h"
#include "support/harness/check.h"
#include "support/model/jointed_pair.h"

enum { TRIALS = 8 };

// Central differences of fourth order: with steps of 1e-3 s and quantities of size 1 they err by some 1e-12 (first) and
// 1e-9 (second derivatives), where higher derivatives grow at most tenfold each.
static const double dt = 1e-3, first_tolerance = 1e-8, second_tolerance = 1e-5;

// f at the times -2 dt ... 2 dt.
static double first_derivative(const double f[5]) {
    return (8.0 * (f[3] - f[1]) - (f[4] - f[0])) / (12.0 * dt);
}

static double second_derivative(const double f[5]) {
    return (16.0 * (f[3] + f[1]) - (f[4] + f[0]) - 30.0 * f[2]) / (12.0 * dt * dt);
}

// What every case does with each sort of joint and each way of joining the world.
typedef void pair_check(sampler *s, const carom_model *model, const crm_joint *joint);

static void for_every_joint(uint64_t seed, pair_check *check) {
    sampler s = {.seed = seed};
    for (int sort = 0; sort < JOINT_SORTS; sort++) {
        for (int world = 0; world < 3; world++) {
            carom_joint_def def = sorted_joint_def(sort);
            carom_model *model = jointed_pair(&s, &def, (pair_world)world);
            for (int trial = 0; trial < TRIALS; trial++) check(&s, model, pair_joint(model));
            carom_model_destroy(model);
        }
    }
}

// Angular errors near half a rotation have fast residuals, whose differences need smaller steps.
static bool is_moderate(const crm_joint *joint, const crm_joint_pose *pose) {
    double linear, angular;
    crm_joint_drift(joint, pose, &linear, &angular);
    return angular < 2.0 && (joint->angular != &crm_joint_universal || angular < 1.0) &&
           (joint->linear != &crm_joint_distance || crm_length(pose->relation.offset) > 0.3);
}

static void check_rows(sampler *s, const carom_model *model, const crm_joint *joint) {
    (void)model;
    crm_motion at[2], moved[2];
    pair_poses(s, at);
    crm_joint_twists twists = pair_twists(s, joint);
    crm_joint_pose pose = crm_joint_evaluate(joint, at);
    if (!is_moderate(joint, &pose)) return;
    double residual[6], product[6], samples[6][5];
    crm_joint_row row[6];
    crm_joint_rows(joint, &pose, residual, row);
    crm_joint_products(joint, &pose, &twists, product);
    for (int i = 0; i < 5; i++) {
        pair_at(joint, at, &twists, (i - 2) * dt, moved);
        crm_joint_pose there = crm_joint_evaluate(joint, moved);
        crm_joint_rows(joint, &there, residual, NULL);
        for (int k = 0; k < joint->rows; k++) samples[k][i] = residual[k];
    }
    for (int k = 0; k < joint->rows; k++) {
        CHECK_NEAR(crm_joint_row_rate(&row[k], &twists), first_derivative(samples[k]), first_tolerance);
        CHECK_NEAR(product[k], second_derivative(samples[k]), second_tolerance);
    }
}

TEST(rows_are_the_derivative_of_the_residual_anywhere) {
    for_every_joint(1, check_rows);
}

// A closed joint at random coordinates, and how it moves.
typedef struct closed_pair {
    crm_motion at[2];
    crm_joint_config config;
    double rate[6];
    crm_vec6 parent; // twist
    bool reversed;
} closed_pair;

static bool can_be_closed(const crm_joint *joint) {
    return joint->linear != &crm_joint_distance;
}

static int parent_of(const crm_joint *joint, bool reversed) {
    return reversed ? joint->b.body : joint->a.body;
}

// The child must be a body, so that only the joints to the world have one direction.
static closed_pair close_pair(sampler *s, const crm_joint *joint) {
    closed_pair pair = {.reversed = joint->a.body >= 0 && (joint->b.body < 0 || sample_between(s, 0.0, 1.0) < 0.5)};
    pair_poses(s, pair.at);
    pair.config = pair_config(s, joint);
    for (int k = 0; k < joint->free; k++) pair.rate[k] = sample_between(s, -1.0, 1.0);
    if (parent_of(joint, pair.reversed) >= 0) pair.parent = crm_vec6_of(sample_vec3(s, 1.0), sample_vec3(s, 1.0));
    crm_joint_put_child(joint, &pair.config, pair.reversed, pair.at);
    return pair;
}

// The parent at constant twist, the coordinates at constant rates: poses after a time.
static void closed_at(const crm_joint *joint, const closed_pair *pair, double time, crm_motion to[2]) {
    int parent = parent_of(joint, pair->reversed);
    double step[6];
    for (int k = 0; k < joint->free; k++) step[k] = time * pair->rate[k];
    to[0] = pair->at[0];
    to[1] = pair->at[1];
    if (parent >= 0) {
        to[parent].x = crm_madd(pair->at[parent].x, time, pair->parent.linear);
        to[parent].q = crm_quat_step(pair->at[parent].q, pair->parent.angular, time);
    }
    crm_joint_config config = crm_joint_config_step(joint, &pair->config, step);
    crm_joint_put_child(joint, &config, pair->reversed, to);
}

// The twists that the motion subspace gives at these poses.
static crm_joint_twists closed_twists(const crm_joint *joint, const closed_pair *pair, const crm_motion at[2]) {
    int parent = parent_of(joint, pair->reversed), child = parent_of(joint, !pair->reversed);
    crm_joint_pose pose = crm_joint_evaluate(joint, at);
    crm_vec6 column[6];
    crm_joint_motion(joint, &pose, pair->reversed, column);
    carom_vec3 from = parent < 0 ? crm_vec3_zero() : at[parent].x;
    crm_vec6 twist = crm_motion_shift(pair->parent, crm_sub(at[child].x, from));
    for (int k = 0; k < joint->free; k++) twist = crm_vec6_madd(twist, pair->rate[k], column[k]);
    return pair->reversed ? (crm_joint_twists){twist, pair->parent} : (crm_joint_twists){pair->parent, twist};
}

static void components(crm_vec6 v, double out[6]) {
    for (int k = 0; k < 3; k++) {
        out[k] = crm_component(v.linear, k);
        out[3 + k] = crm_component(v.angular, k);
    }
}

// The bias about the child's centre of mass.
static crm_vec6 joint_bias(const crm_joint *joint, const crm_joint_pose *pose, const crm_joint_twists *twists,
                           bool reversed) {
    double rate[6];
    crm_joint_rates(joint, pose, twists, rate);
    crm_vec6 origin = crm_joint_origin_bias(joint, pose, twists->a.angular, twists->b.angular, rate);
    return reversed ? crm_vec6_negate(crm_motion_shift(origin, crm_negate(pose->arm_a)))
                    : crm_motion_shift(origin, crm_negate(pose->arm_b));
}

static void check_motion(sampler *s, const carom_model *model, const crm_joint *joint) {
    (void)model;
    if (!can_be_closed(joint)) return;
    closed_pair pair = close_pair(s, joint);
    int child = parent_of(joint, !pair.reversed);
    double poses[6][5], twists[6][5], got[6];
    for (int i = 0; i < 5; i++) {
        crm_motion at[2];
        double numbers[6];
        closed_at(joint, &pair, (i - 2) * dt, at);
        crm_joint_twists t = closed_twists(joint, &pair, at);
        components(pair.reversed ? t.a : t.b, numbers);
        for (int k = 0; k < 6; k++) twists[k][i] = numbers[k];
        // The rotation vector from the middle: its rate there is the spin.
        carom_vec3 rotation = crm_so3_log(crm_quat_mul(at[child].q, crm_quat_conjugate(pair.at[child].q)));
        for (int k = 0; k < 3; k++) {
            poses[k][i] = crm_component(at[child].x, k);
            poses[3 + k][i] = crm_component(rotation, k);
        }
    }
    crm_joint_pose pose = crm_joint_evaluate(joint, pair.at);
    crm_joint_twists now = closed_twists(joint, &pair, pair.at);
    crm_vec6 bias = joint_bias(joint, &pose, &now, pair.reversed);
    components(pair.reversed ? now.a : now.b, got);
    for (int k = 0; k < 6; k++) CHECK_NEAR(got[k], first_derivative(poses[k]), first_tolerance);
    components(bias, got);
    for (int k = 0; k < 6; k++) CHECK_NEAR(got[k], first_derivative(twists[k]), first_tolerance);
    double rate[6];
    crm_joint_rates(joint, &pose, &now, rate);
    for (int k = 0; k < joint->free; k++) CHECK_NEAR(rate[k], pair.rate[k], 1e-13);
}

TEST(motion_subspace_is_how_the_child_moves) {
    for_every_joint(2, check_motion);
}

// The two halves of a joint fit: coordinates reach only closed poses, the rows block no free motion, and together they
// are all six.
static void check_halves(sampler *s, const carom_model *model, const crm_joint *joint) {
    (void)model;
    if (!can_be_closed(joint)) return;
    closed_pair pair = close_pair(s, joint);
    crm_joint_pose pose = crm_joint_evaluate(joint, pair.at);
    double linear, angular, residual[6], matrix[36], tau[6], row_tau[6], work[12];
    int pivots[6];
    crm_joint_drift(joint, &pose, &linear, &angular);
    CHECK_NEAR(linear, 0.0, 1e-14);
    CHECK_NEAR(angular, 0.0, 1e-14);
    crm_joint_row row[6];
    crm_vec6 column[6];
    crm_joint_rows(joint, &pose, residual, row);
    crm_joint_motion(joint, &pose, pair.reversed, column);
    CHECK_INT(joint->rows + joint->free, 6);
    for (int k = 0; k < joint->rows; k++) {
        crm_vec6 side = pair.reversed ? row[k].a : row[k].b;
        for (int c = 0; c < joint->free; c++) CHECK_NEAR(crm_vec6_dot(side, column[c]), 0.0, 1e-13);
        components(side, matrix + 6 * k);
    }
    for (int c = 0; c < joint->free; c++) components(column[c], matrix + 6 * (joint->rows + c));
    crm_qr qr = {.rows = 6, .cols = 6, .lda = 6, .a = matrix, .tau = tau, .row_tau = row_tau, .pivots = pivots};
    CHECK_INT(crm_qr_factor(&qr, 1e-6, work).rank, 6);
}

TEST(coordinates_reach_what_the_rows_leave_open) {
    for_every_joint(3, check_halves);
}

static void check_round_trip(sampler *s, const carom_model *model, const crm_joint *joint) {
    (void)model;
    if (!can_be_closed(joint)) return;
    closed_pair pair = close_pair(s, joint);
    // Seven full rotations on: the last configuration says so.
    crm_joint_config wanted = pair.config;
    for (int k = 0; k < joint->angular->free && joint->angular->free < 3; k++)
        wanted.angle[k] += 14.0 * 3.14159265358979323846;
    crm_joint_pose pose = crm_joint_evaluate(joint, pair.at);
    crm_joint_config got = crm_joint_config_of(joint, &pose, &wanted);
    for (int k = 0; k < 3; k++) CHECK_NEAR(got.slide[k], wanted.slide[k], 1e-14);
    for (int k = 0; k < 2; k++) CHECK_NEAR(got.angle[k], wanted.angle[k], 1e-13);
    CHECK_NEAR(crm_quat_angle(got.rotation, wanted.rotation), 0.0, 1e-14);
    got = crm_joint_config_of(joint, &pose, NULL);
    for (int k = 0; k < 2; k++) CHECK_NEAR(got.angle[k], pair.config.angle[k], 1e-14);
}

TEST(coordinates_come_back_with_their_full_rotations) {
    for_every_joint(4, check_round_trip);
}

// Values and their rows, along a closed motion with constant rates and a parent at constant twist.
static void check_values(sampler *s, const carom_model *model, const crm_joint *joint) {
    (void)model;
    if (!can_be_closed(joint)) return;
    closed_pair pair = close_pair(s, joint);
    double samples[6][5], product[6];
    for (int i = 0; i < 5; i++) {
        crm_motion at[2];
        closed_at(joint, &pair, (i - 2) * dt, at);
        crm_joint_pose pose = crm_joint_evaluate(joint, at);
        crm_joint_config config = crm_joint_config_of(joint, &pose, &pair.config);
        double value[6];
        crm_joint_values(joint, &config, value);
        for (int k = 0; k < joint->free; k++) samples[k][i] = value[k];
    }
    crm_joint_pose pose = crm_joint_evaluate(joint, pair.at);
    crm_joint_twists now = closed_twists(joint, &pair, pair.at);
    crm_vec6 bias = joint_bias(joint, &pose, &now, pair.reversed);
    crm_joint_row row[6], rate_row[6];
    crm_joint_value_rows(joint, &pose, row);
    crm_joint_rate_rows(joint, &pose, rate_row);
    crm_joint_value_products(joint, &pose, &now, product);
    for (int k = 0; k < joint->free; k++) {
        CHECK_NEAR(crm_joint_row_rate(&row[k], &now), first_derivative(samples[k]), first_tolerance);
        CHECK_NEAR(crm_joint_row_rate(&rate_row[k], &now), pair.rate[k], 1e-13);
        double second = crm_vec6_dot(pair.reversed ? row[k].a : row[k].b, bias) + product[k];
        CHECK_NEAR(second, second_derivative(samples[k]), second_tolerance);
    }
}

TEST(values_change_as_their_rows_say) {
    for_every_joint(5, check_values);
}

// Nothing that a joint says depends on where it stands in the world.
static void check_invariance(sampler *s, const carom_model *model, const crm_joint *joint) {
    (void)model;
    if (joint->a.body < 0 || joint->b.body < 0) return;
    crm_motion at[2], moved[2];
    pair_poses(s, at);
    crm_joint_twists t = pair_twists(s, joint), rotated;
    carom_quat rotation = sample_attitude(s);
    carom_vec3 offset = sample_vec3(s, 3.0);
    for (int b = 0; b < 2; b++)
        moved[b] = (crm_motion){.x = crm_add(offset, crm_quat_rotate(rotation, at[b].x)),
                                .q = crm_quat_mul(rotation, at[b].q)};
    rotated.a = crm_vec6_of(crm_quat_rotate(rotation, t.a.linear), crm_quat_rotate(rotation, t.a.angular));
    rotated.b = crm_vec6_of(crm_quat_rotate(rotation, t.b.linear), crm_quat_rotate(rotation, t.b.angular));
    crm_joint_pose here = crm_joint_evaluate(joint, at), there = crm_joint_evaluate(joint, moved);
    if (!is_moderate(joint, &here)) return;
    double residual[2][6], product[2][6];
    crm_joint_row row[2][6];
    crm_joint_rows(joint, &here, residual[0], row[0]);
    crm_joint_rows(joint, &there, residual[1], row[1]);
    crm_joint_products(joint, &here, &t, product[0]);
    crm_joint_products(joint, &there, &rotated, product[1]);
    for (int k = 0; k < joint->rows; k++) {
        CHECK_NEAR(residual[1][k], residual[0][k], 1e-13);
        CHECK_NEAR(crm_joint_row_rate(&row[1][k], &rotated), crm_joint_row_rate(&row[0][k], &t), 1e-12);
        CHECK_NEAR(product[1][k], product[0][k], 1e-11);
    }
}

TEST(joints_do_not_depend_on_where_they_stand) {
    for_every_joint(6, check_invariance);
}

// The wrenches of a multiplier on both bodies cancel about the origin, however far apart the frames are, and are the
// reaction at B's origin.
static void check_balance(sampler *s, const carom_model *model, const crm_joint *joint) {
    (void)model;
    if (joint->a.body < 0 || joint->b.body < 0) return;
    crm_motion at[2];
    pair_poses(s, at);
    crm_joint_pose pose = crm_joint_evaluate(joint, at);
    if (!is_moderate(joint, &pose)) return;
    double residual[6], multiplier[6];
    crm_joint_row row[6];
    crm_joint_rows(joint, &pose, residual, row);
    crm_vec6 on_a = crm_vec6_zero(), on_b = crm_vec6_zero();
    for (int k = 0; k < joint->rows; k++) {
        multiplier[k] = sample_between(s, -1.0, 1.0);
        on_a = crm_vec6_madd(on_a, multiplier[k], row[k].a);
        on_b = crm_vec6_madd(on_b, multiplier[k], row[k].b);
    }
    crm_vec6 sum = crm_vec6_add(crm_force_shift(on_a, crm_negate(at[0].x)), crm_force_shift(on_b, crm_negate(at[1].x)));
    CHECK_NEAR(crm_length(sum.linear) + crm_length(sum.angular), 0.0, 1e-13);
    crm_vec6 reaction = crm_joint_reaction(joint, &pose, multiplier);
    crm_vec6 wanted = crm_force_shift(on_b, pose.arm_b);
    CHECK_NEAR(crm_distance(reaction.linear, wanted.linear), 0.0, 1e-13);
    CHECK_NEAR(crm_distance(reaction.angular, wanted.angular), 0.0, 1e-13);
}

TEST(reactions_balance_also_where_a_joint_has_drifted) {
    for_every_joint(7, check_balance);
}

// ---- large errors

// Frames that coincide with two bodies at the origin, b rotated by a known rotation.
static crm_joint_pose rotated_pose(const crm_joint *joint, carom_quat rotation) {
    const crm_motion at[2] = {
        {.q = crm_quat_identity()},
        {.q = crm_quat_mul(crm_quat_mul(joint->a.rotation, rotation), crm_quat_conjugate(joint->b.rotation))}};
    return crm_joint_evaluate(joint, at);
}

TEST(angular_residuals_are_the_angles_by_which_axes_are_off) {
    static const double angles[] = {0.0, 1e-9, 1e-4, 0.3, 0.45, 0.46, 1.0, 2.0, 3.0, 3.14};
    sampler s = {.seed = 8};
    carom_joint_def def = carom_joint_def_default();
    for (int angular = 0; angular < 3; angular++) {
        def.angular_free = angular;
        carom_model *model = jointed_pair(&s, &def, PAIR_BOTH_MOVE);
        const crm_joint *joint = pair_joint(model);
        for (int i = 0; i < 10; i++) {
            if (angular == 2 && angles[i] > 1.5) continue; // a right angle at most
            carom_vec3 across = crm_vec3(cos(1.0 + i), sin(1.0 + i), 0.0);
            if (angular == 2) across = crm_vec3(0.0, 1.0, 0.0); // lifts x_B out of the plane
            carom_quat off = crm_quat_from_axis_angle(across, angles[i]);
            // A rotation about the free axis first does not matter.
            carom_quat free =
                crm_quat_from_axis_angle(crm_vec3(angular == 2, 0.0, angular == 1), angular > 0 ? 0.7 : 0.0);
            crm_joint_pose pose = rotated_pose(joint, crm_quat_mul(off, free));
            double linear, drift;
            crm_joint_drift(joint, &pose, &linear, &drift);
            CHECK_NEAR(drift, angles[i], 1e-15 + 1e-14 * angles[i]);
        }
        carom_model_destroy(model);
    }
}

TEST(opposite_axes_of_a_hinge_are_half_a_rotation_off_and_finite) {
    sampler s = {.seed = 9};
    carom_joint_def def = carom_joint_def_default();
    def.kind = CAROM_JOINT_HINGE;
    carom_model *model = jointed_pair(&s, &def, PAIR_BOTH_MOVE);
    crm_joint_pose pose = rotated_pose(pair_joint(model), (carom_quat){0.0, 1.0, 0.0, 0.0});
    double residual[6];
    crm_joint_row row[6];
    crm_joint_rows(pair_joint(model), &pose, residual, row);
    CHECK_NEAR(sqrt(residual[3] * residual[3] + residual[4] * residual[4]), 3.14159265358979323846, 1e-7);
    for (int k = 3; k < 5; k++) CHECK(crm_vec3_finite(row[k].b.angular));
    carom_model_destroy(model);
}

TEST_MAIN(CASE(rows_are_the_derivative_of_the_residual_anywhere), CASE(motion_subspace_is_how_the_child_moves),
          CASE(coordinates_reach_what_the_rows_leave_open), CASE(coordinates_come_back_with_their_full_rotations),
          CASE(values_change_as_their_rows_say), CASE(joints_do_not_depend_on_where_they_stand),
          CASE(reactions_balance_also_where_a_joint_has_drifted),
          CASE(angular_residuals_are_the_angles_by_which_axes_are_off),
          CASE(opposite_axes_of_a_hinge_are_half_a_rotation_off_and_finite))
