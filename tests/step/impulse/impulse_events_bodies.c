// SPDX-License-Identifier: MIT
// The method impulse with events on several bodies: rows of balls, stacks, boxes that tumble, bodies in a bowl.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"
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

// Balls in a row that touch, in empty space; the first comes in.
static carom_state *row_of_balls(int count, carom_simultaneous simultaneous) {
    carom_model *model = world_model(origin, 0.0);
    carom_material material = touching_material(model, 0.0, 1.0);
    carom_model_shape sphere = touching_sphere(model, 0.5);
    for (int i = 0; i < count; i++) {
        carom_body_def def = touching_def(model, sphere, material, 2.0, crm_vec3(i == 0 ? -1.0 : i, 0.0, 0.0));
        if (i == 0) def.velocity = crm_vec3(2.0, 0.0, 0.0);
        world_add(model, &def);
    }
    carom_method_def method = by_events(0.1);
    method.impulse.law = CAROM_IMPACT_LAW_NEWTON;
    method.impulse.simultaneous = simultaneous;
    return touching_state(model, &method);
}

// One after the other the impact goes through the row, as in Newton's cradle; as one problem it does not: all balls but
// the first go on together, with what Newton's law asks of the first contact alone.
TEST(simultaneous_impacts_are_a_sequence_or_one_problem) {
    carom_state *state = row_of_balls(5, CAROM_SIMULTANEOUS_SEQUENCE);
    world_run(state, 10);
    for (int i = 0; i < 5; i++) CHECK_NEAR(world_body(state, i).velocity.x, i == 4 ? 2.0 : 0.0, 1e-14);
    CHECK_NEAR(world_body(state, 4).position.x, 4.0 + 2.0 * (1.0 - 0.5), 1e-12);
    world_destroy(state);
    state = row_of_balls(5, CAROM_SIMULTANEOUS_TOGETHER);
    world_run(state, 10);
    double momentum = 0.0;
    for (int i = 0; i < 5; i++) momentum += world_body(state, i).velocity.x;
    CHECK_NEAR(momentum, 2.0, 1e-12);
    CHECK_NEAR(world_body(state, 1).velocity.x - world_body(state, 0).velocity.x, 2.0, 1e-10);
    CHECK_NEAR(world_body(state, 2).velocity.x, world_body(state, 4).velocity.x, 1e-10);
    world_destroy(state);
}

// Elastic ellipsoids in empty space keep momenta and energy through their collisions.
TEST(elastic_ellipsoids_keep_energy_and_momenta) {
    sampler s = {.seed = 7};
    carom_model *model = world_model(origin, 0.0);
    carom_material material = touching_material(model, 0.0, 1.0);
    for (int i = 0; i < 6; i++) {
        carom_model_shape shape = touching_ellipsoid(model, sample_between(&s, 0.2, 0.5), sample_between(&s, 0.2, 0.5),
                                                     sample_between(&s, 0.2, 0.5));
        carom_vec3 place = {1.2 * (i % 3), 1.2 * (double)(i / 3), 0.0};
        carom_body_def def = touching_def(model, shape, material, sample_between(&s, 1.0, 3.0), place);
        def.velocity = crm_scale(-0.8, crm_sub(place, crm_vec3(1.2, 0.6, 0.1)));
        def.attitude = sample_attitude(&s);
        def.spin = sample_vec3(&s, 2.0);
        world_add(model, &def);
    }
    carom_method_def method = by_events(1.0 / 60.0);
    carom_state *state = touching_state(model, &method);
    double energy = world_energy(state);
    carom_momentum before = carom_state_momentum(state);
    int contacts = 0;
    for (int i = 0; i < 120; i++) {
        carom_step_report report = world_run(state, 1);
        contacts += report.contacts;
        CHECK(report.infeasibility < 1e-12);
    }
    CHECK(contacts >= 6);
    CHECK_NEAR(world_energy(state) / energy, 1.0, 1e-8);
    CHECK_NEAR(crm_distance(carom_state_momentum(state).linear, before.linear), 0.0, 1e-12);
    CHECK_NEAR(crm_distance(carom_state_momentum(state).angular, before.angular), 0.0, 1e-8);
    world_destroy(state);
}

// Boxes on each other, dropped from a little above: they come to rest, each flat on the one below.
TEST(a_stack_of_boxes_comes_to_rest) {
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 0.4, 0.3);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    carom_model_shape box = touching_box(model, 0.5, 0.4, 0.2);
    for (int i = 0; i < 3; i++)
        touching_add(model, box, material, 2.0, crm_vec3(0.02 * i, 0.01 * i, 0.101 + 0.201 * i));
    carom_method_def method = by_events(1.0 / 60.0);
    carom_state *state = touching_state(model, &method);
    world_run(state, 60);
    for (int i = 0; i < 3; i++) {
        carom_body_state body = world_body(state, i + 1);
        CHECK_NEAR(body.position.z, 0.1 + 0.2 * i, 1e-9);
        CHECK_NEAR(crm_length(body.velocity), 0.0, 1e-9);
        CHECK_NEAR(crm_length(body.spin), 0.0, 1e-9);
    }
    world_destroy(state);
}

// Boxes thrown on the floor at random: energy never grows, and in the end they lie on a face.
TEST(thrown_boxes_end_on_a_face) {
    sampler s = {.seed = 11};
    for (int trial = 0; trial < 4; trial++) {
        carom_model *model = world_model(down, 0.0);
        carom_material material = touching_material(model, 0.5, 0.4);
        touching_add(model, touching_floor(model), material, 0.0, origin);
        carom_body_def def =
            touching_def(model, touching_box(model, 0.3, 0.2, 0.4), material, 1.0, crm_vec3(0.0, 0.0, 0.5));
        def.attitude = sample_attitude(&s);
        def.velocity = sample_vec3(&s, 1.0);
        def.spin = sample_vec3(&s, 5.0);
        world_add(model, &def);
        carom_method_def method = by_events(1.0 / 60.0);
        carom_state *state = touching_state(model, &method);
        double energy = world_energy(state);
        for (int i = 0; i < 180; i++) {
            carom_step_report report = world_run(state, 1);
            double now = report.energy.kinetic + report.energy.potential;
            CHECK(now <= energy + 1e-9);
            energy = now;
        }
        carom_body_state box = world_body(state, 1);
        double height = box.position.z;
        bool on_face = fabs(height - 0.15) < 1e-9 || fabs(height - 0.1) < 1e-9 || fabs(height - 0.2) < 1e-9;
        CHECK(on_face);
        CHECK_NEAR(crm_length(box.velocity), 0.0, 1e-9);
        world_destroy(state);
    }
}

// A ball rolls in a bowl without slip: kinetic and potential energy are kept, and the touching point has no velocity.
TEST(a_ball_rolls_in_a_bowl) {
    double wall = 2.0, radius = 0.3;
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 1.0, 0.0);
    carom_shape_def bowl = carom_shape_def_default(CAROM_SHAPE_CONTAINER);
    bowl.container.radius = wall;
    touching_add(model, touching_shape(model, &bowl), material, 0.0, origin);
    double reach = wall - radius, angle = 0.5;
    carom_vec3 outward = crm_vec3(sin(angle), 0.0, -cos(angle));
    carom_body_def def = touching_def(model, touching_sphere(model, radius), material, 1.5, crm_scale(reach, outward));
    world_add(model, &def);
    carom_method_def method = by_events(1.0 / 60.0);
    carom_state *state = touching_state(model, &method);
    double energy = world_energy(state), farthest = 0.0;
    for (int i = 0; i < 240; i++) {
        carom_step_report report = world_run(state, 1);
        carom_body_state ball = world_body(state, 1);
        carom_vec3 n;
        crm_normalise(ball.position, &n);
        carom_vec3 slip = crm_add(ball.velocity, crm_cross(ball.spin, crm_scale(radius, n)));
        CHECK_NEAR(crm_length(slip), 0.0, 1e-12);
        CHECK_NEAR(crm_length(ball.position), reach, 1e-12);
        CHECK_NEAR(report.energy.kinetic + report.energy.potential, energy, 1e-7);
        farthest = fmin(farthest, ball.position.x);
    }
    CHECK_NEAR(farthest, -reach * sin(angle), 1e-3); // it comes up on the other side
    world_destroy(state);
}

// A capsule that falls flat touches at both ends at once, and rests on both.
TEST(a_capsule_falls_flat_and_rests) {
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 0.3, 0.5);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    carom_shape_def shape = carom_shape_def_default(CAROM_SHAPE_CAPSULE);
    shape.capsule.radius = 0.1;
    shape.capsule.length = 0.6;
    carom_body_def def = touching_def(model, touching_shape(model, &shape), material, 1.0, crm_vec3(0.0, 0.0, 0.3));
    def.attitude = crm_quat_between(crm_vec3(0.0, 0.0, 1.0), crm_vec3(1.0, 0.0, 0.0));
    world_add(model, &def);
    carom_method_def method = by_events(1.0 / 60.0);
    carom_state *state = touching_state(model, &method);
    world_run(state, 120);
    CHECK_NEAR(world_body(state, 1).position.z, 0.1, 1e-11);
    CHECK_NEAR(crm_length(world_body(state, 1).velocity), 0.0, 1e-11);
    int count;
    const carom_contact_state *contact = carom_state_contacts(state, &count);
    double impulse = 0.0;
    for (int i = 0; i < count; i++) impulse += contact[i].normal_impulse * fabs(contact[i].normal.z);
    CHECK_INT(count, 2);
    CHECK_NEAR(impulse, g / 60.0, 1e-11); // the table bears the weight
    world_destroy(state);
}

static carom_model_shape any_shape(carom_model *model, sampler *s, int kind) {
    double a = sample_between(s, 0.1, 0.3), b = sample_between(s, 0.1, 0.3), c = sample_between(s, 0.1, 0.3);
    if (kind == 0) return touching_sphere(model, a);
    if (kind == 1) return touching_ellipsoid(model, a, b, c);
    if (kind == 2) return touching_box(model, 2.0 * a, 2.0 * b, 2.0 * c);
    carom_shape_def capsule = carom_shape_def_default(CAROM_SHAPE_CAPSULE);
    capsule.capsule.radius = 0.5 * a;
    capsule.capsule.length = 2.0 * b;
    return touching_shape(model, &capsule);
}

// Bodies of all kinds thrown on the floor and on each other, with any friction and restitution: every certificate is
// good, nothing overlaps, and energy never grows by more than the integrator's errors.
TEST(bodies_of_all_kinds_keep_their_contracts) {
    for (unsigned seed = 1; seed <= 24; seed++) {
        sampler s = {.seed = seed};
        carom_model *model = world_model(down, 0.0);
        double friction = sample_between(&s, 0.0, 0.8), restitution = sample_between(&s, 0.0, 0.9);
        carom_material material =
            touching_material(model, seed % 4 == 0 ? 0.0 : friction, seed % 3 == 0 ? 0.0 : restitution);
        touching_add(model, touching_floor(model), material, 0.0, origin);
        for (unsigned i = 0; i < 1 + seed % 3; i++) {
            carom_model_shape shape = any_shape(model, &s, (int)((seed + i) % 4));
            carom_vec3 place = {sample_between(&s, -0.1, 0.1), sample_between(&s, -0.1, 0.1), 0.5 + 0.8 * i};
            carom_body_def def = touching_def(model, shape, material, sample_between(&s, 0.5, 3.0), place);
            def.attitude = sample_attitude(&s);
            def.velocity = sample_vec3(&s, 1.0);
            def.spin = sample_vec3(&s, 4.0);
            world_add(model, &def);
        }
        carom_method_def method = by_events(1.0 / 60.0);
        carom_state *state = touching_state(model, &method);
        double energy = world_energy(state);
        for (int i = 0; i < 120; i++) {
            carom_step_report report = world_run(state, 1);
            double now = report.energy.kinetic + report.energy.potential;
            if (!CHECK(report.outcome == CAROM_STEP_GOOD && now < energy + 1e-6 && report.infeasibility < 1e-13)) break;
            energy = now;
        }
        world_destroy(state);
    }
}

TEST_MAIN(CASE(simultaneous_impacts_are_a_sequence_or_one_problem), CASE(elastic_ellipsoids_keep_energy_and_momenta),
          CASE(a_stack_of_boxes_comes_to_rest), CASE(thrown_boxes_end_on_a_face), CASE(a_ball_rolls_in_a_bowl),
          CASE(a_capsule_falls_flat_and_rests), LONG_CASE(bodies_of_all_kinds_keep_their_contracts))
