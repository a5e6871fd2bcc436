// SPDX-License-Identifier: MIT
// How far a run has come: a bar on a terminal, now and then a line elsewhere. On the standard error output.
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct progress {
    bool shown, terminal;
    int64_t first, total; // steps: at the start, at the end
    int64_t next;         // the step at which the clock is read again
    double step;          // s of simulated time
    double started, said; // by the clock
    int64_t said_at;      // step
} progress;

// Seconds of a clock that never goes back.
double clock_seconds(void);

void progress_begin(progress *p, bool shown, int64_t first, int64_t total, double step);
void progress_show(progress *p, int64_t now); // what progress_at does when it is time
void progress_end(progress *p);               // clears the bar

// After every step; cheap.
static inline void progress_at(progress *p, int64_t now) {
    if (now >= p->next) progress_show(p, now);
}

#endif
