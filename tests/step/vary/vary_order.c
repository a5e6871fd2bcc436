// SPDX-License-Identifier: MIT
// Orders of convergence when steps vary: random lists of steps whose neighbours differ by up to a factor of 4, every
// step of which is halved again and again, against an independent solution.
#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "reference/motion/rigid_motion.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/model/joints.h"

enum { MOST_PIECES = 1000 };

// Steps of random lengths up to `time`, with ratios of neighbours of 1/4 to 4, none longer than `longest`.
static int random_pieces(uint64_t seed, double time, double longest, carom_step_piece *out) {
    sampler s = {.seed = seed};
    double at = 0.0, step = 0.5 * longest;
    int count = 0;
    while (at < time && count < MOST_PIECES) {
        step = fmin(step * pow(4.0, sample_between(&s, -1.0, 1.0)), longest);
        step = fmax(step, 0.1 * longest);
        at = at + step < time - 0.05 * longest ? at + step : time;
        out[count++] = (carom_step_piece){at, longest};
    }
    return count;
}

static reference_world spring_world(void) {
    reference_world w = {.gravity = {0.2, -1.0, -0.5}, .body_count = 3};
    w.body[0] = (reference_body){CAROM_BODY_FREE,
                                 1.3,
                                 {0.4, 0.6, 0.9},
                                 {{0.0, 0.0, 0.0}, {0.8, 0.0, 0.6, 0.0}, {0.3, 0.1, -0.2}, {1.0, -0.7, 0.4}}};
    w.body[1] = (reference_body){CAROM_BODY_FREE,
                                 0.7,
                                 {0.5, 0.3, 0.45},
                                 {{2.0, 0.3, -0.4}, {0.6, 0.0, 0.0, 0.8}, {-0.2, 0.4, 0.1}, {-0.5, 0.2, 1.1}}};
    w.body[2] = (reference_body){CAROM_BODY_POINT,
                                 0.9,
                                 {0.0, 0.0, 0.0},
                                 {{1.5, -1.7, 0.8}, {1.0, 0.0, 0.0, 0.0}, {0.2, 0.5, -0.1}, {0.0, 0.0, 0.0}}};
    w.pair[w.pair_count++] = (reference_pair){0, 1, {0.4, 0.0, 0.1}, {0.0, 0.3, 0.2}, 6.0, 1.2, 0.0, 0.0};
    w.pair[w.pair_count++] = (reference_pair){1, 2, {0.1, -0.4, 0.0}, {0.0, 0.0, 0.0}, 5.0, 1.0, 0.0, 0.0};
    w.pair[w.pair_count++] = (reference_pair){0, -1, {0.0, 0.3, 0.1}, {0.5, 3.0, 0.4}, 3.0, 0.0, 0.0, 0.0};
    return w;
}

// Of positions and attitudes at the end.
static double error_of(carom_model *model, const carom_method_def *def, double time, const carom_body_state *wanted) {
    carom_state *state = joints_state(model, def);
    while (carom_state_time(state) < time * (1.0 - 1e-12)) {
        carom_step_report report;
        carom_error error = {.text = ""};
        CHECK_INT(carom_step(model, state, NULL, &report, &error), CAROM_OK);
        if (!CHECK(report.outcome != CAROM_STEP_IMPOSSIBLE)) break;
        CHECK_NEAR(report.time, carom_method_step_time(def, report.step), 1e-14);
    }
    CHECK_NEAR(carom_state_time(state), time, 1e-12);
    CHECK_INT(carom_state_step_count(state), carom_method_step_count(def, time));
    double worst = 0.0;
    for (int b = 0; b < carom_model_body_count(model); b++) {
        carom_body_state got = world_body(state, b);
        worst = fmax(worst, crm_distance(got.position, wanted[b].position));
        worst = fmax(worst, crm_quat_angle(got.attitude, wanted[b].attitude));
    }
    world_destroy(state);
    return worst;
}

static void check_order(carom_method_def def, uint64_t seed, double order, double tolerance, double longest) {
    const double time = 1.2;
    reference_world world = spring_world();
    carom_body_state wanted[REFERENCE_BODIES];
    carom_step_piece pieces[MOST_PIECES], divided[MOST_PIECES];
    reference_move(&world, time, 20000, wanted);
    def.piece_count = random_pieces(seed, time, longest, pieces);
    CHECK(def.piece_count > 10);
    double coarse = 0.0;
    for (int k = 0; k < 4; k++) {
        def.piece = pieces;
        carom_method_divide_pieces(&def, (int64_t)1 << k, divided);
        def.piece = divided;
        double fine = error_of(reference_model(&world), &def, time, wanted);
        if (k > 1) CHECK_NEAR(log2(coarse / fine), order, tolerance);
        coarse = fine;
    }
    CHECK(coarse > 1e-10 && coarse < 0.1); // neither rounding nor nonsense
}

static carom_method_def by(carom_method method) {
    carom_method_def def = carom_method_def_default();
    def.method = method;
    return def;
}

TEST(methods_of_order_2_keep_it_with_steps_that_vary) {
    const carom_method of_order_2[] = {CAROM_METHOD_VARIATIONAL, CAROM_METHOD_POTENTIAL, CAROM_METHOD_EXACT,
                                       CAROM_METHOD_DCR, CAROM_METHOD_NEWMARK};
    for (size_t i = 0; i < sizeof of_order_2 / sizeof of_order_2[0]; i++)
        for (uint64_t seed = 1; seed <= 2; seed++) check_order(by(of_order_2[i]), seed, 2.0, 0.1, 0.02);
}

TEST(methods_of_order_1_keep_it_with_steps_that_vary) {
    const carom_method of_order_1[] = {CAROM_METHOD_EULER, CAROM_METHOD_LCP, CAROM_METHOD_PENALTY};
    for (size_t i = 0; i < sizeof of_order_1 / sizeof of_order_1[0]; i++)
        for (uint64_t seed = 1; seed <= 2; seed++) check_order(by(of_order_1[i]), seed, 1.0, 0.1, 0.005);
    carom_method_def fixed = by(CAROM_METHOD_IMPULSE);
    fixed.impulse.variant = CAROM_IMPULSE_FIXED;
    check_order(fixed, 1, 1.0, 0.1, 0.005);
}

TEST(runge_kutta_keeps_order_4_with_steps_that_vary) {
    const carom_method integrated[] = {CAROM_METHOD_MULTIPLIER, CAROM_METHOD_REDUCED};
    for (size_t i = 0; i < sizeof integrated / sizeof integrated[0]; i++) {
        carom_method_def def = by(integrated[i]);
        def.integrator = CAROM_INTEGRATOR_RK4;
        for (uint64_t seed = 1; seed <= 3; seed++) check_order(def, seed, 4.0, 0.2, 0.03);
    }
}

TEST(steps_that_are_chosen_by_their_errors_meet_the_solution_with_any_list) {
    const double time = 1.2;
    reference_world world = spring_world();
    carom_body_state wanted[REFERENCE_BODIES];
    carom_step_piece pieces[MOST_PIECES];
    reference_move(&world, time, 20000, wanted);
    const carom_method chosen[] = {CAROM_METHOD_MULTIPLIER, CAROM_METHOD_REDUCED, CAROM_METHOD_IMPULSE};
    for (size_t i = 0; i < sizeof chosen / sizeof chosen[0]; i++) {
        carom_method_def def = by(chosen[i]);
        def.piece_count = random_pieces(4, time, 0.1, pieces);
        def.piece = pieces;
        CHECK(error_of(reference_model(&world), &def, time, wanted) < 1e-7);
    }
}

// ---- through a collision

static carom_model *two_balls(void) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, 0.0), 0.0);
    carom_material elastic = touching_material(model, 0.0, 1.0);
    carom_model_shape ball = touching_sphere(model, 0.5);
    carom_body_def a = touching_def(model, ball, elastic, 1.0, crm_vec3(0.0, 0.0, 0.0));
    carom_body_def b = touching_def(model, ball, elastic, 2.0, crm_vec3(1.3, 0.3, 0.1));
    a.velocity = crm_vec3(1.0, 0.1, 0.0);
    b.velocity = crm_vec3(-0.5, 0.0, 0.1);
    a.spin = crm_vec3(0.3, -0.2, 0.4);
    world_add(model, &a);
    world_add(model, &b);
    return model;
}

static void move(carom_method_def def, double time, carom_body_state end[2]) {
    def.potential.stiffness = 200.0;
    carom_state *state = joints_state(two_balls(), &def);
    while (carom_state_time(state) < time * (1.0 - 1e-12)) {
        carom_step_report report;
        carom_error error;
        CHECK_INT(carom_step(carom_state_model(state), state, NULL, &report, &error), CAROM_OK);
        if (!CHECK_INT(report.outcome, CAROM_STEP_GOOD)) break;
    }
    for (int b = 0; b < 2; b++) end[b] = world_body(state, b);
    world_destroy(state);
}

// Where the contact begins and ends in a step is another matter for every list: errors are means over some.
TEST(contact_potentials_keep_order_2_through_a_collision) {
    const carom_method methods[] = {CAROM_METHOD_POTENTIAL, CAROM_METHOD_NEWMARK};
    enum { LISTS = 8, HALVINGS = 4 };
    const double time = 1.0;
    for (int m = 0; m < 2; m++) {
        carom_method_def def = by(methods[m]);
        carom_body_state wanted[2], got[2];
        carom_step_piece pieces[MOST_PIECES], divided[MOST_PIECES];
        double mean[HALVINGS] = {0.0};
        def.step = time / 16384;
        move(def, time, wanted);
        for (uint64_t seed = 1; seed <= LISTS; seed++) {
            def.piece_count = random_pieces(seed, time, 0.04, pieces);
            for (int k = 0; k < HALVINGS; k++) {
                def.piece = pieces;
                carom_method_divide_pieces(&def, (int64_t)1 << k, divided);
                def.piece = divided;
                move(def, time, got);
                for (int b = 0; b < 2; b++) mean[k] += crm_distance(got[b].position, wanted[b].position) / LISTS;
            }
        }
        CHECK_NEAR(log2(mean[0] / mean[HALVINGS - 1]) / (HALVINGS - 1), 2.0, 0.2);
    }
}

// Collisions of free bodies are found in time: steps have no part in them.
TEST(collisions_in_time_do_not_know_of_steps) {
    const carom_method methods[] = {CAROM_METHOD_EXACT, CAROM_METHOD_DCR, CAROM_METHOD_IMPULSE};
    carom_body_state first[2], got[2];
    for (int m = 0; m < 3; m++) {
        for (uint64_t seed = 1; seed <= 5; seed++) {
            carom_method_def def = by(methods[m]);
            carom_step_piece pieces[MOST_PIECES];
            def.piece_count = random_pieces(seed, 1.0, 0.1, pieces);
            def.piece = pieces;
            move(def, 1.0, got);
            if (m == 0 && seed == 1) memcpy(first, got, sizeof first);
            for (int b = 0; b < 2; b++) {
                CHECK(crm_distance(got[b].position, first[b].position) <= 1e-9);
                CHECK(crm_distance(got[b].velocity, first[b].velocity) <= 1e-9);
            }
        }
    }
}

TEST_MAIN(CASE(methods_of_order_2_keep_it_with_steps_that_vary), CASE(methods_of_order_1_keep_it_with_steps_that_vary),
          CASE(runge_kutta_keeps_order_4_with_steps_that_vary),
          CASE(steps_that_are_chosen_by_their_errors_meet_the_solution_with_any_list),
          CASE(contact_potentials_keep_order_2_through_a_collision), CASE(collisions_in_time_do_not_know_of_steps))
