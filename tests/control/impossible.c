// SPDX-License-Identifier: MIT
// Plans that cannot be: each says what of it is too much, whose, where, and by how much. And plans that are refused
// before anything is solved.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/force.h"
#include "carom/joint.h"
#include "carom/plan.h"
#include "carom/shape.h"
#include "math/quat.h"
#include "support/harness/check.h"
#include "support/model/world.h"

static bool must(carom_status status, const carom_error *error) {
    if (status != CAROM_OK) fprintf(stderr, "%s\n", error->text);
    return CHECK(status == CAROM_OK);
}

// A probe and a rock, free boxes, a wall that is fixed, and what is asked of them.
typedef struct task {
    carom_model *model;
    carom_body probe, rock, wall;
    carom_control_def control[2];
    carom_plan_condition condition[3];
    carom_plan_contact contact;
    carom_plan_def def;
} task;

static carom_body box(carom_model *model, const char *name, carom_body_kind kind, carom_vec3 size,
                      carom_vec3 position) {
    carom_shape_def shape_def = carom_shape_def_default(CAROM_SHAPE_BOX);
    carom_body_def def = carom_body_def_default();
    carom_error error = {.text = ""};
    shape_def.box.size = size;
    must(carom_model_add_shape(model, NULL, &shape_def, &def.shape, &error), &error);
    def.name = name;
    def.kind = kind;
    def.position = position;
    if (kind != CAROM_BODY_FIXED) def.density = 125.0; // 1 kg of a cube of 0.2 m
    return world_add(model, &def);
}

static void begin(task *t) {
    const carom_vec3 cube = {0.2, 0.2, 0.2};
    t->model = world_model(crm_vec3_zero(), 0.0);
    t->probe = box(t->model, "probe", CAROM_BODY_FREE, cube, crm_vec3_zero());
    t->rock = box(t->model, "rock", CAROM_BODY_FREE, cube, crm_vec3(0.0, 3.0, 0.0));
    t->wall = box(t->model, "wall", CAROM_BODY_FIXED, crm_vec3(0.2, 8.0, 8.0), crm_vec3(1.5, 0.0, 0.0));
    for (int i = 0; i < 3; i++) t->condition[i] = carom_plan_condition_default();
    t->condition[0].body = t->probe;
    t->condition[0].has_position = t->condition[0].has_velocity = true;
    t->condition[0].position = crm_vec3(1.0, 0.0, 0.0);
    t->control[0] = t->control[1] = carom_control_def_default();
    t->control[0].body = t->probe;
    t->control[0].torque = false;
    t->contact = carom_plan_contact_default();
    t->contact.node = 4, t->contact.a = t->probe, t->contact.b = t->wall;
    t->def = carom_plan_def_default();
    t->def.intervals = 8, t->def.time = 1.0;
    t->def.control = t->control, t->def.control_count = 1;
    t->def.condition = t->condition, t->def.condition_count = 1;
}

static void check_impossible(task *t, const char *first, const char *second) {
    carom_error error = {.text = ""};
    carom_plan *plan = NULL;
    bool done = false;
    must(carom_model_freeze(t->model, &error), &error);
    if (must(carom_plan_create(t->model, &t->def, NULL, &plan, &error), &error)) {
        while (!done && must(carom_plan_solve_next(plan, 1, NULL, NULL, &done, &error), &error)) {
        }
        CHECK_INT(carom_plan_get_outcome(plan), CAROM_PLAN_IMPOSSIBLE);
        CHECK_CONTAINS(carom_plan_reason(plan), first);
        CHECK_CONTAINS(carom_plan_reason(plan), second);
        CHECK(!carom_plan_get_certificate(plan).kept);
    }
    carom_plan_destroy(plan);
    carom_model_destroy(t->model);
}

static void check_refused(task *t, const char *sentence) {
    carom_error error = {.text = ""};
    carom_plan *plan = NULL;
    must(carom_model_freeze(t->model, &error), &error);
    CHECK(carom_plan_create(t->model, &t->def, NULL, &plan, &error) != CAROM_OK);
    CHECK(plan == NULL);
    CHECK_CONTAINS(error.text, sentence);
    carom_plan_destroy(plan);
    carom_model_destroy(t->model);
}

// 1 kg over 1 m in 1 s from rest to rest takes 4 N at least.
TEST(a_force_limit_is_too_small) {
    task t;
    begin(&t);
    t.control[0].force_limit = 3.0;
    check_impossible(&t, "control 0 of body 'probe' would need", "its force_limit is 3 N");
}

TEST(a_thruster_cannot_pull) {
    task t;
    begin(&t);
    t.control[0].kind = CAROM_CONTROL_THRUSTER;
    t.control[0].direction = crm_vec3(1.0, 0.0, 0.0);
    t.control[0].force_limit = 100.0;
    check_impossible(&t, "control 0 of body 'probe' would have to pull", "thrusters push");
}

TEST(nothing_drives_a_body) {
    task t;
    begin(&t);
    t.condition[1].body = t.rock;
    t.condition[1].has_position = true;
    t.condition[1].position = crm_vec3(0.0, 2.0, 0.0);
    t.def.condition_count = 2;
    check_impossible(&t, "the position that is asked of body 'rock' at node 8 is missed by 1 m",
                     "no control acts on that body");
}

TEST(nothing_rotates_a_body) {
    task t;
    begin(&t);
    t.condition[0].has_attitude = true;
    t.condition[0].attitude = crm_quat_from_axis_angle(crm_vec3(0.0, 0.0, 1.0), 0.5);
    check_impossible(&t, "the attitude that is asked of body 'probe' at node 8 is missed by 0.5 rad", "at best");
}

TEST(a_hinge_does_not_open_so_far) {
    task t;
    begin(&t);
    carom_joint_def hinge = carom_joint_def_default();
    carom_joint_placing placing = carom_joint_placing_default();
    carom_error error = {.text = ""};
    carom_joint joint;
    hinge.name = "knee", hinge.kind = CAROM_JOINT_HINGE, hinge.a = CAROM_WORLD, hinge.b = t.probe;
    hinge.coordinate[0].lower = -0.5, hinge.coordinate[0].upper = 0.5;
    placing.point = crm_vec3(0.0, -0.5, 0.0);
    must(carom_model_place_joint(t.model, &placing, &hinge, &error), &error);
    must(carom_model_add_joint(t.model, &hinge, &joint, &error), &error);
    t.control[0].kind = CAROM_CONTROL_MOTOR;
    t.control[0].joint = joint.index;
    t.condition[0].position = crm_vec3(0.4, -0.2, 0.0); // 0.93 rad
    check_impossible(&t, "the limit of joint 'knee' of the world and body 'probe'", "");
}

TEST(a_slot_is_too_narrow) {
    task t;
    begin(&t);
    // Two walls with 0.25 m between them, for a probe of 0.2 m that keeps 0.05 m apart; they are long and high.
    box(t.model, "left", CAROM_BODY_FIXED, crm_vec3(0.4, 2.0, 8.0), crm_vec3(0.5, 1.125, 0.0));
    box(t.model, "right", CAROM_BODY_FIXED, crm_vec3(0.4, 2.0, 8.0), crm_vec3(0.5, -1.125, 0.0));
    t.condition[1].node = 4, t.condition[1].body = t.probe, t.condition[1].has_position = true;
    t.condition[1].position = crm_vec3(0.5, 0.0, 0.0);
    t.def.condition_count = 2;
    t.def.avoid.on = true, t.def.avoid.margin = 0.05;
    check_impossible(&t, "the gap of body ", "less than is asked");
}

TEST(a_contact_cannot_come_about) {
    task t;
    begin(&t);
    t.def.control_count = 0, t.def.condition_count = 0;
    t.def.contact = &t.contact, t.def.contact_count = 1;
    check_impossible(&t, "the planned contact of body 'probe' and body 'wall' at node 4 does not come about",
                     "they stay 1.3 m apart");
}

// ---- refused beforehand

TEST(given_poses_that_overlap_are_refused) {
    task t;
    begin(&t);
    t.condition[0].has_attitude = true;
    t.condition[0].position = crm_vec3(1.35, 0.0, 0.0);
    t.def.avoid.on = true;
    check_refused(&t, "body 'probe' and body 'wall' overlap by 0.05 m at node 8");
}

TEST(given_poses_that_open_a_joint_are_refused) {
    task t;
    begin(&t);
    carom_joint_def ball = carom_joint_def_default();
    carom_joint_placing placing = carom_joint_placing_default();
    carom_error error = {.text = ""};
    ball.name = "neck", ball.kind = CAROM_JOINT_BALL, ball.a = CAROM_WORLD, ball.b = t.probe;
    must(carom_model_place_joint(t.model, &placing, &ball, &error), &error);
    must(carom_model_add_joint(t.model, &ball, NULL, &error), &error);
    t.condition[0].has_attitude = true;
    check_refused(&t, "joint 'neck' of the world and body 'probe' at node 8");
}

typedef void spoil(task *t);
static void no_intervals(task *t) {
    t->def.intervals = 1;
}
static void no_time(task *t) {
    t->def.time = NAN;
}
static void time_order(task *t) {
    t->def.time_free = true, t->def.time_least = 2.0;
}
static void odd_levels(task *t) {
    t->def.levels = 5;
}
static void no_starts(task *t) {
    t->def.starts = 0;
}
static void tolerance(task *t) {
    t->def.tolerance = 1.0;
}
static void no_body(task *t) {
    t->control[0].body.index = 17;
}
static void fixed_body(task *t) {
    t->control[0].body = t->wall;
}
static void no_joint(task *t) {
    t->control[0].kind = CAROM_CONTROL_MOTOR;
}
static void negative_limit(task *t) {
    t->control[0].force_limit = -1.0;
}
static void empty_wrench(task *t) {
    t->control[0].force = false;
}
static void no_direction(task *t) {
    t->control[0].kind = CAROM_CONTROL_THRUSTER, t->control[0].force_limit = 1.0;
}
static void endless_thrust(task *t) {
    t->control[0].kind = CAROM_CONTROL_THRUSTER, t->control[0].direction.x = 1.0;
}
static void late_node(task *t) {
    t->condition[0].node = 9;
}
static void twice(task *t) {
    t->condition[1] = t->condition[0], t->def.condition_count = 2;
}
static void itself(task *t) {
    t->condition[0].relative_to = t->probe;
}
static void alone_together(task *t) {
    t->condition[0].together = true;
}
static void box_order(task *t) {
    t->condition[0].has_box = true;
    t->condition[0].box_low = crm_vec3(1.0, 0.0, 0.0), t->condition[0].box_high = crm_vec3(0.0, 1.0, 1.0);
}
static void steep(task *t) {
    t->condition[0].direction_count = 1, t->condition[0].direction[0].least = 1.5;
    t->condition[0].direction[0].axis.x = t->condition[0].direction[0].toward.x = 1.0;
}
static void circle(task *t) {
    t->condition[0].relative_to = t->rock;
    t->condition[1].body = t->rock, t->condition[1].relative_to = t->probe, t->condition[1].has_position = true;
    t->def.condition_count = 2;
}
static void margin(task *t) {
    t->def.avoid.on = true, t->def.avoid.margin = -1.0;
}
static void early_contact(task *t) {
    t->contact.node = 0, t->def.contact = &t->contact, t->def.contact_count = 1;
}
static void rebound(task *t) {
    t->contact.restitution = 2.0, t->def.contact = &t->contact, t->def.contact_count = 1;
}
static void sticky_box(task *t) {
    t->contact.sticky = true, t->def.contact = &t->contact, t->def.contact_count = 1;
}
static void discovery(task *t) {
    t->def.discover.on = true;
}
static void few_frames(task *t) {
    t->def.guess = CAROM_GUESS_MOTION;
}

TEST(definitions_that_make_no_sense_are_refused) {
    static const struct {
        spoil *spoil;
        const char *sentence;
    } cases[] = {
        {no_intervals, "1 intervals; give 2 to 2000"},
        {no_time, "time is nan s, must be positive"},
        {time_order, "2 s is least, 1 s the guess"},
        {odd_levels, "5 levels halve 8 intervals 4 times"},
        {no_starts, "0 starts"},
        {tolerance, "tolerance is 1"},
        {no_body, "control 0"},
        {fixed_body, "body 'wall' does not move"},
        {no_joint, "there is no joint -1; the model has 0"},
        {negative_limit, "limits are -1 N"},
        {empty_wrench, "without force and torque"},
        {no_direction, "needs a direction"},
        {endless_thrust, "needs a force_limit"},
        {late_node, "node 9 is none; give 0 to 8"},
        {twice, "both give the position of body 'probe' at node 8"},
        {itself, "seen from itself"},
        {alone_together, "together with which body"},
        {box_order, "its box goes from 1 to 0 m"},
        {steep, "no cosine is above 1"},
        {circle, "break the circle"},
        {margin, "avoid.margin is -1 m"},
        {early_contact, "contact 0: node 0; give 1 to 8"},
        {rebound, "restitution 2"},
        {sticky_box, "on half-spaces only"},
        {discovery, "no rows for discovered contacts"},
        {few_frames, "0 frames; give 2 or more"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        task t;
        begin(&t);
        cases[i].spoil(&t);
        check_refused(&t, cases[i].sentence);
    }
}

static void drag(carom_model *model, carom_body body) {
    carom_drag_def def = carom_drag_def_default();
    def.body = body, def.linear = 1.0;
    CHECK_INT(carom_model_add_drag(model, &def, NULL), CAROM_OK);
}

static void damper(carom_model *model, carom_body body) {
    carom_spring_def def = carom_spring_def_default();
    def.a = body, def.b = CAROM_WORLD, def.stiffness = 1.0, def.damping = 1.0;
    CHECK_INT(carom_model_add_spring(model, &def, NULL), CAROM_OK);
}

static void torque(carom_model *model, carom_body body) {
    carom_wrench_def def = carom_wrench_def_default();
    def.body = body, def.torque.x = 1.0;
    CHECK_INT(carom_model_add_wrench(model, &def, NULL), CAROM_OK);
}

static void sunlight(carom_model *model, carom_body body) {
    carom_sunlight_def def = carom_sunlight_def_default();
    def.body = body, def.pressure = 1.0, def.area = 1.0;
    CHECK_INT(carom_model_add_sunlight(model, &def, NULL), CAROM_OK);
}

static void sprung_hinge(carom_model *model, carom_body body) {
    carom_joint_def def = carom_joint_def_default();
    carom_joint_placing placing = carom_joint_placing_default();
    def.kind = CAROM_JOINT_HINGE, def.a = CAROM_WORLD, def.b = body, def.coordinate[0].stiffness = 1.0;
    CHECK_INT(carom_model_place_joint(model, &placing, &def, NULL), CAROM_OK);
    CHECK_INT(carom_model_add_joint(model, &def, NULL, NULL), CAROM_OK);
}

static void breaking_hinge(carom_model *model, carom_body body) {
    carom_joint_def def = carom_joint_def_default();
    carom_joint_placing placing = carom_joint_placing_default();
    def.kind = CAROM_JOINT_HINGE, def.a = CAROM_WORLD, def.b = body, def.break_force = 1.0;
    CHECK_INT(carom_model_place_joint(model, &placing, &def, NULL), CAROM_OK);
    CHECK_INT(carom_model_add_joint(model, &def, NULL, NULL), CAROM_OK);
}

TEST(models_that_plans_have_no_rows_for_are_refused) {
    static const struct {
        void (*add)(carom_model *model, carom_body body);
        const char *sentence;
    } cases[] = {{drag, "no rows for drag"},
                 {damper, "springs with damping"},
                 {torque, "constant wrenches but forces"},
                 {sunlight, "sunlight"},
                 {sprung_hinge, "has a spring, a damper or a motor of its own"},
                 {breaking_hinge, "opens and closes"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        task t;
        begin(&t);
        cases[i].add(t.model, t.probe);
        check_refused(&t, cases[i].sentence);
    }
}

TEST_MAIN(CASE(a_force_limit_is_too_small), CASE(a_thruster_cannot_pull), CASE(nothing_drives_a_body),
          CASE(nothing_rotates_a_body), CASE(a_hinge_does_not_open_so_far), CASE(a_slot_is_too_narrow),
          CASE(a_contact_cannot_come_about), CASE(given_poses_that_overlap_are_refused),
          CASE(given_poses_that_open_a_joint_are_refused), CASE(definitions_that_make_no_sense_are_refused),
          CASE(models_that_plans_have_no_rows_for_are_refused))
