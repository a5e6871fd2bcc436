// SPDX-License-Identifier: MIT
// A planned contact that other methods find by themselves: a cube flies against a wall, lands flat, and comes back
// rotated about the wall's normal, with the plan's controls alone. (One that also tilts while it lands comes down on
// one corner after the other in a run that is off by rounding, and leaves in another way: the plan's simultaneous
// impact is a choice.)
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "control/certificate/replay.h"
#include "control/plan/plan_solve.h"
#include "math/quat.h"
#include "support/harness/check.h"
#include "support/model/world.h"

static const double side = 0.1;

static carom_body put(carom_model *model, const char *name, const carom_shape_def *shape, carom_body_def def,
                      carom_material material) {
    carom_error error = {.text = ""};
    if (carom_model_add_shape(model, NULL, shape, &def.shape, &error) != CAROM_OK) fail_msg("%s", error.text);
    def.name = name;
    def.material = material;
    return world_add(model, &def);
}

// As smooth as they are elastic.
static carom_model *cube_and_wall(carom_body *cube, carom_body *wall) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_material_def smooth = {.struct_size = sizeof smooth, .name = "smooth", .friction = 0.0, .restitution = 1.0};
    carom_material material;
    CHECK_INT(carom_model_add_material(model, &smooth, &material, NULL), CAROM_OK);
    carom_shape_def half_space = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    carom_shape_def box = carom_shape_def_default(CAROM_SHAPE_BOX);
    half_space.half_space.normal = crm_vec3(0.0, 0.0, 1.0);
    box.box.size = crm_vec3(side, side, side);
    carom_body_def def = carom_body_def_default();
    def.kind = CAROM_BODY_FIXED;
    *wall = put(model, "wall", &half_space, def, material);
    def.kind = CAROM_BODY_FREE;
    def.density = 500.0;
    def.position = crm_vec3(0.0, 0.0, 0.104);
    def.attitude = crm_quat_from_axis_angle(crm_vec3(0.0, 0.0, 1.0), 0.6);
    def.velocity = crm_vec3(0.0, 0.0, -0.25);
    *cube = put(model, "cube", &box, def, material);
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    return model;
}

TEST(lcp_and_dcr_find_the_contact_that_was_planned) {
    carom_body cube, wall;
    carom_model *model = cube_and_wall(&cube, &wall);
    carom_plan_condition goal = carom_plan_condition_default();
    goal.body = cube;
    goal.has_position = goal.has_attitude = goal.has_velocity = goal.has_spin = true;
    goal.position = crm_vec3(0.02, 0.0, 0.18);
    goal.velocity = crm_vec3(0.0, 0.0, 0.25);
    carom_control_def control = carom_control_def_default();
    control.body = cube;
    carom_plan_contact contact = carom_plan_contact_default();
    contact.node = 9, contact.a = cube, contact.b = wall, contact.restitution = 1.0;
    carom_plan_def def = carom_plan_def_default();
    def.intervals = 30, def.time = 0.75;
    def.control = &control, def.control_count = 1;
    def.condition = &goal, def.condition_count = 1;
    def.contact = &contact, def.contact_count = 1;
    def.avoid.on = true; // beside the contact
    carom_plan *plan = NULL;
    carom_error error = {.text = ""};
    if (carom_plan_create(model, &def, NULL, &plan, &error) != CAROM_OK) fail_msg("%s", error.text);
    for (bool done = false; !done;)
        if (carom_plan_solve_next(plan, 1, NULL, NULL, &done, &error) != CAROM_OK) fail_msg("%s", error.text);
    CHECK_TEXT(carom_plan_reason(plan), "");
    CHECK(carom_plan_get_certificate(plan).kept);
    CHECK_NEAR(carom_plan_time(plan, 9), 0.054 / 0.25, 0.01); // with little effort not far from where it flies anyway
    static const carom_method methods[] = {CAROM_METHOD_LCP, CAROM_METHOD_DCR};
    for (int m = 0; m < 2; m++) {
        for (int division = 10; division <= 40; division *= 4) {
            crm_arena arena;
            crm_arena_init(&arena, NULL);
            const crm_replay_options options = {methods[m], division, false};
            crm_replay run;
            CHECK_INT(crm_replay_plan(model, &plan->def, &plan->best.motion, &options, &arena, &run, &error), CAROM_OK);
            CHECK_TEXT(run.text, "");
            CHECK_INT(run.made, 30);
            double off = run.distance[cube.index] / side, angle = run.angle[cube.index];
            if (!CHECK(off < 0.02 && angle < 0.02) || getenv("CAROM_SEEDS") != NULL)
                printf("%s, %d steps an interval: ends %.3g of a side and %.3g rad off\n",
                       carom_method_name(methods[m]), division, off, angle);
            crm_arena_free(&arena);
        }
    }
    carom_plan_destroy(plan);
    carom_model_destroy(model);
}

TEST_MAIN(CASE(lcp_and_dcr_find_the_contact_that_was_planned))
