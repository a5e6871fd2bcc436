// SPDX-License-Identifier: MIT
// How far the solution of a plan has come: a line that changes on a terminal, now and then a line elsewhere. On the
// standard error output.
#ifndef CLI_PLAN_PROGRESS_H
#define CLI_PLAN_PROGRESS_H

#include "carom/plan.h"

typedef struct plan_progress {
    bool shown, terminal;
    int intervals; // of the last level
    double started, said;
} plan_progress;

plan_progress plan_progress_begin(bool shown, int intervals);
// After every iteration.
void plan_progress_at(plan_progress *p, const carom_plan_progress *at);
// After every solve, which the line then makes room for.
void plan_progress_solved(plan_progress *p, const carom_plan_solve *solve);
void plan_progress_end(plan_progress *p);

#endif
