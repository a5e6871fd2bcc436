// SPDX-License-Identifier: MIT
// The Newton methods and the fallback cascade on problems with known solutions, on stacks with redundant contacts, and
// stored ones.
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/solve.h"
#include "math/vec3.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"
#include "support/problem/contact_stacks.h"
#include "support/problem/solved_problem.h"

static const double step = 0.01, gravity = 9.81;

static const carom_solver methods[] = {CAROM_SOLVER_AUTO, CAROM_SOLVER_SEMISMOOTH, CAROM_SOLVER_SMOOTHING,
                                       CAROM_SOLVER_INTERIOR};
enum { METHODS = sizeof methods / sizeof methods[0] };

// A cube on a slope, four contacts: sticks below the angle of friction, slides with g (sin - mu cos) above it.
TEST(cube_on_a_slope) {
    for (int m = 0; m < METHODS; m++)
        for (int k = 0; k < 8; k++) {
            double angle = 0.1 * k, mu = 0.35, mass = 5.0;
            contact_problem *p = contact_problem_create();
            carom_vec3 fall = {gravity * step * sin(angle), 0, -gravity * step * cos(angle)};
            add_body(p, mass, mass / 6, fall, crm_vec3_zero());
            for (int corner = 0; corner < 4; corner++) {
                carom_vec3 lever = {corner % 2 - 0.5, corner / 2 - 0.5, -0.5};
                add_contact(p, -1, 0, crm_vec3_zero(), lever, crm_vec3(0, 0, 1), mu);
            }
            double r[12], v[6], sum = 0.0;
            CHECK_INT(solve_by(methods[m], &p->problem, 1e-9, r, v).outcome, CAROM_SOLVE_OUTCOME_MET);
            double slide = tan(angle) > mu ? gravity * step * (sin(angle) - mu * cos(angle)) : 0.0;
            CHECK_NEAR(v[0], slide, 1e-9);
            for (int i = 1; i < 6; i++) CHECK_NEAR(v[i], 0, 1e-9);
            for (int i = 0; i < 4; i++) sum += r[3 * i];
            CHECK_NEAR(sum, mass * gravity * step * cos(angle), 1e-7);
            contact_problem_destroy(p);
        }
}

// A ball in a wedge of 2 x 45 degrees, friction or not: each side carries weight / sqrt 2 at least in the frictionless
// case, and the ball rests in any.
TEST(ball_in_a_wedge) {
    for (int m = 0; m < METHODS; m++)
        for (int k = 0; k < 3; k++) {
            double mu = 0.4 * k, half = sqrt(0.5), mass = 2.0, r[6], v[6];
            contact_problem *p = contact_problem_create();
            add_body(p, mass, 0.4 * mass, crm_vec3(0, 0, -gravity * step), crm_vec3_zero());
            for (int side = -1; side <= 1; side += 2)
                add_contact(p, -1, 0, crm_vec3_zero(), crm_vec3(-half * side, 0, -half), crm_vec3(half * side, 0, half),
                            mu);
            CHECK_INT(solve_by(methods[m], &p->problem, 1e-9, r, v).outcome, CAROM_SOLVE_OUTCOME_MET);
            for (int i = 0; i < 6; i++) CHECK_NEAR(v[i], 0, 1e-9);
            if (k == 0)
                for (int i = 0; i < 2; i++) CHECK_NEAR(r[3 * i], mass * gravity * step * half, 1e-8);
            contact_problem_destroy(p);
        }
}

// 1 g under 1 t: every gap carries the weight above it to the digits that there are.
TEST(light_under_heavy) {
    contact_problem *p = contact_problem_create();
    double masses[2] = {1e-3, 1e3}, r[24], v[12], sum[2] = {0};
    for (int box = 0; box < 2; box++)
        add_body(p, masses[box], masses[box] / 6, crm_vec3(0, 0, -gravity * step), crm_vec3_zero());
    for (int box = 0; box < 2; box++)
        for (int corner = 0; corner < 4; corner++) {
            double x = corner % 2 - 0.5, y = corner / 2 - 0.5;
            add_contact(p, box - 1, box, crm_vec3(x, y, 0.5), crm_vec3(x, y, -0.5), crm_vec3(0, 0, 1), 0.5);
        }
    carom_solve_report report = solve_by(CAROM_SOLVER_AUTO, &p->problem, 1e-10, r, v);
    CHECK_INT(report.outcome, CAROM_SOLVE_OUTCOME_MET);
    for (int i = 0; i < 8; i++) sum[i / 4] += r[3 * i];
    CHECK_NEAR(sum[0] / (gravity * step), 1e3 + 1e-3, 1e-6);
    CHECK_NEAR(sum[1] / (gravity * step), 1e3, 1e-6);
    contact_problem_destroy(p);
}

// Problems of all laws, with compliance, as bodies and as W. Without offsets rest is feasible, so there is a solution.
TEST(all_laws_as_bodies_and_as_a_matrix) {
    for (int k = 0; k < 30; k++) {
        sampler s = {.seed = 100 + (uint64_t)k};
        contact_problem *p = random_problem(&s, 6, 10);
        memset(p->offset, 0, sizeof p->offset);
        contact_problem *w = as_delassus(p);
        double *r = calloc((size_t)p->rows * 2, sizeof *r), *other = r + p->rows;
        CHECK_INT(solve_by(CAROM_SOLVER_AUTO, &p->problem, 1e-9, r, NULL).outcome, CAROM_SOLVE_OUTCOME_MET);
        CHECK_INT(solve_by(CAROM_SOLVER_AUTO, &w->problem, 1e-9, other, NULL).outcome, CAROM_SOLVE_OUTCOME_MET);
        free(r);
        contact_problem_destroy(w);
        contact_problem_destroy(p);
    }
}

TEST(three_forms_have_one_velocity) {
    check_three_forms(CAROM_SOLVER_AUTO);
}

static void check_stack(const stack_def *def, double tolerance) {
    contact_stack stack = stack_create(def);
    double *r = calloc((size_t)stack.rows, sizeof *r);
    carom_solve_report report = solve_by(CAROM_SOLVER_AUTO, &stack.problem, tolerance, r, NULL);
    if (!CHECK(report.outcome != CAROM_SOLVE_OUTCOME_NOT_MET))
        fprintf(stderr, "ratio %g: residual %.1e, floor %.1e after %s\n", def->ratio, report.residual.residual,
                report.residual.floor, report.tried);
    free(r);
    stack_destroy(&stack);
}

// Convex problems with redundant contacts and mass ratios up to a million, to 1e-10.
TEST(convex_stacks) {
    for (double ratio = 1.0; ratio < 1e7; ratio *= 100.0) {
        check_stack(&(stack_def){.size = {1, 1, 6},
                                 .per_edge = 3,
                                 .ratio = ratio,
                                 .friction = 0.5,
                                 .relaxed = true,
                                 .tilt = 0.4,
                                 .seed = 1},
                    1e-10);
        check_stack(&(stack_def){.size = {3, 1, 3},
                                 .per_edge = 2,
                                 .ratio = ratio,
                                 .friction = 0.6,
                                 .relaxed = true,
                                 .staggered = true,
                                 .sideways = true,
                                 .seed = 2},
                    1e-10);
        check_stack(
            &(stack_def){.size = {2, 2, 2}, .per_edge = 2, .ratio = ratio, .sideways = true, .push = 0.1, .seed = 3},
            1e-10);
    }
}

// Exact friction, sliding and sticking contacts in one stack.
TEST(sliding_stacks) {
    for (double ratio = 1.0; ratio < 1e7; ratio *= 100.0) {
        check_stack(
            &(stack_def){.size = {1, 1, 5}, .per_edge = 3, .ratio = ratio, .friction = 0.4, .tilt = 0.5, .seed = 4},
            1e-8);
        check_stack(
            &(stack_def){.size = {1, 1, 6}, .per_edge = 2, .ratio = ratio, .friction = 0.5, .push = 0.1, .seed = 5},
            1e-8);
        check_stack(
            &(stack_def){
                .size = {4, 1, 4}, .per_edge = 2, .ratio = ratio, .friction = 0.6, .staggered = true, .seed = 6},
            1e-8);
    }
}

// A guess near the answer saves most of the steps; a wrong one does no harm.
TEST(warm_starts_are_quick) {
    stack_def def = {
        .size = {5, 1, 5}, .per_edge = 2, .ratio = 10.0, .friction = 0.6, .staggered = true, .push = 0.02, .seed = 7};
    contact_stack stack = stack_create(&def);
    double *r = calloc((size_t)stack.rows, sizeof *r);
    carom_solver_state *state;
    carom_solve_options options = carom_solve_options_default();
    carom_solve_report cold, warm;
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    CHECK_INT(carom_solve(state, &stack.problem, &options, r, NULL, &cold, NULL), CAROM_OK);
    CHECK_INT(cold.outcome, CAROM_SOLVE_OUTCOME_MET);
    options.warm = true;
    CHECK_INT(carom_solve(state, &stack.problem, &options, r, NULL, &warm, NULL), CAROM_OK);
    CHECK_INT(warm.factorizations, 0);
    sampler s = {.seed = 8};
    for (int n = 0; n < stack.problem.node_count; n++)
        for (int i = 0; i < 6; i++) stack.nodes[n].free[i] *= 1.0 + 1e-5 * sample_between(&s, -1.0, 1.0);
    CHECK_INT(carom_solve(state, &stack.problem, &options, r, NULL, &warm, NULL), CAROM_OK);
    CHECK_INT(warm.outcome, CAROM_SOLVE_OUTCOME_MET);
    CHECK(warm.factorizations <= 10 && 2 * warm.factorizations < cold.factorizations);
    for (int i = 0; i < stack.rows; i++) r[i] = sample_between(&s, -100.0, 100.0);
    CHECK_INT(carom_solve(state, &stack.problem, &options, r, NULL, &warm, NULL), CAROM_OK);
    CHECK_INT(warm.outcome, CAROM_SOLVE_OUTCOME_MET);
    carom_solver_state_destroy(state);
    free(r);
    stack_destroy(&stack);
}

// A body squeezed from two sides faster than it can go has no solution: every stage ends, and the report says so.
TEST(what_has_no_solution_ends) {
    for (int m = 0; m < METHODS; m++) {
        contact_problem *p = contact_problem_create();
        double r[6];
        add_body(p, 1.0, 0.1, crm_vec3_zero(), crm_vec3_zero());
        for (int side = -1; side <= 1; side += 2) {
            int group = add_contact(p, -1, 0, crm_vec3_zero(), crm_vec3(0, 0, 0.5 * side), crm_vec3(0, 0, -side), 0.3);
            p->offset[3 * group] = -1.0;
        }
        carom_solve_report report = solve_by(methods[m], &p->problem, 1e-8, r, NULL);
        CHECK_INT(report.outcome, CAROM_SOLVE_OUTCOME_INFEASIBLE);
        CHECK(report.residual.residual > 0.1 && report.factorizations < 3000);
        for (int i = 0; i < 6; i++) CHECK(isfinite(r[i]));
        contact_problem_destroy(p);
    }
}

TEST(warm_calls_allocate_nothing_and_refusals_leak_nothing) {
    contact_problem *large = box_tower(8, 0.5, 1.0, crm_vec3(0.1, 0, 0)),
                    *small = box_tower(2, 0.5, 1.0, crm_vec3_zero());
    double r[96], first[96];
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    carom_solver_state *state;
    CHECK_INT(carom_solver_state_create(&hook, &state, NULL), CAROM_OK);
    CHECK_INT(carom_solve(state, &large->problem, NULL, first, NULL, NULL, NULL), CAROM_OK);
    CHECK_INT(carom_solve(state, &small->problem, NULL, r, NULL, NULL, NULL), CAROM_OK);
    long long calls = probe.calls;
    for (int k = 0; k < 3; k++) {
        CHECK_INT(carom_solve(state, &large->problem, NULL, r, NULL, NULL, NULL), CAROM_OK);
        CHECK(memcmp(r, first, sizeof r) == 0); // and the same bits come out
    }
    CHECK_INT(probe.calls, calls);
    carom_solver_state_destroy(state);
    CHECK_INT(probe.live_blocks, 0);
    for (int n = 1; n < calls + 2; n++) {
        probe_allocator refusing = {.refused_call = n};
        hook = probe_allocator_hook(&refusing);
        carom_status status = carom_solver_state_create(&hook, &state, NULL);
        if (status == CAROM_OK) status = carom_solve(state, &large->problem, NULL, r, NULL, NULL, NULL);
        CHECK(status == CAROM_OK || status == CAROM_ERR_NO_MEMORY);
        carom_solver_state_destroy(state);
        CHECK_INT(refusing.live_blocks, 0);
    }
    contact_problem_destroy(large);
    contact_problem_destroy(small);
}

// Every problem in the folder `friction` of the one that CAROM_PROBLEMS names, to 1e-8.
TEST(stored_problems) {
    const char *root = getenv("CAROM_PROBLEMS");
    char folder[2048];
    snprintf(folder, sizeof folder, "%.2000s/friction", root != NULL ? root : "");
    DIR *files = root != NULL ? opendir(folder) : NULL;
    if (files == NULL) skip();
    int count = 0;
    for (struct dirent *file = readdir(files); file != NULL; file = readdir(files)) {
        size_t length = strlen(file->d_name);
        if (length < 5 || strcmp(file->d_name + length - 5, ".json") != 0) continue;
        char path[4096];
        carom_stored_problem *stored;
        snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
        if (carom_problem_read(path, NULL, &stored, NULL) != CAROM_OK) continue; // rolling friction
        double *r = calloc((size_t)carom_problem_row_count(&stored->problem) + 1, sizeof *r);
        carom_solve_report report = solve_by(CAROM_SOLVER_AUTO, &stored->problem, 1e-8, r, NULL);
        if (!CHECK_INT(report.outcome, CAROM_SOLVE_OUTCOME_MET))
            fprintf(stderr, "%s: %.1e after %s\n", file->d_name, report.residual.residual, report.tried);
        free(r);
        carom_stored_problem_destroy(stored);
        count++;
    }
    CHECK(count > 0);
    closedir(files);
}

TEST_MAIN(CASE(cube_on_a_slope), CASE(ball_in_a_wedge), CASE(light_under_heavy),
          CASE(all_laws_as_bodies_and_as_a_matrix), CASE(three_forms_have_one_velocity), CASE(convex_stacks),
          CASE(sliding_stacks), CASE(warm_starts_are_quick), CASE(what_has_no_solution_ends),
          CASE(warm_calls_allocate_nothing_and_refusals_leak_nothing), CASE(stored_problems))
