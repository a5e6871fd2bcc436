// SPDX-License-Identifier: MIT
// The elastic cube as a model of carom's, under `lcp` with its residual at 1e-8.
#ifndef BENCH_WORLDS_SOFT_CUBE_CAROM_H
#define BENCH_WORLDS_SOFT_CUBE_CAROM_H

#include "carom/carom.h"
#include "worlds/soft_cube.h"

typedef struct bench_cube_carom {
    carom_model *model;
    carom_state *state;
    carom_flex flex;
    carom_step_report report; // of the last step
    double residual;          // the largest of all steps
    int64_t iterations;       // of all steps
    int broken_steps;         // whose contract did not hold
} bench_cube_carom;

// A failure ends the program.
bench_cube_carom bench_cube_carom_make(const bench_cube *cube);
void bench_cube_carom_free(bench_cube_carom *cube);

// As bench_cube_engine wants it; `engine` is a bench_cube_carom.
void bench_cube_carom_step(void *engine);
void bench_cube_carom_read(void *engine, carom_vec3 *positions, carom_vec3 *velocities);

#endif
