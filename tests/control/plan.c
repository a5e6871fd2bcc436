// SPDX-License-Identifier: MIT
// The calls of carom/plan.h: plans with known optima, levels, starts, interrupts, ends of every kind, and what is told.
#include "carom/plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/joint.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "math/so3.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"
#include "support/model/world.h"

static bool must(carom_status status, const carom_error *error) {
    if (status != CAROM_OK) fprintf(stderr, "%s\n", error->text);
    return CHECK(status == CAROM_OK);
}

static void freeze(carom_model *model) {
    carom_error error = {.text = ""};
    must(carom_model_freeze(model, &error), &error);
}

static carom_plan *make(const carom_model *model, const carom_plan_def *def) {
    carom_error error = {.text = ""};
    carom_plan *plan = NULL;
    must(carom_plan_create(model, def, NULL, &plan, &error), &error);
    return plan;
}

static void solve(carom_plan *plan) {
    carom_error error = {.text = ""};
    bool done = plan == NULL;
    while (!done)
        if (!must(carom_plan_solve_next(plan, 1, NULL, NULL, &done, &error), &error)) return;
}

static carom_pose pose_at(const carom_plan *plan, int node, carom_body body) {
    carom_pose pose = {.attitude = {1.0, 0.0, 0.0, 0.0}};
    CHECK(carom_plan_get_node(plan, node, body, &pose, NULL, NULL) == CAROM_OK);
    return pose;
}

static void check_kept(const carom_plan *plan) {
    carom_plan_certificate c = carom_plan_get_certificate(plan);
    CHECK_INT(carom_plan_get_outcome(plan), CAROM_PLAN_SOLVED);
    CHECK_TEXT(carom_plan_reason(plan), "");
    CHECK(c.kept);
    CHECK(c.strict);
    CHECK(c.optimality <= 1e-6);
}

// ---- a mass point from rest to rest over d in T: 12 m^2 d^2 / (T^3 (1 - 1/K^2))

typedef struct transfer {
    carom_model *model;
    carom_body body;
    carom_control_def control;
    carom_plan_condition end;
    carom_plan_def def;
} transfer;

static const double mass = 1.5, distance = 2.0, duration = 3.0;

static double least_effort(int intervals) {
    return 12.0 * mass * mass * distance * distance / (pow(duration, 3.0) * (1.0 - 1.0 / (intervals * intervals)));
}

static void transfer_make(transfer *t, int intervals) {
    carom_body_def def = carom_body_def_default();
    t->model = world_model(crm_vec3_zero(), 0.0);
    def.kind = CAROM_BODY_POINT;
    def.mass = mass;
    def.position = crm_vec3(1.0, 1.0, 1.0);
    t->body = world_add(t->model, &def);
    freeze(t->model);
    t->control = carom_control_def_default();
    t->control.body = t->body;
    t->end = carom_plan_condition_default();
    t->end.body = t->body;
    t->end.has_position = t->end.has_velocity = true;
    t->end.position = crm_vec3(1.0 + 0.6 * distance, 1.0, 1.0 - 0.8 * distance);
    t->def = carom_plan_def_default();
    t->def.intervals = intervals;
    t->def.time = duration;
    t->def.control = &t->control, t->def.control_count = 1;
    t->def.condition = &t->end, t->def.condition_count = 1;
}

TEST(a_mass_point_is_moved_with_least_effort) {
    transfer t;
    transfer_make(&t, 8);
    carom_plan *plan = make(t.model, &t.def);
    CHECK_INT(carom_plan_get_outcome(plan), CAROM_PLAN_UNFINISHED);
    CHECK_INT(carom_plan_control_size(plan, 0), 0);
    solve(plan);
    check_kept(plan);
    carom_plan_certificate c = carom_plan_get_certificate(plan);
    CHECK_NEAR(c.effort, least_effort(8), 1e-9);
    CHECK(c.guess_effort >= c.effort && c.recursion_effort > c.guess_effort);
    CHECK_INT(carom_plan_control_size(plan, 0), 3);
    CHECK_INT(carom_plan_intervals(plan), 8);
    CHECK_NEAR(carom_plan_time(plan, 8), duration, 1e-14);
    carom_wrench before, after, wrench;
    double force[3];
    CHECK_INT(carom_plan_get_node(plan, 8, t.body, NULL, &before, &after), CAROM_OK);
    CHECK_NEAR(crm_length(after.force), 0.0, 1e-12);
    CHECK_INT(carom_plan_get_node(plan, 4, t.body, NULL, &before, &after), CAROM_OK);
    CHECK_NEAR(crm_distance(before.force, after.force), 0.0, 1e-12);
    CHECK_INT(carom_plan_get_control(plan, 0, 0, force), CAROM_OK);
    CHECK_INT(carom_plan_get_wrench(plan, 0, 1, t.body, &wrench), CAROM_OK);
    CHECK_NEAR(crm_distance(wrench.force, crm_vec3(force[0], force[1], force[2])), 0.0, 0.0);
    CHECK_NEAR(force[1], 0.0, 1e-9);
    carom_plan_destroy(plan);
    carom_model_destroy(t.model);
}

TEST(levels_and_starts_lead_to_the_same_optimum) {
    transfer t;
    transfer_make(&t, 16);
    t.def.levels = 3, t.def.starts = 2, t.def.seed = 4;
    carom_plan *plan = make(t.model, &t.def);
    solve(plan);
    check_kept(plan);
    CHECK_INT(carom_plan_solve_count(plan), 6);
    for (int i = 0; i < carom_plan_solve_count(plan); i++) {
        carom_plan_solve s;
        CHECK_INT(carom_plan_get_solve(plan, i, &s), CAROM_OK);
        CHECK_INT(s.start, i / 3);
        CHECK_INT(s.level, i % 3);
        CHECK_INT(s.intervals, 4 << (i % 3));
        CHECK_INT(s.outcome, CAROM_PLAN_SOLVED);
        CHECK_NEAR(s.effort, least_effort(s.intervals), 1e-8);
    }
    CHECK_NEAR(carom_plan_get_certificate(plan).coarse_effort, least_effort(8), 1e-8);
    carom_plan_destroy(plan);
    carom_model_destroy(t.model);
}

static bool stop_once(void *user, const carom_plan_progress *progress) {
    int *left = user;
    CHECK(progress->starts == 1 && progress->levels == 2);
    return --*left != 0;
}

TEST(an_interrupted_plan_goes_on_to_the_same_bits) {
    transfer t;
    transfer_make(&t, 8);
    t.def.levels = 2;
    carom_pose whole[9], resumed[9];
    for (int run = 0; run < 2; run++) {
        carom_error error = {.text = ""};
        carom_plan *plan = make(t.model, &t.def);
        bool done = false;
        if (run == 1) {
            int left = 1;
            CHECK_INT(carom_plan_solve_next(plan, 1, stop_once, &left, &done, &error), CAROM_ERR_INTERRUPTED);
            CHECK_CONTAINS(error.text, "level 0 of start 0");
            CHECK_INT(carom_plan_solve_count(plan), 0);
            must(carom_plan_solve_next(plan, 1, NULL, NULL, &done, &error), &error);
            left = 1;
            CHECK_INT(carom_plan_solve_next(plan, 1, stop_once, &left, &done, &error), CAROM_ERR_INTERRUPTED);
            CHECK(!done);
            CHECK_INT(carom_plan_solve_count(plan), 1);
        }
        solve(plan);
        for (int k = 0; k <= 8; k++) (run == 0 ? whole : resumed)[k] = pose_at(plan, k, t.body);
        carom_plan_destroy(plan);
    }
    CHECK(memcmp(whole, resumed, sizeof whole) == 0);
    carom_model_destroy(t.model);
}

TEST(free_time_is_weighed_against_effort) {
    transfer t;
    transfer_make(&t, 12);
    t.def.time_free = true, t.def.time_weight = 2.0, t.def.tolerance = 1e-11;
    carom_plan *plan = make(t.model, &t.def);
    solve(plan);
    check_kept(plan);
    // d/dT (c/T^3 + w T) = 0
    double c = least_effort(12) * pow(duration, 3.0), best = pow(3.0 * c / 2.0, 0.25);
    CHECK_NEAR(carom_plan_time(plan, 12), best, 1e-6);
    CHECK_NEAR(carom_plan_get_certificate(plan).effort, c / pow(best, 3.0), 1e-6);
    carom_plan_destroy(plan);
    carom_model_destroy(t.model);
}

// ---- ends

static carom_body_def brick(carom_vec3 position) {
    carom_body_def def = carom_body_def_default();
    def.mass = 2.0;
    def.inertia = crm_congruence_diagonal(crm_quat_to_mat3(crm_quat_from_axis_angle(crm_vec3(0.6, 0.8, 0.0), 0.7)),
                                          crm_vec3(0.2, 0.3, 0.4));
    def.centre = crm_vec3(0.1, -0.05, 0.2);
    def.position = position;
    return def;
}

static carom_control_def wrench_on(carom_body body) {
    carom_control_def control = carom_control_def_default();
    control.body = body;
    control.in_body_axes = true;
    return control;
}

// Two bodies meet wherever they like, docked to each other, and go on as one.
TEST(two_bodies_dock_and_move_as_one) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -0.5), 0.0);
    carom_body_def def = brick(crm_vec3_zero());
    def.velocity = crm_vec3(0.1, 0.0, 0.05), def.spin = crm_vec3(0.0, 0.2, 0.1);
    carom_body a = world_add(model, &def);
    def = brick(crm_vec3(1.0, 0.5, 0.0));
    carom_body b = world_add(model, &def);
    freeze(model);
    carom_control_def control[2] = {wrench_on(a), wrench_on(b)};
    carom_plan_condition end = carom_plan_condition_default();
    end.body = b, end.relative_to = a, end.has_position = end.has_attitude = end.together = true;
    end.position = crm_vec3(0.5, 0.1, 0.0);
    end.attitude = crm_quat_from_axis_angle(crm_vec3(0.0, 0.0, 1.0), 1.5);
    carom_plan_def plan_def = carom_plan_def_default();
    plan_def.intervals = 10, plan_def.time = 1.0;
    plan_def.control = control, plan_def.control_count = 2;
    plan_def.condition = &end, plan_def.condition_count = 1;
    carom_plan *plan = make(model, &plan_def);
    solve(plan);
    check_kept(plan);
    carom_pose pose[2] = {pose_at(plan, 10, a), pose_at(plan, 10, b)};
    carom_vec3 seen = crm_quat_rotate_inverse(pose[0].attitude, crm_sub(pose[1].position, pose[0].position));
    CHECK_NEAR(crm_distance(seen, end.position), 0.0, 1e-9);
    carom_quat relative = crm_quat_mul(crm_quat_conjugate(pose[0].attitude), pose[1].attitude);
    CHECK_NEAR(crm_quat_angle(relative, end.attitude), 0.0, 1e-8);
    // Twists from momenta: the same spin, and the velocity of the one carried to the other.
    carom_vec3 velocity[2], spin[2], centre[2];
    for (int i = 0; i < 2; i++) {
        carom_wrench momentum;
        carom_vec3 unused;
        CHECK_INT(carom_plan_get_node(plan, 10, i == 0 ? a : b, NULL, NULL, &momentum), CAROM_OK);
        carom_mat3 j = crm_congruence(crm_quat_to_mat3(pose[i].attitude), def.inertia);
        velocity[i] = crm_scale(1.0 / def.mass, momentum.force);
        CHECK(crm_mat3_solve(j, momentum.torque, &spin[i]));
        unused = crm_quat_rotate(pose[i].attitude, def.centre);
        centre[i] = crm_add(pose[i].position, unused);
    }
    CHECK_NEAR(crm_distance(spin[0], spin[1]), 0.0, 1e-7);
    carom_vec3 carried = crm_add(velocity[0], crm_cross(spin[0], crm_sub(centre[1], centre[0])));
    CHECK_NEAR(crm_distance(carried, velocity[1]), 0.0, 1e-7);
    CHECK(crm_length(spin[0]) > 1e-3);
    carom_plan_destroy(plan);
    carom_model_destroy(model);
}

// A throw: nothing drives; the velocity at the start is free in part, and boxes and directions at the end bind.
TEST(a_throw_finds_its_start) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -9.81), 0.0);
    carom_body_def def = brick(crm_vec3(0.0, 0.0, 1.0));
    carom_body body = world_add(model, &def);
    freeze(model);
    carom_plan_condition condition[2] = {carom_plan_condition_default(), carom_plan_condition_default()};
    condition[0].node = 0, condition[0].body = body, condition[0].has_position = condition[0].has_attitude = true;
    condition[0].position = crm_vec3(0.0, 0.0, 1.0);
    condition[1].body = body, condition[1].has_box = true;
    condition[1].box_low = crm_vec3(2.0, 1.0, 0.5), condition[1].box_high = crm_vec3(2.1, INFINITY, 0.6);
    condition[1].direction_count = 1;
    condition[1].direction[0].axis = crm_vec3(0.0, 0.0, 2.0),
    condition[1].direction[0].toward = crm_vec3(3.0, 0.0, 0.0);
    condition[1].direction[0].least = 0.9;
    carom_plan_def plan_def = carom_plan_def_default();
    plan_def.intervals = 12, plan_def.time = 0.6;
    plan_def.condition = condition, plan_def.condition_count = 2;
    carom_plan *plan = make(model, &plan_def);
    solve(plan);
    carom_plan_certificate c = carom_plan_get_certificate(plan);
    CHECK(c.kept);
    if (!c.kept) fprintf(stderr, "%s\n", carom_plan_reason(plan));
    carom_pose end = pose_at(plan, 12, body);
    CHECK(end.position.x >= 2.0 - 1e-8 && end.position.x <= 2.1 + 1e-8 && end.position.y >= 1.0 - 1e-8);
    CHECK(end.position.z >= 0.5 - 1e-8 && end.position.z <= 0.6 + 1e-8);
    CHECK(crm_quat_rotate(end.attitude, crm_vec3(0.0, 0.0, 1.0)).x >= 0.9 - 1e-8);
    carom_plan_destroy(plan);
    carom_model_destroy(model);
}

// ---- motors and limits

static carom_joint joined(carom_model *model, carom_joint_kind kind, carom_body a, carom_body b, carom_vec3 at,
                          carom_vec3 axis, double lower, double upper) {
    carom_joint_def def = carom_joint_def_default();
    carom_joint_placing placing = carom_joint_placing_default();
    carom_error error = {.text = ""};
    carom_joint out = {-1};
    def.kind = kind, def.a = a, def.b = b;
    if (kind != CAROM_JOINT_BALL) def.coordinate[0].lower = lower, def.coordinate[0].upper = upper;
    placing.point = at, placing.axis = axis;
    must(carom_model_place_joint(model, &placing, &def, &error), &error);
    must(carom_model_add_joint(model, &def, &out, &error), &error);
    return out;
}

// An arm of a slider, a hinge and a ball joint lifts its hand by its motors; no body has another control.
TEST(motors_move_an_arm) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -9.81), 0.0);
    carom_body body[3];
    for (int i = 0; i < 3; i++) {
        carom_body_def def = brick(crm_vec3(0.6 * i, 0.0, 0.0));
        body[i] = world_add(model, &def);
    }
    carom_vec3 z = crm_vec3(0.0, 0.0, 1.0), y = crm_vec3(0.0, 1.0, 0.0);
    carom_joint joint[3];
    joint[0] = joined(model, CAROM_JOINT_SLIDER, CAROM_WORLD, body[0], crm_vec3_zero(), z, -INFINITY, INFINITY);
    joint[1] = joined(model, CAROM_JOINT_HINGE, body[0], body[1], crm_vec3(0.3, 0.0, 0.0), y, -INFINITY, INFINITY);
    joint[2] = joined(model, CAROM_JOINT_BALL, body[1], body[2], crm_vec3(0.9, 0.0, 0.0), z, 0.0, 0.0);
    freeze(model);
    carom_control_def control[3];
    for (int i = 0; i < 3; i++) {
        control[i] = carom_control_def_default();
        control[i].kind = CAROM_CONTROL_MOTOR;
        control[i].joint = joint[i].index;
    }
    carom_plan_condition end = carom_plan_condition_default();
    end.body = body[2], end.has_position = end.has_attitude = end.has_velocity = end.has_spin = true;
    end.position = crm_vec3(1.0, 0.0, 0.8);
    end.attitude = crm_quat_from_axis_angle(y, -0.6);
    carom_plan_def def = carom_plan_def_default();
    def.intervals = 24, def.time = 1.0;
    def.control = control, def.control_count = 3;
    def.condition = &end, def.condition_count = 1;
    carom_plan *plan = make(model, &def);
    solve(plan);
    check_kept(plan);
    CHECK(carom_plan_get_certificate(plan).replay < 1e-10);
    CHECK_NEAR(crm_distance(pose_at(plan, 24, body[2]).position, end.position), 0.0, 1e-9);
    carom_plan_destroy(plan);
    carom_model_destroy(model);
}

// A thruster of a body on a slider with a limit of its own: the limits of force and of the slide bind.
TEST(limits_bind) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_body_def body_def = brick(crm_vec3_zero());
    body_def.velocity = crm_vec3(1.0, 0.0, 0.0);
    carom_body body = world_add(model, &body_def);
    joined(model, CAROM_JOINT_SLIDER, CAROM_WORLD, body, crm_vec3_zero(), crm_vec3(1.0, 0.0, 0.0), -0.4, 0.34);
    freeze(model);
    carom_control_def control = carom_control_def_default();
    control.kind = CAROM_CONTROL_THRUSTER, control.body = body;
    control.direction = crm_vec3(-2.0, 0.0, 0.0), control.force_limit = 3.0;
    carom_plan_condition end = carom_plan_condition_default();
    end.body = body, end.has_position = true;
    carom_plan_def def = carom_plan_def_default();
    def.intervals = 20, def.time = 1.8;
    def.control = &control, def.control_count = 1;
    def.condition = &end, def.condition_count = 1;
    carom_plan *plan = make(model, &def);
    solve(plan);
    double most = 0.0, farthest = 0.0, force;
    for (int k = 0; k < 20; k++) {
        CHECK_INT(carom_plan_get_control(plan, k, 0, &force), CAROM_OK);
        CHECK(force >= -1e-8 && force <= 3.0 + 1e-8);
        most = fmax(most, force);
        farthest = fmax(farthest, pose_at(plan, k, body).position.x);
    }
    CHECK_NEAR(most, 3.0, 1e-6);
    CHECK_NEAR(farthest, 0.34, 1e-6);
    CHECK_NEAR(pose_at(plan, 20, body).position.x, 0.0, 1e-9);
    carom_plan_destroy(plan);
    carom_model_destroy(model);
}

// ---- memory

TEST(refused_memory_is_said_and_leaks_nothing) {
    transfer t;
    transfer_make(&t, 4);
    t.def.levels = 2;
    bool refused = true;
    for (long long n = 1; refused && n < 1000; n++) {
        probe_allocator probe = {.refused_call = n};
        carom_allocator hook = probe_allocator_hook(&probe);
        carom_error error = {.text = ""};
        carom_plan *plan = NULL;
        bool done = false;
        carom_status status = carom_plan_create(t.model, &t.def, &hook, &plan, &error);
        while (status == CAROM_OK && !done) status = carom_plan_solve_next(plan, 1, NULL, NULL, &done, &error);
        refused = probe.calls >= n;
        CHECK_INT(status, refused ? CAROM_ERR_NO_MEMORY : CAROM_OK);
        CHECK(!refused || error.text[0] != '\0');
        if (plan != NULL && refused) { // and it goes on
            while (!done && must(carom_plan_solve_next(plan, 1, NULL, NULL, &done, &error), &error)) {
            }
            CHECK_INT(carom_plan_get_outcome(plan), CAROM_PLAN_SOLVED);
        }
        carom_plan_destroy(plan);
        CHECK_INT(probe.live_blocks, 0);
    }
    carom_model_destroy(t.model);
}

TEST_MAIN(CASE(a_mass_point_is_moved_with_least_effort), CASE(levels_and_starts_lead_to_the_same_optimum),
          CASE(an_interrupted_plan_goes_on_to_the_same_bits), CASE(free_time_is_weighed_against_effort),
          CASE(two_bodies_dock_and_move_as_one), CASE(a_throw_finds_its_start), CASE(motors_move_an_arm),
          CASE(limits_bind), CASE(refused_memory_is_said_and_leaks_nothing))
