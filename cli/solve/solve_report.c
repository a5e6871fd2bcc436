// SPDX-License-Identifier: MIT
#include "solve/solve_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

bool is_dense(const solve_result *result) {
    return result->stored->lcp != NULL;
}

bool is_solved(const solver_run *run) {
    return run->verdict == RUN_MET || run->verdict == RUN_AT_FLOOR;
}

double residual_of(const solve_result *result, const solver_run *run) {
    if (run->verdict >= RUN_UNSUPPORTED) return INFINITY;
    return is_dense(result) ? run->dense.relative : run->contact.residual.residual;
}

const char *outcome_words(const solve_result *result, const solver_run *run) {
    static const char *const words[] = {[RUN_MET] = "met",
                                        [RUN_AT_FLOOR] = "at the floor",
                                        [RUN_NOT_MET] = "not met",
                                        [RUN_NO_SOLUTION] = "infeasible",
                                        [RUN_UNSUPPORTED] = "not supported",
                                        [RUN_FAILED] = "failed"};
    bool by_name = is_dense(result) && (run->verdict == RUN_NOT_MET || run->verdict == RUN_NO_SOLUTION);
    return by_name ? carom_dense_lcp_outcome_name(run->dense.outcome) : words[run->verdict];
}

const char *error_without_file(const solve_result *result) {
    const char *text = result->error.text;
    size_t length = strlen(result->file);
    bool named = strncmp(text, result->file, length) == 0 && strncmp(text + length, ": ", 2) == 0;
    return named ? text + length + 2 : text;
}

// Of all threads of the process.
static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static run_verdict verdict_of_contact(carom_solve_outcome outcome) {
    switch (outcome) {
    case CAROM_SOLVE_OUTCOME_MET:
        return RUN_MET;
    case CAROM_SOLVE_OUTCOME_AT_FLOOR:
        return RUN_AT_FLOOR;
    case CAROM_SOLVE_OUTCOME_INFEASIBLE:
        return RUN_NO_SOLUTION;
    case CAROM_SOLVE_OUTCOME_NOT_MET:
        break;
    }
    return RUN_NOT_MET;
}

static run_verdict verdict_of_dense(carom_dense_lcp_outcome outcome) {
    if (outcome == CAROM_DENSE_LCP_SOLVED) return RUN_MET;
    return outcome == CAROM_DENSE_LCP_INFEASIBLE || outcome == CAROM_DENSE_LCP_UNSOLVABLE ? RUN_NO_SOLUTION
                                                                                          : RUN_NOT_MET;
}

static carom_status solve_once(carom_solver_state *state, const solve_result *result,
                               const carom_solve_options *options, double *impulse, solver_run *run) {
    const carom_stored_problem *stored = result->stored;
    carom_status status;
    if (stored->lcp != NULL) {
        status = carom_dense_lcp_solve(stored->lcp, options->solver, options->tolerance, NULL, impulse, NULL,
                                       &run->dense, &run->error);
        if (status == CAROM_OK) run->verdict = verdict_of_dense(run->dense.outcome);
    } else {
        if (options->warm) memcpy(impulse, stored->impulse, sizeof(double) * (size_t)result->rows);
        status = carom_solve(state, &stored->problem, options, impulse, NULL, &run->contact, &run->error);
        if (status == CAROM_OK) run->verdict = verdict_of_contact(run->contact.outcome);
    }
    if (status != CAROM_OK) run->verdict = status == CAROM_ERR_UNSUPPORTED ? RUN_UNSUPPORTED : RUN_FAILED;
    return status;
}

// Short solves are repeated, as their first run pays for cold caches; all give the same bits.
static const double worth_repeating = 0.01; // s in all
enum { MOST_REPEATS = 30 };

static void run_solver(carom_solver_state *state, const solve_result *result, const carom_solve_options *options,
                       double *impulse, solver_run *run) {
    double begin = processor_seconds(), before = begin, now;
    run->seconds = INFINITY;
    int repeats = 0;
    do {
        if (solve_once(state, result, options, impulse, run) != CAROM_OK) return;
        now = processor_seconds();
        if (now - before < run->seconds) run->seconds = now - before;
        before = now;
    } while (++repeats < MOST_REPEATS && now - begin < worth_repeating);
}

static void run_solvers(carom_solver_state *state, const solve_plan *plan, double *impulse, solve_result *result) {
    carom_solve_options options = plan->options;
    options.warm = options.warm && result->stored->impulse != NULL;
    double least = INFINITY;
    for (int i = 0; i < plan->solver_count; i++) {
        options.solver = plan->solvers[i];
        run_solver(state, result, &options, impulse, &result->runs[i]);
        double residual = residual_of(result, &result->runs[i]);
        if (result->runs[i].verdict >= RUN_UNSUPPORTED || (result->best_run >= 0 && residual >= least)) continue;
        least = residual;
        result->best_run = i;
        memcpy(result->best, impulse, sizeof(double) * (size_t)result->rows);
    }
}

void find_result(carom_solver_state *state, const solve_plan *plan, const char *file, solve_result *result) {
    *result = (solve_result){.file = file, .best_run = -1};
    if (carom_problem_read(file, NULL, &result->stored, &result->error) != CAROM_OK) return;
    result->rows = is_dense(result) ? result->stored->lcp->size : carom_problem_row_count(&result->stored->problem);
    double *impulse = calloc((size_t)result->rows + 1, sizeof *impulse);
    result->best = calloc((size_t)result->rows + 1, sizeof *result->best);
    if (impulse != NULL && result->best != NULL) {
        run_solvers(state, plan, impulse, result);
    } else {
        for (int i = 0; i < plan->solver_count; i++)
            result->runs[i] = (solver_run){.verdict = RUN_FAILED,
                                           .error = {CAROM_ERR_NO_MEMORY, "there is no memory for the impulses"}};
    }
    free(impulse);
}

void end_result(solve_result *result) {
    carom_stored_problem_destroy(result->stored);
    free(result->best);
    *result = (solve_result){.file = result->file, .best_run = -1};
}
