// SPDX-License-Identifier: MIT
// What dcr owes to touches that are taken where they happen and to friction in projections, against closed forms:
// elastic balls, smooth balls, slopes, rolling, cones. Steps, sizes, masses and angles vary.
#include <math.h>

#include "math/quat.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"

static const carom_vec3 origin = {0.0, 0.0, 0.0};
static const double g = 9.81;

static carom_state *dcr_world(carom_model *model, double step) {
    return world_state(model, CAROM_METHOD_DCR, step);
}

// ---- elastic balls

// Drops an elastic ball from half its radius and lets it bounce: the change of its energy, as a share.
static double bounced_energy(double step, double radius, double mass, int steps) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -g), 0.0);
    carom_material elastic = touching_material(model, 0.0, 1.0);
    touching_add(model, touching_floor(model), elastic, 0.0, origin);
    touching_add(model, touching_sphere(model, radius), elastic, mass, crm_vec3(0.0, 0.0, 1.5 * radius));
    carom_state *state = dcr_world(model, step);
    int contacts = 0;
    for (int i = 0; i < steps; i++) contacts += world_run(state, 1).contacts;
    CHECK(contacts > 10);
    carom_body_state ball = world_body(state, 1);
    double now = 0.5 * crm_length_squared(ball.velocity) + g * (ball.position.z - radius);
    world_destroy(state);
    return now / (0.5 * g * radius) - 1.0;
}

TEST(an_elastic_ball_keeps_its_energy) {
    CHECK_NEAR(bounced_energy(1e-3, 0.1, 1.0, 20000), 0.0, 1e-11);
    CHECK_NEAR(bounced_energy(0.013, 0.1, 1.0, 2000), 0.0, 1e-11);
    CHECK_NEAR(bounced_energy(1e-4, 1e-3, 1e-6, 20000), 0.0, 1e-11);
    CHECK_NEAR(bounced_energy(0.02, 100.0, 1e6, 20000), 0.0, 1e-11);
}

// Ten thousand bounces of 0.2 s each.
TEST(an_elastic_ball_keeps_its_energy_over_ten_thousand_bounces) {
    CHECK_NEAR(bounced_energy(4e-3, 0.1, 1.0, 505000), 0.0, 1e-9);
}

// A ball of restitution e reaches e^2 of its height after the first bounce, however long the step is.
TEST(a_ball_rises_to_the_square_of_its_restitution) {
    static const double step[] = {0.2, 0.05, 1.0 / 240.0};
    for (int i = 0; i < 3; i++) {
        carom_model *model = world_model(crm_vec3(0.0, 0.0, -g), 0.0);
        carom_material material = touching_material(model, 0.0, 0.8);
        touching_add(model, touching_floor(model), material, 0.0, origin);
        touching_add(model, touching_sphere(model, 0.1), material, 1.0, crm_vec3(0.0, 0.0, 1.1));
        carom_state *state = dcr_world(model, step[i]);
        carom_step_report report = {0};
        while (report.contacts == 0 && report.time < 1.0) report = world_run(state, 1);
        carom_body_state ball = world_body(state, 1);
        CHECK(ball.velocity.z > 0.0);
        CHECK_NEAR(ball.position.z - 0.1 + ball.velocity.z * ball.velocity.z / (2.0 * g), 0.64, 1e-9);
        world_destroy(state);
    }
}

// ---- smooth balls

// Smooth elastic balls that meet obliquely: the part of the velocity along the line of centres is handed over, nothing
// spins, whatever the step.
static void check_oblique(double offset, double speed, double step, double mass) {
    const double radius = 0.1;
    carom_model *model = world_model(origin, 0.0);
    carom_material smooth = touching_material(model, 0.0, 1.0);
    carom_model_shape sphere = touching_sphere(model, radius);
    carom_body_def def = touching_def(model, sphere, smooth, 1.0, crm_vec3(-0.5, offset, 0.0));
    def.velocity = crm_vec3(speed, 0.0, 0.0);
    world_add(model, &def);
    touching_add(model, sphere, smooth, mass, origin);
    carom_state *state = dcr_world(model, step);
    world_run(state, (int)(1.0 / (speed * step)));
    double sine = offset / (2.0 * radius), cosine = sqrt(1.0 - sine * sine);
    double given = 2.0 / (1.0 + mass) * speed * cosine; // of the velocity of the ball that rests, along the normal
    carom_body_state a = world_body(state, 0), b = world_body(state, 1);
    CHECK_NEAR(b.velocity.x, given * cosine, 1e-9 * speed);
    CHECK_NEAR(b.velocity.y, -given * sine, 1e-9 * speed);
    CHECK_NEAR(a.velocity.x, speed - mass * given * cosine, 1e-9 * speed);
    CHECK_NEAR(a.velocity.y, mass * given * sine, 1e-9 * speed);
    CHECK_NEAR(crm_length(a.spin) + crm_length(b.spin), 0.0, 1e-12 * speed);
    world_destroy(state);
}

TEST(smooth_balls_that_meet_obliquely_do_not_spin) {
    check_oblique(0.1, 3.0, 1.0 / 240.0, 1.0);
    check_oblique(0.15, 10.0, 1.0 / 240.0, 1.0);
    check_oblique(0.19, 1.0, 0.01, 0.2);
    check_oblique(0.03, 0.2, 0.05, 30.0);
}

// Smooth balls in a heap: nothing can make any of them spin.
TEST(smooth_balls_in_a_heap_do_not_spin) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -g), 0.0);
    carom_material smooth = touching_material(model, 0.0, 0.3);
    carom_model_shape sphere = touching_sphere(model, 0.1);
    sampler s = {.seed = 5};
    touching_add(model, touching_floor(model), smooth, 0.0, origin);
    for (int i = 0; i < 12; i++) {
        carom_vec3 place = crm_vec3(0.12 * (i % 2), 0.11 * (i / 2 % 2), 0.2 + 0.21 * (i / 4));
        touching_add(model, sphere, smooth, 1.0 + i % 3, crm_madd(place, 0.01, sample_vec3(&s, 1.0)));
    }
    carom_state *state = dcr_world(model, 2e-3);
    carom_step_report report = world_run(state, 300);
    CHECK(report.outcome == CAROM_STEP_GOOD);
    for (int b = 1; b <= 12; b++) CHECK_NEAR(crm_length(world_body(state, b).spin), 0.0, 1e-12);
    world_destroy(state);
}

// ---- slopes

// How far a box on a slope of the angle goes in so many steps, with its speed at the end.
static double slid(double angle, double friction, double step, double size, int steps, double *speed) {
    carom_vec3 down = crm_vec3(g * sin(angle), 0.0, -g * cos(angle));
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, friction, 0.0);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    carom_body_def box = touching_def(model, touching_box(model, 4.0 * size, 3.0 * size, size), material,
                                      1000.0 * size * size * size, crm_vec3(0.0, 0.0, 0.5 * size));
    box.attitude = crm_quat_normalised((carom_quat){1.0, 0.0, 0.0, 0.4});
    world_add(model, &box);
    carom_state *state = dcr_world(model, step);
    carom_step_report report = world_run(state, steps);
    CHECK_INT(report.outcome, CAROM_STEP_GOOD);
    carom_body_state at = world_body(state, 1);
    *speed = crm_length(at.velocity);
    world_destroy(state);
    return hypot(at.position.x, at.position.y);
}

TEST(a_box_at_rest_on_a_slope_stays_where_it_is) {
    static const double angle[] = {0.1, 0.3, 0.4, 0.9}, friction[] = {0.11, 1.0, 0.43, 5.0};
    static const double step[] = {1.0 / 240.0, 0.01, 0.004, 0.001}, size[] = {0.1, 0.1, 1e-3, 100.0};
    for (int i = 0; i < 4; i++) {
        double speed, way = slid(angle[i], friction[i], step[i], size[i], 500, &speed);
        CHECK_NEAR(way, 0.0, 1e-10 * size[i]);
        CHECK_NEAR(speed, 0.0, 1e-10);
    }
}

// a t^2/2 with a = g (sin - mu cos), to the last digits.
TEST(a_box_slides_down_a_slope_as_the_closed_form_says) {
    static const double angle[] = {0.3, 0.5}, friction[] = {0.3, 0.0};
    for (int i = 0; i < 2; i++) {
        double step = 0.005, time = 200 * step, speed, a = g * (sin(angle[i]) - friction[i] * cos(angle[i]));
        double way = slid(angle[i], friction[i], step, 0.1, 200, &speed);
        CHECK_NEAR(way, 0.5 * a * time * time, 1e-8);
        CHECK_NEAR(speed, a * time, 1e-8);
    }
}

// A ball that rolls down: 5/7 of g sin; one that slides first rolls from t = 2 v/(7 mu g) on at 5/7 v.
TEST(a_ball_rolls_as_the_closed_form_says) {
    const double angle = 0.4, step = 2e-3;
    for (int i = 0; i < 2; i++) {
        carom_vec3 down = i == 0 ? crm_vec3(g * sin(angle), 0.0, -g * cos(angle)) : crm_vec3(0.0, 0.0, -g);
        carom_model *model = world_model(down, 0.0);
        carom_material material = touching_material(model, 0.5, 0.0);
        touching_add(model, touching_floor(model), material, 0.0, origin);
        carom_body_def ball = touching_def(model, touching_sphere(model, 0.1), material, 1.0, crm_vec3(0.0, 0.0, 0.1));
        if (i == 1) ball.velocity = crm_vec3(7.0, 0.0, 0.0);
        world_add(model, &ball);
        carom_state *state = dcr_world(model, step);
        world_run(state, 500);
        carom_body_state at = world_body(state, 1);
        double slides = 2.0 * 7.0 / (7.0 * 0.5 * g);
        double way = i == 0 ? 0.5 * 5.0 / 7.0 * g * sin(angle)
                            : 7.0 * slides - 0.25 * g * slides * slides + 5.0 * (1.0 - slides);
        CHECK_NEAR(at.velocity.x, i == 0 ? 5.0 / 7.0 * g * sin(angle) : 5.0, 1e-6);
        CHECK_NEAR(at.spin.y, at.velocity.x / 0.1, 1e-5);
        CHECK_NEAR(at.position.x, way, i == 0 ? 1e-6 : 1e-4);
        world_destroy(state);
    }
}

// ---- cones

// Balls and boxes that tumble onto each other, with restitution and friction: every impulse is in its cone.
TEST(impulses_are_in_their_cones) {
    sampler s = {.seed = 11};
    int rubbed = 0;
    for (int scene = 0; scene < 12; scene++) {
        carom_model *model = world_model(crm_vec3(0.0, 0.0, -g), 0.0);
        carom_material material = touching_material(model, 0.5, 0.5);
        touching_add(model, touching_floor(model), material, 0.0, origin);
        carom_model_shape sphere = touching_sphere(model, 0.13), brick = touching_box(model, 0.3, 0.2, 0.25);
        for (int i = 0; i < 4; i++) {
            carom_vec3 place =
                crm_vec3(0.05 * sample_between(&s, -1.0, 1.0), 0.05 * sample_between(&s, -1.0, 1.0), 0.2 + 0.4 * i);
            carom_body_def def = touching_def(model, i % 2 == 0 ? sphere : brick, material, 5.0, place);
            def.attitude = sample_attitude(&s);
            def.velocity = crm_add(crm_vec3(0.0, 0.0, -2.0), sample_vec3(&s, 1.0));
            def.spin = sample_vec3(&s, 8.0);
            world_add(model, &def);
        }
        carom_state *state = dcr_world(model, 1.0 / 240.0);
        for (int k = 0; k < 120; k++) {
            world_run(state, 1);
            int count;
            const carom_contact_state *c = carom_state_contacts(state, &count);
            for (int i = 0; i < count; i++) {
                double across = hypot(c[i].tangent_impulse[0], c[i].tangent_impulse[1]);
                CHECK(across <= 0.5 * c[i].normal_impulse * (1.0 + 1e-6) + 1e-9);
                rubbed += across > 0.0;
            }
        }
        world_destroy(state);
    }
    CHECK(rubbed > 100);
}

TEST_MAIN(CASE(an_elastic_ball_keeps_its_energy), LONG_CASE(an_elastic_ball_keeps_its_energy_over_ten_thousand_bounces),
          CASE(a_ball_rises_to_the_square_of_its_restitution), CASE(smooth_balls_that_meet_obliquely_do_not_spin),
          CASE(smooth_balls_in_a_heap_do_not_spin), CASE(a_box_at_rest_on_a_slope_stays_where_it_is),
          CASE(a_box_slides_down_a_slope_as_the_closed_form_says), CASE(a_ball_rolls_as_the_closed_form_says),
          CASE(impulses_are_in_their_cones))
