// SPDX-License-Identifier: MIT
#include "math/svd3.h"

#include <float.h>

#include "math/quat.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/harness/small_compare.h"

enum { CASES = 20000 };

static carom_mat3 compose(carom_mat3 u, carom_vec3 s, carom_mat3 v) {
    return crm_mat3_mul_nt(crm_mat3_mul(u, crm_mat3_diagonal(s)), v);
}

static void check_factors(carom_mat3 a, double size) {
    carom_mat3 u, v;
    carom_vec3 s;
    CHECK(crm_svd3(a, &u, &s, &v));
    CHECK(is_rotation(u, 10.0 * DBL_EPSILON));
    CHECK(is_rotation(v, 10.0 * DBL_EPSILON));
    CHECK(s.x >= s.y && s.y >= fabs(s.z));
    // before composing, back to size 1: the products must not underflow where the factors did not
    carom_mat3 unit = crm_mat3_scale(1.0 / size, a);
    CHECK_NEAR(mat3_gap(compose(u, crm_scale(1.0 / size, s), v), unit), 0.0, 20.0 * DBL_EPSILON);
}

TEST(factors_reproduce_the_matrix) {
    sampler s = {.seed = 1};
    for (int i = 0; i < CASES; i++) {
        double size = i % 2 ? 1.0 : pow(10.0, sample_between(&s, -150.0, 150.0));
        carom_mat3 a = crm_mat3_scale(size, sample_mat3(&s, 1.0));
        check_factors(a, size);
        check_factors(crm_outer(a.x, crm_scale(1.0 / size, a.y)), size);                   // rank 1
        check_factors(crm_mat3_columns(a.x, a.y, crm_madd(a.x, -0.5, a.y)), size);         // rank 2
        check_factors(crm_mat3_columns(a.x, crm_vec3_zero(), crm_scale(1e-9, a.z)), size); // graded, one column zero
    }
    check_factors(crm_mat3_identity(), 1.0);
    check_factors(crm_mat3_scale(-1.0, crm_mat3_identity()), 1.0);
    check_factors(crm_mat3_zero(), 1.0);
}

// A rotation times a graded diagonal has the diagonal as singular values, down to 1e-120 of the largest, each to a few
// roundings of itself.
TEST(small_singular_values_of_graded_columns_are_accurate) {
    sampler s = {.seed = 2};
    for (int i = 0; i < CASES; i++) {
        carom_mat3 r = crm_quat_to_mat3(sample_attitude(&s)), u, v;
        carom_vec3 grade =
            crm_vec3(1.0, pow(10.0, -sample_between(&s, 0.0, 60.0)), -pow(10.0, -sample_between(&s, 60.0, 120.0)));
        carom_vec3 values;
        CHECK(crm_svd3(crm_mat3_mul(r, crm_mat3_diagonal(grade)), &u, &values, &v));
        CHECK_NEAR(values.x, 1.0, 1e-14);
        CHECK_NEAR(values.y / grade.y, 1.0, 1e-14);
        CHECK_NEAR(values.z / grade.z, 1.0, 1e-14); // the sign is that of the determinant
    }
}

TEST(matrices_that_are_not_finite_are_refused) {
    carom_mat3 a = crm_mat3_identity(), u, v;
    carom_vec3 s;
    a.z.x = NAN;
    CHECK(!crm_svd3(a, &u, &s, &v));
    CHECK_NEAR(mat3_gap(u, v) + crm_length(s), 0.0, 0.0);
    a.z.x = -INFINITY;
    CHECK(!crm_svd3(a, &u, &s, &v));
}

TEST_MAIN(CASE(factors_reproduce_the_matrix), CASE(small_singular_values_of_graded_columns_are_accurate),
          CASE(matrices_that_are_not_finite_are_refused))
