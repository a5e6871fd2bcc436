// SPDX-License-Identifier: MIT
// How far a run has come: a bar on a terminal, now and then a line elsewhere. On the standard error output.
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/step.h"

typedef struct progress {
    bool shown, terminal;
    int64_t first, total;           // steps: at the start, at the end
    int64_t next;                   // the step at which the clock is read again
    const carom_method_def *method; // whose steps tell the time
    int64_t divisor;                // into how many each of them is divided
    double started, said;           // by the clock
    int64_t said_at;                // step
} progress;

// Seconds of a clock that never goes back.
double clock_seconds(void);

// `method` is to outlive the progress.
void progress_begin(progress *p, bool shown, int64_t first, int64_t total, const carom_method_def *method,
                    int64_t divisor);
void progress_show(progress *p, int64_t now); // what progress_at does when it is time
void progress_end(progress *p);               // clears the bar

// After every step; cheap.
static inline void progress_at(progress *p, int64_t now) {
    if (now >= p->next) progress_show(p, now);
}

#endif
