// SPDX-License-Identifier: MIT
// Forces without a pair potential under the methods of order 2: drag, dampers, wrenches, callbacks, on bodies by
// themselves, in groups, in trees; against closed forms and against `reduced` with an error of 1e-12.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/quat.h"
#include "support/harness/check.h"
#include "support/model/joints.h"
#include "support/scene/stepped_scene.h"

static const carom_method of_order_2[] = {CAROM_METHOD_VARIATIONAL, CAROM_METHOD_POTENTIAL, CAROM_METHOD_EXACT,
                                          CAROM_METHOD_DCR, CAROM_METHOD_NEWMARK};
enum { OF_ORDER_2 = 5, AT_MIDPOINTS = 4 };

// ---- worlds

// A potential (k/2 |x|^2 + b/4 |x|^4) of the body frame's origin, and one that rotates the body's z axis upwards.
static int well(void *user, const carom_force_sample *s, carom_force_value *value) {
    (void)user;
    double square = crm_length_squared(s->position), k = 3.0, b = 0.5;
    carom_vec3 axis = crm_quat_rotate(s->attitude, crm_vec3(0.0, 0.0, 1.0));
    value->conservative = true;
    value->energy = 0.5 * k * square + 0.25 * b * square * square - 0.8 * axis.z;
    value->force = crm_scale(-(k + b * square), s->position);
    value->torque = crm_scale(0.8, crm_cross(axis, crm_vec3(0.0, 0.0, 1.0)));
    return 0;
}

// Depends on all that it is given.
static int stirring(void *user, const carom_force_sample *s, carom_force_value *value) {
    (void)user;
    value->force = crm_vec3(sin(3.0 * s->time), -0.4 * s->velocity.x, 0.3 * cos(2.0 * s->position.x));
    value->force = crm_add(value->force, crm_scale(-0.7 * crm_length(s->velocity), s->velocity));
    value->torque = crm_add(crm_scale(-0.3, s->spin), crm_scale(0.2 * s->time, s->velocity));
    return 0;
}

static carom_body add_callback(carom_model *model, carom_body body, carom_force_function *function) {
    carom_callback_def def = carom_callback_def_default();
    def.body = body;
    def.function = function;
    CHECK_INT(carom_model_add_callback(model, &def, NULL), CAROM_OK);
    return body;
}

static void add_drag(carom_model *model, carom_body body, double linear, double quadratic, double angular) {
    carom_drag_def def = carom_drag_def_default();
    def.body = body;
    def.linear = linear;
    def.quadratic = quadratic;
    def.angular = angular;
    CHECK_INT(carom_model_add_drag(model, &def, NULL), CAROM_OK);
}

static void add_wrench(carom_model *model, carom_body body, bool in_body_axes) {
    carom_wrench_def def = carom_wrench_def_default();
    def.body = body;
    def.point = crm_vec3(0.2, -0.1, 0.3);
    def.force = crm_vec3(0.7, -0.4, 1.1);
    def.torque = crm_vec3(-0.3, 0.5, 0.2);
    def.in_body_axes = in_body_axes;
    CHECK_INT(carom_model_add_wrench(model, &def, NULL), CAROM_OK);
}

static void add_spring(carom_model *model, carom_body a, carom_body b, double damping) {
    carom_spring_def def = carom_spring_def_default();
    def.a = a;
    def.b = b;
    def.point_a = crm_vec3(0.3, 0.1, -0.2);
    def.point_b = crm_vec3(-0.1, 0.2, 0.4);
    def.stiffness = 6.0;
    def.rest_length = 0.8;
    def.damping = damping;
    CHECK_INT(carom_model_add_spring(model, &def, NULL), CAROM_OK);
}

static carom_body add_body(carom_model *model, double x, carom_body_kind kind) {
    carom_body_def def = world_body_def(1.0 + 0.2 * x, crm_vec3(0.4, 0.6, 0.9));
    def.kind = kind;
    def.position = crm_vec3(x, 0.1 * x, 0.0);
    def.velocity = crm_vec3(0.3, -0.5, kind == CAROM_BODY_PLANAR ? 0.0 : 0.2 * x);
    def.spin = kind == CAROM_BODY_FREE     ? crm_vec3(1.0, -0.7, 0.4 + 0.1 * x)
               : kind == CAROM_BODY_PLANAR ? crm_vec3(0.0, 0.0, 0.9)
                                           : crm_vec3_zero();
    if (kind == CAROM_BODY_FREE) {
        def.attitude = crm_quat_from_axis_angle(crm_vec3(0.6, 0.0, 0.8), 0.5 + x);
        def.centre = crm_vec3(0.05, -0.02, 0.03);
    }
    return world_add(model, &def);
}

// Bodies that nothing couples, of all kinds, each with something of its own; and a group with dampers.
static carom_model *mixed_world(bool jointed) {
    (void)jointed;
    carom_model *model = world_model(crm_vec3(0.2, -0.1, -0.5), 0.0);
    add_drag(model, add_body(model, 0.0, CAROM_BODY_FREE), 0.4, 0.3, 0.25);
    carom_body pushed = add_body(model, 1.0, CAROM_BODY_FREE);
    add_wrench(model, pushed, false);
    add_wrench(model, add_body(model, 2.0, CAROM_BODY_FREE), true);
    add_callback(model, add_body(model, 3.0, CAROM_BODY_FREE), stirring);
    add_callback(model, add_body(model, 0.5, CAROM_BODY_FREE), well);
    add_drag(model, add_body(model, 4.0, CAROM_BODY_PLANAR), 0.4, 0.3, 0.25);
    add_callback(model, add_body(model, 1.5, CAROM_BODY_POINT), stirring);
    carom_body a = add_body(model, 6.0, CAROM_BODY_FREE), b = add_body(model, 7.0, CAROM_BODY_FREE);
    carom_body c = add_body(model, 8.0, CAROM_BODY_PLANAR);
    add_spring(model, a, b, 0.8);
    add_spring(model, b, c, 0.5);
    add_spring(model, c, CAROM_WORLD, 0.4);
    add_drag(model, a, 0.2, 0.1, 0.3);
    add_wrench(model, b, true);
    add_callback(model, b, stirring);
    return model;
}

// A chain from the world by a ball joint and hinges, with a free body behind a spring.
static carom_model *jointed_world(bool jointed) {
    (void)jointed;
    carom_model *model = world_model(crm_vec3(0.0, 0.3, -2.0), 0.0);
    carom_body last = CAROM_WORLD;
    for (int i = 0; i < 3; i++) {
        carom_body_def def = world_body_def(1.0 + 0.2 * i, crm_vec3(0.4, 0.6, 0.9));
        def.position = crm_vec3(i + 0.5, 0.0, 0.0);
        carom_body body = world_add(model, &def);
        carom_joint_def joint = joints_def(model, i == 0 ? CAROM_JOINT_BALL : CAROM_JOINT_HINGE, last, body,
                                           crm_vec3(i, 0.0, 0.0), crm_vec3(0.0, 0.6, 0.8));
        joints_add(model, &joint);
        last = body;
    }
    carom_body apart = add_body(model, 4.0, CAROM_BODY_FREE);
    add_spring(model, last, apart, 0.7);
    add_drag(model, (carom_body){0}, 0.3, 0.2, 0.2);
    add_wrench(model, (carom_body){1}, true);
    add_wrench(model, last, false);
    add_callback(model, last, stirring);
    add_callback(model, apart, well);
    return model;
}

// ---- order

typedef struct errors {
    double position, attitude, velocity, spin;
} errors;

enum { MOST_BODIES = 16 };

static errors errors_of(carom_model *model, const carom_method_def *def, double time, int steps,
                        const carom_body_state *wanted) {
    carom_method_def method = *def;
    method.step = time / steps;
    carom_state *state = joints_state(model, &method);
    double off = 0.0;
    for (int i = 0; i < steps; i++) {
        carom_step_report report;
        carom_error error = {.text = ""};
        CHECK_INT(carom_step(model, state, NULL, &report, &error), CAROM_OK);
        if (!CHECK(report.outcome == CAROM_STEP_GOOD)) {
            printf("%s: %s\n", carom_method_name(def->method), report.text);
            break;
        }
        off = fmax(off, report.momentum_balance);
    }
    CHECK(off < 1e-13);
    errors e = {0.0, 0.0, 0.0, 0.0};
    for (int b = 0; b < carom_model_body_count(model); b++) {
        carom_body_state got = world_body(state, b);
        e.position = fmax(e.position, crm_distance(got.position, wanted[b].position));
        e.attitude = fmax(e.attitude, crm_quat_angle(got.attitude, wanted[b].attitude));
        e.velocity = fmax(e.velocity, crm_distance(got.velocity, wanted[b].velocity));
        e.spin = fmax(e.spin, crm_distance(got.spin, wanted[b].spin));
    }
    world_destroy(state);
    return e;
}

static void check_halving(carom_method method, errors coarse, errors fine) {
    const double a[4] = {coarse.position, coarse.attitude, coarse.velocity, coarse.spin};
    const double b[4] = {fine.position, fine.attitude, fine.velocity, fine.spin};
    for (int k = 0; k < 4; k++) {
        if (!CHECK_NEAR(log2(a[k] / b[k]), 2.0, 0.1)) printf("%s: %g then %g\n", carom_method_name(method), a[k], b[k]);
        CHECK(b[k] > 1e-9 && a[k] < 0.1);
    }
}

static void check_orders(carom_model *make(bool), int methods, int steps) {
    const double time = 1.5;
    carom_method_def best = joints_method_by(CAROM_METHOD_REDUCED, CAROM_INTEGRATOR_DP54, time, 1e-12);
    carom_state *state = joints_state(make(true), &best);
    world_run(state, 1);
    carom_body_state wanted[MOST_BODIES];
    for (int b = 0; b < carom_model_body_count(carom_state_model(state)); b++) wanted[b] = world_body(state, b);
    world_destroy(state);
    for (int i = 0; i < methods; i++) {
        carom_method_def def = carom_method_def_default();
        def.method = of_order_2[i];
        errors coarse = errors_of(make(true), &def, time, steps, wanted);
        for (int k = 1; k <= 2; k++) {
            errors fine = errors_of(make(true), &def, time, steps << k, wanted);
            check_halving(def.method, coarse, fine);
            coarse = fine;
        }
    }
}

TEST(bodies_and_groups_have_order_2) {
    check_orders(mixed_world, OF_ORDER_2, 100);
}

TEST(trees_have_order_2) {
    check_orders(jointed_world, OF_ORDER_2, 200);
}

// ---- momenta and energies

// A spring with a damper between two bodies, and nothing else: what both give each other cancels.
TEST(dampers_keep_both_momenta) {
    for (int i = 0; i < OF_ORDER_2; i++) {
        carom_model *model = world_model(crm_vec3_zero(), 0.0);
        carom_body a = add_body(model, 1.0, CAROM_BODY_FREE), b = add_body(model, 2.0, CAROM_BODY_FREE);
        add_spring(model, a, b, 40.0);
        carom_state *state = world_state(model, of_order_2[i], 0.02);
        carom_momentum before = carom_state_momentum(state);
        double energy = world_energy(state);
        for (int k = 0; k < 100; k++) {
            carom_step_report report = world_run(state, 1);
            CHECK(report.ledger.passive <= 0.0);
            CHECK(report.momentum_balance < 1e-13);
        }
        carom_momentum after = carom_state_momentum(state);
        CHECK(crm_distance(before.linear, after.linear) < 1e-13 * crm_length(before.linear));
        CHECK(crm_distance(before.angular, after.angular) < 1e-13 * crm_length(before.angular));
        CHECK(world_energy(state) < 0.9 * energy);
        world_destroy(state);
    }
}

// P and L of a body that is pushed off its centre change by force and moment times time, where they are known.
TEST(a_constant_wrench_changes_momenta_by_its_impulse) {
    for (int i = 0; i < OF_ORDER_2; i++) {
        carom_model *model = world_model(crm_vec3_zero(), 0.0);
        carom_body_def def = world_body_def(2.0, crm_vec3(0.4, 0.6, 0.9));
        def.spin = crm_vec3(0.3, -0.2, 0.5);
        carom_body body = world_add(model, &def);
        carom_wrench_def wrench = carom_wrench_def_default();
        wrench.body = body;
        wrench.force = crm_vec3(0.7, -0.4, 1.1);
        wrench.torque = crm_vec3(-0.3, 0.5, 0.2);
        CHECK_INT(carom_model_add_wrench(model, &wrench, NULL), CAROM_OK);
        carom_state *state = world_state(model, of_order_2[i], 0.01);
        carom_momentum before = carom_state_momentum(state);
        world_run(state, 100);
        carom_momentum after = carom_state_momentum(state);
        carom_body_state at = world_body(state, 0);
        CHECK_NEAR(crm_distance(crm_sub(after.linear, before.linear), wrench.force), 0.0, 1e-13);
        CHECK_NEAR(crm_distance(crm_sub(after.angular, before.angular), wrench.torque), 0.0, 1e-13); // no arm: x || f
        CHECK_NEAR(crm_distance(at.position, crm_scale(0.25, wrench.force)), 0.0, 1e-13);
        world_destroy(state);
    }
}

// The same force on two bodies, in opposite directions.
static int shaking(void *user, const carom_force_sample *s, carom_force_value *value) {
    value->force = crm_scale(*(const double *)user, crm_vec3(sin(3.0 * s->time), 0.7, cos(2.0 * s->time)));
    return 0;
}

TEST(callbacks_that_cancel_keep_the_momentum) {
    static const double one = 1.0, other = -1.0;
    for (int i = 0; i < OF_ORDER_2; i++) {
        carom_model *model = world_model(crm_vec3_zero(), 0.0);
        for (int b = 0; b < 2; b++) {
            carom_callback_def def = carom_callback_def_default();
            def.body = add_body(model, 1.0 + b, CAROM_BODY_FREE);
            def.function = shaking;
            def.user = (void *)(b == 0 ? &one : &other);
            CHECK_INT(carom_model_add_callback(model, &def, NULL), CAROM_OK);
        }
        carom_state *state = world_state(model, of_order_2[i], 0.02);
        carom_momentum before = carom_state_momentum(state);
        world_run(state, 200);
        carom_momentum after = carom_state_momentum(state);
        CHECK(crm_distance(before.linear, after.linear) < 1e-13 * crm_length(before.linear));
        world_destroy(state);
    }
}

// Drag and dampers far beyond what the step resolves: momenta never grow, and the ledger has what is lost.
TEST(drag_is_stable_at_any_step) {
    for (int i = 0; i < AT_MIDPOINTS; i++) {
        for (double strength = 1.0; strength < 1e9; strength *= 1e3) {
            carom_model *model = world_model(crm_vec3_zero(), 0.0);
            carom_body a = add_body(model, 1.0, CAROM_BODY_FREE), b = add_body(model, 3.0, CAROM_BODY_FREE);
            carom_body c = add_body(model, 6.0, CAROM_BODY_FREE);
            add_drag(model, a, strength, strength, strength);
            add_spring(model, b, c, strength);
            carom_state *state = world_state(model, of_order_2[i], 0.1);
            double energy = world_energy(state), lost = 0.0;
            for (int k = 0; k < 50; k++) {
                carom_step_report report = world_run(state, 1);
                lost += report.ledger.passive;
                CHECK(report.ledger.passive <= 1e-12 * energy);
                CHECK(report.energy.kinetic + report.energy.potential <= 1.2 * energy);
            }
            CHECK(lost < 0.0);
            world_destroy(state);
        }
    }
}

// A well: a potential of one body, whose energy wanders by h^2 and does not drift; none of its work is active.
TEST(potentials_of_callbacks_keep_the_energy) {
    for (int i = 0; i < OF_ORDER_2; i++) {
        carom_model *model = world_model(crm_vec3_zero(), 0.0);
        add_callback(model, add_body(model, 1.0, CAROM_BODY_FREE), well);
        carom_state *state = world_state(model, of_order_2[i], 0.01);
        double energy = world_energy(state), largest = 0.0;
        for (int k = 0; k < 10000; k++) {
            carom_step_report report = world_run(state, 1);
            largest = fmax(largest, fabs(report.energy.kinetic + report.energy.potential - energy));
            CHECK(report.ledger.active == 0.0);
        }
        if (!CHECK(largest < 1.5e-4 * energy)) printf("%s: %g\n", carom_method_name(of_order_2[i]), largest);
        world_destroy(state);
    }
}

// ---- Newmark's family

static carom_method_def newmark_by(double beta, double gamma, double step) {
    carom_method_def def = carom_method_def_default();
    def.method = CAROM_METHOD_NEWMARK;
    def.potential.beta = beta;
    def.potential.gamma = gamma;
    def.step = step;
    return def;
}

// A mass of 1 kg at a spring of 1e4 N/m: w = 100/s, from 0.1 m.
static carom_model *swinging_mass(void) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_body_def def = world_body_def(1.0, crm_vec3(0.1, 0.1, 0.1));
    def.position = crm_vec3(0.1, 0.0, 0.0);
    carom_spring_def spring = carom_spring_def_default();
    spring.a = world_add(model, &def);
    spring.b = CAROM_WORLD;
    spring.stiffness = 1e4;
    CHECK_INT(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
    return model;
}

// h w = 2 is the limit of the explicit member; (1/4, 1/2) goes on at a thousand times as much.
TEST(the_mean_acceleration_is_stable_far_beyond_the_explicit_limit) {
    for (double factor = 10.0; factor <= 1000.0; factor *= 10.0) {
        carom_method_def def = newmark_by(0.25, 0.5, factor * 0.02);
        carom_state *state = joints_state(swinging_mass(), &def);
        double energy = world_energy(state);
        for (int k = 0; k < 2000; k++) {
            carom_step_report report = world_run(state, 1);
            CHECK(report.energy.kinetic + report.energy.potential < (1.0 + 1e-9) * energy);
        }
        world_destroy(state);
    }
}

TEST(steps_beyond_the_limit_are_refused_with_the_number) {
    const struct {
        double beta, gamma, step;
        const char *limit; // NULL: it is stable
    } cases[] = {{0.0, 0.5, 0.0199, NULL},
                 {0.0, 0.5, 0.0201, "newmark with beta = 0 and gamma = 0.5 is unstable beyond steps of 0.02 s"},
                 {1.0 / 6.0, 0.5, 0.0346, NULL},
                 {1.0 / 6.0, 0.5, 0.0347, "is unstable beyond steps of 0.03464 s"},
                 {0.0, 0.6, 0.019, "is unstable beyond steps of 0.01826 s"},
                 {0.3025, 0.6, 10.0, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        carom_model *model = swinging_mass();
        CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
        carom_method_def def = newmark_by(cases[i].beta, cases[i].gamma, cases[i].step);
        carom_state *state = NULL;
        carom_error error = {.text = ""};
        carom_status wanted = cases[i].limit == NULL ? CAROM_OK : CAROM_ERR_BAD_INPUT;
        CHECK_INT(carom_state_create(model, &def, &state, &error), wanted);
        if (state != NULL && cases[i].beta == 0.0) CHECK_NEAR(carom_state_stable_step(state), 0.02, 1e-9);
        if (state != NULL && cases[i].beta > 0.3) CHECK(isinf(carom_state_stable_step(state)));
        if (!CHECK(cases[i].limit == NULL || strstr(error.text, cases[i].limit) != NULL)) printf("%s\n", error.text);
        carom_state_destroy(state);
        carom_model_destroy(model);
    }
}

// The explicit limit is the true one: just below it nothing grows.
TEST(the_explicit_member_is_stable_below_its_limit) {
    carom_method_def def = newmark_by(0.0, 0.5, 0.0199);
    carom_state *state = joints_state(swinging_mass(), &def);
    for (int k = 0; k < 10000; k++) world_run(state, 1);
    CHECK(fabs(world_body(state, 0).position.x) < 0.1 + 1e-9);
    world_destroy(state);
}

static void check_implicit(carom_model *make(bool)) {
    const double time = 1.5;
    carom_method_def best = joints_method_by(CAROM_METHOD_REDUCED, CAROM_INTEGRATOR_DP54, time, 1e-12);
    carom_state *state = joints_state(make(false), &best);
    world_run(state, 1);
    carom_body_state wanted[MOST_BODIES];
    for (int b = 0; b < carom_model_body_count(carom_state_model(state)); b++) wanted[b] = world_body(state, b);
    world_destroy(state);
    for (double beta = 1.0 / 12.0; beta < 0.26; beta += 1.0 / 12.0) {
        carom_method_def def = newmark_by(beta, 0.5, 0.01);
        errors coarse = errors_of(make(false), &def, time, 150, wanted);
        for (int k = 1; k <= 2; k++) {
            errors fine = errors_of(make(false), &def, time, 150 << k, wanted);
            check_halving(def.method, coarse, fine);
            coarse = fine;
        }
    }
}

TEST(implicit_members_have_order_2) {
    check_implicit(mixed_world);
    check_implicit(jointed_world);
}

// ---- contact

// A ball that bounces in a medium, pushed sidewards, until time 1.4: two bounces.
static const char bouncing[] =
    "{'carom': 1, 'until': 1.4, 'gravity': [0, 0, -9.81], 'shapes': {'floor': {'kind': 'half_space', 'normal': [0, 0, "
    "1]},"
    "'ball': {'kind': 'sphere', 'radius': 0.1}}, 'materials': {'rubber': {'friction': 0, 'restitution': 1}},"
    "'bodies': [{'name': 'ground', 'kind': 'fixed', 'shape': 'floor', 'material': 'rubber'},"
    "{'name': 'ball', 'shape': 'ball', 'material': 'rubber', 'mass': 1, 'position': [0, 0, 1],"
    "'velocity': [1, 0.2, 0], 'spin': [1, 2, 3]}], 'forces': [{'kind': 'drag', 'body': 'ball', 'linear': 0.4,"
    "'quadratic': 0.1, 'angular': 0.002}, {'kind': 'wrench', 'body': 'ball', 'force': [0.3, -0.2, 0.4]}]}";

static carom_body_state bounced(const char *method, double step) {
    char set[2][96];
    snprintf(set[0], sizeof set[0], "method=%s", method);
    snprintf(set[1], sizeof set[1], "method.step=%.17g", step);
    const char *overrides[] = {set[0], set[1], NULL};
    stepped_scene s = stepped_from_text(bouncing, overrides);
    stepped_go(&s, 1.4);
    carom_body_state at = world_body(s.state, 1);
    stepped_end(&s);
    return at;
}

// Against `impulse` by events with dp54.
static void check_bouncing(const char *method) {
    carom_body_state wanted = bounced("{\"name\": \"impulse\", \"impulse\": {\"variant\": \"events\"}, "
                                      "\"relative_tolerance\": 1e-11}",
                                      0.01);
    double last = 0.0;
    for (double step = 0.01; step > 1e-3; step *= 0.5) {
        carom_body_state got = bounced(method, step);
        double off = crm_distance(got.position, wanted.position) + crm_distance(got.velocity, wanted.velocity) +
                     crm_distance(got.spin, wanted.spin);
        if (last > 0.0 && !CHECK_NEAR(log2(last / off), 2.0, 0.1)) printf("%s: %g then %g\n", method, last, off);
        last = off;
    }
}

TEST(bounces_in_a_medium_have_order_2) {
    check_bouncing("{\"name\": \"exact\"}");
    check_bouncing("{\"name\": \"dcr\"}");
}

TEST_MAIN(CASE(bodies_and_groups_have_order_2), CASE(trees_have_order_2), CASE(dampers_keep_both_momenta),
          CASE(a_constant_wrench_changes_momenta_by_its_impulse), CASE(callbacks_that_cancel_keep_the_momentum),
          CASE(drag_is_stable_at_any_step), CASE(potentials_of_callbacks_keep_the_energy),
          CASE(bounces_in_a_medium_have_order_2), CASE(the_mean_acceleration_is_stable_far_beyond_the_explicit_limit),
          CASE(steps_beyond_the_limit_are_refused_with_the_number), CASE(the_explicit_member_is_stable_below_its_limit),
          CASE(implicit_members_have_order_2))
