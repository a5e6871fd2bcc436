// SPDX-License-Identifier: MIT
// ADMM on problems with known solutions, and its velocities against those of other solvers.
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

// A cube on a slope, four contacts: sticks below the angle of friction, slides with g (sin - mu cos) above it.
TEST(cube_on_a_slope) {
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
        CHECK_INT(solve_by(CAROM_SOLVER_ADMM, &p->problem, 1e-10, r, v).outcome, CAROM_SOLVE_OUTCOME_MET);
        double slide = tan(angle) > mu ? gravity * step * (sin(angle) - mu * cos(angle)) : 0.0;
        CHECK_NEAR(v[0], slide, 1e-10);
        for (int i = 1; i < 6; i++) CHECK_NEAR(v[i], 0, 1e-10);
        for (int i = 0; i < 4; i++) sum += r[3 * i];
        CHECK_NEAR(sum, mass * gravity * step * cos(angle), 1e-8);
        contact_problem_destroy(p);
    }
}

// One law after the other on a single velocity, m = 2: what r is by hand. u = v + w, v = 1 + r / 2.
TEST(laws_of_one_row) {
    const struct {
        carom_row_group group;
        double offset, compliance, impulse;
    } cases[] = {
        {{.law = CAROM_LAW_EQUALITY, .rows = 1}, 0.5, 0.0, -3.0},
        {{.law = CAROM_LAW_EQUALITY, .rows = 1}, 0.5, 0.25, -2.0},
        {{.law = CAROM_LAW_UNILATERAL, .rows = 1}, 0.5, 0.0, 0.0},
        {{.law = CAROM_LAW_UNILATERAL, .rows = 1}, -2.0, 0.0, 2.0},
        {{.law = CAROM_LAW_UNILATERAL, .rows = 1}, -2.0, 0.5, 1.0},
        {{.law = CAROM_LAW_BOX, .rows = 1, .lower = -1.0, .upper = 1.5}, -2.0, 0.0, 1.5},
        {{.law = CAROM_LAW_BOX, .rows = 1, .lower = -1.0, .upper = 1.5}, -1.5, 0.0, 1.0},
        {{.law = CAROM_LAW_BOX, .rows = 1, .lower = -1.0, .upper = 1.5}, 3.0, 0.0, -1.0},
        {{.law = CAROM_LAW_BOX, .rows = 1, .lower = -INFINITY, .upper = 1.5}, 3.0, 0.5, -4.0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        contact_problem *p = contact_problem_create();
        add_node(p, 1, (double[]){2}, (double[]){1});
        add_group(p, cases[k].group);
        add_entry(p, 0, 0, (double[]){1});
        p->offset[0] = cases[k].offset;
        p->compliance[0] = cases[k].compliance;
        p->problem.compliance = p->compliance;
        double r[1], v[1];
        CHECK_INT(solve_by(CAROM_SOLVER_ADMM, &p->problem, 1e-12, r, v).outcome, CAROM_SOLVE_OUTCOME_MET);
        CHECK_NEAR(r[0], cases[k].impulse, 1e-11);
        CHECK_NEAR(v[0], 1.0 + cases[k].impulse / 2.0, 1e-11);
        contact_problem_destroy(p);
    }
}

// A sliding particle on a compliant ground, friction exact or relaxed. m = 1, falls with 1 and slides with 2:
// (1 + c) n - 1 = 0 for the exact cone; for the relaxed one the velocity -1 + n (1 + c) equals mu times the speed that
// is left, 2 - mu n.
TEST(compliant_friction) {
    for (int relaxed = 0; relaxed < 2; relaxed++) {
        double mu = 0.5, c = 0.25, r[3], v[3];
        contact_problem *p = contact_problem_create();
        add_node(p, 3, (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, (double[]){-1, 2, 0});
        add_group(p, (carom_row_group){.law = CAROM_LAW_CONE, .rows = 3, .friction = mu, .relaxed = relaxed == 1});
        add_entry(p, 0, 0, (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1});
        p->compliance[0] = c;
        p->problem.compliance = p->compliance;
        CHECK_INT(solve_by(CAROM_SOLVER_ADMM, &p->problem, 1e-12, r, v).outcome, CAROM_SOLVE_OUTCOME_MET);
        double normal = relaxed == 1 ? (1 + 2 * mu) / (1 + c + mu * mu) : 1 / (1 + c);
        CHECK_NEAR(r[0], normal, 1e-11);
        CHECK_NEAR(r[1], -mu * normal, 1e-11);
        CHECK_NEAR(r[2], 0, 1e-11);
        contact_problem_destroy(p);
    }
}

static void mobility_of_nodes(void *user, const double *force, double *velocity) {
    const contact_problem *p = user;
    for (int n = 0, at = 0; n < p->problem.node_count; at += p->nodes[n++].size) {
        int size = p->nodes[n].size;
        double a[6][7];
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) a[i][j] = p->nodes[n].mass[i * size + j];
            a[i][size] = force[at + i];
        }
        for (int k = 0; k < size; k++) // Gauss and Jordan; the mass is positive definite
            for (int i = 0; i < size; i++) {
                if (i == k) continue;
                double factor = a[i][k] / a[k][k];
                for (int j = k; j <= size; j++) a[i][j] -= factor * a[k][j];
            }
        for (int i = 0; i < size; i++) velocity[at + i] = a[i][size] / a[i][i];
    }
}

// Problems of all laws with compliance, in all three forms, against other solvers. Without offsets rest is feasible, so
// there is a solution. Velocities are unique where all cones are relaxed, so that half is compared. Gauss-Seidel does
// not come to an end everywhere.
TEST(all_laws_and_forms_agree) {
    int swept = 0;
    for (int k = 0; k < 24; k++) {
        sampler s = {.seed = 300 + (uint64_t)k};
        contact_problem *p = random_problem(&s, 6, 10);
        bool unique = k % 2 == 0;
        memset(p->offset, 0, sizeof p->offset);
        for (int g = 0; g < p->problem.group_count; g++) p->groups[g].relaxed = p->groups[g].relaxed || unique;
        contact_problem *w = as_delassus(p);
        carom_problem mobile = p->problem;
        mobile.form = CAROM_FORM_MOBILITY;
        mobile.mobility = mobility_of_nodes;
        mobile.mobility_user = p;
        double *r = calloc((size_t)p->rows, sizeof *r), v[4][36];
        CHECK_INT(solve_by(CAROM_SOLVER_ADMM, &p->problem, 1e-10, r, v[0]).outcome, CAROM_SOLVE_OUTCOME_MET);
        CHECK_INT(solve_by(CAROM_SOLVER_ADMM, &mobile, 1e-10, r, v[1]).outcome, CAROM_SOLVE_OUTCOME_MET);
        CHECK_INT(solve_by(CAROM_SOLVER_AUTO, &p->problem, 1e-10, r, v[2]).outcome, CAROM_SOLVE_OUTCOME_MET);
        bool sweeps =
            solve_by(CAROM_SOLVER_GAUSS_SEIDEL, &p->problem, 1e-10, r, v[3]).outcome == CAROM_SOLVE_OUTCOME_MET;
        for (int m = 1; unique && m < 3 + sweeps; m++)
            for (int i = 0; i < p->velocities; i++) CHECK_NEAR(v[m][i], v[0][i], 1e-7);
        swept += sweeps;
        CHECK_INT(solve_by(CAROM_SOLVER_ADMM, &w->problem, 1e-10, r, NULL).outcome, CAROM_SOLVE_OUTCOME_MET);
        free(r);
        contact_problem_destroy(w);
        contact_problem_destroy(p);
    }
    CHECK(swept >= 20);
}

// W from elsewhere need not be symmetric.
TEST(unsymmetric_matrix) {
    contact_problem *p = box_tower(2, 0.3, 2.0, crm_vec3(0.5, 0.2, 0)), *w = as_delassus(p);
    double r[24];
    for (int i = 0; i < w->rows; i++)
        for (int j = 0; j < i; j++) w->value[i * w->rows + j] *= 1.0 + 1e-3 * ((i + 2 * j) % 5 - 2);
    CHECK_INT(solve_by(CAROM_SOLVER_ADMM, &w->problem, 1e-8, r, NULL).outcome, CAROM_SOLVE_OUTCOME_MET);
    contact_problem_destroy(w);
    contact_problem_destroy(p);
}

// Stacks with redundant contacts; the convex ones at any mass ratio, and against the chain.
TEST(stacks) {
    for (double ratio = 1.0; ratio < 1e7; ratio *= 100.0)
        for (int relaxed = 0; relaxed < 2; relaxed++) {
            if (relaxed == 0 && ratio > 1e4) continue;
            stack_def def = {.size = {1, 1, 6},
                             .per_edge = 3,
                             .ratio = ratio,
                             .friction = 0.5,
                             .relaxed = relaxed == 1,
                             .tilt = 0.4,
                             .seed = 1};
            contact_stack stack = stack_create(&def);
            double *r = calloc((size_t)stack.rows, sizeof *r), v[2][36];
            carom_solve_report report = solve_by(CAROM_SOLVER_ADMM, &stack.problem, 1e-9, r, v[0]);
            if (!CHECK(report.outcome <= CAROM_SOLVE_OUTCOME_AT_FLOOR))
                fprintf(stderr, "ratio %g: %.1e\n", ratio, report.residual.residual);
            CHECK(report.factorizations <= 40 && report.iterations > report.factorizations);
            CHECK(solve_by(CAROM_SOLVER_AUTO, &stack.problem, 1e-9, r, v[1]).outcome <= CAROM_SOLVE_OUTCOME_AT_FLOOR);
            for (int i = 0; i < 36; i++) CHECK_NEAR(v[0][i], v[1][i], 1e-6);
            free(r);
            stack_destroy(&stack);
        }
}

// A solution is recognised at once, a guess near it is worth something, a wrong one does no harm, and a limit is kept.
TEST(warm_starts_and_limits) {
    contact_problem *p = box_tower(4, 0.4, 1.0, crm_vec3(0.3, 0.1, 0));
    carom_solver_state *state;
    carom_solve_options options = carom_solve_options_default();
    carom_solve_report cold, warm;
    double r[48];
    options.solver = CAROM_SOLVER_ADMM;
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    CHECK_INT(carom_solve(state, &p->problem, &options, r, NULL, &cold, NULL), CAROM_OK);
    CHECK_INT(cold.outcome, CAROM_SOLVE_OUTCOME_MET);
    options.warm = true;
    CHECK_INT(carom_solve(state, &p->problem, &options, r, NULL, &warm, NULL), CAROM_OK);
    CHECK_INT(warm.outcome, CAROM_SOLVE_OUTCOME_MET);
    CHECK(warm.iterations <= 1);
    sampler s = {.seed = 9};
    for (int n = 0; n < 4; n++)
        for (int i = 0; i < 6; i++) p->nodes[n].free[i] *= 1.0 + 1e-6 * sample_between(&s, -1.0, 1.0);
    CHECK_INT(carom_solve(state, &p->problem, &options, r, NULL, &warm, NULL), CAROM_OK);
    CHECK_INT(warm.outcome, CAROM_SOLVE_OUTCOME_MET);
    CHECK(warm.iterations < cold.iterations);
    for (int i = 0; i < 48; i++) r[i] = sample_between(&s, -10.0, 10.0);
    CHECK_INT(carom_solve(state, &p->problem, &options, r, NULL, &warm, NULL), CAROM_OK);
    CHECK_INT(warm.outcome, CAROM_SOLVE_OUTCOME_MET);
    options.warm = false;
    options.iterations = 12;
    CHECK_INT(carom_solve(state, &p->problem, &options, r, NULL, &warm, NULL), CAROM_OK);
    CHECK_INT(warm.outcome, CAROM_SOLVE_OUTCOME_NOT_MET);
    CHECK(warm.iterations <= 20 && warm.residual.residual < 1.0);
    carom_solver_state_destroy(state);
    contact_problem_destroy(p);
}

TEST(second_calls_allocate_nothing_and_refusals_leak_nothing) {
    contact_problem *p = box_tower(3, 0.5, 1.0, crm_vec3(0.1, 0, 0));
    carom_solve_options options = carom_solve_options_default();
    double r[36];
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    carom_solver_state *state;
    options.solver = CAROM_SOLVER_ADMM;
    CHECK_INT(carom_solver_state_create(&hook, &state, NULL), CAROM_OK);
    for (int k = 0; k < 2; k++) CHECK_INT(carom_solve(state, &p->problem, &options, r, NULL, NULL, NULL), CAROM_OK);
    long long calls = probe.calls;
    CHECK_INT(carom_solve(state, &p->problem, &options, r, NULL, NULL, NULL), CAROM_OK);
    CHECK_INT(probe.calls, calls);
    carom_solver_state_destroy(state);
    CHECK_INT(probe.live_blocks, 0);
    for (int n = 1; n < calls + 2; n++) {
        probe_allocator refusing = {.refused_call = n};
        hook = probe_allocator_hook(&refusing);
        carom_status status = carom_solver_state_create(&hook, &state, NULL);
        if (status == CAROM_OK) status = carom_solve(state, &p->problem, &options, r, NULL, NULL, NULL);
        CHECK(status == CAROM_OK || status == CAROM_ERR_NO_MEMORY);
        carom_solver_state_destroy(state);
        CHECK_INT(refusing.live_blocks, 0);
    }
    contact_problem_destroy(p);
}

TEST_MAIN(CASE(cube_on_a_slope), CASE(laws_of_one_row), CASE(compliant_friction), CASE(all_laws_and_forms_agree),
          CASE(unsymmetric_matrix), CASE(stacks), CASE(warm_starts_and_limits),
          CASE(second_calls_allocate_nothing_and_refusals_leak_nothing))
