// SPDX-License-Identifier: MIT
// Bodies in the gravity of a centre, in the units of the earth (m, kg, s): Kepler's period and energy, the rate of the
// node under J2, the decay of a circle by drag, Hill's equations against the motion that they are the limit of, and the
// moment of the gradient of gravity.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/force.h"
#include "math/quat.h"
#include "support/harness/check.h"
#include "support/model/world.h"

static const double pi = 3.14159265358979323846;
static const double mu = 3.986004418e14, earth = 6378137.0; // m^3/s^2, m

static carom_model *empty_model(void) {
    return world_model(crm_vec3(0.0, 0.0, 0.0), 0.0);
}

static carom_body add_point(carom_model *model, carom_vec3 position, carom_vec3 velocity) {
    carom_body_def def = carom_body_def_default();
    def.kind = CAROM_BODY_POINT;
    def.mass = 500.0;
    def.position = position;
    def.velocity = velocity;
    return world_add(model, &def);
}

static void add_gravity(carom_model *model, carom_body body, double j2, bool extended) {
    carom_central_def def = carom_central_def_default();
    def.body = body;
    def.mu = mu;
    def.j2 = j2;
    def.radius = earth;
    def.extended = extended;
    assert_int_equal(carom_model_add_central(model, &def, NULL), CAROM_OK);
}

// A state with the step and, for methods with integrators, what was asked for.
static carom_state *state_of(carom_model *model, carom_method method, carom_integrator integrator, double step) {
    carom_method_def def = carom_method_def_default();
    carom_state *state = NULL;
    carom_error error = {.text = ""};
    def.method = method;
    def.step = step;
    def.integrator = integrator;
    if (integrator == CAROM_INTEGRATOR_DP54) def.relative_tolerance = 1e-12;
    CHECK(carom_model_freeze(model, &error) == CAROM_OK);
    CHECK(carom_state_create(model, &def, &state, &error) == CAROM_OK);
    CHECK(strcmp(error.text, "") == 0);
    return state;
}

// ---- Kepler

enum { REVOLUTIONS = 100 };

// The time from one passage of the x axis upwards to the n-th after it, by cubic interpolation in the last step (the
// first is at the start); and how far the energy was off, over its size, in the first and in the last revolution.
typedef struct revolutions {
    double period, first_off, last_off;
} revolutions;

static revolutions go_round(carom_method method, int steps_a_revolution, int count) {
    // Eccentricity 0.1, beginning at the perigee.
    double perigee = 7e6, e = 0.1, a = perigee / (1.0 - e), period = 2.0 * pi * sqrt(a * a * a / mu);
    carom_model *model = empty_model();
    carom_body body = add_point(model, crm_vec3(perigee, 0.0, 0.0), crm_vec3(0.0, sqrt(mu / perigee * (1.0 + e)), 0.0));
    add_gravity(model, body, 0.0, false);
    carom_state *state = state_of(model, method, CAROM_INTEGRATOR_RK4, period / steps_a_revolution);
    double start = world_energy(state), h = period / steps_a_revolution, passed = 0.0;
    revolutions out = {0.0, 0.0, 0.0};
    carom_body_state before = world_body(state, 0);
    for (int i = 0, passages = 0; i < (count + 1) * steps_a_revolution && passages < count; i++) {
        world_run(state, 1);
        carom_body_state now = world_body(state, 0);
        double off = fabs(world_energy(state) / start - 1.0);
        if (i < steps_a_revolution) out.first_off = fmax(out.first_off, off);
        if (i >= (count - 1) * steps_a_revolution) out.last_off = fmax(out.last_off, off);
        if (before.position.y < 0.0 && now.position.y >= 0.0) {
            // Bisection on Hermite's cubic.
            double low = 0.0, high = 1.0;
            while (high - low > 1e-15) {
                double s = 0.5 * (low + high);
                double y = (1.0 + 2.0 * s) * (1.0 - s) * (1.0 - s) * before.position.y +
                           s * (1.0 - s) * (1.0 - s) * h * before.velocity.y +
                           s * s * (3.0 - 2.0 * s) * now.position.y + s * s * (s - 1.0) * h * now.velocity.y;
                if (y < 0.0)
                    low = s;
                else
                    high = s;
            }
            passages++;
            passed = (i + low) * h;
        }
        before = now;
    }
    out.period = passed / count / period - 1.0;
    world_destroy(state);
    return out;
}

static void check_kepler(carom_method method) {
    revolutions coarse = go_round(method, 100, REVOLUTIONS), fine = go_round(method, 200, REVOLUTIONS);
    double order = log2(fabs(coarse.period) / fabs(fine.period));
    printf(
        "%s: period off by %.3e, %.3e (order %.3f); energy off by %.3e, %.3e in the first revolution and %.3e, %.3e in "
        "the last\n",
        carom_method_name(method), coarse.period, fine.period, order, coarse.first_off, fine.first_off, coarse.last_off,
        fine.last_off);
    CHECK_NEAR(order, 2.0, 0.1);
    CHECK_NEAR(log2(coarse.first_off / fine.first_off), 2.0, 0.1);
    // No drift: the last revolution is as good as the first.
    CHECK(coarse.last_off < 1.05 * coarse.first_off);
    CHECK(fine.last_off < 1.05 * fine.first_off);
}

TEST(period_and_energy_keep_order_two_over_a_hundred_revolutions) {
    check_kepler(CAROM_METHOD_VARIATIONAL);
    check_kepler(CAROM_METHOD_EXACT);
}

// ---- oblateness and drag

static carom_vec3 orbital_momentum(carom_body_state s) {
    return crm_cross(s.position, s.velocity);
}

// Over whole revolutions from node to node, where the terms of short period are the same.
TEST(the_node_moves_at_the_rate_of_j2) {
    enum { REVS = 15, STEPS = 64 };
    double a = 7e6, j2 = 1e-4, inclination = 1.0, n = sqrt(mu / (a * a * a)), period = 2.0 * pi / n;
    carom_model *model = empty_model();
    carom_vec3 along = crm_vec3(0.0, cos(inclination), sin(inclination));
    add_gravity(model, add_point(model, crm_vec3(a, 0.0, 0.0), crm_scale(a * n, along)), j2, false);
    carom_state *state = state_of(model, CAROM_METHOD_MULTIPLIER, CAROM_INTEGRATOR_DP54, period / STEPS);
    carom_vec3 start = orbital_momentum(world_body(state, 0));
    world_run(state, REVS * STEPS);
    carom_vec3 end = orbital_momentum(world_body(state, 0));
    double turned = atan2(end.x, -end.y) - atan2(start.x, -start.y);
    double expected = -1.5 * n * j2 * (earth / a) * (earth / a) * cos(inclination) * REVS * period;
    printf("node: %.6e rad, first order %.6e, off by %.1e\n", turned, expected, turned / expected - 1.0);
    CHECK_NEAR(turned / expected, 1.0, 1e-3);
    // J2 keeps the momentum about its axis.
    CHECK_NEAR(end.z / start.z, 1.0, 1e-9);
    world_destroy(state);
}

// da/dt = -drag_area/m density exp(-(a - a0)/H) sqrt(mu a); with a that of the start in the root,
// a = a0 + H log(1 - t drag_area/m density sqrt(mu a0)/H).
TEST(drag_lets_a_circle_decay_by_its_closed_form) {
    enum { REVS = 40, STEPS = 64 };
    double a = 6.778e6, scale = 5e4, density = 2e-10, area = 4.0, n = sqrt(mu / (a * a * a)), period = 2.0 * pi / n;
    carom_model *model = empty_model();
    carom_body body = add_point(model, crm_vec3(a, 0.0, 0.0), crm_vec3(0.0, a * n, 0.0));
    add_gravity(model, body, 0.0, false);
    carom_atmosphere_def air = carom_atmosphere_def_default();
    air.body = body;
    air.radius = a;
    air.density = density;
    air.scale_height = scale;
    air.drag_area = area;
    CHECK(carom_model_add_atmosphere(model, &air, NULL) == CAROM_OK);
    carom_state *state = state_of(model, CAROM_METHOD_MULTIPLIER, CAROM_INTEGRATOR_DP54, period / STEPS);
    carom_step_report report = {0};
    double worst = 0.0, lost = 0.0, start = world_energy(state);
    for (int rev = 1; rev <= REVS; rev++) {
        double mean = 0.0; // of the axis over a revolution, in which it is not quite that of a circle
        for (int i = 0; i < STEPS; i++) {
            report = world_run(state, 1);
            lost += report.ledger.passive;
            CHECK(report.ledger.passive <= 0.0 && report.ledger.active == 0.0);
            carom_body_state s = world_body(state, 0);
            mean += 1.0 / (2.0 / crm_length(s.position) - crm_dot(s.velocity, s.velocity) / mu) / STEPS;
        }
        double t = (rev - 0.5 + 0.5 / STEPS) * period;
        double fall = -scale * log(1.0 - t * area / 500.0 * density * sqrt(mu * a) / scale);
        worst = fmax(worst, fabs((a - mean) / fall - 1.0));
    }
    double fallen = a - crm_length(world_body(state, 0).position);
    printf("drag: fallen by %.0f m, off by %.1e of the closed form\n", fallen, worst);
    CHECK(fallen > 0.4 * scale);
    CHECK(worst < 1e-2);
    CHECK_NEAR(lost / (world_energy(state) - start), 1.0, 1e-6);
    world_destroy(state);
}

// ---- Hill's frame

// The solution of Hill's equations after a time, from where and how fast it starts.
static carom_vec3 hills_solution(double n, double t, carom_vec3 r, carom_vec3 v) {
    double s = sin(n * t), c = cos(n * t);
    return crm_vec3((4.0 - 3.0 * c) * r.x + s / n * v.x + 2.0 / n * (1.0 - c) * v.y,
                    6.0 * (s - n * t) * r.x + r.y - 2.0 / n * (1.0 - c) * v.x + (4.0 * s - 3.0 * n * t) / n * v.y,
                    c * r.z + s / n * v.z);
}

TEST(hills_frame_moves_by_the_solution_of_hills_equations) {
    double n = 1.1e-3, h = 2.0 * pi / n / 100.0;
    carom_model_def def = carom_model_def_default();
    carom_model *model;
    def.gravity = crm_vec3_zero();
    def.reference_frame = CAROM_FRAME_HILL;
    def.mean_motion = n;
    CHECK(carom_model_create(&def, &model, NULL) == CAROM_OK);
    carom_vec3 r = crm_vec3(60.0, -80.0, 30.0), v = crm_vec3(0.02, -0.09, 0.05);
    add_point(model, r, v);
    carom_state *state = state_of(model, CAROM_METHOD_REDUCED, CAROM_INTEGRATOR_DP54, h);
    for (int i = 1; i <= 100; i++) {
        world_run(state, 1);
        carom_vec3 expected = hills_solution(n, i * h, r, v), now = world_body(state, 0).position;
        CHECK(crm_distance(now, expected) < 1e-8 * 100.0);
    }
    world_destroy(state);
}

// Where b is as a sees it: along the radius, the way and the normal of a's motion.
static carom_vec3 seen_from(carom_body_state a, carom_body_state b) {
    carom_vec3 x, z, d = crm_sub(b.position, a.position);
    crm_normalise(a.position, &x);
    crm_normalise(orbital_momentum(a), &z);
    return crm_vec3(crm_dot(d, x), crm_dot(d, crm_cross(z, x)), crm_dot(d, z));
}

// Two satellites in the gravity of a centre against Hill's equations, which are the limit of small distances: at 100 m
// they are off by some 100 m / 7,000 km times what a revolution makes of it.
TEST(two_satellites_keep_to_hills_equations) {
    enum { STEPS = 200 };
    double a = 7e6, n = sqrt(mu / (a * a * a)), period = 2.0 * pi / n;
    carom_vec3 r = crm_vec3(50.0, 0.0, 80.0), v = crm_vec3(0.0, -2.0 * n * 50.0, 0.0); // an ellipse that closes
    carom_model *model = empty_model();
    carom_vec3 rotating = crm_vec3(0.0, 0.0, n), place = crm_add(crm_vec3(a, 0.0, 0.0), r);
    add_gravity(model, add_point(model, crm_vec3(a, 0.0, 0.0), crm_vec3(0.0, a * n, 0.0)), 0.0, false);
    add_gravity(model, add_point(model, place, crm_add(v, crm_cross(rotating, place))), 0.0, false);
    carom_state *state = state_of(model, CAROM_METHOD_REDUCED, CAROM_INTEGRATOR_DP54, period / STEPS);
    double worst = 0.0, farthest = 0.0;
    for (int i = 1; i <= STEPS; i++) {
        world_run(state, 1);
        carom_vec3 seen = seen_from(world_body(state, 0), world_body(state, 1));
        worst = fmax(worst, crm_distance(seen, hills_solution(n, i * period / STEPS, r, v)));
        farthest = fmax(farthest, crm_length(seen));
    }
    printf("Hill: up to %.1f m apart, off by %.2e m\n", farthest, worst);
    CHECK(worst < 1e-3 * 100.0);
    world_destroy(state);
}

// ---- the gradient of gravity

static carom_body add_extended(carom_model *model, carom_vec3 position, carom_vec3 velocity, carom_vec3 spin) {
    carom_body_def def = world_body_def(500.0, crm_vec3(300.0, 420.0, 610.0));
    def.position = position;
    def.velocity = velocity;
    def.attitude = crm_quat_step(crm_quat_identity(), crm_vec3(0.4, -0.7, 0.5), 1.0);
    def.spin = spin;
    return world_add(model, &def);
}

// One explicit step: the moment is what it gives to the spin's momentum.
TEST(an_extended_body_feels_the_gradient_of_gravity) {
    carom_vec3 r = crm_vec3(5e6, -3e6, 4e6);
    carom_model *model = empty_model();
    add_gravity(model, add_extended(model, r, crm_vec3_zero(), crm_vec3_zero()), 0.0, true);
    carom_state *state = state_of(model, CAROM_METHOD_EULER, CAROM_INTEGRATOR_RK4, 1.0);
    carom_quat q = world_body(state, 0).attitude;
    world_run(state, 1);
    carom_vec3 ir = crm_quat_rotate(q, crm_vec3_mul(crm_vec3(300.0, 420.0, 610.0), crm_quat_rotate_inverse(q, r)));
    carom_vec3 torque = crm_scale(3.0 * mu / pow(crm_length(r), 5.0), crm_cross(r, ir));
    carom_vec3 spin = world_body(state, 0).spin;
    carom_vec3 gained =
        crm_quat_rotate(q, crm_vec3_mul(crm_vec3(300.0, 420.0, 610.0), crm_quat_rotate_inverse(q, spin)));
    printf("gradient: %.6e N m, off by %.1e\n", crm_length(torque), crm_distance(gained, torque) / crm_length(torque));
    CHECK(crm_distance(gained, torque) < 1e-6 * crm_length(torque));
    world_destroy(state);
}

// The same tumbling body in the inertial frame and in Hill's: its attitude there is that less the frame's angle.
TEST(bodies_tumble_in_hills_frame_as_they_do_in_the_inertial_one) {
    enum { STEPS = 60 };
    double a = 7e6, n = sqrt(mu / (a * a * a)), h = 2.0 * pi / n / 200.0;
    carom_vec3 spin = crm_vec3(1e-3, -2e-3, 1.5e-3), rotating = crm_vec3(0.0, 0.0, n);
    carom_model *inertial = empty_model(), *hill;
    add_gravity(inertial, add_extended(inertial, crm_vec3(a, 0.0, 0.0), crm_vec3(0.0, a * n, 0.0), spin), 0.0, true);
    carom_model_def def = carom_model_def_default();
    def.gravity = crm_vec3_zero();
    def.reference_frame = CAROM_FRAME_HILL;
    def.mean_motion = n;
    CHECK(carom_model_create(&def, &hill, NULL) == CAROM_OK);
    add_extended(hill, crm_vec3_zero(), crm_vec3_zero(), crm_sub(spin, rotating));
    carom_state *one = state_of(inertial, CAROM_METHOD_REDUCED, CAROM_INTEGRATOR_DP54, h);
    carom_state *other = state_of(hill, CAROM_METHOD_REDUCED, CAROM_INTEGRATOR_DP54, h);
    double worst = 0.0, alone = 0.0;
    for (int i = 1; i <= STEPS; i++) {
        world_run(one, 1);
        world_run(other, 1);
        carom_body_state s = world_body(one, 0), t = world_body(other, 0);
        carom_quat frame = crm_quat_step(crm_quat_identity(), crm_vec3(0.0, 0.0, n * i * h), 1.0);
        carom_quat back = crm_quat_mul(crm_quat_conjugate(frame), s.attitude);
        worst = fmax(worst, 1.0 - fabs(crm_quat_dot(back, t.attitude)));
        worst = fmax(worst, crm_distance(crm_quat_rotate_inverse(frame, crm_sub(s.spin, rotating)), t.spin));
        alone = fmax(alone, 1.0 - fabs(crm_quat_dot(s.attitude, t.attitude)));
    }
    printf("tumbling: off by %.1e, and by %.1e if the frame stood still\n", worst, alone);
    CHECK(worst < 1e-7);
    CHECK(alone > 1e-2);
    world_destroy(one);
    world_destroy(other);
}

TEST_MAIN(CASE(period_and_energy_keep_order_two_over_a_hundred_revolutions), CASE(the_node_moves_at_the_rate_of_j2),
          CASE(drag_lets_a_circle_decay_by_its_closed_form), CASE(hills_frame_moves_by_the_solution_of_hills_equations),
          CASE(two_satellites_keep_to_hills_equations), CASE(an_extended_body_feels_the_gradient_of_gravity),
          CASE(bodies_tumble_in_hills_frame_as_they_do_in_the_inertial_one))
