// SPDX-License-Identifier: MIT
// The coefficient functions against long double: power series summed to the end, and cotangents written out.
#include "math/so3_series.h"

#include <float.h>

#include "support/harness/check.h"
#include "support/harness/sample.h"

static const double two_pi = 6.28318530717958647692;

// sum over k >= 0 of (-1)^(k + first) x^2k f(k) / (2k + offset)!; 45 terms reach 1e-40 at 2 pi, where the terms are at
// most 90 times the sum.
static long double power_series(long double x, int offset, int first, long double (*f)(int)) {
    long double sum = 0.0L, term = first % 2 ? -1.0L : 1.0L;
    for (int m = 2; m <= offset; m++) term /= m;
    for (int k = 0; k < 45; k++) {
        sum += term * f(k);
        term *= -x * x / ((2.0L * k + offset + 1) * (2.0L * k + offset + 2));
    }
    return sum;
}

static long double one(int k) {
    return k >= 0 ? 1.0L : 0.0L;
}

static long double even(int k) {
    return 2.0L * k + 2.0L;
}

static long double two_evens(int k) {
    return (2.0L * k + 2.0L) * (2.0L * k + 4.0L);
}

// Closed forms where the series would lose a zero of the function to cancellation.
static long double sinc_of(long double x) {
    return x > 2.0L ? sinl(x) / x : power_series(x, 1, 0, one);
}

static long double sinc_slope_of(long double x) {
    return power_series(x, 3, 1, even);
}

static long double sinc_bend_of(long double x) {
    return power_series(x, 5, 0, two_evens);
}

static long double cosc_of(long double x) {
    long double half = sinc_of(0.5L * x);
    return x > 4.0L ? 0.5L * half * half : power_series(x, 2, 0, one);
}

static long double cosc_slope_of(long double x) {
    long double h = 0.5L * x, sine = sinl(h);
    return x > 4.0L ? 4.0L * sine * (h * cosl(h) - sine) / (x * x * x * x) : power_series(x, 4, 1, even);
}

static long double sin3_of(long double x) {
    return power_series(x, 3, 0, one);
}

static long double sin3_slope_of(long double x) {
    return power_series(x, 5, 1, even);
}

// |B_2n| / (2n)! for n = 1, 2, ...: cotc(x) = sum over n of these times x^(2n-2).
static const long double bernoulli[] = {
    8.333333333333333333333e-2L,  1.388888888888888888889e-3L,  3.306878306878306878307e-5L,
    8.267195767195767195767e-7L,  2.087675698786809897921e-8L,  5.284190138687493184848e-10L,
    1.338253653068467883283e-11L, 3.389680296322582866830e-13L, 8.586062056277844564136e-15L,
    2.174868698558061873042e-16L, 5.509002828360229515203e-18L, 1.395446468581252334071e-19L,
    3.534707039629467471693e-21L, 8.953517427037546850403e-23L,
};

enum { BERNOULLI = sizeof bernoulli / sizeof bernoulli[0] };

// Up to here the series above is exact to 2e-20; beyond, the cotangents cancel by a factor of 720 at most.
static const long double cot_series_up_to = 1.0L;

static long double cotc_of(long double x) {
    long double sum = 0.0L, h = 0.5L * x;
    if (x > cot_series_up_to) return (1.0L - h * cosl(h) / sinl(h)) / (x * x);
    for (int k = BERNOULLI - 1; k >= 0; k--) sum = sum * x * x + bernoulli[k];
    return sum;
}

static long double cotc_slope_of(long double x) {
    long double sum = 0.0L, h = 0.5L * x, cot = cosl(h) / sinl(h);
    if (x > cot_series_up_to) return ((h / (sinl(h) * sinl(h)) - cot) / (2.0L * x) - 2.0L * cotc_of(x)) / (x * x);
    for (int k = BERNOULLI - 1; k >= 1; k--) sum = sum * x * x + 2.0L * k * bernoulli[k];
    return sum;
}

typedef struct coefficient {
    const char *name;
    double (*got)(double);
    long double (*wanted)(long double);
    double bound;    // of the relative error
    double envelope; // values below this times the value at 0 count as this: the functions with zeros inside (0, 2 pi)
} coefficient;

static const coefficient coefficients[] = {
    {"sinc", crm_sinc, sinc_of, 4e-16, 0.0},
    {"sinc_slope", crm_sinc_slope, sinc_slope_of, 1e-15, 0.1},
    {"sinc_bend", crm_sinc_bend, sinc_bend_of, 1e-15, 0.1},
    {"cosc", crm_cosc, cosc_of, 1e-15, 0.0},
    {"cosc_slope", crm_cosc_slope, cosc_slope_of, 1e-15, 0.0},
    {"sin3", crm_sin3, sin3_of, 1e-15, 0.0},
    {"sin3_slope", crm_sin3_slope, sin3_slope_of, 1e-15, 0.0},
    {"cotc", crm_cotc, cotc_of, 1e-15, 0.0},
    {"cotc_slope", crm_cotc_slope, cotc_slope_of, 2e-15, 0.0},
};

enum { COEFFICIENTS = sizeof coefficients / sizeof coefficients[0] };

static double relative_error(const coefficient *c, double x) {
    long double wanted = c->wanted(x), size = fabsl(wanted);
    long double least = c->envelope * fabsl(c->wanted(0.0L));
    return (double)(fabsl(c->got(x) - wanted) / (size > least ? size : least));
}

TEST(coefficients_are_right_to_rounding_up_to_two_pi) {
    for (int i = 0; i < COEFFICIENTS; i++) {
        const coefficient *c = &coefficients[i];
        sampler s = {.seed = (uint64_t)i};
        double worst = 0.0, where = 0.0;
        for (int k = 0; k < 60000; k++) {
            double x = sample_between(&s, 0.0, two_pi - 1e-3);
            if (k % 4 == 1) x = pow(10.0, -sample_between(&s, 0.0, 20.0));
            if (k % 4 == 2) x = 0.5 * two_pi - pow(10.0, -sample_between(&s, 0.0, 15.0)) * (k % 8 == 2 ? 1.0 : -1.0);
            if (k % 4 == 3) x = (k % 8 == 3 ? 2.0 : 3.0) * (1.0 + sample_between(&s, -1e-3, 1e-3)); // the switch
            double error = relative_error(c, x);
            if (error > worst) worst = error, where = x;
        }
        CHECK_NEAR(worst, 0.0, c->bound);
        print_message("%-11s worst relative error %.2g at %g\n", c->name, worst, where);
    }
}

// As x comes near 2 pi in steps that doubles can tell apart, zeros and poles stay right relative to themselves: the
// reference here is the closed form with the sine of the distance to 2 pi, which long double keeps.
TEST(zeros_and_poles_at_two_pi_are_right) {
    for (int k = 1; k <= 14; k++) {
        double x = two_pi - pow(10.0, -k);
        long double h = 0.5L * x, sine = sinl(h), cosine = cosl(h);
        CHECK_NEAR((double)(crm_cosc(x) / (2.0L * sine * sine / ((long double)x * x))), 1.0, 1e-15);
        CHECK_NEAR((double)(crm_cosc_slope(x) / (4.0L * sine * (h * cosine - sine) / ((long double)x * x * x * x))),
                   1.0, 1e-15);
        CHECK_NEAR((double)(crm_cotc(x) / ((1.0L - h * cosine / sine) / ((long double)x * x))), 1.0, 1e-15);
        CHECK_NEAR((double)(crm_cotc_slope(x) / cotc_slope_of(x)), 1.0, 2e-15);
    }
}

TEST(values_at_zero_are_the_limits) {
    const double limits[COEFFICIENTS] = {1.0,       -1.0 / 3,  1.0 / 15, 0.5,      -1.0 / 12,
                                         1.0 / 6.0, -1.0 / 60, 1.0 / 12, 1.0 / 360};
    for (int i = 0; i < COEFFICIENTS; i++)
        for (int k = 0; k < 4; k++) {
            const double near_zero[] = {0.0, -0.0, 1e-300, -1e-20};
            CHECK_NEAR(coefficients[i].got(near_zero[k]) / limits[i], 1.0, 4.0 * DBL_EPSILON);
        }
}

// They are even, and finite (tending to zero) for huge angles.
TEST(angles_of_any_size_and_sign_are_taken) {
    for (int i = 0; i < COEFFICIENTS; i++)
        for (double x = 1e-3; x < 1e151; x *= 7.3) {
            CHECK_NEAR(coefficients[i].got(-x), coefficients[i].got(x), 0.0);
            CHECK(isfinite(coefficients[i].got(x)));
        }
}

TEST_MAIN(CASE(coefficients_are_right_to_rounding_up_to_two_pi), CASE(zeros_and_poles_at_two_pi_are_right),
          CASE(values_at_zero_are_the_limits), CASE(angles_of_any_size_and_sign_are_taken))
