// SPDX-License-Identifier: MIT
// Vectors whose floating-point operations are counted: additions, multiplications and divisions are one each, signs and
// comparisons none. With NULL nothing is counted, and the compiler takes the counting out.
//
// The room overlap: two polytopes, as lists of vertices and triangles, enter; whether they overlap, by two tests, and
// how many operations that took leave. bench/distance.c calls it.
#ifndef BENCH_OVERLAP_COUNTED_H
#define BENCH_OVERLAP_COUNTED_H

#include <stddef.h>
#include <stdint.h>

#include "math/mat3.h"

// Always inlined, so that a NULL is known where it is used.
#define BENCH_COUNTED static inline __attribute__((always_inline))

BENCH_COUNTED void bench_count(int64_t *flops, int operations) {
    if (flops != NULL) *flops += operations;
}

BENCH_COUNTED carom_vec3 bench_sub(int64_t *flops, carom_vec3 a, carom_vec3 b) {
    bench_count(flops, 3);
    return crm_sub(a, b);
}

BENCH_COUNTED carom_vec3 bench_add(int64_t *flops, carom_vec3 a, carom_vec3 b) {
    bench_count(flops, 3);
    return crm_add(a, b);
}

BENCH_COUNTED double bench_dot(int64_t *flops, carom_vec3 a, carom_vec3 b) {
    bench_count(flops, 5);
    return crm_dot(a, b);
}

BENCH_COUNTED carom_vec3 bench_cross(int64_t *flops, carom_vec3 a, carom_vec3 b) {
    bench_count(flops, 9);
    return crm_cross(a, b);
}

BENCH_COUNTED carom_vec3 bench_apply(int64_t *flops, const carom_mat3 *m, carom_vec3 v) {
    bench_count(flops, 15);
    return crm_mat3_apply(*m, v);
}

// By the transpose.
BENCH_COUNTED carom_vec3 bench_apply_t(int64_t *flops, const carom_mat3 *m, carom_vec3 v) {
    bench_count(flops, 15);
    return crm_mat3_apply_t(*m, v);
}

#endif
