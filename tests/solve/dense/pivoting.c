// SPDX-License-Identifier: MIT
// Small complementarity problems: the conditions themselves are the judge.
#include "solve/dense/pivoting.h"

#include <math.h>
#include <stdlib.h>

#include "support/harness/check.h"
#include "support/harness/sample.h"

enum { MOST = 24 };

// a = g g^T + shift on the diagonal, g of n x rank random numbers.
static void make_matrix(sampler *s, int n, int rank, double shift, double *a) {
    double g[MOST * MOST];
    for (int i = 0; i < n * rank; i++) g[i] = sample_between(s, -1.0, 1.0);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = i == j ? shift : 0.0;
            for (int k = 0; k < rank; k++) sum += g[i + n * k] * g[j + n * k];
            a[i + n * j] = sum;
        }
    }
}

static void check_solution(int n, const double *a, const double *b, const double *x) {
    for (int i = 0; i < n; i++) {
        double w = b[i], size = fabs(b[i]);
        for (int j = 0; j < n; j++) {
            w += a[i + n * j] * x[j];
            size += fabs(a[i + n * j] * x[j]);
        }
        CHECK(x[i] >= 0.0);
        CHECK(w >= -1e-13 * size); // what roundings of some twenty terms can do
        CHECK(x[i] == 0.0 || w <= 1e-13 * size);
    }
}

static void check_random(double shift, int rank_share) {
    sampler s = {.seed = 5};
    double a[MOST * MOST], b[MOST], x[MOST], *scratch = malloc((size_t)crm_pivoting_scratch(MOST) * sizeof *scratch);
    for (int k = 0; k < 500; k++) {
        int n = 1 + k % MOST;
        make_matrix(&s, n, 1 + (n - 1) / rank_share, shift, a);
        for (int i = 0; i < n; i++) {
            b[i] = sample_between(&s, -1.0, 1.0);
            x[i] = sample_between(&s, -1.0, 1.0); // a guess that knows nothing
        }
        CHECK(crm_pivoting_solve(n, a, b, x, scratch));
        check_solution(n, a, b, x);
    }
    free(scratch);
}

TEST(random_problems_are_solved) {
    check_random(0.1, 1);
    check_random(0.1, 3);
}

TEST(nearly_singular_problems_are_solved) {
    check_random(1e-6, 3);
}

TEST(nothing_is_pushed_where_everything_is_apart) {
    const double a[4] = {2.0, 1.0, 1.0, 2.0}, b[2] = {1.0, 0.0};
    double x[2] = {1.0, 1.0}, scratch[10];
    CHECK(crm_pivoting_scratch(2) <= 10);
    CHECK(crm_pivoting_solve(2, a, b, x, scratch));
    CHECK_NEAR(x[0], 0.0, 0.0);
    CHECK_NEAR(x[1], 0.0, 0.0);
    CHECK(crm_pivoting_solve(0, a, b, x, scratch));
}

TEST(numbers_that_are_none_are_refused) {
    const double a[1] = {NAN}, b[1] = {-1.0};
    double x[1] = {1.0}, scratch[4];
    CHECK(!crm_pivoting_solve(1, a, b, x, scratch));
}

TEST_MAIN(CASE(random_problems_are_solved), CASE(nearly_singular_problems_are_solved),
          CASE(nothing_is_pushed_where_everything_is_apart), CASE(numbers_that_are_none_are_refused))
