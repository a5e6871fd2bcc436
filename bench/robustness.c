// SPDX-License-Identifier: MIT
// How often `auto` reaches its tolerance on the families of contact problems of
// tests/support/problem/contact_families.h, by family and mass ratio: exact friction to 1e-8, its convex relaxation and
// frictionless contact to 1e-10, or to the rounding floor. Problems of 100 to 2,000 contacts, and a few of 5,000 in one
// island at ratio 1.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "carom/solve.h"
#include "support/problem/contact_families.h"
#include "support/report.h"
#include "support/timing.h"

// Not the seeds that the cascade was tuned with.
enum { FIRST_SEED = 7000, MOST = 64 };

typedef struct size_share {
    int contacts, problems;
} size_share;

static const size_share exact_sizes[] = {{100, 20}, {500, 4}, {2000, 1}};
static const size_share convex_sizes[] = {{100, 6}, {500, 2}, {2000, 1}};
static const size_share large_sizes[] = {{5000, 1}};

typedef struct tally {
    int problems, reached, near; // near: 1e-5
    double worst;
    double seconds[MOST], factorizations[MOST];
} tally;

// ---- the stage that ended it

typedef struct stage_count {
    int number; // of the stage; sweeps before Newton's method are no stage
    char name[32];
    int problems;
} stage_count;

typedef struct stage_tally {
    int count, open; // open: no stage met the tolerance
    stage_count stages[MOST];
} stage_tally;

// The last of "guess 1e-01; gauss-seidel 2e-03; semismooth 4e-09".
static stage_count last_stage(const char *tried) {
    stage_count last = {0};
    while (*tried != '\0') {
        const char *end = strstr(tried, "; "), *stop = end != NULL ? end : tried + strlen(tried);
        const char *space = stop;
        while (space > tried && *space != ' ') space--;
        snprintf(last.name, sizeof last.name, "%.*s", (int)(space - tried), tried);
        last.number += strcmp(last.name, "gauss-seidel") != 0;
        tried = end != NULL ? end + 2 : stop;
    }
    if (strcmp(last.name, "gauss-seidel") == 0) last.number = 0;
    return last;
}

static bool same_stage(const stage_count *a, const stage_count *b) {
    return a->number == b->number && strcmp(a->name, b->name) == 0;
}

static void count_stage(const carom_solve_report *report, stage_tally *tally) {
    if (report->outcome == CAROM_SOLVE_OUTCOME_NOT_MET) {
        tally->open++;
        return;
    }
    stage_count last = last_stage(report->tried);
    int k = 0;
    while (k < tally->count && !same_stage(&tally->stages[k], &last)) k++;
    if (k == MOST) return;
    if (k == tally->count) tally->stages[tally->count++] = last;
    tally->stages[k].problems++;
}

static int by_number(const void *a, const void *b) {
    return ((const stage_count *)a)->number - ((const stage_count *)b)->number;
}

static void print_stages(stage_tally *tally) {
    qsort(tally->stages, (size_t)tally->count, sizeof *tally->stages, by_number);
    printf("\nstage that ended the hardest island, and of how many problems\n");
    for (int k = 0; k < tally->count; k++) {
        const stage_count *stage = &tally->stages[k];
        printf("%4d  %-22s %5d\n", stage->number, stage->name, stage->problems);
    }
    printf("      %-22s %5d\n", "none", tally->open);
}

// ---- problems

static double processor_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run_one(carom_solver_state *state, const family_def *def, double tolerance, tally *t, stage_tally *stages) {
    contact_stack p = family_create(def);
    double *impulse = calloc((size_t)p.rows, sizeof *impulse);
    carom_solve_options options = carom_solve_options_default();
    carom_solve_report report;
    carom_error error;
    options.tolerance = tolerance;
    double start = processor_seconds();
    if (impulse == NULL || carom_solve(state, &p.problem, &options, impulse, NULL, &report, &error) != CAROM_OK) {
        fprintf(stderr, "carom: %s\n", impulse == NULL ? "no memory" : error.text);
        exit(3);
    }
    t->seconds[t->problems] = processor_seconds() - start;
    t->factorizations[t->problems] = report.factorizations;
    t->problems++;
    t->reached += report.outcome == CAROM_SOLVE_OUTCOME_MET || report.outcome == CAROM_SOLVE_OUTCOME_AT_FLOOR;
    t->near += report.residual.residual <= 1e-5;
    t->worst = fmax(t->worst, report.residual.residual);
    count_stage(&report, stages);
    free(impulse);
    stack_destroy(&p);
}

static void print_tally(bool json, const char *law, const char *family, double ratio, double aim, tally *t) {
    double missed = 1.0 - (double)t->reached / t->problems, seconds = bench_median(t->seconds, t->problems);
    double factorizations = bench_median(t->factorizations, t->problems); // sorted now
    int last = t->problems - 1;
    if (json) {
        char name[128];
        snprintf(name, sizeof name, "%s: %s, mass ratio %.0e", law, family, ratio);
        bench_row row = bench_row_of("robustness", name, "missed share");
        row.carom = missed;
        row.target_kind = BENCH_VALUE_AT_MOST;
        row.target = aim;
        row.error = t->worst;
        bench_print_row(true, &row);
        return;
    }
    printf("%-13s %-6s %6.0e %9d %8.1f%% %7.1f%% %9.1e %10.3f %9.3f %8.0f %8.0f%s\n", law, family, ratio, t->problems,
           100.0 * t->reached / t->problems, 100.0 * t->near / t->problems, t->worst, seconds, t->seconds[last],
           factorizations, t->factorizations[last], missed > aim ? "  MISSED" : "");
    fflush(stdout);
}

static void run_law(bool json, carom_solver_state *state, const char *name, family_law law, int count,
                    const size_share *sizes, double highest_ratio, stage_tally *stages) {
    double tolerance = law == FAMILY_EXACT ? 1e-8 : 1e-10;
    for (contact_family family = 0; family < FAMILY_COUNT; family++)
        for (double ratio = 1.0; ratio <= highest_ratio; ratio *= 100.0) {
            tally t = {0};
            for (int k = 0; k < count; k++)
                for (int i = 0; i < sizes[k].problems; i++) {
                    family_def def =
                        family_sample(family, sizes[k].contacts, ratio, law, (unsigned)(FIRST_SEED + 100 * k + i));
                    if (highest_ratio == 1.0 && family == FAMILY_PILE) def.columns = 1; // the large ones: one heap
                    run_one(state, &def, tolerance, &t, stages);
                }
            // A percent may fail with exact friction, a tenth at the highest ratio; nothing convex may.
            double aim = law != FAMILY_EXACT ? 0.0 : ratio > 1e5 ? 0.1 : 0.01;
            print_tally(json, name, family_names[family], ratio, aim, &t);
        }
}

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

int main(int argc, char **argv) {
    bool json = bench_wants_json(argc, argv);
    stage_tally stages = {0};
    carom_solver_state *state;
    carom_error error;
    if (carom_solver_state_create(NULL, &state, &error) != CAROM_OK) {
        fprintf(stderr, "carom: %s\n", error.text);
        return 3;
    }
    if (!json)
        printf("robustness: contact problems solved to 1e-8, convex ones to 1e-10, or to the rounding floor\n"
               "%-13s %-6s %6s %9s %9s %8s %9s %10s %9s %8s %8s\n",
               "law", "family", "ratio", "problems", "reached", "at 1e-5", "worst", "median s", "most s", "median f",
               "most f");
    run_law(json, state, "exact", FAMILY_EXACT, COUNT(exact_sizes), exact_sizes, 1e6, &stages);
    run_law(json, state, "exact, large", FAMILY_EXACT, COUNT(large_sizes), large_sizes, 1.0, &stages);
    run_law(json, state, "relaxed", FAMILY_RELAXED, COUNT(convex_sizes), convex_sizes, 1e6, &stages);
    run_law(json, state, "frictionless", FAMILY_FRICTIONLESS, COUNT(convex_sizes), convex_sizes, 1e6, &stages);
    if (!json) {
        printf("\ns: processor time; f: factorizations, over all islands and stages\n");
        print_stages(&stages);
    }
    carom_solver_state_destroy(state);
    return 0;
}
