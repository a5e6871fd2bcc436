// SPDX-License-Identifier: MIT
// The fixed steps of the method impulse: momenta, laws of restitution, rest, simultaneous impacts, saved states,
// misuse.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "math/quat.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"
#include "support/harness/sample.h"

static const double g = 9.81;
static const carom_vec3 down = {0.0, 0.0, -9.81}, origin = {0.0, 0.0, 0.0};

static carom_method_def by_law(carom_impact_law law, double step) {
    carom_method_def def = carom_method_def_default();
    def.method = CAROM_METHOD_IMPULSE;
    def.step = step;
    def.impulse.variant = CAROM_IMPULSE_FIXED;
    def.impulse.law = law;
    return def;
}

static carom_method_def together(carom_impact_law law, double step) {
    carom_method_def def = by_law(law, step);
    def.impulse.simultaneous = CAROM_SIMULTANEOUS_TOGETHER;
    return def;
}

// Every law, in sequence, and those that can be together.
enum { WAYS = 6 };
static carom_method_def way(int number, double step) {
    return number < 4 ? by_law((carom_impact_law)number, step)
                      : together(number == 4 ? CAROM_IMPACT_LAW_NEWTON : CAROM_IMPACT_LAW_POISSON, step);
}

static carom_model *heap_in(uint64_t seed, int bodies, carom_vec3 gravity, double friction, double restitution,
                            const carom_allocator *allocator) {
    sampler s = {.seed = seed};
    carom_model *model = NULL;
    carom_model_def def = carom_model_def_default();
    def.gravity = gravity;
    def.allocator = allocator;
    CHECK_INT(carom_model_create(&def, &model, NULL), CAROM_OK);
    carom_material material = touching_material(model, friction, restitution);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    carom_model_shape shapes[3] = {touching_box(model, 0.6, 0.5, 0.4), touching_sphere(model, 0.3),
                                   touching_ellipsoid(model, 0.4, 0.25, 0.2)};
    for (int i = 0; i < bodies; i++) {
        carom_vec3 x = {0.9 * (i % 3 - 1), 0.9 * (i / 3 % 3 - 1), 0.5 + 0.9 * (i / 9)};
        carom_body_def body = touching_def(model, shapes[i % 3], material, 1.0 + i % 4, x);
        body.attitude = sample_attitude(&s);
        body.velocity = sample_vec3(&s, 1.0);
        body.spin = sample_vec3(&s, 1.0);
        world_add(model, &body);
    }
    return model;
}

static carom_model *heap(uint64_t seed, int bodies, double friction, double restitution) {
    return heap_in(seed, bodies, down, friction, restitution, NULL);
}

// A step may miss its tolerance by sweeps alone; here that is no matter.
static carom_step_report step_once(carom_state *state) {
    carom_step_report report;
    carom_error error = {0};
    CHECK_INT(carom_step(carom_state_model(state), state, NULL, &report, &error), CAROM_OK);
    CHECK(report.outcome != CAROM_STEP_IMPOSSIBLE);
    return report;
}

// ---- momenta

TEST(the_impulses_of_the_table_are_the_change_of_momentum) {
    for (int k = 0; k < WAYS; k++) {
        carom_method_def method = way(k, 0.01);
        carom_state *state = touching_state(heap(1, 18, 0.5, 0.5), &method);
        double worst = 0.0, rebound = 0.0;
        for (int i = 0; i < 40; i++) {
            carom_vec3 before[19], impulse[19] = {{0}};
            for (int b = 0; b < 19; b++) before[b] = world_body(state, b).velocity;
            carom_step_report report = step_once(state);
            CHECK(report.momentum_balance < 1e-14);
            int count;
            const carom_contact_state *contact = carom_state_contacts(state, &count);
            for (int c = 0; c < count; c++) {
                carom_vec3 second = crm_cross(contact[c].normal, contact[c].tangent);
                carom_vec3 sum = crm_scale(contact[c].normal_impulse, contact[c].normal);
                sum = crm_madd(sum, contact[c].tangent_impulse[0], contact[c].tangent);
                sum = crm_madd(sum, contact[c].tangent_impulse[1], second);
                impulse[contact[c].a.index] = crm_sub(impulse[contact[c].a.index], sum);
                impulse[contact[c].b.index] = crm_add(impulse[contact[c].b.index], sum);
                rebound = fmax(rebound, contact[c].normal_velocity);
            }
            for (int b = 1; b < 19; b++) {
                carom_vec3 change = crm_sub(world_body(state, b).velocity, before[b]);
                carom_vec3 wanted = crm_scale(1.0 + (b - 1) % 4, crm_sub(change, crm_scale(0.01, down)));
                worst = fmax(worst, crm_length(crm_sub(impulse[b], wanted)));
            }
        }
        CHECK(worst < 1e-13);
        CHECK(rebound > 0.1); // some of it did bounce
        world_destroy(state);
    }
}

static carom_state *two_that_collide(const carom_method_def *method, double restitution) {
    carom_model *model = world_model(origin, 0.0);
    carom_material material = touching_material(model, 0.7, restitution);
    carom_body_def a = touching_def(model, touching_box(model, 1.0, 0.5, 0.3), material, 2.0, crm_vec3(-1.2, 0.1, 0.0));
    carom_body_def b = touching_def(model, touching_ellipsoid(model, 0.5, 0.3, 0.4), material, 1.0, origin);
    a.velocity = crm_vec3(2.0, 0.3, 0.0);
    a.spin = crm_vec3(0.5, 1.0, -2.0);
    b.spin = crm_vec3(3.0, 0.0, 1.0);
    world_add(model, &a);
    world_add(model, &b);
    return touching_state(model, method);
}

// Of free bodies the energy is exact between impacts; Stronge's and the algebraic law never add to it.
TEST(a_collision_without_gravity_keeps_both_momenta_and_gains_no_energy) {
    for (int k = 0; k < WAYS; k++) {
        carom_method_def method = way(k, 1e-3);
        carom_state *state = two_that_collide(&method, 0.6);
        carom_momentum before = carom_state_momentum(state);
        double energy = world_energy(state), first = energy;
        for (int i = 0; i < 500; i++) {
            carom_step_report report = world_run(state, 1);
            CHECK(report.momentum_balance < 1e-14);
            if (k == CAROM_IMPACT_LAW_STRONGE || k == CAROM_IMPACT_LAW_ALGEBRAIC)
                CHECK(report.energy.kinetic <= energy + 1e-7 * first);
            energy = report.energy.kinetic;
        }
        CHECK(energy < 0.95 * first);
        carom_momentum after = carom_state_momentum(state);
        CHECK(crm_length(crm_sub(after.linear, before.linear)) < 1e-13);
        CHECK(crm_length(crm_sub(after.angular, before.angular)) < 1e-13);
        world_destroy(state);
    }
}

TEST(what_is_hit_passes_through_nothing_beyond_its_margin) {
    for (int k = 0; k < WAYS; k++) {
        carom_model *model = world_model(origin, 0.0);
        carom_material material = touching_material(model, 0.3, 1.0);
        carom_model_shape ball = touching_sphere(model, 0.5);
        for (int i = 0; i < 4; i++) {
            carom_body_def def = touching_def(model, ball, material, 1.0, crm_vec3(1.02 * i, 0.0, 0.0));
            if (i == 0) def.velocity.x = 50.0;
            world_add(model, &def);
        }
        carom_method_def method = way(k, 0.01);
        carom_state *state = touching_state(model, &method);
        for (int i = 0; i < 20; i++) CHECK(world_run(state, 1).infeasibility < 1e-6);
        CHECK_NEAR(carom_state_momentum(state).linear.x, 50.0, 1e-10);
        CHECK(world_energy(state) <= 1250.0 * (1.0 + 1e-9));
        world_destroy(state);
    }
}

// ---- restitution

// A ball falls 1 m: its next heights are 1 m times e^2, e^4, but for the step.
static void bounce(const carom_method_def *method, double e) {
    double step = method->step, fall = sqrt(2.0 / g);
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 0.2, e);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    touching_add(model, touching_sphere(model, 0.1), material, 1.0, crm_vec3(0.0, 0.0, 1.1));
    carom_state *state = touching_state(model, method);
    world_run(state, (int)lround((1.0 + e) * fall / step));
    CHECK_NEAR(world_body(state, 1).position.z - 0.1, e * e, 20.0 * step);
    world_run(state, (int)lround((e + e * e) * fall / step));
    CHECK_NEAR(world_body(state, 1).position.z - 0.1, e * e * e * e, 20.0 * step);
    world_destroy(state);
}

TEST(a_ball_bounces_to_the_right_heights) {
    for (int k = 0; k < WAYS; k++) {
        const double coefficients[] = {0.8, 0.5, 1.0};
        for (int i = 0; i < 3; i++) {
            carom_method_def method = way(k, i == 0 ? 1e-3 : 2.5e-4);
            bounce(&method, coefficients[i]);
        }
    }
}

// One step of a ball above a floor: its velocity after.
static double one_step(const carom_method_def *method, double gap, double velocity) {
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 0.0, 0.5);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    carom_body_def def = touching_def(model, touching_sphere(model, 0.5), material, 1.0, crm_vec3(0.0, 0.0, 0.5 + gap));
    def.velocity.z = velocity;
    world_add(model, &def);
    carom_state *state = touching_state(model, method);
    world_run(state, 1);
    double after = world_body(state, 1).velocity.z;
    world_destroy(state);
    return after;
}

// Gravity leads to the floor within the step; the impact is that of the velocity before it, with the restitution that
// leads from the gap to the right height: e^2 (v^2 + 2 g gap) = w^2 + 2 g gap.
TEST(an_impact_comes_before_forces_and_is_seen_with_them) {
    for (int k = 0; k < WAYS; k++) {
        carom_method_def method = way(k, 0.01);
        double gap = 0.02 + 0.5 * g * 1e-4;
        CHECK_NEAR(one_step(&method, gap, -2.0), sqrt(0.25 * 4.0 - 0.75 * 2.0 * g * gap) - 0.01 * g, 1e-5);
        CHECK_NEAR(one_step(&method, 0.02 + 1.5 * g * 1e-4, -2.0), -2.0 - 0.01 * g, 1e-12);
        // What approaches by less than gravity adds in a step, or than is asked for, rests.
        CHECK_NEAR(one_step(&method, 0.0, -0.5 * 0.01 * g), 0.0, 1e-5);
        method.impulse.rest_speed = 3.0;
        CHECK_NEAR(one_step(&method, 0.0, -2.0), 0.0, 1e-5);
    }
}

// The laws agree where there is no friction: the same impact by all of them.
TEST(without_friction_all_laws_are_one) {
    carom_vec3 velocity[4];
    for (int law = 0; law < 4; law++) {
        carom_method_def method = by_law((carom_impact_law)law, 1e-3);
        carom_model *model = world_model(origin, 0.0);
        carom_material material = touching_material(model, 0.0, 0.6);
        touching_add(model, touching_floor(model), material, 0.0, origin);
        carom_body_def def =
            touching_def(model, touching_ellipsoid(model, 0.5, 0.3, 0.2), material, 1.0, crm_vec3(0.0, 0.0, 0.6));
        def.attitude = crm_quat_from_axis_angle(crm_vec3(1.0, 0.0, 0.0), 0.7);
        def.velocity = crm_vec3(1.0, 0.0, -2.0);
        def.spin = crm_vec3(0.0, 2.0, 0.0);
        world_add(model, &def);
        carom_state *state = touching_state(model, &method);
        world_run(state, 300);
        velocity[law] = world_body(state, 1).velocity;
        CHECK(velocity[law].z > 0.0);
        CHECK(crm_distance(velocity[law], velocity[0]) < 1e-12);
        world_destroy(state);
    }
}

// ---- rest

TEST(what_rests_with_restitution_rests) {
    for (int k = 0; k < WAYS; k++) {
        carom_model *model = world_model(down, 0.0);
        carom_material material = touching_material(model, 0.5, 0.9);
        touching_add(model, touching_floor(model), material, 0.0, origin);
        carom_model_shape cube = touching_box(model, 1.0, 1.0, 1.0);
        for (int i = 0; i < 5; i++) touching_add(model, cube, material, 1.0, crm_vec3(0.0, 0.0, 0.5 + i));
        carom_method_def method = way(k, 0.01);
        method.impulse.tolerance = 1e-8;
        carom_state *state = touching_state(model, &method);
        world_run(state, 300);
        for (int b = 1; b <= 5; b++) {
            CHECK_NEAR(world_body(state, b).position.z, b - 0.5, 1e-6);
            CHECK(crm_length(world_body(state, b).velocity) < 1e-6);
        }
        world_destroy(state);
    }
}

TEST(a_box_that_is_dropped_comes_to_rest) {
    for (int k = 0; k < WAYS; k++) {
        carom_model *model = world_model(down, 0.0);
        carom_material material = touching_material(model, 0.6, 0.4);
        touching_add(model, touching_floor(model), material, 0.0, origin);
        carom_body_def def =
            touching_def(model, touching_box(model, 0.4, 0.3, 0.2), material, 1.0, crm_vec3(0.0, 0.0, 0.6));
        def.attitude = crm_quat_from_axis_angle(crm_vec3(0.6, 0.8, 0.0), 0.5);
        def.velocity = crm_vec3(0.5, 0.0, 0.0);
        world_add(model, &def);
        carom_method_def method = way(k, 0.002);
        carom_state *state = touching_state(model, &method);
        double least = world_energy(state);
        for (int i = 0; i < 1500; i++) {
            carom_step_report report = step_once(state);
            double energy = report.energy.kinetic + report.energy.potential;
            // Overlaps of second order that are undone lift the box by as much.
            if (k >= CAROM_IMPACT_LAW_STRONGE && k < 4) CHECK(energy <= least + 2e-3);
            least = fmin(least, energy);
            CHECK(report.friction_work <= 1e-12);
        }
        CHECK(crm_length(world_body(state, 1).velocity) < 1e-5);
        CHECK(crm_length(world_body(state, 1).spin) < 1e-5);
        CHECK_NEAR(world_body(state, 1).position.z, 0.1, 1e-5);
        world_destroy(state);
    }
}

// A block thrown along a floor stops after v^2 / (2 mu g): how far it got has an error of order 1.
TEST(a_block_that_slides_stops_where_it_should) {
    double error[3];
    for (int i = 0; i < 3; i++) {
        carom_model *model = world_model(down, 0.0);
        carom_material material = touching_material(model, 0.4, 0.3);
        touching_add(model, touching_floor(model), material, 0.0, origin);
        carom_body_def def =
            touching_def(model, touching_box(model, 1.0, 1.0, 0.2), material, 2.0, crm_vec3(0.0, 0.0, 0.1));
        def.velocity = crm_vec3(3.0, 0.0, 0.0);
        world_add(model, &def);
        carom_method_def method = by_law(CAROM_IMPACT_LAW_STRONGE, 0.01 / (1 << i));
        method.impulse.tolerance = 1e-10;
        carom_state *state = touching_state(model, &method);
        world_run(state, 100 << i);
        error[i] = world_body(state, 1).position.x - 9.0 / (2.0 * 0.4 * g);
        CHECK(crm_length(world_body(state, 1).velocity) < 1e-8);
        world_destroy(state);
    }
    CHECK(fabs(error[0]) < 0.02);
    for (int i = 0; i < 2; i++) CHECK_NEAR(error[i] / error[i + 1], 2.0, 0.2);
}

// What has no restitution is the same problem as in lcp.
TEST(a_heap_without_restitution_moves_as_in_lcp) {
    carom_method_def method = together(CAROM_IMPACT_LAW_NEWTON, 0.01), other = touching_method(0.01, 1e-10);
    method.impulse.tolerance = 1e-10;
    carom_state *state = touching_state(heap(7, 9, 0.5, 0.0), &method),
                *lcp = touching_state(heap(7, 9, 0.5, 0.0), &other);
    world_run(state, 30);
    world_run(lcp, 30);
    for (int b = 1; b <= 9; b++) CHECK(crm_distance(world_body(state, b).position, world_body(lcp, b).position) < 1e-6);
    world_destroy(state);
    world_destroy(lcp);
}

// ---- several at once

// Balls in a row that touch, one of which comes with speed 1 from either end.
static void cradle(const carom_method_def *method, bool from_right, double velocity[5]) {
    carom_model *model = world_model(origin, 0.0);
    carom_material material = touching_material(model, 0.0, 1.0);
    carom_model_shape ball = touching_sphere(model, 0.5);
    for (int i = 0; i < 5; i++) {
        bool moves = i == (from_right ? 4 : 0);
        double x = moves ? (from_right ? 4.25 : -0.25) : i;
        carom_body_def def = touching_def(model, ball, material, 1.0, crm_vec3(x, 0.0, 0.0));
        if (moves) def.velocity.x = from_right ? -1.0 : 1.0;
        world_add(model, &def);
    }
    carom_state *state = touching_state(model, method);
    world_run(state, 60);
    for (int i = 0; i < 5; i++) velocity[i] = world_body(state, i).velocity.x;
    CHECK_NEAR(carom_state_momentum(state).linear.x, from_right ? -1.0 : 1.0, 1e-12);
    CHECK(world_energy(state) <= 0.5 + 1e-9);
    world_destroy(state);
}

TEST(a_cradle_passes_the_impact_on_in_sequence_only) {
    for (int from_right = 0; from_right < 2; from_right++) {
        double velocity[5];
        for (int law = 0; law < 4; law++) {
            carom_method_def method = by_law((carom_impact_law)law, 0.01);
            cradle(&method, from_right, velocity);
            for (int i = 0; i < 5; i++) {
                double wanted = i == (from_right ? 0 : 4) ? (from_right ? -1.0 : 1.0) : 0.0;
                CHECK_NEAR(velocity[i], wanted, 1e-12);
            }
        }
        // As one problem: the ball that comes bounces back, as if the others were one.
        carom_method_def method = together(CAROM_IMPACT_LAW_NEWTON, 0.01);
        cradle(&method, from_right, velocity);
        double side = from_right ? -1.0 : 1.0;
        CHECK_NEAR(side * velocity[from_right ? 4 : 0], -0.6, 1e-5);
        for (int i = 0; i < 5; i++) {
            if (i != (from_right ? 4 : 0)) CHECK_NEAR(side * velocity[i], 0.4, 1e-5);
        }
    }
}

TEST(forty_nine_balls_bounce) {
    for (int k = 0; k < WAYS; k += 2) {
        sampler s = {.seed = 49};
        carom_model *model = world_model(down, 0.0);
        carom_material material = touching_material(model, 0.3, 0.7);
        touching_add(model, touching_floor(model), material, 0.0, origin);
        carom_model_shape ball = touching_sphere(model, 0.2);
        for (int i = 0; i < 49; i++) {
            carom_vec3 x = {0.35 * (i % 7) + 0.1 * (i / 7 % 2), 0.35 * (i / 7), 0.5 + sample_between(&s, 0.0, 1.0)};
            if (i % 2) x.z += 1.5;
            carom_body_def def = touching_def(model, ball, material, 1.0, x);
            def.velocity = sample_vec3(&s, 0.3);
            world_add(model, &def);
        }
        carom_method_def method = way(k, 0.005);
        carom_state *state = touching_state(model, &method);
        double energy = world_energy(state);
        int broken = 0;
        for (int i = 0; i < 300; i++) {
            carom_step_report report = step_once(state);
            CHECK(report.infeasibility < 1e-3);
            CHECK(report.momentum_balance < 1e-13);
            double now = report.energy.kinetic + report.energy.potential;
            CHECK(now <= energy * (1.0 + 1e-6));
            energy = now;
            broken += report.outcome != CAROM_STEP_GOOD;
        }
        CHECK_INT(broken, 0);
        world_destroy(state);
    }
}

// ---- bits

static void same_runs(carom_state *a, carom_state *b, int steps) {
    for (int i = 0; i < steps; i++) {
        step_once(a);
        step_once(b);
        if (!CHECK(carom_state_hash(a) == carom_state_hash(b))) return;
    }
}

TEST(saved_and_copied_states_go_on_with_the_same_bits) {
    carom_error error = {0};
    carom_model *model = heap(2, 18, 0.6, 0.5);
    carom_method_def method = by_law(CAROM_IMPACT_LAW_STRONGE, 0.01);
    carom_state *state = touching_state(model, &method), *other = touching_state(model, &method);
    for (int i = 0; i < 40; i++) step_once(state);
    size_t size = carom_state_size(state);
    unsigned char *bytes = malloc(size);
    carom_state_save(state, bytes);
    CHECK_INT(carom_state_load(other, bytes, size, &error), CAROM_OK);
    same_runs(state, other, 20);
    step_once(state);
    CHECK_INT(carom_state_copy(state, other, &error), CAROM_OK);
    same_runs(state, other, 20);
    method.impulse.law = CAROM_IMPACT_LAW_NEWTON;
    carom_state *third = touching_state(model, &method);
    CHECK_INT(carom_state_load(third, bytes, size, &error), CAROM_ERR_BAD_INPUT);
    carom_state_destroy(third);
    carom_state_destroy(other);
    world_destroy(state);
    free(bytes);
}

TEST(threads_change_no_bit) {
    for (int k = CAROM_IMPACT_LAW_STRONGE; k < WAYS; k += 2) {
        carom_model *model = heap(4, 27, 0.5, 0.4);
        carom_method_def method = way(k, 0.01);
        carom_state *one = touching_state(model, &method);
        method.threads = 2;
        carom_state *two = touching_state(model, &method);
        same_runs(one, two, 50);
        carom_state_destroy(two);
        world_destroy(one);
    }
}

TEST(steps_allocate_nothing_once_warm) {
    for (int k = CAROM_IMPACT_LAW_STRONGE; k < WAYS; k += 2) {
        probe_allocator probe = {0};
        carom_allocator allocator = probe_allocator_hook(&probe);
        carom_error error = {0};
        carom_model *model = heap_in(5, 12, down, 0.5, 0.4, &allocator);
        carom_method_def method = way(k, 0.01);
        carom_state *state = touching_state(model, &method), *again = touching_state(model, &method);
        CHECK_INT(carom_state_copy(state, again, &error), CAROM_OK);
        // The same motion, and again from where it was copied; then once more, with memory that has seen both.
        for (int run = 0; run < 2; run++) {
            for (int i = 0; i < 100; i++) step_once(state);
            CHECK_INT(carom_state_copy(again, state, &error), CAROM_OK);
        }
        long long before = probe.calls;
        for (int i = 0; i < 100; i++) step_once(state);
        CHECK_INT(probe.calls - before, 0);
        carom_state_destroy(again);
        world_destroy(state);
    }
}

// Memory that is refused at any time, when the state is made or in a step, is a sentence and no leak.
TEST(every_refused_allocation_is_said) {
    carom_method_def method = together(CAROM_IMPACT_LAW_POISSON, 0.01);
    probe_allocator probe = {0};
    carom_allocator allocator = probe_allocator_hook(&probe);
    carom_error error = {0};
    carom_model *model = heap_in(5, 6, down, 0.5, 0.4, &allocator);
    CHECK_INT(carom_model_freeze(model, &error), CAROM_OK);
    long long blocks = probe.live_blocks;
    bool refused = true;
    for (int n = 1; refused && n < 2000; n++) {
        carom_state *state = NULL;
        probe.refused_call = probe.calls + n;
        carom_status status = carom_state_create(model, &method, &state, &error);
        carom_step_report report = {.outcome = CAROM_STEP_GOOD};
        for (int i = 0; status == CAROM_OK && i < 30 && report.outcome != CAROM_STEP_IMPOSSIBLE; i++)
            CHECK_INT(carom_step(model, state, NULL, &report, &error), CAROM_OK);
        refused = probe.calls >= probe.refused_call;
        probe.refused_call = 0;
        if (refused && status == CAROM_OK) CHECK_CONTAINS(report.text, "memory");
        if (refused && status != CAROM_OK) CHECK_INT(status, CAROM_ERR_NO_MEMORY);
        carom_state_destroy(state);
        CHECK_INT(probe.live_blocks, blocks);
    }
    CHECK(!refused);
    carom_model_destroy(model);
}

TEST(the_problem_of_what_rests_can_be_written) {
    carom_error error = {0};
    char path[] = "/tmp/carom_step_XXXXXX";
    int file = mkstemp(path);
    if (!CHECK(file >= 0)) return;
    close(file);
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 0.5, 0.0);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    carom_model_shape cube = touching_box(model, 1.0, 1.0, 1.0);
    for (int i = 0; i < 3; i++) touching_add(model, cube, material, 1.0 + i, crm_vec3(0.1 * i, 0.0, 0.5 + 1.02 * i));
    carom_method_def method = together(CAROM_IMPACT_LAW_NEWTON, 0.01);
    carom_state *state = touching_state(model, &method);
    CHECK_INT(carom_state_write_problem(state, path, &error), CAROM_ERR_BAD_INPUT);
    world_run(state, 20);
    carom_stored_problem *stored = NULL;
    CHECK_INT(carom_state_write_problem(state, path, &error), CAROM_OK);
    if (CHECK_INT(carom_problem_read(path, NULL, &stored, &error), CAROM_OK)) {
        int count;
        carom_state_contacts(state, &count);
        CHECK(count > 0);
        CHECK_INT(stored->problem.group_count, count);
    }
    carom_stored_problem_destroy(stored);
    unlink(path);
    world_destroy(state);
}

// ---- misuse

TEST(settings_out_of_range_are_refused) {
    carom_error error = {0};
    carom_state *state = NULL;
    carom_model *model = world_model(down, 0.0);
    CHECK_INT(carom_model_freeze(model, &error), CAROM_OK);
    carom_method_def good = by_law(CAROM_IMPACT_LAW_STRONGE, 0.01), bad;
    const struct {
        size_t field;
        double value;
        const char *text;
    } numbers[] = {{offsetof(carom_impulse_def, tolerance), 0.0, "tolerance"},
                   {offsetof(carom_impulse_def, tolerance), NAN, "tolerance"},
                   {offsetof(carom_impulse_def, joint_tolerance), 1.0, "joint_tolerance"},
                   {offsetof(carom_impulse_def, tangential_restitution), 1.5, "tangential"},
                   {offsetof(carom_impulse_def, rest_speed), -1.0, "rest_speed"},
                   {offsetof(carom_impulse_def, rest_speed), INFINITY, "rest_speed"},
                   {offsetof(carom_impulse_def, push_out), 0.0, "push_out"}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        bad = good;
        memcpy((char *)&bad.impulse + numbers[i].field, &numbers[i].value, sizeof(double));
        CHECK_INT(carom_state_create(model, &bad, &state, &error), CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, numbers[i].text);
    }
    const struct {
        size_t field;
        int value;
        const char *text;
    } choices[] = {{offsetof(carom_impulse_def, variant), CAROM_IMPULSE_VARIANT_COUNT, "variant"},
                   {offsetof(carom_impulse_def, law), -1, "law"},
                   {offsetof(carom_impulse_def, simultaneous), 2, "simultaneous"},
                   {offsetof(carom_impulse_def, iterations), 0, "iterations"},
                   {offsetof(carom_impulse_def, event_limit), 0, "event_limit"},
                   {offsetof(carom_impulse_def, simultaneous), CAROM_SIMULTANEOUS_TOGETHER, "newton or poisson"}};
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        bad = good;
        memcpy((char *)&bad.impulse + choices[i].field, &choices[i].value, sizeof(int));
        CHECK_INT(carom_state_create(model, &bad, &state, &error), CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, choices[i].text);
    }
    carom_model_destroy(model);
}

TEST(a_mobility_is_refused_with_the_name_of_lcp) {
    carom_error error = {0};
    carom_state *state = NULL;
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 0.5, 0.0);
    touching_add(model, touching_sphere(model, 0.5), material, 1.0, origin);
    carom_mobility_def mobility = carom_mobility_def_default();
    mobility.kind = CAROM_MOBILITY_STOKES;
    CHECK_INT(carom_model_set_mobility(model, &mobility, &error), CAROM_OK);
    CHECK_INT(carom_model_freeze(model, &error), CAROM_OK);
    carom_method_def method = by_law(CAROM_IMPACT_LAW_STRONGE, 0.01);
    CHECK_INT(carom_state_create(model, &method, &state, &error), CAROM_ERR_UNSUPPORTED);
    CHECK_CONTAINS(error.text, "lcp");
    carom_model_destroy(model);
}

// A stack needs many sweeps from nothing; one sweep makes a step that says how far it is from its tolerance.
TEST(a_limit_of_iterations_is_kept_and_what_it_costs_is_said) {
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 0.5, 0.0);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    carom_model_shape cube = touching_box(model, 1.0, 1.0, 1.0);
    for (int i = 0; i < 5; i++) touching_add(model, cube, material, 1.0, crm_vec3(0.0, 0.0, i + 0.5));
    carom_method_def method = by_law(CAROM_IMPACT_LAW_STRONGE, 0.01);
    method.impulse.iterations = 1;
    carom_state *state = touching_state(model, &method);
    carom_step_report report = step_once(state);
    CHECK_INT(report.iterations, 1);
    CHECK_INT(report.outcome, CAROM_STEP_MISSED);
    CHECK_CONTAINS(report.text, "solved to");
    CHECK(report.residual > 1e-6);
    world_destroy(state);
}

TEST_MAIN(CASE(the_impulses_of_the_table_are_the_change_of_momentum),
          CASE(a_collision_without_gravity_keeps_both_momenta_and_gains_no_energy),
          CASE(what_is_hit_passes_through_nothing_beyond_its_margin), CASE(a_ball_bounces_to_the_right_heights),
          CASE(an_impact_comes_before_forces_and_is_seen_with_them), CASE(without_friction_all_laws_are_one),
          CASE(what_rests_with_restitution_rests), CASE(a_box_that_is_dropped_comes_to_rest),
          CASE(a_block_that_slides_stops_where_it_should), CASE(a_heap_without_restitution_moves_as_in_lcp),
          CASE(a_cradle_passes_the_impact_on_in_sequence_only), CASE(forty_nine_balls_bounce),
          CASE(saved_and_copied_states_go_on_with_the_same_bits), CASE(threads_change_no_bit),
          CASE(steps_allocate_nothing_once_warm), CASE(every_refused_allocation_is_said),
          CASE(the_problem_of_what_rests_can_be_written), CASE(settings_out_of_range_are_refused),
          CASE(a_mobility_is_refused_with_the_name_of_lcp),
          CASE(a_limit_of_iterations_is_kept_and_what_it_costs_is_said))
