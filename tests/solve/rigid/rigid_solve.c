// SPDX-License-Identifier: MIT
// Solutions of problems of rigid bodies: closed forms, the general solver, and what must not change them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"
#include "support/harness/check.h"
#include "support/problem/rigid_heap.h"

typedef struct solution {
    double *impulse, *velocity;
    crm_vec6 *change;
    crm_rigid_report report;
} solution;

static const crm_rigid_options tight = {
    .tolerance = 1e-8, .velocity_scale = 0.0981, .work = 20.0 * CRM_WORK_PER_SECOND, .threads = 1};

static crm_rigid_solver *solver_create(void) {
    crm_rigid_solver *solver = NULL;
    CHECK_INT(crm_rigid_solver_create(NULL, &solver, NULL), CAROM_OK);
    return solver;
}

// From `guess` (rows; NULL: zeros).
static solution solve(crm_rigid_solver *solver, const rigid_heap *heap, const crm_rigid_options *options,
                      const double *guess) {
    solution out = {.impulse = calloc((size_t)heap_rows(heap) + 1, sizeof(double)),
                    .velocity = calloc((size_t)heap_rows(heap) + 1, sizeof(double)),
                    .change = calloc((size_t)heap->problem.body_count + 1, sizeof(crm_vec6))};
    if (guess != NULL) memcpy(out.impulse, guess, sizeof(double) * (size_t)heap_rows(heap));
    CHECK_INT(
        crm_rigid_solve(solver, &heap->problem, options, out.impulse, out.velocity, out.change, &out.report, NULL),
        CAROM_OK);
    return out;
}

static void solution_free(solution *s) {
    free(s->impulse), free(s->velocity), free(s->change);
}

// ---- closed forms

// A point of mass 2 on a slope: sticks where mu is above the slope's tangent, else slides with r_t = mu r_n.
static void point_on_slope(double mu, double slope) {
    rigid_heap *heap = heap_create(4);
    carom_vec3 normal = {sin(slope), 0, cos(slope)};
    crm_vec6 falls = crm_vec6_of((carom_vec3){0, 0, -0.1}, crm_vec3_zero());
    heap_add_body(heap, HEAP_POINT, 2.0, crm_vec3_zero(), (carom_quat){1, 0, 0, 0}, falls);
    heap_add_contact(heap, -1, 0, crm_vec3_zero(), crm_vec3_zero(), normal, mu);
    crm_rigid_solver *solver = solver_create();
    solution s = solve(solver, heap, &tight, NULL);
    double pressure = 2.0 * 0.1 * cos(slope), weight = 2.0 * 0.1 * sin(slope);
    CHECK_NEAR(s.impulse[0], pressure, 1e-12);
    CHECK_NEAR(hypot(s.impulse[1], s.impulse[2]), fmin(weight, mu * pressure), 2e-5 * pressure);
    CHECK_NEAR(hypot(s.velocity[1], s.velocity[2]), fmax(weight - mu * pressure, 0.0) / 2.0, 1e-5);
    CHECK(s.report.residual <= 1e-8 && s.report.unmet == 0 && s.report.islands == 1);
    solution_free(&s);
    crm_rigid_solver_destroy(solver);
    heap_destroy(heap);
}

TEST(points_on_slopes) {
    point_on_slope(0.5, 0.3);
    point_on_slope(0.5, 0.9);
    point_on_slope(0.0, 0.5);
}

// A pendulum of a point: the joint takes up what gravity has given; a limit that approaches stops; a motor of at most
// 0.3 gives 0.3.
TEST(joints_limits_motors) {
    rigid_heap *heap = heap_create(8);
    carom_quat none = {1, 0, 0, 0};
    crm_vec6 falls = crm_vec6_of((carom_vec3){0, 0, -0.1}, (carom_vec3){0, 0, -1}), nothing = crm_vec6_zero();
    heap_add_body(heap, HEAP_FREE, 2.0, (carom_vec3){1, 1, 1}, none, falls);
    heap_add_body(heap, HEAP_FREE, 2.0, (carom_vec3){1, 1, 1}, none, falls);
    heap_add_body(heap, HEAP_FREE, 2.0, (carom_vec3){1, 1, 1}, none, falls);
    heap_add_ball(heap, -1, 0, crm_vec3_zero(), crm_vec3_zero());
    crm_vec6 spin = crm_vec6_of(crm_vec3_zero(), (carom_vec3){0, 0, 1});
    heap_add_row(heap, CAROM_LAW_UNILATERAL, -1, 1, nothing, spin, 0.0, 0.0);
    heap_add_row(heap, CAROM_LAW_BOX, -1, 2, nothing, spin, -0.3, 0.3);
    crm_rigid_solver *solver = solver_create();
    solution s = solve(solver, heap, &tight, NULL);
    CHECK_INT(s.report.islands, 3);
    CHECK_NEAR(s.impulse[2], 0.2, 1e-14);
    CHECK_NEAR(s.impulse[3], 1.0, 1e-14);
    CHECK_NEAR(s.impulse[4], 0.3, 1e-14);
    CHECK_NEAR(s.velocity[4], -0.7, 1e-14);
    CHECK_NEAR(s.change[0].linear.z, 0.2, 1e-14);
    CHECK_NEAR(s.change[1].angular.z, 1.0, 1e-14);
    CHECK_INT(s.report.island_of_block[2], 2);
    solution_free(&s);
    crm_rigid_solver_destroy(solver);
    heap_destroy(heap);
}

// Rows that give way, of the law r + A u = b with A = 1/c and b = -offset/c: by hand, of a body of inverse inertia 1
// that spins at -1. One yields, one is held by its bound, three of a block are solved together.
TEST(compliant_rows) {
    rigid_heap *heap = heap_create(8);
    carom_quat none = {1, 0, 0, 0};
    crm_vec6 spins = crm_vec6_of((carom_vec3){0, 0, -0.1}, (carom_vec3){0, 0, -1}), nothing = crm_vec6_zero();
    for (int k = 0; k < 3; k++) heap_add_body(heap, HEAP_FREE, 2.0, (carom_vec3){1, 1, 1}, none, spins);
    crm_vec6 spin = crm_vec6_of(crm_vec3_zero(), (carom_vec3){0, 0, 1});
    int yields = heap_add_row(heap, CAROM_LAW_EQUALITY, -1, 0, nothing, spin, 0.0, 0.0);
    int bound = heap_add_row(heap, CAROM_LAW_BOX, -1, 1, nothing, spin, -0.3, 0.3);
    int ball = heap_add_ball(heap, -1, 2, crm_vec3_zero(), crm_vec3_zero());
    heap->blocks[yields].compliance[0] = 3.0;
    heap->blocks[bound].compliance[0] = 1.0;
    heap->blocks[yields].offset[0] = heap->blocks[bound].offset[0] = -1.0;
    heap->blocks[ball].compliance[2] = 0.5;
    crm_rigid_solver *solver = solver_create();
    solution s = solve(solver, heap, &tight, NULL);
    CHECK_NEAR(s.impulse[0], 0.5, 1e-14); // (-1 + r) + 3 r - 1 = 0
    CHECK_NEAR(s.velocity[0], -0.5, 1e-14);
    CHECK_NEAR(s.impulse[1], 0.3, 1e-14);
    CHECK_NEAR(s.impulse[4], 0.1, 1e-14); // (-0.1 + r / 2) + r / 2 = 0
    solution_free(&s);
    crm_rigid_solver_destroy(solver);
    heap_destroy(heap);
}

// Two bodies held by the same joint twice: rows that depend on each other do no harm.
TEST(redundant_joints) {
    rigid_heap *heap = heap_create(8);
    crm_vec6 falls = crm_vec6_of((carom_vec3){0.1, 0, -0.1}, (carom_vec3){0, 1, 0});
    heap_add_body(heap, HEAP_FREE, 2.0, (carom_vec3){1, 2, 2}, (carom_quat){1, 0, 0, 0}, falls);
    for (int k = 0; k < 2; k++) heap_add_ball(heap, -1, 0, crm_vec3_zero(), (carom_vec3){1, 0, 0});
    crm_rigid_block *six = &heap->blocks[1]; // three rows, twice
    six->rows = 6;
    for (int i = 0; i < 3; i++) six->on_a[3 + i] = six->on_a[i], six->on_b[3 + i] = six->on_b[i];
    heap->block_rows += 3;
    crm_rigid_solver *solver = solver_create();
    solution s = solve(solver, heap, &tight, NULL);
    CHECK(s.report.residual <= 1e-8);
    for (int i = 0; i < 9; i++) CHECK_NEAR(s.velocity[i], 0.0, 1e-8);
    solution_free(&s);
    crm_rigid_solver_destroy(solver);
    heap_destroy(heap);
}

// ---- against the general evaluator

static void check_residual(const rigid_heap *heap, const solution *s, double tolerance) {
    heap_general *general = heap_as_general(heap);
    double *other = calloc((size_t)general->rows + 1, sizeof *other);
    carom_solver_state *state;
    carom_residual_report wanted;
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    heap_to_general(heap, s->impulse, other);
    CHECK_INT(carom_residual_evaluate(state, &general->problem, tight.velocity_scale, other, NULL, &wanted, NULL),
              CAROM_OK);
    CHECK(wanted.residual <= tolerance);
    carom_solver_state_destroy(state);
    heap_general_destroy(general);
    free(other);
}

static void meets(rigid_heap *heap, double tolerance) {
    crm_rigid_options options = tight;
    options.tolerance = tolerance;
    crm_rigid_solver *solver = solver_create();
    solution s = solve(solver, heap, &options, NULL);
    CHECK(s.report.residual <= tolerance);
    CHECK_INT(s.report.unmet, 0);
    check_residual(heap, &s, tolerance);
    // Solved is solved: nothing is done for a guess that is met.
    solution again = solve(solver, heap, &options, s.impulse);
    CHECK_INT(again.report.iterations, 0);
    CHECK(memcmp(s.impulse, again.impulse, sizeof(double) * (size_t)heap_rows(heap)) == 0);
    solution_free(&again);
    solution_free(&s);
    crm_rigid_solver_destroy(solver);
    heap_destroy(heap);
}

TEST(walls_and_towers) {
    sampler s = {.seed = 21};
    meets(heap_wall(&s, 6, 5, 0.6, 0.1), 1e-3);
    meets(heap_wall(&s, 9, 4, 0.3, 0.0), 1e-3);
    meets(heap_towers(&s, 12, 3, 0.5, 0.2), 1e-3);
    meets(heap_towers(&s, 1, 1, 0.5, 0.2), 1e-8);
}

// Velocities of convex problems are unique, impulses are not: four corners share a weight in many ways, and with it the
// moment of exact friction about a normal.
static void compare_with_general(rigid_heap *heap) {
    heap_general *general = heap_as_general(heap);
    int bodies = heap->problem.body_count;
    double *r = calloc((size_t)general->rows + 1, sizeof *r), *v = calloc(6 * (size_t)bodies + 1, sizeof *v);
    carom_solver_state *state;
    carom_solve_options options = carom_solve_options_default();
    carom_solve_report report;
    options.velocity_scale = tight.velocity_scale;
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    CHECK_INT(carom_solve(state, &general->problem, &options, r, v, &report, NULL), CAROM_OK);
    CHECK_INT(report.outcome, CAROM_SOLVE_OUTCOME_MET);
    crm_rigid_solver *solver = solver_create();
    solution s = solve(solver, heap, &tight, NULL);
    CHECK(s.report.residual <= tight.tolerance);
    for (int k = 0; k < bodies; k++) {
        const crm_rigid_body *body = &heap->bodies[k];
        double inverse_mass = body->linear.x * body->linear.x;
        carom_vec3 own = crm_madd(body->free.linear, inverse_mass, s.change[k].linear);
        CHECK_NEAR(crm_distance(own, (carom_vec3){v[6 * k], v[6 * k + 1], v[6 * k + 2]}), 0.0, 1e-6);
    }
    solution_free(&s);
    crm_rigid_solver_destroy(solver);
    carom_solver_state_destroy(state);
    heap_general_destroy(general);
    heap_destroy(heap);
    free(r), free(v);
}

TEST(as_the_general_solver) {
    sampler s = {.seed = 27};
    for (int i = 0; i < 6; i++) {
        compare_with_general(heap_towers(&s, 2, 2 + i, 0.0, 0.1 * i));
        compare_with_general(heap_wall(&s, 3, 2 + i / 2, 0.0, 0.1 * i));
        meets(heap_towers(&s, 2, 2 + i, 0.2 + 0.1 * i, 0.05 * i), 1e-8);
        meets(heap_wall(&s, 3, 2 + i / 2, 0.8 - 0.1 * i, 0.05 * i), 1e-8);
    }
    rigid_heap *relaxed = heap_towers(&s, 2, 2, 0.5, 0.3);
    relaxed->problem.relaxed = true;
    compare_with_general(relaxed);
}

TEST(relaxed_cones) {
    sampler s = {.seed = 22};
    rigid_heap *heap = heap_towers(&s, 3, 2, 0.5, 0.5);
    heap->problem.relaxed = true;
    meets(heap, 1e-3);
}

// ---- what must not change

static void check_threads(const rigid_heap *heap, crm_rigid_options options) {
    crm_rigid_solver *solver = solver_create();
    options.threads = 1;
    solution one = solve(solver, heap, &options, NULL);
    for (int threads = 2; threads <= 4; threads += 2) {
        options.threads = threads;
        solution more = solve(solver, heap, &options, NULL);
        CHECK(memcmp(one.impulse, more.impulse, sizeof(double) * (size_t)heap_rows(heap)) == 0);
        CHECK(memcmp(one.velocity, more.velocity, sizeof(double) * (size_t)heap_rows(heap)) == 0);
        CHECK(one.report.work == more.report.work && one.report.residual == more.report.residual);
        CHECK(memcmp(one.change, more.change, sizeof *one.change * (size_t)heap->problem.body_count) == 0);
        solution_free(&more);
    }
    solution_free(&one);
    crm_rigid_solver_destroy(solver);
}

TEST(threads_change_nothing) {
    sampler s = {.seed = 23};
    rigid_heap *heap = heap_towers(&s, 60, 3, 0.4, 0.3);
    crm_rigid_options options = tight;
    options.tolerance = 1e-3;
    check_threads(heap, options);
    heap_destroy(heap);
}

// Islands that are cut into sections, with and without joints, and beside small ones; relaxed cones.
TEST(threads_change_nothing_in_large_islands) {
    sampler s = {.seed = 28};
    rigid_heap *heaps[] = {heap_wall(&s, 50, 14, 0.5, 0.4), heap_random(&s, 1000, 5000, 40)};
    for (int i = 0; i < 2; i++) {
        crm_rigid_options options = tight;
        CHECK(heaps[i]->problem.contact_count > 4500);
        options.tolerance = 1e-2;
        check_threads(heaps[i], options);
        options.sweeps = 5;
        heaps[i]->problem.relaxed = true;
        check_threads(heaps[i], options);
        heap_destroy(heaps[i]);
    }
}

TEST(no_more_work_than_allowed) {
    sampler s = {.seed = 24};
    rigid_heap *heap = heap_wall(&s, 8, 8, 0.6, 0.5);
    crm_rigid_solver *solver = solver_create();
    for (double each = 500.0; each < 1e6; each *= 3.0) {
        crm_rigid_options options = tight;
        options.tolerance = 1e-12;
        options.work = each * heap->problem.contact_count;
        solution sol = solve(solver, heap, &options, NULL);
        CHECK(sol.report.work <= options.work);
        check_residual(heap, &sol, sol.report.residual * (1.0 + 1e-10) + 1e-13); // rounding of two evaluators
        solution_free(&sol);
    }
    crm_rigid_solver_destroy(solver);
    heap_destroy(heap);
}

TEST(a_number_of_sweeps) {
    sampler s = {.seed = 25};
    rigid_heap *heap = heap_wall(&s, 8, 8, 0.6, 0.5);
    crm_rigid_solver *solver = solver_create();
    crm_rigid_options options = tight;
    double before = INFINITY;
    for (int sweeps = 5; sweeps <= 80; sweeps *= 4) {
        options.sweeps = sweeps;
        solution sol = solve(solver, heap, &options, NULL);
        CHECK_INT(sol.report.iterations, sweeps);
        CHECK(sol.report.residual < before);
        before = sol.report.residual;
        check_residual(heap, &sol, before * (1.0 + 1e-10));
        solution_free(&sol);
    }
    crm_rigid_solver_destroy(solver);
    heap_destroy(heap);
}

TEST(nothing_to_solve) {
    rigid_heap *heap = heap_create(2);
    crm_rigid_solver *solver = solver_create();
    solution none = solve(solver, heap, &tight, NULL);
    CHECK_INT(none.report.islands, 0);
    CHECK_NEAR(none.report.residual, 0.0, 0.0);
    solution_free(&none);
    heap_add_body(heap, HEAP_FREE, 1.0, (carom_vec3){1, 1, 1}, (carom_quat){1, 0, 0, 0}, crm_vec6_zero());
    solution alone = solve(solver, heap, &tight, NULL);
    CHECK_NEAR(crm_length(alone.change[0].linear), 0.0, 0.0);
    solution_free(&alone);
    crm_rigid_solver_destroy(solver);
    heap_destroy(heap);
}

// What is not a number is no guess, and in the problem itself makes it unsolved, not endless.
TEST(numbers_that_are_none) {
    sampler s = {.seed = 26};
    rigid_heap *heap = heap_towers(&s, 20, 4, 0.4, 0.1);
    crm_rigid_options options = tight;
    options.tolerance = 1e-3;
    crm_rigid_solver *solver = solver_create();
    double *guess = calloc((size_t)heap_rows(heap), sizeof *guess);
    guess[7] = NAN, guess[300] = INFINITY;
    for (int sweeps = 0; sweeps <= 20; sweeps += 20) {
        options.sweeps = sweeps;
        solution sol = solve(solver, heap, &options, guess);
        CHECK(sol.report.residual <= (sweeps > 0 ? 1.0 : 1e-3));
        solution_free(&sol);
    }
    heap->bodies[5].free.linear.x = NAN;
    solution sol = solve(solver, heap, &options, NULL);
    CHECK(sol.report.residual == INFINITY);
    CHECK(sol.report.unmet >= 1);
    solution_free(&sol);
    free(guess);
    crm_rigid_solver_destroy(solver);
    heap_destroy(heap);
}

TEST_MAIN(CASE(points_on_slopes), CASE(joints_limits_motors), CASE(compliant_rows), CASE(redundant_joints),
          CASE(walls_and_towers), CASE(as_the_general_solver), CASE(relaxed_cones), CASE(threads_change_nothing),
          CASE(threads_change_nothing_in_large_islands), CASE(no_more_work_than_allowed), CASE(a_number_of_sweeps),
          CASE(nothing_to_solve), CASE(numbers_that_are_none))
