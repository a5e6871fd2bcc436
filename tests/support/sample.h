// SPDX-License-Identifier: MIT
// Random inputs for tests: the same numbers on every machine and in every run (splitmix64).
#ifndef TEST_SUPPORT_SAMPLE_H
#define TEST_SUPPORT_SAMPLE_H

#include <math.h>
#include <stdint.h>

#include "carom/types.h"

typedef struct sampler {
    uint64_t state; // start from any seed
} sampler;

static inline uint64_t sample_bits(sampler *s) {
    uint64_t z = s->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

// Uniform in [low, high).
static inline double sample_between(sampler *s, double low, double high) {
    return low + (high - low) * ((double)(sample_bits(s) >> 11) * 0x1p-53);
}

// Components uniform in [-size, size).
static inline carom_vec3 sample_vec3(sampler *s, double size) {
    double x = sample_between(s, -size, size), y = sample_between(s, -size, size);
    return (carom_vec3){x, y, sample_between(s, -size, size)};
}

// Uniform on the sphere.
static inline carom_vec3 sample_unit(sampler *s) {
    for (;;) {
        carom_vec3 a = sample_vec3(s, 1.0);
        double square = a.x * a.x + a.y * a.y + a.z * a.z;
        if (square < 0.01 || square > 1.0) continue;
        double length = sqrt(square);
        return (carom_vec3){a.x / length, a.y / length, a.z / length};
    }
}

static inline carom_mat3 sample_mat3(sampler *s, double size) {
    carom_vec3 x = sample_vec3(s, size), y = sample_vec3(s, size);
    return (carom_mat3){x, y, sample_vec3(s, size)};
}

// Uniform over attitudes, both signs.
static inline carom_quat sample_attitude(sampler *s) {
    for (;;) {
        double w = sample_between(s, -1.0, 1.0), x = sample_between(s, -1.0, 1.0);
        double y = sample_between(s, -1.0, 1.0), z = sample_between(s, -1.0, 1.0);
        double square = w * w + x * x + y * y + z * z;
        if (square < 0.01 || square > 1.0) continue;
        double length = sqrt(square);
        return (carom_quat){w / length, x / length, y / length, z / length};
    }
}

#endif
