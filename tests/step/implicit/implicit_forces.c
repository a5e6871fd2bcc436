// SPDX-License-Identifier: MIT
// Forces that are taken at the end of the step: closed forms with the order of the step, and energies at any step.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/model/joints.h"
#include "support/scene/stepped_scene.h"

// ---- scenes that forces of the start of the step made explode, at the steps at which they did

// Dashpots, drag, servos and springs, most of them far beyond what a step resolves: no step makes energy, no damper
// does.
TEST(no_stored_force_makes_energy) {
    static const char *const stored[] = {
        "lcp-dashpot",        "dashpot-600-lcp",   "dashpot-grams-lcp", "lcp-drag-1e6",
        "lcp-angular-drag",   "lcp-stokes-spring", "lcp-spring-2e5",    "spring-3e5-lcp",
        "lcp-position-motor", "servo-2e5-lcp",     "servo-damping-lcp",
    };
    for (size_t i = 0; i < sizeof stored / sizeof stored[0]; i++) {
        for (int impulse = 0; impulse < 2; impulse++) {
            static const char *const other[] = {"method.name=impulse", "method.impulse={\"variant\":\"fixed\"}", NULL};
            char file[128];
            snprintf(file, sizeof file, "tests/data/verdict/wrong/%s", stored[i]);
            if (impulse != 0 && strcmp(stored[i], "lcp-stokes-spring") == 0) continue; // knows no fluids
            stepped_scene s = stepped_from_file(file, impulse != 0 ? other : NULL);
            stepped_go(&s, 0.5);
            if (!CHECK(s.rise <= 1e-9 * s.scale) || !CHECK(s.passive <= 0.0))
                printf("%s: %g of %g J, dampers %g J\n", stored[i], s.rise, s.scale, s.passive);
            stepped_end(&s);
        }
    }
}

// ---- closed forms

typedef double error_at(double step);

// Errors against a closed form over four halvings of the step.
static void check_order(error_at *error, double step) {
    double last = error(step);
    for (int i = 0; i < 4; i++) {
        step *= 0.5;
        double next = error(step), order = log2(last / next);
        if (!CHECK(order > 0.85 && order < 1.15)) printf("step %g: %g after %g\n", step, next, last);
        last = next;
    }
}

static stepped_scene begin_with(const char *text, double step, const char *more) {
    char set[64];
    snprintf(set, sizeof set, "method.step=%.17g", step);
    const char *overrides[] = {set, "method.lcp={\"accuracy\":\"precise\"}", more, NULL};
    return stepped_from_text(text, overrides);
}

static const char dashpot[] = "{'carom': 1, 'until': 1, 'gravity': [0, 0, 0], 'bodies': ["
                              "{'name': 'a', 'mass': 1}, {'name': 'b', 'mass': 1, 'position': [1, 0, 0],"
                              "'velocity': [1, 0, 0]}], 'forces': [{'kind': 'spring', 'a': 'a', 'b': 'b',"
                              "'stiffness': 0, 'rest_length': 1, 'damping': 400}]}";

static double wrong_dashpot(double step) {
    stepped_scene s = begin_with(dashpot, step, NULL);
    stepped_go(&s, 0.004);
    double got = world_body(s.state, 1).velocity.x - world_body(s.state, 0).velocity.x;
    stepped_end(&s);
    return fabs(got - exp(-800.0 * 0.004));
}

static double wrong_drag(double step) {
    stepped_scene s = begin_with("{'carom': 1, 'until': 1, 'gravity': [0, 0, 0], 'bodies': [{'name': 'a', 'mass': 2,"
                                 "'inertia': [3, 3, 3], 'velocity': [4, 0, 0], 'spin': [0, 5, 0]}],"
                                 "'forces': [{'kind': 'drag', 'body': 'a', 'quadratic': 6, 'angular': 7}]}",
                                 step, NULL);
    stepped_go(&s, 0.5);
    carom_body_state at = world_body(s.state, 0);
    stepped_end(&s);
    // v' = -3 v^2, w' = -7/3 w
    return fabs(at.velocity.x - 4.0 / (1.0 + 12.0 * 0.5)) + fabs(at.spin.y - 5.0 * exp(-3.5 / 3.0));
}

static double wrong_spring(double step) {
    stepped_scene s = begin_with("{'carom': 1, 'until': 1, 'gravity': [0, 0, 0], 'bodies': [{'name': 'a', 'mass': 1},"
                                 "{'name': 'b', 'mass': 1, 'position': [1, 0, 0]}], 'forces': [{'kind': 'spring',"
                                 "'a': 'a', 'b': 'b', 'stiffness': 2e5, 'rest_length': 0.9}]}",
                                 step, NULL);
    stepped_go(&s, 0.004);
    double got = world_body(s.state, 1).position.x - world_body(s.state, 0).position.x;
    stepped_end(&s);
    return fabs(got - (0.9 + 0.1 * cos(sqrt(4e5) * 0.004)));
}

// Two balls of 1 cm in a fluid of 1 Pa s: the stretch decays at 2 k / (6 pi eta r).
static double wrong_in_fluid(double step) {
    stepped_scene s = begin_with("{'carom': 1, 'until': 1, 'gravity': [0, 0, 0], 'mobility': {'kind': 'stokes',"
                                 "'viscosity': 1}, 'shapes': {'s': {'kind': 'sphere', 'radius': 0.01}}, 'bodies': ["
                                 "{'name': 'a', 'shape': 's', 'mass': 1}, {'name': 's', 'shape': 's', 'mass': 1,"
                                 "'position': [0.05, 0, 0]}], 'forces': [{'kind': 'spring', 'a': 'a', 'b': 's',"
                                 "'stiffness': 1000, 'rest_length': 0.1, 'damping': 3}]}",
                                 step, NULL);
    stepped_go(&s, 1e-4);
    double got = world_body(s.state, 1).position.x - world_body(s.state, 0).position.x;
    double pi = 3.14159265358979323846, resistance = 6.0 * pi * 0.01;
    stepped_end(&s);
    return fabs(got - (0.1 - 0.05 * exp(-1000.0 / (0.5 * resistance + 3.0) * 1e-4)));
}

TEST(forces_are_right_to_the_order_of_the_step) {
    check_order(wrong_dashpot, 0.0005);
    check_order(wrong_drag, 0.01);
    check_order(wrong_spring, 2e-5);
    check_order(wrong_in_fluid, 1e-5);
}

// I s'' + (2 + 3) s' + (40 + 60) s = 40 * 0.2 + 60 * 0.7 + 4, I = 0.1 + 1 * 0.5^2: spring, damper and motor of one
// hinge.
static double hinge_at(double time, const char *more, double step, double *got) {
    stepped_scene s = begin_with("{'carom': 1, 'until': 1, 'gravity': [0, 0, 0], 'bodies': [{'name': 'a', 'mass': 1,"
                                 "'inertia': [0.1, 0.1, 0.1], 'position': [0.5, 0, 0]}], 'joints': [{'kind': 'hinge',"
                                 "'a': 'world', 'b': 'a', 'point': [0, 0, 0], 'axis': [0, 0, 1], 'coordinates': ["
                                 "{'stiffness': 40, 'rest': 0.2, 'damping': 2, 'motor': {'kind': 'position',"
                                 "'target': 0.7, 'stiffness': 60, 'damping': 3, 'force': 4}}]}]}",
                                 step, more);
    stepped_go(&s, time);
    *got = joints_get(s.state, 0).coordinate[0];
    stepped_end(&s);
    double inertia = 0.35, decay = 5.0 / (2.0 * inertia), swing = sqrt(100.0 / inertia - decay * decay), end = 0.54;
    return end - end * exp(-decay * time) * (cos(swing * time) + decay / swing * sin(swing * time));
}

static double wrong_hinge(double step) {
    double got, wanted = hinge_at(0.2, NULL, step, &got);
    return fabs(got - wanted);
}

// A motor with a bound that it does not reach has a row of its own, and does the same.
static double wrong_bounded_hinge(double step) {
    double got, wanted = hinge_at(0.2, "joints[0].coordinates[0].motor.max_force=1000", step, &got);
    return fabs(got - wanted);
}

TEST(a_hinge_with_spring_damper_and_motor_follows_its_closed_form) {
    check_order(wrong_hinge, 0.002);
    check_order(wrong_bounded_hinge, 0.002);
}

// As stiff as you like: what a coordinate comes to rest at is exact at any step.
TEST(stiff_motors_go_where_they_should) {
    for (double stiffness = 1e2; stiffness < 1e13; stiffness *= 1e2) {
        char set[96];
        snprintf(set, sizeof set, "joints[0].coordinates[0].motor.stiffness=%g", stiffness);
        double got, wanted = (8.0 + 0.7 * stiffness + 4.0) / (40.0 + stiffness);
        hinge_at(10.0, set, 0.1, &got);
        CHECK_NEAR(got, wanted, 1e-8);
    }
}

// ---- bounds

// A motor that is at its bound accelerates evenly, whatever its gains are.
TEST(a_bounded_motor_gives_no_more) {
    stepped_scene s =
        stepped_from_text("{'carom': 1, 'until': 1, 'gravity': [0, 0, 0], 'method': {'step': 0.01,"
                          "'lcp': {'accuracy': 'precise'}}, 'bodies': [{'name': 'a', 'mass': 1,"
                          "'inertia': [0.1, 0.1, 0.1], 'position': [0.5, 0, 0]}], 'joints': [{"
                          "'kind': 'slider', 'a': 'world', 'b': 'a', 'point': [0.5, 0, 0],"
                          "'axis': [1, 0, 0], 'coordinates': [{'motor': {'kind': 'position', 'target': 100,"
                          "'stiffness': 1e8, 'damping': 1e4, 'max_force': 3}}]}]}",
                          NULL);
    for (int i = 1; i <= 50; i++) {
        stepped_go(&s, 0.01 * i);
        CHECK_NEAR(world_body(s.state, 0).velocity.x, 0.03 * i, 1e-10);
    }
    stepped_end(&s);
}

// ---- fluids

// Drag in a fluid adds to its resistance: v = m g / (6 pi eta r + d) with Stokes' drag and with a mobility by numbers.
TEST(drag_in_a_fluid_adds_to_its_resistance) {
    static const char text[] =
        "{'carom': 1, 'until': 1, 'gravity': [0, 0, -10], 'mobility': {'kind': 'stokes', 'viscosity': 2},"
        "'shapes': {'s': {'kind': 'sphere', 'radius': 0.1}}, 'bodies': [{'name': 'a', 'shape': 's', 'mass': 3}],"
        "'forces': [{'kind': 'drag', 'body': 'a', 'linear': 1e5, 'angular': 5}]}";
    double pi = 3.14159265358979323846;
    stepped_scene s = begin_with(text, 0.01, NULL);
    stepped_go(&s, 0.1);
    CHECK_NEAR(world_body(s.state, 0).velocity.z / (-30.0 / (6.0 * pi * 0.2 + 1e5)), 1.0, 1e-7);
    stepped_end(&s);
}

// ---- any springs, any steps

static void add_random_springs(carom_model *model, sampler *s, int bodies) {
    int count = 1 + (int)sample_between(s, 0.0, 3.99);
    for (int i = 0; i < count; i++) {
        carom_spring_def spring = carom_spring_def_default();
        int a = (int)sample_between(s, 0.0, bodies - 0.01), b = (int)sample_between(s, -1.0, bodies - 0.01);
        spring.a = (carom_body){a};
        spring.b = b >= 0 && b != a ? (carom_body){b} : CAROM_WORLD;
        spring.point_a = sample_vec3(s, 0.5), spring.point_b = sample_vec3(s, 0.5);
        spring.stiffness = pow(10.0, sample_between(s, 0.0, 9.0));
        spring.rest_length = fmax(sample_between(s, -1.0, 2.0), 0.0);
        spring.damping = sample_between(s, 0.0, 1.0) < 0.5 ? 0.0 : pow(10.0, sample_between(s, -1.0, 5.0));
        CHECK_INT(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
    }
}

typedef enum spring_case { BY_LCP, BY_IMPULSE, IN_A_FLUID } spring_case;

static carom_body_def random_body(sampler *s, int index) {
    double mass = pow(10.0, sample_between(s, -1.0, 1.0)), inertia = mass * pow(10.0, sample_between(s, -2.0, 0.0));
    carom_body_def def = world_body_def(mass, crm_vec3(inertia, inertia, inertia));
    def.position = crm_add(crm_vec3(index, 0.0, 0.0), sample_vec3(s, 0.3));
    def.velocity = sample_vec3(s, 5.0);
    def.spin = sample_vec3(s, pow(10.0, sample_between(s, -1.0, 2.5)));
    return def;
}

static carom_state *random_springs(sampler *s, spring_case where) {
    carom_model *model = world_model(where == IN_A_FLUID ? crm_vec3_zero() : crm_vec3(0.0, 0.0, -9.81), 0.0);
    int bodies = 1 + (int)sample_between(s, 0.0, 3.99);
    carom_mobility_def fluid = carom_mobility_def_default();
    fluid.kind = CAROM_MOBILITY_STOKES, fluid.viscosity = 1.0;
    if (where == IN_A_FLUID) CHECK_INT(carom_model_set_mobility(model, &fluid, NULL), CAROM_OK);
    for (int i = 0; i < bodies; i++) {
        carom_body_def def = random_body(s, i);
        if (where == IN_A_FLUID) def.shape = touching_sphere(model, 0.1);
        world_add(model, &def);
    }
    add_random_springs(model, s, bodies);
    carom_method_def method = carom_method_def_default();
    method.step = pow(10.0, sample_between(s, -3.0, -0.5));
    method.lcp.accuracy = CAROM_ACCURACY_PRECISE;
    if (where == BY_IMPULSE) method.method = CAROM_METHOD_IMPULSE, method.impulse.variant = CAROM_IMPULSE_FIXED;
    method.impulse.tolerance = 1e-10;
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    return joints_state(model, &method);
}

// What a fluid moves has no kinetic energy.
static double stored_energy(const carom_state *state, spring_case where) {
    carom_energy energy = carom_state_energy(state);
    return energy.potential + (where == IN_A_FLUID ? 0.0 : energy.kinetic);
}

// Bodies that rotate by up to 100 rad a step on arms of springs of up to 1e9 N/m, in steps of up to 0.3 s.
TEST(no_spring_makes_energy_however_bodies_rotate) {
    for (int n = 0; n < 90; n++) {
        sampler s = {.seed = 100 + (uint64_t)n};
        spring_case where = (spring_case)(n % 3);
        carom_state *state = random_springs(&s, where);
        double rise = -INFINITY, scale = 0.0, passive = -INFINITY, first = stored_energy(state, where), last = first;
        for (int i = 0; i < 60; i++) {
            carom_step_report report;
            CHECK_INT(carom_step(carom_state_model(state), state, NULL, &report, NULL), CAROM_OK);
            double now = stored_energy(state, where);
            rise = fmax(rise, now - last);
            scale = fmax(scale, fabs(now - first) + (where == IN_A_FLUID ? 0.0 : report.energy.kinetic));
            passive = fmax(passive, report.ledger.passive);
            last = now;
        }
        if (!CHECK(rise <= 1e-9 * scale) || !CHECK(passive <= 0.0))
            printf("scene %d: %g of %g J in a step, dampers %g J\n", n, rise, scale, passive);
        world_destroy(state);
    }
}

// ---- seven links with stiff motors

static double distance_to_target(const carom_state *state) {
    static const double target[7] = {0.6, -0.4, 0.7, 0.3, -0.5, 0.4, 0.5};
    double sum = 0.0;
    for (int j = 0; j < 7; j++) sum += pow(joints_get(state, j).coordinate[0] - target[j], 2.0);
    return sqrt(sum);
}

static void check_arm(const char *const *overrides, double until) {
    stepped_scene s = stepped_from_file("scenes/stiff-arm", overrides);
    double step = carom_scene_method(s.scene)->step, last = distance_to_target(s.state);
    for (int i = 1; i <= (int)lround(until / step); i++) {
        stepped_go(&s, step * i);
        double now = distance_to_target(s.state);
        if (last > 1e-12 && !CHECK(now < last)) printf("step %d: %g after %g\n", i, now, last);
        last = now;
    }
    CHECK(last < 1e-4);
    CHECK(s.rise <= 1e-9 * s.scale);
    stepped_end(&s);
}

TEST(every_step_brings_a_stiff_arm_nearer) {
    check_arm(NULL, 1.0);
}

TEST(so_does_every_step_of_a_tenth_of_a_second_of_one_that_is_as_good_as_rigid) {
    static char set[7][64];
    const char *overrides[9] = {"method.step=0.1"};
    for (int j = 0; j < 7; j++) {
        snprintf(set[j], sizeof set[j], "joints[%d].coordinates[0].motor.stiffness=1e9", j);
        overrides[1 + j] = set[j];
    }
    check_arm(overrides, 1.0);
}

// Springs, dampers and motors of three free angles act by rows of their own.
TEST(a_ball_joint_comes_to_rest_between_spring_and_motor) {
    for (double stiffness = 10.0; stiffness < 1e9; stiffness *= 100.0) {
        char set[96];
        snprintf(set, sizeof set, "joints[0].coordinates[1].stiffness=%g", stiffness);
        stepped_scene s =
            begin_with("{'carom': 1, 'until': 1, 'gravity': [0, 0, 0], 'bodies': [{'name': 'a', 'mass': 1,"
                       "'inertia': [0.1, 0.1, 0.1], 'spin': [3, 2, 1]}], 'joints': [{'kind': 'ball',"
                       "'a': 'world', 'b': 'a', 'point': [0, 0, 0], 'coordinates': ["
                       "{'damping': 5, 'motor': {'kind': 'position', 'target': 0.3, 'stiffness': 50}},"
                       "{'stiffness': 50, 'rest': -0.2, 'damping': 5}, {'stiffness': 30, 'damping': 5}]}]}",
                       0.02, set);
        stepped_go(&s, 8.0);
        carom_joint_state ball = joints_get(s.state, 0);
        CHECK_NEAR(ball.rate[0], 0.0, 1e-6);
        CHECK_NEAR(ball.rate[1], 0.0, 1e-6);
        CHECK(s.passive <= 0.0);
        stepped_end(&s);
    }
}

TEST_MAIN(CASE(no_stored_force_makes_energy), CASE(forces_are_right_to_the_order_of_the_step),
          CASE(a_hinge_with_spring_damper_and_motor_follows_its_closed_form), CASE(stiff_motors_go_where_they_should),
          CASE(a_bounded_motor_gives_no_more), CASE(drag_in_a_fluid_adds_to_its_resistance),
          CASE(no_spring_makes_energy_however_bodies_rotate), CASE(every_step_brings_a_stiff_arm_nearer),
          CASE(so_does_every_step_of_a_tenth_of_a_second_of_one_that_is_as_good_as_rigid),
          CASE(a_ball_joint_comes_to_rest_between_spring_and_motor))
