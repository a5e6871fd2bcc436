// SPDX-License-Identifier: MIT
// The method impulse with events against closed forms: bounces, endless bounces, sliding, rolling.
#include <math.h>

#include "math/vec3.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"

static const double g = 9.81;
static const carom_vec3 down = {0.0, 0.0, -9.81}, origin = {0.0, 0.0, 0.0};

static carom_method_def by_events(double step) {
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_IMPULSE;
    method.step = step;
    return method;
}

// A ball over the floor, body 1.
static carom_state *ball_over_floor(double radius, double height, carom_vec3 velocity, double friction,
                                    double restitution, double step) {
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, friction, restitution);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    carom_body_def def =
        touching_def(model, touching_sphere(model, radius), material, 10.0, crm_vec3(0.0, 0.0, height + radius));
    def.velocity = velocity;
    world_add(model, &def);
    carom_method_def method = by_events(step);
    return touching_state(model, &method);
}

// When a ball that flies now left the floor: from its height and speed.
static double left_floor(const carom_state *state, double radius) {
    carom_body_state ball = world_body(state, 1);
    double up = ball.velocity.z, rise = ball.position.z - radius;
    return carom_state_time(state) - (sqrt(up * up + 2.0 * g * rise) - up) / g;
}

// Dropped from h, the k-th impact is at t0 (1 + 2 e + ... + 2 e^(k-1)), t0 = sqrt(2 h / g).
TEST(first_twenty_impacts_of_a_bouncing_ball_are_at_their_times) {
    double e = 0.8, height = 1.0, radius = 0.1, fall = sqrt(2.0 * height / g);
    carom_state *state = ball_over_floor(radius, height, crm_vec3(0.3, 0.0, 0.0), 0.0, e, 1.0 / 240.0);
    double impact = fall, flight = 2.0 * e * fall;
    for (int k = 1; k <= 20; k++, impact += flight, flight *= e) {
        while (carom_state_time(state) < impact + 0.1 * flight) world_run(state, 1);
        CHECK(carom_state_time(state) < impact + flight); // else it was another impact
        CHECK_NEAR(left_floor(state, radius), impact, 1e-9);
    }
    world_destroy(state);
}

// The bounces end at t0 (1 + e) / (1 - e); then the ball rests.
TEST(endless_bounces_end_at_rest_at_their_limit) {
    const double es[] = {0.0, 0.3, 0.5, 0.8, 0.95};
    for (int i = 0; i < 5; i++) {
        double e = es[i], height = 0.2, fall = sqrt(2.0 * height / g), limit = fall * (1.0 + e) / (1.0 - e);
        carom_state *state = ball_over_floor(0.1, height, crm_vec3(1.0, 0.0, 0.0), 0.0, e, 1.0 / 60.0);
        while (carom_state_time(state) < limit) world_run(state, 1);
        for (int k = 0; k < 20; k++) {
            world_run(state, 1);
            carom_body_state ball = world_body(state, 1);
            CHECK_NEAR(ball.velocity.z, 0.0, 1e-12);
            CHECK_NEAR(ball.position.z, 0.1, 1e-12);
            CHECK_NEAR(ball.position.x, carom_state_time(state), 1e-12);
        }
        world_destroy(state);
    }
}

// Steps longer than all bounces together.
TEST(all_bounces_fit_into_one_step) {
    carom_state *state = ball_over_floor(0.1, 0.2, origin, 0.0, 0.99, 60.0);
    world_run(state, 1);
    CHECK_NEAR(world_body(state, 1).position.z, 0.1, 1e-12);
    CHECK_NEAR(world_body(state, 1).velocity.z, 0.0, 1e-12);
    world_destroy(state);
}

// A sphere thrown along a plane slips for 2 v / (7 mu g), then rolls with 5/7 of its speed.
TEST(a_thrown_sphere_slides_until_it_rolls) {
    double mu = 0.3, v = 2.0, radius = 0.5, slips = 2.0 * v / (7.0 * mu * g);
    const double steps[] = {1.0 / 240.0, 0.05, 1.0};
    for (int i = 0; i < 3; i++) {
        carom_state *state = ball_over_floor(radius, 0.0, crm_vec3(0.8 * v, 0.6 * v, 0.0), mu, 0.5, steps[i]);
        while (carom_state_time(state) < 0.99) {
            carom_step_report report = world_run(state, 1);
            double t = carom_state_time(state), slow = t < slips ? v - mu * g * t : 5.0 / 7.0 * v;
            double way = t < slips ? v * t - 0.5 * mu * g * t * t
                                   : v * slips - 0.5 * mu * g * slips * slips + 5.0 / 7.0 * v * (t - slips);
            carom_body_state ball = world_body(state, 1);
            CHECK_NEAR(crm_length(ball.velocity), slow, 1e-11);
            CHECK_NEAR(crm_length(crm_sub(ball.position, crm_vec3(0.0, 0.0, radius))), way, 1e-11);
            CHECK_NEAR(ball.velocity.y / ball.velocity.x, 0.75, 1e-11);
            CHECK(report.friction_work <= 0.0);
        }
        world_destroy(state);
    }
}

// Gravity is tilted instead of the plane, in the direction `rotation` of the plane.
static carom_state *block_on_incline(double tilt, double friction, double rotation, double speed, double step) {
    carom_vec3 gravity = {g * sin(tilt) * cos(rotation), g * sin(tilt) * sin(rotation), -g * cos(tilt)};
    carom_model *model = world_model(gravity, 0.0);
    carom_material material = touching_material(model, friction, 0.0);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    carom_body_def def =
        touching_def(model, touching_box(model, 1.0, 0.8, 0.2), material, 2.0, crm_vec3(0.0, 0.0, 0.1));
    def.velocity = crm_vec3(-speed * cos(rotation), -speed * sin(rotation), 0.0);
    world_add(model, &def);
    carom_method_def method = by_events(step);
    return touching_state(model, &method);
}

TEST(a_block_slides_up_an_incline_and_stays_or_comes_back) {
    const double frictions[] = {0.2, 0.8}, rotations[] = {0.0, 1.0};
    for (int i = 0; i < 4; i++) {
        double mu = frictions[i / 2], tilt = 0.4, v = 1.0, rotation = rotations[i % 2];
        double brake = g * (sin(tilt) + mu * cos(tilt)), stop = v / brake;
        double back = fmax(g * (sin(tilt) - mu * cos(tilt)), 0.0);
        carom_state *state = block_on_incline(tilt, mu, rotation, v, 1.0 / 30.0);
        for (int k = 0; k < 30; k++) {
            world_run(state, 1);
            double t = carom_state_time(state), late = fmax(t - stop, 0.0), early = fmin(t, stop);
            double speed = t < stop ? v - brake * t : -back * late;
            double way = v * early - 0.5 * brake * early * early - 0.5 * back * late * late;
            carom_body_state block = world_body(state, 1);
            CHECK_NEAR(block.position.x, -way * cos(rotation), 1e-11);
            CHECK_NEAR(block.position.y, -way * sin(rotation), 1e-11);
            CHECK_NEAR(block.velocity.x, -speed * cos(rotation), 1e-11);
            CHECK_NEAR(block.position.z, 0.1, 1e-12);
            CHECK_NEAR(crm_length(block.spin), 0.0, 1e-11);
        }
        world_destroy(state);
    }
}

// 49 balls of 10 kg in a grid, with small velocities to the side so that they meet, without friction and with e = 1.
static double energy_error_of_balls(double aside, double seconds, double step, int *contacts) {
    sampler s = {.seed = 49};
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 0.0, 1.0);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    carom_model_shape sphere = touching_sphere(model, 0.1);
    for (int i = 0; i < 49; i++) {
        carom_vec3 place = crm_vec3(0.25 * (i % 7), 0.25 * (double)(i / 7), 5.1);
        carom_body_def def = touching_def(model, sphere, material, 10.0, place);
        def.velocity = crm_vec3(sample_between(&s, -aside, aside), sample_between(&s, -aside, aside), 0.0);
        world_add(model, &def);
    }
    carom_method_def method = by_events(step);
    carom_state *state = touching_state(model, &method);
    double before = world_energy(state), worst = 0.0;
    *contacts = 0;
    while (carom_state_time(state) < seconds - 0.5 * step) {
        *contacts += world_run(state, 1).contacts;
        worst = fmax(worst, fabs(world_energy(state) - before) / before);
    }
    world_destroy(state);
    return worst;
}

TEST(elastic_balls_keep_their_energy) {
    int contacts;
    CHECK(energy_error_of_balls(0.0, 20.0, 1.0 / 30.0, &contacts) < 1e-12);
    CHECK_INT(contacts, 49 * 10); // the eleventh impact would be at 21.2 s
    CHECK(energy_error_of_balls(0.5, 2.0, 1.0 / 60.0, &contacts) < 1e-12);
    CHECK(contacts > 49 * 2);
}

TEST(elastic_balls_keep_their_energy_for_long) {
    int contacts;
    CHECK(energy_error_of_balls(0.2, 20.0, 1.0 / 60.0, &contacts) < 1e-11);
    CHECK(contacts > 49 * 10 + 20);
}

TEST_MAIN(CASE(first_twenty_impacts_of_a_bouncing_ball_are_at_their_times),
          CASE(endless_bounces_end_at_rest_at_their_limit), CASE(all_bounces_fit_into_one_step),
          CASE(a_thrown_sphere_slides_until_it_rolls), CASE(a_block_slides_up_an_incline_and_stays_or_comes_back),
          CASE(elastic_balls_keep_their_energy), LONG_CASE(elastic_balls_keep_their_energy_for_long))
