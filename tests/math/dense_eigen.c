// SPDX-License-Identifier: MIT
// Eigenvalues of symmetric matrices against LAPACK, and where LAPACK's have lost their digits against closed forms.
#include "math/dense/dense_eigen.h"

#include <math.h>

#include "base/random.h"
#include "support/algebra/lapack.h"
#include "support/harness/check.h"

enum { MOST = 40 };

static void check_decomposition(int n, const double *a, const double *values, const double *v, double tolerance) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double product = 0.0, rebuilt = 0.0;
            for (int k = 0; k < n; k++) {
                product += v[k + i * n] * v[k + j * n];
                rebuilt += values[k] * v[i + k * n] * v[j + k * n];
            }
            CHECK_NEAR(product, i == j ? 1.0 : 0.0, 1e-13);
            CHECK_NEAR(rebuilt, a[i + j * n], tolerance);
        }
    for (int i = 1; i < n; i++) CHECK(values[i - 1] <= values[i]);
}

TEST(eigenvalues_are_those_of_lapack) {
    for (int n = 1; n <= MOST; n += 3) {
        double a[MOST * MOST], kept[MOST * MOST], reference[MOST * MOST], values[MOST], v[MOST * MOST], wanted[MOST];
        double work[8 * MOST];
        int length = 8 * MOST, info;
        crm_random random = {.seed = 9, .stream = (uint32_t)n};
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++) a[i + j * n] = a[j + i * n] = crm_random_between(&random, -1.0, 1.0);
        for (int i = 0; i < n * n; i++) kept[i] = reference[i] = a[i];
        CHECK(crm_symmetric_eigen(n, a, n, values, v));
        dsyev_("N", "L", &n, reference, &n, wanted, work, &length, &info);
        for (int i = 0; i < n; i++) CHECK_NEAR(values[i], wanted[i], 1e-14 * n);
        check_decomposition(n, kept, values, v, 1e-14 * n);
    }
}

// D B D with B = 1 + small and D from 1 to 1e-12: its small eigenvalues have all digits. For 2x2 blocks they are known.
TEST(small_eigenvalues_keep_their_digits) {
    enum { N = 6 };
    double a[N * N] = {0.0}, values[N], v[N * N];
    // Blocks s [1 1/2; 1/2 1] have s/2 and 3 s/2.
    const double size[3] = {1.0, 1e-7, 1e-14};
    for (int b = 0; b < 3; b++) {
        int i = b, j = N - 1 - b;
        a[i + i * N] = a[j + j * N] = size[b];
        a[i + j * N] = a[j + i * N] = 0.5 * size[b];
    }
    CHECK(crm_symmetric_eigen(N, a, N, values, v));
    for (int b = 0; b < 3; b++) {
        CHECK_NEAR(values[2 * (2 - b)] / size[b], 0.5, 1e-15);
        CHECK_NEAR(values[2 * (2 - b) + 1] / size[b], 1.5, 1e-15);
    }
}

TEST(equal_eigenvalues_have_orthonormal_vectors) {
    enum { N = 8 };
    double a[N * N], kept[N * N], values[N], v[N * N];
    // 1 + u u^T: seven times 1, and 1 + |u|^2.
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) kept[i + j * N] = a[i + j * N] = (i == j) + 0.25 * (i + 1) * (j + 1);
    CHECK(crm_symmetric_eigen(N, a, N, values, v));
    for (int i = 0; i < N - 1; i++) CHECK_NEAR(values[i], 1.0, 1e-14);
    CHECK_NEAR(values[N - 1], 52.0, 1e-13);
    check_decomposition(N, kept, values, v, 1e-13);
}

TEST(zeros_and_what_is_no_number) {
    double zero[4] = {0.0}, wrong[4] = {1.0, NAN, NAN, 1.0}, values[2], v[4];
    CHECK(crm_symmetric_eigen(2, zero, 2, values, v));
    CHECK(values[0] == 0.0 && values[1] == 0.0);
    CHECK(!crm_symmetric_eigen(2, wrong, 2, values, v));
    CHECK(crm_symmetric_eigen(0, zero, 1, values, v));
}

TEST_MAIN(CASE(eigenvalues_are_those_of_lapack), CASE(small_eigenvalues_keep_their_digits),
          CASE(equal_eigenvalues_have_orthonormal_vectors), CASE(zeros_and_what_is_no_number))
