// SPDX-License-Identifier: MIT
// Fields without a potential and functions of several bodies under the variational methods: order 2 against `reduced`
// with an error of 1e-12, and forces of two bodies on each other that keep both momenta.
#include <math.h>
#include <stdio.h>

#include "carom/force.h"
#include "math/quat.h"
#include "support/harness/check.h"
#include "support/model/joints.h"

static const carom_method methods[] = {CAROM_METHOD_VARIATIONAL, CAROM_METHOD_POTENTIAL, CAROM_METHOD_EXACT,
                                       CAROM_METHOD_DCR};
enum { METHODS = sizeof methods / sizeof methods[0], BODIES = 7 };

static carom_body add_body(carom_model *model, double x, carom_body_kind kind) {
    carom_body_def def = world_body_def(1.0 + 0.2 * x, crm_vec3(0.4, 0.6, 0.9));
    def.kind = kind;
    def.position = crm_vec3(x, 0.1 * x, 0.2);
    def.velocity = crm_vec3(0.3, -0.5, 0.2 * x);
    if (kind == CAROM_BODY_FREE) def.spin = crm_vec3(1.0, -0.7, 0.4 + 0.1 * x);
    return world_add(model, &def);
}

// ---- functions of several bodies

// A swirl of every two neighbours in the list about each other, with friction between them and a torque by both spins;
// and an attraction of the first two with a potential.
static int swirl(void *user, carom_system *system) {
    (void)user;
    for (int i = 0; i + 1 < carom_system_body_count(system); i++) {
        carom_force_sample a = carom_system_sample(system, i), b = carom_system_sample(system, i + 1);
        carom_vec3 between = crm_sub(b.position, a.position), way = crm_sub(b.velocity, a.velocity);
        carom_force_value on_a = {.force = crm_madd(crm_scale(0.3, crm_cross(a.spin, between)), 0.4, way)};
        carom_force_value on_b = {.force = crm_negate(on_a.force)};
        on_a.force = crm_madd(on_a.force, 0.2 * sin(2.0 * carom_system_time(system)), between);
        on_a.torque = crm_scale(0.2, crm_sub(b.spin, a.spin));
        carom_system_apply(system, i, &on_a);
        carom_system_apply(system, i + 1, &on_b);
    }
    carom_force_sample a = carom_system_sample(system, 0), b = carom_system_sample(system, 1);
    carom_vec3 between = crm_sub(b.position, a.position);
    carom_force_value pull = {.force = between, .conservative = true, .energy = 0.5 * crm_length_squared(between)};
    carom_system_apply(system, 0, &pull);
    pull = (carom_force_value){.force = crm_negate(between), .conservative = true};
    carom_system_apply(system, 1, &pull);
    return 0;
}

// A force on the line through both centres, with friction along it: P and L stay.
static int tug(void *user, carom_system *system) {
    (void)user;
    carom_force_sample a = carom_system_sample(system, 0), b = carom_system_sample(system, 1);
    carom_vec3 between = crm_sub(b.position, a.position);
    double pull = 1.0 + 0.5 * crm_dot(between, crm_sub(b.velocity, a.velocity));
    carom_force_value on_a = {.force = crm_scale(pull, between)}, on_b = {.force = crm_scale(-pull, between)};
    carom_system_apply(system, 0, &on_a);
    carom_system_apply(system, 1, &on_b);
    return 0;
}

static void add_function(carom_model *model, const carom_body *body, int count, carom_system_function *function) {
    carom_system_callback_def def = carom_system_callback_def_default();
    def.body = body;
    def.count = count;
    def.function = function;
    CHECK_INT(carom_model_add_system_callback(model, &def, NULL), CAROM_OK);
}

// ---- fields

static void add_fields(carom_model *model, carom_body body) {
    // Linear along each direction between the nodes of one cell that is never left.
    carom_vec3 force[8];
    for (int i = 0; i < 8; i++) force[i] = crm_vec3(0.3 * (i & 1), 0.2 - 0.4 * (i >> 1 & 1), 0.1 * (i >> 2));
    carom_grid_def grid = carom_grid_def_default();
    grid.body = body;
    grid.origin = crm_vec3(-40.0, -40.0, -40.0);
    grid.spacing = crm_vec3(80.0, 80.0, 80.0);
    grid.count[0] = grid.count[1] = grid.count[2] = 2;
    grid.force = force;
    CHECK_INT(carom_model_add_grid(model, &grid, NULL), CAROM_OK);
    carom_atmosphere_def air = carom_atmosphere_def_default();
    air.body = body;
    air.density = 0.5;
    air.scale_height = 4.0;
    air.drag_area = 0.6;
    air.rotation = crm_vec3(0.0, 0.1, 0.3);
    CHECK_INT(carom_model_add_atmosphere(model, &air, NULL), CAROM_OK);
    carom_sunlight_def light = carom_sunlight_def_default();
    light.body = body;
    light.pressure = 0.3;
    light.area = 0.5;
    CHECK_INT(carom_model_add_sunlight(model, &light, NULL), CAROM_OK);
}

// Hill's frame about all; bodies with fields by themselves and in groups; a function of four bodies, two of which a
// spring joins to each other and one to the world, and of a body that cannot move.
static carom_model *make(void) {
    carom_model_def def = carom_model_def_default();
    def.gravity = crm_vec3_zero();
    def.reference_frame = CAROM_FRAME_HILL;
    def.mean_motion = 0.4;
    carom_model *model = NULL;
    CHECK_INT(carom_model_create(&def, &model, NULL), CAROM_OK);
    add_fields(model, add_body(model, 0.0, CAROM_BODY_FREE));
    add_fields(model, add_body(model, 1.0, CAROM_BODY_POINT));
    carom_body list[5];
    for (int i = 0; i < 4; i++) list[i] = add_body(model, 2.0 + i, i == 2 ? CAROM_BODY_POINT : CAROM_BODY_FREE);
    carom_body_def still = world_body_def(1.0, crm_vec3(1.0, 1.0, 1.0));
    still.kind = CAROM_BODY_FIXED;
    still.position = crm_vec3(6.0, 1.0, 0.0);
    list[4] = world_add(model, &still);
    add_function(model, list, 5, swirl);
    add_fields(model, list[1]);
    carom_spring_def spring = carom_spring_def_default();
    spring.a = list[0], spring.b = list[2];
    spring.stiffness = 2.0, spring.damping = 0.3, spring.rest_length = 1.0;
    CHECK_INT(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
    return model;
}

// ---- order

static double error_of(const carom_method_def *def, double time, int steps, const carom_body_state *wanted) {
    carom_method_def method = *def;
    method.step = time / steps;
    carom_state *state = joints_state(make(), &method);
    for (int i = 0; i < steps; i++) {
        carom_step_report report = world_run(state, 1);
        CHECK(report.momentum_balance < 1e-13);
    }
    double worst = 0.0;
    for (int b = 0; b < BODIES; b++) {
        carom_body_state got = world_body(state, b);
        worst = fmax(worst, crm_distance(got.position, wanted[b].position));
        worst = fmax(worst, crm_quat_angle(got.attitude, wanted[b].attitude));
        worst = fmax(worst, crm_distance(got.velocity, wanted[b].velocity));
        worst = fmax(worst, crm_distance(got.spin, wanted[b].spin));
    }
    world_destroy(state);
    return worst;
}

TEST(fields_and_functions_of_several_bodies_have_order_2) {
    const double time = 1.5;
    carom_method_def best = joints_method_by(CAROM_METHOD_REDUCED, CAROM_INTEGRATOR_DP54, time, 1e-12);
    carom_state *state = joints_state(make(), &best);
    world_run(state, 1);
    carom_body_state wanted[BODIES];
    for (int b = 0; b < BODIES; b++) wanted[b] = world_body(state, b);
    world_destroy(state);
    for (int i = 0; i < METHODS; i++) {
        carom_method_def def = carom_method_def_default();
        def.method = methods[i];
        double e[3];
        for (int k = 0; k < 3; k++) e[k] = error_of(&def, time, 150 << k, wanted);
        for (int k = 0; k < 2; k++)
            if (!CHECK_NEAR(log2(e[k] / e[k + 1]), 2.0, 0.1))
                printf("%s: %g then %g\n", carom_method_name(def.method), e[k], e[k + 1]);
        CHECK(e[2] > 1e-9 && e[0] < 0.1);
    }
}

TEST(a_function_of_two_bodies_that_pulls_both_alike_keeps_the_momenta) {
    for (int i = 0; i < METHODS; i++) {
        carom_model *model = world_model(crm_vec3_zero(), 0.0);
        const carom_body both[2] = {add_body(model, 1.0, CAROM_BODY_FREE), add_body(model, 3.0, CAROM_BODY_FREE)};
        add_function(model, both, 2, tug);
        carom_state *state = world_state(model, methods[i], 0.01);
        carom_momentum before = carom_state_momentum(state);
        world_run(state, 200);
        carom_momentum after = carom_state_momentum(state);
        CHECK(crm_distance(before.linear, after.linear) < 1e-13 * crm_length(before.linear));
        CHECK(crm_distance(before.angular, after.angular) < 1e-13 * crm_length(before.angular));
        world_destroy(state);
    }
}

TEST_MAIN(CASE(fields_and_functions_of_several_bodies_have_order_2),
          CASE(a_function_of_two_bodies_that_pulls_both_alike_keeps_the_momenta))
