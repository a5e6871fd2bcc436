// SPDX-License-Identifier: MIT
// Values and derivatives of programs, and a few programs whose solutions are known, by Ipopt.
#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "control/program/builder.h"
#include "control/solver/program_solver.h"
#include "support/control/derivatives.h"
#include "support/harness/check.h"

static const crm_place whole = {CRM_PLACE_WHOLE, 0, 0};

typedef struct bench {
    crm_program_builder builder;
    crm_arena arena;
    crm_program program;
    crm_program_point point;
    crm_program_result result;
} bench;

static bench begin(void) {
    bench b = {.result = {.iterations = 0}};
    crm_program_begin(&b.builder, NULL);
    crm_arena_init(&b.arena, NULL);
    return b;
}

static bool finish(bench *b) {
    carom_error error = {.text = ""};
    bool good = CHECK(crm_program_finish(&b->builder, &b->arena, &b->program, &error) == CAROM_OK) &&
                CHECK(crm_program_point_create(&b->program, &b->arena, &b->point, &error) == CAROM_OK);
    crm_program_discard(&b->builder);
    return good;
}

static bool solve(bench *b, double tolerance) {
    carom_error error = {.text = ""};
    crm_program_settings settings = {.tolerance = tolerance, .iteration_limit = 200};
    return CHECK(crm_solve_program_by_ipopt(&b->program, &settings, NULL, NULL, &b->point, &b->result, &b->arena,
                                            &error) == CAROM_OK);
}

// r[0] = sin(a) b + exp(c), r[1] = a b c
static bool wavy(const void *data, const double *z, const double *weight, double *value, double *gradient,
                 double *hessian) {
    (void)data;
    double a = z[0], b = z[1], c = z[2];
    value[0] = sin(a) * b + exp(c), value[1] = a * b * c;
    if (gradient != NULL) {
        const double g[6] = {cos(a) * b, sin(a), exp(c), b * c, a * c, a * b};
        for (int i = 0; i < 6; i++) gradient[i] = g[i];
    }
    if (hessian != NULL) {
        double v = weight[0], w = weight[1];
        const double h[9] = {-v * sin(a) * b, v * cos(a) + w * c, w * b, v * cos(a) + w * c, 0.0, w * a, w * b,
                             w * a,           v * exp(c)};
        for (int i = 0; i < 9; i++) hessian[i] = h[i];
    }
    return true;
}

TEST(derivatives_agree_with_differences) {
    bench b = begin();
    crm_random random = {.seed = 7, .stream = 0};
    for (int i = 0; i < 8; i++) (void)crm_program_add_unknown(&b.builder, -INFINITY, INFINITY, whole);
    for (int r = 0; r < 5; r++) (void)crm_program_add_row(&b.builder, 0.0, 0.0, whole);
    for (int k = 0; k < 60; k++) {
        int32_t factor[4];
        int factors = 1 + (int)crm_random_below(&random, 4);
        // Of eight unknowns, so that products have squares and cubes among them.
        for (int i = 0; i < factors; i++) factor[i] = (int32_t)crm_random_below(&random, 8);
        crm_program_add_term(&b.builder, (int32_t)crm_random_below(&random, 6) - 1,
                             crm_random_between(&random, -1.0, 1.0), factors, factor);
    }
    const int32_t unknown[3] = {6, 1, 3}, row[2] = {2, CRM_OBJECTIVE};
    crm_program_add_block(&b.builder, &(crm_program_block){wavy, NULL, 3, 2, unknown, row});
    if (finish(&b)) {
        for (int i = 0; i < 8; i++) b.point.z[i] = crm_random_between(&random, -1.0, 1.0);
        check_program_derivatives(&b.program, b.point.z, 1e-7);
    }
    crm_arena_free(&b.arena);
}

// The nearest point to (3, 4) of the unit circle is (0.6, 0.8), at 16, with the multiplier 4: 2 (z - a) + 2 y z = 0.
TEST(ipopt_finds_the_nearest_point_of_a_circle) {
    bench b = begin();
    int32_t x = crm_program_add_unknown(&b.builder, -INFINITY, INFINITY, whole);
    int32_t y = crm_program_add_unknown(&b.builder, -INFINITY, INFINITY, whole);
    int32_t circle = crm_program_add_row(&b.builder, 1.0, 1.0, whole);
    CRM_ADD_TERM(&b.builder, CRM_OBJECTIVE, 1.0, x, x);
    CRM_ADD_TERM(&b.builder, CRM_OBJECTIVE, 1.0, y, y);
    CRM_ADD_TERM(&b.builder, CRM_OBJECTIVE, -6.0, x);
    CRM_ADD_TERM(&b.builder, CRM_OBJECTIVE, -8.0, y);
    crm_program_add_constant(&b.builder, CRM_OBJECTIVE, 25.0);
    CRM_ADD_TERM(&b.builder, circle, 1.0, x, x);
    CRM_ADD_TERM(&b.builder, circle, 1.0, y, y);
    if (finish(&b)) {
        b.point.z[x] = 1.0, b.point.z[y] = 0.1;
        solve(&b, 1e-10);
        CHECK_INT(b.result.outcome, CRM_PROGRAM_SOLVED);
        CHECK_NEAR(b.point.z[x], 0.6, 1e-9);
        CHECK_NEAR(b.point.z[y], 0.8, 1e-9);
        CHECK_NEAR(b.point.multiplier[circle], 4.0, 1e-7);
        CHECK_NEAR(b.result.objective, 16.0, 1e-9);
        CHECK(b.result.inertia_right);
        CHECK(b.result.violation < 1e-10 && b.result.optimality < 1e-9);
    }
    crm_arena_free(&b.arena);
}

// min x^2 + y^2 with x + 2 y >= 5 and y <= 1: at (3, 1), where 2 z = y_row (1, 2) - bound (0, 1): row -6, bound 10.
TEST(ipopt_keeps_bounds_and_tells_multipliers) {
    bench b = begin();
    int32_t x = crm_program_add_unknown(&b.builder, -INFINITY, INFINITY, whole);
    int32_t y = crm_program_add_unknown(&b.builder, -INFINITY, 1.0, whole);
    int32_t fixed = crm_program_add_unknown(&b.builder, 2.0, 2.0, whole);
    int32_t row = crm_program_add_row(&b.builder, 5.0, INFINITY, whole);
    CRM_ADD_TERM(&b.builder, CRM_OBJECTIVE, 1.0, x, x);
    CRM_ADD_TERM(&b.builder, CRM_OBJECTIVE, 1.0, y, y);
    CRM_ADD_TERM(&b.builder, row, 1.0, x);
    CRM_ADD_TERM(&b.builder, row, 1.0, fixed, y);
    if (finish(&b)) {
        solve(&b, 1e-10);
        CHECK_INT(b.result.outcome, CRM_PROGRAM_SOLVED);
        CHECK_NEAR(b.point.z[x], 3.0, 1e-8);
        CHECK_NEAR(b.point.z[y], 1.0, 1e-8);
        CHECK_NEAR(b.point.multiplier[row], -6.0, 1e-6);
        CHECK_NEAR(b.point.bound_upper[y], 10.0, 1e-6);
        CHECK(b.result.optimality < 1e-8 && b.result.complementarity < 1e-8);
    }
    crm_arena_free(&b.arena);
}

// x^2 + 1 <= 0 has no solution: the least violation is at 0.
TEST(a_program_without_solutions_is_infeasible) {
    bench b = begin();
    int32_t x = crm_program_add_unknown(&b.builder, -INFINITY, INFINITY, whole);
    int32_t row = crm_program_add_row(&b.builder, -INFINITY, -1.0, whole);
    CRM_ADD_TERM(&b.builder, CRM_OBJECTIVE, 1.0, x);
    CRM_ADD_TERM(&b.builder, row, 1.0, x, x);
    if (finish(&b)) {
        b.point.z[x] = 1.0;
        solve(&b, 1e-8);
        CHECK_INT(b.result.outcome, CRM_PROGRAM_INFEASIBLE);
        CHECK_NEAR(b.point.z[x], 0.0, 1e-3);
        CHECK_NEAR(b.result.violation, 1.0, 1e-3);
    }
    crm_arena_free(&b.arena);
}

static bool stop_at_second(void *user, int iteration, double objective, double violation, double optimality,
                           double barrier) {
    (void)objective, (void)violation, (void)optimality, (void)barrier;
    *(int *)user = iteration;
    return iteration < 2;
}

TEST(the_callback_ends_a_solution) {
    bench b = begin();
    int32_t x = crm_program_add_unknown(&b.builder, -INFINITY, INFINITY, whole);
    CRM_ADD_TERM(&b.builder, CRM_OBJECTIVE, 1.0, x, x, x, x);
    if (finish(&b)) {
        int last = -1;
        carom_error error = {.text = ""};
        crm_program_settings settings = {.tolerance = 1e-12, .iteration_limit = 200};
        b.point.z[x] = 100.0;
        CHECK_INT(crm_solve_program_by_ipopt(&b.program, &settings, stop_at_second, &last, &b.point, &b.result,
                                             &b.arena, &error),
                  CAROM_OK);
        CHECK_INT(b.result.outcome, CRM_PROGRAM_INTERRUPTED);
        CHECK_INT(last, 2);
    }
    crm_arena_free(&b.arena);
}

// A file of that name in the working directory changes Ipopt, unless it is told otherwise.
TEST(no_file_beside_it_changes_a_solution) {
    FILE *file = fopen("ipopt.opt", "w");
    if (!CHECK(file != NULL)) return;
    fputs("max_iter 0\n", file);
    fclose(file);
    bench b = begin();
    int32_t x = crm_program_add_unknown(&b.builder, -INFINITY, INFINITY, whole);
    CRM_ADD_TERM(&b.builder, CRM_OBJECTIVE, 1.0, x, x);
    CRM_ADD_TERM(&b.builder, CRM_OBJECTIVE, -2.0, x);
    if (finish(&b)) {
        solve(&b, 1e-10);
        CHECK_NEAR(b.point.z[x], 1.0, 1e-9);
    }
    crm_arena_free(&b.arena);
    remove("ipopt.opt");
}

TEST_MAIN(CASE(derivatives_agree_with_differences), CASE(ipopt_finds_the_nearest_point_of_a_circle),
          CASE(ipopt_keeps_bounds_and_tells_multipliers), CASE(a_program_without_solutions_is_infeasible),
          CASE(the_callback_ends_a_solution), CASE(no_file_beside_it_changes_a_solution))
