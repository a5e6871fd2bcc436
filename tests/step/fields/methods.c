// SPDX-License-Identifier: MIT
// All laws of pairs, fields, frames and functions of several bodies under every method that takes them: order of
// convergence against `reduced` with tight tolerances, momenta, and that what does not meet stays apart.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/force.h"
#include "math/quat.h"
#include "support/harness/check.h"
#include "support/model/world.h"

static const carom_method variational_methods[] = {CAROM_METHOD_VARIATIONAL, CAROM_METHOD_EXACT, CAROM_METHOD_DCR,
                                                   CAROM_METHOD_POTENTIAL};

// A spring with friction between the first two bodies of the list, each of which sees the other, and a torque by both
// spins.
static int bound_together(void *user, carom_system *system) {
    (void)user;
    carom_force_sample a = carom_system_sample(system, 0), b = carom_system_sample(system, 1);
    carom_vec3 apart = crm_sub(a.position, b.position), slip = crm_sub(a.velocity, b.velocity);
    carom_force_value value = {.force = crm_madd(crm_scale(-0.8, apart), -0.1, slip)};
    value.torque = crm_scale(-0.2, crm_sub(a.spin, b.spin));
    carom_system_apply(system, 0, &value);
    value.force = crm_negate(value.force);
    value.torque = crm_negate(value.torque);
    carom_system_apply(system, 1, &value);
    return 0;
}

static void must(carom_status status, const carom_error *error) {
    if (!CHECK(status == CAROM_OK)) fprintf(stderr, "%s\n", error->text);
}

static void add_bodies(carom_model *model) {
    for (int i = 0; i < 2; i++) {
        carom_body_def def = world_body_def(1.0 + i, crm_vec3(0.6, 0.8 + 0.1 * i, 1.1));
        def.position = crm_vec3(1.5 * i, 0.4 * i, -0.3 * i);
        def.velocity = crm_vec3(0.3 - 0.4 * i, 0.2, 0.1 * i);
        def.spin = crm_vec3(0.4, -0.3 + 0.2 * i, 0.5);
        world_add(model, &def);
    }
}

static void add_pairs(carom_model *model) {
    static const double distance[] = {0.0, 1.0, 2.0, 3.5, 6.0}, force[] = {0.8, 0.2, -0.5, -0.2, 0.0};
    carom_error error;
    carom_pair_def pair = carom_pair_def_default();
    pair.a.index = 0, pair.b.index = 1;
    pair.point_a = crm_vec3(0.2, 0.1, 0.0), pair.point_b = crm_vec3(0.0, -0.2, 0.1);
    pair.law = CAROM_PAIR_LAW_POWER;
    pair.repulsion = 0.5, pair.repulsion_exponent = 3.0, pair.attraction = 0.7, pair.attraction_exponent = 1.5;
    must(carom_model_add_pair(model, &pair, &error), &error);
    pair.law = CAROM_PAIR_LAW_TABLE;
    pair.point_b = crm_vec3(-0.1, 0.2, 0.3);
    pair.count = 5, pair.distance = distance, pair.force = force, pair.smooth = true;
    must(carom_model_add_pair(model, &pair, &error), &error);
}

static void add_fields(carom_model *model, carom_body body) {
    static const carom_vec3 force[] = {{0.1, 0, 0}, {0, 0.3, 0},  {0, 0, 0.1}, {-0.1, 0.2, 0},
                                       {0.2, 0, 0}, {0, -0.1, 0}, {0, 0.1, 0}, {0.1, 0, -0.2}};
    carom_error error;
    carom_central_def central = carom_central_def_default();
    central.body = body, central.centre = crm_vec3(-3.0, 1.0, 2.0);
    central.mu = 4.0, central.j2 = 0.1, central.radius = 1.0, central.extended = true;
    must(carom_model_add_central(model, &central, &error), &error);
    carom_atmosphere_def air = carom_atmosphere_def_default();
    air.body = body, air.centre = central.centre, air.rotation = crm_vec3(0.1, 0.0, 0.2);
    air.radius = 3.0, air.density = 0.4, air.scale_height = 2.0, air.drag_area = 0.5;
    must(carom_model_add_atmosphere(model, &air, &error), &error);
    carom_sunlight_def light = carom_sunlight_def_default();
    light.body = body, light.pressure = 0.2, light.area = 0.5;
    must(carom_model_add_sunlight(model, &light, &error), &error);
    carom_grid_def grid = carom_grid_def_default();
    grid.body = body, grid.force = force; // one cell, which nothing leaves
    grid.origin = crm_vec3(-10.0, -10.0, -10.0), grid.spacing = crm_vec3(20.0, 20.0, 20.0);
    grid.count[0] = grid.count[1] = grid.count[2] = 2;
    must(carom_model_add_grid(model, &grid, &error), &error);
}

typedef enum forces { ALL_FORCES, HILLS_FRAME } forces;

static carom_model *make_model(forces which) {
    carom_model_def def = carom_model_def_default();
    carom_model *model;
    carom_error error;
    def.gravity = crm_vec3_zero();
    def.reference_frame = which == HILLS_FRAME ? CAROM_FRAME_HILL : CAROM_FRAME_INERTIAL;
    def.mean_motion = which == HILLS_FRAME ? 0.7 : 0.0;
    must(carom_model_create(&def, &model, &error), &error);
    add_bodies(model);
    if (which == HILLS_FRAME) return model;
    add_pairs(model);
    for (int b = 0; b < 2; b++) add_fields(model, (carom_body){b});
    carom_system_callback_def callback = carom_system_callback_def_default();
    callback.function = bound_together;
    must(carom_model_add_system_callback(model, &callback, &error), &error);
    return model;
}

static carom_state *make_state(carom_model *model, carom_method method, double step, bool reference) {
    carom_method_def def = carom_method_def_default();
    carom_state *state = NULL;
    carom_error error;
    def.method = method;
    def.step = step;
    if (reference) def.integrator = CAROM_INTEGRATOR_DP54, def.relative_tolerance = 1e-12;
    must(carom_model_freeze(model, &error), &error);
    must(carom_state_create(model, &def, &state, &error), &error);
    return state;
}

static const double duration = 1.6;

typedef struct ends {
    carom_body_state body[2];
} ends;

static ends run(forces which, carom_method method, int steps, bool reference) {
    carom_state *state = make_state(make_model(which), method, duration / steps, reference);
    carom_step_report report = world_run(state, steps);
    CHECK(report.momentum_balance < 1e-11);
    ends out = {{world_body(state, 0), world_body(state, 1)}};
    world_destroy(state);
    return out;
}

static double difference(const ends *a, const ends *b) {
    double sum = 0.0;
    for (int i = 0; i < 2; i++) {
        const carom_body_state *s = &a->body[i], *t = &b->body[i];
        sum += crm_distance(s->position, t->position) + crm_distance(s->velocity, t->velocity) +
               crm_distance(s->spin, t->spin) +
               sqrt(2.0 * fmax(0.0, 1.0 - fabs(crm_quat_dot(s->attitude, t->attitude))));
    }
    return sum;
}

static void check_orders(forces which) {
    ends reference = run(which, CAROM_METHOD_REDUCED, 40, true);
    ends other = run(which, CAROM_METHOD_MULTIPLIER, 40, true);
    CHECK(difference(&reference, &other) < 1e-6); // the attitude's is the root of a rounding
    for (size_t m = 0; m < sizeof variational_methods / sizeof variational_methods[0]; m++) {
        carom_method method = variational_methods[m];
        ends coarse = run(which, method, 160, false), fine = run(which, method, 320, false);
        double off = difference(&coarse, &reference), less = difference(&fine, &reference);
        printf("%s: off by %.2e, %.2e, order %.3f\n", carom_method_name(method), off, less, log2(off / less));
        CHECK(off < 1e-3);
        CHECK_NEAR(log2(off / less), 2.0, 0.1);
    }
}

TEST(all_forces_together_have_order_two) {
    check_orders(ALL_FORCES);
}

TEST(hills_frame_has_order_two) {
    check_orders(HILLS_FRAME);
}

// ---- momenta

TEST(forces_and_their_opposites_keep_p_to_rounding) {
    const carom_method methods[] = {
        CAROM_METHOD_VARIATIONAL, CAROM_METHOD_EXACT,   CAROM_METHOD_DCR, CAROM_METHOD_POTENTIAL, CAROM_METHOD_EULER,
        CAROM_METHOD_MULTIPLIER,  CAROM_METHOD_REDUCED, CAROM_METHOD_LCP, CAROM_METHOD_IMPULSE,   CAROM_METHOD_PENALTY};
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        carom_model *model = world_model(crm_vec3_zero(), 0.0);
        carom_error error;
        add_bodies(model);
        add_pairs(model);
        carom_system_callback_def callback = carom_system_callback_def_default();
        callback.function = bound_together;
        must(carom_model_add_system_callback(model, &callback, &error), &error);
        carom_state *state = make_state(model, methods[m], 0.01, false);
        carom_momentum start = carom_state_momentum(state);
        double worst = 0.0;
        for (int i = 0; i < 100; i++) {
            carom_step_report report = world_run(state, 1);
            worst = fmax(worst, crm_distance(report.momentum.linear, start.linear));
            CHECK(report.momentum_balance < 1e-12);
        }
        CHECK(worst < 1e-13 * 3.0);
        // They are one island, and lose energy by the friction of the function alone.
        CHECK_INT(carom_state_island(state, (carom_body){1}), 0);
        world_destroy(state);
    }
}

// ---- apart

// Two pairs far from each other, each with a function of its own: what one does changes no bit of the other.
static carom_state *two_pairs(carom_method method, bool both) {
    static const carom_body lists[2][2] = {{{0}, {1}}, {{2}, {3}}};
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_error error;
    add_bodies(model);
    if (both) add_bodies(model);
    for (int k = 0; k < (both ? 2 : 1); k++) {
        carom_system_callback_def callback = carom_system_callback_def_default();
        callback.function = bound_together;
        callback.body = lists[k];
        callback.count = 2;
        must(carom_model_add_system_callback(model, &callback, &error), &error);
    }
    return make_state(model, method, 0.01, false);
}

TEST(functions_of_other_bodies_change_no_bit) {
    const carom_method methods[] = {CAROM_METHOD_VARIATIONAL, CAROM_METHOD_EXACT,  CAROM_METHOD_DCR,
                                    CAROM_METHOD_POTENTIAL,   CAROM_METHOD_EULER,  CAROM_METHOD_LCP,
                                    CAROM_METHOD_IMPULSE,     CAROM_METHOD_PENALTY};
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        carom_state *alone = two_pairs(methods[m], false), *beside = two_pairs(methods[m], true);
        for (int i = 0; i < 50; i++) {
            world_run(alone, 1);
            world_run(beside, 1);
            for (int b = 0; b < 2; b++) {
                carom_body_state s = world_body(alone, b), t = world_body(beside, b);
                CHECK(memcmp(&s, &t, sizeof s) == 0);
            }
        }
        CHECK_INT(carom_state_island(beside, (carom_body){3}), 2);
        world_destroy(alone);
        world_destroy(beside);
    }
}

TEST_MAIN(CASE(all_forces_together_have_order_two), CASE(hills_frame_has_order_two),
          CASE(forces_and_their_opposites_keep_p_to_rounding), CASE(functions_of_other_bodies_change_no_bit))
