// SPDX-License-Identifier: MIT
#include "support/problem/solved_problem.h"

#include "math/vec3.h"
#include "support/harness/check.h"

carom_solve_report solve_by(carom_solver solver, const carom_problem *problem, double tolerance, double *r, double *v) {
    carom_solver_state *state;
    carom_solve_options options = carom_solve_options_default();
    carom_solve_report report = {.outcome = CAROM_SOLVE_OUTCOME_NOT_MET};
    carom_error error = {.text = ""};
    options.solver = solver;
    options.tolerance = tolerance;
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    CHECK_INT(carom_solve(state, problem, &options, r, v, &report, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    carom_solver_state_destroy(state);
    return report;
}

static void divide_by_masses(void *user, const double *force, double *velocity) {
    const contact_problem *p = user;
    for (int n = 0, at = 0; n < p->problem.node_count; at += p->nodes[n++].size)
        for (int i = 0; i < p->nodes[n].size; i++)
            velocity[at + i] = force[at + i] / p->nodes[n].mass[i * (p->nodes[n].size + 1)];
}

carom_problem as_mobility(contact_problem *p) {
    carom_problem mobile = p->problem;
    mobile.form = CAROM_FORM_MOBILITY;
    mobile.mobility = divide_by_masses;
    mobile.mobility_user = p;
    return mobile;
}

void check_three_forms(carom_solver solver) {
    contact_problem *p = box_tower(3, 0.3, 2.0, crm_vec3(0.5, 0.2, 0)), *w = as_delassus(p);
    carom_problem mobile = as_mobility(p);
    const carom_problem *forms[3] = {&p->problem, &mobile, &w->problem};
    double u[3][36], r[36];
    carom_solver_state *state;
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    for (int f = 0; f < 3; f++) {
        carom_residual_report report;
        CHECK_INT(solve_by(solver, forms[f], 1e-11, r, NULL).outcome, CAROM_SOLVE_OUTCOME_MET);
        CHECK_INT(carom_residual_evaluate(state, &p->problem, 0.0, r, u[f], &report, NULL), CAROM_OK);
        CHECK(report.residual <= 1.1e-11);
        for (int i = 0; i < 36; i++) CHECK_NEAR(u[f][i], u[0][i], 1e-8);
    }
    carom_solver_state_destroy(state);
    contact_problem_destroy(p);
    contact_problem_destroy(w);
}
