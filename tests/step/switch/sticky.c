// SPDX-License-Identifier: MIT
// Sticky joints, loops that close, kinds of bodies, refusals, want of memory.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"
#include "support/harness/refused_allocations.h"
#include "support/model/joints.h"

static carom_joint_def ball_latch(carom_body a, carom_body b, carom_vec3 point_a, carom_vec3 point_b) {
    carom_joint_def def = carom_joint_def_default();
    def.kind = CAROM_JOINT_BALL;
    def.a = a;
    def.b = b;
    def.point_a = point_a;
    def.point_b = point_b;
    def.latch = (carom_latch_def){.on = true, .distance = 0.05, .speed = INFINITY};
    return def;
}

static carom_status step(carom_state *state, carom_step_report *report, carom_error *error) {
    return carom_step(carom_state_model(state), state, NULL, report, error);
}

// ---- sticky

// Two balls of 0.2 m that fly at each other, a little aside. They stick where they touch, 0.2 m from both centres.
TEST(balls_stick_where_they_touch) {
    static const carom_method methods[] = {CAROM_METHOD_LCP,        CAROM_METHOD_DCR,         CAROM_METHOD_EXACT,
                                           CAROM_METHOD_MULTIPLIER, CAROM_METHOD_VARIATIONAL, CAROM_METHOD_REDUCED,
                                           CAROM_METHOD_NEWMARK};
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        carom_model *model = world_model(crm_vec3_zero(), 0.0);
        carom_model_shape ball = touching_sphere(model, 0.2);
        carom_material smooth = touching_material(model, 0.0, 0.0);
        for (int b = 0; b < 2; b++) {
            carom_body_def def = touching_def(model, ball, smooth, 1.0, crm_vec3(b == 0 ? -0.5 : 0.5, 0.05 * b, 0.0));
            def.velocity = crm_vec3(b == 0 ? 1.0 : -1.0, 0.0, 0.0);
            world_add(model, &def);
        }
        carom_joint_def def = ball_latch((carom_body){0}, (carom_body){1}, crm_vec3_zero(), crm_vec3_zero());
        def.latch.sticky = true;
        def.latch.distance = 0.0;
        joints_add(model, &def);
        carom_method_def method = carom_method_def_default();
        method.method = methods[m];
        method.step = 0.001;
        method.potential.overlap = 0.5; // balls stick before a contact has done anything
        carom_state *state = joints_state(model, &method);
        carom_momentum first = carom_state_momentum(state);
        int closed = 0;
        for (int i = 0; i < 600; i++) {
            world_run(state, 1);
            int count;
            const carom_joint_event *event = carom_state_joint_events(state, &count);
            if (count == 0) continue;
            closed++;
            CHECK(event->closed && event->impact_energy <= 0.0);
            CHECK(event->moved <= 1e-12); // the joint is made where the bodies are
        }
        CHECK_INT(closed, 1);
        carom_joint_state joint = joints_get(state, 0);
        for (int b = 0; b < 2; b++) CHECK_NEAR(crm_distance(joint.point, world_body(state, b).position), 0.2, 2.1e-3);
        CHECK(joint.linear_drift <= 1e-9);
        carom_momentum last = carom_state_momentum(state);
        CHECK_NEAR(crm_distance(last.linear, first.linear), 0.0, 1e-12);
        CHECK_NEAR(crm_distance(last.angular, first.angular), 0.0,
                   methods[m] == CAROM_METHOD_MULTIPLIER ? 1e-9 : 1e-12);
        world_destroy(state);
    }
}

// ---- loops

// Two bars of 1 m from the world's origin, with an angle between them, whose end latches to a point of the world: a
// loop, which methods with trees alone refuse by name.
static carom_model *ring(double angle, double gap) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_vec3 along = crm_vec3(cos(angle), sin(angle), 0.0), end = crm_add(crm_vec3(1.0, 0.0, 0.0), along);
    carom_body_def def = joints_bar(crm_vec3(0.5, 0.0, 0.0));
    carom_body first = world_add(model, &def);
    def = joints_bar(crm_add(crm_vec3(1.0, 0.0, 0.0), crm_scale(0.5, along)));
    def.attitude = (carom_quat){cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)};
    carom_body second = world_add(model, &def);
    const carom_vec3 places[] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
    for (int j = 0; j < 2; j++) {
        carom_joint_def joint = joints_def(model, CAROM_JOINT_BALL, j == 0 ? CAROM_WORLD : first,
                                           j == 0 ? first : second, places[j], crm_vec3(0.0, 0.0, 1.0));
        joints_add(model, &joint);
    }
    carom_vec3 target = crm_scale(1.0 + gap, end);
    carom_joint_def latch = ball_latch(CAROM_WORLD, second, target, crm_vec3(0.5, 0.0, 0.0));
    joints_add(model, &latch);
    return model;
}

TEST(a_latch_that_closes_a_loop_is_refused_by_trees) {
    carom_model *model = ring(1.0, 0.01);
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    carom_method_def def = carom_method_def_default();
    carom_error error;
    def.method = CAROM_METHOD_REDUCED;
    CHECK_INT(carom_method_supports(model, &def, &error), CAROM_ERR_UNSUPPORTED);
    CHECK_CONTAINS(error.text, "the method reduced has no joints that close loops (joint ");
    def.method = CAROM_METHOD_IMPULSE;
    CHECK_INT(carom_method_supports(model, &def, &error), CAROM_ERR_UNSUPPORTED);
    CHECK_CONTAINS(error.text, "the method impulse has no joints that open and close");
    carom_model_destroy(model);
}

TEST(a_loop_closes_and_one_that_does_not_fit_stays_open) {
    static const carom_method methods[] = {CAROM_METHOD_LCP, CAROM_METHOD_MULTIPLIER};
    for (int m = 0; m < 2; m++) {
        for (int fits = 0; fits < 2; fits++) {
            carom_state *state = world_state(ring(fits ? 1.0 : 0.0, 0.01), methods[m], 0.01);
            carom_step_report report;
            carom_error error;
            CHECK_INT(step(state, &report, &error), CAROM_OK);
            CHECK(report.outcome == CAROM_STEP_GOOD);
            int count;
            const carom_joint_event *event = carom_state_joint_events(state, &count);
            if (!CHECK_INT(count, 1)) continue;
            CHECK(event->failed == !fits && event->closed == (fits == 1));
            CHECK(carom_state_joint_is_closed(state, (carom_joint){2}) == (fits == 1));
            CHECK(report.joint_drift <= 1e-8);
            CHECK_INT(step(state, &report, &error), CAROM_OK);
            carom_state_joint_events(state, &count); // it is not tried again and again
            CHECK_INT(count, 0);
            world_destroy(state);
        }
    }
}

// ---- kinds of bodies

// Planar bodies and mass points latch, too, and keep their momenta.
TEST(planar_bodies_and_points_latch) {
    static const carom_method methods[] = {CAROM_METHOD_LCP, CAROM_METHOD_MULTIPLIER};
    for (int m = 0; m < 2; m++) {
        for (int points = 0; points < 2; points++) {
            carom_model *model = world_model(crm_vec3_zero(), 0.0);
            for (int b = 0; b < 2; b++) {
                carom_body_def def = world_body_def(1.0 + b, crm_vec3(0.1, 0.1, 0.1));
                def.kind = points ? CAROM_BODY_POINT : CAROM_BODY_PLANAR;
                def.position = crm_vec3(b == 0 ? -0.5 : 0.5, 0.02 * b, 0.0);
                def.velocity = crm_vec3(b == 0 ? 1.0 : -1.0, 0.2, 0.0);
                if (!points) def.spin = crm_vec3(0.0, 0.0, 0.3);
                world_add(model, &def);
            }
            double arm = points ? 0.0 : 0.2;
            carom_joint_def def =
                ball_latch((carom_body){0}, (carom_body){1}, crm_vec3(arm, 0.0, 0.0), crm_vec3(-arm, 0.0, 0.0));
            if (points) { // two that met would have nothing to keep their L with
                def.kind = CAROM_JOINT_DISTANCE;
                def.length = 0.3;
            }
            joints_add(model, &def);
            carom_state *state = world_state(model, methods[m], 0.01);
            carom_momentum first = carom_state_momentum(state);
            world_run(state, 80);
            CHECK(carom_state_joint_is_closed(state, (carom_joint){0}));
            carom_momentum last = carom_state_momentum(state);
            CHECK_NEAR(crm_distance(last.linear, first.linear), 0.0, 1e-12);
            CHECK_NEAR(crm_distance(last.angular, first.angular), 0.0, 1e-9);
            CHECK(joints_get(state, 0).linear_drift <= 1e-9);
            world_destroy(state);
        }
    }
}

// ---- what is refused

static void check_refused(carom_joint_def def, const char *sentence) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_body_def body = world_body_def(1.0, crm_vec3(1.0, 1.0, 1.0));
    world_add(model, &body);
    world_add(model, &body);
    carom_error error;
    def.a.index = 0;
    def.b.index = 1;
    CHECK_INT(carom_model_add_joint(model, &def, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, sentence);
    carom_model_destroy(model);
}

TEST(latches_that_cannot_be_are_refused) {
    const carom_joint_def good = ball_latch(CAROM_WORLD, CAROM_WORLD, crm_vec3_zero(), crm_vec3_zero());
    carom_joint_def def = good;
    def.break_force = 0.0;
    check_refused(def, "joint 0: break_force is 0 N, must be positive");
    def = good, def.break_moment = -1.0;
    check_refused(def, "joint 0: break_moment is -1 N m, must be positive");
    def = good, def.latch.distance = 0.0;
    check_refused(def, "joint 0: latch.distance is 0 m, must be positive and finite");
    def = good, def.kind = CAROM_JOINT_HINGE;
    check_refused(def, "joint 0: latch.angle is 0 rad, must be positive and finite, as the joint blocks rotations");
    def = good, def.latch.speed = 0.0;
    check_refused(def, "joint 0: latch.speed is 0 m/s, must be positive");
    def = good, def.latch.sticky = true;
    check_refused(def, "joint 0 is sticky, but one of its bodies has no shape to touch with");
    def.kind = CAROM_JOINT_FIXED;
    check_refused(def, "joint 0 is sticky: that makes a ball joint where its bodies touch; take the kind ball");
    def = good, def.latch.on = false, def.latch.sticky = true;
    check_refused(def, "joint 0 is sticky without a latch: set latch.on");
    def = good, def.kind = CAROM_JOINT_MIX, def.linear_free = 3, def.angular_free = 3;
    check_refused(def, "joint 0 has a latch but blocks nothing: there is nothing to close");
}

TEST(switches_of_joints_that_do_not_switch_are_refused) {
    carom_model *model = joints_chain(2, CAROM_JOINT_HINGE, crm_vec3_zero());
    carom_state *state = world_state(model, CAROM_METHOD_MULTIPLIER, 0.01);
    carom_joint_switch switches[2] = {{{1}, false}, {{0}, false}};
    carom_input input = {.switch_count = 1, .joint_switch = switches};
    carom_step_report report;
    carom_error error;
    CHECK_INT(carom_step(model, state, &input, &report, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text,
                   "joint 1 does not open and close; give it a latch, a load that breaks it, or by_command");
    switches[0].joint.index = 7;
    CHECK_INT(carom_step(model, state, &input, &report, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "input joint_switch: there is no joint 7");
    world_destroy(state);
}

// ---- want of memory

static carom_model *latching_model(const carom_allocator *allocator, bool breaks) {
    carom_model_def how = carom_model_def_default();
    how.gravity = crm_vec3_zero();
    how.allocator = allocator;
    carom_model *model;
    if (carom_model_create(&how, &model, NULL) != CAROM_OK) return NULL;
    for (int b = 0; b < 2; b++) {
        carom_body_def def = world_body_def(1.0, crm_vec3(0.1, 0.1, 0.1));
        def.position = crm_vec3(b == 0 ? -0.3 : 0.3, 0.0, 0.0);
        def.velocity = crm_vec3(b == 0 ? 1.0 : -1.0, 0.1, 0.0);
        def.spin = crm_vec3(0.0, 0.0, b == 0 ? 4.0 : -4.0);
        world_add(model, &def);
    }
    carom_joint_def def =
        ball_latch((carom_body){0}, (carom_body){1}, crm_vec3(0.2, 0.0, 0.0), crm_vec3(-0.2, 0.0, 0.0));
    if (breaks) def.break_force = 1e-3;
    joints_add(model, &def);
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    return model;
}

TEST(refused_memory_leaves_the_state_as_it_was) {
    for (int breaks = 0; breaks < 2; breaks++) {
        carom_method_def def = carom_method_def_default();
        def.step = 0.01;
        check_refused_allocations(&def, latching_model, breaks == 1);
        def.method = CAROM_METHOD_VARIATIONAL;
        check_refused_allocations(&def, latching_model, breaks == 1);
    }
}

TEST_MAIN(CASE(balls_stick_where_they_touch), CASE(a_latch_that_closes_a_loop_is_refused_by_trees),
          CASE(a_loop_closes_and_one_that_does_not_fit_stays_open), CASE(planar_bodies_and_points_latch),
          CASE(latches_that_cannot_be_are_refused), CASE(switches_of_joints_that_do_not_switch_are_refused),
          CASE(refused_memory_leaves_the_state_as_it_was))
