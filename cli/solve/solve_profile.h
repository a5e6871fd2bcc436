// SPDX-License-Identifier: MIT
// Performance profiles (Dolan and More 2002): which share of the problems a solver solves within a factor of the time
// that the fastest solver needs for each.
#ifndef CLI_SOLVE_PROFILE_H
#define CLI_SOLVE_PROFILE_H

#include <stdbool.h>

#include "solve/solve_report.h"

typedef struct solve_profile {
    int problems, capacity;
    double *seconds; // (problems * solver_count) infinite where a solver did not solve, NaN where it does not apply
} solve_profile;

bool profile_add(solve_profile *profile, const solve_plan *plan, const solve_result *result); // false: no memory
void print_profile(const solve_profile *profile, const solve_plan *plan, bool json);

#endif
