// SPDX-License-Identifier: MIT
#include "base/clock.h"

#include <time.h>

static double read_clock(clockid_t clock) {
    struct timespec now;
    if (clock_gettime(clock, &now) != 0) return 0.0;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double crm_clock_seconds(void) {
    return read_clock(CLOCK_MONOTONIC);
}

double crm_clock_thread_seconds(void) {
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}
