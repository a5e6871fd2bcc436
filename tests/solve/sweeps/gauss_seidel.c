// SPDX-License-Identifier: MIT
// Nonsmooth Gauss-Seidel on problems with known solutions.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/solve.h"
#include "math/vec3.h"
#include "reference/motion/oracle.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"
#include "support/problem/solved_problem.h"

static const double step = 0.01, gravity = 9.81;

// A cube on a slope, four contacts: sticks below the angle of friction, slides with g (sin - mu cos) above it. The
// velocity is unique, the impulses are not, but their sum is.
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
        CHECK_INT(solve_by(CAROM_SOLVER_GAUSS_SEIDEL, &p->problem, 1e-12, r, v).outcome, CAROM_SOLVE_OUTCOME_MET);
        double slide = tan(angle) > mu ? gravity * step * (sin(angle) - mu * cos(angle)) : 0.0;
        CHECK_NEAR(v[0], slide, 1e-12);
        for (int i = 1; i < 6; i++) CHECK_NEAR(v[i], 0, 1e-12);
        for (int i = 0; i < 4; i++) sum += r[3 * i];
        CHECK_NEAR(sum, mass * gravity * step * cos(angle), 1e-11);
        contact_problem_destroy(p);
    }
}

// Every gap of a tower carries the weight above it.
TEST(tower_carries_its_weight) {
    contact_problem *p = box_tower(5, 0.5, 1.0, crm_vec3_zero());
    double r[60], v[30];
    CHECK_INT(solve_by(CAROM_SOLVER_GAUSS_SEIDEL, &p->problem, 1e-10, r, v).outcome, CAROM_SOLVE_OUTCOME_MET);
    for (int box = 0; box < 5; box++) {
        double sum = 0.0;
        for (int i = 0; i < 4; i++) sum += r[12 * box + 3 * i];
        CHECK_NEAR(sum, (5 - box) * gravity * step, 1e-8);
    }
    for (int i = 0; i < 30; i++) CHECK_NEAR(v[i], 0, 1e-9);
    contact_problem_destroy(p);
}

// A ball in a symmetric groove without friction: both walls push with m g / (2 sin half-angle). With a ball that is
// pushed along the groove, friction on both walls is mu times that, each.
TEST(ball_in_a_wedge) {
    double half = 0.6, mass = 2.0, radius = 0.1, inertia = 0.4 * mass * radius * radius, along = 3.0;
    for (int k = 0; k < 2; k++) {
        double mu = k == 0 ? 0.0 : 0.05;
        contact_problem *p = contact_problem_create();
        add_body(p, mass, inertia, crm_vec3(0, along, -gravity * step), crm_vec3_zero());
        for (int side = -1; side <= 1; side += 2) {
            carom_vec3 normal = {side * cos(half), 0, sin(half)};
            add_contact(p, -1, 0, crm_vec3_zero(), crm_scale(-radius, normal), normal, mu);
        }
        double r[6], v[6];
        CHECK_INT(solve_by(CAROM_SOLVER_GAUSS_SEIDEL, &p->problem, 1e-12, r, v).outcome, CAROM_SOLVE_OUTCOME_MET);
        double push = mass * gravity * step / (2 * sin(half));
        CHECK_NEAR(r[0], push, 1e-11);
        CHECK_NEAR(r[3], push, 1e-11);
        CHECK_NEAR(v[0], 0, 1e-12);
        CHECK_NEAR(v[1], along - 2 * mu * push / mass, 1e-12); // still sliding at both
        CHECK_NEAR(v[2], 0, 1e-12);
        contact_problem_destroy(p);
    }
}

// A disc squeezed between two walls that approach: the row that closes faster decides until both can be met; a rod
// between them cannot be: what is infeasible is not called solved.
TEST(two_walls) {
    contact_problem *p = contact_problem_create();
    add_node(p, 1, (double[]){2}, (double[]){1});
    for (int side = 0; side < 2; side++) {
        add_group(p, (carom_row_group){.law = CAROM_LAW_UNILATERAL, .rows = 1});
        add_entry(p, side, 0, (double[]){side == 0 ? 1 : -1});
    }
    p->offset[0] = -0.5;
    p->offset[1] = 0.75; // u = v - 0.5 and 0.75 - v: room between 0.5 and 0.75
    double r[2], v[1];
    CHECK_INT(solve_by(CAROM_SOLVER_GAUSS_SEIDEL, &p->problem, 1e-12, r, v).outcome, CAROM_SOLVE_OUTCOME_MET);
    CHECK_NEAR(v[0], 0.75, 1e-12);
    CHECK_NEAR(r[0], 0, 0);
    CHECK_NEAR(r[1], 0.5, 1e-12);
    p->offset[1] = 0.25; // no room
    carom_solve_report report = solve_by(CAROM_SOLVER_GAUSS_SEIDEL, &p->problem, 1e-8, r, v);
    CHECK(report.outcome != CAROM_SOLVE_OUTCOME_MET && report.outcome != CAROM_SOLVE_OUTCOME_AT_FLOOR);
    contact_problem_destroy(p);
}

// A pendulum's bob on a rod of two equality rows, with a motor: momentum by hand.
TEST(joints_and_motors) {
    contact_problem *p = contact_problem_create();
    add_node(p, 3, (double[]){2, 0, 0, 0, 2, 0, 0, 0, 0.5}, (double[]){1, 2, 3});
    add_group(p, (carom_row_group){.law = CAROM_LAW_EQUALITY, .rows = 2});
    add_entry(p, 0, 0, (double[]){1, 0, 0, 0, 1, 1});
    add_group(p, (carom_row_group){.law = CAROM_LAW_BOX, .rows = 1, .lower = -0.1, .upper = 0.1});
    add_entry(p, 1, 0, (double[]){0, 0, 1});
    double r[3], v[3];
    CHECK_INT(solve_by(CAROM_SOLVER_GAUSS_SEIDEL, &p->problem, 1e-13, r, v).outcome, CAROM_SOLVE_OUTCOME_MET);
    // v = (0, -w, w); 2 (-w - 2) = r1, 0.5 (w - 3) = r1 + r2: the motor brakes with all it has if w stays positive.
    double w = (-4 + 1.5 - 0.1) / 2.5;
    double motor = w > 0 ? -0.1 : 0.1;
    w = (-4 + 1.5 + motor) / 2.5;
    CHECK_NEAR(r[2], motor, 1e-12);
    CHECK_NEAR(v[0], 0, 1e-12);
    CHECK_NEAR(v[1], -w, 1e-12);
    CHECK_NEAR(v[2], w, 1e-12);
    contact_problem_destroy(p);
}

// ---- against all sets of active rows

// z of w = A z + q by trying every complementary set; A is positive definite, so there is exactly one.
static void enumerate_lcp(int n, const double *a, const double *q, double *z) {
    for (int set = 0; set < 1 << n; set++) {
        double m[8 * 9];
        for (int i = 0; i < n; i++) {
            bool active = (set >> i & 1) != 0;
            for (int j = 0; j < n; j++) m[i * (n + 1) + j] = active ? a[i * n + j] : i == j;
            m[i * (n + 1) + n] = active ? -q[i] : 0.0;
        }
        for (int k = 0; k < n; k++) { // positive definite rows and unit rows: no pivoting needed
            for (int i = 0; i < n; i++) {
                double factor = m[i * (n + 1) + k] / m[k * (n + 1) + k];
                for (int j = k; j <= n && i != k; j++) m[i * (n + 1) + j] -= factor * m[k * (n + 1) + j];
            }
        }
        bool right = true;
        for (int i = 0; i < n; i++) z[i] = m[i * (n + 1) + n] / m[i * (n + 1) + i];
        for (int i = 0; i < n && right; i++) {
            double w = q[i];
            for (int j = 0; j < n; j++) w += a[i * n + j] * z[j];
            right = z[i] >= -1e-12 && w >= -1e-12;
        }
        if (right) return;
    }
    CHECK(!"no complementary set");
}

TEST(lcps_against_enumeration) {
    sampler s = {.seed = 14};
    for (int trial = 0; trial < 100; trial++) {
        enum { N = 7 };
        double root[N * N], a[N * N], q[N], z[N], r[N];
        for (int k = 0; k < N * N; k++) root[k] = sample_between(&s, -1, 1);
        for (int i = 0; i < N; i++) {
            q[i] = sample_between(&s, -1, 1);
            for (int j = 0; j < N; j++) {
                a[i * N + j] = i == j ? 0.1 : 0.0;
                for (int k = 0; k < N; k++) a[i * N + j] += root[i * N + k] * root[j * N + k];
            }
        }
        enumerate_lcp(N, a, q, z);
        contact_problem *p = delassus_problem(N, a, q);
        for (int i = 0; i < N; i++) add_group(p, (carom_row_group){.law = CAROM_LAW_UNILATERAL, .rows = 1});
        CHECK_INT(solve_by(CAROM_SOLVER_GAUSS_SEIDEL, &p->problem, 1e-12, r, NULL).outcome, CAROM_SOLVE_OUTCOME_MET);
        for (int i = 0; i < N; i++) CHECK_NEAR(r[i], z[i], 1e-9);
        contact_problem_destroy(p);
    }
}

// The stored complementarity problems that are convex and have one solution; with CAROM_REFERENCE only.
TEST(stored_lcps) {
    const char *folder = getenv("CAROM_REFERENCE");
    if (folder == NULL || folder[0] == '\0') skip();
    json_t *oracle = oracle_open("lcp.json");
    int compared = 0;
    for (int k = 0; k < oracle_count(oracle); k++) {
        oracle_case stored = oracle_at(oracle, k);
        const char *kind = oracle_text(stored.input, "kind");
        bool convex = strncmp(kind, "spd", 3) == 0 || strcmp(kind, "psd_rank_deficient") == 0;
        bool unsymmetric = strcmp(kind, "nonsymmetric_positive_definite") == 0; // where the sweeps may run away
        int n = (int)oracle_number(stored.input, "n");
        if (!convex && !unsymmetric) continue;
        double *a = calloc((size_t)(n * n), sizeof *a), q[64], z[64], w[64], r[64];
        CHECK_INT(oracle_numbers(stored.input, "A", a, n * n), n * n);
        CHECK_INT(oracle_numbers(stored.input, "q", q, 64), n);
        CHECK_INT(oracle_numbers(stored.expected, "z", z, 64), n);
        CHECK_INT(oracle_numbers(stored.expected, "w", w, 64), n);
        contact_problem *p = delassus_problem(n, a, q);
        for (int i = 0; i < n; i++) add_group(p, (carom_row_group){.law = CAROM_LAW_UNILATERAL, .rows = 1});
        bool met = solve_by(CAROM_SOLVER_GAUSS_SEIDEL, &p->problem, 1e-11, r, NULL).outcome == CAROM_SOLVE_OUTCOME_MET;
        CHECK(met || unsymmetric);
        bool unique = strncmp(oracle_text(stored.expected, "unique"), "proved", 6) == 0;
        for (int i = 0; i < n && met; i++) {
            double u = q[i];
            for (int j = 0; j < n; j++) u += a[i * n + j] * r[j];
            if (unique && !CHECK_NEAR(r[i], z[i], 1e-7 * (1 + fabs(z[i])))) break;
            if (!CHECK_NEAR(u, w[i], 1e-7 * (1 + fabs(w[i])))) break;
        }
        compared += met;
        free(a);
        contact_problem_destroy(p);
    }
    CHECK(compared >= 15);
    json_decref(oracle);
}

// ---- forms, starts, memory

TEST(three_forms_have_one_velocity) {
    check_three_forms(CAROM_SOLVER_GAUSS_SEIDEL);
}

TEST(warm_starts_are_used_and_evaluated) {
    contact_problem *p = box_tower(4, 0.4, 1.0, crm_vec3(0.3, 0, 0));
    carom_solver_state *state;
    carom_solve_options options = carom_solve_options_default();
    carom_solve_report cold, warm;
    double r[48];
    options.solver = CAROM_SOLVER_GAUSS_SEIDEL;
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    CHECK_INT(carom_solve(state, &p->problem, &options, r, NULL, &cold, NULL), CAROM_OK);
    CHECK_INT(cold.outcome, CAROM_SOLVE_OUTCOME_MET);
    options.warm = true;
    CHECK_INT(carom_solve(state, &p->problem, &options, r, NULL, &warm, NULL), CAROM_OK);
    CHECK_INT(warm.iterations, 0);
    CHECK_NEAR(warm.residual.residual, cold.residual.residual, 0);
    for (int n = 0; n < 4; n++) p->nodes[n].free[2] *= 1.0001;
    CHECK_INT(carom_solve(state, &p->problem, &options, r, NULL, &warm, NULL), CAROM_OK);
    CHECK_INT(warm.outcome, CAROM_SOLVE_OUTCOME_MET);
    CHECK(warm.iterations < cold.iterations);
    r[5] = (double)NAN;
    carom_error error;
    CHECK_INT(carom_solve(state, &p->problem, &options, r, NULL, &warm, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "impulse[5] is nan");
    carom_solver_state_destroy(state);
    contact_problem_destroy(p);
}

// Few sweeps give a report of what they are worth, not a claim.
TEST(what_is_not_met_is_said) {
    contact_problem *p = box_tower(10, 0.5, 10.0, crm_vec3(1, 0, 0));
    carom_solver_state *state;
    carom_solve_options options = carom_solve_options_default();
    carom_solve_report report;
    carom_residual_report again;
    double r[120];
    options.solver = CAROM_SOLVER_GAUSS_SEIDEL;
    options.iterations = 5;
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    CHECK_INT(carom_solve(state, &p->problem, &options, r, NULL, &report, NULL), CAROM_OK);
    CHECK_INT(report.outcome, CAROM_SOLVE_OUTCOME_NOT_MET);
    CHECK_INT(report.iterations, 5);
    CHECK_INT(carom_residual_evaluate(state, &p->problem, 0.0, r, NULL, &again, NULL), CAROM_OK);
    CHECK_NEAR(again.residual, report.residual.residual, 0);
    CHECK_TEXT(report.tried, "gauss-seidel");
    carom_solver_state_destroy(state);
    contact_problem_destroy(p);
}

// Two rows that rotate each other's error by a right angle and triple it: the start was better than any sweep.
TEST(the_best_is_returned_when_sweeps_run_away) {
    contact_problem *p = delassus_problem(2, (double[]){1, 3, -3, 1}, (double[]){1, 1});
    for (int i = 0; i < 2; i++) add_group(p, (carom_row_group){.law = CAROM_LAW_EQUALITY, .rows = 1});
    double r[2];
    carom_solve_report report = solve_by(CAROM_SOLVER_GAUSS_SEIDEL, &p->problem, 1e-8, r, NULL);
    CHECK_INT(report.outcome, CAROM_SOLVE_OUTCOME_NOT_MET);
    CHECK_NEAR(report.residual.velocity, 1, 1e-15);
    CHECK_NEAR(r[0], 0, 0);
    contact_problem_destroy(p);
}

TEST(warm_calls_allocate_nothing_and_refusals_leak_nothing) {
    contact_problem *large = box_tower(8, 0.5, 1.0, crm_vec3(0.1, 0, 0)),
                    *small = box_tower(2, 0.5, 1.0, crm_vec3_zero());
    double r[96], first[96];
    carom_solve_options options = carom_solve_options_default();
    options.solver = CAROM_SOLVER_GAUSS_SEIDEL;
    options.iterations = 20;
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    carom_solver_state *state;
    carom_residual_report report;
    CHECK_INT(carom_solver_state_create(&hook, &state, NULL), CAROM_OK);
    CHECK_INT(carom_solve(state, &large->problem, &options, first, NULL, NULL, NULL), CAROM_OK);
    CHECK_INT(carom_solve(state, &small->problem, &options, r, NULL, NULL, NULL), CAROM_OK);
    long long calls = probe.calls;
    for (int k = 0; k < 3; k++) {
        CHECK_INT(carom_solve(state, &large->problem, &options, r, NULL, NULL, NULL), CAROM_OK);
        CHECK(memcmp(r, first, sizeof r) == 0); // and the same bits come out
        CHECK_INT(carom_residual_evaluate(state, &small->problem, 0.0, r, NULL, &report, NULL), CAROM_OK);
    }
    CHECK_INT(probe.calls, calls);
    carom_solver_state_destroy(state);
    CHECK_INT(probe.live_blocks, 0);
    for (int n = 1; n < calls + 2; n++) {
        probe_allocator refusing = {.refused_call = n};
        hook = probe_allocator_hook(&refusing);
        carom_status status = carom_solver_state_create(&hook, &state, NULL);
        if (status == CAROM_OK) status = carom_solve(state, &large->problem, &options, r, NULL, NULL, NULL);
        CHECK(status == CAROM_OK || status == CAROM_ERR_NO_MEMORY);
        carom_solver_state_destroy(state);
        CHECK_INT(refusing.live_blocks, 0);
    }
    contact_problem_destroy(large);
    contact_problem_destroy(small);
}

TEST(options_are_checked) {
    contact_problem *p = box_tower(1, 0.5, 1.0, crm_vec3_zero());
    carom_solver_state *state;
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    const struct {
        carom_solve_options options;
        const char *words;
    } cases[] = {
        {{.struct_size = sizeof(carom_solve_options),
          .solver = (carom_solver)99,
          .tolerance = 1,
          .pyramid_sides = 4,
          .threads = 1},
         "no solver number 99"},
        {{.struct_size = sizeof(carom_solve_options),
          .solver = CAROM_SOLVER_GAUSS_SEIDEL,
          .tolerance = 0,
          .pyramid_sides = 4,
          .threads = 1},
         "tolerance is 0"},
        {{.struct_size = sizeof(carom_solve_options),
          .solver = CAROM_SOLVER_GAUSS_SEIDEL,
          .tolerance = (double)NAN,
          .pyramid_sides = 4,
          .threads = 1},
         "tolerance is nan"},
        {{.struct_size = sizeof(carom_solve_options),
          .solver = CAROM_SOLVER_GAUSS_SEIDEL,
          .tolerance = 1,
          .velocity_scale = -1,
          .pyramid_sides = 4,
          .threads = 1},
         "velocity_scale is -1"},
        {{.struct_size = sizeof(carom_solve_options),
          .solver = CAROM_SOLVER_GAUSS_SEIDEL,
          .tolerance = 1,
          .iterations = -1,
          .pyramid_sides = 4,
          .threads = 1},
         "iterations is -1"},
        {{.struct_size = sizeof(carom_solve_options),
          .solver = CAROM_SOLVER_GAUSS_SEIDEL,
          .tolerance = 1,
          .pyramid_sides = 5,
          .threads = 1},
         "pyramid_sides is 5"},
        {{.struct_size = sizeof(carom_solve_options),
          .solver = CAROM_SOLVER_GAUSS_SEIDEL,
          .tolerance = 1,
          .pyramid_sides = 4,
          .threads = 0},
         "threads is 0"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        double r[12];
        carom_error error = {0};
        CHECK_INT(carom_solve(state, &p->problem, &cases[k].options, r, NULL, NULL, &error), CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, cases[k].words);
    }
    CHECK_TEXT(carom_solver_name(CAROM_SOLVER_GAUSS_SEIDEL), "gauss-seidel");
    CHECK_TEXT(carom_solver_name((carom_solver)-1), "?");
    carom_solver_state_destroy(NULL);
    carom_solver_state_destroy(state);
    contact_problem_destroy(p);
}

TEST_MAIN(CASE(cube_on_a_slope), CASE(tower_carries_its_weight), CASE(ball_in_a_wedge), CASE(two_walls),
          CASE(joints_and_motors), CASE(lcps_against_enumeration), CASE(stored_lcps),
          CASE(three_forms_have_one_velocity), CASE(warm_starts_are_used_and_evaluated), CASE(what_is_not_met_is_said),
          CASE(the_best_is_returned_when_sweeps_run_away), CASE(warm_calls_allocate_nothing_and_refusals_leak_nothing),
          CASE(options_are_checked))
