// SPDX-License-Identifier: MIT
#include "math/vec3.h"

#include <float.h>

#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/harness/small_compare.h"

enum { CASES = 20000 };

// A few roundings of quantities of size 1.
static const double rounding = 4.0 * DBL_EPSILON;

TEST(algebra_follows_its_laws) {
    sampler s = {.seed = 1};
    for (int i = 0; i < CASES; i++) {
        carom_vec3 a = sample_vec3(&s, 1.0), b = sample_vec3(&s, 1.0), c = sample_vec3(&s, 1.0);
        double k = sample_between(&s, -2.0, 2.0);
        CHECK_NEAR(vec3_gap(crm_sub(crm_add(a, b), b), a), 0.0, rounding);
        CHECK_NEAR(vec3_gap(crm_madd(a, k, b), crm_add(a, crm_scale(k, b))), 0.0, 0.0);
        CHECK_NEAR(vec3_gap(crm_add(a, crm_negate(a)), crm_vec3_zero()), 0.0, 0.0);
        CHECK_NEAR(crm_dot(a, b), crm_dot(b, a), 0.0);
        CHECK_NEAR(crm_dot(crm_madd(a, k, b), c), crm_dot(a, c) + k * crm_dot(b, c), 4.0 * rounding);
        CHECK_NEAR(vec3_gap(crm_cross(a, b), crm_negate(crm_cross(b, a))), 0.0, 0.0);
        CHECK_NEAR(crm_dot(a, crm_cross(a, b)), 0.0, rounding);
        CHECK_NEAR(crm_dot(a, crm_cross(b, c)), crm_dot(b, crm_cross(c, a)), 4.0 * rounding);
        // Lagrange: |a x b|^2 + (a.b)^2 = |a|^2 |b|^2
        CHECK_NEAR(crm_length_squared(crm_cross(a, b)) + crm_dot(a, b) * crm_dot(a, b),
                   crm_length_squared(a) * crm_length_squared(b), 10.0 * rounding);
        // Jacobi: a x (b x c) + b x (c x a) + c x (a x b) = 0
        carom_vec3 sum = crm_add(crm_cross(a, crm_cross(b, c)), crm_cross(b, crm_cross(c, a)));
        CHECK_NEAR(vec3_gap(sum, crm_cross(crm_cross(a, b), c)), 0.0, 4.0 * rounding);
        CHECK_NEAR(crm_distance(a, b), crm_length(crm_sub(b, a)), 0.0);
        CHECK_NEAR(crm_length(crm_scale(k, a)), fabs(k) * crm_length(a), 2.0 * rounding);
    }
    CHECK_NEAR(vec3_gap(crm_cross(crm_vec3(1, 0, 0), crm_vec3(0, 1, 0)), crm_vec3(0, 0, 1)), 0.0, 0.0);
    CHECK_NEAR(crm_length(crm_vec3(2, 3, 6)), 7.0, 0.0);
}

TEST(components_are_reached_by_index) {
    carom_vec3 a = crm_vec3(1.0, -2.0, 3.0), b = crm_vec3(-4.0, 5.0, 2.0);
    for (int i = 0; i < 3; i++) {
        carom_vec3 changed = crm_with_component(a, i, 9.0);
        for (int j = 0; j < 3; j++) CHECK_NEAR(crm_component(changed, j), i == j ? 9.0 : crm_component(a, j), 0.0);
        CHECK_NEAR(crm_component(crm_vec3_min(a, b), i), fmin(crm_component(a, i), crm_component(b, i)), 0.0);
        CHECK_NEAR(crm_component(crm_vec3_max(a, b), i), fmax(crm_component(a, i), crm_component(b, i)), 0.0);
        CHECK_NEAR(crm_component(crm_vec3_abs(a), i), fabs(crm_component(a, i)), 0.0);
        CHECK_NEAR(crm_component(crm_vec3_mul(a, b), i), crm_component(a, i) * crm_component(b, i), 0.0);
        CHECK_NEAR(crm_max_component(crm_with_component(crm_vec3(-7.0, -8.0, -9.0), i, -1.0)), -1.0, 0.0);
        CHECK(!crm_vec3_finite(crm_with_component(a, i, NAN)));
        CHECK(!crm_vec3_finite(crm_with_component(a, i, -INFINITY)));
    }
    CHECK_NEAR(crm_component(a, 0), 1.0, 0.0);
    CHECK_NEAR(crm_component(a, 1), -2.0, 0.0);
    CHECK_NEAR(crm_component(a, 2), 3.0, 0.0);
    CHECK(crm_vec3_finite(a));
}

// Scaling by a power of two is exact, so that length and direction must follow it to the last bit, from the smallest
// subnormal-free size to the largest.
TEST(safe_length_and_normalise_do_not_depend_on_size) {
    sampler s = {.seed = 2};
    for (int exponent = -1000; exponent <= 1020; exponent += 20) {
        for (int i = 0; i < 200; i++) {
            carom_vec3 a = sample_vec3(&s, 1.0), unit, scaled_unit;
            double scale = ldexp(1.0, exponent);
            double length = crm_normalise(a, &unit), scaled = crm_normalise(crm_scale(scale, a), &scaled_unit);
            CHECK_NEAR(length, crm_length(a), 0.0);
            CHECK_NEAR(crm_safe_length(crm_scale(scale, a)) / scale, length, 2.0 * DBL_EPSILON);
            CHECK_NEAR(scaled / scale, length, 2.0 * DBL_EPSILON);
            CHECK_NEAR(vec3_gap(unit, scaled_unit), 0.0, rounding);
            CHECK_NEAR(crm_length(scaled_unit), 1.0, rounding);
            CHECK_NEAR(vec3_gap(crm_cross(scaled_unit, unit), crm_vec3_zero()), 0.0, rounding);
        }
    }
}

TEST(safe_length_takes_components_of_very_different_size) {
    const double sizes[] = {1e-320, 1e-300, 1e-200, 1e-154, 1e-100, 1.0, 1e100, 1e154, 1e200, 1e300};
    int count = sizeof sizes / sizeof sizes[0];
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            carom_vec3 a = crm_vec3(-sizes[i], 0.0, sizes[j]), unit;
            double wanted = hypot(sizes[i], sizes[j]);
            CHECK_NEAR(crm_safe_length(a) / wanted, 1.0, 2.0 * DBL_EPSILON);
            CHECK_NEAR(crm_normalise(a, &unit) / wanted, 1.0, 2.0 * DBL_EPSILON);
            CHECK_NEAR(crm_length(unit), 1.0, rounding);
            double lift = wanted < 1e-200 ? 1e100 : 1.0; // hypot itself rounds a subnormal result
            CHECK_NEAR(unit.z, lift * sizes[j] / hypot(lift * sizes[i], lift * sizes[j]), rounding);
        }
}

TEST(a_vector_without_direction_is_reported) {
    const carom_vec3 bad[] = {{0.0, 0.0, 0.0},      {-0.0, 0.0, -0.0},       {NAN, 0.0, 1.0},
                              {1.0, INFINITY, 0.0}, {1.0, 0.0, -INFINITY},   {INFINITY, NAN, 0.0},
                              {1e300, NAN, 1e300},  {INFINITY, 1e300, 1e300}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        carom_vec3 unit = crm_vec3(5.0, 5.0, 5.0);
        CHECK_NEAR(crm_normalise(bad[i], &unit), 0.0, 0.0);
        CHECK_NEAR(crm_length(unit), 0.0, 0.0);
    }
    carom_vec3 unit, longest = crm_vec3(DBL_MAX, DBL_MAX, DBL_MAX);
    CHECK(isinf(crm_normalise(longest, &unit)));
    CHECK_NEAR(unit.x, sqrt(1.0 / 3.0), rounding);
    CHECK_NEAR(crm_safe_length(crm_vec3_zero()), 0.0, 0.0);
    CHECK(isnan(crm_safe_length(crm_vec3(NAN, 1.0, 1.0))));
    CHECK(isinf(crm_safe_length(crm_vec3(-INFINITY, 1.0, 1.0))));
}

static double frame_error(carom_vec3 n) {
    carom_vec3 t1, t2;
    crm_tangents(n, &t1, &t2);
    double error = fmax(fabs(crm_length(t1) - 1.0), fabs(crm_length(t2) - 1.0));
    error = fmax(error, fmax(fabs(crm_dot(t1, n)), fabs(crm_dot(t2, n))));
    error = fmax(error, fmax(fabs(crm_dot(t1, t2)), vec3_gap(crm_cross(t1, t2), n)));
    return fmax(error, vec3_gap(t1, crm_any_normal(n)));
}

// The worst case is at the jump, where one division magnifies the rounding of n by 4: 2e-15 covers it.
TEST(tangents_complete_a_right_handed_frame) {
    sampler s = {.seed = 3};
    double worst = 0.0;
    for (int i = 0; i < 10 * CASES; i++) worst = fmax(worst, frame_error(sample_unit(&s)));
    for (int i = 0; i < 10 * CASES; i++) { // on both sides of the jump
        double z = -0.75 + sample_between(&s, -1e-3, 1e-3), rotation = sample_between(&s, 0.0, 6.3),
               r = sqrt(1.0 - z * z);
        worst = fmax(worst, frame_error(crm_vec3(r * cos(rotation), r * sin(rotation), z)));
    }
    CHECK_NEAR(worst, 0.0, 2e-15);
    for (int i = 0; i < 3; i++)
        for (int sign = -1; sign <= 1; sign += 2)
            CHECK_NEAR(frame_error(crm_with_component(crm_vec3_zero(), i, sign)), 0.0, 0.0);
    CHECK_NEAR(vec3_gap(crm_any_normal(crm_vec3(0, 0, 1)), crm_vec3(1, 0, 0)), 0.0, 0.0);
    print_message("worst frame error %.2g\n", worst);
}

// Across n.z = 0 and every other plane of axis-aligned scenes the tangents move as little as the normal.
TEST(tangents_do_not_jump_at_walls_and_floors) {
    sampler s = {.seed = 4};
    const double shift = 1e-9;
    for (int i = 0; i < CASES; i++) {
        carom_vec3 n = crm_with_component(sample_unit(&s), i % 3, 0.0), m;
        crm_normalise(n, &n);
        if (fabs(n.z + 0.75) < 1e-6) continue;
        crm_normalise(crm_madd(n, shift, sample_vec3(&s, 1.0)), &m);
        CHECK_NEAR(vec3_gap(crm_any_normal(n), crm_any_normal(m)), 0.0, 20.0 * shift);
    }
}

TEST_MAIN(CASE(algebra_follows_its_laws), CASE(components_are_reached_by_index),
          CASE(safe_length_and_normalise_do_not_depend_on_size),
          CASE(safe_length_takes_components_of_very_different_size), CASE(a_vector_without_direction_is_reported),
          CASE(tangents_complete_a_right_handed_frame), CASE(tangents_do_not_jump_at_walls_and_floors))
