// SPDX-License-Identifier: MIT
// Steps that only groups in contact divide: both momenta to rounding, the motion of ever shorter uniform steps where
// all touch, what is apart as without them, contacts and reactions of the whole step, and a run that goes on to the
// same bits.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "support/harness/check.h"
#include "support/model/joints.h"
#include "support/model/saved_bytes.h"
#include "support/scene/structure_scene.h"

static carom_method_def method_of(carom_method method, double step, int substeps, double tolerance) {
    carom_method_def def = carom_method_def_default();
    def.method = method;
    def.step = step;
    def.potential.stiffness = 1e4;
    def.potential.contact_substeps = def.dcr.contact_substeps = substeps;
    def.potential.contact_tolerance = def.dcr.contact_tolerance = tolerance;
    return def;
}

static carom_state *state_of(const carom_model *model, const carom_method_def *def) {
    carom_state *state = NULL;
    carom_error error = {.text = ""};
    if (!CHECK_INT(carom_state_create(model, def, &state, &error), CAROM_OK)) CHECK_TEXT(error.text, "");
    return state;
}

static carom_step_report step(carom_state *state) {
    carom_step_report report = {0};
    carom_error error = {.text = ""};
    CHECK_INT(carom_step(carom_state_model(state), state, NULL, &report, &error), CAROM_OK);
    if (!CHECK(report.outcome != CAROM_STEP_IMPOSSIBLE)) CHECK_TEXT(report.text, "");
    return report;
}

// Two balls that meet off their line, and `others` far away.
static carom_model *balls(int others) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, 0.0), 0.0);
    carom_material elastic = touching_material(model, 0.0, 1.0);
    carom_model_shape ball = touching_sphere(model, 0.5);
    carom_body_def a = touching_def(model, ball, elastic, 1.0, crm_vec3(0.0, 0.0, 0.0));
    carom_body_def b = touching_def(model, ball, elastic, 2.0, crm_vec3(0.97, 0.3, 0.1));
    a.velocity = crm_vec3(1.0, 0.1, 0.0);
    b.velocity = crm_vec3(-0.5, 0.0, 0.1);
    a.spin = crm_vec3(0.3, -0.2, 0.4);
    world_add(model, &a);
    world_add(model, &b);
    for (int i = 0; i < others; i++) {
        carom_body_def c = touching_def(model, ball, elastic, 1.5, crm_vec3(0.0, 20.0 * (i + 1), 3.0));
        c.velocity = crm_vec3(0.2, 0.3, 0.1 * i);
        world_add(model, &c);
    }
    carom_error error;
    CHECK_INT(carom_model_freeze(model, &error), CAROM_OK);
    return model;
}

static double total_energy(const carom_state *state) {
    carom_energy energy = carom_state_energy(state);
    return energy.kinetic + energy.potential;
}

TEST(a_group_that_touches_moves_as_by_shorter_steps) {
    const carom_method methods[] = {CAROM_METHOD_POTENTIAL, CAROM_METHOD_NEWMARK, CAROM_METHOD_DCR};
    carom_model *model = balls(0);
    for (int m = 0; m < 3; m++) {
        const double h = 0.02;
        carom_method_def divided = method_of(methods[m], h, 4, 0.0), uniform = method_of(methods[m], h / 4, 1, 0.0);
        carom_state *a = state_of(model, &divided), *b = state_of(model, &uniform);
        int together = 0;
        for (int i = 0; i < 6; i++) { // while they are near each other
            carom_step_report report = step(a);
            for (int k = 0; k < 4; k++) step(b);
            if (report.substeps == 1) break; // they are apart again
            CHECK_INT(report.substeps, 4);
            together += report.contacts > 0;
            for (int body = 0; body < 2; body++) {
                carom_body_state of_a = world_body(a, body), of_b = world_body(b, body);
                CHECK(crm_distance(of_a.position, of_b.position) <= 1e-14);
                CHECK(crm_distance(of_a.velocity, of_b.velocity) <= 1e-13);
                CHECK(crm_distance(of_a.spin, of_b.spin) <= 1e-13);
            }
        }
        CHECK(together > 0);
        carom_state_destroy(a);
        carom_state_destroy(b);
    }
    carom_model_destroy(model);
}

TEST(what_is_apart_moves_as_without_substeps) {
    const carom_method methods[] = {CAROM_METHOD_POTENTIAL, CAROM_METHOD_NEWMARK, CAROM_METHOD_DCR};
    carom_model *model = balls(3);
    for (int m = 0; m < 3; m++) {
        carom_method_def divided = method_of(methods[m], 0.02, 8, 0.0), whole = method_of(methods[m], 0.02, 1, 0.0);
        carom_state *a = state_of(model, &divided), *b = state_of(model, &whole);
        int single = 0;
        for (int i = 0; i < 60; i++) {
            single += step(a).substeps == 1;
            step(b);
            for (int body = 2; body < 5; body++) {
                carom_body_state of_a = world_body(a, body), of_b = world_body(b, body);
                CHECK(memcmp(&of_a, &of_b, sizeof of_a) == 0);
            }
        }
        CHECK(single > 20); // once the two are apart again
        carom_state_destroy(a);
        carom_state_destroy(b);
    }
    carom_model_destroy(model);
}

// The largest change of the energy in a collision.
static double energy_error(carom_method method, int substeps, double tolerance, int *most) {
    carom_model *model = balls(0);
    carom_method_def def = method_of(method, 0.02, substeps, tolerance);
    carom_state *state = state_of(model, &def);
    double first = total_energy(state), worst = 0.0;
    *most = 1;
    for (int i = 0; i < 30; i++) {
        int made = step(state).substeps;
        *most = made > *most ? made : *most;
        worst = fmax(worst, fabs(total_energy(state) - first) / first);
    }
    carom_state_destroy(state);
    carom_model_destroy(model);
    return worst;
}

TEST(the_energy_of_a_collision_gains_order_2_in_substeps) {
    const carom_method methods[] = {CAROM_METHOD_POTENTIAL, CAROM_METHOD_NEWMARK};
    for (int m = 0; m < 2; m++) {
        int most;
        double coarse = energy_error(methods[m], 8, 0.0, &most), fine = energy_error(methods[m], 32, 0.0, &most);
        CHECK_INT(most, 32);
        CHECK(log2(coarse / fine) / 2.0 > 1.7); // where signs change, errors vanish sooner
    }
}

TEST(substeps_are_chosen_by_the_energy) {
    int few, many;
    double loose = energy_error(CAROM_METHOD_POTENTIAL, 256, 1e-2, &few);
    double tight = energy_error(CAROM_METHOD_POTENTIAL, 256, 1e-5, &many);
    CHECK(few > 1 && many > few && many <= 256);
    CHECK(loose < 5e-2 && tight < 5e-5);
}

// ---- random scenes

// Momentum and angular momentum against those of the start, relative to the sum of their sizes.
static double drift(const carom_model *model, const carom_state *state, carom_momentum first, double *size) {
    carom_momentum now = carom_state_momentum(state);
    double length = 0.0;
    for (int b = 0; b < carom_model_body_count(model); b++) {
        carom_body_def def;
        carom_body_state at = world_body(state, b);
        CHECK_INT(carom_model_get_body(model, (carom_body){b}, &def, NULL), CAROM_OK);
        if (def.kind == CAROM_BODY_FIXED) continue;
        double p = def.mass * crm_length(at.velocity);
        size[0] = fmax(size[0], p);
        length = fmax(length, crm_length(at.position));
    }
    size[1] = fmax(size[1], size[0] * fmax(length, 1.0));
    return fmax(crm_distance(now.linear, first.linear) / size[0], crm_distance(now.angular, first.angular) / size[1]);
}

// The worst drift over a run of a random scene that nothing acts on from outside; 0 for others. *divided: steps that
// were.
static double worst_drift(carom_method method, uint64_t seed, bool joints, int substeps, double tolerance,
                          int *divided) {
    structure_scene_def scene_def = {.seed = seed, .joints = joints, .pairs = seed % 2 == 0};
    structure_scene scene = structure_scene_make(&scene_def);
    carom_error error;
    CHECK_INT(carom_model_freeze(scene.model, &error), CAROM_OK);
    carom_method_def def = method_of(method, 0.01 * scene.time, substeps, tolerance);
    def.potential.stiffness = 100.0 * scene.lightest / (scene.time * scene.time);
    carom_state *state = NULL;
    double worst = 0.0;
    if (!scene.outside && carom_state_create(scene.model, &def, &state, &error) == CAROM_OK) {
        carom_momentum first = carom_state_momentum(state);
        double size[2] = {0.0, 0.0};
        for (int i = 0; i < 100; i++) {
            carom_step_report report;
            CHECK_INT(carom_step(scene.model, state, NULL, &report, &error), CAROM_OK);
            if (report.outcome == CAROM_STEP_IMPOSSIBLE) break;
            *divided += report.substeps > 1;
            CHECK(report.momentum_balance <= 1e-12);
            worst = fmax(worst, drift(scene.model, state, first, size));
        }
    }
    carom_state_destroy(state);
    carom_model_destroy(scene.model);
    return worst;
}

static int check_momenta(carom_method method, uint64_t seed, bool joints, double tolerance) {
    int divided = 0, none = 0;
    double whole = worst_drift(method, seed, joints, 1, 0.0, &none);
    double worst = worst_drift(method, seed, joints, 4, tolerance, &divided);
    if (!CHECK(worst <= fmax(1e-12, 4.0 * whole)))
        print_message("%s seed %d: %g, %g by whole steps\n", carom_method_name(method), (int)seed, worst, whole);
    return divided;
}

TEST(divided_steps_keep_both_momenta) {
    for (int fixed = 0; fixed < 2; fixed++) {
        double tolerance = fixed ? 0.0 : 1e-4;
        int divided = 0;
        for (uint64_t seed = 1; seed <= 8; seed++) {
            divided += check_momenta(CAROM_METHOD_POTENTIAL, seed, false, tolerance);
            divided += check_momenta(CAROM_METHOD_NEWMARK, seed, false, tolerance);
            divided += check_momenta(CAROM_METHOD_DCR, seed, false, tolerance);
            divided += check_momenta(CAROM_METHOD_DCR, seed, true, tolerance);
            divided += check_momenta(CAROM_METHOD_POTENTIAL, seed, true, tolerance);
        }
        print_message("%d divided steps\n", divided);
        CHECK(divided > 50);
    }
}

// ---- what is said of a step

TEST(contacts_of_a_divided_step_add_up_to_what_bodies_got) {
    const carom_method methods[] = {CAROM_METHOD_POTENTIAL, CAROM_METHOD_DCR};
    carom_model *model = balls(1);
    for (int m = 0; m < 2; m++) {
        const double h = 0.02;
        carom_method_def def = method_of(methods[m], h, 4, 0.0);
        carom_state *state = state_of(model, &def);
        for (int i = 0; i < 12; i++) {
            carom_vec3 before = world_body(state, 1).velocity;
            step(state);
            carom_wrench wrench;
            carom_error error;
            CHECK_INT(carom_state_get_body_contact_force(state, (carom_body){1}, &wrench, &error), CAROM_OK);
            carom_vec3 gained = crm_scale(2.0 / h, crm_sub(world_body(state, 1).velocity, before));
            CHECK(crm_distance(gained, wrench.force) <= 1e-10 * fmax(1.0, crm_length(gained)));
        }
        carom_state_destroy(state);
    }
    carom_model_destroy(model);
}

// A pendulum against a wall: the mean of the reaction over a step is that over its substeps.
TEST(reactions_are_means_over_the_whole_step) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -9.81), 0.0);
    carom_material elastic = touching_material(model, 0.0, 1.0);
    carom_body_def wall =
        touching_def(model, touching_box(model, 0.1, 1.0, 1.0), elastic, 1.0, crm_vec3(0.31, 0, -0.6));
    wall.kind = CAROM_BODY_FIXED;
    carom_body_def arm = touching_def(model, touching_box(model, 0.1, 0.1, 0.4), elastic, 1.0, crm_vec3(0, 0, -0.4));
    arm.velocity = crm_vec3(1.0, 0.0, 0.0);
    arm.spin = crm_vec3(0.0, -2.5, 0.0);
    world_add(model, &wall);
    carom_body body = world_add(model, &arm);
    carom_joint_def hinge =
        joints_def(model, CAROM_JOINT_HINGE, CAROM_WORLD, body, crm_vec3(0, 0, 0), crm_vec3(0, 1, 0));
    joints_add(model, &hinge);
    carom_error error;
    CHECK_INT(carom_model_freeze(model, &error), CAROM_OK);
    const carom_method methods[] = {CAROM_METHOD_POTENTIAL, CAROM_METHOD_DCR};
    for (int m = 0; m < 2; m++) {
        carom_method_def divided = method_of(methods[m], 0.01, 4, 0.0), uniform = method_of(methods[m], 0.0025, 1, 0.0);
        carom_state *a = state_of(model, &divided), *b = state_of(model, &uniform);
        for (int i = 0; i < 40; i++) {
            if (step(a).substeps == 1) break; // from there on they differ
            carom_vec3 mean = crm_vec3_zero();
            carom_joint_state joint;
            for (int k = 0; k < 4; k++) {
                step(b);
                CHECK_INT(carom_state_get_joint(b, (carom_joint){0}, &joint, &error), CAROM_OK);
                mean = crm_madd(mean, 0.25, joint.force);
            }
            CHECK_INT(carom_state_get_joint(a, (carom_joint){0}, &joint, &error), CAROM_OK);
            CHECK(crm_distance(joint.force, mean) <= 1e-9 * fmax(10.0, crm_length(mean)));
        }
        carom_state_destroy(a);
        carom_state_destroy(b);
    }
    carom_model_destroy(model);
}

// ---- groups that come of forces

// A spring throws a body at another one within the step, which nobody could tell from its velocity.
TEST(what_is_thrown_within_a_step_meets_what_is_in_its_way) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, 0.0), 0.0);
    carom_model_shape ball = touching_sphere(model, 0.1);
    carom_material elastic = touching_material(model, 0.0, 1.0);
    carom_body_def thrown = touching_def(model, ball, elastic, 1.0, crm_vec3(0.0, 0.0, 0.0));
    carom_body_def hit = touching_def(model, ball, elastic, 1.0, crm_vec3(0.22, 0.0, 0.0));
    carom_body a = world_add(model, &thrown), b = world_add(model, &hit);
    carom_spring_def spring = carom_spring_def_default();
    spring.a = CAROM_WORLD;
    spring.b = a;
    spring.point_a = crm_vec3(1.0, 0.0, 0.0);
    spring.stiffness = 400.0;
    carom_error error;
    CHECK_INT(carom_model_add_spring(model, &spring, &error), CAROM_OK);
    CHECK_INT(carom_model_freeze(model, &error), CAROM_OK);
    carom_method_def def = method_of(CAROM_METHOD_DCR, 0.02, 4, 0.0);
    carom_state *state = state_of(model, &def);
    carom_step_report report = step(state);
    CHECK_INT(report.substeps, 4);
    CHECK(report.contacts > 0);
    CHECK(world_body(state, b.index).velocity.x > 1.0);
    CHECK(report.infeasibility <= 1e-9);
    carom_state_destroy(state);
    carom_model_destroy(model);
}

// ---- going on

TEST(divided_runs_go_on_to_the_same_bits) {
    const carom_method methods[] = {CAROM_METHOD_POTENTIAL, CAROM_METHOD_DCR};
    carom_model *model = balls(2);
    for (int m = 0; m < 4; m++) {
        carom_method_def def = method_of(methods[m % 2], 0.02, 8, m < 2 ? 0.0 : 1e-3);
        carom_state *whole = state_of(model, &def), *part = state_of(model, &def);
        for (int i = 0; i < 20; i++) {
            step(whole);
            carom_state *next = state_of(model, &def);
            step(part);
            size_t size;
            unsigned char *bytes = saved_bytes_of(part, &size);
            carom_error error;
            CHECK_INT(carom_state_load(next, bytes, size, &error), CAROM_OK);
            free(bytes);
            carom_state_destroy(part);
            part = next;
            CHECK(carom_state_hash(part) == carom_state_hash(whole));
        }
        carom_state_destroy(whole);
        carom_state_destroy(part);
    }
    carom_model_destroy(model);
}

TEST_MAIN(CASE(a_group_that_touches_moves_as_by_shorter_steps), CASE(what_is_apart_moves_as_without_substeps),
          CASE(the_energy_of_a_collision_gains_order_2_in_substeps), CASE(substeps_are_chosen_by_the_energy),
          CASE(divided_steps_keep_both_momenta), CASE(contacts_of_a_divided_step_add_up_to_what_bodies_got),
          CASE(reactions_are_means_over_the_whole_step), CASE(what_is_thrown_within_a_step_meets_what_is_in_its_way),
          CASE(divided_runs_go_on_to_the_same_bits))
