// SPDX-License-Identifier: MIT
// Variates from a counter-based generator.
//
// The key is the seed; the counter's words are index (low, high), stream and attempt. A method that rejects counts up
// the attempt, so that rejection never moves the index.
#include "base/random.h"

#include <math.h>

crm_philox_words crm_philox(crm_philox_words counter, uint32_t key_low, uint32_t key_high) {
    uint32_t a = counter.word[0], b = counter.word[1], c = counter.word[2], d = counter.word[3];
    for (int round = 0; round < 10; round++) {
        uint64_t product_a = (uint64_t)0xD2511F53 * a;
        uint64_t product_c = (uint64_t)0xCD9E8D57 * c;
        a = (uint32_t)(product_c >> 32) ^ b ^ key_low;
        b = (uint32_t)product_c;
        c = (uint32_t)(product_a >> 32) ^ d ^ key_high;
        d = (uint32_t)product_a;
        key_low += 0x9E3779B9;  // the golden ratio
        key_high += 0xBB67AE85; // sqrt(3) - 1
    }
    return (crm_philox_words){{a, b, c, d}};
}

// A chance of rejection is at most 1/2 in every loop below; 100 in a row do not happen (2^-100), but a loop has an end.
enum { ATTEMPT_LIMIT = 100 };

typedef struct bits {
    uint64_t first, second;
} bits;

static bits bits_at(const crm_random *random, uint64_t index, uint32_t attempt) {
    crm_philox_words counter = {{(uint32_t)index, (uint32_t)(index >> 32), random->stream, attempt}};
    crm_philox_words out = crm_philox(counter, (uint32_t)random->seed, (uint32_t)(random->seed >> 32));
    return (bits){
        .first = out.word[0] | (uint64_t)out.word[1] << 32,
        .second = out.word[2] | (uint64_t)out.word[3] << 32,
    };
}

typedef struct disc_point {
    double x, y;
    double square; // x^2 + y^2, in (0, 1)
} disc_point;

// In (-1, 1): odd multiples of 2^-52, so symmetric and never 0.
static double symmetric(uint64_t word) {
    return ((double)(word >> 12) + 0.5) * 0x1p-51 - 1.0;
}

// Uniform in the open unit disc, by rejection from the square; moves `attempt` past those it used.
static disc_point disc_point_at(const crm_random *random, uint64_t index, uint32_t *attempt) {
    double x = 0.0, y = 0.0;
    for (int i = 0; i < ATTEMPT_LIMIT; i++) {
        bits words = bits_at(random, index, (*attempt)++);
        x = symmetric(words.first);
        y = symmetric(words.second);
        double square = x * x + y * y;
        if (square < 1.0) return (disc_point){x, y, square};
    }
    x *= 0.5;
    y *= 0.5;
    return (disc_point){x, y, x * x + y * y};
}

double crm_random_uniform_at(const crm_random *random, uint64_t index) {
    return (double)(bits_at(random, index, 0).first >> 11) * 0x1p-53;
}

double crm_random_between_at(const crm_random *random, uint64_t index, double low, double high) {
    double value = low + (high - low) * crm_random_uniform_at(random, index);
    return value < high ? value : low; // rounding may reach the end that is excluded
}

// The remainder of a 64-bit word, with the first 2^64 mod n words left out: what is left is a multiple of n.
uint64_t crm_random_below_at(const crm_random *random, uint64_t index, uint64_t n) {
    if (n == 0) return 0;
    uint64_t excess = (0 - n) % n;
    uint64_t word = 0;
    for (uint32_t attempt = 0; attempt < ATTEMPT_LIMIT; attempt++) {
        word = bits_at(random, index, attempt).first;
        if (word >= excess) break;
    }
    return word % n;
}

// Marsaglia's polar method. Its second variate is dropped: an index is one variate.
double crm_random_normal_at(const crm_random *random, uint64_t index) {
    uint32_t attempt = 0;
    disc_point point = disc_point_at(random, index, &attempt);
    return point.x * sqrt(-2.0 * log(point.square) / point.square);
}

// Marsaglia, "Choosing a point from the surface of a sphere" (1972): by Archimedes z = 1 - 2 s is uniform when s is.
carom_vec3 crm_random_direction_at(const crm_random *random, uint64_t index) {
    uint32_t attempt = 0;
    disc_point point = disc_point_at(random, index, &attempt);
    double scale = 2.0 * sqrt(1.0 - point.square);
    return (carom_vec3){point.x * scale, point.y * scale, 1.0 - 2.0 * point.square};
}

// The same paper's method for the 3-sphere: a disc point, and the direction of a second one to fill up to length 1.
carom_quat crm_random_rotation_at(const crm_random *random, uint64_t index) {
    uint32_t attempt = 0;
    disc_point one = disc_point_at(random, index, &attempt);
    disc_point two = disc_point_at(random, index, &attempt);
    double scale = sqrt((1.0 - one.square) / two.square);
    return (carom_quat){one.x, one.y, two.x * scale, two.y * scale};
}

double crm_random_uniform(crm_random *random) {
    return crm_random_uniform_at(random, random->index++);
}

double crm_random_between(crm_random *random, double low, double high) {
    return crm_random_between_at(random, random->index++, low, high);
}

uint64_t crm_random_below(crm_random *random, uint64_t n) {
    return crm_random_below_at(random, random->index++, n);
}

double crm_random_normal(crm_random *random) {
    return crm_random_normal_at(random, random->index++);
}

carom_vec3 crm_random_direction(crm_random *random) {
    return crm_random_direction_at(random, random->index++);
}

carom_quat crm_random_rotation(crm_random *random) {
    return crm_random_rotation_at(random, random->index++);
}
