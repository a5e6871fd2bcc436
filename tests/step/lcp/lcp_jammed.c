// SPDX-License-Identifier: MIT
// Overlaps and open joints that cannot be undone, or not at once: what friction jams stays where it is and the step is
// sound, and nothing is closed faster than push_out allows.
#include <math.h>

#include "support/geometry/touching.h"
#include "support/harness/check.h"

static const double step = 0.01, overlap = 1e-4;
static const carom_vec3 nothing = {0.0, 0.0, 0.0};

static carom_joint add_joint(carom_model *model, carom_joint_def def, carom_vec3 point, carom_vec3 axis) {
    carom_error error = {0};
    carom_joint_placing placing = carom_joint_placing_default();
    placing.point = point;
    placing.axis = axis;
    carom_joint joint = {-1};
    if (carom_model_place_joint(model, &placing, &def, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
    if (carom_model_add_joint(model, &def, &joint, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
    return joint;
}

// A ball on a rail that climbs at 45 degrees, a little below the surface of the floor; beside it a free one.
static carom_model *rail(double friction) {
    carom_model *model = world_starting(nothing, CAROM_START_KEEP);
    carom_material material = touching_material(model, friction, 0.0);
    carom_model_shape ball = touching_sphere(model, 0.5);
    touching_add(model, touching_floor(model), material, 0.0, nothing);
    carom_vec3 centre = {0.0, 0.0, 0.5 - overlap};
    carom_joint_def def = carom_joint_def_default();
    def.kind = CAROM_JOINT_MIX;
    def.linear_free = 1;
    def.angular_free = 0;
    def.a = CAROM_WORLD;
    def.b = touching_add(model, ball, material, 2.0, centre);
    add_joint(model, def, centre, (carom_vec3){sqrt(0.5), 0.0, sqrt(0.5)});
    touching_add(model, ball, material, 2.0, (carom_vec3){3.0, 0.0, 0.5 - overlap});
    return model;
}

// The floor pushes with r_n and rubs with mu r_n against the slip: along the rail (r_n - mu r_n) / sqrt(2), which
// drives the ball out for mu < 1 and holds it for mu > 1, whatever r_n is.
TEST(friction_that_jams_a_body_holds_it_and_breaks_nothing) {
    for (int i = 0; i < 2; i++) {
        bool jams = i == 1;
        carom_model *model = rail(jams ? 1.1 : 0.9);
        carom_method_def method = touching_method(step, 1e-8);
        carom_state *state = touching_state(model, &method);
        for (int k = 0; k < 3; k++) {
            carom_step_report report = world_run(state, 1);
            CHECK_INT(report.outcome, CAROM_STEP_GOOD);
            CHECK(report.residual <= 1e-8);
            CHECK((report.fallbacks > 0) == jams);
            if (jams)
                CHECK_CONTAINS(report.text, "friction jams");
            else
                CHECK_TEXT(report.text, "");
            double wanted = jams ? 0.5 - overlap : 0.5, climbed = jams ? 0.0 : overlap;
            if (k > 0) continue;
            CHECK_NEAR(world_body(state, 1).position.z, wanted, 1e-10);
            CHECK_NEAR(world_body(state, 1).position.x, climbed, 1e-10);
            // The other one is undone in any case: what is jammed is no excuse for what is not.
            CHECK_NEAR(world_body(state, 2).position.z, 0.5, 1e-10);
        }
        world_destroy(state);
    }
}

static carom_joint_def hold(carom_model *model, int linear, int angular, carom_vec3 moments) {
    carom_joint_def def = carom_joint_def_default();
    carom_body_def body = world_body_def(1.0, moments);
    def.kind = CAROM_JOINT_MIX;
    def.a = CAROM_WORLD;
    def.linear_free = linear;
    def.angular_free = angular;
    def.b = world_add(model, &body);
    return def;
}

// `outcome`: of a step at whose end a joint is still wide open the contract is broken.
static carom_body_state after_one_step(carom_model *model, const carom_method_def *method, const carom_body_state *at,
                                       carom_step_outcome outcome) {
    carom_error error = {0};
    carom_step_report report;
    carom_state *state = touching_state(model, method);
    if (at != NULL) CHECK_INT(carom_state_set_body(state, (carom_body){0}, at, &error), CAROM_OK);
    CHECK_INT(carom_step(model, state, NULL, &report, &error), CAROM_OK);
    CHECK_INT(report.outcome, outcome);
    carom_body_state body = world_body(state, 0);
    world_destroy(state);
    return body;
}

TEST(a_limit_is_come_back_to_by_gamma_and_no_faster_than_push_out) {
    const struct {
        double gamma, push_out, speed;
    } cases[] = {{1.0, INFINITY, 0.2 / step}, {0.25, INFINITY, 0.05 / step}, {1.0, 0.3, 0.3}};
    for (int i = 0; i < 3; i++) {
        carom_model *model = world_model(nothing, 0.0);
        carom_joint_def def = hold(model, 1, 0, (carom_vec3){1.0, 1.0, 1.0});
        def.coordinate[0].lower = 0.0;
        add_joint(model, def, nothing, (carom_vec3){0.0, 0.0, 1.0});
        carom_method_def method = touching_method(step, 1e-8);
        method.lcp.gamma = cases[i].gamma;
        method.lcp.push_out = cases[i].push_out;
        carom_body_state moved = {.position = {0.0, 0.0, -0.2}, .attitude = {1.0, 0.0, 0.0, 0.0}};
        CHECK_NEAR(after_one_step(model, &method, &moved, CAROM_STEP_GOOD).velocity.z, cases[i].speed,
                   1e-7 * cases[i].speed);
    }
}

// A body is moved away from the point that holds it, 2 m from its centre: 2 m is the size of the jointed system.
TEST(an_open_joint_is_closed_no_faster_than_push_out) {
    carom_method_def method = touching_method(step, 1e-8);
    method.lcp.push_out = 0.3;
    carom_model *model = world_model(nothing, 0.0);
    carom_joint_def def = hold(model, 0, 3, (carom_vec3){1.0, 1.0, 1.0});
    add_joint(model, def, nothing, (carom_vec3){0.0, 0.0, 1.0});
    carom_body_state moved = {.position = {0.3, 0.4, 0.0}, .attitude = {1.0, 0.0, 0.0, 0.0}};
    carom_body_state after = after_one_step(model, &method, &moved, CAROM_STEP_BROKEN);
    CHECK_NEAR(after.velocity.x, -0.3 * 0.6, 1e-8);
    CHECK_NEAR(after.velocity.y, -0.3 * 0.8, 1e-8);

    model = world_model(nothing, 0.0);
    def = hold(model, 0, 0, (carom_vec3){1.0, 1.0, 1.0});
    add_joint(model, def, (carom_vec3){2.0, 0.0, 0.0}, (carom_vec3){0.0, 0.0, 1.0});
    // Rotated by 0.5 rad about the joint.
    carom_body_state rotated = {.position = {2.0 - 2.0 * cos(0.5), -2.0 * sin(0.5), 0.0},
                                .attitude = {cos(0.25), 0.0, 0.0, sin(0.25)}};
    after = after_one_step(model, &method, &rotated, CAROM_STEP_BROKEN);
    CHECK_NEAR(after.spin.z, -0.3 / 2.0, 1e-7);
}

TEST_MAIN(CASE(friction_that_jams_a_body_holds_it_and_breaks_nothing),
          CASE(a_limit_is_come_back_to_by_gamma_and_no_faster_than_push_out),
          CASE(an_open_joint_is_closed_no_faster_than_push_out))
