// SPDX-License-Identifier: MIT
// Random inputs for tests: the same numbers on every machine and in every run.
#ifndef TEST_SUPPORT_SAMPLE_H
#define TEST_SUPPORT_SAMPLE_H

#include "base/random.h"

typedef crm_random sampler; // start from {.seed = any number}

// Uniform in [low, high).
static inline double sample_between(sampler *s, double low, double high) {
    return crm_random_between(s, low, high);
}

// Components uniform in [-size, size).
static inline carom_vec3 sample_vec3(sampler *s, double size) {
    double x = sample_between(s, -size, size), y = sample_between(s, -size, size);
    return (carom_vec3){x, y, sample_between(s, -size, size)};
}

// Uniform on the sphere.
static inline carom_vec3 sample_unit(sampler *s) {
    return crm_random_direction(s);
}

static inline carom_mat3 sample_mat3(sampler *s, double size) {
    carom_vec3 x = sample_vec3(s, size), y = sample_vec3(s, size);
    return (carom_mat3){x, y, sample_vec3(s, size)};
}

// Uniform over attitudes, both signs.
static inline carom_quat sample_attitude(sampler *s) {
    return crm_random_rotation(s);
}

#endif
