// SPDX-License-Identifier: MIT
// Problems some of whose nodes are coupled, against the same problems with a dense mass by elimination.
#include "solve/coupled/coupled_problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "solve/solver_state.h"
#include "support/harness/check.h"
#include "support/problem/contact_problem.h"

enum { MOST = 400 };

typedef struct coupled_case {
    contact_problem *p;
    carom_coupling *couplings; // (MOST)
    int size, first[PROBLEM_MOST];
    double *mass; // dense
} coupled_case;

// Chains of `chain` nodes each, with an extra coupling across; nodes in between are not coupled. Diagonal blocks grow
// by what couplings could take away.
static coupled_case make_case(sampler *s, int nodes, int groups, int chain) {
    coupled_case c = {.p = random_problem(s, nodes, groups), .couplings = calloc(MOST, sizeof(carom_coupling))};
    carom_problem *problem = &c.p->problem;
    for (int n = 0; n < nodes; n++) {
        c.first[n] = c.size;
        c.size += c.p->nodes[n].size;
    }
    c.mass = calloc((size_t)(c.size * c.size), sizeof *c.mass);
    problem->couplings = c.couplings;
    for (int n = 0; n + 1 < nodes; n++) {
        bool closes = n % chain == chain - 2 && chain > 3;
        for (int k = 0; k < 1 + closes; k++) {
            if (n % chain == chain - 1) continue;
            int a = k == 0 ? n + 1 : n + 1 - 2, b = k == 0 ? n : n + 1;
            int rows = c.p->nodes[a].size, columns = c.p->nodes[b].size;
            carom_coupling *coupling = &c.couplings[problem->coupling_count++];
            coupling->a = a, coupling->b = b;
            for (int i = 0; i < rows * columns; i++) coupling->block[i] = sample_between(s, -1, 1);
            for (int i = 0; i < rows; i++)
                for (int j = 0; j < columns; j++) {
                    double value = coupling->block[i * columns + j];
                    c.mass[(c.first[a] + i) * c.size + c.first[b] + j] = value;
                    c.mass[(c.first[b] + j) * c.size + c.first[a] + i] = value;
                }
            for (int i = 0; i < rows; i++) c.p->nodes[a].mass[i * (rows + 1)] += 6.0;
            for (int i = 0; i < columns; i++) c.p->nodes[b].mass[i * (columns + 1)] += 6.0;
        }
    }
    for (int n = 0; n < nodes; n++) {
        int size = c.p->nodes[n].size;
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++)
                c.mass[(c.first[n] + i) * c.size + c.first[n] + j] = c.p->nodes[n].mass[i * size + j];
    }
    return c;
}

static void free_case(coupled_case *c) {
    free(c->mass);
    free(c->couplings);
    contact_problem_destroy(c->p);
}

// The mass as an operator, by Gauss-Jordan in its own copy.
static void divide_dense(void *user, const double *force, double *velocity) {
    const coupled_case *c = user;
    int n = c->size;
    double *a = malloc(sizeof *a * (size_t)(n * n));
    memcpy(a, c->mass, sizeof *a * (size_t)(n * n));
    memcpy(velocity, force, sizeof *velocity * (size_t)n);
    for (int k = 0; k < n; k++) {
        double pivot = 1.0 / a[k * n + k];
        for (int j = k; j < n; j++) a[k * n + j] *= pivot;
        velocity[k] *= pivot;
        for (int i = 0; i < n; i++) {
            double factor = a[i * n + k];
            if (i == k || factor == 0.0) continue;
            for (int j = k; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
            velocity[i] -= factor * velocity[k];
        }
    }
    free(a);
}

TEST(velocities_are_those_of_the_dense_mass) {
    sampler s = {.seed = 71};
    for (int round = 0; round < 30; round++) {
        coupled_case c = make_case(&s, 3 + round, 4 + round / 2, 2 + round % 5);
        carom_problem dense = c.p->problem;
        dense.form = CAROM_FORM_MOBILITY;
        dense.coupling_count = 0;
        dense.mobility = divide_dense;
        dense.mobility_user = &c;
        double *r = calloc((size_t)c.p->rows + 1, sizeof *r), *other = calloc((size_t)c.p->rows + 1, sizeof *r);
        double *v = calloc((size_t)c.size, sizeof *v), *w = calloc((size_t)c.size, sizeof *w);
        carom_solver_state *state = NULL;
        carom_solve_options options = carom_solve_options_default();
        options.tolerance = 1e-12;
        carom_solve_report report = {0}, reference = {0};
        carom_residual_report residual = {0}, own = {0};
        CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
        CHECK_INT(carom_solve(state, &c.p->problem, &options, r, v, &report, NULL), CAROM_OK);
        CHECK_INT(carom_solve(state, &dense, &options, other, w, &reference, NULL), CAROM_OK);
        // Where one has a solution the other has it.
        CHECK(report.outcome == reference.outcome || report.residual.residual < 1e-11);
        CHECK_INT(carom_residual_evaluate(state, &dense, 0.0, r, NULL, &residual, NULL), CAROM_OK);
        CHECK_INT(carom_residual_evaluate(state, &c.p->problem, 0.0, r, NULL, &own, NULL), CAROM_OK);
        CHECK_NEAR(own.scale, residual.scale, 1e-10 * residual.scale);
        if (report.outcome == CAROM_SOLVE_OUTCOME_MET) CHECK(residual.residual < 1e-10);
        // Velocities follow from impulses: M (v - v_free) = H r.
        double *force = calloc((size_t)c.size, sizeof *force), *change = calloc((size_t)c.size, sizeof *change);
        int row = 0, first_row[PROBLEM_MOST];
        for (int g = 0; g < c.p->problem.group_count; row += c.p->groups[g++].rows) first_row[g] = row;
        for (int e = 0; e < c.p->problem.entry_count; e++) {
            const carom_entry *entry = &c.p->entries[e];
            int size = c.p->nodes[entry->node].size;
            for (int i = 0; i < c.p->groups[entry->group].rows; i++)
                for (int j = 0; j < size; j++)
                    force[c.first[entry->node] + j] += entry->rows[i * size + j] * r[first_row[entry->group] + i];
        }
        divide_dense(&c, force, change);
        for (int n = 0; n < c.p->problem.node_count; n++)
            for (int i = 0; i < c.p->nodes[n].size; i++)
                CHECK_NEAR(v[c.first[n] + i], c.p->nodes[n].free[i] + change[c.first[n] + i], 1e-9);
        free(force), free(change), free(r), free(other), free(v), free(w);
        carom_solver_state_destroy(state);
        free_case(&c);
    }
}

// What acts on one end of a chain moves the other; what is on another chain does not.
TEST(islands_are_joined_by_couplings) {
    contact_problem *p = contact_problem_create();
    const double one = 1.0, two[1] = {3.0}, up[1] = {-1.0};
    for (int n = 0; n < 6; n++) add_node(p, 1, two, up);
    for (int k = 0; k < 3; k++) {
        int g = add_group(p, (carom_row_group){.law = CAROM_LAW_UNILATERAL, .rows = 1});
        add_entry(p, g, (const int[]){0, 2, 5}[k], &one);
    }
    carom_coupling couplings[4] = {{0, 1, {-1.0}}, {1, 2, {-1.0}}, {3, 4, {-1.0}}, {4, 5, {-1.0}}};
    p->problem.couplings = couplings;
    p->problem.coupling_count = 4;
    carom_solver_state *state = NULL;
    carom_solve_report report = {0};
    double r[3] = {0}, v[6] = {0};
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    CHECK_INT(carom_solve(state, &p->problem, NULL, r, v, &report, NULL), CAROM_OK);
    CHECK_INT(report.islands, 2);
    CHECK_INT(report.outcome, CAROM_SOLVE_OUTCOME_MET);
    // Nodes 0 and 2 are stopped; between them 3 v1 = -(v0 - free) ... : M (v - free) = H r has no force on node 1.
    CHECK_NEAR(v[0], 0.0, 1e-9);
    CHECK_NEAR(v[2], 0.0, 1e-9);
    CHECK_NEAR(3.0 * (v[1] + 1.0), (v[0] + 1.0) + (v[2] + 1.0), 1e-9);
    CHECK_NEAR(v[5], 0.0, 1e-9);
    carom_solver_state_destroy(state);
    contact_problem_destroy(p);
}

TEST(what_is_no_mass_is_refused) {
    contact_problem *p = contact_problem_create();
    const double mass[1] = {1.0}, still[1] = {0.0};
    for (int n = 0; n < 3; n++) add_node(p, 1, mass, still);
    carom_coupling couplings[2] = {{0, 1, {2.0}}};
    p->problem.couplings = couplings;
    p->problem.coupling_count = 1;
    carom_error error;
    CHECK_INT(carom_problem_check(&p->problem, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "the mass of the 2 coupled nodes is not positive definite");
    couplings[0].block[0] = 0.5;
    CHECK_INT(carom_problem_check(&p->problem, &error), CAROM_OK);
    couplings[0].b = 3;
    CHECK_INT(carom_problem_check(&p->problem, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "couplings[0]: there is no node 3, only 3");
    couplings[0].b = 0;
    CHECK_INT(carom_problem_check(&p->problem, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "couplings[0]: it couples node 0 with itself; add it to the node's mass");
    couplings[0].b = 1;
    couplings[1] = (carom_coupling){1, 0, {0.1}};
    p->problem.coupling_count = 2;
    CHECK_INT(carom_problem_check(&p->problem, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "couplings[1] couples nodes 0 and 1 a second time; add their blocks");
    couplings[1] = (carom_coupling){1, 2, {NAN}};
    CHECK_INT(carom_problem_check(&p->problem, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "couplings[1]: block (0, 0) is nan, must be finite");
    contact_problem_destroy(p);
}

TEST(files_bring_couplings_back) {
    sampler s = {.seed = 72};
    coupled_case c = make_case(&s, 9, 5, 4);
    char path[] = "/tmp/carom_coupled_XXXXXX";
    int file = mkstemp(path);
    CHECK(file >= 0);
    close(file);
    carom_stored_problem *stored = NULL;
    CHECK_INT(carom_problem_write(&c.p->problem, "coupled", NULL, path, NULL), CAROM_OK);
    CHECK_INT(carom_problem_read(path, NULL, &stored, NULL), CAROM_OK);
    unlink(path);
    const carom_problem *back = &stored->problem;
    CHECK_INT(back->coupling_count, c.p->problem.coupling_count);
    for (int k = 0; k < back->coupling_count; k++) {
        const carom_coupling *x = &back->couplings[k], *y = &c.couplings[k];
        int count = c.p->nodes[y->a].size * c.p->nodes[y->b].size;
        CHECK(x->a == y->a && x->b == y->b);
        CHECK(memcmp(x->block, y->block, sizeof(double) * (size_t)count) == 0);
    }
    carom_stored_problem_destroy(stored);
    free_case(&c);
}

// A factor that is kept serves other contacts, and a solution with it is one of the masses that were factored.
TEST(kept_masses_serve_other_contacts) {
    sampler s = {.seed = 73};
    coupled_case c = make_case(&s, 24, 3, 6);
    // The same bodies under other contacts.
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_coupled_mass mass;
    crm_coupled_mass_init(&mass, NULL);
    crm_kept_mass kept = {.mass = &mass};
    CHECK_INT(crm_coupled_nodes_make(&c.p->problem, &mass, &arena, &kept.nodes, NULL), CAROM_OK);
    carom_problem moved = c.p->problem;
    contact_problem *fresh = contact_problem_create();
    for (int n = 0; n < 24; n++) add_node(fresh, c.p->nodes[n].size, c.p->nodes[n].mass, c.p->nodes[n].free);
    double rows[6] = {1.0, 0.3, -0.2, 0.5, 0.1, 0.7};
    for (int n = 1; n < 24; n += 3) {
        int g = add_group(fresh, (carom_row_group){.law = CAROM_LAW_UNILATERAL, .rows = 1});
        add_entry(fresh, g, n, rows);
        fresh->offset[g] = -1.0;
    }
    fresh->problem.couplings = moved.couplings;
    fresh->problem.coupling_count = moved.coupling_count;
    carom_solver_state *state = NULL;
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    double r[2][8] = {{0}}, v[2][PROBLEM_MOST] = {{0}};
    const crm_island_wishes wishes = {.kept = &kept};
    CHECK_INT(carom_solve(state, &fresh->problem, NULL, r[0], v[0], NULL, NULL), CAROM_OK);
    CHECK_INT(crm_solve_islands(state, &fresh->problem, NULL, &wishes, r[1], v[1], NULL, NULL), CAROM_OK);
    for (int i = 0; i < c.size; i++) CHECK_NEAR(v[0][i], v[1][i], 1e-9);
    CHECK_INT(mass.inversions, 1);
    CHECK_INT(crm_solve_islands(state, &fresh->problem, NULL, &wishes, r[1], v[1], NULL, NULL), CAROM_OK);
    CHECK_INT(mass.inversions, 1);
    carom_solver_state_destroy(state);
    crm_coupled_mass_free(&mass);
    crm_arena_free(&arena);
    contact_problem_destroy(fresh);
    free_case(&c);
}

TEST_MAIN(CASE(velocities_are_those_of_the_dense_mass), CASE(islands_are_joined_by_couplings),
          CASE(what_is_no_mass_is_refused), CASE(files_bring_couplings_back), CASE(kept_masses_serve_other_contacts))
