// SPDX-License-Identifier: MIT
// Lemke's method and min-map on contact problems: exact in the plane, as near as the pyramid in space.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/solve.h"
#include "math/vec3.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"
#include "support/problem/solved_problem.h"

static const carom_solver solvers[] = {CAROM_SOLVER_LEMKE, CAROM_SOLVER_MIN_MAP};
static const double step = 0.01, gravity = 9.81;

static carom_solve_report solve(carom_solver solver, const carom_problem *problem, double tolerance, int sides,
                                double *r, double *v) {
    carom_solver_state *state;
    carom_solve_options options = carom_solve_options_default();
    carom_solve_report report = {.outcome = CAROM_SOLVE_OUTCOME_NOT_MET};
    options.solver = solver;
    options.tolerance = tolerance;
    options.pyramid_sides = sides;
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    CHECK_INT(carom_solve(state, problem, &options, r, v, &report, NULL), CAROM_OK);
    carom_solver_state_destroy(state);
    return report;
}

// A box in the plane on a slope, two contacts: sticks or slides with g (sin - mu cos), to the last digits.
TEST(planar_box_on_a_slope) {
    for (int m = 0; m < 2; m++)
        for (int k = 0; k < 8; k++) {
            double angle = 0.1 * k, mu = 0.35, mass = 2.0, r[4], v[3];
            contact_problem *p = contact_problem_create();
            add_node(p, 3, (double[]){mass, 0, 0, 0, mass, 0, 0, 0, mass / 6},
                     (double[]){gravity * step * sin(angle), -gravity * step * cos(angle), 0});
            for (int side = 0; side < 2; side++) { // at (side - 1/2, -1/2)
                add_group(p, (carom_row_group){.law = CAROM_LAW_CONE, .rows = 2, .friction = mu});
                add_entry(p, side, 0, (double[]){0, 1, side - 0.5, 1, 0, 0.5});
            }
            CHECK_INT(solve(solvers[m], &p->problem, 1e-12, 8, r, v).outcome, CAROM_SOLVE_OUTCOME_MET);
            CHECK_NEAR(v[0], tan(angle) > mu ? gravity * step * (sin(angle) - mu * cos(angle)) : 0.0, 1e-12);
            CHECK_NEAR(v[1], 0, 1e-12);
            CHECK_NEAR(v[2], 0, 1e-12);
            contact_problem_destroy(p);
        }
}

// Laws of all kinds but spatial cones, with compliance, in all three forms: met to 1e-10 and with the velocities of the
// cascade. Of exact cones only those velocities are compared that are unique, so friction is relaxed in half.
TEST(all_planar_laws_agree_with_the_cascade) {
    for (int k = 0; k < 30; k++) {
        sampler s = {.seed = 500 + (uint64_t)k};
        contact_problem *p = contact_problem_create();
        double v[3][12], r[60];
        for (int n = 0; n < 12; n++)
            add_node(p, 1, (double[]){sample_between(&s, 0.5, 2.0)}, (double[]){sample_between(&s, -1.0, 1.0)});
        for (int g = 0; g < 10; g++) {
            const carom_row_group kinds[5] = {
                {.law = CAROM_LAW_EQUALITY, .rows = 1 + g % 3},
                {.law = CAROM_LAW_UNILATERAL, .rows = 1},
                {.law = CAROM_LAW_BOX, .rows = 1, .lower = -0.3, .upper = g > 4 ? 0.2 : INFINITY},
                {.law = CAROM_LAW_CONE, .rows = 2, .friction = 0.6, .relaxed = k % 2 == 0},
                {.law = CAROM_LAW_CONE, .rows = 2, .friction = 0.0}};
            int row = p->rows, group = add_group(p, kinds[g % 5]);
            for (int i = row; i < p->rows; i++)
                p->compliance[i] = crm_random_below(&s, 3) == 0 ? sample_between(&s, 0.0, 0.5) : 0.0;
            for (int e = 0; e < 4; e++) {
                double rows[3];
                for (int i = 0; i < 3; i++) rows[i] = sample_between(&s, -1.0, 1.0);
                add_entry(p, group, (g + 3 * e) % 12, rows);
            }
        }
        p->problem.compliance = p->compliance;
        contact_problem *w = as_delassus(p);
        carom_problem mobile = as_mobility(p);
        CHECK_INT(solve(CAROM_SOLVER_AUTO, &p->problem, 1e-10, 8, r, v[0]).outcome, CAROM_SOLVE_OUTCOME_MET);
        for (int m = 0; m < 2; m++) {
            CHECK_INT(solve(solvers[m], &p->problem, 1e-10, 8, r, v[1]).outcome, CAROM_SOLVE_OUTCOME_MET);
            CHECK_INT(solve(solvers[m], &mobile, 1e-10, 8, r, v[2]).outcome, CAROM_SOLVE_OUTCOME_MET);
            CHECK_INT(solve(solvers[m], &w->problem, 1e-10, 8, r, NULL).outcome, CAROM_SOLVE_OUTCOME_MET);
            for (int i = 0; k % 2 == 0 && i < 12; i++) {
                CHECK_NEAR(v[1][i], v[0][i], 1e-8);
                CHECK_NEAR(v[2][i], v[0][i], 1e-8);
            }
        }
        contact_problem_destroy(w);
        contact_problem_destroy(p);
    }
}

// A particle that slides between two sides of the pyramid: friction points along a side, off by up to pi / sides, so
// the residual goes down with the number of sides, and the words give both figures.
TEST(more_sides_come_nearer) {
    for (int m = 0; m < 2; m++) {
        double last = INFINITY;
        for (int sides = 4; sides <= 64; sides *= 2) {
            contact_problem *p = contact_problem_create();
            double r[3], v[3], angle = 3.14159265358979 / sides; // half-way between two sides
            add_node(p, 3, (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, (double[]){-1, -2 * cos(angle), -2 * sin(angle)});
            add_group(p, (carom_row_group){.law = CAROM_LAW_CONE, .rows = 3, .friction = 0.5});
            add_entry(p, 0, 0, (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1});
            carom_solve_report report = solve(solvers[m], &p->problem, 1e-8, sides, r, v);
            CHECK_INT(report.outcome, CAROM_SOLVE_OUTCOME_NOT_MET);
            CHECK_CONTAINS(report.tried, "solved to");
            CHECK_CONTAINS(report.tried, "round cones met to");
            // Along one of the two nearest sides: r_t = mu (cos, sin) of it, off by 2 mu sin(angle / 2) or less.
            CHECK_NEAR(r[0], 1.0, 1e-9);
            CHECK(hypot(r[1] - 0.5 * cos(angle), r[2] - 0.5 * sin(angle)) <= sin(angle / 2) + 1e-9);
            CHECK(report.residual.velocity < last);
            last = report.residual.velocity;
            contact_problem_destroy(p);
        }
        CHECK(last < 0.02);
    }
}

// Sticking contacts have their solution inside the pyramid as well.
TEST(what_sticks_is_met) {
    for (int m = 0; m < 2; m++) {
        contact_problem *p = box_tower(2, 0.8, 3.0, crm_vec3_zero());
        double r[24], v[12];
        CHECK_INT(solve(solvers[m], &p->problem, 1e-10, 8, r, v).outcome, CAROM_SOLVE_OUTCOME_MET);
        for (int i = 0; i < 12; i++) CHECK_NEAR(v[i], 0, 1e-10);
        contact_problem_destroy(p);
    }
}

TEST(large_islands_are_refused_with_a_sentence) {
    contact_problem *p = box_tower(30, 0.5, 1.0, crm_vec3_zero()); // 120 contacts of 10 unknowns
    carom_solver_state *state;
    carom_solve_options options = carom_solve_options_default();
    carom_error error = {.text = ""};
    double r[360];
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    for (int m = 0; m < 2; m++) {
        options.solver = solvers[m];
        CHECK_INT(carom_solve(state, &p->problem, &options, r, NULL, NULL, &error), CAROM_ERR_UNSUPPORTED);
        CHECK_CONTAINS(error.text, "120 groups has 1200 unknowns with pyramids of 8 sides");
        CHECK_CONTAINS(error.text, carom_solver_name(solvers[m]));
        CHECK_CONTAINS(error.text, "use 'auto'");
    }
    carom_solver_state_destroy(state);
    contact_problem_destroy(p);
}

TEST(refusals_of_memory_leak_nothing) {
    contact_problem *p = box_tower(1, 0.5, 1.0, crm_vec3(0.1, 0, 0));
    carom_solve_options options = carom_solve_options_default();
    double r[12];
    options.iterations = 1; // no search for a proof
    for (int m = 0; m < 2; m++) {
        options.solver = solvers[m];
        bool done = false;
        for (int n = 1; n < 100 && !done; n++) {
            probe_allocator refusing = {.refused_call = n};
            carom_allocator hook = probe_allocator_hook(&refusing);
            carom_solver_state *state;
            carom_status status = carom_solver_state_create(&hook, &state, NULL);
            if (status == CAROM_OK) status = carom_solve(state, &p->problem, &options, r, NULL, NULL, NULL);
            CHECK(status == CAROM_OK || status == CAROM_ERR_NO_MEMORY);
            done = status == CAROM_OK;
            carom_solver_state_destroy(state);
            CHECK_INT(refusing.live_blocks, 0);
        }
        CHECK(done);
    }
    contact_problem_destroy(p);
}

// Masses of 1e-9 to 255 kg: by rounding, Lemke's path comes to where it was. It is left there, not after a million
// exchanges.
TEST(a_path_that_goes_round_is_left) {
    carom_stored_problem *stored = NULL;
    double r[16], v[16];
    CHECK_INT(
        carom_problem_read(CAROM_SOURCE_DIR "/tests/fuzz/seeds/problem/lemke-goes-round.json", NULL, &stored, NULL),
        CAROM_OK);
    assert_non_null(stored);
    memset(r, 0, sizeof r);
    carom_solve_report report = solve(CAROM_SOLVER_LEMKE, &stored->problem, 1e-8, 8, r, v);
    CHECK_INT(report.outcome, CAROM_SOLVE_OUTCOME_INFEASIBLE);
    CHECK(report.iterations < 10000);
    carom_stored_problem_destroy(stored);
}

TEST_MAIN(CASE(planar_box_on_a_slope), CASE(all_planar_laws_agree_with_the_cascade), CASE(more_sides_come_nearer),
          CASE(what_sticks_is_met), CASE(large_islands_are_refused_with_a_sentence),
          CASE(refusals_of_memory_leak_nothing), CASE(a_path_that_goes_round_is_left))
