// SPDX-License-Identifier: MIT
// Proofs that a problem has no solution: found where one was built in, never found where there is a solution.
#include "solve/infeasible/infeasible.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "solve/cone.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"
#include "support/problem/solved_problem.h"

enum { MOST_ROWS = 400, MOST_VELOCITIES = 100 };

static carom_solve_report solve(carom_solver solver, const carom_problem *problem) {
    carom_solver_state *state;
    carom_solve_options options = carom_solve_options_default();
    carom_solve_report report = {.outcome = CAROM_SOLVE_OUTCOME_NOT_MET};
    double r[MOST_ROWS];
    options.solver = solver;
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    CHECK_INT(carom_solve(state, problem, &options, r, NULL, &report, NULL), CAROM_OK);
    carom_solver_state_destroy(state);
    return report;
}

static bool search(const carom_problem *problem, double *y) {
    crm_arena arena;
    crm_layout layout;
    crm_operator op;
    bool proved = false;
    double work = 1e12;
    crm_arena_init(&arena, NULL);
    CHECK_INT(crm_problem_lay_out(problem, &arena, &layout, NULL), CAROM_OK);
    CHECK_INT(crm_operator_build(problem, &layout, NULL, &arena, &op, NULL), CAROM_OK);
    CHECK_INT(crm_infeasible_search(&op, (carom_interrupt){NULL, NULL}, &arena, &work, y, &proved, NULL), CAROM_OK);
    crm_arena_free(&arena);
    return proved;
}

// ---- random problems whose answer is known

// Boxes without one or both bounds among the others.
static void unbound_boxes(contact_problem *p, sampler *s) {
    for (int g = 0; g < p->problem.group_count; g++) {
        if (p->groups[g].law != CAROM_LAW_BOX) continue;
        int which = (int)crm_random_below(s, 4);
        if (which & 1) p->groups[g].lower = -INFINITY;
        if (which & 2) p->groups[g].upper = INFINITY;
    }
}

static void spread_masses(contact_problem *p, sampler *s, double decades) {
    for (int n = 0; n < p->problem.node_count; n++) {
        double factor = pow(10.0, sample_between(s, -decades, decades));
        for (int k = 0; k < p->nodes[n].size * p->nodes[n].size; k++) p->nodes[n].mass[k] *= factor;
    }
}

// u += H^T v.
static void add_relative(const contact_problem *p, const double *v, double *u) {
    int row[PROBLEM_MOST], velocity[PROBLEM_MOST];
    for (int g = 0, at = 0; g < p->problem.group_count; at += p->groups[g++].rows) row[g] = at;
    for (int n = 0, at = 0; n < p->problem.node_count; at += p->nodes[n++].size) velocity[n] = at;
    for (int e = 0; e < p->problem.entry_count; e++) {
        const carom_entry *entry = &p->entries[e];
        int size = p->nodes[entry->node].size;
        for (int i = 0; i < p->groups[entry->group].rows; i++)
            for (int j = 0; j < size; j++)
                u[row[entry->group] + i] += entry->rows[i * size + j] * v[velocity[entry->node] + j];
    }
}

// f = H y.
static void push(const contact_problem *p, const double *y, double *f) {
    int row[PROBLEM_MOST], velocity[PROBLEM_MOST];
    for (int g = 0, at = 0; g < p->problem.group_count; at += p->groups[g++].rows) row[g] = at;
    for (int n = 0, at = 0; n < p->problem.node_count; at += p->nodes[n++].size) velocity[n] = at;
    memset(f, 0, sizeof(double) * (size_t)p->velocities);
    for (int e = 0; e < p->problem.entry_count; e++) {
        const carom_entry *entry = &p->entries[e];
        int size = p->nodes[entry->node].size;
        for (int i = 0; i < p->groups[entry->group].rows; i++)
            for (int j = 0; j < size; j++)
                f[velocity[entry->node] + j] += entry->rows[i * size + j] * y[row[entry->group] + i];
    }
}

// Velocities that a law without compliance allows; often on the edge of what it does.
static void allowed_velocity(const carom_row_group *group, sampler *s, double *u) {
    bool edge = crm_random_below(s, 2) == 0;
    for (int i = 0; i < group->rows; i++) u[i] = 0.0;
    double some = edge ? 0.0 : sample_between(s, 0.0, 1.0);
    switch (group->law) {
    case CAROM_LAW_EQUALITY:
        return;
    case CAROM_LAW_UNILATERAL:
        u[0] = some;
        return;
    case CAROM_LAW_BOX:
        if (isfinite(group->lower) && isfinite(group->upper))
            u[0] = sample_between(s, -1.0, 1.0);
        else if (isfinite(group->lower))
            u[0] = some;
        else if (isfinite(group->upper))
            u[0] = -some;
        return;
    case CAROM_LAW_CONE:
        for (int i = 1; i < group->rows; i++) u[i] = sample_between(s, -1.0, 1.0);
        u[0] = some + (group->relaxed ? group->friction * crm_cone_slip(group->rows, u) : 0.0);
        return;
    }
}

// Sets the offsets so that some velocities satisfy all laws.
static void make_feasible(contact_problem *p, sampler *s, double speed) {
    double v[MOST_VELOCITIES], u[MOST_ROWS] = {0};
    for (int i = 0; i < p->velocities; i++) v[i] = sample_between(s, -speed, speed);
    add_relative(p, v, u);
    for (int g = 0, row = 0; g < p->problem.group_count; row += p->groups[g++].rows) {
        allowed_velocity(&p->groups[g], s, p->offset + row);
        for (int i = 0; i < p->groups[g].rows; i++) p->offset[row + i] -= u[row + i];
    }
}

static contact_problem *feasible_problem(sampler *s) {
    int nodes = 1 + (int)crm_random_below(s, 6), groups = 1 + (int)crm_random_below(s, 12);
    contact_problem *p = random_problem(s, nodes, groups);
    if (crm_random_below(s, 2) == 0) memset(p->compliance, 0, sizeof p->compliance);
    unbound_boxes(p, s);
    spread_masses(p, s, crm_random_below(s, 2) == 0 ? 0.0 : 3.0);
    make_feasible(p, s, crm_random_below(s, 4) == 0 ? 1e3 : 1.0);
    return p;
}

// Impulses of the dual cone, for rigid rows only.
static void dual_impulse(const contact_problem *p, sampler *s, double *y) {
    for (int g = 0, row = 0; g < p->problem.group_count; row += p->groups[g++].rows) {
        const carom_row_group *group = &p->groups[g];
        const double *c = p->compliance + row;
        double *x = y + row;
        for (int i = 0; i < group->rows; i++) x[i] = 0.0;
        if (crm_random_below(s, 3) == 0) continue;
        switch (group->law) {
        case CAROM_LAW_EQUALITY:
            for (int i = 0; i < group->rows; i++) x[i] = c[i] > 0.0 ? 0.0 : sample_between(s, -1.0, 1.0);
            break;
        case CAROM_LAW_UNILATERAL:
            x[0] = c[0] > 0.0 ? 0.0 : sample_between(s, 0.0, 1.0);
            break;
        case CAROM_LAW_BOX:
            if (c[0] > 0.0) break;
            if (!isfinite(group->upper)) x[0] += sample_between(s, 0.0, 1.0);
            if (!isfinite(group->lower)) x[0] -= sample_between(s, 0.0, 1.0);
            break;
        case CAROM_LAW_CONE:
            if (c[0] > 0.0) break;
            x[0] = sample_between(s, 0.0, 1.0);
            for (int i = 1; group->relaxed && i < group->rows; i++)
                x[i] = c[i] > 0.0 ? 0.0 : sample_between(s, -0.7, 0.7) * group->friction * x[0];
            break;
        }
    }
}

// One more row that no velocity satisfies together with the others: it closes the balance of some impulses y, and its
// offset lacks a share `gap` of what the others leave.
static void add_contradiction(contact_problem *p, sampler *s, double gap) {
    double y[MOST_ROWS], f[MOST_VELOCITIES], sum = 0.0, size = 0.0;
    dual_impulse(p, s, y);
    push(p, y, f);
    for (int i = 0; i < p->rows; i++) {
        sum += p->offset[i] * y[i];
        size += fabs(p->offset[i] * y[i]);
    }
    p->offset[p->rows] = -sum - gap * (size > 0.0 ? size : 1.0);
    p->compliance[p->rows] = 0.0;
    int row = add_group(p, (carom_row_group){.law = CAROM_LAW_UNILATERAL, .rows = 1});
    for (int n = 0, at = 0; n < p->problem.node_count; at += p->nodes[n++].size) {
        double entry[6];
        for (int j = 0; j < p->nodes[n].size; j++) entry[j] = -f[at + j];
        add_entry(p, row, n, entry);
    }
}

// Farkas' conditions by their definition; that H y is zero as the lack of power with velocities of 1000 m/s.
static void check_proof(const contact_problem *p, const double *y) {
    double f[MOST_VELOCITIES], sum = 0.0, power = 0.0;
    for (int g = 0, row = 0; g < p->problem.group_count; row += p->groups[g++].rows) {
        const carom_row_group *group = &p->groups[g];
        const double *x = y + row;
        for (int i = 0; i < group->rows; i++) {
            CHECK(isfinite(x[i]));
            if (p->compliance[row + i] > 0.0) CHECK(x[i] == 0.0);
            sum += p->offset[row + i] * x[i];
        }
        if (group->law == CAROM_LAW_UNILATERAL) CHECK(x[0] >= 0.0);
        if (group->law == CAROM_LAW_BOX && isfinite(group->lower)) CHECK(x[0] >= 0.0);
        if (group->law == CAROM_LAW_BOX && isfinite(group->upper)) CHECK(x[0] <= 0.0);
        if (group->law != CAROM_LAW_CONE) continue;
        CHECK(crm_cone_slip(group->rows, x) <= (group->relaxed ? group->friction * x[0] * (1 + 1e-12) : 0.0));
        CHECK(x[0] >= 0.0);
    }
    push(p, y, f);
    for (int i = 0; i < p->velocities; i++) power += 1000.0 * fabs(f[i]);
    if (!CHECK(sum < 0.0 && power <= 1e-3 * -sum)) fprintf(stderr, "w.y is %g, (H y).v %g\n", sum, power);
}

static bool is_polyhedral(const contact_problem *p) {
    for (int g = 0; g < p->problem.group_count; g++)
        if (p->groups[g].law == CAROM_LAW_CONE && p->groups[g].relaxed) return false;
    return true;
}

// Never a proof against a solution. Contradictions may be missed, but few: where masses are very unequal some are next
// to none, with relaxed cones above all.
static void search_both_ways(int count, uint64_t seed) {
    int contradictions[2] = {0}, proofs[2] = {0};
    for (int k = 0; k < count; k++) {
        sampler s = {.seed = seed + (uint64_t)k};
        contact_problem *p = feasible_problem(&s);
        for (int contradictory = 0; contradictory < 2; contradictory++) {
            if (contradictory) add_contradiction(p, &s, pow(10.0, sample_between(&s, -3.0, 0.0)));
            contact_problem *w = as_delassus(p);
            bool rows = is_polyhedral(p);
            double y[MOST_ROWS], z[MOST_ROWS];
            bool as_bodies = search(&p->problem, y), as_matrix = search(&w->problem, z);
            if (as_bodies && contradictory) check_proof(p, y);
            if (!CHECK(contradictory || (!as_bodies && !as_matrix)))
                fprintf(stderr, "seed %lld has a solution\n", (long long)seed + k);
            contradictions[rows] += 2 * contradictory;
            proofs[rows] += as_bodies + as_matrix;
            contact_problem_destroy(w);
        }
        contact_problem_destroy(p);
    }
    printf("contradictions proved: %d of %d between rows, %d of %d with relaxed cones\n", proofs[1], contradictions[1],
           proofs[0], contradictions[0]);
    CHECK(contradictions[0] > 0 && contradictions[1] > 0);
    CHECK(proofs[0] >= 0.98 * contradictions[0] && proofs[1] >= 0.995 * contradictions[1]);
}

TEST(proofs_are_found_where_they_are) {
    search_both_ways(150, 1);
}

TEST(proofs_are_found_where_they_are_at_length) {
    search_both_ways(3000, 1000000);
}

// ---- by hand

static const carom_solver every[] = {CAROM_SOLVER_AUTO,         CAROM_SOLVER_LEMKE,      CAROM_SOLVER_MIN_MAP,
                                     CAROM_SOLVER_GAUSS_SEIDEL, CAROM_SOLVER_SEMISMOOTH, CAROM_SOLVER_SMOOTHING,
                                     CAROM_SOLVER_INTERIOR};
enum { EVERY = sizeof every / sizeof every[0] };

// A point between two walls that close: no room, whatever the solver, and the words name both walls and no other.
TEST(closing_walls) {
    for (int m = 0; m < EVERY; m++) {
        contact_problem *p = contact_problem_create();
        add_node(p, 2, (double[]){2, 0, 0, 2}, (double[]){1, 0});
        for (int side = 0; side < 4; side++) { // 0 and 2 are the walls, 1 and 3 stand across
            add_group(p, (carom_row_group){.law = CAROM_LAW_UNILATERAL, .rows = 1});
            double sign = side < 2 ? 1 : -1;
            add_entry(p, side, 0, (double[]){side % 2 == 0 ? sign : 0, side % 2 == 0 ? 0 : sign});
        }
        p->offset[0] = -0.5; // u = v - 0.5 and 0.25 - v
        p->offset[2] = 0.25;
        p->offset[1] = p->offset[3] = 1.0;
        carom_solve_report report = solve(every[m], &p->problem);
        CHECK_INT(report.outcome, CAROM_SOLVE_OUTCOME_INFEASIBLE);
        bool named = strstr(report.tried, "groups 0, 2 together") != NULL ||
                     strstr(report.tried, "groups 2, 0 together") != NULL;
        if (!CHECK(named)) fprintf(stderr, "%s\n", report.tried);
        p->offset[2] = 0.75; // room
        CHECK_INT(solve(every[m], &p->problem).outcome, CAROM_SOLVE_OUTCOME_MET);
        contact_problem_destroy(p);
    }
}

// A column of boxes, light under heavy or the other way, pressed from above faster than it can give: rows that
// contradict each other with redundant ones and friction around, at any mass ratio.
TEST(pressed_columns) {
    for (double ratio = 1e-2; ratio < 2e2; ratio *= 10.0)
        for (int relaxed = 0; relaxed < 2; relaxed++) {
            contact_problem *p = box_tower(4, 0.5, ratio, crm_vec3(0.1, 0, 0));
            for (int k = 0; k < 4; k++) {
                carom_vec3 corner = {k % 2 - 0.5, k / 2 - 0.5, 0.5};
                int group = add_contact(p, -1, 3, crm_vec3_zero(), corner, crm_vec3(0, 0, -1), 0.5);
                p->offset[3 * group] = -1.0;
            }
            for (int g = 0; g < p->problem.group_count; g++) p->groups[g].relaxed = relaxed == 1;
            double y[MOST_ROWS];
            if (CHECK(search(&p->problem, y))) check_proof(p, y);
            for (int i = p->rows - 12; i < p->rows; i++) p->offset[i] = 0.0; // the press stands still
            CHECK(!search(&p->problem, y));
            contact_problem_destroy(p);
        }
}

// Joints twice over: the same row twice is no contradiction, a disagreement is, and a compliance ends it.
TEST(joints_that_disagree) {
    contact_problem *p = contact_problem_create();
    double y[MOST_ROWS];
    add_body(p, 3.0, 0.5, crm_vec3(0.3, 0.1, -0.2), crm_vec3(1, 2, 3));
    for (int k = 0; k < 3; k++) {
        double rows[18] = {0};
        for (int i = 0; i < 3; i++) rows[7 * i] = rows[6 * i + 3 + (i + 1) % 3] = 1.0;
        add_group(p, (carom_row_group){.law = CAROM_LAW_EQUALITY, .rows = 3});
        add_entry(p, k, 0, rows);
        for (int i = 0; i < 3; i++) p->offset[3 * k + i] = 0.1 * i + 0.7;
    }
    CHECK(!search(&p->problem, y));
    CHECK_INT(solve(CAROM_SOLVER_AUTO, &p->problem).outcome, CAROM_SOLVE_OUTCOME_MET);
    p->offset[4] += 1e-4;
    if (CHECK(search(&p->problem, y))) check_proof(p, y);
    CHECK_INT(solve(CAROM_SOLVER_AUTO, &p->problem).outcome, CAROM_SOLVE_OUTCOME_INFEASIBLE);
    p->problem.compliance = p->compliance;
    p->compliance[4] = 1e-3; // 1 and 7 still agree
    CHECK(!search(&p->problem, y));
    CHECK_INT(solve(CAROM_SOLVER_AUTO, &p->problem).outcome, CAROM_SOLVE_OUTCOME_MET);
    p->offset[1] -= 1e-4;
    if (CHECK(search(&p->problem, y))) check_proof(p, y);
    contact_problem_destroy(p);
}

// A box between two plates that run against each other: relaxed cones, which fly off what slides, find no room; exact
// ones do.
TEST(relaxed_cones_have_contradictions_of_their_own) {
    for (int relaxed = 0; relaxed < 2; relaxed++) {
        contact_problem *p = contact_problem_create();
        double y[MOST_ROWS];
        add_body(p, 1.0, 0.1, crm_vec3_zero(), crm_vec3_zero());
        for (int side = -1; side <= 1; side += 2) {
            int group = add_contact(p, -1, 0, crm_vec3_zero(), crm_vec3(0, 0, 0.0), crm_vec3(0, 0, -side), 0.4);
            p->groups[group].relaxed = relaxed == 1;
            p->offset[3 * group + 1] = group; // the second plate slides
        }
        CHECK_INT(search(&p->problem, y), relaxed);
        CHECK_INT(solve(CAROM_SOLVER_AUTO, &p->problem).outcome,
                  relaxed == 1 ? CAROM_SOLVE_OUTCOME_INFEASIBLE : CAROM_SOLVE_OUTCOME_MET);
        contact_problem_destroy(p);
    }
}

TEST(a_mobility_has_the_same_contradictions) {
    contact_problem *p = box_tower(2, 0.5, 3.0, crm_vec3_zero());
    int lid = add_contact(p, -1, 1, crm_vec3_zero(), crm_vec3(0, 0, 0.5), crm_vec3(0, 0, -1), 0.5);
    carom_problem mobile = as_mobility(p);
    double y[MOST_ROWS];
    CHECK(!search(&mobile, y));
    p->offset[3 * lid] = -0.5;
    if (CHECK(search(&mobile, y))) check_proof(p, y);
    contact_problem_destroy(p);
}

// Who bounds the iterations gets no proof; a verdict on something that is none is no.
TEST(no_proof_without_a_search) {
    contact_problem *p = box_tower(1, 0.5, 1.0, crm_vec3_zero());
    p->offset[3 * add_contact(p, -1, 0, crm_vec3_zero(), crm_vec3(0, 0, 0.5), crm_vec3(0, 0, -1), 0.5)] = -0.5;
    carom_solver_state *state;
    carom_solve_options options = carom_solve_options_default();
    carom_solve_report report;
    double r[MOST_ROWS];
    options.solver = CAROM_SOLVER_GAUSS_SEIDEL;
    options.iterations = 30;
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    CHECK_INT(carom_solve(state, &p->problem, &options, r, NULL, &report, NULL), CAROM_OK);
    CHECK_INT(report.outcome, CAROM_SOLVE_OUTCOME_NOT_MET);
    options.iterations = 0;
    CHECK_INT(carom_solve(state, &p->problem, &options, r, NULL, &report, NULL), CAROM_OK);
    CHECK_INT(report.outcome, CAROM_SOLVE_OUTCOME_INFEASIBLE);
    carom_solver_state_destroy(state);

    crm_arena arena;
    crm_layout layout;
    crm_operator op;
    crm_arena_init(&arena, NULL);
    CHECK_INT(crm_problem_lay_out(&p->problem, &arena, &layout, NULL), CAROM_OK);
    CHECK_INT(crm_operator_build(&p->problem, &layout, NULL, &arena, &op, NULL), CAROM_OK);
    double work[100], none[MOST_ROWS] = {0}, wrong[MOST_ROWS];
    CHECK(crm_infeasible_work(&op) <= 100);
    CHECK(!crm_infeasible_verify(&op, 1e8, none, work));
    for (int i = 0; i < p->rows; i++) wrong[i] = NAN;
    CHECK(!crm_infeasible_verify(&op, 1e8, wrong, work));
    double y[MOST_ROWS] = {0};
    for (int i = 0; i < 5; i++) y[3 * i] = i < 4 ? 0.25 : 1.0;
    CHECK(crm_infeasible_verify(&op, 1e8, y, work));
    y[12] = 1.0 + 1e-6; // not quite in balance: some velocities may do
    CHECK(!crm_infeasible_verify(&op, 1e8, y, work));
    for (int i = 0; i < 15; i++) y[i] = i % 3 == 0 ? -1.0 : 0.0; // the wrong way round
    CHECK(!crm_infeasible_verify(&op, 1e8, y, work));
    crm_arena_free(&arena);
    contact_problem_destroy(p);
}

TEST(refusals_of_memory_leak_nothing) {
    contact_problem *p = box_tower(2, 0.5, 1.0, crm_vec3_zero());
    p->offset[3 * add_contact(p, -1, 1, crm_vec3_zero(), crm_vec3(0, 0, 0.5), crm_vec3(0, 0, -1), 0.5)] = -0.5;
    carom_solve_options options = carom_solve_options_default();
    options.solver = CAROM_SOLVER_SEMISMOOTH;
    double r[MOST_ROWS];
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
    contact_problem_destroy(p);
}

TEST_MAIN(CASE(proofs_are_found_where_they_are), LONG_CASE(proofs_are_found_where_they_are_at_length),
          CASE(closing_walls), CASE(pressed_columns), CASE(joints_that_disagree),
          CASE(relaxed_cones_have_contradictions_of_their_own), CASE(a_mobility_has_the_same_contradictions),
          CASE(no_proof_without_a_search), CASE(refusals_of_memory_leak_nothing))
