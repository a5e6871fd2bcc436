// SPDX-License-Identifier: MIT
// Random numbers by counting: variate `index` of stream `stream` of seed `seed` is a pure function of the three.
//
//     crm_random random = {.seed = 42, .stream = body};
//     double mass = crm_random_between(&random, 1.0, 2.0);          // variate 0 of the stream
//     carom_quat attitude = crm_random_rotation(&random);           // variate 1
//     double again = crm_random_between_at(&random, 0, 1.0, 2.0);   // variate 0 once more
//
// Every variate uses up one index, whatever its kind and however many bits it needs, so that none depends on what was
// drawn before it: threads may draw in any order. Any seed, also 0, is as good as another; streams and seeds that
// differ in one bit are unrelated. Two kinds of variate at the same index are related: use an index once.
//
// Uniform variates, integers, directions and rotations have the same bits on every machine: their arithmetic is
// integer,
// + - * / and sqrt. A normal variate also needs the C library's logarithm.
#ifndef CRM_BASE_RANDOM_H
#define CRM_BASE_RANDOM_H

#include <stdint.h>

#include "carom/types.h"

typedef struct crm_random {
    uint64_t seed;
    uint32_t stream;
    uint64_t index; // of the variate that is drawn next
} crm_random;

// ---- the next variate of the stream

// In [0, 1): a multiple of 2^-53.
double crm_random_uniform(crm_random *random);

// In [low, high), or `low` when they are equal. `high - low` must be finite and not negative.
double crm_random_between(crm_random *random, double low, double high);

// An integer in 0 ... n - 1, each equally likely; 0 when n is 0.
uint64_t crm_random_below(crm_random *random, uint64_t n);

// Mean 0, variance 1.
double crm_random_normal(crm_random *random);

// A unit vector, uniform on the sphere.
carom_vec3 crm_random_direction(crm_random *random);

// A unit quaternion, uniform on the 3-sphere, hence a rotation uniform by Haar's measure.
carom_quat crm_random_rotation(crm_random *random);

// ---- any variate of the stream; `random->index` plays no part

double crm_random_uniform_at(const crm_random *random, uint64_t index);
double crm_random_between_at(const crm_random *random, uint64_t index, double low, double high);
uint64_t crm_random_below_at(const crm_random *random, uint64_t index, uint64_t n);
double crm_random_normal_at(const crm_random *random, uint64_t index);
carom_vec3 crm_random_direction_at(const crm_random *random, uint64_t index);
carom_quat crm_random_rotation_at(const crm_random *random, uint64_t index);

// ---- what they stand on

typedef struct crm_philox_words {
    uint32_t word[4];
} crm_philox_words;

// Philox4x32-10 of Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011): a bijection of the
// counter for each key, whose output passes all known tests of randomness.
crm_philox_words crm_philox(crm_philox_words counter, uint32_t key_low, uint32_t key_high);

#endif
