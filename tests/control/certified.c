// SPDX-License-Identifier: MIT
// Plans that are solved through the public calls, and what their certificates say.
#include <math.h>
#include <stdio.h>

#include "carom/plan.h"
#include "math/quat.h"
#include "support/harness/check.h"
#include "support/model/joints.h"

static carom_plan *solve(carom_model *model, const carom_plan_def *def) {
    carom_plan *plan = NULL;
    carom_error error = {.text = ""};
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    if (carom_plan_create(model, def, NULL, &plan, &error) != CAROM_OK) fail_msg("%s", error.text);
    for (bool done = false; !done;)
        if (carom_plan_solve_next(plan, 1, NULL, NULL, &done, &error) != CAROM_OK) fail_msg("%s", error.text);
    return plan;
}

static carom_plan_certificate check_kept(const carom_plan *plan, const char *what) {
    carom_plan_certificate c = carom_plan_get_certificate(plan);
    CHECK_TEXT(carom_plan_reason(plan), "");
    bool good = CHECK(c.kept && c.strict && carom_plan_get_outcome(plan) == CAROM_PLAN_SOLVED);
    good = CHECK(c.violation <= 1e-8 && c.consistency <= 1e-9 && c.replay <= 1e-10 && c.optimality <= 1e-6) && good;
    if (!good)
        printf("%s: rows %.1e, SI %.1e, consistency %.1e, replay %.1e, optimality %.1e\n", what, c.violation,
               c.violation_si, c.consistency, c.replay, c.optimality);
    return c;
}

static void end(carom_plan *plan, carom_model *model) {
    carom_plan_destroy(plan);
    carom_model_destroy(model);
}

TEST(a_body_that_is_moved_and_rotated_keeps_its_contracts) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -0.1), 0.0);
    carom_body_def def = world_body_def(1.5, crm_vec3(0.4, 0.6, 0.9));
    def.centre = crm_vec3(0.1, -0.05, 0.02);
    carom_body body = world_add(model, &def);
    carom_control_def control = carom_control_def_default();
    control.body = body;
    control.in_body_axes = true;
    carom_plan_condition goal = carom_plan_condition_default();
    goal.body = body;
    goal.has_position = goal.has_attitude = goal.has_velocity = goal.has_spin = true;
    goal.position = crm_vec3(1.0, -0.5, 0.25);
    goal.attitude = crm_quat_from_axis_angle(crm_vec3(0.6, 0.0, 0.8), 1.5);
    carom_plan_def plan = carom_plan_def_default();
    plan.intervals = 12, plan.time = 2.0;
    plan.control = &control, plan.control_count = 1;
    plan.condition = &goal, plan.condition_count = 1;
    carom_plan *solved = solve(model, &plan);
    carom_plan_certificate c = check_kept(solved, "body");
    CHECK(c.replay < 1e-12 && c.consistency < 1e-12 && c.replay_fine > 1e-6);
    CHECK(c.effort > 0.0 && c.effort <= c.guess_effort);
    end(solved, model);
}

TEST(an_arm_that_is_lifted_keeps_its_contracts) {
    carom_model *model = joints_chain(2, CAROM_JOINT_HINGE, crm_vec3(0.0, 0.0, -9.81));
    carom_control_def control[2] = {carom_control_def_default(), carom_control_def_default()};
    for (int j = 0; j < 2; j++) control[j].kind = CAROM_CONTROL_MOTOR, control[j].joint = j;
    carom_plan_condition goal[2] = {carom_plan_condition_default(), carom_plan_condition_default()};
    for (int b = 0; b < 2; b++) { // by 0.8 and 1.2 rad
        goal[b].body = (carom_body){b};
        goal[b].has_attitude = goal[b].has_spin = true;
        goal[b].attitude = crm_quat_from_axis_angle(crm_vec3(0.0, -1.0, 0.0), 0.8 + 0.4 * b);
    }
    carom_plan_def plan = carom_plan_def_default();
    plan.intervals = 40, plan.time = 1.5;
    plan.control = control, plan.control_count = 2;
    plan.condition = goal, plan.condition_count = 2;
    carom_plan *solved = solve(model, &plan);
    (void)check_kept(solved, "arm");
    end(solved, model);
}

TEST(bodies_that_meet_and_go_on_together_keep_their_contracts) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_body_def def = world_body_def(1.0, crm_vec3(0.2, 0.3, 0.4));
    carom_body a = world_add(model, &def);
    def.position = crm_vec3(3.0, 1.0, 0.0);
    def.spin = crm_vec3(0.0, 0.3, 0.1);
    carom_body b = world_add(model, &def);
    carom_control_def control[2] = {carom_control_def_default(), carom_control_def_default()};
    control[0].body = a, control[1].body = b;
    carom_plan_condition dock = carom_plan_condition_default();
    dock.body = b, dock.relative_to = a;
    dock.has_position = dock.has_attitude = dock.together = true;
    dock.position = crm_vec3(1.0, 0.0, 0.0);
    dock.attitude = crm_quat_from_axis_angle(crm_vec3(0.0, 0.0, 1.0), 0.5);
    carom_plan_def plan = carom_plan_def_default();
    plan.intervals = 10, plan.time = 2.0;
    plan.control = control, plan.control_count = 2;
    plan.condition = &dock, plan.condition_count = 1;
    carom_plan *solved = solve(model, &plan);
    (void)check_kept(solved, "docking");
    end(solved, model);
}

// Nobody asked for a way round: the straight one is solved, and goes through the box.
TEST(a_plan_through_a_box_that_nobody_avoids_is_told) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_shape_def cube = carom_shape_def_default(CAROM_SHAPE_BOX);
    carom_body_def def = world_body_def(1.0, crm_vec3(0.2, 0.2, 0.2));
    CHECK_INT(carom_model_add_shape(model, "cube", &cube, &def.shape, NULL), CAROM_OK);
    def.name = "craft";
    carom_body body = world_add(model, &def);
    def.name = "rock";
    def.kind = CAROM_BODY_FIXED;
    def.position = crm_vec3(3.0, 0.25, 0.0);
    world_add(model, &def);
    carom_control_def control = carom_control_def_default();
    control.body = body;
    carom_plan_condition goal = carom_plan_condition_default();
    goal.body = body;
    goal.has_position = goal.has_velocity = true;
    goal.position = crm_vec3(6.0, 0.0, 0.0);
    carom_plan_def plan = carom_plan_def_default();
    plan.intervals = 8, plan.time = 2.0;
    plan.control = &control, plan.control_count = 1;
    plan.condition = &goal, plan.condition_count = 1;
    carom_plan *solved = solve(model, &plan);
    (void)check_kept(solved, "straight"); // no pair is avoided
    CHECK(isinf(carom_plan_get_certificate(solved).gap_between));
    end(solved, model);
}

TEST_MAIN(CASE(a_body_that_is_moved_and_rotated_keeps_its_contracts), CASE(an_arm_that_is_lifted_keeps_its_contracts),
          CASE(bodies_that_meet_and_go_on_together_keep_their_contracts),
          CASE(a_plan_through_a_box_that_nobody_avoids_is_told))
