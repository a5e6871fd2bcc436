// SPDX-License-Identifier: MIT
// The residual evaluator against cases worked out by hand, and against what must not change it.
#include <float.h>
#include <math.h>
#include <string.h>

#include "carom/solve.h"
#include "math/vec3.h"
#include "support/harness/check.h"
#include "support/problem/contact_problem.h"

static carom_residual_report evaluate(const carom_problem *problem, double velocity_scale, const double *r, double *u) {
    carom_solver_state *state;
    carom_residual_report report = {0};
    carom_error error = {.text = ""};
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    CHECK_INT(carom_residual_evaluate(state, problem, velocity_scale, r, u, &report, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    carom_solver_state_destroy(state);
    return report;
}

// A body of mass 2 on one normal row that approaches at 3: r = 6 stops it. s = 1/2.
static contact_problem *one_row(carom_law law) {
    contact_problem *p = contact_problem_create();
    add_node(p, 1, (double[]){2}, (double[]){-3});
    add_group(p, (carom_row_group){.law = law, .rows = 1, .lower = -1, .upper = 4});
    add_entry(p, 0, 0, (double[]){1});
    return p;
}

TEST(rows_by_hand) {
    contact_problem *p = one_row(CAROM_LAW_UNILATERAL);
    double u;
    // r = 0: moved to 6, off by 6, a velocity of 3 of 3; energy |sqrt(1/2) 6| of |3 / sqrt(1/2)|: 1.
    carom_residual_report report = evaluate(&p->problem, 0.0, (double[]){0}, &u);
    CHECK_NEAR(u, -3, 0);
    CHECK_NEAR(report.velocity, 1, 1e-15);
    CHECK_NEAR(report.energy, 1, 1e-15);
    CHECK_INT(report.worst_group, 0);
    // r = 6 solves it.
    report = evaluate(&p->problem, 0.0, (double[]){6}, &u);
    CHECK_NEAR(report.residual, 0, 1e-15);
    CHECK_NEAR(u, 0, 1e-15);
    // r = 8: u = 1, moved to 6: a velocity of 1 of max(3, 8/2); energy sqrt(1/2) 2 of 3 sqrt(2).
    report = evaluate(&p->problem, 0.0, (double[]){8}, &u);
    CHECK_NEAR(report.velocity, 0.25, 1e-15);
    CHECK_NEAR(report.energy, 1.0 / 3, 1e-15);
    CHECK_NEAR(report.residual, 1.0 / 3, 1e-15);
    // An absolute scale of 10 m/s.
    report = evaluate(&p->problem, 10.0, (double[]){8}, NULL);
    CHECK_NEAR(report.velocity, 0.1, 1e-15);
    CHECK_NEAR(report.energy, 1.0 / sqrt(109.0), 1e-15);
    // r = -2, which pulls: u = -4, moved to 6: off by 8.
    report = evaluate(&p->problem, 0.0, (double[]){-2}, NULL);
    CHECK_NEAR(report.velocity, 4.0 / 3, 1e-15);
    // A motor of at most 4 stays at its limit: u = -1 there asks for more, which is right.
    p->groups[0].law = CAROM_LAW_BOX;
    CHECK_NEAR(evaluate(&p->problem, 0.0, (double[]){4}, NULL).residual, 0, 0);
    CHECK_NEAR(evaluate(&p->problem, 0.0, (double[]){3}, NULL).velocity, 0.5 / 3, 1e-15);
    // A joint: u itself, whatever r is.
    p->groups[0].law = CAROM_LAW_EQUALITY;
    CHECK_NEAR(evaluate(&p->problem, 0.0, (double[]){4}, NULL).velocity, 1.0 / 3, 1e-15);
    CHECK_NEAR(evaluate(&p->problem, 0.0, (double[]){6}, NULL).residual, 0, 1e-15);
    // Compliance 1/2 beside the inverse mass 1/2: r = 3 satisfies u + c r = 0.
    p->compliance[0] = 0.5;
    p->problem.compliance = p->compliance;
    CHECK_NEAR(evaluate(&p->problem, 0.0, (double[]){3}, &u).residual, 0, 1e-15);
    CHECK_NEAR(u, -1.5, 1e-15);
    contact_problem_destroy(p);
}

// A point mass thrown on a floor slides on with u_t = 4 - 0.5 * 3 to the right; De Saxce's term must cancel.
TEST(sliding_by_hand) {
    for (int rows = 2; rows <= 3; rows++) {
        contact_problem *p = contact_problem_create();
        double mass[9] = {0}, unit[9] = {0};
        for (int i = 0; i < rows; i++) {
            mass[i * rows + i] = 2.0;
            unit[i * rows + i] = 1.0;
        }
        add_node(p, rows, mass, (double[]){-3, rows == 2 ? -4 : 0, 4});
        add_group(p, (carom_row_group){.law = CAROM_LAW_CONE, .rows = rows, .friction = 0.5});
        add_entry(p, 0, 0, unit);
        double u[3], r[3] = {6, rows == 2 ? 3 : 0, -3};
        CHECK_NEAR(evaluate(&p->problem, 0.0, r, u).residual, 0, 1e-16);
        CHECK_NEAR(u[rows - 1], rows == 2 ? -2.5 : 2.5, 0);
        // The convex relaxation wants it lifted by mu |u_t|: w = u = (0, 2.5), r - w/s = (6, -8), whose nearest point
        // of the cone is (6 + 4)/(1.25) (1, -0.5) = (8, -4): off by (-2, 1), a velocity of sqrt(5)/2.
        p->groups[0].relaxed = true;
        CHECK_NEAR(evaluate(&p->problem, 0.0, r, u).velocity, sqrt(5.0) / 2 / 5, 1e-15);
        contact_problem_destroy(p);
    }
}

static void scale_problem(contact_problem *p, double *r, double mass, double velocity) {
    for (int n = 0; n < p->problem.node_count; n++) {
        for (int k = 0; k < p->nodes[n].size * p->nodes[n].size; k++) p->nodes[n].mass[k] *= mass;
        for (int k = 0; k < p->nodes[n].size; k++) p->nodes[n].free[k] *= velocity;
    }
    for (int i = 0; i < p->rows; i++) {
        p->offset[i] *= velocity;
        p->compliance[i] /= mass;
        r[i] *= mass * velocity;
    }
    for (int g = 0; g < p->problem.group_count; g++) {
        p->groups[g].lower *= mass * velocity;
        p->groups[g].upper *= mass * velocity;
    }
}

// Other units of mass and velocity change no bit when the factors are powers of two with even exponents (square roots).
TEST(units_do_not_matter) {
    sampler s = {.seed = 5};
    for (int k = 0; k < 50; k++) {
        contact_problem *p = random_problem(&s, 5, 12);
        double r[PROBLEM_MOST];
        for (int i = 0; i < p->rows; i++) r[i] = sample_between(&s, -1, 1);
        carom_residual_report before = evaluate(&p->problem, 0.5, r, NULL);
        CHECK(before.residual > 1e-3);
        scale_problem(p, r, 0x1p-40, 0x1p20);
        carom_residual_report after = evaluate(&p->problem, 0.5 * 0x1p20, r, NULL);
        CHECK_NEAR(after.velocity, before.velocity, 0);
        CHECK_NEAR(after.energy, before.energy, 0);
        CHECK_NEAR(after.floor, before.floor, 0);
        CHECK_INT(after.worst_group, before.worst_group);
        contact_problem_destroy(p);
    }
}

// Rotating the tangents of a contact, with its impulses, is another description of the same thing.
TEST(tangents_do_not_matter) {
    sampler s = {.seed = 6};
    contact_problem *p = box_tower(3, 0.4, 10.0, crm_vec3(1, 0.5, 0));
    double r[PROBLEM_MOST];
    for (int i = 0; i < p->rows; i++) r[i] = sample_between(&s, 0, 0.1);
    carom_residual_report before = evaluate(&p->problem, 0.0, r, NULL);
    for (int g = 0; g < p->problem.group_count; g++) {
        double angle = sample_between(&s, -3, 3), c = cos(angle), d = sin(angle);
        double first = r[3 * g + 1], second = r[3 * g + 2];
        r[3 * g + 1] = c * first + d * second;
        r[3 * g + 2] = c * second - d * first;
        for (int e = 0; e < p->problem.entry_count; e++) {
            if (p->entries[e].group != g) continue;
            for (int j = 0; j < 6; j++) {
                double *rows = p->entries[e].rows, x = rows[6 + j], y = rows[12 + j];
                rows[6 + j] = c * x + d * y;
                rows[12 + j] = c * y - d * x;
            }
        }
    }
    carom_residual_report after = evaluate(&p->problem, 0.0, r, NULL);
    CHECK_NEAR(after.velocity, before.velocity, 1e-14);
    CHECK_NEAR(after.energy, before.energy, 1e-14);
    contact_problem_destroy(p);
}

// A light body between a heavy one and the floor: an error of its velocity is seen in full, though it has no energy.
TEST(light_bodies_do_not_vanish) {
    contact_problem *p = contact_problem_create();
    add_node(p, 1, (double[]){1e-6}, (double[]){-1});
    add_node(p, 1, (double[]){1}, (double[]){-1});
    for (int n = 0; n < 2; n++) {
        add_group(p, (carom_row_group){.law = CAROM_LAW_UNILATERAL, .rows = 1});
        add_entry(p, n, n, (double[]){1});
    }
    // Between both, so that they are one island; it opens.
    add_group(p, (carom_row_group){.law = CAROM_LAW_UNILATERAL, .rows = 1});
    add_entry(p, 2, 0, (double[]){-1});
    add_entry(p, 2, 1, (double[]){1});
    carom_residual_report report =
        evaluate(&p->problem, 0.0, (double[]){0, 1, 0}, NULL); // the light one is not stopped
    CHECK_NEAR(report.velocity, 1.0, 1e-15);
    CHECK_NEAR(report.energy, 1e-3, 1e-6);
    CHECK_NEAR(report.residual, report.velocity, 0);
    CHECK_INT(report.worst_group, 0);
    contact_problem_destroy(p);
}

// The exact impulses of a tower, rounded to double, have a residual of the floor's size, and the floor grows with the
// mass ratio as eps times weight over lightest mass.
TEST(floor_is_what_rounding_makes) {
    for (int k = 0; k <= 6; k++) {
        double ratio = pow(10.0, k);
        contact_problem *p = box_tower(2, 0.5, ratio, crm_vec3_zero());
        double r[24] = {0}, step = 9.81 * 0.01;
        for (int i = 0; i < 4; i++) {
            r[3 * i] = (1.0 + ratio) * step / 4; // under the lower box, of mass 1
            r[12 + 3 * i] = ratio * step / 4;
        }
        carom_residual_report report = evaluate(&p->problem, 0.0, r, NULL);
        CHECK(report.residual <= 4 * report.floor);
        CHECK(report.floor >= 0.1 * DBL_EPSILON && report.floor <= 100 * DBL_EPSILON * ratio);
        contact_problem_destroy(p);
    }
}

TEST(what_moves_nothing_is_evaluated_too) {
    contact_problem *p = one_row(CAROM_LAW_UNILATERAL);
    add_group(p, (carom_row_group){.law = CAROM_LAW_UNILATERAL, .rows = 1}); // no entry: between two walls
    p->offset[1] = -1;
    carom_residual_report report = evaluate(&p->problem, 0.0, (double[]){6, 0}, NULL);
    CHECK_NEAR(report.velocity, 1.0, 1e-15); // an island of its own
    CHECK_INT(report.worst_group, 1);
    p->offset[1] = 1;
    CHECK_NEAR(evaluate(&p->problem, 0.0, (double[]){6, 0}, NULL).residual, 0, 1e-15);
    CHECK(evaluate(&p->problem, 0.0, (double[]){6, 1}, NULL).residual > 0.1); // pushes although it opens
    contact_problem_destroy(p);
}

// An island is measured by its own velocities: a fast one beside it makes its error no smaller, and has no say in which
// is worst.
TEST(islands_are_measured_each_by_itself) {
    for (double fast = 1.0; fast <= 1e6; fast *= 1e3) {
        contact_problem *p = contact_problem_create();
        add_node(p, 1, (double[]){1}, (double[]){-0.1});
        add_node(p, 1, (double[]){1}, (double[]){-fast});
        for (int n = 0; n < 2; n++) {
            add_group(p, (carom_row_group){.law = CAROM_LAW_UNILATERAL, .rows = 1});
            add_entry(p, n, n, (double[]){1});
        }
        carom_residual_report report = evaluate(&p->problem, 0.0, (double[]){0.09, fast}, NULL);
        CHECK_NEAR(report.residual, 0.1, 1e-15);
        CHECK_NEAR(report.scale, 0.1, 0);
        CHECK_INT(report.worst_group, 0);
        contact_problem_destroy(p);
    }
}

TEST(empty_and_still_problems_have_no_residual) {
    contact_problem *p = contact_problem_create();
    CHECK_NEAR(evaluate(&p->problem, 0.0, NULL, NULL).residual, 0, 0);
    add_node(p, 1, (double[]){1}, (double[]){0});
    add_group(p, (carom_row_group){.law = CAROM_LAW_UNILATERAL, .rows = 1});
    add_entry(p, 0, 0, (double[]){1});
    CHECK_NEAR(evaluate(&p->problem, 0.0, (double[]){0}, NULL).residual, 0, 0);
    CHECK_NEAR(evaluate(&p->problem, 0.0, (double[]){1}, NULL).residual, 1, 1e-15); // nothing but a wrong impulse
    contact_problem_destroy(p);
}

TEST(impulses_must_be_finite_and_overflow_is_infinitely_wrong) {
    contact_problem *p = one_row(CAROM_LAW_UNILATERAL);
    carom_solver_state *state;
    carom_residual_report report = {0};
    carom_error error = {0};
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    CHECK_INT(carom_residual_evaluate(state, &p->problem, 0.0, (double[]){(double)NAN}, NULL, &report, &error),
              CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "impulse[0] is nan");
    CHECK_INT(carom_residual_evaluate(state, &p->problem, -1.0, (double[]){0}, NULL, &report, &error),
              CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "velocity_scale is -1");
    p->nodes[0].mass[0] = 1e-200;
    CHECK_INT(carom_residual_evaluate(state, &p->problem, 0.0, (double[]){1e200}, NULL, &report, &error), CAROM_OK);
    CHECK(report.residual == INFINITY);
    carom_solver_state_destroy(state);
    contact_problem_destroy(p);
}

TEST_MAIN(CASE(rows_by_hand), CASE(sliding_by_hand), CASE(units_do_not_matter), CASE(tangents_do_not_matter),
          CASE(light_bodies_do_not_vanish), CASE(floor_is_what_rounding_makes),
          CASE(what_moves_nothing_is_evaluated_too), CASE(islands_are_measured_each_by_itself),
          CASE(empty_and_still_problems_have_no_residual),
          CASE(impulses_must_be_finite_and_overflow_is_infinitely_wrong))
