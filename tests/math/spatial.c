// SPDX-License-Identifier: MIT
#include "math/spatial.h"

#include <float.h>

#include "math/so3.h"
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

static crm_mat6 sample_mat6(sampler *s) {
    crm_mat6 a;
    for (int i = 0; i < 36; i++) a.e[i] = sample_between(s, -1.0, 1.0);
    return a;
}

static double vec6_gap(crm_vec6 a, crm_vec6 b) {
    return vec3_gap(a.linear, b.linear) + vec3_gap(a.angular, b.angular);
}

static double mat6_gap(crm_mat6 a, crm_mat6 b) {
    double square = 0.0;
    for (int i = 0; i < 36; i++) square += (a.e[i] - b.e[i]) * (a.e[i] - b.e[i]);
    return sqrt(square);
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

TEST(transforms_are_a_group_and_keep_power) {
    sampler s = {.seed = 3};
    for (int i = 0; i < CASES; i++) {
        crm_transform x = sample_transform(&s), y = sample_transform(&s), xy = crm_transform_compose(&x, &y);
        crm_transform inverse = crm_transform_inverse(&x), one = crm_transform_identity();
        crm_vec6 motion = sample_vec6(&s), force = sample_vec6(&s);
        carom_vec3 p = sample_vec3(&s, 1.0);
        crm_vec6 m = crm_transform_motion(&x, motion), f = crm_transform_force(&x, force);
        CHECK_NEAR(crm_vec6_dot(f, m), crm_vec6_dot(force, motion), rounding);
        CHECK_NEAR(vec6_gap(crm_transform_motion_inverse(&x, m), motion), 0.0, rounding);
        CHECK_NEAR(vec6_gap(crm_transform_force_inverse(&x, f), force), 0.0, rounding);
        CHECK_NEAR(vec6_gap(crm_transform_motion(&inverse, m), motion), 0.0, rounding);
        CHECK_NEAR(vec6_gap(crm_transform_force(&inverse, f), force), 0.0, rounding);
        crm_vec6 chained = crm_transform_motion(&x, crm_transform_motion(&y, motion));
        CHECK_NEAR(vec6_gap(crm_transform_motion(&xy, motion), chained), 0.0, rounding);
        chained = crm_transform_force(&x, crm_transform_force(&y, force));
        CHECK_NEAR(vec6_gap(crm_transform_force(&xy, force), chained), 0.0, rounding);
        CHECK_NEAR(vec6_gap(crm_transform_motion(&one, motion), motion), 0.0, 0.0);
        // the duals carry over the adjoint: (X f).m = f.(X^-1 m)
        CHECK_NEAR(crm_vec6_dot(f, motion), crm_vec6_dot(force, crm_transform_motion_inverse(&x, motion)), rounding);
        carom_vec3 q = crm_transform_point(&xy, p);
        CHECK_NEAR(vec3_gap(q, crm_transform_point(&x, crm_transform_point(&y, p))), 0.0, rounding);
        CHECK_NEAR(vec3_gap(crm_transform_point_inverse(&xy, q), p), 0.0, rounding);
        CHECK_NEAR(vec3_gap(crm_transform_point(&inverse, crm_transform_point(&x, p)), p), 0.0, rounding);
        // a motion moves points: velocity of p is v + w x p in both frames
        carom_vec3 velocity = crm_motion_shift(motion, p).linear;
        carom_vec3 seen = crm_motion_shift(m, crm_transform_point(&x, p)).linear;
        CHECK_NEAR(vec3_gap(crm_mat3_apply(x.rotation, velocity), seen), 0.0, rounding);
    }
}

TEST(cross_products_are_a_lie_algebra_and_its_dual) {
    sampler s = {.seed = 4};
    for (int i = 0; i < CASES; i++) {
        crm_vec6 a = sample_vec6(&s), b = sample_vec6(&s), c = sample_vec6(&s), f = sample_vec6(&s);
        crm_transform x = sample_transform(&s);
        CHECK_NEAR(vec6_gap(crm_motion_cross(a, b), crm_vec6_negate(crm_motion_cross(b, a))), 0.0, rounding);
        crm_vec6 jacobi =
            crm_vec6_add(crm_motion_cross(a, crm_motion_cross(b, c)), crm_motion_cross(b, crm_motion_cross(c, a)));
        CHECK_NEAR(vec6_gap(jacobi, crm_motion_cross(crm_motion_cross(a, b), c)), 0.0, rounding);
        CHECK_NEAR(crm_vec6_dot(f, crm_motion_cross(a, b)), -crm_vec6_dot(crm_force_cross(a, f), b), rounding);
        // X(a x b) = Xa x Xb, and the same for forces
        crm_vec6 xa = crm_transform_motion(&x, a);
        CHECK_NEAR(vec6_gap(crm_transform_motion(&x, crm_motion_cross(a, b)),
                            crm_motion_cross(xa, crm_transform_motion(&x, b))),
                   0.0, rounding);
        CHECK_NEAR(
            vec6_gap(crm_transform_force(&x, crm_force_cross(a, f)), crm_force_cross(xa, crm_transform_force(&x, f))),
            0.0, rounding);
    }
}

// The frame that starts as the identity and moves with the constant motion a = (v, w) has, to second order in h, the
// pose (exp(h w), h v + h^2/2 w x v); what it carries along changes at the rate a x b. Central difference: 1e-10 +
// 1e-11.
TEST(cross_products_are_rates_of_change) {
    sampler s = {.seed = 5};
    const double h = 1e-5;
    for (int i = 0; i < 1000; i++) {
        crm_vec6 a = sample_vec6(&s), b = sample_vec6(&s);
        carom_vec3 bend = crm_scale(0.5 * h * h, crm_cross(a.angular, a.linear));
        crm_transform ahead = {crm_so3_exp_mat3(crm_scale(h, a.angular)), crm_madd(bend, h, a.linear)};
        crm_transform behind = {crm_so3_exp_mat3(crm_scale(-h, a.angular)), crm_madd(bend, -h, a.linear)};
        crm_vec6 rate = crm_vec6_sub(crm_transform_motion(&ahead, b), crm_transform_motion(&behind, b));
        CHECK_NEAR(vec6_gap(crm_vec6_scale(0.5 / h, rate), crm_motion_cross(a, b)), 0.0, 1e-9);
        rate = crm_vec6_sub(crm_transform_force(&ahead, b), crm_transform_force(&behind, b));
        CHECK_NEAR(vec6_gap(crm_vec6_scale(0.5 / h, rate), crm_force_cross(a, b)), 0.0, 1e-9);
    }
}

TEST(matrices_follow_their_laws) {
    sampler s = {.seed = 6};
    for (int i = 0; i < CASES / 10; i++) {
        crm_mat6 a = sample_mat6(&s), b = sample_mat6(&s), one = crm_mat6_identity();
        crm_vec6 u = sample_vec6(&s), v = sample_vec6(&s);
        crm_mat6 ab = crm_mat6_mul(&a, &b), at = crm_mat6_transpose(&a), bt = crm_mat6_transpose(&b);
        CHECK_NEAR(vec6_gap(crm_mat6_apply(&ab, v), crm_mat6_apply(&a, crm_mat6_apply(&b, v))), 0.0, rounding);
        CHECK_NEAR(mat6_gap(crm_mat6_transpose(&ab), crm_mat6_mul(&bt, &at)), 0.0, rounding);
        CHECK_NEAR(vec6_gap(crm_mat6_apply_t(&a, v), crm_mat6_apply(&at, v)), 0.0, 0.0);
        CHECK_NEAR(crm_vec6_dot(u, crm_mat6_apply(&a, v)), crm_vec6_dot(crm_mat6_apply_t(&a, u), v), rounding);
        CHECK_NEAR(mat6_gap(crm_mat6_mul(&a, &one), a), 0.0, 0.0);
        crm_mat6 sum = crm_mat6_add(&a, &b), twice = crm_mat6_scale(2.0, &a), more = crm_mat6_add(&a, &a);
        CHECK_NEAR(mat6_gap(crm_mat6_sub(&sum, &b), a), 0.0, rounding);
        CHECK_NEAR(mat6_gap(twice, more), 0.0, 0.0);
        crm_mat6 uv = crm_mat6_outer(u, v), zero = crm_mat6_zero();
        CHECK_NEAR(vec6_gap(crm_mat6_apply(&uv, v), crm_vec6_scale(crm_vec6_dot(v, v), u)), 0.0, rounding);
        CHECK_NEAR(vec6_gap(crm_mat6_apply(&zero, v), crm_vec6_zero()), 0.0, 0.0);
        crm_mat6_blocks blocks = crm_mat6_to_blocks(&a);
        CHECK_NEAR(mat6_gap(crm_mat6_from_blocks(&blocks), a), 0.0, 0.0);
        carom_vec3 linear =
            crm_add(crm_mat3_apply(blocks.linear_linear, v.linear), crm_mat3_apply(blocks.linear_angular, v.angular));
        CHECK_NEAR(vec3_gap(crm_mat6_apply(&a, v).linear, linear), 0.0, rounding);
        CHECK_NEAR(blocks.angular_linear.y.z, a.e[5 + 6 * 1], 0.0);
        CHECK_NEAR(blocks.linear_angular.y.z, a.e[2 + 6 * 4], 0.0);
    }
}

TEST(transform_matrices_are_dual) {
    sampler s = {.seed = 7};
    for (int i = 0; i < CASES / 10; i++) {
        crm_transform x = sample_transform(&s);
        crm_vec6 v = sample_vec6(&s);
        crm_mat6 motion = crm_transform_motion_matrix(&x), force = crm_transform_force_matrix(&x);
        CHECK_NEAR(vec6_gap(crm_mat6_apply(&motion, v), crm_transform_motion(&x, v)), 0.0, rounding);
        CHECK_NEAR(vec6_gap(crm_mat6_apply(&force, v), crm_transform_force(&x, v)), 0.0, rounding);
        crm_mat6 transpose = crm_mat6_transpose(&force);
        CHECK_NEAR(mat6_gap(crm_mat6_mul(&transpose, &motion), crm_mat6_identity()), 0.0, rounding);
    }
}

static double kinetic_energy(const crm_inertia *body, crm_vec6 motion) {
    return 0.5 * crm_vec6_dot(crm_inertia_apply(body, motion), motion);
}

TEST(inertia_is_the_same_body_from_everywhere) {
    sampler s = {.seed = 8};
    for (int i = 0; i < CASES / 4; i++) {
        crm_inertia body = sample_inertia(&s);
        crm_vec6 motion = sample_vec6(&s), other = sample_vec6(&s);
        crm_vec6 momentum = crm_inertia_apply(&body, motion);
        // at the centre: m |v_c|^2/2 + w.Iw/2
        carom_vec3 v = crm_motion_shift(motion, body.centre).linear, w = motion.angular;
        CHECK_NEAR(kinetic_energy(&body, motion),
                   0.5 * (body.mass * crm_dot(v, v) + crm_dot(w, crm_mat3_apply(body.inertia, w))), rounding);
        CHECK_NEAR(vec3_gap(momentum.linear, crm_scale(body.mass, v)), 0.0, rounding);
        CHECK_NEAR(crm_vec6_dot(other, momentum), crm_vec6_dot(crm_inertia_apply(&body, other), motion), rounding);

        crm_mat6 matrix = crm_inertia_to_mat6(&body);
        CHECK_NEAR(vec6_gap(crm_mat6_apply(&matrix, motion), momentum), 0.0, rounding);
        CHECK_NEAR(mat6_gap(crm_mat6_transpose(&matrix), matrix), 0.0, 0.0);

        carom_vec3 r = sample_vec3(&s, 1.0);
        crm_inertia shifted = crm_inertia_shift(&body, r);
        CHECK_NEAR(vec6_gap(crm_inertia_apply(&shifted, crm_motion_shift(motion, r)), crm_force_shift(momentum, r)),
                   0.0, rounding);

        crm_transform x = sample_transform(&s);
        crm_inertia moved = crm_inertia_transform(&x, &body);
        CHECK_NEAR(
            vec6_gap(crm_inertia_apply(&moved, crm_transform_motion(&x, motion)), crm_transform_force(&x, momentum)),
            0.0, rounding);
        crm_inertia rotated = crm_inertia_rotate(&body, x.rotation);
        rotated = crm_inertia_shift(&rotated, crm_negate(x.offset));
        crm_mat6 one = crm_inertia_to_mat6(&moved), two = crm_inertia_to_mat6(&rotated);
        CHECK_NEAR(mat6_gap(one, two), 0.0, rounding);

        // the general transform of the matrix agrees
        crm_mat6 general = crm_mat6_transform(&x, &matrix);
        CHECK_NEAR(mat6_gap(general, one), 0.0, rounding);
    }
}

TEST(sum_of_inertias_is_the_sum_of_their_matrices) {
    sampler s = {.seed = 9};
    for (int i = 0; i < CASES / 4; i++) {
        crm_inertia a = sample_inertia(&s), b = sample_inertia(&s), sum = crm_inertia_sum(&a, &b);
        crm_mat6 left = crm_inertia_to_mat6(&a), right = crm_inertia_to_mat6(&b), got = crm_inertia_to_mat6(&sum);
        CHECK_NEAR(mat6_gap(got, crm_mat6_add(&left, &right)), 0.0, rounding);
        CHECK_NEAR(mat3_gap(sum.inertia, crm_mat3_transpose(sum.inertia)), 0.0, 0.0);

        // far from the reference point the inertia about the common centre keeps all the digits the centres have
        carom_vec3 far = crm_vec3(1e6, -2e6, 1e6);
        crm_inertia far_a = crm_inertia_shift(&a, far), far_b = crm_inertia_shift(&b, far);
        crm_inertia far_sum = crm_inertia_sum(&far_a, &far_b);
        CHECK_NEAR(mat3_gap(far_sum.inertia, sum.inertia), 0.0, 1e-8);
    }
    crm_inertia nothing = {0.0, {1, 2, 3}, crm_mat3_zero()}, body = sample_inertia(&s);
    crm_inertia same = crm_inertia_sum(&nothing, &body), none = crm_inertia_sum(&nothing, &nothing);
    CHECK_NEAR(vec3_gap(same.centre, body.centre) + mat3_gap(same.inertia, body.inertia), 0.0, rounding);
    CHECK_NEAR(none.mass, 0.0, 0.0);
    CHECK(crm_vec3_finite(none.centre));
}

// Any symmetric map, not only that of a rigid body: F A F^T by 6x6 products.
TEST(articulated_inertias_transform_by_congruence) {
    sampler s = {.seed = 10};
    for (int i = 0; i < CASES / 10; i++) {
        crm_transform x = sample_transform(&s), y = sample_transform(&s), xy = crm_transform_compose(&x, &y);
        crm_mat6 b = sample_mat6(&s), bt = crm_mat6_transpose(&b), a = crm_mat6_add(&b, &bt);
        crm_mat6 got = crm_mat6_transform(&x, &a);
        crm_mat6 force = crm_transform_force_matrix(&x), force_t = crm_mat6_transpose(&force);
        crm_mat6 fa = crm_mat6_mul(&force, &a);
        CHECK_NEAR(mat6_gap(got, crm_mat6_mul(&fa, &force_t)), 0.0, rounding);
        CHECK_NEAR(mat6_gap(got, crm_mat6_transpose(&got)), 0.0, 0.0);
        crm_vec6 m = sample_vec6(&s);
        CHECK_NEAR(
            crm_vec6_dot(crm_mat6_apply(&got, m), m),
            crm_vec6_dot(crm_mat6_apply(&a, crm_transform_motion_inverse(&x, m)), crm_transform_motion_inverse(&x, m)),
            2.0 * rounding);
        crm_mat6 inner = crm_mat6_transform(&y, &a);
        CHECK_NEAR(mat6_gap(crm_mat6_transform(&x, &inner), crm_mat6_transform(&xy, &a)), 0.0, 4.0 * rounding);
    }
}

TEST_MAIN(CASE(vectors_add_and_scale), CASE(shifting_the_reference_point_keeps_power),
          CASE(transforms_are_a_group_and_keep_power), CASE(cross_products_are_a_lie_algebra_and_its_dual),
          CASE(cross_products_are_rates_of_change), CASE(matrices_follow_their_laws), CASE(transform_matrices_are_dual),
          CASE(inertia_is_the_same_body_from_everywhere), CASE(sum_of_inertias_is_the_sum_of_their_matrices),
          CASE(articulated_inertias_transform_by_congruence))
