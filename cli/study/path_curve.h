// SPDX-License-Identifier: MIT
// Where some bodies of a run are, and its energy, at each of the times at which runs are compared.
#ifndef CLI_PATH_CURVE_H
#define CLI_PATH_CURVE_H

#include <stdint.h>

#include "carom/record.h"

typedef struct path_curve {
    int64_t count, capacity;
    double *time;     // s
    double *energy;   // J, of all bodies
    double *position; // m, time by time, three numbers for each of the bodies
} path_curve;

// Adds a time; `body` says which of `bodies` are kept (body_count). The exit code, after a sentence without memory.
int add_to_path(path_curve *curve, double time, double energy, int body_count, const int *body,
                const carom_body_state *bodies);
void free_path_curve(path_curve *curve);

#endif
