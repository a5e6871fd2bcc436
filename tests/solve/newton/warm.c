// SPDX-License-Identifier: MIT
// The fallback cascade from a guess: stacks on which something has changed since the guess was right, and bounds on its
// work.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/solve.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/problem/contact_stacks.h"

// Some contacts are open by up to what closes in a step or two, at random: which of them carry is to be found out.
static void open_gaps(contact_stack *stack, double speed, sampler *s) {
    for (int g = 0; g < stack->problem.group_count; g++)
        stack->offset[3 * g] = fmax(0.0, sample_between(s, -speed, speed));
}

static void push(contact_stack *stack, double speed, sampler *s) {
    for (int n = 0; n < stack->problem.node_count; n++)
        for (int i = 0; i < 6; i++) stack->nodes[n].free[i] += speed * sample_between(s, -1.0, 1.0);
}

// Columns and walls with nine contacts on a face, pushed at a tenth of g h to three times of it, from the impulses
// before. The residual has the last word.
TEST(pushed_stacks_are_solved) {
    const stack_def defs[] = {
        {.size = {1, 1, 6}, .per_edge = 3, .ratio = 1.0, .friction = 0.5, .push = 0.05, .seed = 11},
        {.size = {1, 1, 10}, .per_edge = 2, .ratio = 4.0, .friction = 0.5, .tilt = 0.3, .seed = 12},
        {.size = {4, 1, 4}, .per_edge = 2, .ratio = 10.0, .friction = 0.6, .staggered = true, .seed = 13},
        {.size = {2, 2, 3}, .per_edge = 2, .ratio = 1.0, .friction = 0.4, .sideways = true, .seed = 14},
    };
    carom_solver_state *state;
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    for (size_t k = 0; k < sizeof defs / sizeof *defs; k++) {
        contact_stack stack = stack_create(&defs[k]);
        sampler s = {.seed = 20 + k};
        double *r = calloc((size_t)stack.rows, sizeof *r);
        carom_solve_options options = carom_solve_options_default();
        CHECK_INT(carom_solve(state, &stack.problem, &options, r, NULL, NULL, NULL), CAROM_OK);
        options.warm = true;
        for (double speed = 0.01; speed < 0.5; speed *= 30.0) {
            carom_solve_report report;
            carom_residual_report evaluated;
            open_gaps(&stack, speed, &s);
            push(&stack, speed, &s);
            CHECK_INT(carom_solve(state, &stack.problem, &options, r, NULL, &report, NULL), CAROM_OK);
            CHECK_INT(report.outcome, CAROM_SOLVE_OUTCOME_MET);
            CHECK_INT(carom_residual_evaluate(state, &stack.problem, 0.0, r, NULL, &evaluated, NULL), CAROM_OK);
            CHECK(evaluated.residual <= options.tolerance);
        }
        free(r);
        stack_destroy(&stack);
    }
    carom_solver_state_destroy(state);
}

// Little work ends early with the truth about it: no worse than the guess. None at all is refused.
TEST(no_more_work_is_taken_than_allowed) {
    contact_stack stack = stack_create(
        &(stack_def){.size = {5, 1, 8}, .per_edge = 2, .ratio = 10.0, .friction = 0.5, .staggered = true, .seed = 15});
    sampler s = {.seed = 30};
    double *r = calloc((size_t)stack.rows, sizeof *r), *guess = calloc((size_t)stack.rows, sizeof *r);
    carom_solver_state *state;
    carom_solve_report report, little;
    carom_residual_report before, after;
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    carom_solve_options options = carom_solve_options_default();
    CHECK_INT(carom_solve(state, &stack.problem, &options, guess, NULL, &report, NULL), CAROM_OK);
    push(&stack, 0.05, &s);
    CHECK_INT(carom_residual_evaluate(state, &stack.problem, 0.0, guess, NULL, &before, NULL), CAROM_OK);
    options.warm = true;
    int last = 0;
    const double in_any_case = 1500.0 * stack.problem.group_count; // being written down and evaluated
    for (double work = 20.0; work <= 2e10; work *= 1e3) {
        options.work = work;
        memcpy(r, guess, sizeof *r * (size_t)stack.rows);
        CHECK_INT(carom_solve(state, &stack.problem, &options, r, NULL, &little, NULL), CAROM_OK);
        CHECK_INT(carom_residual_evaluate(state, &stack.problem, 0.0, r, NULL, &after, NULL), CAROM_OK);
        CHECK(after.residual <= before.residual);
        CHECK(little.residual.residual == after.residual);
        CHECK(little.factorizations >= last);
        CHECK(little.work <= fmax(work, in_any_case));
        if (work < 100.0) CHECK(little.factorizations == 0 && little.outcome == CAROM_SOLVE_OUTCOME_NOT_MET);
        last = little.factorizations;
    }
    CHECK_INT(little.outcome, CAROM_SOLVE_OUTCOME_MET);
    CHECK(last > 0);
    const double wrong[] = {0.0, -1.0, (double)NAN, INFINITY};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        carom_error error;
        options.work = wrong[k];
        CHECK_INT(carom_solve(state, &stack.problem, &options, r, NULL, NULL, &error), CAROM_ERR_BAD_INPUT);
        CHECK(strstr(error.text, "work") != NULL);
    }
    carom_solver_state_destroy(state);
    free(r);
    free(guess);
    stack_destroy(&stack);
}

TEST_MAIN(CASE(pushed_stacks_are_solved), CASE(no_more_work_is_taken_than_allowed))
