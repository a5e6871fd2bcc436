// SPDX-License-Identifier: MIT
// The method lcp: momenta, restitution, saved states, threads, sizes, what has no solution, bodies in fluids.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/model/joints.h"

static const double g = 9.81, pi = 3.14159265358979323846;
static const carom_vec3 down = {0.0, 0.0, -9.81}, origin = {0.0, 0.0, 0.0};

// Boxes, spheres and ellipsoids in a heap above a floor, thrown at each other. `size` scales all lengths, times stay.
static carom_model *heap(uint64_t seed, int bodies, double size, double friction, double restitution) {
    sampler s = {.seed = seed};
    carom_model *model = world_model(crm_scale(size, down), 0.0);
    carom_material material = touching_material(model, friction, restitution);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    carom_model_shape shapes[3] = {touching_box(model, 0.6 * size, 0.5 * size, 0.4 * size),
                                   touching_sphere(model, 0.3 * size),
                                   touching_ellipsoid(model, 0.4 * size, 0.25 * size, 0.2 * size)};
    for (int i = 0; i < bodies; i++) {
        carom_vec3 x = {0.9 * (i % 3 - 1), 0.9 * (i / 3 % 3 - 1), 0.5 + 0.9 * (i / 9)};
        carom_body_def def = touching_def(model, shapes[i % 3], material, 1.0 + i % 4, crm_scale(size, x));
        def.attitude = sample_attitude(&s);
        def.velocity = crm_scale(size, sample_vec3(&s, 1.0));
        def.spin = sample_vec3(&s, 1.0);
        world_add(model, &def);
    }
    return model;
}

// ---- momenta

TEST(the_impulses_of_the_table_are_the_change_of_momentum) {
    carom_method_def method = touching_method(0.01, 1e-8);
    carom_state *state = touching_state(heap(1, 18, 1.0, 0.5, 0.0), &method);
    double worst = 0.0;
    for (int i = 0; i < 60; i++) {
        carom_body_state before[19], after[19];
        for (int b = 0; b < 19; b++) before[b] = world_body(state, b);
        world_run(state, 1);
        carom_vec3 impulse[19] = {{0}};
        int count;
        const carom_contact_state *contact = carom_state_contacts(state, &count);
        for (int c = 0; c < count; c++) {
            carom_vec3 second = crm_cross(contact[c].normal, contact[c].tangent);
            carom_vec3 sum = crm_scale(contact[c].normal_impulse, contact[c].normal);
            sum = crm_madd(sum, contact[c].tangent_impulse[0], contact[c].tangent);
            sum = crm_madd(sum, contact[c].tangent_impulse[1], second);
            impulse[contact[c].a.index] = crm_sub(impulse[contact[c].a.index], sum);
            impulse[contact[c].b.index] = crm_add(impulse[contact[c].b.index], sum);
        }
        for (int b = 1; b < 19; b++) {
            after[b] = world_body(state, b);
            double mass = 1.0 + (b - 1) % 4;
            carom_vec3 wanted =
                crm_scale(mass, crm_sub(crm_sub(after[b].velocity, before[b].velocity), crm_scale(0.01, down)));
            worst = fmax(worst, crm_length(crm_sub(impulse[b], wanted)));
        }
    }
    CHECK(worst < 1e-13);
    world_destroy(state);
}

TEST(a_collision_without_gravity_keeps_both_momenta) {
    carom_model *model = world_model(origin, 0.0);
    carom_material material = touching_material(model, 0.7, 0.3);
    carom_body_def a = touching_def(model, touching_box(model, 1.0, 0.5, 0.3), material, 2.0, crm_vec3(-0.9, 0.1, 0.0));
    carom_body_def b = touching_def(model, touching_ellipsoid(model, 0.5, 0.3, 0.4), material, 1.0, origin);
    a.velocity = crm_vec3(2.0, 0.3, 0.0);
    a.spin = crm_vec3(0.5, 1.0, -2.0);
    b.spin = crm_vec3(3.0, 0.0, 1.0);
    world_add(model, &a);
    world_add(model, &b);
    carom_method_def method = touching_method(1e-3, 1e-8);
    carom_state *state = touching_state(model, &method);
    carom_momentum before = carom_state_momentum(state);
    bool touched = false;
    for (int i = 0; i < 500; i++) {
        carom_step_report report = world_run(state, 1);
        int count;
        const carom_contact_state *contact = carom_state_contacts(state, &count);
        for (int c = 0; c < count; c++) touched |= contact[c].normal_impulse > 0.0;
        CHECK(report.momentum_balance < 1e-14);
    }
    carom_momentum after = carom_state_momentum(state);
    CHECK(touched);
    CHECK(crm_length(crm_sub(after.linear, before.linear)) < 1e-13);
    CHECK(crm_length(crm_sub(after.angular, before.angular)) < 1e-13);
    world_destroy(state);
}

// A ball that is hit gets farther in the step than it could by itself, up to the next one, and that one too.
// Contacts do no work from outside: of an elastic impact nothing is left in the balance, of a plastic one what it
// takes.
TEST(the_energy_balance_of_an_impact_is_what_it_takes) {
    for (int elastic = 0; elastic < 2; elastic++) {
        carom_model *model = world_model(origin, 0.0);
        carom_material material = touching_material(model, 0.0, elastic);
        carom_model_shape box = touching_box(model, 0.4, 0.4, 0.4);
        carom_body_def def = touching_def(model, box, material, 2.0, origin);
        def.velocity = crm_vec3(1.0, 0.0, 0.0);
        world_add(model, &def);
        touching_add(model, box, material, 2.0, crm_vec3(0.5, 0.0, 0.0));
        carom_method_def method = touching_method(0.01, 1e-8);
        carom_state *state = touching_state(model, &method);
        double sum = 0.0;
        for (int i = 0; i < 30; i++) sum += world_run(state, 1).energy_balance;
        CHECK_NEAR(sum, elastic ? 0.0 : -0.5, 1e-9); // of 1 J
        world_destroy(state);
    }
}

// The work of a velocity motor is counted, to the first order in the step.
TEST(the_work_of_a_motor_is_in_the_energy_balance) {
    carom_model *model = world_model(origin, 0.0);
    carom_body_def bar = joints_bar(crm_vec3(0.5, 0.0, 0.0));
    carom_body body = world_add(model, &bar);
    carom_joint_def def = joints_def(model, CAROM_JOINT_HINGE, CAROM_WORLD, body, origin, crm_vec3(0.0, 1.0, 0.0));
    def.coordinate[0].motor.kind = CAROM_MOTOR_VELOCITY;
    def.coordinate[0].motor.target_rate = 2.0;
    def.coordinate[0].motor.max_force = 1.0;
    joints_add(model, &def);
    carom_method_def method = touching_method(0.005, 1e-8);
    carom_state *state = joints_state(model, &method);
    double sum = 0.0;
    for (int i = 0; i < 400; i++) sum += world_run(state, 1).energy_balance;
    CHECK(world_energy(state) > 1.2);
    CHECK_NEAR(sum, 0.0, 0.02);
    world_destroy(state);
}

TEST(what_is_hit_passes_through_nothing_beyond_its_margin) {
    for (int e = 0; e < 2; e++) {
        carom_model *model = world_model(origin, 0.0);
        carom_material material = touching_material(model, 0.3, (double)e);
        carom_model_shape ball = touching_sphere(model, 0.5);
        for (int i = 0; i < 4; i++) {
            carom_body_def def = touching_def(model, ball, material, 1.0, crm_vec3(1.02 * i, 0.0, 0.0));
            if (i == 0) def.velocity.x = 50.0;
            world_add(model, &def);
        }
        carom_method_def method = touching_method(0.01, 1e-8);
        carom_state *state = touching_state(model, &method);
        for (int i = 0; i < 20; i++) CHECK(world_run(state, 1).infeasibility < 1e-8);
        if (e == 0) CHECK_NEAR(world_body(state, 3).velocity.x, 12.5, 1e-6);
        CHECK_NEAR(carom_state_momentum(state).linear.x, 50.0, 1e-10);
        CHECK(world_energy(state) <= 1250.0 * (1.0 + 1e-12));
        world_destroy(state);
    }
}

// A ball that is hit gets faster than was thought; a further one stands within what it may reach now, but is not
// reached: the step is the one without it.
TEST(what_is_listed_late_and_not_reached_changes_nothing) {
    carom_body_state hit[2];
    for (int further = 0; further < 2; further++) {
        carom_model *model = world_model(origin, 0.0);
        carom_material material = touching_material(model, 0.3, 0.0);
        carom_model_shape ball = touching_sphere(model, 0.5);
        const carom_vec3 places[] = {{0.0, 0.0, 0.0}, {1.0, 0.2, 0.0}, {2.3, 0.3, 0.0}};
        for (int i = 0; i < 2 + further; i++) {
            carom_body_def def = touching_def(model, ball, material, 1.0, places[i]);
            if (i == 0) def.velocity.x = 50.0;
            world_add(model, &def);
        }
        carom_method_def method = touching_method(0.01, 1e-8);
        carom_state *state = touching_state(model, &method);
        carom_step_report report = world_run(state, 1);
        CHECK_INT(report.contacts, 1 + further);
        CHECK_INT(report.outcome, CAROM_STEP_GOOD);
        hit[further] = world_body(state, 1);
        world_destroy(state);
    }
    CHECK(hit[0].velocity.x > 10.0);
    CHECK(crm_distance(hit[1].position, hit[0].position) < 1e-13);
    CHECK(crm_distance(hit[1].velocity, hit[0].velocity) < 1e-12);
}

// ---- restitution

// A ball falls 1 m: its next heights are 1 m times e^2, e^4, but for the step.
static void bounce(carom_restitution_law law, double e, double step) {
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 0.2, e);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    touching_add(model, touching_sphere(model, 0.1), material, 1.0, crm_vec3(0.0, 0.0, 1.1));
    carom_method_def method = touching_method(step, 1e-8);
    method.lcp.restitution = law;
    carom_state *state = touching_state(model, &method);
    double fall = sqrt(2.0 / g), first = fall + e * fall;
    world_run(state, (int)lround(first / step));
    CHECK_NEAR(world_body(state, 1).position.z - 0.1, e * e, 20.0 * step);
    world_run(state, (int)lround((e + e * e) * fall / step));
    CHECK_NEAR(world_body(state, 1).position.z - 0.1, e * e * e * e, 20.0 * step);
    world_destroy(state);
}

TEST(a_ball_bounces_to_the_right_heights) {
    for (int law = 0; law < CAROM_RESTITUTION_COUNT; law++) {
        bounce((carom_restitution_law)law, 0.8, 1e-3);
        bounce((carom_restitution_law)law, 0.5, 2.5e-4);
        bounce((carom_restitution_law)law, 1.0, 2.5e-4);
    }
}

TEST(what_rests_with_restitution_rests) {
    for (int law = 0; law < CAROM_RESTITUTION_COUNT; law++) {
        carom_model *model = world_model(down, 0.0);
        carom_material material = touching_material(model, 0.5, 0.9);
        touching_add(model, touching_floor(model), material, 0.0, origin);
        carom_model_shape cube = touching_box(model, 1.0, 1.0, 1.0);
        for (int i = 0; i < 3; i++) touching_add(model, cube, material, 1.0, crm_vec3(0.0, 0.0, 0.5 + i));
        carom_method_def method = touching_method(0.01, 1e-8);
        method.lcp.restitution = (carom_restitution_law)law;
        carom_state *state = touching_state(model, &method);
        world_run(state, 300);
        for (int b = 1; b <= 3; b++) {
            CHECK_NEAR(world_body(state, b).position.z, b - 0.5, 1e-8);
            CHECK(crm_length(world_body(state, b).velocity) < 1e-7);
        }
        world_destroy(state);
    }
}

// ---- bits

static void same_runs(carom_state *a, carom_state *b, int steps) {
    for (int i = 0; i < steps; i++) {
        world_run(a, 1);
        world_run(b, 1);
        if (!CHECK(carom_state_hash(a) == carom_state_hash(b))) return;
    }
}

TEST(a_saved_state_goes_on_with_the_same_bits) {
    carom_error error = {0};
    carom_model *model = heap(2, 18, 1.0, 0.6, 0.2);
    carom_method_def method = touching_method(0.01, 1e-6);
    carom_state *state = touching_state(model, &method), *other = touching_state(model, &method);
    world_run(state, 40);
    size_t size = carom_state_size(state);
    unsigned char *bytes = malloc(size), *again = malloc(size);
    carom_state_save(state, bytes);
    CHECK_INT(carom_state_load(other, bytes, size, &error), CAROM_OK);
    CHECK_INT(carom_state_size(other), size);
    carom_state_save(other, again);
    CHECK(memcmp(bytes, again, size) == 0);
    same_runs(state, other, 40);
    // Damaged, cut off, or of other settings: refused, and the state is as before.
    uint64_t hash = carom_state_hash(other);
    bytes[size / 2] ^= 1;
    CHECK_INT(carom_state_load(other, bytes, size, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "damaged");
    CHECK_INT(carom_state_load(other, again, size - 8, &error), CAROM_ERR_BAD_INPUT);
    method.lcp.gamma = 0.5;
    carom_state *third = touching_state(model, &method);
    CHECK_INT(carom_state_load(third, again, size, &error), CAROM_ERR_BAD_INPUT);
    CHECK(carom_state_hash(other) == hash);
    carom_state_destroy(third);
    carom_state_destroy(other);
    world_destroy(state);
    free(bytes);
    free(again);
}

TEST(a_copied_state_goes_on_with_the_same_bits) {
    carom_error error = {0};
    carom_model *model = heap(3, 9, 1.0, 0.6, 0.0);
    carom_method_def method = touching_method(0.01, 1e-6);
    carom_state *state = touching_state(model, &method), *other = touching_state(model, &method);
    world_run(state, 30);
    world_run(other, 7);
    CHECK_INT(carom_state_copy(state, other, &error), CAROM_OK);
    same_runs(state, other, 30);
    carom_state_destroy(other);
    world_destroy(state);
}

TEST(threads_change_no_bit) {
    carom_model *model = heap(4, 36, 1.0, 0.5, 0.1);
    carom_method_def method = touching_method(0.01, 1e-6);
    carom_state *one = touching_state(model, &method);
    method.threads = 2;
    carom_state *two = touching_state(model, &method);
    same_runs(one, two, 60);
    carom_state_destroy(two);
    world_destroy(one);
}

TEST(a_body_that_is_moved_by_hand_is_looked_at_again) {
    carom_error error = {0};
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 0.5, 0.0);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    carom_body ball = touching_add(model, touching_sphere(model, 0.5), material, 1.0, crm_vec3(0.0, 0.0, 5.0));
    carom_method_def method = touching_method(0.01, 1e-8);
    carom_state *state = touching_state(model, &method);
    world_run(state, 3);
    carom_body_state at = world_body(state, 1);
    at.position = crm_vec3(0.0, 0.0, 0.5);
    at.velocity = crm_vec3(0.0, 0.0, -3.0);
    CHECK_INT(carom_state_set_body(state, ball, &at, &error), CAROM_OK);
    world_run(state, 1);
    CHECK_NEAR(world_body(state, 1).position.z, 0.5, 1e-9);
    world_destroy(state);
}

// ---- sizes

// The same heap a million times smaller and a thousand times larger: the same motion, scaled.
TEST(nothing_depends_on_the_unit_of_length) {
    const double sizes[] = {1.0, 0x1p-20, 0x1p10}; // exact in binary, so that roundings are the same too
    carom_body_state at[3][19];
    for (int k = 0; k < 3; k++) {
        carom_method_def method = touching_method(0.01, 1e-8);
        carom_state *state = touching_state(heap(5, 18, sizes[k], 0.5, 0.0), &method);
        world_run(state, 25);
        for (int b = 1; b <= 18; b++) at[k][b] = world_body(state, b);
        world_destroy(state);
    }
    for (int k = 1; k < 3; k++) {
        for (int b = 1; b <= 18; b++) {
            carom_vec3 scaled = crm_scale(1.0 / sizes[k], at[k][b].position);
            CHECK(crm_length(crm_sub(scaled, at[0][b].position)) < 1e-6);
        }
    }
}

// ---- no solution

// A ball squeezed between two fixed plates that it overlaps with: it cannot be pushed out of both.
TEST(a_squeezed_body_is_named_and_harms_nothing) {
    carom_error error = {0};
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 0.5, 0.0);
    carom_model_shape plate = touching_box(model, 4.0, 4.0, 1.0);
    touching_add(model, plate, material, 0.0, crm_vec3(0.0, 0.0, -0.5));
    touching_add(model, plate, material, 0.0, crm_vec3(0.0, 0.0, 1.4));
    touching_add(model, touching_sphere(model, 0.5), material, 1.0, crm_vec3(0.0, 0.0, 0.45));
    carom_method_def method = touching_method(0.01, 1e-6);
    carom_state *state = touching_state(model, &method);
    carom_step_report report;
    for (int i = 0; i < 20; i++) CHECK_INT(carom_step(model, state, NULL, &report, &error), CAROM_OK);
    CHECK_INT(report.outcome, CAROM_STEP_BROKEN);
    CHECK_CONTAINS(report.text, "contradict");
    CHECK_NEAR(world_body(state, 2).position.z, 0.45, 1e-3);
    world_destroy(state);
}

TEST(settings_out_of_range_are_refused) {
    carom_error error = {0};
    carom_state *state = NULL;
    carom_model *model = world_model(down, 0.0);
    CHECK_INT(carom_model_freeze(model, &error), CAROM_OK);
    carom_method_def good = touching_method(0.01, 1e-6), bad;
    const struct {
        size_t field;
        double value;
        const char *text;
    } cases[] = {{offsetof(carom_lcp_def, tolerance), 1.0, "tolerance"},
                 {offsetof(carom_lcp_def, tolerance), NAN, "tolerance"},
                 {offsetof(carom_lcp_def, gamma), 1.5, "gamma"},
                 {offsetof(carom_lcp_def, barrier), -1.0, "barrier"},
                 {offsetof(carom_lcp_def, push_out), 0.0, "push_out"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bad = good;
        memcpy((char *)&bad.lcp + cases[i].field, &cases[i].value, sizeof(double));
        CHECK_INT(carom_state_create(model, &bad, &state, &error), CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, cases[i].text);
    }
    bad = good;
    bad.lcp.pyramid_sides = 5;
    CHECK_INT(carom_state_create(model, &bad, &state, &error), CAROM_ERR_BAD_INPUT);
    bad = good;
    bad.lcp.iterations = -1;
    CHECK_INT(carom_state_create(model, &bad, &state, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "iterations");
    carom_model_destroy(model);
}

// A stack needs many sweeps from nothing; one sweep makes a step that says how far it is from its tolerance.
TEST(a_limit_of_iterations_is_kept_and_what_it_costs_is_said) {
    carom_error error = {0};
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 0.5, 0.0);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    carom_model_shape cube = touching_box(model, 1.0, 1.0, 1.0);
    for (int i = 0; i < 5; i++) touching_add(model, cube, material, 1.0, crm_vec3(0.0, 0.0, i + 0.5));
    carom_method_def method = touching_method(0.01, 1e-6);
    method.lcp.solver = CAROM_SOLVER_GAUSS_SEIDEL;
    method.lcp.iterations = 1;
    carom_state *state = touching_state(model, &method);
    carom_step_report report;
    CHECK_INT(carom_step(model, state, NULL, &report, &error), CAROM_OK);
    CHECK_INT(report.iterations, 1);
    CHECK_INT(report.outcome, CAROM_STEP_MISSED);
    CHECK(report.residual > 1e-6);
    world_destroy(state);
}

// ---- fluids

static carom_state *in_fluid(carom_mobility_def *mobility, carom_vec3 half_axes, carom_quat attitude) {
    carom_error error = {0};
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 0.5, 0.0);
    carom_model_shape shape = touching_ellipsoid(model, half_axes.x, half_axes.y, half_axes.z);
    carom_body_def def = touching_def(model, shape, material, 2.0, origin);
    def.attitude = attitude;
    world_add(model, &def);
    CHECK_INT(carom_model_set_mobility(model, mobility, &error), CAROM_OK);
    carom_method_def method = touching_method(0.01, 1e-8);
    return touching_state(model, &method);
}

// Oberbeck's drags of spheroids in closed form, with e the eccentricity.
static double prolate_drag_along(double a, double b, double viscosity) {
    double e = sqrt(1.0 - b * b / (a * a));
    return 16.0 * pi * viscosity * a * e * e * e / ((1.0 + e * e) * log((1.0 + e) / (1.0 - e)) - 2.0 * e);
}

static double oblate_drag_along(double a, double b, double viscosity) { // a: the short half axis
    double e = sqrt(1.0 - a * a / (b * b));
    return 8.0 * pi * viscosity * b * e * e * e / (e * sqrt(1.0 - e * e) - (1.0 - 2.0 * e * e) * asin(e));
}

TEST(bodies_sink_in_a_fluid_with_the_speed_of_their_drag) {
    carom_mobility_def mobility = carom_mobility_def_default();
    mobility.kind = CAROM_MOBILITY_STOKES;
    mobility.viscosity = 7.0;
    const struct {
        carom_vec3 half_axes;
        double drag;
    } cases[] = {{{0.3, 0.3, 0.3}, 6.0 * pi * 7.0 * 0.3},
                 {{0.2, 0.2, 0.5}, prolate_drag_along(0.5, 0.2, 7.0)},
                 {{0.5, 0.5, 0.1}, oblate_drag_along(0.1, 0.5, 7.0)}};
    for (int i = 0; i < 3; i++) {
        carom_state *state = in_fluid(&mobility, cases[i].half_axes, crm_quat_identity());
        world_run(state, 10);
        CHECK_NEAR(world_body(state, 0).velocity.z, -2.0 * g / cases[i].drag, 1e-12);
        CHECK_NEAR(world_body(state, 0).position.z, -0.2 * g / cases[i].drag, 1e-12);
        world_destroy(state);
    }
}

TEST(a_needle_in_a_fluid_drifts_sideways) {
    carom_mobility_def mobility = carom_mobility_def_default();
    mobility.kind = CAROM_MOBILITY_STOKES;
    carom_quat tilted = crm_quat_from_axis_angle(crm_vec3(0.0, 1.0, 0.0), 0.25 * pi);
    carom_state *state = in_fluid(&mobility, crm_vec3(0.001, 0.001, 1.0), tilted);
    world_run(state, 1);
    carom_vec3 v = world_body(state, 0).velocity;
    // Along itself a long needle is nearly twice as easy to move as across: (1/K1 - 1/K2)/(1/K1 + 1/K2) = 1/3, but for
    // a logarithm of its slenderness.
    CHECK(v.x / v.z > 0.2 && v.x / v.z < 1.0 / 3.0);
    world_destroy(state);
}

TEST(a_given_mobility_couples_bodies) {
    carom_error error = {0};
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 0.5, 0.0);
    carom_model_shape shape = touching_sphere(model, 0.5);
    touching_add(model, shape, material, 1.0, crm_vec3(0.0, 0.0, 0.0));
    touching_add(model, shape, material, 3.0, crm_vec3(0.0, 0.0, 1.2)); // heavier: catches up from above
    touching_add(model, touching_floor(model), material, 0.0, crm_vec3(0.0, 0.0, -50.0));
    double matrix[12 * 12] = {0};
    for (int i = 0; i < 12; i++) matrix[13 * i] = i % 6 < 3 ? 0.02 : 0.1;
    for (int i = 0; i < 3; i++) matrix[12 * i + 6 + i] = matrix[12 * (6 + i) + i] = 0.005;
    carom_mobility_def mobility = carom_mobility_def_default();
    mobility.kind = CAROM_MOBILITY_MATRIX;
    mobility.size = 12;
    mobility.matrix = matrix;
    CHECK_INT(carom_model_set_mobility(model, &mobility, &error), CAROM_OK);
    carom_method_def method = touching_method(0.01, 1e-8);
    carom_state *state = touching_state(model, &method);
    world_run(state, 1);
    CHECK_NEAR(world_body(state, 0).velocity.z, -g * (0.02 * 1.0 + 0.005 * 3.0), 1e-12);
    CHECK_NEAR(world_body(state, 1).velocity.z, -g * (0.02 * 3.0 + 0.005 * 1.0), 1e-12);
    world_run(state, 200);
    // Touching, both have the velocity of the mean force: (F1 + F2)/2 times 0.02 + 0.005.
    CHECK_NEAR(world_body(state, 0).velocity.z, -g * 2.0 * 0.025, 1e-7);
    CHECK_NEAR(world_body(state, 1).velocity.z, -g * 2.0 * 0.025, 1e-7);
    CHECK_NEAR(world_body(state, 1).position.z - world_body(state, 0).position.z, 1.0, 1e-8);
    world_destroy(state);
}

TEST(mobilities_that_make_no_sense_are_refused) {
    carom_error error = {0};
    carom_model *model = world_model(down, 0.0);
    double matrix[36] = {0};
    carom_mobility_def mobility = carom_mobility_def_default();
    mobility.kind = CAROM_MOBILITY_MATRIX;
    mobility.size = 6;
    mobility.matrix = matrix;
    CHECK_INT(carom_model_set_mobility(model, &mobility, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "positive definite");
    for (int i = 0; i < 6; i++) matrix[7 * i] = 1.0;
    matrix[1] = 0.5;
    CHECK_INT(carom_model_set_mobility(model, &mobility, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "symmetric");
    matrix[1] = 0.0;
    CHECK_INT(carom_model_set_mobility(model, &mobility, &error), CAROM_OK);
    CHECK_INT(carom_model_freeze(model, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "6 for each of 0 bodies");
    mobility.kind = CAROM_MOBILITY_STOKES;
    mobility.viscosity = -1.0;
    CHECK_INT(carom_model_set_mobility(model, &mobility, &error), CAROM_ERR_BAD_INPUT);
    mobility.viscosity = 1.0;
    CHECK_INT(carom_model_set_mobility(model, &mobility, &error), CAROM_OK);
    touching_add(model, touching_box(model, 1.0, 1.0, 1.0), (carom_material){-1}, 1.0, origin);
    CHECK_INT(carom_model_freeze(model, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "sphere or an ellipsoid");
    carom_model_destroy(model);
}

TEST_MAIN(CASE(the_impulses_of_the_table_are_the_change_of_momentum),
          CASE(a_collision_without_gravity_keeps_both_momenta), CASE(the_energy_balance_of_an_impact_is_what_it_takes),
          CASE(the_work_of_a_motor_is_in_the_energy_balance),
          CASE(what_is_hit_passes_through_nothing_beyond_its_margin),
          CASE(what_is_listed_late_and_not_reached_changes_nothing),
          CASE(a_limit_of_iterations_is_kept_and_what_it_costs_is_said), CASE(a_ball_bounces_to_the_right_heights),
          CASE(what_rests_with_restitution_rests), CASE(a_saved_state_goes_on_with_the_same_bits),
          CASE(a_copied_state_goes_on_with_the_same_bits), CASE(threads_change_no_bit),
          CASE(a_body_that_is_moved_by_hand_is_looked_at_again), CASE(nothing_depends_on_the_unit_of_length),
          CASE(a_squeezed_body_is_named_and_harms_nothing), CASE(settings_out_of_range_are_refused),
          CASE(bodies_sink_in_a_fluid_with_the_speed_of_their_drag), CASE(a_needle_in_a_fluid_drifts_sideways),
          CASE(a_given_mobility_couples_bodies), CASE(mobilities_that_make_no_sense_are_refused))
