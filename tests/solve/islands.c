// SPDX-License-Identifier: MIT
// Islands against connectivity by brute force.
#include "solve/islands.h"

#include <stdlib.h>
#include <string.h>

#include "support/harness/check.h"
#include "support/problem/contact_problem.h"

enum { MOST = 60 };

// connected[a][b]: a row of nodes, or of entries of W, leads from group a to group b.
static void connect_by_force(const carom_problem *problem, bool connected[MOST][MOST]) {
    memset(connected, 0, sizeof(bool) * MOST * MOST);
    for (int a = 0; a < problem->group_count; a++) connected[a][a] = true;
    if (problem->form == CAROM_FORM_DELASSUS) {
        int group_of[MOST * CAROM_GROUP_ROWS];
        for (int g = 0, row = 0; g < problem->group_count; g++) {
            for (int i = 0; i < problem->groups[g].rows; i++) group_of[row++] = g;
        }
        for (int i = 0; i < problem->delassus.rows; i++) {
            for (int k = problem->delassus.start[i]; k < problem->delassus.start[i + 1]; k++) {
                int a = group_of[i], b = group_of[problem->delassus.column[k]];
                if (problem->delassus.value[k] != 0.0) connected[a][b] = connected[b][a] = true;
            }
        }
    } else {
        for (int e = 0; e < problem->entry_count; e++) {
            for (int f = 0; f < problem->entry_count; f++) {
                if (problem->entries[e].node == problem->entries[f].node)
                    connected[problem->entries[e].group][problem->entries[f].group] = true;
            }
        }
    }
    for (int k = 0; k < problem->group_count; k++) {
        for (int a = 0; a < problem->group_count; a++) {
            for (int b = 0; b < problem->group_count; b++) connected[a][b] |= connected[a][k] && connected[k][b];
        }
    }
}

static int rows_of(const carom_problem *problem, const crm_selection *island) {
    int rows = 0;
    for (int k = 0; k < island->group_count; k++) rows += problem->groups[island->groups[k]].rows;
    return rows;
}

static int compare(const carom_problem *problem) {
    static bool connected[MOST][MOST];
    connect_by_force(problem, connected);
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_layout layout;
    crm_islands islands;
    CHECK_INT(crm_problem_lay_out(problem, &arena, &layout, NULL), CAROM_OK);
    CHECK_INT(crm_islands_find(problem, &layout, &arena, &islands, NULL), CAROM_OK);
    int island_of[MOST], seen = 0;
    bool node_seen[MOST] = {false};
    for (int g = 0; g < MOST; g++) island_of[g] = -1;
    for (int k = 0; k < islands.count; k++) {
        crm_selection island = crm_islands_get(&islands, k);
        CHECK(island.group_count > 0);
        for (int i = 0; i < island.group_count; i++) {
            CHECK(i == 0 || island.groups[i] > island.groups[i - 1]);
            CHECK_INT(island_of[island.groups[i]], -1);
            island_of[island.groups[i]] = k;
            seen++;
        }
        for (int i = 0; i < island.node_count; i++) {
            CHECK(i == 0 || island.nodes[i] > island.nodes[i - 1]);
            CHECK(!node_seen[island.nodes[i]]);
            node_seen[island.nodes[i]] = true;
        }
        if (k == 0) continue;
        crm_selection before = crm_islands_get(&islands, k - 1);
        int now = rows_of(problem, &island), then = rows_of(problem, &before);
        CHECK(then > now || (then == now && before.groups[0] < island.groups[0]));
    }
    CHECK_INT(seen, problem->group_count);
    for (int a = 0; a < problem->group_count; a++) {
        for (int b = 0; b < problem->group_count; b++) CHECK_INT(island_of[a] == island_of[b], connected[a][b]);
    }
    bool used[MOST] = {false};
    for (int e = 0; e < problem->entry_count; e++) {
        used[problem->entries[e].node] = true;
        // The nodes of a group are in its island.
        crm_selection island = crm_islands_get(&islands, island_of[problem->entries[e].group]);
        bool found = false;
        for (int i = 0; i < island.node_count; i++) found |= island.nodes[i] == problem->entries[e].node;
        CHECK(found);
    }
    for (int n = 0; n < problem->node_count; n++) CHECK_INT(node_seen[n], used[n]);
    int count = islands.count;
    crm_arena_free(&arena);
    return count;
}

TEST(islands_are_the_connected_parts) {
    sampler s = {.seed = 7};
    int several = 0;
    for (int k = 0; k < 60; k++) {
        int groups = 1 + k % 20;
        contact_problem *p = random_problem(&s, 1 + k % 30, groups);
        if (k % 3 == 0) p->problem.entry_count /= 2; // some groups touch nothing that moves
        several += compare(&p->problem) > 1;
        contact_problem_destroy(p);
    }
    CHECK(several > 20);
}

TEST(zeros_of_w_join_nothing) {
    sampler s = {.seed = 8};
    for (int k = 0; k < 10; k++) {
        contact_problem *p = random_problem(&s, 12, 8), *w = as_delassus(p);
        CHECK_INT(compare(&w->problem), compare(&p->problem));
        contact_problem_destroy(p);
        contact_problem_destroy(w);
    }
}

// Solving the islands is solving the whole: the same impulses, to the bit, as from problems of their own.
TEST(islands_do_not_feel_each_other) {
    sampler s = {.seed = 9};
    contact_problem *p = random_problem(&s, 24, 16);
    carom_solver_state *state;
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    carom_solve_options options = carom_solve_options_default();
    options.solver = CAROM_SOLVER_GAUSS_SEIDEL;
    options.iterations = 7;
    options.tolerance = 1e-15;
    double whole[PROBLEM_MOST], split[PROBLEM_MOST];
    carom_solve_report report;
    CHECK_INT(carom_solve(state, &p->problem, &options, whole, NULL, &report, NULL), CAROM_OK);
    CHECK(report.islands > 1);
    // Take away all groups but those of the island of group 0, by their entries: a group without any is an island too.
    static bool connected[MOST][MOST];
    connect_by_force(&p->problem, connected);
    int kept = 0;
    for (int e = 0; e < p->problem.entry_count; e++) {
        if (connected[0][p->entries[e].group]) p->entries[kept++] = p->entries[e];
    }
    p->problem.entry_count = kept;
    CHECK_INT(carom_solve(state, &p->problem, &options, split, NULL, &report, NULL), CAROM_OK);
    for (int g = 0, row = 0; g < p->problem.group_count; row += p->groups[g++].rows) {
        for (int i = 0; i < p->groups[g].rows && connected[0][g]; i++) CHECK_NEAR(split[row + i], whole[row + i], 0);
    }
    carom_solver_state_destroy(state);
    contact_problem_destroy(p);
}

TEST_MAIN(CASE(islands_are_the_connected_parts), CASE(zeros_of_w_join_nothing), CASE(islands_do_not_feel_each_other))
