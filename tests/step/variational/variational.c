// SPDX-License-Identifier: MIT
// What the variational method promises: momenta exact, energy without drift, a solution or a sentence.
#include <math.h>

#include "math/quat.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/model/world.h"

static carom_state *top(carom_vec3 moments, carom_vec3 spin, double step) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    carom_body_def def = world_body_def(1.0, moments);
    def.name = "top";
    def.attitude = (carom_quat){0.8, 0.0, 0.6, 0.0};
    def.spin = spin;
    world_add(model, &def);
    return world_state(model, CAROM_METHOD_VARIATIONAL, step);
}

// ---- torque-free

// Body axes: L and energy decide everything; the energy is a function of the attitude, as L is kept to the bit.
static void check_torque_free(carom_vec3 moments, carom_vec3 spin, int steps) {
    carom_state *state = top(moments, spin, 1e-3);
    carom_momentum first = carom_state_momentum(state);
    double energy = world_energy(state), worst = 0.0;
    for (int i = 0; i < 100; i++) {
        world_run(state, steps / 100);
        worst = fmax(worst, fabs(world_energy(state) - energy));
    }
    carom_momentum last = carom_state_momentum(state);
    CHECK_NEAR(crm_distance(first.angular, last.angular), 0.0, 0.0);
    CHECK_NEAR(crm_length(last.linear), 0.0, 0.0);
    CHECK_NEAR(worst / energy, 0.0, 1e-11);
    // The spin that is reported belongs to that momentum: L = I_w w, in direction too.
    carom_body_state body = world_body(state, 0);
    carom_vec3 own = crm_vec3_mul(moments, crm_quat_rotate_inverse(body.attitude, body.spin));
    CHECK_NEAR(crm_distance(crm_quat_rotate(body.attitude, own), first.angular), 0.0,
               1e-14 * crm_length(first.angular));
    CHECK_NEAR(crm_quat_dot(body.attitude, body.attitude), 1.0, 4e-15);
    world_destroy(state);
}

TEST(a_free_top_keeps_momentum_and_energy) {
    check_torque_free((carom_vec3){1.0, 2.0, 3.0}, (carom_vec3){0.01, 5.0, 0.01}, 10000);
    check_torque_free((carom_vec3){1.0, 1.0, 1.0}, (carom_vec3){3.0, 5.0, -2.0}, 10000);
    check_torque_free((carom_vec3){1e-4, 1.0, 1.0}, (carom_vec3){1.0, 5.0, 0.01}, 10000);
}

TEST(a_free_top_keeps_momentum_and_energy_over_a_million_steps) {
    check_torque_free((carom_vec3){1.0, 2.0, 3.0}, (carom_vec3){0.01, 5.0, 0.01}, 1000000);
    check_torque_free((carom_vec3){0.3, 0.4, 0.65}, (carom_vec3){4.0, 5.0, -7.0}, 1000000);
}

// For a ball the equation is sin|u| = h |w|.
TEST(a_ball_rotates_by_the_arc_sine_of_its_step) {
    double h = 0.1;
    carom_state *state = top((carom_vec3){2.0, 2.0, 2.0}, (carom_vec3){0.0, 0.0, 5.0}, h);
    carom_quat before = world_body(state, 0).attitude;
    carom_step_report report = world_run(state, 1);
    CHECK_NEAR(crm_quat_angle(before, world_body(state, 0).attitude), asin(h * 5.0), 1e-15);
    CHECK(report.iterations <= 6);
    world_destroy(state);
}

TEST(a_step_too_large_is_refused_and_leaves_the_state) {
    carom_state *state = top((carom_vec3){1.0, 2.0, 3.0}, (carom_vec3){0.01, 50.0, 0.01}, 0.1);
    uint64_t hash = carom_state_hash(state);
    carom_step_report report;
    CHECK_INT(carom_step(carom_state_model(state), state, NULL, &report, NULL), CAROM_OK);
    CHECK_INT(report.outcome, CAROM_STEP_IMPOSSIBLE);
    CHECK_CONTAINS(report.text, "body 'top' rotates by 5 rad in one step");
    CHECK_CONTAINS(report.text, "make method.step smaller than 0.01 s");
    CHECK_INT(report.body.index, 0);
    CHECK_INT(report.step, 0);
    CHECK_NEAR(report.energy.kinetic, 0.5 * 2.0 * 2500.0, 0.1);
    CHECK(carom_state_hash(state) == hash);
    world_destroy(state);
    // The remedy helps.
    state = top((carom_vec3){1.0, 2.0, 3.0}, (carom_vec3){0.01, 50.0, 0.01}, 0.0099);
    world_run(state, 100);
    world_destroy(state);
}

TEST(rotations_up_to_the_bound_are_made_and_refused_beyond) {
    // sin|u| = h|w| has no solution above 1; rotations of more than 90 degrees are never made.
    carom_state *state = top((carom_vec3){2.0, 2.0, 2.0}, (carom_vec3){0.0, 0.0, 0.999}, 1.0);
    world_run(state, 5);
    world_destroy(state);
    state = top((carom_vec3){2.0, 2.0, 2.0}, (carom_vec3){0.0, 0.0, 1.001}, 1.0);
    carom_step_report report;
    CHECK_INT(carom_step(carom_state_model(state), state, NULL, &report, NULL), CAROM_OK);
    CHECK_INT(report.outcome, CAROM_STEP_IMPOSSIBLE);
    world_destroy(state);
}

// ---- forces from outside

TEST(an_input_wrench_changes_the_momenta_by_exactly_its_impulse) {
    static const carom_body_kind kinds[] = {CAROM_BODY_FREE, CAROM_BODY_PLANAR, CAROM_BODY_POINT, CAROM_BODY_FIXED};
    for (int method = 0; method < CAROM_METHOD_COUNT; method++) {
        for (int k = 0; k < 4; k++) {
            carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
            carom_body_def def = world_body_def(2.0, (carom_vec3){1.0, 1.3, 1.7});
            def.kind = kinds[k];
            world_add(model, &def);
            carom_state *state = world_state(model, (carom_method)method, 0.125);
            // Two wrenches on one body add up.
            const carom_wrench wrench[] = {{{0}, {1.0, 0.0, 3.0}, {0.5, 0.25, 0.0}},
                                           {{0}, {0.0, 2.0, 0.0}, {0.0, 0.0, -1.0}}};
            carom_input input = {.wrench_count = 2, .wrench = wrench};
            carom_step_report report;
            CHECK_INT(carom_step(model, state, &input, &report, NULL), CAROM_OK);
            CHECK_INT(report.outcome, CAROM_STEP_GOOD);
            bool moves = kinds[k] != CAROM_BODY_FIXED, planar = kinds[k] == CAROM_BODY_PLANAR;
            bool rotations = kinds[k] == CAROM_BODY_FREE;
            carom_vec3 p = {0.125 * moves, 0.25 * moves, planar ? 0.0 : 0.375 * moves};
            carom_vec3 l = {0.0625 * rotations, 0.03125 * rotations, -0.125 * (rotations || planar)};
            // The weights of Runge-Kutta methods add up to 1 but for rounding.
            double rounding = method == CAROM_METHOD_VARIATIONAL || method == CAROM_METHOD_EULER ? 0.0 : 1e-16;
            CHECK_NEAR(crm_distance(report.momentum.linear, p), 0.0, rounding);
            // About the origin, from where the body has moved by h p / 2 m along p.
            // Reduced integrates spins: momenta are as good as its tolerance of 1e-9.
            double inexact = method == CAROM_METHOD_REDUCED ? 1e-10 : 0.0;
            CHECK_NEAR(crm_distance(report.momentum.angular, l), 0.0, 1e-17 + rounding + inexact);
            CHECK_NEAR(report.momentum_balance, 0.0, 1e-15 + 10.0 * inexact);
            world_destroy(state);
        }
    }
}

TEST(impossible_inputs_are_refused) {
    carom_state *state = top((carom_vec3){1.0, 2.0, 3.0}, (carom_vec3){0.0, 0.0, 0.0}, 0.1);
    uint64_t hash = carom_state_hash(state);
    carom_step_report report;
    carom_error error;
    carom_wrench wrench = {{1}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    carom_input input = {.wrench_count = 1, .wrench = &wrench};
    CHECK_INT(carom_step(carom_state_model(state), state, &input, &report, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "input wrench: there is no body 1; the model has 1 bodies");
    wrench.body.index = 0;
    wrench.torque.y = NAN;
    CHECK_INT(carom_step(carom_state_model(state), state, &input, &report, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "input wrench 0: force and torque must be finite");
    CHECK(carom_state_hash(state) == hash);
    world_destroy(state);
}

// ---- potentials

// Two points that attract, on an ellipse; or two bodies with charges off their centres that repel and a spring, also
// off the centres, that holds them. (Extended bodies that attract exchange spin and orbit until their charges meet.)
static carom_state *orbit(bool points, double step) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 1.0);
    for (int b = 0; b < 2; b++) {
        carom_body_def def = world_body_def(1.0 + b, (carom_vec3){0.2, 0.25, 0.3});
        if (points) def.kind = CAROM_BODY_POINT;
        def.position = crm_vec3(b == 0 ? -1.0 : 0.5, 0.0, 0.0);
        def.velocity = crm_vec3(0.0, b == 0 ? -0.6 : 0.3, b == 0 ? 0.04 : -0.02);
        if (!points) def.spin = crm_vec3(0.3, 0.2, b == 0 ? 0.5 : -0.4);
        carom_charge_def charge = {.struct_size = sizeof(carom_charge_def),
                                   .body = world_add(model, &def),
                                   .charge = b == 0   ? 1.1
                                             : points ? -1.2
                                                      : 0.5};
        if (!points) charge.point = crm_vec3(0.05, 0.1, b == 0 ? 0.02 : -0.06);
        CHECK_INT(carom_model_add_charge(model, &charge, NULL), CAROM_OK);
    }
    carom_spring_def spring = {
        .struct_size = sizeof(carom_spring_def), .a = {0}, .b = {1}, .stiffness = 2.0, .rest_length = 0.3};
    spring.point_a = crm_vec3(0.1, -0.05, 0.08);
    spring.point_b = crm_vec3(-0.12, 0.02, 0.1);
    if (!points) CHECK_INT(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
    return world_state(model, CAROM_METHOD_VARIATIONAL, step);
}

TEST(coupled_bodies_keep_both_momenta_every_step) {
    carom_state *state = orbit(false, 0.005);
    carom_momentum before = carom_state_momentum(state);
    double size = crm_length(before.angular);
    for (int i = 0; i < 2000; i++) {
        carom_step_report report = world_run(state, 1);
        if (!CHECK_NEAR(crm_distance(report.momentum.linear, before.linear), 0.0, 1e-12)) break;
        if (!CHECK_NEAR(crm_distance(report.momentum.angular, before.angular), 0.0, 1e-12 * size)) break;
        if (!CHECK(report.momentum_balance <= 1e-12)) break;
        if (!CHECK(report.residual <= 1e-13)) break;
        if (!CHECK(report.iterations <= 6)) break; // quadratic convergence
        before = report.momentum;
    }
    world_destroy(state);
}

// A symplectic method's energy swings with the orbit and does not drift.
TEST(the_energy_of_an_orbit_swings_but_does_not_drift) {
    enum { STEPS = 1000000, TENTH = STEPS / 10 };
    for (int points = 0; points < 2; points++) {
        carom_state *state = orbit(points, 0.01);
        double start = world_energy(state), largest[10] = {0.0}, mean[10] = {0.0};
        for (int i = 0; i < STEPS; i++) {
            carom_step_report report;
            CHECK_INT(carom_step(carom_state_model(state), state, NULL, &report, NULL), CAROM_OK);
            if (!CHECK_TEXT(report.text, "")) break;
            double off = report.energy.kinetic + report.energy.potential - start;
            largest[i / TENTH] = fmax(largest[i / TENTH], fabs(off));
            mean[i / TENTH] += off / TENTH;
        }
        CHECK(!points || start < 0.0); // bound
        CHECK(largest[0] < 0.01 * fabs(start));
        // The ellipse repeats itself; the tumbling pair does not, and its rare peaks differ.
        CHECK(largest[9] < (points ? 1.01 : 1.3) * largest[0]);
        CHECK_NEAR(mean[9], mean[0], 0.05 * largest[0]);
        world_destroy(state);
    }
}

// Newton's correction is quadratic: the number of iterations hardly grows with the step.
TEST(newton_converges_quadratically) {
    static const double steps[] = {1e-4, 1e-3, 1e-2, 5e-2, 1e-1};
    static const int most[] = {3, 3, 4, 5, 6};
    for (int i = 0; i < 5; i++) {
        carom_state *state = orbit(false, steps[i]);
        int iterations = 0;
        for (int k = 0; k < 50; k++) {
            carom_step_report report = world_run(state, 1);
            if (report.iterations > iterations) iterations = report.iterations;
        }
        CHECK(iterations <= most[i]);
        world_destroy(state);
    }
}

// Rotations of half a radian in a step, held by a spring that is stiff for it: here a wrong term of the matrix costs
// quadratic convergence, and with it more iterations.
TEST(newton_converges_quadratically_for_large_rotations_on_stiff_springs) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    for (int b = 0; b < 2; b++) {
        carom_body_def def = world_body_def(1.0, (carom_vec3){0.9, 1.0, 1.2});
        def.position = crm_vec3(2.0 * b, 0.0, 0.0);
        def.spin = crm_vec3(1.5, b == 0 ? 2.0 : -3.0, 4.0);
        world_add(model, &def);
    }
    carom_spring_def spring = {
        .struct_size = sizeof(carom_spring_def), .a = {0}, .b = {1}, .stiffness = 300.0, .rest_length = 1.2};
    spring.point_a = crm_vec3(0.3, 0.7, -0.4);
    spring.point_b = crm_vec3(-0.5, 0.2, 0.6);
    CHECK_INT(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.1);
    carom_step_report report = world_run(state, 1);
    CHECK(report.iterations <= 6);
    world_destroy(state);
}

TEST(a_chain_of_many_bodies_keeps_its_momenta) {
    enum { LINKS = 40 };
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    sampler s = {.seed = 5};
    for (int b = 0; b < LINKS; b++) {
        carom_body_def def = world_body_def(sample_between(&s, 0.5, 2.0), (carom_vec3){0.1, 0.12, 0.15});
        def.position = crm_vec3(b, 0.0, 0.0);
        def.attitude = sample_attitude(&s);
        def.velocity = sample_vec3(&s, 0.5);
        def.spin = sample_vec3(&s, 1.0);
        world_add(model, &def);
        if (b == 0) continue;
        carom_spring_def spring = {
            .struct_size = sizeof(carom_spring_def), .a = {b - 1}, .b = {b}, .stiffness = 100.0, .rest_length = 0.5};
        spring.point_a = sample_vec3(&s, 0.2);
        spring.point_b = sample_vec3(&s, 0.2);
        CHECK_INT(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
    }
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.005);
    carom_momentum before = carom_state_momentum(state);
    double energy = world_energy(state);
    carom_step_report report = world_run(state, 400);
    CHECK_NEAR(crm_distance(report.momentum.linear, before.linear), 0.0, 1e-11);
    CHECK_NEAR(crm_distance(report.momentum.angular, before.angular), 0.0, 1e-10);
    CHECK_NEAR(world_energy(state), energy, 0.01 * energy);
    world_destroy(state);
}

// Positions of 1e6 m are known to 1e-10 m, and so is a spring's stretch: Newton's corrections never get small against
// the displacement of a step, yet the step is as good as its numbers.
TEST(bodies_far_from_the_origin_can_step) {
    static const double far[] = {0.0, 1e3, 1e6, 1e8};
    for (int i = 0; i < 4; i++) {
        carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
        for (int b = 0; b < 2; b++) {
            carom_body_def def = world_body_def(1.0, (carom_vec3){0.2, 0.25, 0.3});
            def.position = crm_vec3(far[i] + b, 0.0, 0.0);
            world_add(model, &def);
        }
        carom_spring_def spring = {
            .struct_size = sizeof(carom_spring_def), .a = {0}, .b = {1}, .stiffness = 1e4, .rest_length = 1.0 - 1e-3};
        CHECK_INT(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
        carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.001);
        for (int k = 0; k < 100; k++) {
            carom_step_report report;
            CHECK_INT(carom_step(model, state, NULL, &report, NULL), CAROM_OK);
            if (!CHECK_INT(report.outcome, CAROM_STEP_GOOD)) {
                CHECK_TEXT(report.text, "");
                break;
            }
        }
        world_destroy(state);
    }
}

TEST(charges_in_one_place_are_refused_by_name) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 1.0);
    static const char *const names[] = {"innocent", "other", "left", "right"};
    for (int b = 0; b < 4; b++) {
        carom_body_def def = world_body_def(1.0, (carom_vec3){0.2, 0.25, 0.3});
        def.name = names[b];
        def.position = crm_vec3(b < 2 ? 10.0 * b : 50.0, 0.0, 0.0);
        carom_body body = world_add(model, &def);
        carom_charge_def charge = {.struct_size = sizeof(carom_charge_def), .body = body, .charge = 1.0};
        CHECK_INT(carom_model_add_charge(model, &charge, NULL), CAROM_OK);
    }
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.001);
    uint64_t hash = carom_state_hash(state);
    carom_step_report report;
    CHECK_INT(carom_step(model, state, NULL, &report, NULL), CAROM_OK);
    CHECK_INT(report.outcome, CAROM_STEP_IMPOSSIBLE);
    CHECK_CONTAINS(report.text, "body 'left' feels a force that is not finite in the step after t = 0 s");
    CHECK_CONTAINS(report.text, "move them apart");
    CHECK(carom_state_hash(state) == hash);
    world_destroy(state);
}

TEST(a_step_too_large_for_a_spring_is_refused_with_body_number_and_remedy) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    carom_body_def calm = world_body_def(1.0, (carom_vec3){1.0, 1.0, 1.0});
    calm.name = "calm";
    calm.position = crm_vec3(0.0, 9.0, 0.0);
    carom_body_def wild = world_body_def(1.0, (carom_vec3){1.0, 1.0, 1.0});
    wild.name = "wild";
    wild.spin = crm_vec3(0.0, 0.0, 40.0);
    world_add(model, &calm);
    world_add(model, &wild);
    for (int b = 0; b < 2; b++) {
        carom_spring_def spring = {.struct_size = sizeof(carom_spring_def),
                                   .a = {b},
                                   .b = {-1},
                                   .point_a = {0.3, 0.0, 0.0},
                                   .stiffness = 10.0};
        CHECK_INT(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
    }
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, 0.1);
    uint64_t hash = carom_state_hash(state);
    carom_step_report report;
    CHECK_INT(carom_step(model, state, NULL, &report, NULL), CAROM_OK);
    CHECK_INT(report.outcome, CAROM_STEP_IMPOSSIBLE);
    CHECK_CONTAINS(report.text, "body 'wild' would rotate by more than 90 degrees");
    CHECK_CONTAINS(report.text, "t = 0 s; make method.step of 0.1 s smaller");
    CHECK_INT(report.body.index, 1);
    CHECK(carom_state_hash(state) == hash);
    world_destroy(state);
}

TEST_MAIN(CASE(a_free_top_keeps_momentum_and_energy),
          LONG_CASE(a_free_top_keeps_momentum_and_energy_over_a_million_steps),
          CASE(a_ball_rotates_by_the_arc_sine_of_its_step), CASE(a_step_too_large_is_refused_and_leaves_the_state),
          CASE(rotations_up_to_the_bound_are_made_and_refused_beyond),
          CASE(an_input_wrench_changes_the_momenta_by_exactly_its_impulse), CASE(impossible_inputs_are_refused),
          CASE(coupled_bodies_keep_both_momenta_every_step),
          LONG_CASE(the_energy_of_an_orbit_swings_but_does_not_drift), CASE(newton_converges_quadratically),
          CASE(newton_converges_quadratically_for_large_rotations_on_stiff_springs),
          CASE(a_chain_of_many_bodies_keeps_its_momenta), CASE(bodies_far_from_the_origin_can_step),
          CASE(charges_in_one_place_are_refused_by_name),
          CASE(a_step_too_large_for_a_spring_is_refused_with_body_number_and_remedy))
