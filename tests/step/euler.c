// SPDX-License-Identifier: MIT
// The explicit methods, the certificate, and the choice of a method.
#include <math.h>
#include <string.h>

#include "carom/tools.h"
#include "math/quat.h"
#include "support/harness/check.h"
#include "support/model/world.h"

static carom_state *top(carom_euler_form form, double step) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    carom_body_def def = world_body_def(1.5, (carom_vec3){1.0, 2.0, 3.0});
    def.attitude = (carom_quat){0.8, 0.0, 0.6, 0.0};
    def.velocity = crm_vec3(0.1, 0.2, -0.7);
    def.spin = crm_vec3(1.0, 3.0, -0.5);
    world_add(model, &def);
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_EULER;
    method.form = form;
    method.step = step;
    carom_state *state;
    CHECK_INT(carom_state_create(model, &method, &state, NULL), CAROM_OK);
    return state;
}

static carom_vec3 own_momentum(const carom_state *state) {
    carom_momentum momentum = carom_state_momentum(state);
    return crm_sub(momentum.angular, crm_cross(world_body(state, 0).position, momentum.linear));
}

TEST(the_momentum_form_keeps_momenta_to_the_bit) {
    carom_state *state = top(CAROM_EULER_MOMENTUM, 0.001);
    carom_momentum before = carom_state_momentum(state);
    carom_vec3 l = own_momentum(state);
    carom_step_report report = world_run(state, 5000);
    CHECK_INT(report.outcome, CAROM_STEP_GOOD);
    CHECK_NEAR(crm_distance(report.momentum.linear, before.linear), 0.0, 0.0);
    CHECK_NEAR(crm_distance(own_momentum(state), l), 0.0, 1e-15);
    world_destroy(state);
    // Without a velocity L about the origin is L about the centre: to the bit.
    state = top(CAROM_EULER_MOMENTUM, 0.001);
    carom_body_state still = world_body(state, 0);
    still.velocity = crm_vec3_zero();
    CHECK_INT(carom_state_set_body(state, (carom_body){0}, &still, NULL), CAROM_OK);
    before = carom_state_momentum(state);
    world_run(state, 5000);
    carom_momentum after = carom_state_momentum(state);
    CHECK(memcmp(&before, &after, sizeof before) == 0);
    world_destroy(state);
}

TEST(the_velocity_forms_certificate_says_broken) {
    carom_state *state = top(CAROM_EULER_VELOCITY, 0.001);
    carom_step_report report;
    CHECK_INT(carom_step(carom_state_model(state), state, NULL, &report, NULL), CAROM_OK);
    CHECK_INT(report.outcome, CAROM_STEP_BROKEN);
    CHECK(report.momentum_balance > 1e-8);
    CHECK_CONTAINS(report.text, "the momentum of body 0 and what it meets changed by");
    CHECK_CONTAINS(report.text, "beyond the impulses of the forces; the contract is 1e-12");
    CHECK_INT(report.step, 1); // the step was made
    CHECK_INT(carom_state_step_count(state), 1);
    world_destroy(state);
}

TEST(the_certificate_counts_energy_and_work) {
    // A wrench that speeds a point up: dE = F dx to rounding, as both are quadratic.
    carom_model *model = world_model((carom_vec3){0.0, 0.0, -9.81}, 0.0);
    carom_body_def def = world_body_def(2.0, (carom_vec3){1.0, 1.0, 1.0});
    def.kind = CAROM_BODY_POINT;
    def.velocity = crm_vec3(0.5, 0.0, 1.0);
    carom_wrench_def wrench = {
        .struct_size = sizeof(carom_wrench_def), .body = world_add(model, &def), .force = {3.0, 1.0, 0.0}};
    CHECK_INT(carom_model_add_wrench(model, &wrench, NULL), CAROM_OK);
    carom_state *state = world_state(model, CAROM_METHOD_EULER, 0.01);
    double energy = world_energy(state), work = 0.0;
    for (int i = 0; i < 100; i++) {
        carom_vec3 before = world_body(state, 0).position;
        carom_step_report report = world_run(state, 1);
        work += crm_dot(wrench.force, crm_sub(world_body(state, 0).position, before));
        CHECK_NEAR(report.energy_balance, 0.0, 1e-13);
        CHECK_NEAR(report.residual, 0.0, 0.0);
        CHECK_INT(report.iterations, 0);
        CHECK_NEAR(report.time, 0.01 * (i + 1), 0.0);
        CHECK_NEAR(report.energy.kinetic + report.energy.potential, world_energy(state), 0.0);
    }
    CHECK_NEAR(world_energy(state) - energy, work, 1e-12);
    world_destroy(state);
}

TEST(a_motion_that_runs_away_stops_at_the_last_good_state) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    carom_body_def def = world_body_def(1e-3, (carom_vec3){1.0, 1.0, 1.0});
    def.name = "feather";
    def.velocity.x = 1e3;
    carom_drag_def drag = {.struct_size = sizeof(carom_drag_def), .body = world_add(model, &def), .quadratic = 1.0};
    CHECK_INT(carom_model_add_drag(model, &drag, NULL), CAROM_OK);
    carom_state *state = world_state(model, CAROM_METHOD_EULER, 1.0);
    carom_step_report report = {.outcome = CAROM_STEP_GOOD};
    uint64_t hash = 0;
    int steps = 0;
    for (; steps < 100 && report.outcome != CAROM_STEP_IMPOSSIBLE; steps++) {
        hash = carom_state_hash(state);
        CHECK_INT(carom_step(model, state, NULL, &report, NULL), CAROM_OK);
    }
    CHECK(steps < 100);
    CHECK_CONTAINS(report.text, "body 'feather' would have no finite ");
    CHECK_CONTAINS(report.text, "step of 1 s is too large; make method.step smaller");
    CHECK(carom_state_hash(state) == hash);
    CHECK(isfinite(world_body(state, 0).position.x));
    world_destroy(state);
}

// ---- choosing

TEST(methods_have_names) {
    carom_method method;
    CHECK_TEXT(carom_method_name(CAROM_METHOD_VARIATIONAL), "variational");
    CHECK_TEXT(carom_method_name(CAROM_METHOD_EULER), "euler");
    CHECK_TEXT(carom_method_name(CAROM_METHOD_COUNT), "?");
    CHECK_TEXT(carom_method_name((carom_method)-1), "?");
    for (int i = 0; i < CAROM_METHOD_COUNT; i++)
        CHECK(carom_method_find(carom_method_name((carom_method)i), &method) && (int)method == i);
    CHECK(!carom_method_find("Euler", &method) && !carom_method_find("", &method));
}

TEST(forms_of_a_method_have_a_key_in_scenes) {
    CHECK_TEXT(carom_method_variant_key(CAROM_METHOD_EULER), "form");
    CHECK(carom_method_variant_key(CAROM_METHOD_VARIATIONAL) == NULL);
    CHECK(carom_method_variant_key(CAROM_METHOD_COUNT) == NULL);
    CHECK(carom_method_variant_key((carom_method)-1) == NULL);
}

static int no_force(void *user, const carom_force_sample *sample, carom_force_value *value) {
    (void)user, (void)sample, (void)value;
    return 0;
}

TEST(what_a_method_lacks_is_named_with_the_methods_that_have_it) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    carom_body_def def = carom_body_def_default();
    carom_body body = world_add(model, &def);
    CHECK_INT(carom_model_add_callback(
                  model,
                  &(carom_callback_def){.struct_size = sizeof(carom_callback_def), .body = body, .function = no_force},
                  NULL),
              CAROM_OK);
    carom_joint_def hinge = carom_joint_def_default();
    hinge.kind = CAROM_JOINT_HINGE;
    hinge.a = CAROM_WORLD;
    hinge.b = body;
    hinge.coordinate[0].lower = -1.0;
    hinge.coordinate[0].motor.kind = CAROM_MOTOR_VELOCITY;
    CHECK_INT(carom_model_add_joint(model, &hinge, NULL, NULL), CAROM_OK);
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_VARIATIONAL;
    carom_state *state = (carom_state *)&method;
    carom_error error;
    CHECK_INT(carom_state_create(model, &method, &state, &error), CAROM_ERR_UNSUPPORTED);
    CHECK(state == NULL);
    CHECK_TEXT(error.text,
               "the method variational has no joint limits, velocity motors; methods that have all this model needs: "
               "multiplier, reduced, lcp, impulse");
    method.method = CAROM_METHOD_REDUCED;
    CHECK_INT(carom_method_supports(model, &method, &error), CAROM_OK);
    carom_model_destroy(model);
}

TEST(impossible_settings_are_refused_with_a_sentence) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    const carom_method_def good = carom_method_def_default();
    carom_method_def bad[8] = {good, good, good, good, good, good, good, good};
    static const char *const sentences[8] = {"method.step is 0 s, must be a positive number",
                                             "method.step is -0.1 s, must be a positive number",
                                             "method.step is nan s, must be a positive number",
                                             "method.step is inf s, must be a positive number",
                                             "method.name is 1000, must be \"variational\", \"euler\", ",
                                             "method.form is 5, must be \"momentum\" or \"velocity\"",
                                             "method.tolerance is 0, must be a number between 0 and 1",
                                             "method.iteration_limit is 0, must be a whole number from 1 to 1000000"};
    bad[0].step = 0.0;
    bad[1].step = -0.1;
    bad[2].step = NAN;
    bad[3].step = INFINITY;
    bad[4].method = (carom_method)1000;
    bad[5].form = (carom_euler_form)5;
    bad[6].tolerance = 0.0;
    bad[7].iteration_limit = 0;
    for (int i = 0; i < 8; i++) {
        carom_state *state;
        carom_error error;
        CHECK_INT(carom_state_create(model, &bad[i], &state, &error), CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, sentences[i]);
        CHECK(state == NULL);
    }
    carom_model_destroy(model);
}

TEST_MAIN(CASE(the_momentum_form_keeps_momenta_to_the_bit), CASE(the_velocity_forms_certificate_says_broken),
          CASE(the_certificate_counts_energy_and_work), CASE(a_motion_that_runs_away_stops_at_the_last_good_state),
          CASE(methods_have_names), CASE(forms_of_a_method_have_a_key_in_scenes),
          CASE(what_a_method_lacks_is_named_with_the_methods_that_have_it),
          CASE(impossible_settings_are_refused_with_a_sentence))
