// SPDX-License-Identifier: MIT
// The fallback cascade on a slice of the families of contact problems that `carom bench robustness` counts by the
// hundred.
#include <stdio.h>
#include <stdlib.h>

#include "carom/solve.h"
#include "support/harness/check.h"
#include "support/problem/contact_families.h"

static void check_one(carom_solver_state *state, const family_def *def, double tolerance) {
    contact_stack p = family_create(def);
    double *r = calloc((size_t)p.rows, sizeof *r);
    carom_solve_options options = carom_solve_options_default();
    carom_solve_report report = {.outcome = CAROM_SOLVE_OUTCOME_NOT_MET};
    options.tolerance = tolerance;
    CHECK_INT(carom_problem_check(&p.problem, NULL), CAROM_OK);
    CHECK_INT(carom_solve(state, &p.problem, &options, r, NULL, &report, NULL), CAROM_OK);
    if (!CHECK(report.outcome == CAROM_SOLVE_OUTCOME_MET || report.outcome == CAROM_SOLVE_OUTCOME_AT_FLOOR))
        fprintf(stderr, "%s, %d contacts, ratio %g, seed %u: residual %.1e, floor %.1e after %s\n",
                family_names[def->family], def->contacts, def->ratio, def->seed, report.residual.residual,
                report.residual.floor, report.tried);
    free(r);
    stack_destroy(&p);
}

static void check_families(family_law law, int contacts, unsigned seeds, double highest_ratio, double tolerance) {
    carom_solver_state *state;
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    for (contact_family family = 0; family < FAMILY_COUNT; family++)
        for (double ratio = 1.0; ratio <= highest_ratio; ratio *= 100.0)
            for (unsigned seed = 1; seed <= seeds; seed++) {
                family_def def = family_sample(family, contacts, ratio, law, seed);
                check_one(state, &def, tolerance);
            }
    carom_solver_state_destroy(state);
}

// Convex problems with redundant contacts and mass ratios up to a million are solved to 1e-10, all of them.
TEST(relaxed) {
    check_families(FAMILY_RELAXED, 60, 3, 1e6, 1e-10);
}

TEST(frictionless) {
    check_families(FAMILY_FRICTIONLESS, 60, 3, 1e6, 1e-10);
}

// Exact friction, sliding and sticking contacts side by side.
TEST(exact) {
    check_families(FAMILY_EXACT, 60, 3, 1e4, 1e-8);
}

// The same definition is the same problem, a seed makes another one, and all have about the contacts that were asked
// for.
TEST(definitions) {
    for (contact_family family = 0; family < FAMILY_COUNT; family++)
        for (int contacts = 60; contacts < 6000; contacts *= 9) {
            family_def def = family_sample(family, contacts, 100.0, FAMILY_EXACT, 7);
            contact_stack p = family_create(&def), again = family_create(&def);
            CHECK(p.problem.group_count > contacts / 3 && p.problem.group_count < 2 * contacts);
            CHECK_INT(p.problem.group_count, again.problem.group_count);
            CHECK(p.nodes[0].mass[0] == again.nodes[0].mass[0]);
            def.seed++;
            contact_stack other = family_create(&def);
            CHECK(p.nodes[0].mass[0] != other.nodes[0].mass[0] || def.heavy_on_top);
            stack_destroy(&p);
            stack_destroy(&again);
            stack_destroy(&other);
        }
}

TEST_MAIN(CASE(relaxed), CASE(frictionless), CASE(exact), CASE(definitions))
