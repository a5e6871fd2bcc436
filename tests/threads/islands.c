// SPDX-License-Identifier: MIT
// A thousand islands, solved on four threads: no bit differs from a solve on one, and under the thread sanitizer no two
// threads meet on a byte.
#include <stdlib.h>
#include <string.h>

#include "carom/solve.h"
#include "support/harness/check.h"
#include "support/problem/contact_stacks.h"

enum { COLUMNS = 1024 };

// Columns of two boxes each, pushed at random, that do not touch their neighbours.
static contact_stack columns(void) {
    stack_def def = {
        .size = {32, 32, 2}, .per_edge = 2, .ratio = 10.0, .friction = 0.8, .mixed = true, .push = 0.2, .seed = 71};
    return stack_create(&def);
}

typedef struct answer {
    double *impulse;
    carom_solve_report report;
} answer;

static answer solve(const contact_stack *stack, carom_solver solver, int threads) {
    answer answer = {.impulse = calloc((size_t)stack->rows, sizeof(double))};
    carom_solver_state *state;
    carom_solve_options options = carom_solve_options_default();
    options.solver = solver;
    options.threads = threads;
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    for (int again = 0; again < 2; again++) { // the second time with the memory of the first
        options.warm = again == 1;
        CHECK_INT(carom_solve(state, &stack->problem, &options, answer.impulse, NULL, &answer.report, NULL), CAROM_OK);
    }
    carom_solver_state_destroy(state);
    return answer;
}

TEST(a_thousand_islands_have_the_same_bits_on_four_threads) {
    static const carom_solver solvers[] = {CAROM_SOLVER_AUTO, CAROM_SOLVER_GAUSS_SEIDEL};
    contact_stack stack = columns();
    for (int i = 0; i < 2; i++) {
        answer one = solve(&stack, solvers[i], 1), four = solve(&stack, solvers[i], 4);
        CHECK_INT(one.report.islands, COLUMNS);
        CHECK_INT(four.report.islands, COLUMNS);
        CHECK_INT(four.report.iterations, one.report.iterations);
        CHECK(memcmp(one.impulse, four.impulse, sizeof(double) * (size_t)stack.rows) == 0);
        if (solvers[i] == CAROM_SOLVER_AUTO) CHECK_INT(four.report.outcome, CAROM_SOLVE_OUTCOME_MET);
        free(one.impulse), free(four.impulse);
    }
    stack_destroy(&stack);
}

TEST_MAIN(CASE(a_thousand_islands_have_the_same_bits_on_four_threads))
