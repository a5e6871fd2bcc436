// SPDX-License-Identifier: MIT
// What impulse owes to balls that rebound, in both variants, and lcp in its own: energies that stay, heights of the
// restitution, and plates that nothing passes through, whatever the step.
#include <math.h>

#include "math/quat.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"

static const carom_vec3 origin = {0.0, 0.0, 0.0};
static const double g = 9.81;

static carom_method_def method_of(int way, double step) {
    carom_method_def def = carom_method_def_default();
    def.method = way == 2 ? CAROM_METHOD_LCP : CAROM_METHOD_IMPULSE;
    def.impulse.variant = way == 0 ? CAROM_IMPULSE_EVENTS : CAROM_IMPULSE_FIXED;
    def.step = step;
    return def;
}

static carom_state *ball_over_floor(double radius, double mass, double height, double restitution,
                                    const carom_method_def *method) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -g), 0.0);
    carom_material material = touching_material(model, 0.0, restitution);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    touching_add(model, touching_sphere(model, radius), material, mass, crm_vec3(0.0, 0.0, radius + height));
    return touching_state(model, method);
}

static double height_left(const carom_state *state, double radius) {
    carom_body_state ball = world_body(state, 1);
    return 0.5 * crm_length_squared(ball.velocity) / g + ball.position.z - radius;
}

// ---- elastic

static void check_elastic(int way, double step, double radius, double mass, double height, int steps) {
    carom_method_def method = method_of(way, step);
    carom_state *state = ball_over_floor(radius, mass, height, 1.0, &method);
    int contacts = 0;
    for (int i = 0; i < steps; i++) {
        contacts += world_run(state, 1).contacts;
        if (!CHECK_NEAR(height_left(state, radius) / height, 1.0, 1e-9)) break;
    }
    CHECK(contacts > 10);
    world_destroy(state);
}

TEST(an_elastic_ball_keeps_its_energy) {
    for (int way = 0; way < 3; way++) {
        check_elastic(way, 0.01, 0.1, 1.0, 0.15, 4000);
        check_elastic(way, 1.0 / 240.0, 0.1, 1.0, 0.5, 4000);
        check_elastic(way, 1e-4, 1e-3, 1e-6, 1e-3, 4000);
        check_elastic(way, 0.05, 100.0, 1e9, 60.0, 4000);
    }
}

// Ten thousand bounces of 0.35 s each.
TEST(an_elastic_ball_keeps_its_energy_over_ten_thousand_bounces) {
    check_elastic(0, 0.05, 0.1, 1.0, 0.15, 70000);
    check_elastic(1, 0.01, 0.1, 1.0, 0.15, 350000);
    check_elastic(2, 0.01, 0.1, 1.0, 0.15, 350000);
}

// e^2 of the height after the first bounce, whatever is left of the gap when the step begins.
TEST(a_ball_rises_to_the_square_of_its_restitution) {
    static const double restitution[] = {0.3, 0.5, 0.8, 0.95}, steps[] = {1e-3, 0.01, 0.03};
    for (int i = 0; i < 36; i++) {
        double e = restitution[i % 4];
        carom_method_def method = method_of(i / 12, steps[i / 4 % 3]);
        carom_state *state = ball_over_floor(0.1, 1.0, 1.0, e, &method);
        while (!(world_body(state, 1).velocity.z > 0.0) && carom_state_time(state) < 1.0) world_run(state, 1);
        CHECK_NEAR(height_left(state, 0.1), e * e, 1e-6);
        world_destroy(state);
    }
}

// ---- plates

// A ball against a thin plate: it comes back at e times its speed from where the two touch. `drop`: gravity across the
// way, which bends it.
static void check_plate(double speed, double thickness, double step, double restitution, double drop) {
    const double radius = 0.02, start = -1.0, until = 2.0 * fmax(step, 1.0 / speed);
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -drop), 0.0);
    carom_material material = touching_material(model, 0.0, restitution);
    touching_add(model, touching_box(model, thickness, 50.0, 50.0), material, 0.0, origin);
    carom_body_def ball = touching_def(model, touching_sphere(model, radius), material, 1.0, crm_vec3(start, 0.0, 0.0));
    ball.velocity = crm_vec3(speed, 0.0, 0.0);
    world_add(model, &ball);
    carom_method_def method = method_of(0, step);
    carom_state *state = touching_state(model, &method);
    while (carom_state_time(state) < until) CHECK_INT(world_run(state, 1).outcome, CAROM_STEP_GOOD);
    double time = carom_state_time(state), wall = -0.5 * thickness - radius, touch = (wall - start) / speed;
    carom_body_state at = world_body(state, 1);
    CHECK_NEAR(at.velocity.x, -restitution * speed, 1e-9 * speed);
    CHECK_NEAR(at.position.x, wall - restitution * speed * (time - touch), 1e-9 * (1.0 + speed * time));
    CHECK_NEAR(at.position.z, -0.5 * drop * time * time, 1e-9 * (1.0 + drop * time * time));
    world_destroy(state);
}

TEST(nothing_passes_through_a_plate_by_events) {
    check_plate(200.0, 0.01, 1.0 / 240.0, 0.0, 0.0);
    check_plate(400.0, 0.01, 1.0 / 240.0, 1.0, 0.0);
    check_plate(3.0, 0.1, 1.0, 1.0, 0.0);
    check_plate(3.0, 0.01, 2.0, 0.5, 0.0);
    check_plate(1000.0, 0.001, 0.01, 0.7, 0.0);
    check_plate(5.0, 0.01, 1.0, 1.0, 9.81);
}

// A step of 1 s and one of 1 ms lead to the same motion: a thin plate between two balls.
TEST(a_long_step_leads_to_the_motion_of_short_ones) {
    carom_body_state end[2][3];
    for (int i = 0; i < 2; i++) {
        carom_model *model = world_model(origin, 0.0);
        carom_material elastic = touching_material(model, 0.0, 1.0);
        carom_model_shape ball = touching_sphere(model, 0.05);
        carom_body_def plate =
            touching_def(model, touching_box(model, 0.01, 1.0, 1.0), elastic, 1.0, crm_vec3(0.0, 0.0, 0.0));
        world_add(model, &plate);
        for (int k = 0; k < 2; k++) {
            carom_body_def def = touching_def(model, ball, elastic, 0.5, crm_vec3(k == 0 ? -1.0 : 1.5, 0.1 * k, 0.05));
            def.velocity = crm_vec3(k == 0 ? 4.0 : -3.0, 0.0, 0.0);
            world_add(model, &def);
        }
        carom_method_def method = method_of(0, i == 0 ? 1e-3 : 1.0);
        carom_state *state = touching_state(model, &method);
        world_run(state, i == 0 ? 1000 : 1);
        for (int b = 0; b < 3; b++) end[i][b] = world_body(state, b);
        CHECK(crm_length(end[i][0].spin) > 0.0);
        world_destroy(state);
    }
    for (int b = 0; b < 3; b++) {
        CHECK_NEAR(crm_distance(end[0][b].position, end[1][b].position), 0.0, 1e-7);
        CHECK_NEAR(crm_distance(end[0][b].velocity, end[1][b].velocity), 0.0, 1e-7);
    }
}

// Smooth balls that meet obliquely: by the end of the step their line of centres has rotated, but the impulse has no
// part across the one that it was given along.
TEST(an_impulse_is_told_along_the_normal_that_it_had) {
    carom_model *model = world_model(origin, 0.0);
    carom_material smooth = touching_material(model, 0.0, 1.0);
    carom_model_shape ball = touching_sphere(model, 0.1);
    carom_body_def def = touching_def(model, ball, smooth, 1.0, crm_vec3(-1.0, 0.1, 0.0));
    def.velocity = crm_vec3(3.0, 0.0, 0.0);
    world_add(model, &def);
    touching_add(model, ball, smooth, 1.0, origin);
    carom_method_def method = method_of(0, 0.02);
    carom_state *state = touching_state(model, &method);
    carom_step_report report = {0};
    while (report.contacts == 0 && report.time < 1.0) report = world_run(state, 1);
    int count;
    const carom_contact_state *contact = carom_state_contacts(state, &count);
    CHECK_INT(count, 1);
    CHECK_NEAR(contact->normal.x, sqrt(0.75), 1e-9);
    CHECK_NEAR(contact->normal_impulse, 3.0 * sqrt(0.75), 1e-9);
    CHECK_NEAR(hypot(contact->tangent_impulse[0], contact->tangent_impulse[1]), 0.0, 1e-12);
    CHECK_NEAR(crm_length(world_body(state, 0).spin), 0.0, 1e-12);
    world_destroy(state);
}

TEST_MAIN(CASE(an_elastic_ball_keeps_its_energy), LONG_CASE(an_elastic_ball_keeps_its_energy_over_ten_thousand_bounces),
          CASE(a_ball_rises_to_the_square_of_its_restitution), CASE(nothing_passes_through_a_plate_by_events),
          CASE(a_long_step_leads_to_the_motion_of_short_ones), CASE(an_impulse_is_told_along_the_normal_that_it_had))
