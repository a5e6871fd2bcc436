// SPDX-License-Identifier: MIT
// Maps onto rotations and their derivatives: against each other, finite differences and exact identities.
#include "math/so3.h"

#include <float.h>

#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/harness/small_compare.h"

enum { CASES = 20000 };

static const double pi = 3.14159265358979323846;

// A few roundings of sums of products of size 1.
static const double rounding = 16.0 * DBL_EPSILON;

// Angles that reach every branch and both sides of it: 0, 1e-12..1e-1, moderate ones, pi -+ 1e-k, 2 pi - 1e-k.
static int list_angles(double *angle) {
    const double moderate[] = {0.5,      1.0, 1.5, 1.999999, 2.000001, 2.5, 2.999999,
                               3.000001, 3.5, 4.0, 4.5,      5.0,      5.5, 6.0};
    int count = 0;
    angle[count++] = 0.0;
    for (int k = 12; k >= 1; k--) angle[count++] = pow(10.0, -k);
    for (size_t i = 0; i < sizeof moderate / sizeof moderate[0]; i++) angle[count++] = moderate[i];
    for (int k = 2; k <= 15; k++) {
        angle[count++] = pi - pow(10.0, -k);
        angle[count++] = pi + pow(10.0, -k);
    }
    angle[count++] = pi;
    for (int k = 1; k <= 6; k++) angle[count++] = 2.0 * pi - pow(10.0, -k);
    return count;
}

enum { ANGLES = 80, DIRECTIONS = 25 };

TEST(exp_is_a_homomorphism_along_each_axis) {
    sampler s = {.seed = 1};
    for (int i = 0; i < CASES; i++) {
        carom_vec3 a = sample_vec3(&s, 5.0), v = sample_vec3(&s, 1.0);
        double t = sample_between(&s, -1.0, 1.0);
        carom_quat q = crm_so3_exp(a), r = sample_attitude(&s);
        CHECK_NEAR(crm_quat_dot(q, q), 1.0, rounding);
        CHECK_NEAR(quat_gap(crm_quat_mul(q, crm_so3_exp(crm_scale(t, a))), crm_so3_exp(crm_scale(1.0 + t, a))), 0.0,
                   2.0 * rounding);
        CHECK_NEAR(quat_gap(crm_so3_exp(crm_negate(a)), crm_quat_conjugate(q)), 0.0, 0.0);
        // adjoint: R exp(a) R^T = exp(R a)
        carom_quat rotated = crm_quat_mul(crm_quat_mul(r, q), crm_quat_conjugate(r));
        CHECK_NEAR(quat_gap(rotated, crm_so3_exp(crm_quat_rotate(r, a))), 0.0, 2.0 * rounding);
        carom_mat3 m = crm_so3_exp_mat3(a);
        CHECK_NEAR(mat3_gap(m, crm_quat_to_mat3(q)), 0.0, 2.0 * rounding);
        CHECK(is_rotation(m, rounding));
        CHECK_NEAR(vec3_gap(crm_mat3_apply(m, a), a), 0.0, 5.0 * rounding);
        CHECK_NEAR(vec3_gap(crm_mat3_apply(m, v), crm_quat_rotate(q, v)), 0.0, 2.0 * rounding);
    }
    // half angle: a rotation by pi/2 about x
    CHECK_NEAR(quat_gap(crm_so3_exp(crm_vec3(0.5 * pi, 0, 0)), (carom_quat){sqrt(0.5), sqrt(0.5), 0, 0}), 0.0,
               rounding);
    CHECK(isnan(crm_so3_exp(crm_vec3(NAN, 0, 0)).w));
    CHECK(is_rotation(crm_so3_exp_mat3(crm_vec3(1e100, 1e99, -1e100)), rounding));
}

TEST(log_undoes_exp_at_every_angle) {
    sampler s = {.seed = 2};
    double angle[ANGLES], worst = 0.0, worst_mat3 = 0.0;
    int count = list_angles(angle);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 400; k++) {
            carom_vec3 axis = sample_unit(&s), a = crm_scale(angle[i], axis);
            carom_vec3 back = crm_so3_log(crm_so3_exp(a)), from_mat3 = crm_so3_log_mat3(crm_so3_exp_mat3(a));
            double size = angle[i];
            if (angle[i] > pi) { // the shorter arc goes the other way round
                a = crm_scale(angle[i] - 2.0 * pi, axis);
                size = 2.0 * pi; // the argument of exp was rounded at this size
            }
            if (fabs(angle[i] - pi) < 1e-13 && crm_dot(back, a) < 0.0) back = crm_negate(back);
            if (fabs(angle[i] - pi) < 1e-13 && crm_dot(from_mat3, a) < 0.0) from_mat3 = crm_negate(from_mat3);
            CHECK(crm_length(back) <= pi * (1.0 + DBL_EPSILON));
            worst = fmax(worst, vec3_gap(back, a) / (size > 0.0 ? size : 1.0));
            worst_mat3 = fmax(worst_mat3, vec3_gap(from_mat3, a) / fmax(size, 1e-3));
        }
    CHECK_NEAR(worst, 0.0, 1e-15);
    CHECK_NEAR(worst_mat3, 0.0, 2e-15);
    print_message("log(exp(a)): worst relative error %.2g; by matrices %.2g\n", worst, worst_mat3);
}

TEST(log_takes_any_size_sign_and_the_half_revolution) {
    sampler s = {.seed = 3};
    for (int i = 0; i < CASES; i++) {
        carom_quat q = sample_attitude(&s);
        double k = pow(10.0, sample_between(&s, -150.0, 150.0)) * (i % 2 ? 1.0 : -1.0);
        carom_vec3 a = crm_so3_log(q), scaled = crm_so3_log((carom_quat){k * q.w, k * q.x, k * q.y, k * q.z});
        CHECK_NEAR(vec3_gap(a, scaled), 0.0, rounding); // -q is the same attitude
        CHECK_NEAR(attitude_gap(crm_so3_exp(a), q), 0.0, rounding);
        CHECK_NEAR(crm_length(a), crm_quat_angle(q, crm_quat_identity()), rounding);
        carom_vec3 axis = sample_unit(&s);
        CHECK_NEAR(vec3_gap(crm_so3_log((carom_quat){0.0, axis.x, axis.y, axis.z}), crm_scale(pi, axis)), 0.0,
                   rounding);
        double tiny = pow(10.0, sample_between(&s, -300.0, -20.0));
        carom_vec3 small = crm_so3_log(crm_so3_exp(crm_scale(tiny, axis)));
        CHECK_NEAR(vec3_gap(crm_scale(1.0 / tiny, small), axis), 0.0, rounding);
    }
    CHECK_NEAR(crm_length(crm_so3_log(crm_quat_identity())), 0.0, 0.0);
    CHECK_NEAR(crm_length(crm_so3_log((carom_quat){-1, 0, 0, 0})), 0.0, 0.0);
    CHECK(isnan(crm_so3_log((carom_quat){1, NAN, 0, 0}).x));
}

TEST(cayley_is_twice_the_tangent_of_half_the_angle) {
    sampler s = {.seed = 4};
    for (int i = 0; i < CASES; i++) {
        carom_vec3 axis = sample_unit(&s), back;
        double angle = sample_between(&s, -3.1, 3.1);
        carom_vec3 c = crm_scale(2.0 * tan(0.5 * angle), axis);
        carom_quat q = crm_so3_cayley(c);
        CHECK_NEAR(quat_gap(q, crm_so3_exp(crm_scale(angle, axis))), 0.0, rounding);
        CHECK(crm_so3_cayley_inverse(q, &back));
        CHECK_NEAR(vec3_gap(back, c) / crm_length(c), 0.0, rounding);
        CHECK(crm_so3_cayley_inverse(crm_quat_negate(q), &back));
        CHECK_NEAR(vec3_gap(back, c) / crm_length(c), 0.0, rounding);
        // (1 - C/2)^-1 (1 + C/2), C = [c]x
        carom_mat3 half = crm_mat3_scale(0.5, crm_skew(c)), inverse;
        CHECK(crm_mat3_inverse(crm_mat3_sub(crm_mat3_identity(), half), &inverse));
        carom_mat3 wanted = crm_mat3_mul(inverse, crm_mat3_add(crm_mat3_identity(), half));
        CHECK_NEAR(mat3_gap(crm_so3_cayley_mat3(c), wanted), 0.0, 2.0 * rounding * (1.0 + crm_length(c)));
    }
}

TEST(cayley_takes_any_size_and_reports_the_half_revolution) {
    sampler s = {.seed = 5};
    for (int i = 0; i < CASES; i++) {
        carom_vec3 axis = sample_unit(&s), back;
        double size = pow(10.0, sample_between(&s, -150.0, 300.0));
        carom_quat q = crm_so3_cayley(crm_scale(size, axis));
        CHECK_NEAR(crm_quat_dot(q, q), 1.0, rounding);
        CHECK(q.w > 0.0);
        CHECK(crm_so3_cayley_inverse(q, &back));
        CHECK_NEAR(vec3_gap(crm_scale(1.0 / size, back), axis), 0.0, rounding);
        CHECK(!crm_so3_cayley_inverse((carom_quat){0.0, axis.x, axis.y, axis.z}, &back));
        CHECK(!crm_so3_cayley_inverse((carom_quat){-0.0, axis.x, axis.y, axis.z}, &back));
        CHECK_NEAR(crm_length(back), 0.0, 0.0);
        CHECK(!crm_so3_cayley_inverse((carom_quat){1e-310, axis.x, axis.y, axis.z}, &back));
    }
    carom_vec3 back;
    CHECK(!crm_so3_cayley_inverse((carom_quat){NAN, 0, 0, 1}, &back));
}

// One family of maps with its derivatives, so that both charts run through the same checks.
typedef struct chart {
    carom_quat (*map)(carom_vec3);
    carom_mat3 (*left)(carom_vec3), (*right)(carom_vec3), (*left_inverse)(carom_vec3), (*right_inverse)(carom_vec3);
    carom_mat3 (*d_left)(carom_vec3, carom_vec3), (*d_right)(carom_vec3, carom_vec3);
    carom_mat3 (*d_left_inverse)(carom_vec3, carom_vec3), (*d_right_inverse)(carom_vec3, carom_vec3);
} chart;

static const chart exponential = {
    crm_so3_exp,    crm_dexp_left,   crm_dexp_right,         crm_dexp_left_inverse,   crm_dexp_right_inverse,
    crm_ddexp_left, crm_ddexp_right, crm_ddexp_left_inverse, crm_ddexp_right_inverse,
};

static const chart cayley = {
    crm_so3_cayley, crm_dcay_left,   crm_dcay_right,         crm_dcay_left_inverse,   crm_dcay_right_inverse,
    crm_ddcay_left, crm_ddcay_right, crm_ddcay_left_inverse, crm_ddcay_right_inverse,
};

// Central differences with step 1e-5: truncation about 1e-10 times a third derivative of order 1, rounding 1e-16/1e-5.
static const double step = 1e-5, difference_accuracy = 1e-9;

// log(Q(a + h d) Q(a - h d)^-1) / 2h = J_left d + O(h^2), and the same on the other side for J_right.
static double jacobian_error(const chart *c, carom_vec3 a, carom_vec3 d) {
    carom_quat ahead = c->map(crm_madd(a, step, d)), behind = crm_quat_conjugate(c->map(crm_madd(a, -step, d)));
    carom_vec3 world = crm_scale(0.5 / step, crm_so3_log(crm_quat_mul(ahead, behind)));
    carom_vec3 body = crm_scale(0.5 / step, crm_so3_log(crm_quat_mul(behind, ahead)));
    return fmax(vec3_gap(world, crm_mat3_apply(c->left(a), d)), vec3_gap(body, crm_mat3_apply(c->right(a), d)));
}

static double slope_error(carom_mat3 (*jacobian)(carom_vec3), carom_mat3 (*derivative)(carom_vec3, carom_vec3),
                          carom_vec3 a, carom_vec3 b, carom_vec3 d, double h) {
    carom_vec3 ahead = crm_mat3_apply(jacobian(crm_madd(a, h, d)), b);
    carom_vec3 behind = crm_mat3_apply(jacobian(crm_madd(a, -h, d)), b);
    return vec3_gap(crm_scale(0.5 / h, crm_sub(ahead, behind)), crm_mat3_apply(derivative(a, b), d));
}

TEST(exp_jacobians_match_finite_differences) {
    sampler s = {.seed = 6};
    double angle[ANGLES];
    int count = list_angles(angle);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < DIRECTIONS; k++) {
            carom_vec3 a = crm_scale(angle[i], sample_unit(&s)), b = sample_unit(&s), d = sample_unit(&s);
            CHECK_NEAR(jacobian_error(&exponential, a, d), 0.0, difference_accuracy);
            CHECK_NEAR(slope_error(crm_dexp_left, crm_ddexp_left, a, b, d, step), 0.0, difference_accuracy);
            CHECK_NEAR(slope_error(crm_dexp_right, crm_ddexp_right, a, b, d, step), 0.0, difference_accuracy);
            // The inverse is like 6/gap before its pole at 2 pi. Steps shrink with the gap; the rounding of a, 1e-15,
            // times the slope 6/gap^2, over a step of 1e-5 gap, leaves 6e-10/gap^3.
            double gap = fmin(1.0, 2.0 * pi - angle[i]), wanted = 10.0 * difference_accuracy / (gap * gap * gap);
            if (gap < 1e-3) continue;
            CHECK_NEAR(slope_error(crm_dexp_left_inverse, crm_ddexp_left_inverse, a, b, d, step * gap), 0.0, wanted);
            CHECK_NEAR(slope_error(crm_dexp_right_inverse, crm_ddexp_right_inverse, a, b, d, step * gap), 0.0, wanted);
        }
}

TEST(cayley_jacobians_match_finite_differences) {
    sampler s = {.seed = 7};
    for (int k = 0; k < CASES; k++) {
        double size = k % 3 ? sample_between(&s, 0.0, 6.0) : pow(10.0, -sample_between(&s, 0.0, 12.0));
        carom_vec3 c = crm_scale(size, sample_unit(&s)), b = sample_unit(&s), d = sample_unit(&s);
        CHECK_NEAR(jacobian_error(&cayley, c, d), 0.0, difference_accuracy);
        CHECK_NEAR(slope_error(crm_dcay_left, crm_ddcay_left, c, b, d, step), 0.0, difference_accuracy);
        CHECK_NEAR(slope_error(crm_dcay_right, crm_ddcay_right, c, b, d, step), 0.0, difference_accuracy);
        CHECK_NEAR(slope_error(crm_dcay_left_inverse, crm_ddcay_left_inverse, c, b, d, step), 0.0, difference_accuracy);
        CHECK_NEAR(slope_error(crm_dcay_right_inverse, crm_ddcay_right_inverse, c, b, d, step), 0.0,
                   difference_accuracy);
    }
}

// Identities that finite differences are too coarse to see, each relative to the sizes of what is multiplied:
//   J J^-1 = 1,   J_right = J_left^T,   Q J_right = J_left (world and body velocities of one motion)
//   d(J)d b - d(J)b d = (J d) x (J b)      (the velocity field of a rotation is closed: Maurer and Cartan)
//   d(J^-1) b = -J^-1 d(J) (J^-1 b)
static double identity_error(const chart *c, carom_vec3 a, carom_vec3 b, carom_vec3 d) {
    carom_mat3 left = c->left(a), right = c->right(a), inverse = c->left_inverse(a);
    double size = crm_mat3_norm(left), inverse_size = crm_mat3_norm(inverse);
    double error = mat3_gap(crm_mat3_mul(left, inverse), crm_mat3_identity()) / (size * inverse_size);
    error =
        fmax(error, mat3_gap(crm_mat3_mul(c->right_inverse(a), right), crm_mat3_identity()) / (size * inverse_size));
    error = fmax(error, mat3_gap(right, crm_mat3_transpose(left)) / size);
    error = fmax(error, mat3_gap(crm_mat3_mul(crm_quat_to_mat3(c->map(a)), right), left) / size);

    carom_mat3 along_b = c->d_left(a, b);
    carom_vec3 curl = crm_sub(crm_mat3_apply(along_b, d), crm_mat3_apply(c->d_left(a, d), b));
    carom_vec3 product = crm_cross(crm_mat3_apply(left, d), crm_mat3_apply(left, b));
    error = fmax(error, vec3_gap(curl, product) / fmax(size * size, crm_mat3_norm(along_b)));

    carom_mat3 slope = c->d_left(a, crm_mat3_apply(inverse, b));
    carom_mat3 wanted = crm_mat3_scale(-1.0, crm_mat3_mul(inverse, slope));
    double slope_size = inverse_size * crm_mat3_norm(slope);
    return fmax(error, mat3_gap(c->d_left_inverse(a, b), wanted) / slope_size);
}

// Four matrices multiplied: 1e-14 is 45 roundings. Near 2 pi the sizes carry the pole, so the same bound holds there.
TEST(jacobians_obey_exact_identities) {
    sampler s = {.seed = 8};
    double angle[ANGLES], worst = 0.0, worst_cayley = 0.0;
    int count = list_angles(angle);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 10 * DIRECTIONS; k++) {
            carom_vec3 axis = sample_unit(&s), b = sample_unit(&s), d = sample_unit(&s);
            worst = fmax(worst, identity_error(&exponential, crm_scale(angle[i], axis), b, d));
            worst_cayley = fmax(worst_cayley, identity_error(&cayley, crm_scale(angle[i], axis), b, d));
        }
    for (int k = 0; k < CASES; k++) {
        carom_vec3 axis = sample_unit(&s), b = sample_unit(&s), d = sample_unit(&s);
        worst = fmax(worst, identity_error(&exponential, crm_scale(sample_between(&s, 0.0, 6.2), axis), b, d));
        double size = pow(10.0, sample_between(&s, -150.0, 5.0));
        worst_cayley = fmax(worst_cayley, identity_error(&cayley, crm_scale(size, axis), b, d));
    }
    CHECK_NEAR(worst, 0.0, 1e-14);
    CHECK_NEAR(worst_cayley, 0.0, 1e-14);
    print_message("identities: exp %.2g, Cayley %.2g\n", worst, worst_cayley);
}

// What is left of a at 1e-150 and at large angles: Jacobians tend to the identity, and stay finite.
TEST(jacobians_take_extreme_arguments) {
    sampler s = {.seed = 9};
    for (int i = 0; i < 1000; i++) {
        carom_vec3 axis = sample_unit(&s), b = sample_unit(&s);
        carom_vec3 tiny = crm_scale(pow(10.0, sample_between(&s, -320.0, -20.0)), axis);
        CHECK_NEAR(mat3_gap(crm_dexp_left(tiny), crm_mat3_identity()), 0.0, rounding);
        CHECK_NEAR(mat3_gap(crm_dexp_right_inverse(tiny), crm_mat3_identity()), 0.0, rounding);
        CHECK_NEAR(mat3_gap(crm_ddexp_left(tiny, b), crm_skew(crm_scale(-0.5, b))), 0.0, rounding);
        CHECK_NEAR(mat3_gap(crm_ddexp_left_inverse(tiny, b), crm_skew(crm_scale(0.5, b))), 0.0, rounding);
        carom_vec3 huge = crm_scale(pow(10.0, sample_between(&s, 1.0, 140.0)), axis);
        CHECK(crm_mat3_finite(crm_dexp_left(huge)));
        CHECK(crm_mat3_finite(crm_ddexp_left(huge, b)));
        // far out, rotations average to nothing and only the axis is left: J -> axis axis^T
        if (crm_length(huge) > 1e6)
            CHECK_NEAR(mat3_gap(crm_dexp_left(huge), crm_outer(axis, axis)), 0.0, 4.0 / crm_length(huge) + rounding);
    }
}

TEST_MAIN(CASE(exp_is_a_homomorphism_along_each_axis), CASE(log_undoes_exp_at_every_angle),
          CASE(log_takes_any_size_sign_and_the_half_revolution), CASE(cayley_is_twice_the_tangent_of_half_the_angle),
          CASE(cayley_takes_any_size_and_reports_the_half_revolution), CASE(exp_jacobians_match_finite_differences),
          CASE(cayley_jacobians_match_finite_differences), CASE(jacobians_obey_exact_identities),
          CASE(jacobians_take_extreme_arguments))
