// SPDX-License-Identifier: MIT
// Wrong problems are refused with a sentence that names the place.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "carom/solve.h"
#include "support/harness/check.h"
#include "support/problem/contact_problem.h"

// A joint of two rows, a limit, a motor and a planar contact on two nodes.
static contact_problem *good_problem(void) {
    contact_problem *p = contact_problem_create();
    add_node(p, 2, (double[]){2, 0.5, 0.5, 1}, (double[]){1, -1});
    add_node(p, 1, (double[]){3}, (double[]){0.5});
    add_group(p, (carom_row_group){.law = CAROM_LAW_EQUALITY, .rows = 2});
    add_group(p, (carom_row_group){.law = CAROM_LAW_UNILATERAL, .rows = 1});
    add_group(p, (carom_row_group){.law = CAROM_LAW_BOX, .rows = 1, .lower = -1, .upper = INFINITY});
    add_group(p, (carom_row_group){.law = CAROM_LAW_CONE, .rows = 2, .friction = 0.5});
    add_entry(p, 3, 1, (double[]){1, 2});
    add_entry(p, 0, 0, (double[]){1, 0, 0, 1});
    add_entry(p, 3, 0, (double[]){1, 0, 0, 1});
    add_entry(p, 1, 1, (double[]){1});
    add_entry(p, 2, 1, (double[]){-1});
    p->problem.compliance = p->compliance;
    return p;
}

static void refused(contact_problem *p, const char *words) {
    carom_error error = {0};
    CHECK_INT(carom_problem_check(&p->problem, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, words);
    contact_problem_destroy(p);
}

// Refuses a good problem once `change` was made to it, which may use `p`.
#define REFUSED(words, change)               \
    do {                                     \
        contact_problem *p = good_problem(); \
        change;                              \
        refused(p, (words));                 \
    } while (0)

TEST(good_and_empty_problems_pass) {
    contact_problem *p = good_problem(), *empty = contact_problem_create();
    carom_error error = {.text = ""};
    CHECK_INT(carom_problem_check(&p->problem, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    CHECK_INT(carom_problem_row_count(&p->problem), 6);
    CHECK_INT(carom_problem_check(&empty->problem, NULL), CAROM_OK);
    contact_problem_destroy(p);
    contact_problem_destroy(empty);
    CHECK_INT(carom_problem_check(NULL, &error), CAROM_ERR_BAD_INPUT);
}

TEST(groups_are_checked) {
    REFUSED("groups[3]: friction is -0.5", p->groups[3].friction = -0.5);
    REFUSED("groups[3]: friction is nan", p->groups[3].friction = (double)NAN);
    REFUSED("groups[3]: friction is inf", p->groups[3].friction = INFINITY);
    REFUSED("groups[3]: a cone law has 4 rows, must have 2 to 3", p->groups[3].rows = 4);
    REFUSED("groups[3]: a cone law has 1 rows", p->groups[3].rows = 1);
    REFUSED("groups[0]: an equality law has 0 rows", p->groups[0].rows = 0);
    REFUSED("groups[0]: an equality law has 7 rows", p->groups[0].rows = 7);
    REFUSED("groups[0]: an equality law has -2147483648 rows", p->groups[0].rows = INT_MIN);
    REFUSED("groups[1]: a unilateral law has 2 rows, must have 1", p->groups[1].rows = 2);
    REFUSED("groups[2]: a box law has 3 rows", p->groups[2].rows = 3);
    REFUSED("groups[2]: the box from 1 to 0 holds no number", (p->groups[2].lower = 1, p->groups[2].upper = 0));
    REFUSED("groups[2]: the box from nan", p->groups[2].lower = (double)NAN);
    REFUSED("groups[2]: the box from inf to inf", p->groups[2].lower = INFINITY);
    REFUSED("groups[1]: there is no law number 17", p->groups[1].law = (carom_law)17);
    REFUSED("-1 groups", p->problem.group_count = -1);
    REFUSED("4 groups, but no list", p->problem.groups = NULL);
    REFUSED("there is no form number 9", p->problem.form = (carom_problem_form)9);
}

TEST(rows_are_checked) {
    REFUSED("offset is missing", p->problem.offset = NULL);
    REFUSED("offset[5] is inf", p->offset[5] = INFINITY);
    REFUSED("offset[0] is nan", p->offset[0] = (double)NAN);
    REFUSED("compliance[2] is -1e-09", p->compliance[2] = -1e-9);
    REFUSED("compliance[2] is nan", p->compliance[2] = (double)NAN);
    REFUSED("compliance[2] is inf", p->compliance[2] = INFINITY);
}

TEST(masses_are_checked) {
    REFUSED("nodes[0]: mass is not symmetric, (1, 0) is 0.5 and (0, 1) is 0.6", p->nodes[0].mass[1] = 0.6);
    REFUSED("nodes[0]: mass is not positive definite", (p->nodes[0].mass[1] = 1.5, p->nodes[0].mass[2] = 1.5));
    REFUSED("nodes[1]: mass is not positive definite", p->nodes[1].mass[0] = 0);
    REFUSED("nodes[1]: mass is not positive definite", p->nodes[1].mass[0] = -1);
    REFUSED("nodes[0]: mass (1, 1) is inf", p->nodes[0].mass[3] = INFINITY);
    REFUSED("nodes[0]: free[1] is nan", p->nodes[0].free[1] = (double)NAN);
    REFUSED("nodes[0]: size is 0", p->nodes[0].size = 0);
    REFUSED("nodes[0]: size is 7", p->nodes[0].size = 7);
    REFUSED("2 nodes, but no list", p->problem.nodes = NULL);
    REFUSED("-2 nodes", p->problem.node_count = -2);
    REFUSED("the mobility is missing", p->problem.form = CAROM_FORM_MOBILITY);
}

TEST(entries_are_checked) {
    REFUSED("entries[1]: there is no group 4, only 4", p->entries[1].group = 4);
    REFUSED("entries[1]: there is no group -1", p->entries[1].group = -1);
    REFUSED("entries[2]: there is no node 2, only 2", p->entries[2].node = 2);
    REFUSED("entries[2]: there is no node -5", p->entries[2].node = -5);
    REFUSED("entries[0] and entries[2] are both for group 3 on node 1", p->entries[2].node = 1);
    REFUSED("entries[1]: row 1, column 0 is nan", p->entries[1].rows[2] = (double)NAN);
    REFUSED("5 entries, but no list", p->problem.entries = NULL);
    REFUSED("-1 entries", p->problem.entry_count = -1);
}

TEST(delassus_is_checked) {
#define REFUSED_W(words, change)                                     \
    do {                                                             \
        contact_problem *good = good_problem();                      \
        contact_problem *p = as_delassus(good);                      \
        CHECK_INT(carom_problem_check(&p->problem, NULL), CAROM_OK); \
        change;                                                      \
        refused(p, (words));                                         \
        contact_problem_destroy(good);                               \
    } while (0)
    REFUSED_W("delassus is 5 x 6, but the groups have 6 rows", p->problem.delassus.rows = 5);
    REFUSED_W("delassus is 6 x 7", p->problem.delassus.columns = 7);
    REFUSED_W("delassus.start is missing", p->problem.delassus.start = NULL);
    REFUSED_W("delassus.column or delassus.value is missing", p->problem.delassus.value = NULL);
    REFUSED_W("delassus.start[0] is 1", p->start[0] = 1);
    REFUSED_W("delassus.start[3] is 5, less than the one before", p->start[3] = 5);
    REFUSED_W("row 1 has an entry in column 6 of 6", p->column[11] = 6);
    REFUSED_W("row 1 has an entry in column -1 of 6", p->column[6] = -1);
    REFUSED_W("row 0 has column 1 after column 2, must ascend", (p->column[1] = 2, p->column[2] = 1));
    REFUSED_W("row 0 has column 1 after column 1, must ascend", p->column[2] = 1);
    REFUSED_W("(2, 0) is nan", p->value[12] = (double)NAN);
}

// ---- the same through the solver, with options and guesses of its own

static carom_status solve_with(const contact_problem *p, const carom_solve_options *options, double *r,
                               carom_error *error) {
    carom_solver_state *state;
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    carom_status status = carom_solve(state, &p->problem, options, r, NULL, NULL, error);
    carom_solver_state_destroy(state);
    return status;
}

TEST(options_are_checked) {
    contact_problem *p = good_problem();
#define REFUSED_OPTION(words, change)                                               \
    do {                                                                            \
        carom_solve_options o = carom_solve_options_default();                      \
        double r[6] = {7, 7, 7, 7, 7, 7};                                           \
        carom_error error = {.text = ""};                                           \
        change;                                                                     \
        CHECK_INT(solve_with(p, &o, r, &error), CAROM_ERR_BAD_INPUT);               \
        CHECK_CONTAINS(error.text, (words));                                        \
        for (int i = 0; i < 6; i++) CHECK(r[i] == 7 || isnan(r[i]) || isinf(r[i])); \
    } while (0)
    REFUSED_OPTION("there is no solver number 7", o.solver = CAROM_SOLVER_COUNT);
    REFUSED_OPTION("there is no solver number -1", o.solver = (carom_solver)-1);
    REFUSED_OPTION("tolerance is 0", o.tolerance = 0);
    REFUSED_OPTION("tolerance is -1e-08", o.tolerance = -1e-8);
    REFUSED_OPTION("tolerance is nan", o.tolerance = (double)NAN);
    REFUSED_OPTION("tolerance is inf", o.tolerance = INFINITY);
    REFUSED_OPTION("velocity_scale is -1 m/s", o.velocity_scale = -1);
    REFUSED_OPTION("velocity_scale is nan m/s", o.velocity_scale = (double)NAN);
    REFUSED_OPTION("velocity_scale is inf m/s", o.velocity_scale = INFINITY);
    REFUSED_OPTION("iterations is -1", o.iterations = -1);
    REFUSED_OPTION("pyramid_sides is 5", o.pyramid_sides = 5);
    REFUSED_OPTION("pyramid_sides is 2", o.pyramid_sides = 2);
    REFUSED_OPTION("pyramid_sides is -8", o.pyramid_sides = -8);
    REFUSED_OPTION("threads is 0", o.threads = 0);
    REFUSED_OPTION("impulse[4] is nan", (o.warm = true, r[4] = (double)NAN));
    REFUSED_OPTION("impulse[0] is inf", (o.warm = true, r[0] = INFINITY));
    contact_problem_destroy(p);
}

TEST(solving_refuses_what_the_check_refuses) {
    for (int s = 0; s < CAROM_SOLVER_COUNT; s++) {
        carom_solve_options options = carom_solve_options_default();
        options.solver = (carom_solver)s;
        double r[6];
        carom_error error = {.text = ""};
        contact_problem *p = good_problem();
        p->nodes[1].mass[0] = -1;
        carom_status status = solve_with(p, &options, r, &error);
        if (status != CAROM_ERR_UNSUPPORTED) {
            CHECK_INT(status, CAROM_ERR_BAD_INPUT);
            CHECK_CONTAINS(error.text, "nodes[1]: mass is not positive definite");
        }
        contact_problem_destroy(p);
    }
}

TEST(the_residual_refuses_what_is_not_finite) {
    contact_problem *p = good_problem();
    carom_solver_state *state;
    carom_residual_report report;
    double r[6] = {0};
    carom_error error = {.text = ""};
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    CHECK_INT(carom_residual_evaluate(state, &p->problem, -1.0, r, NULL, &report, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "velocity_scale is -1 m/s");
    r[3] = (double)NAN;
    CHECK_INT(carom_residual_evaluate(state, &p->problem, 0.0, r, NULL, &report, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "impulse[3] is nan");
    CHECK_INT(carom_residual_evaluate(state, NULL, 0.0, r, NULL, &report, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "the problem is missing");
    carom_solver_state_destroy(state);
    contact_problem_destroy(p);
}

// Counts that no array can have are refused before anything is computed with them.
TEST(huge_counts_are_refused) {
    carom_row_group group = {.law = CAROM_LAW_UNILATERAL, .rows = 1};
    carom_problem_node node = {.size = 1, .mass = {1}};
    carom_entry entry = {.rows = {1}};
    double offset = 0;
    carom_problem good = {.group_count = 1,
                          .groups = &group,
                          .offset = &offset,
                          .node_count = 1,
                          .nodes = &node,
                          .entry_count = 1,
                          .entries = &entry};
    carom_error error = {.text = ""};
    CHECK_INT(carom_problem_check(&good, NULL), CAROM_OK);
    carom_problem p = good;
    p.group_count = INT_MAX;
    CHECK_INT(carom_problem_check(&p, &error), CAROM_ERR_TOO_LARGE);
    CHECK_CONTAINS(error.text, "2147483647 groups");
    p = good;
    p.node_count = INT_MAX;
    CHECK_INT(carom_problem_check(&p, &error), CAROM_ERR_TOO_LARGE);
    CHECK_CONTAINS(error.text, "2147483647 nodes");
    p = good;
    p.entry_count = INT_MAX;
    CHECK_INT(carom_problem_check(&p, &error), CAROM_ERR_TOO_LARGE);
    CHECK_CONTAINS(error.text, "2147483647 entries");
}

TEST_MAIN(CASE(good_and_empty_problems_pass), CASE(groups_are_checked), CASE(rows_are_checked),
          CASE(masses_are_checked), CASE(entries_are_checked), CASE(delassus_is_checked), CASE(options_are_checked),
          CASE(solving_refuses_what_the_check_refuses), CASE(the_residual_refuses_what_is_not_finite),
          CASE(huge_counts_are_refused))
