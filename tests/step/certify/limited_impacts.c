// SPDX-License-Identifier: MIT
// Impacts of a run make no energy, whatever law, restitution and friction: rods and boxes that hit a floor at many
// angles. Where the law that was asked for makes none, it is the law's answer.
#include <math.h>
#include <string.h>

#include "carom/impact.h"
#include "math/quat.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"

static const carom_vec3 nowhere = {0.0, 0.0, 0.0};
static const double pi = 3.14159265358979323846;

typedef struct impact_case {
    double degrees, restitution, friction, slip; // of the rod over the floor; m/s along it
    bool upright;                                // a box on two corners at once, rather than a rod on one end
} impact_case;

static carom_state *hit_floor(const impact_case *b, const carom_method_def *method) {
    carom_model *model = world_model(nowhere, 0.0);
    carom_material material = touching_material(model, b->friction, b->restitution);
    touching_add(model, touching_floor(model), material, 0.0, nowhere);
    carom_shape_def capsule = carom_shape_def_default(CAROM_SHAPE_CAPSULE);
    capsule.capsule.radius = 0.02, capsule.capsule.length = 1.0;
    carom_model_shape shape = b->upright ? touching_box(model, 0.1, 0.2, 1.0) : touching_shape(model, &capsule);
    double tilt = b->degrees * pi / 180.0, half = b->upright ? 0.05 * fabs(sin(tilt)) : 0.02;
    double height = 0.5 * fabs(cos(tilt)) + half + 1e-3;
    carom_body_def def = touching_def(model, shape, material, 1.5, crm_vec3(0.0, 0.0, height));
    def.attitude = (carom_quat){.w = cos(0.5 * tilt), .y = sin(0.5 * tilt)};
    def.velocity = crm_vec3(b->slip, 0.0, -2.0);
    world_add(model, &def);
    return touching_state(model, method);
}

static double count_of(const carom_state *state) {
    carom_finding finding[CAROM_RULE_COUNT];
    carom_state_findings(state, finding);
    return finding[CAROM_RULE_LIMITED_IMPACT].value;
}

// Largest rise of the kinetic energy in a step, over it. *limited: impacts of which the state says so.
static double largest_gain(const impact_case *b, const carom_method_def *method, double *limited) {
    carom_state *state = hit_floor(b, method);
    double largest = 0.0, first = world_energy(state), energy = first;
    for (int i = 0; i < 25; i++) {
        carom_step_report report;
        carom_error error;
        double told = count_of(state);
        CHECK_INT(carom_step(carom_state_model(state), state, NULL, &report, &error), CAROM_OK);
        if (!CHECK_INT(report.outcome, CAROM_STEP_GOOD)) print_message("%s\n", report.text);
        largest = fmax(largest, (world_energy(state) - energy) / first);
        energy = world_energy(state);
        if (count_of(state) > told) CHECK_CONTAINS(report.text, "the law of impact would have made energy");
    }
    *limited = count_of(state);
    world_destroy(state);
    return largest;
}

// How many of the impacts were limited. Of the first `kinds` of 30: 15 of rods, then of boxes.
static int check_method(const carom_method_def *method, int kinds, double most) {
    int limited_hits = 0;
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < kinds; k++) {
            impact_case b = {7.0 + 7.0 * i, 0.25 * (k % 5), 0.3 * (k % 6), 0.7 * ((i + k) % 5 - 2), k >= 15};
            double limited, gain = largest_gain(&b, method, &limited);
            limited_hits += limited > 0.0;
            if (!CHECK(gain <= most))
                print_message("%g deg, e %g, mu %g, slip %g, box %d: gain %g\n", b.degrees, b.restitution, b.friction,
                              b.slip, b.upright, gain);
        }
    return limited_hits;
}

static carom_method_def lcp_by(carom_restitution_law restitution) {
    carom_method_def method = touching_method(1e-3, 1e-13);
    method.lcp.restitution = restitution;
    return method;
}

TEST(lcp_with_newtons_restitution) {
    carom_method_def method = lcp_by(CAROM_RESTITUTION_NEWTON);
    CHECK(check_method(&method, 30, 1e-12) > 10);
}

TEST(lcp_with_poissons_restitution) {
    carom_method_def method = lcp_by(CAROM_RESTITUTION_POISSON);
    CHECK(check_method(&method, 30, 1e-12) > 10);
}

// Solved no further than by default.
TEST(lcp_by_default) {
    carom_method_def method = carom_method_def_default();
    method.step = 1e-3;
    CHECK(check_method(&method, 30, 1e-3) > 10);
}

static carom_method_def impulse_by(carom_impulse_variant variant, carom_impact_law law,
                                   carom_simultaneous simultaneous) {
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_IMPULSE;
    method.step = 1e-3;
    method.impulse.variant = variant;
    method.impulse.law = law;
    method.relative_tolerance = method.absolute_tolerance = 1e-13;
    method.impulse.tolerance = 1e-12;
    method.impulse.simultaneous = simultaneous;
    return method;
}

TEST(impulse_one_after_the_other) {
    for (int variant = CAROM_IMPULSE_EVENTS; variant <= CAROM_IMPULSE_FIXED; variant++) {
        carom_method_def newton = impulse_by(variant, CAROM_IMPACT_LAW_NEWTON, CAROM_SIMULTANEOUS_SEQUENCE);
        carom_method_def poisson = impulse_by(variant, CAROM_IMPACT_LAW_POISSON, CAROM_SIMULTANEOUS_SEQUENCE);
        // A box whose corners are hit one after the other tumbles, which fixed steps follow to the second order.
        int kinds = variant == CAROM_IMPULSE_EVENTS ? 30 : 15;
        CHECK(check_method(&newton, kinds, 1e-12) > 2);
        CHECK_INT(check_method(&poisson, kinds, 1e-12), 0); // which never gains
    }
}

TEST(impulse_together) {
    for (int variant = CAROM_IMPULSE_EVENTS; variant <= CAROM_IMPULSE_FIXED; variant++) {
        carom_method_def newton = impulse_by(variant, CAROM_IMPACT_LAW_NEWTON, CAROM_SIMULTANEOUS_TOGETHER);
        carom_method_def poisson = impulse_by(variant, CAROM_IMPACT_LAW_POISSON, CAROM_SIMULTANEOUS_TOGETHER);
        CHECK(check_method(&newton, 30, 1e-12) > 10);
        CHECK(check_method(&poisson, 30, 1e-12) > 10);
    }
}

TEST_MAIN(CASE(lcp_with_newtons_restitution), CASE(lcp_with_poissons_restitution), CASE(lcp_by_default),
          CASE(impulse_one_after_the_other), CASE(impulse_together))
