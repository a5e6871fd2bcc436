// SPDX-License-Identifier: MIT
// One problem in its three forms: the same products, blocks and velocities, against elimination.
#include "solve/operator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/harness/check.h"
#include "support/problem/contact_problem.h"

// A mobility made of the nodes of a problem, by conjugate directions: shares no code with the library.
static void mobility_of_nodes(void *user, const double *force, double *velocity) {
    const carom_problem *problem = user;
    for (int n = 0, at = 0; n < problem->node_count; at += problem->nodes[n++].size) {
        const carom_problem_node *node = &problem->nodes[n];
        double x[6] = {0}, r[6], p[6];
        for (int i = 0; i < node->size; i++) r[i] = p[i] = force[at + i];
        for (int k = 0; k < 3 * node->size; k++) {
            double rr = 0.0, pap = 0.0, ap[6], next = 0.0;
            for (int i = 0; i < node->size; i++) {
                ap[i] = 0.0;
                for (int j = 0; j < node->size; j++) ap[i] += node->mass[i * node->size + j] * p[j];
                rr += r[i] * r[i];
                pap += p[i] * ap[i];
            }
            if (!(pap > 0.0)) break;
            for (int i = 0; i < node->size; i++) {
                x[i] += rr / pap * p[i];
                r[i] -= rr / pap * ap[i];
                next += r[i] * r[i];
            }
            for (int i = 0; i < node->size; i++) p[i] = r[i] + next / rr * p[i];
        }
        memcpy(velocity + at, x, sizeof(double) * (size_t)node->size);
    }
}

static void compare_forms(sampler *s, int nodes, int groups) {
    contact_problem *p = random_problem(s, nodes, groups), *given = as_delassus(p);
    carom_problem mobile = p->problem;
    mobile.form = CAROM_FORM_MOBILITY;
    mobile.mobility = mobility_of_nodes;
    mobile.mobility_user = &p->problem;
    const carom_problem *forms[3] = {&p->problem, &mobile, &given->problem};
    double *w = dense_delassus(&p->problem);
    int rows = p->rows;
    double *r = calloc((size_t)rows, sizeof *r), *y = calloc((size_t)rows, sizeof *y);
    double *u = calloc((size_t)rows, sizeof *u), *terms = calloc((size_t)rows, sizeof *terms);
    for (int i = 0; i < rows; i++) r[i] = sample_between(s, -1, 1);
    for (int f = 0; f < 3; f++) {
        crm_arena arena;
        crm_arena_init(&arena, NULL);
        crm_layout layout;
        crm_operator op;
        CHECK_INT(crm_problem_lay_out(forms[f], &arena, &layout, NULL), CAROM_OK);
        CHECK_INT(crm_operator_build(forms[f], &layout, NULL, &arena, &op, NULL), CAROM_OK);
        CHECK_INT(op.row_count, rows);
        double *work = CRM_ARENA_ARRAY(&arena, double, crm_operator_work(&op));
        crm_operator_multiply(&op, r, work, y);
        crm_operator_relative(&op, r, work, u);
        crm_operator_magnitude(&op, r, work, terms);
        for (int i = 0; i < rows; i++) {
            double sum = 0.0, terms_of_w = fabs(given->offset[i]);
            for (int j = 0; j < rows; j++) {
                sum += w[i * rows + j] * r[j];
                terms_of_w += fabs(w[i * rows + j] * r[j]);
            }
            CHECK_NEAR(y[i], sum, 1e-11);
            CHECK_NEAR(op.q[i], given->offset[i], 1e-13);
            CHECK_NEAR(u[i], sum + given->offset[i], 1e-11);
            // Through nodes there are more terms that cancel, never fewer; a mobility's are not known.
            if (f != 1) CHECK(terms[i] >= (1 - 1e-12) * terms_of_w);
            if (f == 2) CHECK_NEAR(terms[i], terms_of_w, 1e-12 * terms_of_w);
        }
        for (int g = 0; g < op.group_count; g++) {
            int size = op.groups[g].rows, first = op.row_start[g];
            double trace = 0.0;
            for (int i = 0; i < size; i++) {
                for (int j = 0; j < size; j++) {
                    double wanted = w[(first + i) * rows + first + j];
                    if (i == j) trace += wanted += p->compliance[first + i];
                    CHECK_NEAR(op.block[op.block_start[g] + i * size + j], wanted, 1e-11);
                }
            }
            CHECK_NEAR(op.scale[g], trace / size, 1e-11);
        }
        if (f == 1) {
            crm_csr formed;
            CHECK_INT(crm_operator_form_delassus(&op, &arena, &formed, NULL), CAROM_OK);
            for (int k = 0; k < rows * rows; k++) CHECK_NEAR(formed.values[k], w[k], 1e-11);
        }
        crm_arena_free(&arena);
    }
    free(w);
    free(r);
    free(y);
    free(u);
    free(terms);
    contact_problem_destroy(p);
    contact_problem_destroy(given);
}

TEST(three_forms_give_the_same_products) {
    sampler s = {.seed = 3};
    for (int k = 0; k < 20; k++) compare_forms(&s, 1 + k % 5, 1 + k / 2);
}

// M (v - v_free) = H r.
TEST(velocities_balance_momentum) {
    sampler s = {.seed = 4};
    contact_problem *p = random_problem(&s, 6, 12);
    carom_solver_state *state;
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    carom_solve_options options = carom_solve_options_default();
    options.solver = CAROM_SOLVER_GAUSS_SEIDEL;
    options.iterations = 3;
    double r[PROBLEM_MOST], v[PROBLEM_MOST], balance[PROBLEM_MOST] = {0};
    CHECK_INT(carom_solve(state, &p->problem, &options, r, v, NULL, NULL), CAROM_OK);
    for (int e = 0; e < p->problem.entry_count; e++) {
        const carom_entry *entry = &p->entries[e];
        int at = 0, row = 0, size = p->nodes[entry->node].size;
        for (int n = 0; n < entry->node; n++) at += p->nodes[n].size;
        for (int g = 0; g < entry->group; g++) row += p->groups[g].rows;
        for (int i = 0; i < p->groups[entry->group].rows; i++) {
            for (int k = 0; k < size; k++) balance[at + k] -= entry->rows[i * size + k] * r[row + i];
        }
    }
    for (int n = 0, at = 0; n < p->problem.node_count; at += p->nodes[n++].size) {
        const carom_problem_node *node = &p->nodes[n];
        for (int i = 0; i < node->size; i++) {
            for (int j = 0; j < node->size; j++)
                balance[at + i] += node->mass[i * node->size + j] * (v[at + j] - node->free[j]);
            CHECK_NEAR(balance[at + i], 0.0, 1e-12);
        }
    }
    carom_solver_state_destroy(state);
    contact_problem_destroy(p);
}

TEST_MAIN(CASE(three_forms_give_the_same_products), CASE(velocities_balance_momentum))
