// SPDX-License-Identifier: MIT
// Sweeps with Anderson's acceleration: fewer of them than without, always with impulses in their cones, with velocities
// that stay those of the impulses; and local refinement, small sub-problems that are solved while the rest is held.
#include "solve/sweeps/accelerate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "solve/residual.h"
#include "solve/sweeps/local_refinement.h"
#include "support/harness/check.h"
#include "support/problem/contact_problem.h"

static void pack(const contact_problem *p, crm_arena *arena, crm_operator *op) {
    crm_layout layout;
    CHECK_INT(crm_problem_lay_out(&p->problem, arena, &layout, NULL), CAROM_OK);
    CHECK_INT(crm_operator_build(&p->problem, &layout, NULL, arena, op, NULL), CAROM_OK);
}

static double residual(const crm_operator *op, const double *r, crm_arena *arena) {
    carom_residual_report report;
    double *work = CRM_ARENA_ARRAY(arena, double, crm_residual_work(op));
    double *u = CRM_ARENA_ARRAY(arena, double, op->row_count);
    crm_residual_of(op, 0.0, r, work, u, &report);
    return report.residual;
}

static int sweeps_to(double tolerance, int most, bool accelerated, const contact_problem *p) {
    crm_arena arena;
    crm_operator op;
    crm_sweep sweep;
    crm_accelerated_sweep fast;
    crm_arena_init(&arena, NULL);
    double *r = calloc((size_t)p->rows, sizeof *r);
    pack(p, &arena, &op);
    CHECK_INT(crm_sweep_prepare(&op, &arena, r, &sweep, NULL), CAROM_OK);
    CHECK(crm_accelerate_prepare(&sweep, &arena, &fast));
    crm_accelerate_restart(&fast);
    int count = 0;
    while (count < most && residual(&op, r, &arena) > tolerance) {
        if (accelerated)
            crm_accelerate_once(&fast);
        else
            crm_sweep_once(&sweep);
        count++;
        for (int i = 0; i < p->rows; i += 3)
            CHECK(hypot(r[i + 1], r[i + 2]) <= p->groups[i / 3].friction * r[i] * (1.0 + 1e-12));
    }
    crm_arena_free(&arena);
    free(r);
    return count;
}

// A tower takes sweeps by the square of its height, as news travels one box at a time in either direction.
TEST(towers_take_far_fewer_sweeps) {
    contact_problem *p = box_tower(8, 0.5, 1.0, crm_vec3_zero());
    int fast = sweeps_to(1e-8, 1000, true, p);
    CHECK(fast < 1000);
    CHECK_INT(sweeps_to(1e-8, 4 * fast, false, p), 4 * fast);
    contact_problem_destroy(p);
}

TEST(velocities_stay_those_of_the_impulses) {
    contact_problem *p = box_tower(8, 0.4, 1.5, crm_vec3(0.1, 0.0, 0.0));
    crm_arena arena;
    crm_operator op;
    crm_sweep sweep;
    crm_accelerated_sweep fast;
    crm_arena_init(&arena, NULL);
    double *r = calloc((size_t)p->rows, sizeof *r);
    pack(p, &arena, &op);
    CHECK_INT(crm_sweep_prepare(&op, &arena, r, &sweep, NULL), CAROM_OK);
    CHECK(crm_accelerate_prepare(&sweep, &arena, &fast));
    crm_accelerate_restart(&fast);
    for (int k = 0; k < 99; k++) crm_accelerate_once(&fast);
    int count = CRM_SWEEP_STRIDE * op.node_count;
    double *kept = malloc(sizeof(double) * (size_t)count), largest = 0.0;
    memcpy(kept, sweep.z, sizeof(double) * (size_t)count);
    crm_sweep_refresh(&sweep);
    for (int i = 0; i < count; i++) largest = fmax(largest, fabs(sweep.z[i]));
    CHECK(largest > 0.0);
    for (int i = 0; i < count; i++) CHECK_NEAR(kept[i], sweep.z[i], 1e-11 * largest);
    free(kept), free(r);
    crm_arena_free(&arena);
    contact_problem_destroy(p);
}

// Ten towers side by side; of one the impulses are wrong. It alone is solved, all of it.
TEST(a_sub_problem_is_solved_and_the_rest_is_held) {
    enum { TOWERS = 10, BOXES = 4, WRONG = 6 };
    contact_problem *p = contact_problem_create();
    for (int t = 0; t < TOWERS; t++)
        for (int k = 0; k < BOXES; k++) {
            int box = add_body(p, 1.0 + 0.1 * t, 1.0 / 6, crm_vec3(0.02, 0.01 * t, -0.0981), crm_vec3_zero());
            for (int corner = 0; corner < 4; corner++) {
                double x = corner % 2 - 0.5, y = corner / 2 - 0.5;
                add_contact(p, k > 0 ? box - 1 : -1, box, crm_vec3(x, y, 0.5), crm_vec3(x, y, -0.5), crm_vec3(0, 0, 1),
                            0.3);
            }
        }
    crm_arena arena;
    crm_operator op;
    crm_stage stage = {0};
    crm_arena_init(&arena, NULL);
    double *r = calloc((size_t)p->rows, sizeof *r), *before = malloc(sizeof(double) * (size_t)p->rows);
    pack(p, &arena, &op);
    carom_solve_options options = carom_solve_options_default();
    options.tolerance = 1e-10;
    CHECK_INT(crm_solve_auto(&op, &options, &arena, r, &stage, NULL), CAROM_OK);
    CHECK_INT(stage.outcome, CAROM_SOLVE_OUTCOME_MET);
    int rows = p->rows / TOWERS, sub_problems;
    for (int i = 0; i < rows; i++) r[WRONG * rows + i] *= i / 12 % 2 == 0 ? 0.5 : 1.5; // layer by layer
    memcpy(before, r, sizeof(double) * (size_t)p->rows);
    CHECK(residual(&op, r, &arena) > 0.01);
    CHECK_INT(crm_refine_locally(&op, &options, 0.1, &arena, r, &sub_problems, &stage, NULL), CAROM_OK);
    CHECK_INT(sub_problems, 1);
    CHECK(residual(&op, r, &arena) <= options.tolerance);
    for (int i = 0; i < p->rows; i++)
        if (i / rows != WRONG) CHECK(r[i] == before[i]);
    // Where all is wrong there is no sub-problem.
    memset(r, 0, sizeof(double) * (size_t)p->rows);
    p->problem.group_count = p->problem.entry_count = 4;
    p->problem.node_count = 1;
    pack(p, &arena, &op);
    CHECK_INT(crm_refine_locally(&op, &options, 0.1, &arena, r, &sub_problems, &stage, NULL), CAROM_OK);
    CHECK_INT(sub_problems, 0);
    for (int i = 0; i < 12; i++) CHECK(r[i] == 0.0);
    free(r), free(before);
    crm_arena_free(&arena);
    contact_problem_destroy(p);
}

TEST_MAIN(CASE(towers_take_far_fewer_sweeps), CASE(velocities_stay_those_of_the_impulses),
          CASE(a_sub_problem_is_solved_and_the_rest_is_held))
