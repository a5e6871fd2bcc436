// SPDX-License-Identifier: MIT
#include "plan/plan_progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/progress.h"
#include "base/text.h"

// Seconds between two lines.
static const double terminal_silence = 0.2, file_silence = 10.0;

plan_progress plan_progress_begin(bool shown, int intervals) {
    double now = clock_seconds();
    return (plan_progress){
        .shown = shown, .terminal = isatty(STDERR_FILENO) == 1, .intervals = intervals, .started = now, .said = now};
}

void plan_progress_at(plan_progress *p, const carom_plan_progress *at) {
    double now = clock_seconds();
    if (!p->shown || now - p->said < (p->terminal ? terminal_silence : file_silence)) return;
    p->said = now;
    fprintf(stderr,
            "%sstart %d of %d, level %d of %d (%d intervals), iteration %d: effort %.6g, rows %.1e, optimality %.1e%s",
            p->terminal ? "\r" : "", at->start + 1, at->starts, at->level + 1, at->levels,
            p->intervals >> (at->levels - 1 - at->level), at->iteration, at->objective, at->violation, at->optimality,
            p->terminal ? "\033[K" : "\n");
    fflush(stderr);
}

void plan_progress_solved(plan_progress *p, const carom_plan_solve *solve) {
    char time[SHOWN_TIME];
    if (!p->shown) return;
    plan_progress_end(p);
    fprintf(stderr, "start %d, level %d (%d intervals): %s after %d iterations and %s, effort %.6g\n", solve->start + 1,
            solve->level + 1, solve->intervals, carom_plan_outcome_name(solve->outcome), solve->iterations,
            show_time(solve->seconds, time), solve->effort);
    p->said = clock_seconds();
}

void plan_progress_end(plan_progress *p) {
    if (p->shown && p->terminal && p->said > p->started) fputs("\r\033[K", stderr);
}
