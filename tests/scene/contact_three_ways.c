// SPDX-License-Identifier: MIT
// The scene contact-three-ways: one drop by penalty, impulse and lcp against its closed form.
#include <math.h>

#include "carom/carom.h"
#include "math/vec3.h"
#include "support/harness/check.h"

static const carom_vec3 up = {0.0, 0.0, 1.0};

// A ball falls, is stopped by the floor, slides and rolls. Friction has one direction throughout, against the slip u of
// the lowest point: as long as there is any, du/dt = 7/2 dv/dt.
static carom_body_state exact(const carom_body_state *start, double radius, double friction, double g, double t) {
    double fall = sqrt(2.0 * (start->position.z - radius) / g), falling = fmin(t, fall);
    carom_body_state at = *start;
    at.position = crm_madd(at.position, falling, at.velocity);
    at.position.z -= 0.5 * g * falling * falling;
    at.velocity.z -= g * falling;
    if (t < fall) return at;
    at.position.z = radius, at.velocity.z = 0.0;
    carom_vec3 slip = crm_madd(at.velocity, -radius, crm_cross(at.spin, up)), along;
    double speed = crm_length(slip);
    along = crm_scale(1.0 / speed, slip);
    double impact = fmin(friction * g * fall, speed / 3.5); // change of v
    double sliding = fmin(t - fall, (speed - 3.5 * impact) / (3.5 * friction * g));
    double all = impact + friction * g * sliding;
    carom_vec3 hit = crm_madd(at.velocity, -impact, along);
    at.velocity = crm_madd(at.velocity, -all, along);
    at.position = crm_madd(at.position, sliding, crm_scale(0.5, crm_add(hit, at.velocity)));
    at.position = crm_madd(at.position, t - fall - sliding, at.velocity);
    at.spin = crm_madd(at.spin, 2.5 * all / radius, crm_cross(up, along));
    return at;
}

typedef struct errors {
    double position, velocity, spin; // at the end
} errors;

static errors run(const char *method, const char *setting, double step) {
    const char *overrides[] = {method, setting};
    carom_scene_source source = carom_scene_source_default();
    source.file = CAROM_SOURCE_DIR "/scenes/contact-three-ways.json";
    source.override_count = setting != NULL ? 2 : 1;
    source.overrides = overrides;
    carom_scene *scene = NULL;
    carom_state *state = NULL;
    carom_error error = {.text = ""};
    if (!CHECK_INT(carom_scene_read(&source, NULL, &scene, NULL, &error), CAROM_OK)) CHECK_TEXT(error.text, "");
    const carom_model *model = carom_scene_model(scene);
    carom_method_def def = *carom_scene_method(scene);
    def.step = step;
    CHECK_INT(carom_state_create(model, &def, &state, &error), CAROM_OK);
    double until = carom_scene_until(scene);
    carom_body_state start;
    CHECK_INT(carom_state_get_body(state, (carom_body){1}, &start, &error), CAROM_OK);
    while (carom_state_time(state) < until - 0.5 * step) {
        carom_step_report report;
        CHECK_INT(carom_step(model, state, NULL, &report, NULL), CAROM_OK);
        if (!CHECK_INT(report.outcome, CAROM_STEP_GOOD) && !CHECK_TEXT(report.text, "")) break;
        CHECK(report.friction_work <= 0.0);
    }
    carom_body_state got;
    CHECK_INT(carom_state_get_body(state, (carom_body){1}, &got, &error), CAROM_OK);
    carom_body_state wanted = exact(&start, 0.1, 0.3, 9.81, carom_state_time(state));
    errors e = {crm_length(crm_sub(got.position, wanted.position)), crm_length(crm_sub(got.velocity, wanted.velocity)),
                crm_length(crm_sub(got.spin, wanted.spin))};
    carom_state_destroy(state);
    carom_scene_destroy(scene);
    return e;
}

// The closed form itself: it ends rolling, with the angular momentum about the floor that it came with.
TEST(the_closed_form_rolls_and_keeps_its_angular_momentum) {
    carom_body_state start = {.position = {0.0, 0.0, 0.3}, .velocity = {2.0, 0.0, 0.0}, .spin = {4.0, -10.0, 3.0}};
    carom_body_state end = exact(&start, 0.1, 0.3, 9.81, 0.5);
    carom_vec3 slip = crm_madd(end.velocity, -0.1, crm_cross(end.spin, up));
    CHECK(crm_length(slip) < 1e-14);
    // Rolls with 5/7 of v + 2/5 of what the spin rolls with.
    CHECK_NEAR(end.velocity.x, 5.0 / 7.0 * (2.0 - 0.4 * 1.0), 1e-14);
    CHECK_NEAR(end.velocity.y, 5.0 / 7.0 * (-0.4 * 0.4), 1e-14);
    CHECK_NEAR(end.spin.z, 3.0, 0.0);
}

TEST(impulse_by_events_has_the_closed_form) {
    errors e = run("method.name=\"impulse\"", NULL, 0.01);
    CHECK(e.position < 1e-8);
    CHECK(e.velocity < 1e-8);
    CHECK(e.spin < 1e-7);
}

// The others have an error of the order of the step. Where in its step the impact falls changes that by some factor, so
// it is compared over eight-fold steps.
static void converges(const char *method, const char *setting, errors at_a_millisecond) {
    errors last = {0};
    for (int i = 0; i < 3; i++) {
        double step = 1e-3 / pow(8.0, i), room = pow(8.0, -0.75 * i);
        errors e = run(method, setting, step);
        CHECK(e.position < room * at_a_millisecond.position);
        CHECK(e.velocity < room * at_a_millisecond.velocity);
        CHECK(e.spin < room * at_a_millisecond.spin);
        if (i > 0) CHECK(e.position < last.position / 3.0);
        last = e;
    }
}

TEST(lcp_goes_to_the_closed_form) {
    converges("method.name=\"lcp\"", NULL, (errors){2e-3, 2e-3, 2e-2});
}

TEST(impulse_with_fixed_steps_goes_to_the_closed_form) {
    converges("method.name=\"impulse\"", "method.impulse.variant=\"fixed\"", (errors){2e-3, 2e-3, 2e-2});
}

TEST(penalty_goes_to_the_closed_form) {
    converges("method.name=\"penalty\"", NULL, (errors){2e-3, 1e-2, 1e-1});
}

TEST_MAIN(CASE(the_closed_form_rolls_and_keeps_its_angular_momentum), CASE(impulse_by_events_has_the_closed_form),
          CASE(lcp_goes_to_the_closed_form), CASE(impulse_with_fixed_steps_goes_to_the_closed_form),
          CASE(penalty_goes_to_the_closed_form))
