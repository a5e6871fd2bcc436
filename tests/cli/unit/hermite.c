// SPDX-License-Identifier: MIT
// Motions that are known in closed form, seen between the times at which they are given.
#include "study/hermite.h"

#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"

typedef carom_body_state motion(double t);

// A body on a helix that wobbles about an axis of its own: all derivatives are there.
static carom_body_state helix(double t) {
    carom_body_state s = {.position = {cos(2.0 * t), sin(2.0 * t), 0.3 * t + 0.1 * sin(3.0 * t)},
                          .velocity = {-2.0 * sin(2.0 * t), 2.0 * cos(2.0 * t), 0.3 + 0.3 * cos(3.0 * t)}};
    // q = exp(a t z) exp(b sin(c t) x): the spin is a z + b c cos(c t) R x.
    const double a = 1.5, b = 0.7, c = 2.0;
    carom_quat about_z = crm_quat_from_axis_angle(crm_vec3(0, 0, 1), a * t);
    s.attitude = crm_quat_mul(about_z, crm_quat_from_axis_angle(crm_vec3(1, 0, 0), b * sin(c * t)));
    s.spin = crm_madd(crm_vec3(0, 0, a), b * c * cos(c * t), crm_quat_rotate(about_z, crm_vec3(1, 0, 0)));
    return s;
}

// Thrown, and spinning fast about a fixed axis.
static carom_body_state thrown(double t) {
    const double rate = 250.0;
    carom_vec3 axis = {0.6, 0.0, 0.8};
    return (carom_body_state){.position = {1.0 + 3.0 * t, -2.0 * t, 5.0 * t - 4.905 * t * t},
                              .velocity = {3.0, -2.0, 5.0 - 9.81 * t},
                              .attitude = crm_quat_from_axis_angle(axis, rate * t),
                              .spin = crm_scale(rate, axis)};
}

typedef struct errors {
    double pose, rate;
} errors;

static errors errors_between(motion *of, int count, double t, double h, double share) {
    carom_body_state nodes[MOST_NODES];
    const carom_body_state *list[MOST_NODES];
    for (int k = 0; k < count; k++) {
        nodes[k] = of(t + h * (k - count + 1));
        list[k] = &nodes[k];
    }
    carom_body_state got = body_between(count, list, h, share), wanted = of(t - h + share * h);
    carom_quat off = crm_quat_mul(crm_quat_conjugate(got.attitude), wanted.attitude);
    double angle = 2.0 * sqrt(off.x * off.x + off.y * off.y + off.z * off.z);
    return (errors){fmax(crm_distance(got.position, wanted.position), angle),
                    fmax(crm_distance(got.velocity, wanted.velocity), crm_distance(got.spin, wanted.spin))};
}

static errors worst_between(motion *of, int count, double h) {
    errors worst = {0.0, 0.0};
    for (int i = 0; i < 20; i++)
        for (int k = 1; k < 10; k++) {
            errors e = errors_between(of, count, 1.0 + 0.1 * i, h, 0.1 * k);
            worst.pose = fmax(worst.pose, e.pose);
            worst.rate = fmax(worst.rate, e.rate);
        }
    return worst;
}

static void check_orders(int count, double rate_order) {
    errors coarse = worst_between(helix, count, 0.04), fine = worst_between(helix, count, 0.02);
    CHECK_NEAR(log2(coarse.pose / fine.pose), 4.0, 0.1);
    CHECK_NEAR(log2(coarse.rate / fine.rate), rate_order, 0.15);
}

TEST(smooth_motions_are_met_at_their_orders) {
    check_orders(2, 3.0);
    check_orders(3, 3.0);
    check_orders(4, 4.0);
}

// Uniform acceleration and a uniform spin are met exactly, also at more than half a rotation a step.
TEST(throws_and_uniform_spins_are_exact) {
    for (int count = 2; count <= MOST_NODES; count++) {
        errors e = worst_between(thrown, count, 0.02); // 5 rad
        CHECK_NEAR(e.pose, 0.0, 1e-12);
        CHECK_NEAR(e.rate, 0.0, 1e-10);
    }
}

TEST(what_rests_stays_to_the_bit) {
    sampler s = {.seed = 88};
    for (int i = 0; i < 20; i++) {
        carom_body_state still = {.position = sample_vec3(&s, 3.0), .attitude = {0.5, 0.5, -0.5, 0.5}};
        const carom_body_state *list[MOST_NODES] = {&still, &still, &still, &still};
        for (int count = 2; count <= MOST_NODES; count++) {
            carom_body_state got = body_between(count, list, 0.01, 0.3);
            CHECK(memcmp(&got.position, &still.position, sizeof got.position) == 0);
            CHECK(got.attitude.w == 0.5 && got.attitude.y == -0.5);
            CHECK(crm_length(got.velocity) == 0.0 && crm_length(got.spin) == 0.0);
        }
    }
}

// The times themselves, and a cubic through four numbers.
TEST(ends_and_cubics_are_met) {
    errors begin = errors_between(helix, 4, 1.0, 0.1, 0.0), end = errors_between(helix, 4, 1.0, 0.1, 1.0);
    CHECK_NEAR(fmax(fmax(begin.pose, begin.rate), fmax(end.pose, end.rate)), 0.0, 1e-14);
    const double cubes[] = {-8.0, -1.0, 0.0, 1.0}; // at -2, -1, 0, 1
    for (int k = 0; k <= 10; k++) CHECK_NEAR(number_between(4, cubes, 0.1 * k), pow(0.1 * k, 3.0), 1e-15);
}

TEST_MAIN(CASE(smooth_motions_are_met_at_their_orders), CASE(throws_and_uniform_spins_are_exact),
          CASE(what_rests_stays_to_the_bit), CASE(ends_and_cubics_are_met))
