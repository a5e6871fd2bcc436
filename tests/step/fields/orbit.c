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
                           s * (1.0 - s) * (1.0 - s) * h * before.velocity.y + s * s * (3.0 - 2.0 * s) * now.position.y +
                           s * s * (s - 1.0) * h * now.velocity.y;
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
    printf("%s: period off by %.3e, %.3e (order %.3f); energy off by %.3e, %.3e in the first revolution and %.3e, %.3e in "
           "the last\n",
           carom_method_name(method), coarse.period, fine.period, order, coarse.first_off, fine.first_off,
           coarse.last_off, fine.last_off);
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

TEST_MAIN(CASE(period_and_energy_keep_order_two_over_a_hundred_revolutions))
