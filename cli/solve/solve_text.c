// SPDX-License-Identifier: MIT
// What solvers made of problems, for people: at most 100 columns.
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "solve/solve_report.h"

// ---- one problem

static void print_size(const solve_result *result) {
    const carom_problem *problem = &result->stored->problem;
    print_clean(stdout, result->file);
    if (is_dense(result)) {
        printf(": dense, %d %s\n", result->rows, result->rows == 1 ? "unknown" : "unknowns");
        return;
    }
    printf(": %d rows in %d %s", result->rows, problem->group_count, problem->group_count == 1 ? "group" : "groups");
    if (problem->form == CAROM_FORM_DELASSUS)
        printf(", given by W");
    else
        printf(", on %d %s", problem->node_count, problem->node_count == 1 ? "node" : "nodes");
    if (result->best_run >= 0) {
        int islands = result->runs[result->best_run].contact.islands;
        printf(", %d %s", islands, islands == 1 ? "island" : "islands");
    }
    fputc('\n', stdout);
}

static void print_run(const solve_result *result, carom_solver solver, const solver_run *run) {
    char shown[SHOWN_TIME];
    enum { FIRST = 14 };
    printf("%-*s", FIRST, carom_solver_name(solver));
    if (run->verdict >= RUN_UNSUPPORTED) {
        print_wrapped(stdout, FIRST, run->error.text);
        return;
    }
    printf("%-12s", outcome_words(result, run));
    if (is_dense(result)) {
        const carom_dense_lcp_report *r = &run->dense;
        printf(" %9.1e %9.1e %9d %9d %9d", r->relative, r->residual, r->pivots, r->steps, r->cases);
    } else {
        const carom_solve_report *r = &run->contact;
        printf(" %9.1e %9.1e %9.1e %9.1e %10d %9d", r->residual.residual, r->residual.velocity, r->residual.energy,
               r->residual.floor, r->iterations, r->factorizations);
    }
    printf(" %10s\n", show_time(run->seconds, shown));
    // One solver alone has tried itself; what else there is to say of it is why there is no solution.
    if (is_dense(result) || (solver != CAROM_SOLVER_AUTO && run->verdict != RUN_NO_SOLUTION)) return;
    fputs("  tried", stdout);
    print_broken(stdout, ';', sizeof "  tried" - 1, 2, run->contact.tried);
}

void print_result(const solve_plan *plan, const solve_result *result) {
    print_size(result);
    if (is_dense(result))
        printf("\n%-13s %-12s %9s %9s %9s %9s %9s %10s\n", "solver", "outcome", "residual", "as given", "pivots",
               "steps", "cases", "time");
    else
        printf("\n%-13s %-12s %9s %9s %9s %9s %10s %9s %10s\n", "solver", "outcome", "residual", "velocity", "energy",
               "floor", "iterations", "factored", "time");
    for (int i = 0; i < plan->solver_count; i++) print_run(result, plan->solvers[i], &result->runs[i]);
    fputc('\n', stdout);
}

// ---- many problems

static const char *const headings[CAROM_SOLVER_COUNT] = {
    [CAROM_SOLVER_AUTO] = "auto",          [CAROM_SOLVER_LEMKE] = "lemke",
    [CAROM_SOLVER_MIN_MAP] = "min-map",    [CAROM_SOLVER_GAUSS_SEIDEL] = "g-seidel",
    [CAROM_SOLVER_SEMISMOOTH] = "semism.", [CAROM_SOLVER_SMOOTHING] = "smooth.",
    [CAROM_SOLVER_INTERIOR] = "interior",
};

static int name_width(const solve_plan *plan) {
    return plan->solver_count > 6 ? 22 : 40;
}

void print_compact_heading(const solve_plan *plan) {
    printf("%-*s %5s", name_width(plan), "file", "rows");
    for (int i = 0; i < plan->solver_count; i++) printf(" %8s", headings[plan->solvers[i]]);
    fputc('\n', stdout);
}

// The last name of the path without its ending, cut to the column; what could rewrite the terminal becomes '?'.
static void print_name(const char *file, int width) {
    char name[64];
    const char *slash = strrchr(file, '/'), *base = slash != NULL && slash[1] != '\0' ? slash + 1 : file;
    size_t length = strlen(base);
    if (length > 5 && strcmp(base + length - 5, ".json") == 0) length -= 5;
    bool cut = length > (size_t)width;
    if (cut) length = (size_t)width - 1;
    snprintf(name, sizeof name, "%.*s%s", (int)length, base, cut ? "~" : "");
    for (char *at = name; *at != '\0'; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7f) *at = '?';
    printf("%-*s", width, name);
}

static void print_verdict(const solve_result *result, const solver_run *run) {
    char time[SHOWN_TIME], cell[SHOWN_TIME + 2];
    if (run->verdict == RUN_UNSUPPORTED)
        snprintf(cell, sizeof cell, "-");
    else if (run->verdict == RUN_FAILED)
        snprintf(cell, sizeof cell, "failed");
    else if (run->verdict == RUN_NO_SOLUTION)
        snprintf(cell, sizeof cell, "none");
    else if (is_solved(run))
        snprintf(cell, sizeof cell, "%s%s", show_time(run->seconds, time), run->verdict == RUN_AT_FLOOR ? "*" : "");
    else
        snprintf(cell, sizeof cell, "(%.0e)", residual_of(result, run));
    printf(" %8s", cell);
}

void print_compact_row(const solve_plan *plan, const solve_result *result) {
    print_name(result->file, name_width(plan));
    if (result->stored == NULL) {
        fputs("       ", stdout);
        print_clean(stdout, error_without_file(result));
    } else {
        printf(" %5d", result->rows);
        for (int i = 0; i < plan->solver_count; i++) print_verdict(result, &result->runs[i]);
    }
    fputc('\n', stdout);
    fflush(stdout); // a row may take its time
}

void print_compact_end(const solve_plan *plan, int problems, const int *solved) {
    char label[32];
    snprintf(label, sizeof label, "solved, of %d", problems);
    printf("%-*s %5s", name_width(plan), label, "");
    for (int i = 0; i < plan->solver_count; i++) printf(" %8d", solved[i]);
    puts("\n\ntime where the tolerance is met (* the rounding floor), else (residual); none where it is proved\n"
         "that there is no solution; - where a solver does not apply");
}
