// SPDX-License-Identifier: MIT
// Orders of convergence, in position, attitude, velocity and spin, against an independent solution.
//
// With errors c h^p (1 + O(h)) the logarithm of the ratio of two halvings is p + O(h); for variational, whose error has
// even powers only, p + O(h^2).
#include <math.h>

#include "math/quat.h"
#include "reference/motion/rigid_motion.h"
#include "support/harness/check.h"
#include "support/model/joints.h"

// Springs off the centres, charges off the centres, all kinds of bodies, gravity.
static reference_world mixed_world(void) {
    reference_world w = {.gravity = {0.2, -1.0, -0.5}, .body_count = 4};
    w.body[0] = (reference_body){CAROM_BODY_FREE,
                                 1.3,
                                 {0.4, 0.6, 0.9},
                                 {{0.0, 0.0, 0.0}, {0.8, 0.0, 0.6, 0.0}, {0.3, 0.1, -0.2}, {1.0, -0.7, 0.4}}};
    w.body[1] = (reference_body){CAROM_BODY_FREE,
                                 0.7,
                                 {0.5, 0.3, 0.45},
                                 {{2.0, 0.3, -0.4}, {0.6, 0.0, 0.0, 0.8}, {-0.2, 0.4, 0.1}, {-0.5, 0.2, 1.1}}};
    w.body[2] = (reference_body){CAROM_BODY_PLANAR,
                                 1.1,
                                 {0.3, 0.3, 0.5},
                                 {{0.4, 2.1, 0.0}, {0.8, 0.0, 0.0, 0.6}, {0.1, -0.3, 0.0}, {0.0, 0.0, 0.9}}};
    w.body[3] = (reference_body){CAROM_BODY_POINT,
                                 0.9,
                                 {0.0, 0.0, 0.0},
                                 {{1.5, -1.7, 0.8}, {1.0, 0.0, 0.0, 0.0}, {0.2, 0.5, -0.1}, {0.0, 0.0, 0.0}}};
    const carom_vec3 spot[4] = {{0.2, 0.3, -0.1}, {-0.3, 0.1, 0.2}, {0.1, -0.2, 0.3}, {0.0, 0.0, 0.0}};
    const double charge[4] = {0.8, -0.6, 0.5, -0.7};
    w.pair[w.pair_count++] = (reference_pair){0, 1, {0.4, 0.0, 0.1}, {0.0, 0.3, 0.2}, 6.0, 1.2, 0.0, 0.0};
    w.pair[w.pair_count++] = (reference_pair){0, 2, {-0.2, 0.4, 0.0}, {0.3, 0.1, -0.2}, 4.0, 0.8, 0.0, 0.0};
    w.pair[w.pair_count++] = (reference_pair){1, 3, {0.1, -0.4, 0.0}, {0.0, 0.0, 0.0}, 5.0, 1.0, 0.0, 0.0};
    w.pair[w.pair_count++] = (reference_pair){2, -1, {0.0, 0.3, 0.1}, {0.5, 3.0, 0.4}, 3.0, 0.0, 0.0, 0.0};
    for (int a = 1; a < 4; a++)
        for (int b = 0; b < a; b++)
            w.pair[w.pair_count++] = (reference_pair){a, b, spot[a], spot[b], 0.0, 0.0, charge[a], charge[b]};
    return w;
}

// A single top under nothing.
static reference_world torque_free_world(void) {
    reference_world w = {.body_count = 1};
    w.body[0] = (reference_body){CAROM_BODY_FREE,
                                 1.0,
                                 {1.0, 2.0, 2.5},
                                 {{0.0, 0.0, 0.0}, {0.8, 0.0, 0.6, 0.0}, {0.3, 0.1, -0.2}, {1.0, -0.7, 1.4}}};
    return w;
}

typedef struct errors {
    double position, attitude, velocity, spin;
} errors;

// The model is released.
static errors errors_of(carom_model *model, const carom_method_def *def, double time, int steps,
                        const carom_body_state *wanted) {
    carom_method_def method = *def;
    method.step = time / steps;
    carom_state *state = joints_state(model, &method);
    for (int i = 0; i < steps; i++) {
        carom_step_report report;
        carom_error error = {.text = ""};
        CHECK_INT(carom_step(model, state, NULL, &report, &error), CAROM_OK);
        if (!CHECK(report.outcome != CAROM_STEP_IMPOSSIBLE)) break;
    }
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

// `fine` has half the step of `coarse`.
static void check_halving(errors coarse, errors fine, double order, double tolerance, bool linear) {
    if (linear) {
        CHECK_NEAR(log2(coarse.position / fine.position), order, tolerance);
        CHECK_NEAR(log2(coarse.velocity / fine.velocity), order, tolerance);
    }
    CHECK_NEAR(log2(coarse.attitude / fine.attitude), order, tolerance);
    CHECK_NEAR(log2(coarse.spin / fine.spin), order, tolerance);
    CHECK(fine.attitude > 1e-8 && coarse.attitude < 0.1); // neither rounding nor nonsense
}

static void check_order(const reference_world *world, const carom_method_def *def, int steps, int halvings,
                        double order, double tolerance, bool linear) {
    const double time = 1.5;
    carom_body_state wanted[REFERENCE_BODIES];
    reference_move(world, time, 20000, wanted);
    errors coarse = errors_of(reference_model(world), def, time, steps, wanted);
    for (int i = 0; i < halvings; i++) {
        errors fine = errors_of(reference_model(world), def, time, steps <<= 1, wanted);
        check_halving(coarse, fine, order, tolerance, linear);
        coarse = fine;
    }
}

static carom_method_def by(carom_method method) {
    carom_method_def def = carom_method_def_default();
    def.method = method;
    return def;
}

// ---- order 2

static const carom_method of_order_2[] = {CAROM_METHOD_VARIATIONAL, CAROM_METHOD_POTENTIAL, CAROM_METHOD_EXACT,
                                          CAROM_METHOD_DCR, CAROM_METHOD_NEWMARK};
enum { WITH_JOINTS = 4, OF_ORDER_2 };

TEST(the_structure_preserving_methods_have_order_2_with_potentials) {
    reference_world world = mixed_world();
    for (int i = 0; i < OF_ORDER_2; i++) {
        carom_method_def def = by(of_order_2[i]);
        check_order(&world, &def, 200, 4, 2.0, 0.05, true);
    }
}

TEST(the_structure_preserving_methods_have_order_2_without_torque) {
    reference_world world = torque_free_world();
    for (int i = 0; i < OF_ORDER_2; i++) {
        carom_method_def def = by(of_order_2[i]);
        check_order(&world, &def, 100, 4, 2.0, 0.05, false);
    }
}

// A top on its tip that nutates and precesses.
static carom_model *heavy_top(void) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -9.81), 0.0);
    carom_body_def def = world_body_def(0.5, crm_vec3(2.5e-4, 2.5e-4, 4e-4));
    def.attitude = crm_quat_from_axis_angle(crm_vec3(0.0, 1.0, 0.0), 0.7);
    def.position = crm_quat_rotate(def.attitude, crm_vec3(0.0, 0.0, 0.06));
    def.spin = crm_quat_rotate(def.attitude, crm_vec3(5.0, 0.0, 150.0));
    def.velocity = crm_cross(def.spin, def.position);
    carom_body body = world_add(model, &def);
    carom_vec3 tip = {0.0, 0.0, 0.0};
    carom_joint_def ball = joints_def(model, CAROM_JOINT_BALL, CAROM_WORLD, body, tip, crm_vec3(0.0, 0.0, 1.0));
    joints_add(model, &ball);
    return model;
}

// Checked by the equations of motion in coordinates of the joint, with an error of 1e-12.
TEST(the_structure_preserving_methods_have_order_2_for_a_heavy_top) {
    const double time = 0.2;
    carom_method_def check_pair = joints_method_by(CAROM_METHOD_REDUCED, CAROM_INTEGRATOR_DP54, time, 1e-12);
    carom_state *best = joints_state(heavy_top(), &check_pair);
    world_run(best, 1);
    carom_body_state wanted = world_body(best, 0);
    world_destroy(best);
    for (int i = 0; i < WITH_JOINTS; i++) {
        carom_method_def def = by(of_order_2[i]);
        errors coarse = errors_of(heavy_top(), &def, time, 400, &wanted);
        for (int steps = 800; steps <= 6400; steps *= 2) {
            errors fine = errors_of(heavy_top(), &def, time, steps, &wanted);
            check_halving(coarse, fine, 2.0, 0.05, true);
            coarse = fine;
        }
    }
}

// ---- others

TEST(euler_has_order_1_in_both_forms) {
    carom_method_def def = by(CAROM_METHOD_EULER);
    for (int form = 0; form < 2; form++) {
        def.form = form == 0 ? CAROM_EULER_MOMENTUM : CAROM_EULER_VELOCITY;
        reference_world world = mixed_world();
        check_order(&world, &def, 8000, 1, 1.0, 0.05, true);
        world = torque_free_world();
        check_order(&world, &def, 4000, 1, 1.0, 0.05, false);
    }
}

// Without the half-acceleration term a throw would be off by g h t / 2, as it is with lcp: positions there follow the
// velocities at the end of the step, for which contacts are solved.
TEST(methods_without_contact_are_exact_for_a_throw) {
    for (int method = 0; method < CAROM_METHOD_COUNT; method++) {
        if (carom_method_has_contact((carom_method)method)) continue;
        reference_world world = {.gravity = {0.0, 0.0, -9.81}, .body_count = 1};
        world.body[0] = torque_free_world().body[0];
        carom_state *state = world_state(reference_model(&world), (carom_method)method, 0.01);
        world_run(state, 200);
        carom_body_state got = world_body(state, 0);
        CHECK_NEAR(got.position.z, -0.2 * 2.0 - 0.5 * 9.81 * 4.0, 1e-12);
        CHECK_NEAR(got.velocity.z, -0.2 - 9.81 * 2.0, 1e-12);
        world_destroy(state);
    }
}

// The reference itself: halving its step must change nothing that the tests above could see.
TEST(the_reference_has_converged) {
    reference_world world = mixed_world();
    carom_body_state coarse[REFERENCE_BODIES], fine[REFERENCE_BODIES];
    reference_move(&world, 1.5, 10000, coarse);
    reference_move(&world, 1.5, 20000, fine);
    for (int b = 0; b < world.body_count; b++) {
        CHECK_NEAR(crm_distance(coarse[b].position, fine[b].position), 0.0, 1e-12);
        CHECK_NEAR(crm_distance(coarse[b].spin, fine[b].spin), 0.0, 1e-12);
    }
}

TEST_MAIN(CASE(the_structure_preserving_methods_have_order_2_with_potentials),
          CASE(the_structure_preserving_methods_have_order_2_without_torque),
          CASE(the_structure_preserving_methods_have_order_2_for_a_heavy_top), CASE(euler_has_order_1_in_both_forms),
          CASE(methods_without_contact_are_exact_for_a_throw), CASE(the_reference_has_converged))
