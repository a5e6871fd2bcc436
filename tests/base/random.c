// SPDX-License-Identifier: MIT
// Random numbers: the published vectors of the generator, independence of what was drawn before, and distributions.
//
// Seeds are fixed, so a statistical check passes always or never. Each allows five standard deviations of what the
// exact distribution predicts for its sample: a right generator has a chance near 1e-6 to fail one for a given seed.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "support/harness/check.h"

static const double pi = 3.14159265358979323846;

enum { SAMPLES = 1 << 20 };

// The mean of SAMPLES draws with the given mean and variance lies within five standard deviations.
static void check_mean(double sum, double mean, double variance, const char *what) {
    double deviation = sqrt(variance / SAMPLES);
    if (!CHECK_NEAR(sum / SAMPLES, mean, 5.0 * deviation)) fprintf(stderr, "  that was %s\n", what);
}

// Pearson's statistic of `bins` equally likely bins has mean bins - 1 and variance 2 (bins - 1). A sum that is too even
// is as suspicious as one that is too uneven. (With two or seven bins the tail is heavier: chances of 5e-3 and 1e-4.)
static void check_even(const int *counts, int bins, int samples, const char *what) {
    double expected = (double)samples / bins, statistic = 0.0;
    for (int i = 0; i < bins; i++) statistic += (counts[i] - expected) * (counts[i] - expected) / expected;
    if (!CHECK_NEAR(statistic, bins - 1.0, 5.0 * sqrt(2.0 * (bins - 1.0)))) fprintf(stderr, "  that was %s\n", what);
}

// Bin of a value in [0, 1]; a value outside lands in the nearest bin.
static int bin_of(double value, int bins) {
    int bin = (int)(value * bins);
    return bin < 0 ? 0 : bin >= bins ? bins - 1 : bin;
}

TEST(philox_agrees_with_the_published_vectors) {
    static const struct {
        uint32_t counter[4], key[2], out[4];
    } known[] = {
        // from kat_vectors of the authors' Random123
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        crm_philox_words counter;
        memcpy(counter.word, known[i].counter, sizeof counter.word);
        crm_philox_words out = crm_philox(counter, known[i].key[0], known[i].key[1]);
        for (int w = 0; w < 4; w++) CHECK_INT(out.word[w], known[i].out[w]);
    }
}

// Recordings depend on this layout: it may never change.
TEST(counter_words_are_index_stream_attempt) {
    crm_random random = {.seed = 0x299f31d0a4093822, .stream = 0x13198a2e};
    uint64_t index = 0x85a308d3243f6a88;
    crm_philox_words counter = {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0}};
    crm_philox_words out = crm_philox(counter, 0xa4093822, 0x299f31d0);
    double wanted = ldexp((double)((out.word[0] | (uint64_t)out.word[1] << 32) >> 11), -53);
    CHECK(crm_random_uniform_at(&random, index) == wanted);
}

TEST(a_variate_does_not_depend_on_what_was_drawn_before) {
    crm_random random = {.seed = 5, .stream = 6, .index = 0xfffffff0}; // goes through 2^32
    const crm_random fixed = random;
    for (uint64_t i = random.index; i < fixed.index + 600; i++) {
        CHECK_INT(random.index, i);
        switch (i % 6) {
        case 0:
            CHECK(crm_random_uniform(&random) == crm_random_uniform_at(&fixed, i));
            break;
        case 1:
            CHECK(crm_random_between(&random, -3, 8) == crm_random_between_at(&fixed, i, -3, 8));
            break;
        case 2:
            CHECK(crm_random_below(&random, 1000) == crm_random_below_at(&fixed, i, 1000));
            break;
        case 3:
            CHECK(crm_random_normal(&random) == crm_random_normal_at(&fixed, i));
            break;
        case 4: {
            carom_vec3 a = crm_random_direction(&random), b = crm_random_direction_at(&fixed, i);
            CHECK(a.x == b.x && a.y == b.y && a.z == b.z);
            break;
        }
        case 5: {
            carom_quat a = crm_random_rotation(&random), b = crm_random_rotation_at(&fixed, i);
            CHECK(a.w == b.w && a.x == b.x && a.y == b.y && a.z == b.z);
            break;
        }
        }
    }
    CHECK(crm_random_uniform_at(&fixed, 0) != crm_random_uniform_at(&fixed, (uint64_t)1 << 32));
}

TEST(uniform_has_the_right_moments_and_fills_all_bins) {
    enum { BINS = 1024, SIDE = 32 };
    static int high[BINS], low[BINS], pairs[SIDE * SIDE];
    crm_random random = {.seed = 1};
    double sum = 0.0, squares = 0.0, product = 0.0, before = 0.5;
    for (int i = 0; i < SAMPLES; i++) {
        double u = crm_random_uniform(&random);
        if (!CHECK(u >= 0.0 && u < 1.0)) return;
        sum += u;
        squares += (u - 0.5) * (u - 0.5);
        product += (u - 0.5) * (before - 0.5);
        high[bin_of(u, BINS)]++;
        low[(uint64_t)(u * 0x1p53) % BINS]++; // the last ten of the 53 bits
        if (i % 2 == 1) pairs[bin_of(before, SIDE) * SIDE + bin_of(u, SIDE)]++;
        before = u;
    }
    check_mean(sum, 1.0 / 2, 1.0 / 12, "the mean");
    check_mean(squares, 1.0 / 12, 1.0 / 180, "the variance");
    check_mean(product, 0.0, 1.0 / 144, "the correlation of neighbours");
    check_even(high, BINS, SAMPLES, "the leading bits");
    check_even(low, BINS, SAMPLES, "the last bits");
    check_even(pairs, SIDE * SIDE, SAMPLES / 2, "pairs of neighbours");
}

TEST(between_stays_below_its_upper_end) {
    crm_random random = {.seed = 2};
    double sum = 0.0;
    for (int i = 0; i < SAMPLES; i++) {
        double value = crm_random_between(&random, -2.0, 6.0);
        if (!CHECK(value >= -2.0 && value < 6.0)) return;
        sum += value;
    }
    check_mean(sum, 2.0, 64.0 / 12, "the mean");

    double next = 1.0 + DBL_EPSILON; // two numbers only: half of all draws would round to the excluded end
    for (int i = 0; i < 100; i++) CHECK(crm_random_between(&random, 1.0, next) == 1.0);
    CHECK(crm_random_between(&random, 3.0, 3.0) == 3.0);
}

TEST(below_is_unbiased) {
    static const int limits[] = {1, 2, 7, 100, 1000};
    crm_random random = {.seed = 3};
    for (size_t l = 0; l < sizeof limits / sizeof limits[0]; l++) {
        static int counts[1000];
        memset(counts, 0, sizeof counts);
        for (int i = 0; i < SAMPLES; i++) {
            uint64_t value = crm_random_below(&random, (uint64_t)limits[l]);
            if (!CHECK(value < (uint64_t)limits[l])) return;
            counts[value]++;
        }
        if (limits[l] > 1) check_even(counts, limits[l], SAMPLES, "below a small number");
    }

    // The bias of a plain remainder is plain to see for n = 3 2^62: half of its values, not a third, lie below 2^62.
    uint64_t quarter = (uint64_t)1 << 62;
    double below_quarter = 0.0;
    for (int i = 0; i < SAMPLES; i++) {
        uint64_t value = crm_random_below(&random, 3 * quarter);
        if (!CHECK(value < 3 * quarter)) return;
        below_quarter += value < quarter;
    }
    check_mean(below_quarter, 1.0 / 3, 2.0 / 9, "the lowest third");
    CHECK_INT(crm_random_below(&random, 0), 0);
}

TEST(normal_has_the_right_moments_and_tails) {
    enum { BINS = 256 };
    static int counts[BINS];
    crm_random random = {.seed = 4};
    double power[5] = {0}, beyond[6] = {0};
    for (int i = 0; i < SAMPLES; i++) {
        double x = crm_random_normal(&random);
        double term = 1.0;
        for (int p = 1; p <= 4; p++) power[p] += term *= x;
        for (int t = 1; t <= 5; t++) beyond[t] += fabs(x) > t;
        counts[bin_of(0.5 * erfc(-x / sqrt(2.0)), BINS)]++;
    }
    // E x^2 = 1, E x^4 = 3, E x^6 = 15, E x^8 = 105
    check_mean(power[1], 0.0, 1.0, "the mean");
    check_mean(power[2], 1.0, 3.0 - 1.0, "the variance");
    check_mean(power[3], 0.0, 15.0, "the skewness");
    check_mean(power[4], 3.0, 105.0 - 9.0, "the kurtosis");
    check_even(counts, BINS, SAMPLES, "the distribution");
    for (int t = 1; t <= 4; t++) { // beyond 4 lie 66 of 2^20
        double chance = erfc(t / sqrt(2.0));
        check_mean(beyond[t], chance, chance * (1.0 - chance), "a tail");
    }
    CHECK(beyond[5] <= 5); // 0.6 expected
}

// Uniform on the sphere: the mean vanishes, the tensor of second moments is a third of the identity (E z^4 = 1/5,
// E x^2 y^2 = 1/15), and cylinder coordinates are uniform (Archimedes).
typedef struct sphere_sample {
    double mean[3], moment[3][3];
    int height[64], azimuth[64];
} sphere_sample;

static void add_direction(sphere_sample *sample, carom_vec3 direction) {
    double v[3] = {direction.x, direction.y, direction.z};
    for (int i = 0; i < 3; i++) {
        sample->mean[i] += v[i];
        for (int j = 0; j < 3; j++) sample->moment[i][j] += v[i] * v[j];
    }
    sample->height[bin_of(0.5 * (1.0 + v[2]), 64)]++;
    sample->azimuth[bin_of(0.5 + atan2(v[1], v[0]) / (2.0 * pi), 64)]++;
}

static void check_sphere(const sphere_sample *sample) {
    for (int i = 0; i < 3; i++) {
        check_mean(sample->mean[i], 0.0, 1.0 / 3, "the mean direction");
        for (int j = 0; j < 3; j++)
            check_mean(sample->moment[i][j], i == j ? 1.0 / 3 : 0.0, i == j ? 1.0 / 5 - 1.0 / 9 : 1.0 / 15,
                       "a second moment");
    }
    check_even(sample->height, 64, SAMPLES, "the height");
    check_even(sample->azimuth, 64, SAMPLES, "the azimuth");
}

TEST(directions_are_uniform_on_the_sphere) {
    static sphere_sample sample;
    crm_random random = {.seed = 5};
    for (int i = 0; i < SAMPLES; i++) {
        carom_vec3 v = crm_random_direction(&random);
        // each of the three squares is rounded a few times
        if (!CHECK_NEAR(v.x * v.x + v.y * v.y + v.z * v.z, 1.0, 8 * DBL_EPSILON)) return;
        add_direction(&sample, v);
    }
    check_sphere(&sample);
}

// Uniform on the 3-sphere: E q_i^2 = 1/4, E q_i^4 = 1/8, E q_i^2 q_j^2 = 1/24. As a rotation: the angle has the
// distribution function (theta - sin theta) / pi, the axis is uniform, and so is the image of any vector.
TEST(rotations_are_uniform) {
    enum { BINS = 128 };
    static sphere_sample axes, images;
    static int angles[BINS];
    crm_random random = {.seed = 6};
    double mean[4] = {0}, moment[4][4] = {0};
    for (int n = 0; n < SAMPLES; n++) {
        carom_quat r = crm_random_rotation(&random);
        double q[4] = {r.w, r.x, r.y, r.z};
        if (!CHECK_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1.0, 8 * DBL_EPSILON)) return;
        for (int i = 0; i < 4; i++) {
            mean[i] += q[i];
            for (int j = 0; j < 4; j++) moment[i][j] += q[i] * q[j];
        }
        double sine = sqrt(r.x * r.x + r.y * r.y + r.z * r.z);
        double theta = 2.0 * atan2(sine, fabs(r.w));
        angles[bin_of((theta - sin(theta)) / pi, BINS)]++;
        add_direction(&axes, (carom_vec3){r.x / sine, r.y / sine, r.z / sine});
        add_direction(&images, (carom_vec3){1 - 2 * (r.y * r.y + r.z * r.z), 2 * (r.x * r.y + r.w * r.z),
                                            2 * (r.x * r.z - r.w * r.y)}); // of (1, 0, 0)
    }
    for (int i = 0; i < 4; i++) {
        check_mean(mean[i], 0.0, 1.0 / 4, "the mean quaternion");
        for (int j = 0; j < 4; j++)
            check_mean(moment[i][j], i == j ? 1.0 / 4 : 0.0, i == j ? 1.0 / 8 - 1.0 / 16 : 1.0 / 24, "a second moment");
    }
    check_even(angles, BINS, SAMPLES, "the angle");
    check_sphere(&axes);
    check_sphere(&images);
}

static void check_unrelated(crm_random one, crm_random two, const char *what) {
    enum { SIDE = 32 };
    static int pairs[SIDE * SIDE];
    memset(pairs, 0, sizeof pairs);
    double product = 0.0;
    for (int i = 0; i < SAMPLES; i++) {
        double u = crm_random_uniform(&one), v = crm_random_uniform(&two);
        product += (u - 0.5) * (v - 0.5);
        pairs[bin_of(u, SIDE) * SIDE + bin_of(v, SIDE)]++;
    }
    check_mean(product, 0.0, 1.0 / 144, what);
    check_even(pairs, SIDE * SIDE, SAMPLES, what);
}

TEST(streams_and_seeds_are_unrelated) {
    check_unrelated((crm_random){.seed = 7}, (crm_random){.seed = 7, .stream = 1}, "the next stream");
    check_unrelated((crm_random){.seed = 7, .stream = 9}, (crm_random){.seed = 7, .stream = 9 | 1u << 31},
                    "a far stream");
    check_unrelated((crm_random){.seed = 7}, (crm_random){.seed = 8}, "the next seed");
    check_unrelated((crm_random){.seed = 7}, (crm_random){.seed = 7 | (uint64_t)1 << 63}, "a seed that differs on top");
    check_unrelated((crm_random){.seed = 7}, (crm_random){.seed = 7, .index = (uint64_t)1 << 32}, "a far index");
}

// Across streams at a fixed index, as when every body has its own stream.
TEST(a_fixed_index_is_uniform_across_streams) {
    enum { BINS = 1024 };
    static int counts[BINS];
    for (int stream = 0; stream < SAMPLES; stream++) {
        crm_random random = {.seed = 8, .stream = (uint32_t)stream};
        counts[bin_of(crm_random_uniform(&random), BINS)]++;
    }
    check_even(counts, BINS, SAMPLES, "the first variate of each stream");
}

TEST_MAIN(CASE(philox_agrees_with_the_published_vectors), CASE(counter_words_are_index_stream_attempt),
          CASE(a_variate_does_not_depend_on_what_was_drawn_before),
          CASE(uniform_has_the_right_moments_and_fills_all_bins), CASE(between_stays_below_its_upper_end),
          CASE(below_is_unbiased), CASE(normal_has_the_right_moments_and_tails),
          CASE(directions_are_uniform_on_the_sphere), CASE(rotations_are_uniform),
          CASE(streams_and_seeds_are_unrelated), CASE(a_fixed_index_is_uniform_across_streams))
