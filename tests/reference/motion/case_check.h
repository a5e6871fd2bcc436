// SPDX-License-Identifier: MIT
// Keeping the worst error over many cases, and naming the case that is too far off.
#ifndef TEST_REFERENCE_CASE_CHECK_H
#define TEST_REFERENCE_CASE_CHECK_H

#include <math.h>
#include <stdio.h>

#include "support/harness/check.h"

// NaN is the worst of all and stays.
static inline void note_error(double *worst, double error) {
    if (!(error <= *worst)) *worst = error;
}

static inline bool check_error(const char *id, const char *what, double error, double tolerance) {
    if (error <= tolerance) return true;
    fprintf(stderr, "%s: %s is off by %.3g, allowed %.3g\n", id, what, error, tolerance);
    return CHECK(error <= tolerance);
}

// Both at once.
static inline bool case_error(const char *id, const char *what, double error, double tolerance, double *worst) {
    note_error(worst, error);
    return check_error(id, what, error, tolerance);
}

#endif
