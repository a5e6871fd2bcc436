// SPDX-License-Identifier: MIT
// Several solvers on one problem from a file: run, and shown as text or as objects.
//
// cli/solve: files of contact problems and names of solvers enter; residuals, times and performance profiles leave.
// `carom solve` calls it.
#ifndef CLI_SOLVE_REPORT_H
#define CLI_SOLVE_REPORT_H

#include <stdbool.h>

#include "carom/solve.h"

typedef struct solve_plan {
    carom_solve_options options; // but for the solver
    int solver_count;
    carom_solver solvers[CAROM_SOLVER_COUNT]; // in the order of the tables
    int deciding;                             // which of them decides whether a problem is solved
} solve_plan;

typedef enum run_verdict {
    RUN_MET,      // the tolerance
    RUN_AT_FLOOR, // not met, and in double nobody can do better
    RUN_NOT_MET,
    RUN_NO_SOLUTION, // proved
    RUN_UNSUPPORTED, // the solver is not for this problem
    RUN_FAILED,
} run_verdict;

typedef struct solver_run {
    run_verdict verdict;
    union {
        carom_solve_report contact;
        carom_dense_lcp_report dense; // when the problem is one
    };
    double seconds;    // of the processor, the least of several runs
    carom_error error; // when unsupported or failed
} solver_run;

typedef struct solve_result {
    const char *file;
    carom_stored_problem *stored; // NULL when the file cannot be used: `error`
    carom_error error;
    int rows;                            // unknowns
    solver_run runs[CAROM_SOLVER_COUNT]; // as the plan lists them
    double *best;                        // (rows) of the run with the least residual
    int best_run;                        // -1 when no solver ran
} solve_result;

// Reads the file and runs the solvers; what fails is in the result. `end_result` frees in any case.
void find_result(carom_solver_state *state, const solve_plan *plan, const char *file, solve_result *result);
void end_result(solve_result *result);

bool is_dense(const solve_result *result);
bool is_solved(const solver_run *run); // met, or at the floor
double residual_of(const solve_result *result, const solver_run *run);
const char *outcome_words(const solve_result *result, const solver_run *run);
const char *error_without_file(const solve_result *result); // the sentence alone

// The whole table of one problem.
void print_result(const solve_plan *plan, const solve_result *result);
// One line a problem, under a heading.
void print_compact_heading(const solve_plan *plan);
void print_compact_row(const solve_plan *plan, const solve_result *result);
void print_compact_end(const solve_plan *plan, int problems, const int *solved); // solved (solver_count)
void print_result_object(const solve_plan *plan, const solve_result *result);

#endif
