// SPDX-License-Identifier: MIT
#include "math/quat.h"

#include <float.h>

#include "math/so3.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/harness/small_compare.h"

enum { CASES = 20000 };

static const double pi = 3.14159265358979323846;

// A few roundings of sums of products of size 1.
static const double rounding = 16.0 * DBL_EPSILON;

TEST(unit_quaternions_are_a_group_that_acts_on_vectors) {
    sampler s = {.seed = 1};
    for (int i = 0; i < CASES; i++) {
        carom_quat p = sample_attitude(&s), q = sample_attitude(&s), r = sample_attitude(&s);
        carom_vec3 v = sample_vec3(&s, 1.0), w = sample_vec3(&s, 1.0);
        carom_quat pq = crm_quat_mul(p, q);
        CHECK_NEAR(quat_gap(crm_quat_mul(pq, r), crm_quat_mul(p, crm_quat_mul(q, r))), 0.0, rounding);
        CHECK_NEAR(quat_gap(crm_quat_mul(p, crm_quat_conjugate(p)), crm_quat_identity()), 0.0, rounding);
        CHECK_NEAR(quat_gap(crm_quat_mul(crm_quat_identity(), p), p), 0.0, 0.0);
        CHECK_NEAR(quat_gap(crm_quat_conjugate(pq), crm_quat_mul(crm_quat_conjugate(q), crm_quat_conjugate(p))), 0.0,
                   rounding);
        CHECK_NEAR(vec3_gap(crm_quat_rotate(pq, v), crm_quat_rotate(p, crm_quat_rotate(q, v))), 0.0, rounding);
        CHECK_NEAR(vec3_gap(crm_quat_rotate_inverse(p, crm_quat_rotate(p, v)), v), 0.0, rounding);
        CHECK_NEAR(crm_dot(crm_quat_rotate(p, v), crm_quat_rotate(p, w)), crm_dot(v, w), rounding);
        CHECK_NEAR(
            vec3_gap(crm_quat_rotate(p, crm_cross(v, w)), crm_cross(crm_quat_rotate(p, v), crm_quat_rotate(p, w))), 0.0,
            rounding);
        CHECK_NEAR(vec3_gap(crm_quat_rotate(crm_quat_negate(p), v), crm_quat_rotate(p, v)), 0.0, 0.0);
        // q v q* written out
        carom_quat rotated = crm_quat_mul(crm_quat_mul(p, (carom_quat){0.0, v.x, v.y, v.z}), crm_quat_conjugate(p));
        CHECK_NEAR(vec3_gap(crm_quat_vector(rotated), crm_quat_rotate(p, v)), 0.0, rounding);
        CHECK_NEAR(crm_quat_dot(p, p), 1.0, rounding);
        CHECK(crm_quat_dot(crm_quat_same_side(p, q), q) >= 0.0);
        CHECK_NEAR(attitude_gap(crm_quat_same_side(p, q), p), 0.0, 0.0);
    }
}

TEST(normalise_takes_every_size) {
    sampler s = {.seed = 2};
    for (int exponent = -1000; exponent <= 1020; exponent += 20)
        for (int i = 0; i < 50; i++) {
            carom_quat q = sample_attitude(&s), unit;
            double k = ldexp(1.0, exponent);
            CHECK(crm_quat_normalise((carom_quat){k * q.w, k * q.x, k * q.y, k * q.z}, &unit));
            CHECK_NEAR(quat_gap(unit, q), 0.0, 2.0 * DBL_EPSILON);
        }
    const carom_quat bad[] = {{0, 0, 0, 0}, {NAN, 0, 0, 1}, {1, INFINITY, 0, 0}, {0, 0, 0, -INFINITY}, {1, 0, NAN, 0}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        carom_quat unit;
        CHECK(!crm_quat_normalise(bad[i], &unit));
        CHECK_NEAR(quat_gap(unit, crm_quat_identity()), 0.0, 0.0);
    }
    CHECK(isnan(crm_quat_normalised((carom_quat){NAN, 0, 0, 1}).w));
    CHECK_NEAR(crm_quat_normalised((carom_quat){0, 0, -3, 0}).y, -1.0, 0.0);
}

// Right-handed: a rotation by pi/2 about z takes x to y.
TEST(axis_and_angle_are_right_handed) {
    carom_quat q = crm_quat_from_axis_angle(crm_vec3(0, 0, 1), 0.5 * pi);
    CHECK_NEAR(vec3_gap(crm_quat_rotate(q, crm_vec3(1, 0, 0)), crm_vec3(0, 1, 0)), 0.0, rounding);
    carom_mat3 r = crm_quat_to_mat3(q);
    CHECK_NEAR(vec3_gap(r.x, crm_vec3(0, 1, 0)), 0.0, rounding);
    sampler s = {.seed = 3};
    for (int i = 0; i < CASES; i++) {
        carom_vec3 axis = sample_unit(&s), v = sample_vec3(&s, 1.0);
        double angle = sample_between(&s, -7.0, 7.0);
        q = crm_quat_from_axis_angle(axis, angle);
        // Rodrigues
        carom_vec3 wanted = crm_add(crm_scale(cos(angle), v), crm_scale(sin(angle), crm_cross(axis, v)));
        wanted = crm_madd(wanted, (1.0 - cos(angle)) * crm_dot(axis, v), axis);
        CHECK_NEAR(vec3_gap(crm_quat_rotate(q, v), wanted), 0.0, rounding);
        CHECK_NEAR(vec3_gap(crm_mat3_apply(crm_quat_to_mat3(q), v), wanted), 0.0, rounding);
    }
}

// Every branch, and the neighbourhood of 180 degrees where w is lost by formulas that divide by it.
TEST(matrices_go_back_and_forth_at_every_angle) {
    sampler s = {.seed = 4};
    double worst = 0.0;
    for (int i = 0; i < 10 * CASES; i++) {
        carom_quat q = sample_attitude(&s);
        if (i % 3 == 1) q = crm_quat_from_axis_angle(sample_unit(&s), pi - pow(10.0, -sample_between(&s, 0.0, 17.0)));
        if (i % 3 == 2) q = crm_quat_from_axis_angle(sample_unit(&s), pow(10.0, -sample_between(&s, 0.0, 17.0)));
        carom_mat3 r = crm_quat_to_mat3(q);
        CHECK(is_rotation(r, rounding));
        carom_quat back = crm_quat_from_mat3(r);
        CHECK(back.w >= 0.0);
        worst = fmax(worst, attitude_gap(back, q));
    }
    CHECK_NEAR(worst, 0.0, 1e-15);
    print_message("worst round trip %.2g\n", worst);
    // exact rotations by pi about all coordinate axes and diagonals
    for (int x = -1; x <= 1; x++)
        for (int y = -1; y <= 1; y++)
            for (int z = -1; z <= 1; z++) {
                carom_vec3 axis;
                if (crm_normalise(crm_vec3(x, y, z), &axis) == 0.0) continue;
                carom_quat half = {0.0, axis.x, axis.y, axis.z};
                CHECK_NEAR(attitude_gap(crm_quat_from_mat3(crm_quat_to_mat3(half)), half), 0.0, rounding);
            }
    CHECK_NEAR(quat_gap(crm_quat_from_mat3(crm_mat3_identity()), crm_quat_identity()), 0.0, 0.0);
    CHECK(isnan(crm_quat_from_mat3(crm_mat3_scale(NAN, crm_mat3_identity())).w));
}

TEST(between_takes_one_direction_to_the_other_by_the_shortest_rotation) {
    sampler s = {.seed = 5};
    double worst = 0.0, worst_angle = 0.0;
    for (int i = 0; i < 10 * CASES; i++) {
        carom_vec3 a = sample_unit(&s), b = sample_unit(&s);
        double angle = sample_between(&s, 0.0, pi);
        if (i % 3 == 1) angle = pow(10.0, -sample_between(&s, 0.0, 18.0));
        if (i % 3 == 2) angle = pi - pow(10.0, -sample_between(&s, 0.0, 18.0));
        (void)crm_normalise(crm_add(crm_scale(cos(angle), a), crm_scale(sin(angle), crm_any_normal(a))), &b);
        carom_quat q = crm_quat_between(a, b);
        worst = fmax(worst, vec3_gap(crm_quat_rotate(q, a), b));
        worst_angle = fmax(worst_angle, fabs(crm_quat_angle(q, crm_quat_identity()) - angle));
        CHECK_NEAR(crm_quat_dot(q, q), 1.0, rounding);
        CHECK(q.w >= 0.0);
        CHECK_NEAR(vec3_gap(crm_quat_rotate(crm_quat_between(a, crm_negate(a)), a), crm_negate(a)), 0.0, rounding);
        CHECK_NEAR(quat_gap(crm_quat_between(a, a), crm_quat_identity()), 0.0, 0.0);
    }
    CHECK_NEAR(worst, 0.0, 2e-15);
    CHECK_NEAR(worst_angle, 0.0, 2e-15);
    print_message("worst direction %.2g, worst angle %.2g\n", worst, worst_angle);
}

TEST(angle_between_attitudes_is_the_angle_of_the_rotation) {
    sampler s = {.seed = 6};
    for (int i = 0; i < CASES; i++) {
        carom_quat p = sample_attitude(&s);
        double angle = i % 2 ? sample_between(&s, 0.0, pi) : pow(10.0, -sample_between(&s, 0.0, 15.0));
        carom_quat q = crm_quat_mul(crm_quat_from_axis_angle(sample_unit(&s), angle), p);
        CHECK_NEAR(crm_quat_angle(p, q), angle, rounding);
        CHECK_NEAR(crm_quat_angle(q, crm_quat_negate(p)), angle, rounding);
    }
    double tiny = 1e-200;
    CHECK_NEAR(crm_quat_angle(crm_quat_identity(), (carom_quat){1.0, 0.5 * tiny, 0, 0}) / tiny, 1.0, rounding);
}

// For constant w one step of dt is as good as many: the rotation is exact. And q_dot = 1/2 (0, w) q.
TEST(step_is_exact_for_constant_spin) {
    sampler s = {.seed = 8};
    for (int i = 0; i < 500; i++) {
        carom_quat q = sample_attitude(&s), many = q;
        carom_vec3 w = sample_vec3(&s, 10.0);
        double dt = sample_between(&s, 0.0, 1.0);
        carom_quat once = crm_quat_step(q, w, dt);
        for (int k = 0; k < 100; k++) many = crm_quat_step(many, w, dt / 100);
        CHECK_NEAR(quat_gap(once, many), 0.0, 100.0 * DBL_EPSILON); // one rounding a step
        CHECK_NEAR(crm_quat_dot(many, many), 1.0, 4.0 * DBL_EPSILON);
        CHECK_NEAR(quat_gap(crm_quat_step(once, w, -dt), q), 0.0, rounding);

        double h = 1e-5; // central difference: error (h |w|)^2 |w|/24 and 1e-16/h
        carom_quat ahead = crm_quat_step(q, w, h), behind = crm_quat_step(q, w, -h);
        carom_quat rate = crm_quat_mul((carom_quat){0.0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z}, q);
        carom_quat slope = {(ahead.w - behind.w) / (2 * h), (ahead.x - behind.x) / (2 * h),
                            (ahead.y - behind.y) / (2 * h), (ahead.z - behind.z) / (2 * h)};
        CHECK_NEAR(quat_gap(slope, rate), 0.0, 1e-7);
        // the world's w stays where it is, the body's axis rotates about it
        CHECK_NEAR(crm_dot(w, crm_quat_rotate(once, crm_vec3(1, 0, 0))),
                   crm_dot(w, crm_quat_rotate(q, crm_vec3(1, 0, 0))), 10.0 * rounding);
    }
    CHECK_NEAR(quat_gap(crm_quat_step(crm_quat_identity(), crm_vec3_zero(), 1.0), crm_quat_identity()), 0.0, 0.0);
    CHECK(isnan(crm_quat_step(crm_quat_identity(), crm_vec3(NAN, 0, 0), 1.0).w));
}

// Step after step, with rotations on both sides of where the series ends; the length stays.
TEST(short_step_is_the_same_to_rounding) {
    sampler s = {.seed = 9};
    carom_quat along = sample_attitude(&s);
    for (int i = 0; i < 20000; i++) {
        carom_vec3 w = crm_scale(pow(10.0, sample_between(&s, -12.0, 0.5)), sample_unit(&s));
        carom_quat exact = crm_quat_step(along, w, 0.5);
        along = crm_quat_short_step(along, w, 0.5);
        CHECK_NEAR(quat_gap(along, exact), 0.0, rounding);
        CHECK_NEAR(crm_quat_dot(along, along), 1.0, 4.0 * DBL_EPSILON);
    }
    CHECK(isnan(crm_quat_short_step(along, crm_vec3(NAN, 0, 0), 1.0).w));
}

TEST_MAIN(CASE(unit_quaternions_are_a_group_that_acts_on_vectors), CASE(normalise_takes_every_size),
          CASE(axis_and_angle_are_right_handed), CASE(matrices_go_back_and_forth_at_every_angle),
          CASE(between_takes_one_direction_to_the_other_by_the_shortest_rotation),
          CASE(angle_between_attitudes_is_the_angle_of_the_rotation), CASE(step_is_exact_for_constant_spin),
          CASE(short_step_is_the_same_to_rounding))
