// SPDX-License-Identifier: MIT
// The fastest of Siconos' solvers on a contact problem in a file, measured by carom_residual_evaluate.
#ifndef BENCH_SUPPORT_SICONOS_H
#define BENCH_SUPPORT_SICONOS_H

#include <stdbool.h>

#include "carom/solve.h"

enum { BENCH_TOLERANCES = 3 };
extern const double bench_tolerances[BENCH_TOLERANCES]; // 1e-4, 1e-6, 1e-8
extern const char *const bench_tolerance_names[BENCH_TOLERANCES];

typedef struct bench_siconos {
    bool present;                         // the peer is there and takes such a problem
    const char *solver[BENCH_TOLERANCES]; // the fastest; NULL when none met the tolerance
    double seconds[BENCH_TOLERANCES];     // its processor time, W in its form given
    double residual[BENCH_TOLERANCES];    // of its impulses
    double best;                          // the best residual of all solvers
} bench_siconos;

// Runs them one after the other with a limit of processor time each. `scratch` is a file that may be overwritten.
bench_siconos bench_siconos_run(const char *path, const carom_problem *problem, double limit, const char *scratch);

#endif
