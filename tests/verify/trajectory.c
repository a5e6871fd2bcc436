// SPDX-License-Identifier: MIT
// Motions of jointed bodies by extrapolation, against a method that controls its own error.
#include "verify/trajectory.h"

#include <math.h>

#include "math/quat.h"
#include "support/harness/check.h"
#include "support/model/world.h"

static const double tolerance = 1e-9;

// A top on a ball joint at the origin, or a bar on a hinge there, about the world's y.
static carom_model *build(carom_joint_kind kind, carom_vec3 spin) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -9.81), 0.0);
    carom_body_def def = world_body_def(0.8, crm_vec3(0.09, 0.09, 0.08));
    def.position = crm_vec3(0.5, 0.0, 0.0);
    def.spin = spin;
    def.velocity = crm_cross(spin, def.position);
    world_add(model, &def);
    carom_joint_def joint = carom_joint_def_default();
    joint.kind = kind;
    joint.a = (carom_body){-1};
    joint.b = (carom_body){0};
    joint.point_b = crm_scale(-1.0, def.position);
    joint.attitude_a = joint.attitude_b = crm_quat_between(crm_vec3(0.0, 0.0, 1.0), crm_vec3(0.0, 1.0, 0.0));
    CHECK_INT(carom_model_add_joint(model, &joint, NULL, NULL), CAROM_OK);
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    return model;
}

static crm_trajectory found_until(double end, const carom_model *model, carom_method method, int power,
                                  crm_arena *arena) {
    const double times[3] = {0.0, 0.4 * end, end};
    crm_trajectory t = {
        .model = model, .method = method, .power = power, .sample_count = 3, .time = times, .tolerance = tolerance};
    CHECK_INT(crm_trajectory_find(&t, arena, NULL), CAROM_OK);
    CHECK_TEXT(t.obstacle, "");
    CHECK(t.estimate <= tolerance);
    t.time = NULL;
    return t;
}

static crm_trajectory found(const carom_model *model, carom_method method, int power, crm_arena *arena) {
    return found_until(0.5, model, method, power, arena);
}

static void check_same(carom_joint_kind kind, carom_vec3 spin) {
    carom_model *model = build(kind, spin);
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_trajectory a = found(model, CAROM_METHOD_VARIATIONAL, 2, &arena);
    crm_trajectory b = found(model, CAROM_METHOD_REDUCED, 0, &arena);
    for (int i = 0; i < 3; i++) {
        carom_body_state of_a = crm_trajectory_body(&a, i, 0), of_b = crm_trajectory_body(&b, i, 0);
        CHECK_NEAR(crm_length(crm_sub(of_a.position, of_b.position)), 0.0, tolerance);
        CHECK_NEAR(crm_length(crm_sub(of_a.spin, of_b.spin)), 0.0, 10.0 * tolerance);
        CHECK_NEAR(fabs(crm_quat_dot(of_a.attitude, of_b.attitude)), 1.0, 1e-14);
        CHECK_NEAR(crm_quat_dot(of_a.attitude, of_a.attitude), 1.0, 1e-14);
        double angle[2], rate[2];
        crm_trajectory_hinge(&a, i, 0, &angle[0], &rate[0]);
        crm_trajectory_hinge(&b, i, 0, &angle[1], &rate[1]);
        CHECK_NEAR(remainder(angle[0] - angle[1], 2.0 * acos(-1.0)), 0.0, tolerance);
        CHECK_NEAR(rate[0], rate[1], 10.0 * tolerance);
        CHECK_NEAR(crm_trajectory_energy(&a, i), crm_trajectory_energy(&b, i), 10.0 * tolerance);
    }
    carom_model_destroy(model);
    crm_arena_free(&arena);
}

// With so much spin the first runs have to divide their steps: they agree among themselves, and with nothing else.
TEST(divided_steps_are_not_taken_for_convergence) {
    check_same(CAROM_JOINT_BALL, crm_vec3(36.0, 11.0, 7.0));
}

// More than a full rotation from sample to sample.
TEST(hinges_may_rotate_over) {
    check_same(CAROM_JOINT_HINGE, crm_vec3(0.0, 17.0, 0.0));
}

// The last run differs from the one before by more than the tolerance, which is the error of the one before.
TEST(a_run_is_not_blamed_for_the_error_of_the_run_before) {
    carom_model *model = build(CAROM_JOINT_BALL, crm_vec3(36.0, 11.0, 7.0));
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_trajectory a = found_until(8.0, model, CAROM_METHOD_MULTIPLIER, 0, &arena);
    crm_trajectory b = found_until(8.0, model, CAROM_METHOD_REDUCED, 0, &arena);
    for (int i = 0; i < 3; i++) {
        carom_body_state of_a = crm_trajectory_body(&a, i, 0), of_b = crm_trajectory_body(&b, i, 0);
        CHECK_NEAR(crm_length(crm_sub(of_a.position, of_b.position)), 0.0, tolerance);
    }
    carom_model_destroy(model);
    crm_arena_free(&arena);
}

TEST_MAIN(CASE(a_run_is_not_blamed_for_the_error_of_the_run_before), CASE(divided_steps_are_not_taken_for_convergence),
          CASE(hinges_may_rotate_over))
