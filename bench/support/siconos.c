// SPDX-License-Identifier: MIT
#include "support/siconos.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/peer.h"

const double bench_tolerances[BENCH_TOLERANCES] = {1e-4, 1e-6, 1e-8};
const char *const bench_tolerance_names[BENCH_TOLERANCES] = {"1e-4", "1e-6", "1e-8"};

static const struct contestant {
    const char *name, *argument;
} solvers[] = {{"Siconos NSGS, project.", "nsgs-projection"},
               {"Siconos NSGS", "nsgs"},
               {"Siconos Newton, AC", "newton-ac"},
               {"Siconos Newton, NM", "newton-nm"}};
enum { SOLVERS = sizeof solvers / sizeof solvers[0] };

// Who has been beaten to the smallest tolerance needs no more time, but for the disturbance of being watched.
static const double watched = 3.0, least_limit = 0.05; // s

static bool is_exact_cones(const carom_problem *problem) {
    for (int g = 0; g < problem->group_count; g++)
        if (problem->groups[g].law != CAROM_LAW_CONE || problem->groups[g].rows != 3 || problem->groups[g].relaxed)
            return false;
    return true;
}

// The residual of the impulses that were written for a tolerance; infinite when they cannot be read.
static double evaluate_written(const char *file, int tolerance, const carom_problem *problem) {
    size_t rows = (size_t)carom_problem_row_count(problem);
    double *impulse = malloc(sizeof *impulse * (rows + 1));
    FILE *in = fopen(file, "rb");
    carom_solver_state *evaluator = NULL;
    carom_residual_report report = {.residual = INFINITY};
    bool evaluated = impulse != NULL && in != NULL &&
                     fseek(in, (long)(sizeof *impulse * rows) * tolerance, SEEK_SET) == 0 &&
                     fread(impulse, sizeof *impulse, rows, in) == rows &&
                     carom_solver_state_create(NULL, &evaluator, NULL) == CAROM_OK &&
                     carom_residual_evaluate(evaluator, problem, 0.0, impulse, NULL, &report, NULL) == CAROM_OK;
    carom_solver_state_destroy(evaluator);
    if (in != NULL) fclose(in);
    free(impulse);
    return evaluated ? report.residual : INFINITY;
}

static void take_answer(const char *answer, const struct contestant *solver, const char *scratch,
                        const carom_problem *problem, bench_siconos *out) {
    for (int t = 0; t < BENCH_TOLERANCES; t++) {
        char key[32];
        snprintf(key, sizeof key, "seconds_%s", bench_tolerance_names[t]);
        double seconds = bench_peer_number(answer, key);
        if (!isfinite(seconds) || (out->solver[t] != NULL && out->seconds[t] <= seconds)) continue;
        double residual = evaluate_written(scratch, t, problem);
        if (!(residual <= bench_tolerances[t])) continue;
        out->solver[t] = solver->name;
        out->seconds[t] = seconds;
        out->residual[t] = residual;
    }
    out->best = fmin(out->best, bench_peer_number(answer, "residual"));
}

bench_siconos bench_siconos_run(const char *path, const carom_problem *problem, double limit, const char *scratch) {
    bench_siconos out = {.present = is_exact_cones(problem), .best = INFINITY};
    for (int s = 0; s < SOLVERS && out.present; s++) {
        double rest = limit;
        if (out.solver[BENCH_TOLERANCES - 1] != NULL)
            rest = fmin(limit, fmax(watched * out.seconds[BENCH_TOLERANCES - 1], least_limit));
        char seconds[32], answer[BENCH_PEER_ANSWER];
        snprintf(seconds, sizeof seconds, "%.3f", rest);
        const char *arguments[] = {path, solvers[s].argument, seconds, scratch, NULL};
        out.present = bench_peer_run("siconos", arguments, answer);
        if (out.present) take_answer(answer, &solvers[s], scratch, problem, &out);
    }
    return out;
}
