// SPDX-License-Identifier: MIT
// Clocks: forward only, in seconds, blind to the time of day.
#include <math.h>
#include <time.h>

#include "base/clock.h"
#include "support/harness/check.h"

static double posix_clock(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

TEST(clocks_never_go_back) {
    double before = crm_clock_seconds(), thread_before = crm_clock_thread_seconds();
    for (int i = 0; i < 100000; i++) {
        double now = crm_clock_seconds(), thread_now = crm_clock_thread_seconds();
        if (!CHECK(now >= before && thread_now >= thread_before)) return;
        before = now;
        thread_before = thread_now;
    }
    CHECK(isfinite(before) && isfinite(thread_before));
}

// Lies between two readings of the system's monotonic clock, whatever the time of day does meanwhile.
TEST(clock_is_the_monotonic_one) {
    double low = posix_clock(CLOCK_MONOTONIC);
    double now = crm_clock_seconds();
    double high = posix_clock(CLOCK_MONOTONIC);
    CHECK(low <= now && now <= high);

    low = posix_clock(CLOCK_THREAD_CPUTIME_ID);
    now = crm_clock_thread_seconds();
    high = posix_clock(CLOCK_THREAD_CPUTIME_ID);
    CHECK(low <= now && now <= high);
}

// A sleep takes time but no processor; work takes both.
TEST(thread_clock_counts_work_only) {
    double start = crm_clock_seconds(), thread_start = crm_clock_thread_seconds();
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    CHECK(crm_clock_seconds() - start >= 0.05 - 1e-6);
    CHECK(crm_clock_thread_seconds() - thread_start < 0.025);

    start = crm_clock_seconds();
    thread_start = crm_clock_thread_seconds();
    volatile double sum = 0.0;
    while (crm_clock_thread_seconds() - thread_start < 0.01) sum = sum + 1.0;
    CHECK(crm_clock_seconds() - start >= 0.01 - 1e-6);
}

TEST_MAIN(CASE(clocks_never_go_back), CASE(clock_is_the_monotonic_one), CASE(thread_clock_counts_work_only))
