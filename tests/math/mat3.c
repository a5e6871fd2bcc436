// SPDX-License-Identifier: MIT
#include "math/mat3.h"

#include <float.h>

#include "math/quat.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/harness/small_compare.h"

enum { CASES = 20000 };

// A few roundings of sums of products of size 1.
static const double rounding = 20.0 * DBL_EPSILON;

TEST(products_follow_their_laws) {
    sampler s = {.seed = 1};
    for (int i = 0; i < CASES; i++) {
        carom_mat3 a = sample_mat3(&s, 1.0), b = sample_mat3(&s, 1.0), c = sample_mat3(&s, 1.0);
        carom_vec3 v = sample_vec3(&s, 1.0), w = sample_vec3(&s, 1.0);
        carom_mat3 ab = crm_mat3_mul(a, b);
        CHECK_NEAR(vec3_gap(crm_mat3_apply(ab, v), crm_mat3_apply(a, crm_mat3_apply(b, v))), 0.0, rounding);
        CHECK_NEAR(mat3_gap(crm_mat3_mul(ab, c), crm_mat3_mul(a, crm_mat3_mul(b, c))), 0.0, rounding);
        CHECK_NEAR(mat3_gap(crm_mat3_mul_nt(a, b), crm_mat3_mul(a, crm_mat3_transpose(b))), 0.0, 0.0);
        CHECK_NEAR(mat3_gap(crm_mat3_mul_tn(a, b), crm_mat3_mul(crm_mat3_transpose(a), b)), 0.0, 0.0);
        CHECK_NEAR(mat3_gap(crm_mat3_transpose(ab), crm_mat3_mul_nt(crm_mat3_transpose(b), a)), 0.0, rounding);
        CHECK_NEAR(crm_dot(w, crm_mat3_apply(a, v)), crm_dot(crm_mat3_apply_t(a, w), v), rounding);
        CHECK_NEAR(crm_mat3_trace(ab), crm_mat3_trace(crm_mat3_mul(b, a)), rounding);
        CHECK_NEAR(determinant(ab), determinant(a) * determinant(b), 5.0 * rounding);
        CHECK_NEAR(crm_mat3_norm(a), sqrt(crm_mat3_trace(crm_mat3_mul_tn(a, a))), rounding);
        CHECK_NEAR(mat3_gap(crm_mat3_sub(crm_mat3_add(a, b), b), a), 0.0, rounding);
        CHECK_NEAR(mat3_gap(crm_mat3_add(a, a), crm_mat3_scale(2.0, a)), 0.0, 0.0);
        CHECK_NEAR(mat3_gap(crm_mat3_mul(a, crm_mat3_identity()), a), 0.0, 0.0);
        CHECK_NEAR(crm_mat3_norm(crm_mat3_mul(a, crm_mat3_zero())), 0.0, 0.0);
        CHECK_NEAR(vec3_gap(crm_mat3_apply(crm_mat3_diagonal(v), w), crm_vec3_mul(v, w)), 0.0, 0.0);
        CHECK_NEAR(vec3_gap(crm_mat3_apply(crm_skew(v), w), crm_cross(v, w)), 0.0, 0.0);
        CHECK_NEAR(vec3_gap(crm_unskew(crm_skew(v)), v), 0.0, 0.0);
        CHECK_NEAR(vec3_gap(crm_unskew(crm_mat3_add(crm_skew(v), crm_mat3_mul_nt(a, a))), v), 0.0, rounding);
        CHECK_NEAR(mat3_gap(crm_mat3_mul(crm_skew(v), crm_skew(w)),
                            crm_mat3_sub(crm_outer(w, v), crm_mat3_scale(crm_dot(v, w), crm_mat3_identity()))),
                   0.0, rounding);
        CHECK_NEAR(vec3_gap(crm_mat3_apply(crm_outer(v, w), a.x), crm_scale(crm_dot(w, a.x), v)), 0.0, rounding);
    }
    carom_mat3 m = crm_mat3_columns(crm_vec3(1, 2, 3), crm_vec3(4, 5, 6), crm_vec3(7, 8, 10));
    CHECK_NEAR(crm_mat3_get(m, 0, 1), 4.0, 0.0);
    CHECK_NEAR(crm_mat3_get(m, 2, 0), 3.0, 0.0);
    CHECK_NEAR(crm_mat3_get(m, 1, 2), 8.0, 0.0);
    CHECK_NEAR(determinant(m), -3.0, 0.0);
    CHECK_NEAR(crm_mat3_apply(m, crm_vec3(1, 0, 0)).z, 3.0, 0.0);
    CHECK(crm_mat3_finite(m));
    m.y.z = NAN;
    CHECK(!crm_mat3_finite(m));
    CHECK_NEAR(crm_mat3_norm(crm_mat3_scale(1e300, crm_mat3_identity())) / 1e300, sqrt(3.0), rounding);
    CHECK_NEAR(crm_mat3_norm(crm_mat3_scale(1e-300, crm_mat3_identity())) / 1e-300, sqrt(3.0), rounding);
    CHECK_NEAR(mat3_gap(crm_frame_from_normal(crm_vec3(0, 0, 1)), crm_mat3_identity()), 0.0, 0.0);
}

TEST(congruence_is_symmetric_and_right) {
    sampler s = {.seed = 2};
    for (int i = 0; i < CASES; i++) {
        carom_mat3 r = sample_mat3(&s, 1.0), a = sample_mat3(&s, 1.0);
        carom_vec3 d = sample_vec3(&s, 1.0);
        a = crm_mat3_add(a, crm_mat3_transpose(a));
        carom_mat3 got = crm_congruence(r, a), rotated = crm_congruence_diagonal(r, d);
        CHECK_NEAR(mat3_gap(got, crm_mat3_mul(r, crm_mat3_mul_nt(a, r))), 0.0, 2.0 * rounding);
        CHECK_NEAR(mat3_gap(got, crm_mat3_transpose(got)), 0.0, 0.0);
        CHECK_NEAR(mat3_gap(rotated, crm_congruence(r, crm_mat3_diagonal(d))), 0.0, rounding);
        CHECK_NEAR(mat3_gap(rotated, crm_mat3_transpose(rotated)), 0.0, 0.0);
        CHECK_NEAR(mat3_gap(crm_frame_from_normal(sample_unit(&s)), crm_mat3_zero()), sqrt(3.0), rounding);
    }
}

static carom_mat3 power_scaled(carom_mat3 a, const int rows[3], const int columns[3]) {
    carom_vec3 *column[3] = {&a.x, &a.y, &a.z};
    for (int j = 0; j < 3; j++)
        *column[j] = crm_vec3(ldexp(column[j]->x, rows[0] + columns[j]), ldexp(column[j]->y, rows[1] + columns[j]),
                              ldexp(column[j]->z, rows[2] + columns[j]));
    return a;
}

// Residual of a backward stable solve: a few roundings of |A| |x|. Complete pivoting gives that for every matrix.
TEST(solve_leaves_a_rounding_residual) {
    sampler s = {.seed = 3};
    double worst = 0.0, worst_inverse = 0.0;
    for (int i = 0; i < 5 * CASES; i++) {
        carom_mat3 a = sample_mat3(&s, 1.0);
        if (i % 2) { // nearly singular, condition up to 1e11 and more
            double gap = pow(10.0, -sample_between(&s, 0.0, 10.0));
            a.z = crm_madd(crm_madd(a.x, 0.7, a.y), gap, a.z);
        }
        carom_vec3 b = sample_vec3(&s, 1.0), x;
        carom_mat3 inverse;
        if (!CHECK(crm_mat3_solve(a, b, &x)) || !CHECK(crm_mat3_inverse(a, &inverse))) continue;
        worst = fmax(worst, vec3_gap(crm_mat3_apply(a, x), b) / (crm_mat3_norm(a) * crm_length(x)));
        worst_inverse = fmax(worst_inverse, mat3_gap(crm_mat3_mul(a, inverse), crm_mat3_identity()) /
                                                (crm_mat3_norm(a) * crm_mat3_norm(inverse)));
    }
    CHECK_NEAR(worst, 0.0, 4.0 * DBL_EPSILON);
    CHECK_NEAR(worst_inverse, 0.0, 4.0 * DBL_EPSILON);
    print_message("worst backward error: solve %.2g, inverse %.2g\n", worst, worst_inverse);
}

// Rows and columns times powers of two change the answer by exactly these powers, and never whether there is one.
TEST(solve_does_not_depend_on_units) {
    sampler s = {.seed = 4};
    for (int i = 0; i < CASES; i++) {
        carom_mat3 a = sample_mat3(&s, 1.0), inverse, scaled_inverse;
        carom_vec3 b = sample_vec3(&s, 1.0), x, scaled_x;
        int rows[3], columns[3];
        for (int k = 0; k < 3; k++) {
            rows[k] = (int)sample_between(&s, -240.0, 240.0);
            columns[k] = (int)sample_between(&s, -240.0, 240.0);
        }
        carom_mat3 scaled = power_scaled(a, rows, columns);
        carom_vec3 scaled_b = crm_vec3(ldexp(b.x, rows[0]), ldexp(b.y, rows[1]), ldexp(b.z, rows[2]));
        CHECK(crm_mat3_solve(a, b, &x));
        CHECK(crm_mat3_solve(scaled, scaled_b, &scaled_x));
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(ldexp(crm_component(scaled_x, k), columns[k]) / crm_length(x),
                       crm_component(x, k) / crm_length(x),
                       1e-10); // exact for the same pivots; a condition number of 1e5 where the order differs
        CHECK(crm_mat3_inverse(a, &inverse));
        CHECK(crm_mat3_inverse(scaled, &scaled_inverse));
        carom_mat3 back = power_scaled(scaled_inverse, columns, rows);
        CHECK_NEAR(mat3_gap(back, inverse) / crm_mat3_norm(inverse), 0.0, 1e-10);
    }
    for (int exponent = -1000; exponent <= 1000; exponent += 50) {
        carom_mat3 inverse, a = crm_mat3_scale(ldexp(1.0, exponent), crm_mat3_identity());
        CHECK(crm_mat3_inverse(a, &inverse));
        CHECK_NEAR(ldexp(inverse.y.y, exponent), 1.0, 0.0);
    }
}

TEST(singular_matrices_are_refused_at_any_size) {
    sampler s = {.seed = 5};
    for (int i = 0; i < CASES; i++) {
        double size = pow(10.0, sample_between(&s, -140.0, 140.0));
        carom_mat3 a = sample_mat3(&s, 1.0), inverse;
        carom_vec3 x;
        a.z = crm_madd(crm_scale(0.3, a.x), sample_between(&s, -1.0, 1.0), a.y); // rank 2 to rounding
        a = crm_mat3_scale(size, a);
        CHECK(!crm_mat3_solve(a, crm_vec3(1, 2, 3), &x));
        CHECK_NEAR(crm_length(x), 0.0, 0.0);
        CHECK(!crm_mat3_inverse(crm_mat3_transpose(a), &inverse));
        CHECK_NEAR(crm_mat3_norm(inverse), 0.0, 0.0);
        CHECK(!crm_mat3_inverse(crm_outer(a.x, a.y), &inverse));
    }
    carom_vec3 x;
    carom_mat3 inverse, bad = crm_mat3_identity();
    CHECK(!crm_mat3_inverse(crm_mat3_zero(), &inverse));
    CHECK(!crm_mat3_inverse(crm_mat3_diagonal(crm_vec3(1, 0, 1)), &inverse));
    CHECK(crm_mat3_inverse(crm_mat3_diagonal(crm_vec3(1e-200, 1, 1e200)), &inverse));
    CHECK_NEAR(inverse.x.x / 1e200, 1.0, DBL_EPSILON);
    CHECK(!crm_mat3_inverse(crm_mat3_diagonal(crm_vec3(1e-310, 1, 1)), &inverse)); // 1e310 is no double
    CHECK(!crm_mat3_solve(bad, crm_vec3(1, NAN, 1), &x));
    CHECK(crm_mat3_solve(bad, crm_vec3_zero(), &x));
    CHECK_NEAR(crm_length(x), 0.0, 0.0);
    bad.y.x = INFINITY;
    CHECK(!crm_mat3_inverse(bad, &inverse));
    CHECK(!crm_mat3_solve(bad, crm_vec3(1, 1, 1), &x));
}

// The nearest rotation maximises tr(R^T A): R^T A must be symmetric (stationary) and no other rotation may do better.
TEST(nearest_rotation_is_stationary_and_beats_others) {
    sampler s = {.seed = 7};
    for (int i = 0; i < CASES; i++) {
        carom_mat3 a = sample_mat3(&s, 1.0), r;
        if (!CHECK(crm_nearest_rotation(a, &r))) continue;
        CHECK(is_rotation(r, 10.0 * DBL_EPSILON));
        carom_mat3 stretch = crm_mat3_mul_tn(r, a);
        CHECK_NEAR(crm_length(crm_unskew(stretch)), 0.0, rounding);
        double best = crm_mat3_trace(stretch);
        for (int k = 0; k < 5; k++) {
            carom_quat rotation =
                crm_quat_from_axis_angle(sample_unit(&s), k < 3 ? 1e-3 : sample_between(&s, 0.0, 6.3));
            double other = crm_mat3_trace(crm_mat3_mul_tn(crm_mat3_mul(crm_quat_to_mat3(rotation), r), a));
            CHECK(other <= best + rounding);
        }
    }
}

TEST(nearest_rotation_repairs_drift_at_any_size) {
    sampler s = {.seed = 8};
    for (int i = 0; i < CASES; i++) {
        carom_mat3 r = crm_quat_to_mat3(sample_attitude(&s)), got;
        double size = pow(10.0, sample_between(&s, -150.0, 150.0)), drift = pow(10.0, -sample_between(&s, 0.5, 16.0));
        // a symmetric positive stretch leaves the rotation factor where it was
        carom_mat3 noise = sample_mat3(&s, drift);
        carom_mat3 stretch = crm_mat3_add(crm_mat3_identity(), crm_mat3_mul_nt(noise, noise));
        CHECK(crm_nearest_rotation(crm_mat3_scale(size, crm_mat3_mul(r, stretch)), &got));
        CHECK_NEAR(mat3_gap(got, r), 0.0, 2.0 * rounding);
        CHECK(crm_nearest_rotation(crm_mat3_add(r, noise), &got));
        CHECK_NEAR(mat3_gap(got, r), 0.0, 3.0 * drift + 2.0 * rounding);
    }
    carom_mat3 got;
    CHECK(crm_nearest_rotation(crm_mat3_identity(), &got));
    CHECK_NEAR(mat3_gap(got, crm_mat3_identity()), 0.0, 0.0);
    // rank 2 still has one nearest rotation
    CHECK(crm_nearest_rotation(crm_mat3_diagonal(crm_vec3(2, 1, 0)), &got));
    CHECK_NEAR(mat3_gap(got, crm_mat3_identity()), 0.0, rounding);
}

TEST(nearest_rotation_says_when_it_is_not_unique) {
    const carom_vec3 ambiguous[] = {{1, 0, 0}, {0, 0, 0}, {-1, -1, -1}, {1, 1, -1}, {3, 2, -2}, {0, 0, 1e-200}};
    carom_mat3 got;
    for (size_t i = 0; i < sizeof ambiguous / sizeof ambiguous[0]; i++) {
        CHECK(!crm_nearest_rotation(crm_mat3_diagonal(ambiguous[i]), &got));
        CHECK(is_rotation(got, 10.0 * DBL_EPSILON));
    }
    carom_mat3 bad = crm_mat3_identity();
    bad.x.y = NAN;
    CHECK(!crm_nearest_rotation(bad, &got));
    CHECK_NEAR(mat3_gap(got, crm_mat3_identity()), 0.0, 0.0);
}

TEST_MAIN(CASE(products_follow_their_laws), CASE(congruence_is_symmetric_and_right),
          CASE(solve_leaves_a_rounding_residual), CASE(solve_does_not_depend_on_units),
          CASE(singular_matrices_are_refused_at_any_size), CASE(nearest_rotation_is_stationary_and_beats_others),
          CASE(nearest_rotation_repairs_drift_at_any_size), CASE(nearest_rotation_says_when_it_is_not_unique))
