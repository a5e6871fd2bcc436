// SPDX-License-Identifier: MIT
#include "math/spatial.h"

#include <float.h>

#include "math/quat.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/harness/small_compare.h"

enum { CASES = 20000 };

// A few roundings of sums of products of size 1 to 10.
static const double rounding = 100.0 * DBL_EPSILON;

static crm_vec6 sample_vec6(sampler *s) {
    carom_vec3 linear = sample_vec3(s, 1.0);
    return crm_vec6_of(linear, sample_vec3(s, 1.0));
}

static crm_transform sample_transform(sampler *s) {
    carom_mat3 rotation = crm_quat_to_mat3(sample_attitude(s));
    return (crm_transform){rotation, sample_vec3(s, 1.0)};
}

// Of a body with any three half-sizes: positive definite, and possible.
static crm_inertia sample_inertia(sampler *s) {
    double mass = sample_between(s, 0.1, 2.0), a = sample_between(s, 0.1, 1.0), b = sample_between(s, 0.1, 1.0);
    double c = sample_between(s, 0.1, 1.0);
    carom_vec3 moments = crm_scale(mass / 5.0, crm_vec3(b * b + c * c, a * a + c * c, a * a + b * b));
    carom_mat3 r = crm_quat_to_mat3(sample_attitude(s));
    return (crm_inertia){mass, sample_vec3(s, 1.0), crm_congruence_diagonal(r, moments)};
}

static carom_mat3 sample_matrix(sampler *s) {
    carom_vec3 x = sample_vec3(s, 1.0), y = sample_vec3(s, 1.0);
    return crm_mat3_columns(x, y, sample_vec3(s, 1.0));
}

static double vec6_gap(crm_vec6 a, crm_vec6 b) {
    return vec3_gap(a.linear, b.linear) + vec3_gap(a.angular, b.angular);
}

TEST(vectors_add_and_scale) {
    sampler s = {.seed = 1};
    for (int i = 0; i < CASES; i++) {
        crm_vec6 a = sample_vec6(&s), b = sample_vec6(&s), c = sample_vec6(&s);
        double k = sample_between(&s, -2.0, 2.0);
        CHECK_NEAR(vec6_gap(crm_vec6_sub(crm_vec6_add(a, b), b), a), 0.0, rounding);
        CHECK_NEAR(vec6_gap(crm_vec6_madd(a, k, b), crm_vec6_add(a, crm_vec6_scale(k, b))), 0.0, 0.0);
        CHECK_NEAR(vec6_gap(crm_vec6_add(a, crm_vec6_negate(a)), crm_vec6_zero()), 0.0, 0.0);
        CHECK_NEAR(crm_vec6_dot(crm_vec6_madd(a, k, b), c), crm_vec6_dot(a, c) + k * crm_vec6_dot(b, c), rounding);
    }
}

// A contact row J = [n, r x n] of one body is the force n at r seen from the centre, and J u the normal velocity there.
TEST(shifting_the_reference_point_keeps_power) {
    sampler s = {.seed = 2};
    for (int i = 0; i < CASES; i++) {
        crm_vec6 motion = sample_vec6(&s), force = sample_vec6(&s);
        carom_vec3 r = sample_vec3(&s, 1.0), t = sample_vec3(&s, 1.0), n = sample_unit(&s);
        crm_vec6 moved = crm_motion_shift(motion, r), moved_force = crm_force_shift(force, r);
        CHECK_NEAR(crm_vec6_dot(moved_force, moved), crm_vec6_dot(force, motion), rounding);
        CHECK_NEAR(vec3_gap(moved.linear, crm_add(motion.linear, crm_cross(motion.angular, r))), 0.0, 0.0);
        CHECK_NEAR(vec6_gap(crm_motion_shift(moved, t), crm_motion_shift(motion, crm_add(r, t))), 0.0, rounding);
        CHECK_NEAR(vec6_gap(crm_force_shift(moved_force, crm_negate(r)), force), 0.0, rounding);
        crm_vec6 row = crm_force_shift(crm_vec6_of(n, crm_vec3_zero()), crm_negate(r));
        CHECK_NEAR(vec6_gap(row, crm_vec6_of(n, crm_cross(r, n))), 0.0, 0.0);
        CHECK_NEAR(crm_vec6_dot(row, motion), crm_dot(n, moved.linear), rounding);
    }
}

TEST(transforms_move_points_forth_and_back) {
    sampler s = {.seed = 3};
    for (int i = 0; i < CASES; i++) {
        crm_transform x = sample_transform(&s);
        carom_vec3 p = sample_vec3(&s, 1.0), q = crm_transform_point(&x, p);
        CHECK_NEAR(vec3_gap(q, crm_add(x.offset, crm_mat3_apply(x.rotation, p))), 0.0, 0.0);
        CHECK_NEAR(vec3_gap(crm_transform_point_inverse(&x, q), p), 0.0, rounding);
    }
}

TEST(matrices_are_their_blocks) {
    sampler s = {.seed = 6};
    for (int i = 0; i < CASES / 10; i++) {
        crm_mat6_blocks b = {sample_matrix(&s), sample_matrix(&s), sample_matrix(&s), sample_matrix(&s)};
        crm_mat6 a = crm_mat6_from_blocks(&b), zero = crm_mat6_zero();
        crm_vec6 v = sample_vec6(&s), product = crm_mat6_apply(&a, v);
        carom_vec3 linear =
            crm_add(crm_mat3_apply(b.linear_linear, v.linear), crm_mat3_apply(b.linear_angular, v.angular));
        carom_vec3 angular =
            crm_add(crm_mat3_apply(b.angular_linear, v.linear), crm_mat3_apply(b.angular_angular, v.angular));
        CHECK_NEAR(vec6_gap(product, crm_vec6_of(linear, angular)), 0.0, rounding);
        CHECK_NEAR(vec6_gap(crm_mat6_apply(&zero, v), crm_vec6_zero()), 0.0, 0.0);
        CHECK_NEAR(b.angular_linear.y.z, a.e[5 + 6 * 1], 0.0);
        CHECK_NEAR(b.linear_angular.y.z, a.e[2 + 6 * 4], 0.0);
    }
}

// Momentum of the body in this motion, about the same point: p = m (v + w x c), L = I w + c x p.
static crm_vec6 momentum_of(const crm_inertia *body, crm_vec6 motion) {
    carom_vec3 p = crm_scale(body->mass, crm_motion_shift(motion, body->centre).linear);
    return crm_vec6_of(p, crm_add(crm_mat3_apply(body->inertia, motion.angular), crm_cross(body->centre, p)));
}

TEST(inertia_is_the_same_body_from_everywhere) {
    sampler s = {.seed = 8};
    for (int i = 0; i < CASES / 4; i++) {
        crm_inertia body = sample_inertia(&s);
        crm_vec6 motion = sample_vec6(&s), momentum = momentum_of(&body, motion);
        crm_mat6 matrix = crm_inertia_to_mat6(&body);
        CHECK_NEAR(vec6_gap(crm_mat6_apply(&matrix, motion), momentum), 0.0, rounding);
        for (int j = 0; j < 6; j++)
            for (int k = 0; k < j; k++) CHECK_NEAR(matrix.e[j + 6 * k], matrix.e[k + 6 * j], 0.0);

        // Motion and momentum about the parent's origin in its axes.
        crm_transform x = sample_transform(&s);
        crm_inertia moved = crm_inertia_transform(&x, &body);
        crm_vec6 rotated = {crm_mat3_apply(x.rotation, motion.linear), crm_mat3_apply(x.rotation, motion.angular)};
        crm_vec6 along = {crm_mat3_apply(x.rotation, momentum.linear), crm_mat3_apply(x.rotation, momentum.angular)};
        carom_vec3 back = crm_negate(x.offset);
        CHECK_NEAR(vec6_gap(momentum_of(&moved, crm_motion_shift(rotated, back)), crm_force_shift(along, back)), 0.0,
                   rounding);
    }
}

TEST(sum_of_inertias_is_the_sum_of_their_matrices) {
    sampler s = {.seed = 9};
    for (int i = 0; i < CASES / 4; i++) {
        crm_inertia a = sample_inertia(&s), b = sample_inertia(&s), sum = crm_inertia_sum(&a, &b);
        crm_mat6 left = crm_inertia_to_mat6(&a), right = crm_inertia_to_mat6(&b), got = crm_inertia_to_mat6(&sum);
        for (int j = 0; j < 36; j++) CHECK_NEAR(got.e[j], left.e[j] + right.e[j], rounding);
        CHECK_NEAR(mat3_gap(sum.inertia, crm_mat3_transpose(sum.inertia)), 0.0, 0.0);

        // far from the reference point the inertia about the common centre keeps all the digits the centres have
        carom_vec3 far = crm_vec3(1e6, -2e6, 1e6);
        crm_inertia far_a = a, far_b = b;
        far_a.centre = crm_sub(a.centre, far);
        far_b.centre = crm_sub(b.centre, far);
        crm_inertia far_sum = crm_inertia_sum(&far_a, &far_b);
        CHECK_NEAR(mat3_gap(far_sum.inertia, sum.inertia), 0.0, 1e-8);
    }
    crm_inertia nothing = {0.0, {1, 2, 3}, crm_mat3_zero()}, body = sample_inertia(&s);
    crm_inertia same = crm_inertia_sum(&nothing, &body), none = crm_inertia_sum(&nothing, &nothing);
    CHECK_NEAR(vec3_gap(same.centre, body.centre) + mat3_gap(same.inertia, body.inertia), 0.0, rounding);
    CHECK_NEAR(none.mass, 0.0, 0.0);
    CHECK(crm_vec3_finite(none.centre));
}

TEST_MAIN(CASE(vectors_add_and_scale), CASE(shifting_the_reference_point_keeps_power),
          CASE(transforms_move_points_forth_and_back), CASE(matrices_are_their_blocks),
          CASE(inertia_is_the_same_body_from_everywhere), CASE(sum_of_inertias_is_the_sum_of_their_matrices))
