// SPDX-License-Identifier: MIT
// A bed of bodies over the floor z = 0, and how it moves: poses are given functions of time, so that every engine sees
// the same ones, whatever it would do with the contacts.
//
// The whole bed drifts sideways; each body shakes and nods about its place, by its own way and at its own rate, so that
// contacts come and go.
#ifndef BENCH_SUPPORT_BED_H
#define BENCH_SUPPORT_BED_H

#include <stdbool.h>

#include "carom/time_of_impact.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BENCH_BED_STEP (1.0 / 240.0) // s

typedef struct bench_bed_body {
    bool is_box;        // or an ellipsoid
    carom_vec3 half;    // half edges or half axes, m
    carom_pose rest;    // about which it moves
    carom_vec3 shake;   // position: rest + drift t + shake sin(rate t + phase), m
    carom_vec3 nod;     // attitude: rest, then rotated by nod sin(rate t + phase), world axes, rad
    double rate, phase; // rad/s, rad
} bench_bed_body;

typedef struct bench_bed {
    int count;
    carom_vec3 drift; // m/s
    bench_bed_body *bodies;
} bench_bed;

carom_pose bench_bed_pose(const bench_bed *bed, int body, double time);
carom_motion bench_bed_motion(const bench_bed *bed, int body, double time);
// No point of the body is farther from its place, m.
double bench_bed_radius(const bench_bed_body *body);
// To be destroyed; NULL when there is no memory.
carom_shape *bench_bed_shape(const bench_bed_body *body);

// Files: for the same machine, seconds later.
bool bench_bed_write(const char *path, const bench_bed *bed);
bool bench_bed_read(const char *path, bench_bed *bed);
void bench_bed_free(bench_bed *bed);

#ifdef __cplusplus
}
#endif

#endif
