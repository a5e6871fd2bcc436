// SPDX-License-Identifier: MIT
#include "solve/solve_profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"

static const double factors[] = {1.0, 2.0, 5.0, 10.0, 100.0, INFINITY};
enum { FACTORS = sizeof factors / sizeof factors[0] };

bool profile_add(solve_profile *profile, const solve_plan *plan, const solve_result *result) {
    if (profile->problems == profile->capacity) {
        int capacity = profile->capacity > 0 ? 2 * profile->capacity : 64;
        double *larger = realloc(profile->seconds, sizeof(double) * (size_t)capacity * (size_t)plan->solver_count);
        if (larger == NULL) return false;
        profile->seconds = larger;
        profile->capacity = capacity;
    }
    double *row = profile->seconds + (size_t)profile->problems++ * (size_t)plan->solver_count;
    for (int i = 0; i < plan->solver_count; i++) {
        const solver_run *run = &result->runs[i];
        row[i] = is_solved(run) ? run->seconds : run->verdict == RUN_UNSUPPORTED ? (double)NAN : INFINITY;
    }
    return true;
}

// How many problems solver `s` solves within `factor` of the fastest.
static int count_within(const solve_profile *profile, int solver_count, int s, double factor) {
    int count = 0;
    for (int p = 0; p < profile->problems; p++) {
        const double *row = profile->seconds + (size_t)p * (size_t)solver_count;
        double fastest = INFINITY;
        for (int i = 0; i < solver_count; i++) fastest = fmin(fastest, row[i]);
        count += isfinite(row[s]) && row[s] <= factor * fastest;
    }
    return count;
}

static bool applies(const solve_profile *profile, int solver_count, int s) {
    for (int p = 0; p < profile->problems; p++)
        if (!isnan(profile->seconds[(size_t)p * (size_t)solver_count + (size_t)s])) return true;
    return false;
}

static void print_object(const solve_profile *profile, const solve_plan *plan, int s) {
    jsonl_writer json = jsonl_begin(stdout);
    jsonl_text(&json, "solver", carom_solver_name(plan->solvers[s]));
    jsonl_int(&json, "problems", profile->problems);
    jsonl_open_list(&json, "within");
    for (int f = 0; f < FACTORS; f++) {
        jsonl_open(&json, NULL);
        jsonl_number(&json, "factor", factors[f]);
        jsonl_int(&json, "solved", count_within(profile, plan->solver_count, s, factors[f]));
        jsonl_close(&json);
    }
    jsonl_close_list(&json);
    jsonl_end(&json);
}

static void print_line(const solve_profile *profile, const solve_plan *plan, int s) {
    bool any = applies(profile, plan->solver_count, s);
    printf("%-13s", carom_solver_name(plan->solvers[s]));
    for (int f = 0; f < FACTORS; f++) {
        if (any)
            printf(" %5.0f %%", 100.0 * count_within(profile, plan->solver_count, s, factors[f]) / profile->problems);
        else
            printf(" %7s", "-");
    }
    fputc('\n', stdout);
}

void print_profile(const solve_profile *profile, const solve_plan *plan, bool json) {
    if (!json) {
        printf("share of %d %s solved to %g within a factor of the fastest solver's time\n\n%-13s", profile->problems,
               profile->problems == 1 ? "problem" : "problems", plan->options.tolerance, "solver");
        for (int f = 0; f < FACTORS - 1; f++) printf(" %6gx", factors[f]);
        printf(" %7s\n", "ever");
    }
    for (int s = 0; s < plan->solver_count; s++) {
        if (json)
            print_object(profile, plan, s);
        else
            print_line(profile, plan, s);
    }
    if (!json) fputc('\n', stdout);
}
